"""Checks beyond names and types: what the rules of the game make pointless or impossible."""

from toolkit.lint.context import EffectContext
from toolkit.lint.hand_written import check_hand_written
from toolkit.lint.registry import FINDINGS, check_project, lint_effect

__all__ = ["FINDINGS", "EffectContext", "check_hand_written", "check_project", "lint_effect"]
