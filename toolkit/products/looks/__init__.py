"""The gallery of looks on the cards of a project."""
