"""Everything for a game of two in one folder or ZIP file."""
