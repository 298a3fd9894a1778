"""Applying the fixes of findings: in rounds, each verified by reading the result again."""

from toolkit.editing.fixing.rounds import Fixed, fix_project, fix_requested

__all__ = ["Fixed", "fix_project", "fix_requested"]
