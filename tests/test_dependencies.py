"""The file of exact versions has each package that opforge and its tests need, within the bounds."""

from __future__ import annotations

import re
from importlib.metadata import requires

from packaging.requirements import Requirement

from tests.dependencies import CONSTRAINTS


def test_every_dependency_has_exact_versions_within_its_bounds() -> None:
    lines = [
        line for line in CONSTRAINTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    ]
    versions: dict[str, list[str]] = {}
    for line in lines:
        pin = re.fullmatch(r"([a-z0-9-]+)==([\w.]+)(?: ; [\w.'=<>!*() ]+)?", line)  # no address, no path
        assert pin, line
        versions.setdefault(pin[1], []).append(pin[2])
    for text in requires("opforge") or ():
        requirement = Requirement(text)
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        assert name in versions, f"{name}: run `python -m tests.dependencies pin`"
        assert all(version in requirement.specifier for version in versions[name]), text
