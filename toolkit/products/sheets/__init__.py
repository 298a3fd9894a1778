"""The sheets of cards to print and cut."""
