"""Values that are tried change nothing on disk or in the open project; what is written changes only them."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.tables import SHIPPED
from tests.preview.conftest import part_of_shipped
from tests.tables.test_tables import contents
from tests.thoroughness import examples
from toolkit.data.loading import Cache, load_project
from toolkit.data.project_files import FolderReader
from toolkit.editing import what_if as trials
from toolkit.editing.what_if import Trial, TriedValue, effect_completions, try_values, write_refusal
from toolkit.project.live_project import LiveProject
from toolkit.project.output import Change, difference, save
from toolkit.resources import starter_folder


@cache
def shipped() -> LiveProject:
    """The shipped set, open."""
    project = LiveProject(SHIPPED, FolderReader(SHIPPED))
    project.read()
    return project


def tried(project: LiveProject, *tries: TriedValue) -> Trial:
    found = try_values(project, tries)
    assert not isinstance(found, str), found
    return found


def state(project: LiveProject) -> str:
    """A digest of all texts, places and findings of an open project."""
    cards = project.cards
    places = [(entry.id, entry.file.name, entry.id_span.start) for entry in cards.entries()]
    findings = [(one.name, one.message, one.span.file.name, one.span.start) for one in project.reported]
    texts = [file.text for file in cards.files]
    return sha256(repr((places, findings, texts)).encode()).hexdigest()


@cache
def values() -> dict[str, list[TriedValue]]:
    """Every value of the shipped set that can be tried, as it is, by what it is."""
    found: dict[str, list[TriedValue]] = {"number": [], "name": [], "effect": []}
    cards = shipped().cards
    keys = (
        "ap",
        "ep",
        "dp",
        "mp",
        "squadpoints",
        "quantity",
        "value",
        "effect",
        "name",
        "name.en",
        "name.de",
    )
    for entry in (*cards.cards.values(), *cards.objectives.values()):
        skills = [f"skills[{number}].{key}" for number in range(3) for key in ("effect", "name", "name.de")]
        for key in (*keys, *skills):
            scalar = trials._scalar(entry.node, trials._node_path(key) or ())
            if scalar is not None:
                kind = "effect" if key.endswith("effect") else "name" if "name" in key else "number"
                value = scalar.value if isinstance(scalar.value, int) else scalar.text
                found[kind].append(TriedValue(entry.id, key, value))
    return found


FILES: Cache = {}


def entries(overlay: dict[Path, str] | None = None) -> dict[str, object]:
    """All that each entry of the shipped set says, by id."""
    cards, _ = load_project(SHIPPED, overlay=overlay, cache=FILES)
    return {entry.id: entry.node.value for entry in cards.entries()}


@cache
def written_entries() -> dict[str, object]:
    """The entries as they are in the files."""
    return entries()


def test_every_value_can_be_tried_and_is_what_it_was() -> None:
    found = values()
    assert {kind: len(listed) > 90 for kind, listed in found.items()} == dict.fromkeys(found, True)
    for some in (found["number"][::17], found["name"][::17], found["effect"][::11]):
        changes = tried(shipped(), *some).changes
        assert len(changes) > 1
        assert [shown for change in changes if (shown := difference(change))] == []


@examples(60)
@given(st.data())
def test_what_is_written_changes_only_its_scalar(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["number", "name", "effect"]))
    one = data.draw(st.sampled_from(values()[kind]))
    value = data.draw(
        st.sampled_from([other.value for other in values()[kind]])
        | st.integers(-5, 200)
        | st.text(max_size=30)
        | st.sampled_from(
            ["a: b", "# c", "- x", "~", "no", "12", "'", '"', "[x]", "when attacking,\nself gets +2 AP."]
        )
    )
    before = state(shipped())
    found = try_values(shipped(), [TriedValue(one.card, one.key, value)])
    assert state(shipped()) == before
    if isinstance(found, str) or write_refusal(found) is not None:
        assert not (isinstance(value, str) and value.isascii() and value.isprintable()), found
        return
    after = entries({change.file.path: change.after for change in found.changes})
    written = written_entries()
    assert [id for id in {**after, **written} if after.get(id) != written.get(id) and id != one.card] == []
    for finding, within in found.findings():
        if within:
            assert 0 <= within["offset"] <= within["end_offset"] <= len(str(value)) + 1, finding


def test_a_finding_is_placed_in_what_was_typed() -> None:
    found = tried(shipped(), TriedValue("viper", "skills[0].effect", "when attacking, self gets +2 APP."))
    ((finding, within),) = [(one, place) for one, place in found.findings() if one.name == "unknown-stat"]
    assert (within["card"], within["key"]) == ("viper", "skills[0].effect")
    assert "when attacking, self gets +2 APP."[within["offset"] : within["end_offset"]] == "APP"
    assert finding in found.errors()
    assert found.project.cards.cards["viper"].skills[0].effect is not None


def test_several_values_of_several_cards() -> None:
    found = tried(
        shipped(),
        TriedValue("viper", "ap", 9),
        TriedValue("viper", "name", "Adder"),
        TriedValue("bishop", "ep", 1),
    )
    cards = found.project.cards.cards
    assert (cards["viper"].stats["AP"], cards["bishop"].stats["EP"]) == (9, 1)
    assert cards["viper"].name.in_language("en").value == "Adder"
    assert len(found.changes) == 2
    assert shipped().cards.cards["viper"].stats["AP"] == 4


@pytest.mark.parametrize(
    ("card", "key"),
    [
        ("viper", "id"),
        ("viper", "traits"),
        ("viper", "art"),
        ("viper", "skills[7].effect"),
        ("viper", "skills[0]"),
        ("viper", "skills[0].name.xx"),
        ("viper", "../ap"),
        ("viper", "name.de.en"),
        ("nobody", "ap"),
        ("skirmish", "name"),
    ],
)
def test_other_keys_cannot_be_tried(card: str, key: str) -> None:
    assert "not a value that can be tried" in str(try_values(shipped(), [TriedValue(card, key, 1)]))


def test_a_card_whose_file_is_broken_cannot_be_tried(project: LiveProject) -> None:
    owls = project.root / "operators" / "night-owls.yaml"
    owls.write_text(
        owls.read_text(encoding="utf-8").replace("cards:", 'cards:\n  - id: "x'), encoding="utf-8"
    )
    project.read()
    refused = try_values(project, [TriedValue("viper", "ap", 5)])
    assert refused == "`viper` cannot be read; correct its file first."


@pytest.fixture
def project(tmp_path: Path) -> LiveProject:
    found = LiveProject(root := part_of_shipped(tmp_path / "cards"), FolderReader(root))
    found.read()
    return found


def test_an_effect_is_written_in_canonical_form(project: LiveProject) -> None:
    before = contents(project.root)
    typed = "when attacking,self gets + 3 AP ."
    found = tried(project, TriedValue("viper", "skills[0].effect", typed))
    assert contents(project.root) == before
    assert write_refusal(found) is None
    (change,) = found.changes
    assert [line for line in difference(change).splitlines()[2:] if line[0] in "+-"][1].endswith(
        "effect: when attacking, self gets +3 AP."
    )
    assert save(change) is None
    project.read()
    effect = project.cards.cards["viper"].skills[0].effect
    assert effect is not None
    assert effect.value == "when attacking, self gets +3 AP."
    changed = [name for name, content in contents(project.root).items() if before[name] != content]
    assert changed == ["night-owls.yaml"]


def test_comments_and_lines_of_a_block_stay(tmp_path: Path) -> None:
    (tmp_path / "opforge.yaml").write_text("project: Small\nlanguages: [en]\n")
    file = tmp_path / "cards.yaml"
    text = (
        "cards:\n  - id: shot      # the first\n    kind: attack\n    name: Shot\n    effect: |  \n"
        "      when attacking, self gets +2 AP.   # two\n      self gets -1 EP.\n    quantity: 2  # copies\n"
    )
    file.write_text(text)
    project = LiveProject(tmp_path, FolderReader(tmp_path))
    project.read()
    typed = "when attacking, self gets +3 AP.   # two\nself  gets -1 EP.\n"
    found = tried(project, TriedValue("shot", "effect", typed), TriedValue("shot", "quantity", 3))
    assert write_refusal(found) is None
    after = text.replace("|  ", "|").replace("+2 AP.   #", "+3 AP.  #").replace("quantity: 2", "quantity: 3")
    assert found.changes[0].after == after


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dp: 6", "dp: 7"),
        ("name: Viper", "name: 'Viper'"),
        ("# the first", ""),
        ("ap: 5", "ap: 4"),
        ("cards:", "cards: ["),
        ("traits: [sniper]", "traits: [sniper, quick]"),
    ],
)
def test_nothing_else_may_change(tmp_path: Path, old: str, new: str) -> None:
    (tmp_path / "opforge.yaml").write_text("project: Small\nlanguages: [en]\n")
    (tmp_path / "cards.yaml").write_text(
        "cards:\n  - id: viper  # the first\n    kind: operator\n    name: Viper\n    team: owls\n"
        "    squadpoints: 4\n    ap: 4\n    ep: 3\n    dp: 6\n    mp: 2\n    traits: [sniper]\n"
        "teams:\n  - {id: owls, name: Owls}\n"
    )
    project = LiveProject(tmp_path, FolderReader(tmp_path))
    project.read()
    found = tried(project, TriedValue("viper", "ap", 5))
    assert write_refusal(found) is None
    (change,) = found.changes
    assert old in change.after
    more = replace(found, changes=(Change(change.file, change.after.replace(old, new)),))
    assert write_refusal(more) is not None


def test_a_file_that_has_changed_is_not_written(project: LiveProject) -> None:
    (change,) = tried(project, TriedValue("viper", "ap", 5)).changes
    change.file.path.write_text(change.file.text + "# more\n", encoding="utf-8")
    assert "has changed" in str(save(change))


def test_what_can_follow_in_an_effect() -> None:
    found = effect_completions(shipped(), "viper", "skills[0].effect", "when attacking, self ge", 23)
    assert found is not None
    assert "when attacking, self "[found[0].begin :] == ""
    assert found[0].text.startswith("gets")
    text = "when attacking, self gains +2 AP"
    found = effect_completions(shipped(), "viper", "skills[0].effect", text, len(text))
    assert found is not None
    assert [(one.text, one.begin) for one in found] == [("when attacking, self gets +2 AP.", 0)]
    assert effect_completions(shipped(), "viper", "ap", "4", 1) is None
    objective = next(iter(shipped().cards.objectives))
    assert effect_completions(shipped(), objective, "name", "", 0) is None
    assert effect_completions(shipped(), "smoke", "effect", "x" * 100_000, 10**9) == []


@pytest.mark.parametrize("line_ends", [0, 1, 2])
def test_an_empty_block_at_the_end_of_a_file_can_be_filled(tmp_path: Path, line_ends: int) -> None:
    copytree(starter_folder(), tmp_path / "set")
    text = "cards:\n  - id: last\n    kind: attack\n    name: Last\n    effect: |"
    (tmp_path / "set" / "last.yaml").write_text(text + "\n" * line_ends)
    project = LiveProject(tmp_path / "set", FolderReader(tmp_path / "set"))
    project.read()
    effect = "when attacking, self gets +1 AP."
    trial = tried(project, TriedValue("last", "effect", effect))
    assert trial.errors() == []
    assert write_refusal(trial) is None
    assert trial.changes[0].after.rstrip("\n").endswith(f"effect: |\n      {effect}")
