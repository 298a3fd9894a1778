"""What is found in a project that was edited is what is found in it when it is read from nothing."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tests.thoroughness import THOROUGH, some
from toolkit.data.project_files import FolderReader
from toolkit.diagnostics import Diagnostic
from toolkit.project.pipeline import Cache, open_project
from toolkit.resources import cards_folder

PROJECT = Path(__file__).parent / "project"
WORDS = (
    "viper",
    "foxes",
    "night-owls",
    "sniper",
    "AP",
    "attack",
    "2",
    "99",
    "[",
    "]",
    ":",
    "when",
    ".",
    '"',
    "\n",
)


def reported(finding: Diagnostic) -> tuple[object, ...]:
    span = finding.span
    labels = tuple((label.message, label.span.start) for label in finding.labels)
    fix = finding.fix and (finding.fix.span.start, finding.fix.span.end, finding.fix.replacement)
    return (
        *(span.file.path.name, span.start, span.end, finding.name, finding.message, finding.next_step),
        *(finding.card or "", labels, fix or ()),
    )


def edited(text: str, chance: random.Random) -> str:
    """A word replaced, removed, doubled or swapped for that of another place."""
    words = [found.span() for found in re.finditer(r"[\w-]+|[^\w\s]", text)]
    start, end = chance.choice(words)
    new = chance.choice((*WORDS, "", text[start:end] * 2, text[slice(*chance.choice(words))]))
    return text[:start] + new + text[end:]


@pytest.mark.parametrize("seed", some(range(3), 2))
def test_many_edits_one_after_the_other(seed: int) -> None:
    chance = random.Random(seed)
    paths = sorted(PROJECT.glob("*.yaml"))
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    overlay, cache, folder = dict(texts), Cache(incremental=True), FolderReader(PROJECT)
    for step in range(24 if THOROUGH else 8):
        path = chance.choice(paths)
        overlay[path] = texts[path] if step % 4 == 3 else edited(overlay[path], chance)
        kept = open_project(PROJECT, overlay, cache, folder.read())
        fresh = open_project(PROJECT, overlay)
        assert sorted(map(reported, kept.findings)) == sorted(map(reported, fresh.findings)), (seed, step)
        assert kept.effects.keys() == fresh.effects.keys()


VIPER = "  - id: viper\n    kind: operator\n"
TWIN = """  - id: twin
    kind: attack
    name: Twin
    effect: when attacking, self gets +{} AP and -1 EP.
"""
STEPS = {
    "fewer DP than the HITCOUNTER of a scenario": [("operators.yaml", "dp: 6", "dp: 1")],
    "an OPERATOR is broken, then gone": [
        ("operators.yaml", VIPER, VIPER.replace("operator", "operetor")),
        ("operators.yaml", VIPER.replace("operator", "operetor"), VIPER.replace("viper", "adder")),
    ],
    "a card becomes better than another one": [
        ("rules.yaml", "rulesets:", "cards:\n" + TWIN.format(1) + "rulesets:"),
        ("rules.yaml", "gets +1 AP and", "gets +9 AP and"),
        ("cards.yaml", "self gets +2 AP", "self gets +1 AP"),
    ],
    "a trait that an effect asks for goes": [("operators.yaml", "[sniper]", "[leader]")],
    "a TEAM goes": [("rules.yaml", "id: foxes", "id: wolves")],
    "another mode": [
        ("rules.yaml", "field_positions: 1", "field_positions: 2"),
        ("opforge.yaml", "de]", "fr]"),
    ],
    "a card of another kind": [("cards.yaml", "kind: attack", "kind: item")],
}


@pytest.mark.parametrize("name", STEPS)
def test_edits_that_reach_far(name: str) -> None:
    overlay = {path: path.read_text(encoding="utf-8") for path in sorted(PROJECT.glob("*.yaml"))}
    cache = Cache(incremental=True)
    before = open_project(PROJECT, overlay, cache).findings
    for file, old, new in STEPS[name]:
        assert old in overlay[PROJECT / file]
        overlay[PROJECT / file] = overlay[PROJECT / file].replace(old, new, 1)
        kept, fresh = open_project(PROJECT, overlay, cache), open_project(PROJECT, overlay)
        assert sorted(map(reported, kept.findings)) == sorted(map(reported, fresh.findings))
    assert sorted(map(reported, fresh.findings)) != sorted(map(reported, before))


def test_an_edit_of_the_shipped_set_and_back() -> None:
    cache, root = Cache(incremental=True), cards_folder()
    before = open_project(root, {}, cache)
    path = root / "operators" / "night-owls.yaml"
    text = path.read_text(encoding="utf-8")
    edits = [("id: viper", "id: vipr"), ("dp: 6", "dp: 1"), ("[sniper]", "[]"), ("kind: op", "kid: op")]
    for old, new in some(edits, 1, 3):
        overlay = {path: text.replace(old, new, 1)}
        kept, fresh = open_project(root, overlay, cache), open_project(root, overlay)
        assert sorted(map(reported, kept.findings)) == sorted(map(reported, fresh.findings)), new
    assert sorted(map(reported, open_project(root, {}, cache).findings)) == sorted(
        map(reported, before.findings)
    )


def test_a_file_that_changes_on_disk_is_read_again(tmp_path: Path) -> None:
    reader = FolderReader(tmp_path)
    path = tmp_path / "cards.yaml"
    for text in ("a: 1", "a: 2", "b: 3"):
        path.write_text(text, encoding="utf-8")
        read = reader.read().files[path]
        assert read.text == text  # type: ignore[union-attr]
    assert reader.read().files[path].text == "b: 3"  # type: ignore[union-attr]
    path.unlink()
    assert path not in reader.read().files
