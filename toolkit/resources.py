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
    """The small project that ``opforge init`` copies."""
    return _PACKAGE / "help" / "starter"


def cache_folder() -> Path:
    """The user's cache folder of this program; it may be deleted at any time, and need not exist yet."""
    windows = ("LOCALAPPDATA", ("AppData", "Local"))
    return _folder_of_user("OPFORGE_CACHE", windows, ("Library", "Caches"), ("XDG_CACHE_HOME", (".cache",)))


def config_folder() -> Path:
    """The user's folder of settings of this program; it need not exist yet."""
    windows = ("APPDATA", ("AppData", "Roaming"))
    mac = ("Library", "Application Support")
    return _folder_of_user("OPFORGE_CONFIG", windows, mac, ("XDG_CONFIG_HOME", (".config",)))


Place = tuple[str, tuple[str, ...]]
"""An environment variable, and the folder below the user's home if it is not set."""


def _folder_of_user(own: str, windows: Place, mac: tuple[str, ...], other: Place) -> Path:
    """The folder that the variable ``own`` names, else the default of the system."""
    if os.environ.get(own):
        return Path(os.environ[own])
    if sys.platform == "darwin":
        return Path.home().joinpath(*mac) / "opforge"
    variable, below = windows if sys.platform == "win32" else other
    return Path(os.environ.get(variable) or Path.home().joinpath(*below)) / "opforge"
