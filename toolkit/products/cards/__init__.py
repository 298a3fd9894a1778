"""Pictures of cards, and the files of print services."""
