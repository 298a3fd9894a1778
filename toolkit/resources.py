"""Where the shipped files are: in a checkout at the top level, installed inside the package."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _shipped(name: str) -> Path:
    installed = _PACKAGE / "shipped" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def grammar_file() -> Path:
    """The grammar of the effect language."""
    return _shipped("grammar") / "effect.lark"


def templates_folder() -> Path:
    """The shipped card templates, with their fonts and icons."""
    return _shipped("templates")


def cards_folder() -> Path:
    """The shipped card project."""
    return _shipped("cards")
