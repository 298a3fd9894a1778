"""Scripting: a project opened by a path, whose cards, effects, attacks and odds need no request objects."""
