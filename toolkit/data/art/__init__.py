"""What a drawing or picture of a card may be: read, measured and reported before anything is drawn."""
