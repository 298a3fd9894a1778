"""The mat of a game mode."""
