"""Which findings are reported, and how severe they are: `checks` of opforge.yaml, and options of a command.

What is chosen for a finding by its name beats what is chosen for its group, a path beats the whole project,
and the command line beats the project file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from toolkit.diagnostics.catalogue import CATALOGUE, NEVER_SUPPRESSED
from toolkit.diagnostics.finding import Diagnostic, Severity
from toolkit.diagnostics.locations import path_from
from toolkit.source.short_repr import PublicValue

GROUPS = {
    "all": "all findings",
    "errors": "what is wrong: findings that are errors by themselves",
    "game": "warnings about what cards do when they are played",
    "style": "warnings about what is not used, not needed or not in its place",
    "print": "warnings about pictures, colours and what is printed",
}
"""The groups of findings, and what is in them."""

Level = Literal["error", "warning", "off", "on", "only"]
"""What is chosen: a severity, off, on, or ``only`` these and no others."""

COMMAND_LINE = "the command line"


class Choice(PublicValue, Struct, frozen=True):
    """A choice for some findings and groups; ``origin`` is where it stands, such as ``opforge.yaml:12``.

    With ``pattern`` it is for the files of the project that match it.
    """

    names: tuple[str, ...]
    level: Level
    origin: str
    pattern: str = ""

    @property
    def is_option(self) -> bool:
        """Whether it is an option of the command line."""
        return self.origin == COMMAND_LINE

    def applies_to(self, name: str) -> bool:
        """Whether it chooses something for a finding; the project cannot hide what is wrong with `checks`."""
        if name in NEVER_SUPPRESSED and not self.is_option and self.level in ("off", "only"):
            return False
        return self.level == "only" or self.covers(name)

    def covers(self, name: str) -> bool:
        """Whether it names a finding, or the group of the finding; or a group, or all."""
        return not {name, group_of(name), "all"}.isdisjoint(self.names)


class CheckSettings(PublicValue, Struct, frozen=True):
    """All choices, of which a later one beats an earlier one, and the files whose findings are left out.

    ``excluded`` has no names: it leaves out what is found in the files that match. ``plugins`` are the names
    of the project's own checks, and ``skipped`` those that are not run.
    """

    choices: tuple[Choice, ...] = ()
    excluded: tuple[Choice, ...] = ()
    plugins: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    def decided(self, name: str, path: str) -> tuple[Severity | Literal["off"], Choice | None]:
        """Return the severity of a finding in a file (its path in the project), and what chose it."""
        return self._decided(name, lambda pattern: matches(pattern, path))

    def decided_below(self, name: str, pattern: str) -> tuple[Severity | Literal["off"], Choice | None]:
        """Return the severity of a finding in the files of a pattern and no other, and what chose it."""
        return self._decided(name, lambda other_pattern: other_pattern in ("", pattern))

    def _decided(
        self, name: str, concerns: Callable[[str], bool]
    ) -> tuple[Severity | Literal["off"], Choice | None]:
        """Return the severity of a finding after all choices, or off, and the last choice that changed it.

        ``concerns`` tells which patterns of choices are for the file in question.
        """
        severity, is_on, last_to_change = CATALOGUE[name].severity, True, None
        for choice in self.choices:
            if not choice.applies_to(name) or not concerns(choice.pattern):
                continue
            new_severity = choice.level if choice.level in ("error", "warning") else severity
            is_now_on = choice.covers(name) if choice.level == "only" else choice.level != "off"
            if (new_severity, is_now_on) != (severity, is_on):
                severity, is_on, last_to_change = new_severity, is_now_on, choice
        return severity if is_on else "off", last_to_change

    def excludes(self, path: str) -> bool:
        """Whether what is found in a file, given by its path in the project, is left out."""
        return any(matches(choice.pattern, path) for choice in self.excluded)

    def applied(self, findings: Iterable[Diagnostic], root: Path) -> list[Diagnostic]:
        """Return those findings of the project in ``root`` that are on, with the severity chosen for each."""
        if not self.choices and not self.excluded:
            return list(findings)
        decide, excludes = cache(self.decided), cache(self.excludes)
        chosen_findings = []
        for finding in findings:
            path = path_from(root, finding.span.file.path)
            if excludes(path):
                continue
            severity, _ = decide(finding.name, path)
            if severity != "off":
                is_default = severity == CATALOGUE[finding.name].severity
                chosen_findings.append(finding if is_default else replace(finding, severity=severity))
        return chosen_findings

    def notes(self) -> list[str]:
        """Return in a few words each what is off, for the summary of a report."""
        notes: list[str] = []
        for index, choice in enumerate(self.choices):
            if not self._is_overruled(choice, self.choices[index + 1 :]):
                notes += _notes(choice)
        notes += [f"everything in {choice.pattern}" for choice in self.excluded]
        return notes + [f"plug-in {name}" for name in self.skipped]

    def _is_overruled(self, choice: Choice, later_choices: Sequence[Choice]) -> bool:
        """Whether one of the later choices, for as many files, decides the opposite.

        Only another "only these" replaces such a choice; a choice for single findings ends with any later one
        that covers all of them and does not switch them off.
        """
        for later in later_choices:
            if later.pattern not in ("", choice.pattern):
                continue
            if choice.level == "only":
                is_opposite = later.level == "only"
            else:
                is_opposite = later.level != "off" and all(map(later.covers, choice.names))
            if is_opposite:
                return True
        return False


def _notes(choice: Choice) -> Iterator[str]:
    """Yield what a choice leaves out, or makes a warning although it is an error by itself."""
    names, where = ", ".join(choice.names), f" in {choice.pattern}" if choice.pattern else ""
    if choice.level == "off":
        yield f"{names}{where}"
    elif choice.level == "only":
        yield f"all but {names}{where}"
    elif choice.level == "warning":
        errors = [name for name in choice.names if name in ("all", "errors") or group_of(name) == "errors"]
        yield from (f"{name}{where} (only warns)" for name in errors)


def group_of(name: str) -> str:
    """Return the group of a finding; empty for another word."""
    return CATALOGUE[name].group if name in CATALOGUE else ""


def choices_of(
    select: Iterable[tuple[str, str]] = (),
    ignore: Iterable[tuple[str, str]] = (),
    severity: Mapping[tuple[str, str], Level] | None = None,
    pattern: str = "",
) -> list[Choice]:
    """Return the choices of one place, the decisive last; names are given with their origins.

    A name beats a group, and a group beats `all`.
    """
    selected = list(select)
    choices = [Choice((name,), level, origin, pattern) for (name, origin), level in (severity or {}).items()]
    if selected:
        names, origins = zip(*selected, strict=True)
        first_origin, *_ = origins
        choices.append(Choice(names, "only", first_origin, pattern))
        choices += [Choice((name,), "on", origin, pattern) for name, origin in selected if name not in GROUPS]
    choices += [Choice((name,), "off", origin, pattern) for name, origin in ignore]
    return sorted(choices, key=_rank)


def _rank(choice: Choice) -> int:
    """Return the rank of a choice among those of one place, from the widest to the most particular.

    They are: `all`, a group that is on or has a severity, "only these", a group that is off, a single name.
    """
    if choice.level == "only":
        return 2
    (name,) = choice.names
    if name == "all":
        return 0
    if name in GROUPS:
        return 3 if choice.level == "off" else 1
    return 4


# patterns of paths


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern as in .gitignore matches a file, given by its path in the project; "" matches all.

    A folder stands for all that is in it, ``**`` for any folders; a pattern without ``/`` is for any folder.
    """
    if not pattern:
        return True
    names = pattern.removeprefix("./").strip("/").split("/")
    any_folders = ["**"] if "/" not in pattern.rstrip("/") else []
    return _fits([*any_folders, *names, "**"], path.split("/"), "**", _fits_name)


def _fits_name(pattern: str, name: str) -> bool:
    return _fits(pattern, name, "*", lambda sign, character: sign in ("?", character))


def _fits(
    pattern: Sequence[str], sequence: Sequence[str], star: str, is_same: Callable[[str, str], bool]
) -> bool:
    """Whether a sequence fits a pattern in which a star stands for any number of its items.

    A star takes nothing at first, and where the rest does not fit, the last star takes one item more. Earlier
    stars are not tried again: a pattern with many stars, by a stranger, is not a matter of hours.
    """
    index = position = 0
    index_after_star: int | None = None
    end_of_star = 0
    while position < len(sequence):
        if index < len(pattern) and pattern[index] == star:
            index += 1
            index_after_star, end_of_star = index, position
        elif index < len(pattern) and is_same(pattern[index], sequence[position]):
            index, position = index + 1, position + 1
        elif index_after_star is not None:
            end_of_star += 1
            index, position = index_after_star, end_of_star
        else:
            return False
    return all(item == star for item in pattern[index:])
