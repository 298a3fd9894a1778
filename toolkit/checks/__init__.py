"""The check of projects: what is wrong in them, and what of that a wish wants to be told."""

from toolkit.checks.telling import check, told_of
from toolkit.checks.wishes import CheckWish, Refusal, Target, Text

__all__ = ["CheckWish", "Refusal", "Target", "Text", "check", "told_of"]
