"""Exact odds of attacks: what comes of one when both players decide as well as they can."""
