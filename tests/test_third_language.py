"""A project in a language that opforge does not have: texts by hand are printed, missing ones reported."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.thoroughness import examples
from toolkit.api import help_page, rules_plain
from toolkit.apps.cli import run
from toolkit.diagnostics import Diagnostic
from toolkit.products.changes.change_model import Changes
from toolkit.products.changes.comparison import changes_since
from toolkit.products.reference.reference_contents import Line, build_reference
from toolkit.project.faces import faces, fit_findings
from toolkit.project.pipeline import open_project
from toolkit.wording.en import ENGLISH
from toolkit.wording.languages import Words, built_in_words

PROJECT = Path(__file__).parent / "projects" / "trilingual"
KESTREL = (
    '        text: {fr: "Quand cet OPERATOR attaque et que sa cible est SUPPRESSED, il reçoit +2 AP."}\n'
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copytree(PROJECT, tmp_path / "project")


def changed(project: Path, old: str, new: str, file: str = "cards.yaml") -> list[Diagnostic]:
    path = project / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return list(open_project(project).findings)


def named(findings: list[Diagnostic]) -> list[tuple[str, str]]:
    """What is found beside the words that the fixture leaves out, with the words underlined."""
    return [(one.name, one.span.text) for one in findings if one.name != "missing-words"]


def spoken(*lines: Line) -> list[str]:
    return ["".join(run.text for run in line.words) for line in lines]


def test_the_project_lacks_only_words() -> None:
    (found,) = open_project(PROJECT).findings
    assert found.name == "missing-words"
    assert found.message.startswith("Of the words that opforge prints these are not there in `fr`: `step-1`")
    assert found.span.text == "fr"
    assert found.span.begin_position.line == 12


def test_hand_written_texts_replace_only_their_languages() -> None:
    workspace = open_project(PROJECT)
    texts = {language: rules_plain(workspace, ["aimed-shot"], language) for language in ("en", "de", "fr")}
    assert texts["en"].splitlines()[1] == "  When the OPERATOR bearing this card attacks, it gets +1 AP."
    assert texts["de"].splitlines()[1] == "  Wenn der Träger dieser Karte angreift, erhält er +1 AP."
    assert texts["fr"].splitlines() == [
        "Tir ajusté",
        "  Quand le porteur de cette carte attaque, il reçoit +1 AP.",
        "  Quand le porteur attaque et qu’il est tireuse d’élite, il peut relancer 1 ATTACK D6.",
        "  Puis dites « pan ».",
    ]
    assert (
        rules_plain(workspace, ["sandbags"], "en").splitlines()[1] == "  Two more EP for the attacked bearer."
    )
    assert rules_plain(workspace, ["sandbags"], "de").splitlines()[1].startswith("  Wenn der Träger")


def test_everything_can_be_printed_in_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fit_findings(open_project(project)) == []
    for command in ("sheet", "reference"):
        output = project.parent / f"{command}.pdf"
        assert run([command, str(project), "--lang", "fr", "-o", str(output)]) == 0
        assert output.read_bytes().startswith(b"%PDF")
    assert "30 cards on 4 pages" in capsys.readouterr().out
    assert run(["test", str(project)]) == 0


def test_a_language_that_the_project_does_not_have_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["text", "--lang", "it", "--project", str(PROJECT)]) == 2
    assert "There is no language 'it' here; the project has en, de, fr." in capsys.readouterr().err


def test_the_reference_takes_its_words_from_the_project_and_else_the_first_language() -> None:
    workspace = open_project(PROJECT)
    chosen = list(faces(workspace, "fr"))
    reference = build_reference(workspace, chosen, "fr")
    assert [topic.aside for topic in reference.actions][:2] == ["à volonté", "2× par TURN"]
    assert spoken(*reference.layer_notes)[1:] == [
        "Fractions are rounded down.",
        "Aucun nombre n’est jamais lu comme inférieur à 0.",
    ]
    assert spoken(*reference.steps[0].lines)[0].startswith("Quand un OPERATOR dont les DP")
    assert spoken(*reference.actions[4].lines) == ["Piochez 1 carte."]
    assert spoken(*reference.keywords[0].lines)[1].startswith("Piochez une carte, ou piochez un ITEM")


def test_german_comes_first_where_the_project_says_so(project: Path) -> None:
    changed(project, "languages: [en, de, fr]", "languages: [de, fr, en]", "opforge.yaml")
    workspace = open_project(project)
    notes = build_reference(workspace, list(faces(workspace, "fr")), "fr").layer_notes
    assert spoken(*notes)[1] == "Brüche werden abgerundet."


def test_the_list_of_changes_is_in_it(project: Path) -> None:
    assert named(changed(project, "fr: Crécerelle", "fr: Faucon")) == []
    changed(project, "    title: Aide", "    changes-was: jadis {name}\n    title: Aide", "opforge.yaml")
    found = changes_since(open_project(project), str(PROJECT), "fr")
    assert isinstance(found, Changes)
    assert found.words.say("changes-was", name=found.cards[0].older_name) == "jadis Crécerelle"


BAD = [
    # a SKILL, a card and an ACTION without French
    ("cards.yaml", KESTREL, "", [("unused-text-for", "64fec389c4"), ("missing-text", "effect")]),
    ("cards.yaml", ", fr: Le porteur attaqué reçoit +2 EP.", "", [("missing-text", "text")]),
    (
        "game.yaml",
        '        text: {fr: Piochez 1 carte.}\n        text_for: "02f5821290"\n',
        "",
        [("missing-text", "effect")],
    ),
    # languages
    ("opforge.yaml", "[en, de, fr]", "[en, de, fr, xx]", [("unknown-language", "xx")]),
    (
        "cards.yaml",
        "de: Waffenruhe, fr: Trêve",
        "de: Waffenruhe",
        [("missing-language", "{en: Truce, de: Waffenruhe}")],
    ),
    ("cards.yaml", "de: Waffenruhe, fr: Trêve", "de: Waffenruhe, fn: Trêve", [("unknown-language", "fn")]),
    # words
    ("opforge.yaml", "    title: Aide", "    tilte: Aide", [("unknown-key", "tilte")]),
    ("opforge.yaml", '"{limit}× par', '"{limits}× par', [("unknown-value", "{limits}")]),
    ("opforge.yaml", "  fr:\n", "  it: {title: Regole}\n  fr:\n", [("unknown-language", "it")]),
    ("opforge.yaml", "    title: Aide de jeu", "    title: []", [("wrong-type", "[]")]),
    ("opforge.yaml", "    title: Aide de jeu", "    title: ''", [("empty-text", "''")]),
    ("opforge.yaml", "words:  ", "words: 5 #", None),
]


@pytest.mark.parametrize(("file", "old", "new", "expected"), BAD, ids=[f"{case[2][:30]}" for case in BAD])
def test_a_mistake_is_reported_at_the_word(
    file: str, old: str, new: str, expected: list[tuple[str, str]] | None, project: Path
) -> None:
    found = named(changed(project, old, new, file))
    if expected is None:
        assert found
    else:
        assert found == expected


def test_the_message_has_what_to_write(project: Path) -> None:
    found = changed(
        project,
        "    text: {en: Two more EP for the attacked bearer., fr: Le porteur attaqué reçoit +2 EP.}\n"
        "    text_for: 5a640e6dff\n",
        "",
    )
    (one,) = (one for one in found if one.name == "missing-text")
    assert one.message == "The effect of `sandbags` has no text in `fr`."
    assert one.next_step.startswith("Add `text: {fr: …}` and `text_for: 5a640e6dff`;")
    assert one.card == "sandbags"


def test_the_text_of_an_operator_stands_for_all_its_skills(project: Path) -> None:
    whole = (
        "    text: {fr: Tout est dit.}\n    text_for: 64fec389c4\n    skills:\n      - name: {en: Patience"
    )
    changed(project, KESTREL + "        text_for: 64fec389c4\n", "")
    assert named(changed(project, "    skills:\n      - name: {en: Patience", whole)) == []
    workspace = open_project(project)
    lines = rules_plain(workspace, ["kestrel"], "fr").splitlines()[1:]
    assert lines == [
        "  Tout est dit.",
        "  Regardez votre adversaire en face avant de dire ce que fait cet OPERATOR.",
    ]
    assert rules_plain(workspace, ["kestrel"], "de").splitlines()[1:3][0] == "  Geduld:"


def test_a_project_may_have_one_language_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "opforge.yaml").write_text("project: Essai\nlanguages: [fr]\n", encoding="utf-8")
    card = "cards:\n  - {id: treve, kind: effect, name: Trêve, text_only: Personne ne tire.}\n"
    (tmp_path / "cards.yaml").write_text(card, encoding="utf-8")
    workspace = open_project(tmp_path)
    assert [one.name for one in workspace.findings] == ["missing-words"]
    assert "printed in `en`" in workspace.findings[0].next_step
    assert rules_plain(workspace, [], "fr") == "Trêve\n  Personne ne tire.\n"


def test_the_page_of_words_can_be_copied(project: Path) -> None:
    page = help_page("words") or ""
    block = page.partition("```yaml\n")[2].partition("```")[0]
    words = yaml.safe_load(block)["words"]["fr"]
    assert words == {key: text for key, text in built_in_words(ENGLISH).items() if text}
    settings = project / "opforge.yaml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text[: text.index("words:")] + block, encoding="utf-8")
    more = [("missing-words", "`teamwork`, `suppression`")]
    found = open_project(project).findings
    assert [(one.name, one.message.partition("`fr`: ")[2].rstrip(".")) for one in found] == more


@examples(100)
@given(st.text(st.sampled_from("{}ab.!:_[]0 "), max_size=12))
def test_no_word_reaches_beyond_its_numbers(text: str) -> None:
    """Braces of a project's words are no format: nothing but a known number is put in."""
    said = Words("fr", {"key": text}).say("key", a=7, b="{a}")
    assert said == text.replace("{a}", "7").replace("{b}", "{a}") or "{b}" in text
    assert Words("fr", {"key": "{a.__class__} {0} {b}"}).say("key", b=2) == "{a.__class__} {0} 2"


@pytest.mark.parametrize(("language", "title"), [("en", "Rules reference"), ("de", "Regelübersicht")])
def test_words_of_one_language_change_no_other(language: str, title: str) -> None:
    assert build_reference(open_project(PROJECT), [], language).words.say("title") == title


def test_a_keyword_of_the_project_is_explained_in_it(project: Path) -> None:
    keyword = """keywords:
  - id: steadfast
    name: {en: Steadfast, de: Standhaft, fr: Ferme}
    effect: when attacked, self gets +1 EP.
"""
    (project / "keywords.yaml").write_text(keyword, encoding="utf-8")
    found = changed(project, "    traits: [sniper]\n", "    traits: [sniper]\n    keywords: [steadfast]\n")
    assert named(found) == [("missing-text", "effect")]
    (one,) = (one for one in found if one.name == "missing-text")
    assert one.next_step.startswith("Add `reminder: {fr: …}` and `text_for: ")
    right = one.next_step.partition("text_for: ")[2][:10]
    reminder = f"    reminder: {{fr: Il reçoit +1 EP si on l’attaque.}}\n    text_for: '{right}'\n"
    (project / "keywords.yaml").write_text(keyword + reminder, encoding="utf-8")
    workspace = open_project(project)
    assert named(list(workspace.findings)) == []
    assert (
        rules_plain(workspace, ["kestrel"], "fr").splitlines()[1]
        == "  Ferme (Il reçoit +1 EP si on l’attaque.)"
    )
    assert rules_plain(workspace, ["kestrel"], "en").splitlines()[1] == (
        "  Steadfast (When this OPERATOR is attacked, it gets +1 EP.)"
    )
