"""The house rules of a project file: their long and their short forms."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from toolkit.data.model import Project
from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.schema import KINDS
from toolkit.diagnostics import Diagnostic, Fix
from toolkit.dsl.house_rules import NAMES, Compared, Expression, Integer, Named, names_in, parse_rule
from toolkit.dsl.tree import Problem
from toolkit.source import Span
from toolkit.vocabulary import STATS

ALL_KINDS = (*KINDS, "objective")
_OPERATOR_ONLY = frozenset((*map(str.lower, STATS), "squadpoints", "skills"))
_LIMITS = {"max_": "<=", "min_": ">="}


class HouseRule(Struct, frozen=True):
    """A rule as it was read.

    ``words`` are how messages quote it, ``kinds`` the kinds of card that it is for, ``place`` is where it
    stands, ``message`` what its author wants to be said.
    """

    tree: Expression
    words: str
    kinds: frozenset[str]
    place: Span
    name: str = ""
    message: str = ""
    warns: bool = False

    @property
    def names(self) -> list[str]:
        """The numbers that it names, each once, in order."""
        return list(dict.fromkeys(named.name for named in names_in(self.tree)))


def read_rules(project: Project) -> tuple[list[HouseRule], list[Diagnostic]]:
    """The rules that can be read, and what is wrong with the others; what the schema tells is left out."""
    listed = project.node.nodes.get("house_rules") if project.node else None
    rules: list[HouseRule] = []
    findings: list[Diagnostic] = []
    for item in listed.items if isinstance(listed, Sequence) else ():
        for read in _read(item, project.languages):
            if isinstance(read, HouseRule):
                rules.append(read)
            else:
                findings.append(read)
    return rules, findings


def _read(item: Node, languages: tuple[str, ...]) -> Iterator[HouseRule | Diagnostic]:
    if isinstance(item, Scalar):
        if isinstance(item.value, str):
            yield _ruled(item, None, languages)
    elif isinstance(item, Mapping):
        found = False
        for key, node in item.nodes.items():
            if key == "rule" and isinstance(node, Scalar) and isinstance(node.value, str):
                found = True
                yield _ruled(node, item, languages)
            elif _is_limit(key) and isinstance(node, Scalar) and type(node.value) is int:
                found = True
                yield _limited(item, key, node.value, languages)
        if not found and not _has_slip(item):
            yield Diagnostic(
                "broken-house-rule",
                "This house rule has no `rule`.",
                item.span,
                "Add `rule: ap + ep <= 12`, or a limit such as `max_text_words: 40`.",
            )


def _has_slip(item: Mapping) -> bool:
    """Whether the rule is there and the schema has told what is wrong with it."""
    return any(key == "rule" or key[:4] in _LIMITS for key in item.nodes) or any(
        key not in ("name", "kinds", "level", "message") for key in item.nodes
    )


def _is_limit(key: str) -> bool:
    return key[:4] in _LIMITS and key[4:] in NAMES


def _ruled(scalar: Scalar, item: Mapping | None, languages: tuple[str, ...]) -> HouseRule | Diagnostic:
    """A rule in the language of house rules."""
    text = scalar.as_text()
    read = parse_rule(text.value)
    if isinstance(read, Problem):
        place = text.locate(*read.place)
        fix = Fix(place, read.fix, read.safe) if read.fix is not None else None
        return Diagnostic(read.name, read.message, place, read.next_step, fix=fix)
    for named in names_in(read):
        wrong = _kind_without(named.name, item)
        if wrong is not None:
            message = f"{_title(wrong)} has no number `{named.name}`."
            step = "Remove this kind from `kinds`, or use another number."
            return Diagnostic("broken-house-rule", message, text.locate(*named.place), step)
    return _rule(read, text.value.strip(), scalar.span, item, languages)


def _limited(item: Mapping, key: str, number: int, languages: tuple[str, ...]) -> HouseRule | Diagnostic:
    """``max_text_words: 40``."""
    name = key[4:]
    wrong = _kind_without(name, item)
    if wrong is not None:
        message = f"{_title(wrong)} has no number `{name}`."
        return Diagnostic(
            "broken-house-rule",
            message,
            item.keys[key].span,
            "Remove this kind from `kinds`, or use another number.",
        )
    place = item.keys[key].span
    tree = Compared((_LIMITS[key[:4]],), (Named(name, (0, 0)), Integer(number)))
    return _rule(tree, f"{key}: {number}", place, item, languages)


def _rule(
    tree: Expression, words: str, place: Span, item: Mapping | None, languages: tuple[str, ...]
) -> HouseRule:
    name = _word(item, "name")
    warns = _word(item, "level") == "warning"
    return HouseRule(tree, words, _kinds(tree, item), place, name, _message(item, languages), warns)


def _kinds(tree: Expression, item: Mapping | None) -> frozenset[str]:
    """The kinds that have all numbers, of those that the rule names."""
    possible = {kind for kind in ALL_KINDS if all(_has(kind, named.name) for named in names_in(tree))}
    chosen = _chosen(item)
    return frozenset(possible if chosen is None else possible & set(chosen))


def _chosen(item: Mapping | None) -> list[str] | None:
    listed = item.nodes.get("kinds") if item else None
    if not isinstance(listed, Sequence):
        return None
    return [one.text for one in listed.items if isinstance(one, Scalar)]


def _kind_without(name: str, item: Mapping | None) -> str | None:
    """A kind that the rule names and that has no such number."""
    return next((kind for kind in _chosen(item) or () if kind in ALL_KINDS and not _has(kind, name)), None)


def _has(kind: str, name: str) -> bool:
    if name in _OPERATOR_ONLY:
        return kind == "operator"
    if name == "value":
        return kind == "objective"
    return name != "text_words" or kind != "objective"


def _title(kind: str) -> str:
    if kind in ("operator", "objective"):
        return f"An {kind.upper()}"
    return f"A {kind.upper()} card" if kind[0] not in "aei" else f"An {kind.upper()} card"


def _word(item: Mapping | None, key: str) -> str:
    node = item.nodes.get(key) if item else None
    return node.text if isinstance(node, Scalar) else ""


def _message(item: Mapping | None, languages: tuple[str, ...]) -> str:
    """What is said, in English where there is a choice: so are all messages."""
    node = item.nodes.get("message") if item else None
    if isinstance(node, Scalar):
        return node.text
    if not isinstance(node, Mapping):
        return ""
    texts = {key: one.text for key, one in node.nodes.items() if isinstance(one, Scalar)}
    return next((texts[language] for language in ("en", *languages) if language in texts), "")
