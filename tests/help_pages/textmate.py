"""The colours of effects inside YAML: a TextMate grammar, made from the words of the language.

``python -m tests.help_pages`` writes it for the VS Code extension; a test compares. It is the grammar of YAML
with rules of its own, so that files without effects are not coloured by it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import toolkit
from toolkit.dsl.lalr import terminals_by_word
from toolkit.vocabulary import ACTIONS, COUNTERS, FACTS, STATS, STATUSES, VERBS

FILE = Path(toolkit.__file__).parent / "apps/lsp/vscode/syntaxes/opforge.tmLanguage.json"

KEYS = ("effect", "teamwork", "suppression")
"""The keys whose values are effects. ``performance`` is a list of them."""

_LOGIC = ("when", "if", "then", "either", "or", "and", "not")
_WHO = (
    "self",
    "target",
    "attacker",
    "attacked",
    "owner",
    "opponent",
    "one",
    "all",
    "any",
    "own",
    "enemy",
    "other",
)


def word_groups() -> dict[str, list[str]]:
    """Every word of the language by its scope; each word is in one of the groups."""
    verbs = {part for verb in VERBS for form in (verb.one, verb.many) for part in form.split()}
    groups: dict[str, list[str]] = {
        "keyword.control": list(_LOGIC),
        "variable.language": list(_WHO),
        "entity.name.function": sorted(verbs),
        "support.constant.stat": [*STATS, *COUNTERS, *FACTS, "VALUE"],
        "constant.language.status": list(STATUSES),
        "constant.language.action": list(ACTIONS),
    }
    placed = {word for words in groups.values() for word in words}
    others = [word for word in terminals_by_word() if word[0].isalpha() and word not in placed]
    groups["storage.type"] = [word for word in others if word.isupper() or word[0].isupper()]
    groups["keyword.other"] = [word for word in others if word not in groups["storage.type"]]
    return groups


def grammar() -> dict[str, Any]:
    """The grammar of card files: that of YAML, and rules for effects that go before it."""
    rules = ("block", "value", "flow", "list")
    return {
        "name": "opforge cards",
        "scopeName": "source.opforge",
        "patterns": [{"include": "source.yaml"}],
        "injections": {
            "L:source.opforge -comment": {"patterns": [{"include": f"#{rule}"} for rule in rules]}
        },
        "repository": {
            "block": _both(_lines(_keys(), r"([|>][-+0-9]*)\s*(#.*)?$", "block")),
            "value": _both(_lines(_keys(), r"(?=[^\s|>#&*!])", "value")),
            "list": _both(_lines("performance", "", "value")),
            "flow": {"patterns": [_quoted('"', r"(?<!\\)"), _quoted("'", "")]},
            "effect": {"patterns": [*_sentence()]},
        },
    }


def _keys() -> str:
    return "|".join(KEYS)


def _both(rules: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {"patterns": list(rules)}


def _lines(keys: str, opening: str, sort: str) -> Iterable[dict[str, Any]]:
    """A key with its value and the deeper lines below; behind a dash the key stands two columns further."""
    for dash, deeper in ((r"()", r"[ ]+"), (r"(-)[ ]", r"[ ]{3,}")):
        captures = {
            "2": {"name": "punctuation.definition.block.sequence.item.yaml"},
            "3": {"name": "string.unquoted.plain.out.yaml entity.name.tag.yaml"},
            "4": {"name": "punctuation.separator.key-value.mapping.yaml"},
        }
        if sort == "block":
            captures |= {
                "5": {"name": "keyword.control.flow.block-scalar.yaml"},
                "6": {"name": "comment.line.number-sign.yaml"},
            }
        yield {
            "begin": rf"^([ ]*){dash}({keys})(:)(?:[ ]+|$){opening}"
            if sort == "block"
            else (rf"^([ ]*){dash}({keys})(:)[ ]*{opening}"),
            "beginCaptures": captures,
            "while": rf"^(?:\1{deeper}(?=\S)|[ ]*$)",
            "contentName": "meta.effect.opforge",
            "patterns": [{"include": "#effect"}],
        }


def _quoted(quote: str, before: str) -> dict[str, Any]:
    """An effect between quotes within braces."""
    return {
        "begin": rf"(?<=[{{,\s])({_keys()})(:)\s+({quote})",
        "beginCaptures": {
            "1": {"name": "string.unquoted.plain.in.yaml entity.name.tag.yaml"},
            "2": {"name": "punctuation.separator.key-value.mapping.yaml"},
            "3": {"name": "punctuation.definition.string.begin.yaml"},
        },
        "end": f"{before}{quote}",
        "endCaptures": {"0": {"name": "punctuation.definition.string.end.yaml"}},
        "contentName": "meta.effect.opforge",
        "patterns": [{"include": "#effect"}],
    }


def _sentence() -> Iterable[dict[str, Any]]:
    """What is in an effect: comments, names in quotes, numbers, words."""
    yield {"name": "comment.line.number-sign.opforge", "match": r"(?:^|(?<=\s))#.*$"}
    yield {
        "match": r"(?<![\w-])(TEAM|trait)\s+(\\?\"[^\"\\]*\\?\")",
        "captures": {"1": {"name": "storage.type.opforge"}, "2": {"name": "string.quoted.double.opforge"}},
    }
    yield {"name": "constant.numeric.opforge", "match": r"(?<![\w-])[+\-]?[0-9]+\+?(?![\w-])"}
    for scope, words in word_groups().items():
        listed = "|".join(sorted(words, key=lambda word: (-len(word), word)))
        yield {"name": f"{scope}.opforge", "match": rf"(?<![\w-])(?:{listed})(?![\w-])"}


def as_json() -> str:
    """The grammar as it stands in its file."""
    return json.dumps(grammar(), ensure_ascii=False, indent=2) + "\n"
