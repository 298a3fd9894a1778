"""``checks`` of the project file: which findings are reported, and how severe they are.

This module is imported only for projects that have some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import cast

from toolkit.data.yaml.nodes import Mapping, Scalar
from toolkit.diagnostics import Diagnostic, Label
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.selection import GROUPS, CheckSettings, Choice, Level, choices_of, matches
from toolkit.diagnostics.suppressions import unknown_finding
from toolkit.source import Span
from toolkit.source.paths import PROJECT_FILE

MAX_NAMES = 200
"""Names and patterns in `checks`, at most: each file with a finding is compared with each of them."""


def read_checks(node: Mapping) -> tuple[CheckSettings, list[Diagnostic]]:
    """Return what is chosen, without what the schema refuses, and what is wrong with it."""
    excess = _excess(node)
    if excess is not None:
        message = f"`checks` has more than {MAX_NAMES} names and patterns, so nothing of it counts."
        step = "Name groups in place of findings, and folders such as `drafts/**` in place of files."
        return CheckSettings(), [Diagnostic("too-many-items", message, excess.span, step)]
    choices, findings = _choices(node, "")
    per_path = node.mapping("per-path")
    for pattern, of_path in per_path.nodes.items() if per_path is not None else ():
        if isinstance(of_path, Mapping):
            path_choices, path_findings = _choices(of_path, pattern)
            choices += path_choices
            findings += path_findings
    excluded = [Choice((), "off", _origin(word.span), word.text) for word in _words(node, "exclude")]
    plugins = tuple(word.text for word in _words(node, "plugins"))
    return CheckSettings(tuple(choices), tuple(excluded), plugins), findings


def _excess(node: Mapping) -> Scalar | None:
    """Return the first name or pattern beyond ``MAX_NAMES``."""
    return next(islice(_all_words(node), MAX_NAMES, None), None)


def _all_words(node: Mapping) -> Iterator[Scalar]:
    """Yield all names and patterns of a mapping."""
    for key in ("select", "ignore", "exclude", "plugins"):
        yield from node.words(key)
    for key in ("severity", "per-path"):
        table = node.mapping(key)
        for name, inner in table.nodes.items() if table is not None else ():
            yield cast(Mapping, table).keys[name]
            if isinstance(inner, Mapping):
                yield from _all_words(inner)


def _choices(node: Mapping, pattern: str) -> tuple[list[Choice], list[Diagnostic]]:
    """Return the choices of one mapping, for the files that match a pattern, and what is wrong with them."""
    selected, ignored, levels = list(_words(node, "select")), list(_words(node, "ignore")), _levels(node)
    reported = [word for word, level in levels.items() if level != "off"]
    switched_off = [*ignored, *(word for word, level in levels.items() if level == "off")]
    # a severity can be chosen even for what cannot be hidden
    names = [*selected, *switched_off, *(word for word in reported if word.text not in CATALOGUE)]
    findings = [finding for word in names if (finding := unknown_finding(word.span, GROUPS))]
    findings += _contradictions([*selected, *reported], switched_off)
    choices = choices_of(
        map(_named, filter(_is_known, selected)),
        map(_named, filter(_is_known, ignored)),
        {_named(word): level for word, level in levels.items() if _is_known(word)},
        pattern,
    )
    return choices, findings


def _levels(node: Mapping) -> dict[Scalar, Level]:
    """Return what ``severity`` chooses by the names as they are written."""
    severity = node.mapping("severity")
    if severity is None:
        return {}
    levels = ((word, severity.value[word.text]) for word in severity.keys.values())
    return {word: cast(Level, level) for word, level in levels if level in ("error", "warning", "off")}


def _contradictions(switched_on: list[Scalar], switched_off: list[Scalar]) -> Iterator[Diagnostic]:
    """Yield a finding for each name that one mapping switches both on and off."""
    on_by_name = {word.text: word for word in reversed(switched_on)}
    for word in switched_off:
        on_word = on_by_name.get(word.text)
        if on_word is not None:
            message = f"`{word.text}` is switched on and off in the same place."
            labels = (Label(on_word.span, "switched on here"),)
            yield Diagnostic("contradictory-checks", message, word.span, "Remove one of the two.", labels)


def _words(node: Mapping, key: str) -> Iterator[Scalar]:
    """Yield the texts in the list under a key; the schema refuses what else is in it."""
    return (word for word in node.words(key) if isinstance(word.value, str) and word.text.strip())


def _is_known(word: Scalar) -> bool:
    return word.text in CATALOGUE or word.text in GROUPS


def _named(word: Scalar) -> tuple[str, str]:
    return word.text, _origin(word.span)


def _origin(span: Span) -> str:
    return f"{PROJECT_FILE}:{span.begin_position.line}"


def unused_patterns(node: Mapping, paths: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield a finding for each pattern of `checks` that no file of the project matches."""
    if _excess(node) is not None:
        return
    per_path = node.mapping("per-path")
    keys = list(per_path.keys.values()) if per_path is not None else []
    paths = list(paths)
    for word in (*keys, *_words(node, "exclude")):
        if word.text.strip() and not any(matches(word.text, path) for path in paths):
            message = f"No file of the project matches `{word.text}`."
            step = "Write a path from the folder of opforge.yaml, such as `drafts/**`, or remove it."
            yield Diagnostic("unused-pattern", message, word.span, step)
