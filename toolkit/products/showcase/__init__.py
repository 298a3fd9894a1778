"""A picture of a few cards."""
