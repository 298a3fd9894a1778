"""Boxes for the cards."""
