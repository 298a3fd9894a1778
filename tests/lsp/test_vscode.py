"""The VS Code extension has the words of the language as they stand, and its parts fit together.

That the grammar colours what it should is tested with VS Code's own tokeniser by `npm test` beside it.
"""

from __future__ import annotations

import json
import re

import pytest

from tests.help_pages.textmate import FILE, as_json, word_groups
from toolkit.apps.lsp.inlay_hints import HintKinds
from toolkit.dsl.lalr import terminals_by_word
from toolkit.source.paths import PROJECT_FILE

FOLDER = FILE.parent.parent


def test_every_word_of_the_language_has_one_colour() -> None:
    listed = [word for words in word_groups().values() for word in words]
    assert sorted(listed) == sorted(set(listed))
    assert {word for word in terminals_by_word() if word[0].isalpha()} == set(listed)


@pytest.mark.parametrize(
    ("line", "coloured"),
    [
        ("    effect: self gets +1 AP.", True),
        ("    effect: |", True),
        ("  - effect: >", True),
        ("    effect:", False),
        ("    effects: self", False),
        ("    # effect: self", False),
    ],
)
def test_where_an_effect_begins(line: str, coloured: bool) -> None:
    repository = json.loads(as_json())["repository"]
    rules = [*repository["block"]["patterns"], *repository["value"]["patterns"]]
    assert any(re.search(rule["begin"], line) for rule in rules) == coloured


def test_the_parts_that_the_extension_names_are_there() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    bundle = f'outfile: "{package["main"].removeprefix("./")}"'
    assert bundle in (FOLDER / "build.js").read_text(encoding="utf-8")
    (language,), (grammar,) = package["contributes"]["languages"], package["contributes"]["grammars"]
    assert language["filenames"] == [PROJECT_FILE]
    assert (FOLDER / language["configuration"]).is_file()
    assert grammar["language"] == language["id"]
    assert (FOLDER / grammar["path"]).resolve() == FILE
    assert grammar["scopeName"] == json.loads(as_json())["scopeName"]
    assert (FOLDER / package["icon"]).read_bytes().startswith(b"\x89PNG")
    assert (FOLDER / "LICENSE").read_bytes() == (FOLDER.parents[3] / "LICENSE").read_bytes()


def test_each_kind_of_hint_has_a_setting() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    settings = package["contributes"]["configuration"]["properties"]
    assert {f"opforge.inlayHints.{kind}" for kind in HintKinds.__struct_fields__} == {
        key for key in settings if key.startswith("opforge.inlayHints")
    }


def test_yaml_of_others_gets_no_setting_no_language_and_no_colours() -> None:
    contributes = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["contributes"]
    assert list(contributes["configurationDefaults"]) == ["[opforge]"]
    assert "extensions" not in contributes["languages"][0]
    assert "injectTo" not in contributes["grammars"][0]


def test_no_place_of_download_is_kept() -> None:
    assert "resolved" not in (FOLDER / "package-lock.json").read_text(encoding="utf-8")
