"""The folders of shipped files, in a checkout or an installed package, and of the user's own files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _shipped(name: str) -> Path:
    installed = _PACKAGE / "shipped" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def grammar_file() -> Path:
    """Return the file with the grammar of the effect language."""
    return _shipped("grammar") / "effect.lark"


def thesaurus_file() -> Path:
    """Return the file with what people write, and what the effect language says instead."""
    return _shipped("grammar") / "thesaurus.txt"


def frames_file() -> Path:
    """Return the file with what people speak of in words of any order; its form is that of the thesaurus."""
    return _shipped("grammar") / "frames.txt"


def german_file() -> Path:
    """Return the file with what German words say in English."""
    return _shipped("grammar") / "german.txt"


def templates_folder() -> Path:
    """Return the folder of the shipped card templates, with their fonts and icons."""
    return _shipped("templates")


def cards_folder() -> Path:
    """Return the folder of the shipped card project."""
    return _shipped("cards")


def help_folder() -> Path:
    """Return the folder of the help pages."""
    return _PACKAGE / "help"


def starter_folder() -> Path:
    """Return the folder of the small project that ``opforge init`` copies."""
    return help_folder() / "starter"


def cache_folder() -> Path:
    """Return the user's cache folder for this program, which may not exist; it may be deleted at any time."""
    windows = ("LOCALAPPDATA", ("AppData", "Local"))
    return _folder_of_user("OPFORGE_CACHE", windows, ("Library", "Caches"), ("XDG_CACHE_HOME", (".cache",)))


def config_folder() -> Path:
    """Return the user's settings folder for this program, which may not exist."""
    windows = ("APPDATA", ("AppData", "Roaming"))
    mac = ("Library", "Application Support")
    return _folder_of_user("OPFORGE_CONFIG", windows, mac, ("XDG_CONFIG_HOME", (".config",)))


Place = tuple[str, tuple[str, ...]]
"""An environment variable, and the folder below the user's home if it is not set."""


def _folder_of_user(own: str, windows: Place, mac: tuple[str, ...], other: Place) -> Path:
    """Return the folder that the variable ``own`` names, else the system's default."""
    if os.environ.get(own):
        return Path(os.environ[own])
    if sys.platform == "darwin":
        return Path.home().joinpath(*mac) / "opforge"
    variable, below = windows if sys.platform == "win32" else other
    return Path(os.environ.get(variable) or Path.home().joinpath(*below)) / "opforge"
