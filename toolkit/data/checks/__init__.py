"""Checks of entries against the schema and of entries against each other."""
