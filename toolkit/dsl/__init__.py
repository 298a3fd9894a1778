"""The effect language: parsing to a syntax tree, checks of names and scopes, and canonical printing."""
