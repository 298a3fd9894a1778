"""Changes of cards since an older version of the project, for players who have printed that version."""
