"""Syntax errors of YAML: one finding in plain words, at the exact place."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.data.yaml.yaml_tree import default_parser, parse_tree, plain_parser
from toolkit.source import SourceFile

ENTRY = "cards:\n  - id: a\n    "
LIST = "cards:\n  - "

CASES = {
    "a tab at the beginning": ("cards:\n\t- id: a\n", "tab-in-indentation", "\t", 2),
    "a tab below a value": (LIST + "id: a\n\tkind: b\n", "tab-in-indentation", "\t", 3),
    "a key without a colon": (ENTRY + "name Viper\n    kind: b\n", "missing-colon", "name", 3),
    "a key with another sign": (ENTRY + "name = Viper\n    kind: b\n", "missing-colon", "=", 3),
    "a key with half a colon": (ENTRY + "name; Viper\n    kind: b\n", "missing-colon", ";", 3),
    "a last key without a colon": (ENTRY + "name Viper\n", "missing-colon", "name", 3),
    "a section without a colon": ("cards\n  - id: a\n", "missing-colon", "cards", 1),
    "a first key without a colon": (LIST + "id a\n    name: b\n", "missing-colon", "id", 2),
    "a first key glued to its value": (LIST + "id:a\n    name: b\n", "missing-space", ":", 2),
    "a key glued to its value": (ENTRY + "name:b\n    kind: c\n", "missing-space", ":", 3),
    "a dash glued to its key": (LIST + "id: a\n  -id: c\n    kind: b\n", "missing-space", "-", 3),
    "a colon in a text": (ENTRY + "name: Foo: bar\n", "text-needs-quotes", ":", 3),
    "a key in the text of another": (
        ENTRY + "name: Foo effect: self gets +1 AP.\n", "text-needs-quotes", "effect:", 3,
    ),
    "an id as a key in the line of another": (
        "squads:\n  - deck:\n      dug-in: 1\n  - deck: dug-in: 2\n", "text-needs-quotes", "dug-in:", 4,
    ),
    "a language in the line of its key": (ENTRY + "name: en: Foo\n", "text-needs-quotes", "en:", 3),
    "a colon twice": (
        ENTRY + "effect: |\n      self gets +1 AP.\n    art: : x.svg\n", "yaml-syntax", " :", 5,
    ),
    "a key twice in one line": (ENTRY + "kind: kind: attack\n", "text-needs-quotes", "kind:", 3),
    "a brace typed before its value": (ENTRY + "flavour:}\n    kind: a\n", "missing-space", ":", 3),
    "a list behind a list": (ENTRY + "tags: [a] [b]\n", "yaml-syntax", "[b]", 3),
    "braces behind braces": ("cards: {a: {b: c} {d:\n", "yaml-syntax", "{", 1),
    "a key behind braces": (ENTRY + "name: {en: A} kind: b\n", "yaml-syntax", "kind: b", 3),
    "a comma behind a list": (ENTRY + "tags: [a], [b]\n", "yaml-syntax", ",", 3),
    "a brace opened behind a key": (ENTRY + "name: {en: A, de:\n", "unmatched-bracket", "{", 3),
    "a key too deep": (LIST + "id: a\n      kind: c\n", "wrong-indentation", "kind", 3),
    "a key not deep enough": (LIST + "id: a\n   kind: c\n", "wrong-indentation", "kind", 3),
    "a dash not deep enough": (LIST + "id: a\n - id: b\n", "wrong-indentation", "-", 3),
    "a dash too deep": (ENTRY + "kind: c\n    - id: b\n", "wrong-indentation", "-", 4),
    "a list behind its key": ("cards: - id: a\n", "wrong-indentation", "-", 1),
    "a block below its key": (ENTRY + "effect: |\n    self.\n    kind: b\n", "wrong-indentation", "self.", 4),
    "a text without an end": (ENTRY + 'name: "Foo\n    kind: c\n', "unclosed-text", '"Foo', 3),
    "a text that another one ends": (
        ENTRY + "name: \"Foo\n    kind: \"c\"\n", "unclosed-text", '"Foo', 3,
    ),
    "an apostrophe in quotes": (ENTRY + "name: 'Foo's gun'\n", "broken-quotes", "s gun'", 3),
    "text behind quotes": (ENTRY + 'name: "Foo" bar\n', "broken-quotes", "bar", 3),
    "a backslash": (ENTRY + 'name: "C:\\data"\n', "unknown-escape", "\\d", 3),
    "an open bracket": (ENTRY + "traits: [a, b\n    kind: c\n", "unmatched-bracket", "[", 3),
    "an open brace": (LIST + "{id: a\n  - {id: b}\n", "unmatched-bracket", "{", 2),
    "an open brace at the end": (LIST + "{id: a\n", "unmatched-bracket", "{", 2),
    "a brace too many": (LIST + "{id: a}}\n", "unmatched-bracket", "}", 2),
    "the wrong bracket": (LIST + "{id: a, traits: [b}]\n", "unmatched-bracket", "[", 2),
    "a comma missing in braces": (LIST + "{id: a kind: c}\n", "text-needs-quotes", ":", 2),
    "a comma too many": (LIST + "{id: a,, kind: c}\n", "yaml-syntax", ",", 2),
    "colours without quotes": (
        "teams:\n  - {colours: [#aabbcc, #ddeeff]}\n", "text-needs-quotes", "#aabbcc, #ddeeff]}", 2,
    ),
    "an at sign": (ENTRY + "name: @foo\n", "text-needs-quotes", "@", 3),
    "a percent sign": (ENTRY + "name: %foo\n", "text-needs-quotes", "%", 3),
    "a star": (ENTRY + "name: *** foo\n", "text-needs-quotes", "*", 3),
    "an ampersand": (ENTRY + "name: & foo\n", "text-needs-quotes", "&", 3),
    "text behind a bar": (ENTRY + "effect: | self gets\n", "yaml-syntax", "self", 3),
    "a comment inside a text": (
        ENTRY + "effect: self gets # foo\n      and +2 EP.\n", "swallowed-by-comment", "# foo", 3,
    ),
    "a comment in a line of its own inside a text": (
        ENTRY + "effect: self gets\n      # foo\n      +2 EP.\n", "swallowed-by-comment", "# foo", 4,
    ),
    "something behind the end": ("[a]\ncards: []\n", "yaml-syntax", "cards", 2),
    "a directive": ("%YAML 3.0\n---\ncards: []\n", "yaml-syntax", "%YAML 3.0", 1),
    "a merge conflict": ("<<<<<<< HEAD\ncards:\n=======\n>>>>>>> x\n", "merge-conflict", "<<<<<<<", 1),
}  # fmt: skip


@pytest.mark.parametrize("parser", [None, plain_parser])
def test_a_syntax_error_is_one_finding_at_the_exact_place(parser: object) -> None:
    for case, (text, name, underlined, line) in CASES.items():
        file = SourceFile(Path("a.yaml"), "a.yaml", text)
        findings = parse_tree(file, plain_parser if parser else default_parser()).findings
        assert [(found.name, found.span.text) for found in findings] == [(name, underlined)], case
        assert findings[0].span.begin_position.line == line, case
        assert findings[0].message.endswith("."), case
        assert findings[0].next_step, case


def test_a_fix_of_a_syntax_error_removes_it() -> None:
    fixed = 0
    for case, (text, *_) in CASES.items():
        (finding,) = parse_tree(SourceFile(Path("a.yaml"), "a.yaml", text)).findings
        if finding.fix is None:
            continue
        span = finding.fix.span
        mended = text[: span.start] + finding.fix.replacement + text[span.end :]
        assert parse_tree(SourceFile(Path("a.yaml"), "a.yaml", mended)).findings == [], case
        fixed += 1
    assert fixed


def test_a_colon_right_before_the_closing_brace_is_no_second_colon() -> None:
    text = ENTRY + "name: {en: A, de:}\n"
    findings = parse_tree(SourceFile(Path("a.yaml"), "a.yaml", text)).findings
    # the parser in C gives up here, and the one in Python reads a key without a value
    told = [(finding.name, finding.span.start, finding.fix) for finding in findings]
    assert told in ([("missing-space", text.index("}") - 1, None)], [])
