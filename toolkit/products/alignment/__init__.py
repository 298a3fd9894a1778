"""The page that measures how a printer turns its paper."""
