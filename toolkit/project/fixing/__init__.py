"""Fixes that findings carry, made: in rounds, proved, and nothing written that would not be read as meant."""

from toolkit.project.fixing.rounds import Fixed, fix_project, fix_requested

__all__ = ["Fixed", "fix_project", "fix_requested"]
