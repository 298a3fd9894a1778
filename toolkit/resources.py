"""Where the shipped files are: in a checkout at the top level, installed inside the package."""

from __future__ import annotations

import os
import sys
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


def starter_folder() -> Path:
    """The small project that a new one begins as."""
    return _PACKAGE / "help" / "starter"


def cache_folder() -> Path:
    """The user's cache folder of this program; it may be deleted at any time, and need not exist yet."""
    if os.environ.get("OPFORGE_CACHE"):
        return Path(os.environ["OPFORGE_CACHE"])
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "opforge"


def config_folder() -> Path:
    """The user's folder of settings of this program; it need not exist yet."""
    if os.environ.get("OPFORGE_CONFIG"):
        return Path(os.environ["OPFORGE_CONFIG"])
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / "opforge"
