"""Findings about templates, style sheets and printed cards."""
