"""``checks`` of the project file: which findings are reported, and how severe they are.

This module is imported only for projects that have some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from toolkit.data.yaml.nodes import Mapping, Scalar, Sequence
from toolkit.diagnostics import Diagnostic, Label
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.selection import GROUPS, CheckSettings, Choice, Level, choices_of, matches
from toolkit.diagnostics.suppressions import unknown_finding
from toolkit.source import Span
from toolkit.source.paths import PROJECT_FILE


def read_checks(node: Mapping) -> tuple[CheckSettings, list[Diagnostic]]:
    """Return what is chosen, without what the schema refuses, and what is wrong with it."""
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


def _choices(node: Mapping, pattern: str) -> tuple[list[Choice], list[Diagnostic]]:
    """Return the choices of one mapping, for the files that match a pattern, and what is wrong with them."""
    selected, ignored = list(_words(node, "select")), list(_words(node, "ignore"))
    severity = node.mapping("severity")
    keys = list(severity.keys.values()) if severity is not None else []
    levels = {key.text: severity.value[key.text] for key in keys} if severity is not None else {}
    known_keys = [key for key in keys if levels[key.text] in ("error", "warning", "off")]
    named = [*selected, *ignored, *(key for key in known_keys if levels[key.text] == "off")]
    named += [key for key in known_keys if levels[key.text] != "off" and key.text not in CATALOGUE]
    findings = [finding for word in named if (finding := unknown_finding(word.span, GROUPS))]
    findings += _contradictions(
        [*selected, *(key for key in known_keys if levels[key.text] != "off")],
        [*ignored, *(key for key in known_keys if levels[key.text] == "off")],
    )
    choices = choices_of(
        map(_named, filter(_is_known, selected)),
        map(_named, filter(_is_known, ignored)),
        {_named(key): cast(Level, levels[key.text]) for key in known_keys if _is_known(key)},
        pattern,
    )
    return choices, findings


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
    listed = node.nodes.get(key)
    for word in listed.items if isinstance(listed, Sequence) else ():
        if isinstance(word, Scalar) and isinstance(word.value, str) and word.text.strip():
            yield word


def _is_known(word: Scalar) -> bool:
    return word.text in CATALOGUE or word.text in GROUPS


def _named(word: Scalar) -> tuple[str, str]:
    return word.text, _origin(word.span)


def _origin(span: Span) -> str:
    return f"{PROJECT_FILE}:{span.begin_position.line}"


def unused_patterns(node: Mapping, paths: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield a finding for each pattern of `checks` that no file of the project matches."""
    per_path = node.mapping("per-path")
    keys = list(per_path.keys.values()) if per_path is not None else []
    paths = list(paths)
    for word in (*keys, *_words(node, "exclude")):
        if word.text.strip() and not any(matches(word.text, path) for path in paths):
            message = f"No file of the project matches `{word.text}`."
            step = "Write a path from the folder of opforge.yaml, such as `drafts/**`, or remove it."
            yield Diagnostic("unused-pattern", message, word.span, step)
