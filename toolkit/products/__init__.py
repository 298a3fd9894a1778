"""What opforge makes of a project: a folder each, what it says and how it is drawn side by side."""
