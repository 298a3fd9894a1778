"""Characters without a shape: what they may be in, and what is a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.data.mistakes.pasted_text import invisible_at
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.source import SourceFile


@pytest.mark.parametrize(
    "text",
    [
        "Viper",
        "Fußgänger\u00adzone",
        "Auf\u200clage",
        "ATTACK/\u200bDEFENCE",
        "family \U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u05e9\u05dc\u05d5\u05dd \u2066Viper\u2069 5\u200f!",
        "\u202b\u05e9\u05dc\u05d5\u05dd\u202c",
        "5\u00a0mm",
    ],
)
def test_what_languages_and_emoji_need_is_left_alone(text: str) -> None:
    assert invisible_at(text) is None


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("Vi\u202eper", 2),
        ("Vi\u2066per\u2069", 2),
        ("\u05e9\u05dc\u2066\u05d5", 2),
        ("\u05e9\u05dc\u2069\u05d5", 2),
        ("\u05e9\u202d\u05dc", 1),
        ("Viper\u200b", 5),
        ("medic \u200dand", 6),
        ("me\u2060\u2060dic", 2),
        ("me\u200edic", 2),
        ("medic\U000e0061", 5),
        ("me\u2063dic", 2),
    ],
)
def test_what_hides_or_turns_is_found(text: str, at: int) -> None:
    assert invisible_at(text) == at


@pytest.mark.parametrize(
    "line",
    [
        "    name: Vi\u202eper",
        '    name: "Vi\\u202Eper"',
        "    name: Viper # \u202e",
        "    na\u202eme: Viper",
    ],
)
def test_it_is_reported_once_at_its_place(line: str) -> None:
    text = f"cards:\n  - id: viper\n{line}\n    kind: attack\n"
    findings = parse_tree(SourceFile(Path("cards.yaml"), "cards.yaml", text)).findings
    assert [finding.name for finding in findings] == ["control-character"]
    assert findings[0].span.text in ("\u202e", "\\u202E")
    assert "U+202E" in findings[0].message


def test_the_rest_of_the_file_is_read() -> None:
    text = "cards:\n  - id: vi\u2063per\n    kind: attack\n"
    tree = parse_tree(SourceFile(Path("cards.yaml"), "cards.yaml", text))
    assert tree.root is not None
    assert tree.root.value == {"cards": [{"id": "vi\u2063per", "kind": "attack"}]}
