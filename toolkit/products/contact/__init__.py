"""The contact sheet of all cards."""
