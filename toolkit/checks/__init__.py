"""The check of projects: what is wrong in them, and what of that a wish wants to be told."""

from toolkit.checks.telling import check, told_of
from toolkit.checks.wishes import CheckWish, Refusal, Text
from toolkit.data.project_files import Target

__all__ = ["CheckWish", "Refusal", "Target", "Text", "check", "told_of"]
