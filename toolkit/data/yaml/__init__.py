"""YAML text to a tree of nodes with their places, and edits of it."""
