"""The effect language: text to syntax tree, names and scopes, and back to canonical text."""
