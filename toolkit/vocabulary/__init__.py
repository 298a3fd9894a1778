"""The words of the game and of its files: the one registry of what exists."""
