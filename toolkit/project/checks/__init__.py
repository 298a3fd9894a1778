"""The check of projects: what is wrong in them, and what of that a wish wants to be told."""

from toolkit.data.project_files import Target
from toolkit.project.checks.options import CheckWish, Refusal, Text
from toolkit.project.checks.report_building import check, told_of

__all__ = ["CheckWish", "Refusal", "Target", "Text", "check", "told_of"]
