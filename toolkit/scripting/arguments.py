"""What a script gives, checked against the types that are declared: nothing is taken for another thing.

A text is no list of its letters, and a number with a fraction no number of games.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from toolkit.scripting.problems import ProjectError
from toolkit.vocabulary.nearest import did_you_mean

Request = TypeVar("Request", bound=msgspec.Struct)

_PLACE = re.compile(r" - at (?:`(?P<key>key)` in )?`\$\.?(?P<place>.*)`$")
_IN_PYTHON = {"array": "list", "object": "dict", "null": "None", "ellipsis": "..."}
"""What msgspec calls by the names of JSON."""


def given(name: str, value: object, expected: Any) -> Any:
    """Return the value of an argument; raises ``ProjectError`` if it is not of its declared type."""
    try:
        return msgspec.convert(value, expected)
    except msgspec.ValidationError as error:
        raise ProjectError(_sentence(name, str(error))) from None


def request_of(request: type[Request], **values: object) -> Request:
    """Return a request with some of its fields; raises ``ProjectError`` for an unknown or a wrong one."""
    known_names = request.__struct_fields__
    for name in values:
        if name not in known_names:
            hint = did_you_mean(name, known_names) or f" There are: {', '.join(known_names)}."
            raise ProjectError(f"There is no option {name!r} here.{hint}")
    checked: Request = given("", values, request)
    return checked


def given_path(path: str | os.PathLike[str]) -> Path:
    """Return a path; raises ``ProjectError`` for what is none, or is empty."""
    if not isinstance(path, (str, os.PathLike)):
        raise ProjectError(f"A path is a text or a Path, not {path!r}.")
    if not os.fspath(path) or "\0" in os.fspath(path):
        raise ProjectError(f"{os.fspath(path)!r} is no path.")
    return Path(path)


def _sentence(name: str, message: str) -> str:
    """Return what msgspec says with the words of Python and the place in front: ``dice[0]: expected …``."""
    place_match = _PLACE.search(message)
    key, place = place_match.group("key", "place") if place_match else (None, "")
    mistake = re.sub(r"\w+", lambda word: _IN_PYTHON.get(word[0], word[0]), _PLACE.sub("", message))
    argument = f"{name}{place}" + (", a key" if key else "")
    return f"{argument or 'The value'}: {mistake[0].lower()}{mistake[1:]}."
