"""Checks beyond names and types: what the rules of the game make pointless or impossible."""

from toolkit.lint.context import EffectContext, RunCache
from toolkit.lint.hand_written import check_card_text, check_hand_written
from toolkit.lint.registry import check_project, check_text, lint_effect

__all__ = [
    "EffectContext",
    "RunCache",
    "check_card_text",
    "check_hand_written",
    "check_project",
    "check_text",
    "lint_effect",
]
