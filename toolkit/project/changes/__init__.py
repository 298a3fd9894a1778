"""What changed on the cards since an older version of the project: for players who have printed it before."""
