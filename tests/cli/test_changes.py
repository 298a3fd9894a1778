"""``opforge changes`` and ``opforge sheet --changed-since``: what a player has to print again."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from shutil import copytree
from typing import Any

import pikepdf
import pytest

from tests.render.pdf_text import opened, text_of
from toolkit.apps.cli import run

SMALL = Path(__file__).parent.parent / "projects" / "small"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project, an older copy of it, and nothing of git's around them."""
    monkeypatch.setenv("OPFORGE_CACHE", cache)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    copytree(SMALL, "now")
    copytree(SMALL, "before")


def change(name: str, old: str, new: str) -> None:
    file = Path(name)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def changed(capsys: pytest.CaptureFixture[str], *more: str, since: str = "before") -> dict[str, Any]:
    """The cards that changed, by id."""
    run(["changes", since, "now", "--format", "json", *more])
    return {card["id"]: card for card in json.loads(capsys.readouterr().out)["cards"]}


def what(card: dict[str, Any]) -> dict[str, list[str]]:
    """The things that changed, by sort."""
    return {
        sort: [one["what"] for one in card[sort]] for sort in ("behaviour", "wording", "looks") if card[sort]
    }


def test_nothing_changed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["changes", "before", "now"]) == 0
    assert capsys.readouterr().out == "No card changed since before (en).\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "card", "expected"),
    [
        ("cards", "ap: 4", "ap: 5", "viper", {"behaviour": ["AP"]}),
        ("cards", "+2 AP.\n    flavour", "+3 AP.\n    flavour", "viper", {"behaviour": ["skill"]}),
        ("cards", "traits: [sniper]", "traits: [sniper, scout]", "viper", {"behaviour": ["traits"]}),
        ("rules", "value: 4", "value: 5", "radio-mast", {"behaviour": ["value"]}),
        ("cards", "en: High ground", "en: Hill", "high-ground", {"wording": ["name"]}),
        ("cards", "She counts to three.", "One. Two.", "viper", {"wording": ["flavour text"]}),
        ("cards", "en: Overwatch", "en: Watch", "viper", {"wording": ["name of a skill"]}),
        ("rules", "self < DP VALUE", "self <= DP VALUE", "viper", {"wording": ["rules text"]}),
        ("cards", '"#1d2b3a"', '"#2d2b3a"', "viper", {"looks": ["team colours"]}),
    ],
)
def test_one_thing_that_changed(
    file: str,
    old: str,
    new: str,
    card: str,
    expected: dict[str, list[str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    change(f"now/{file}.yaml", old, new)
    found = changed(capsys)
    assert list(found) == [card]
    assert what(found[card]) == expected
    assert found[card]["action"] == "replace"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self gets +2 AP.", "self  gets\n          +2 AP."),  # spaces and line ends
        ("{en: She counts to three., de: Sie zählt bis drei.}", "{en: She counts to three., de: Drei.}"),
        ("  - id: aimed-shot", "  # a comment\n  - id: aimed-shot"),
        ("if target is SUPPRESSED", "if not target is not SUPPRESSED"),  # the same in other words
    ],
)
def test_what_changes_nothing_on_the_card(old: str, new: str, capsys: pytest.CaptureFixture[str]) -> None:
    change("now/cards.yaml", old, new)
    assert changed(capsys) == {}


def test_copies(capsys: pytest.CaptureFixture[str]) -> None:
    change("now/cards.yaml", "quantity: 2", "quantity: 5")
    change("now/cards.yaml", "    name: Viper\n", "    name: Viper\n    quantity: 3\n")
    change("before/cards.yaml", "    name: Viper\n", "    name: Viper\n    quantity: 4\n")
    found = changed(capsys)
    assert {card: one["action"] for card, one in found.items()} == {
        "viper": "throw-away",
        "aimed-shot": "add",
    }
    assert (found["viper"]["throw_away"], found["viper"]["print"]) == (1, 0)
    assert (found["aimed-shot"]["throw_away"], found["aimed-shot"]["print"]) == (0, 3)


def test_a_changed_card_is_replaced_by_all_its_copies(capsys: pytest.CaptureFixture[str]) -> None:
    change("now/cards.yaml", "quantity: 2", "quantity: 3")
    change("now/cards.yaml", "en: Aimed shot", "en: Good shot")
    assert run(["changes", "before", "now"]) == 0
    assert capsys.readouterr().out == (
        "Wording changed\n"
        "  aimed-shot  Good shot · name Aimed shot → Good shot · throw away 2, print 3\n"
        "\n"
        "Since before (en): print 3 cards, throw away 2 cards.\n"
    )


def test_another_name_is_another_card(capsys: pytest.CaptureFixture[str]) -> None:
    change("now/cards.yaml", "id: high-ground", "id: hill")
    change("now/cards.yaml", "{en: High ground, de: Anhöhe}", "{en: Hill, de: Hügel}")
    found = changed(capsys)
    assert {card: one["action"] for card, one in found.items()} == {
        "hill": "add",
        "high-ground": "throw-away",
    }


def test_renamed_cards_are_not_printed_again(capsys: pytest.CaptureFixture[str]) -> None:
    change("before/opforge.yaml", "mode: skirmish", "mode: skirmish\ntraits: {sniper: Sniper}")
    shutil.rmtree("now")
    copytree("before", "now")
    for old, new in (
        ("viper", "adder"),
        ("night-owls", "owls"),
        ("sniper", "shooter"),
        ("radio-mast", "mast"),
    ):
        assert run(["rename", old, new, "now"]) == 0
    capsys.readouterr()
    assert run(["changes", "before", "now"]) == 0
    assert capsys.readouterr().out == (
        "Only renamed\n"
        "  adder  Viper · was viper\n"
        "  mast   Radio mast · was radio-mast\n"
        "\n"
        "Since before (en): print 0 cards, throw away 0 cards.\n"
    )
    found = changed(capsys)["adder"]
    assert (found["older_id"], found["older_name"]) == ("viper", "Viper")
    assert (found["action"], found["print"], found["throw_away"], what(found)) == ("keep", 0, 0, {})


def test_a_renamed_card_that_changed_is_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rename", "viper", "adder", "now"]) == 0
    change("now/cards.yaml", "ap: 4", "ap: 5")
    capsys.readouterr()
    assert run(["changes", "before", "now"]) == 0
    assert capsys.readouterr().out == (
        "Behaviour changed\n"
        "  adder  Viper · was viper · AP 4 → 5 · throw away 1, print 1\n"
        "\n"
        "Since before (en): print 1 card, throw away 1 card.\n"
    )


TWINS = """\
cards:
  - {id: left, kind: attack, name: {en: Twin, de: Zwilling}, effect: "when attacking, self gets +1 AP."}
  - {id: right, kind: attack, name: {en: Twin, de: Zwilling}, effect: "when attacking, self gets +2 AP."}
"""


def test_cards_of_one_name_are_told_apart_by_what_is_on_them(capsys: pytest.CaptureFixture[str]) -> None:
    write("before/twins.yaml", TWINS)
    write("now/twins.yaml", TWINS.replace("left", "west").replace("right", "east"))
    was = {card: (one["older_id"], one["action"]) for card, one in changed(capsys).items()}
    assert was == {"west": ("left", "keep"), "east": ("right", "keep")}
    write("now/twins.yaml", TWINS.replace("left", "west").replace("right", "east").replace("+2", "+1"))
    actions = {card: one["action"] for card, one in changed(capsys).items()}
    assert actions == {"west": "add", "east": "add", "left": "throw-away", "right": "throw-away"}


def test_pictures_and_templates(capsys: pytest.CaptureFixture[str]) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path d="M0 0h{}v3z"/></svg>'
    for folder, width in (("before", 3), ("now", 4)):
        change(f"{folder}/cards.yaml", "    kind: attack\n", "    kind: attack\n    art: shot.svg\n")
        write(f"{folder}/shot.svg", drawing.format(width))
    extended = '{% extends "shipped/strategy.html.jinja" %}{# a comment #}'
    write("now/templates/strategy.html.jinja", extended)
    assert {card: what(one) for card, one in changed(capsys).items()} == {"aimed-shot": {"looks": ["art"]}}
    write("now/templates/strategy.html.jinja", extended + "{% block picture %}{% endblock %}")
    assert what(changed(capsys)["high-ground"]) == {"looks": ["template"]}
    assert set(changed(capsys)) == {"aimed-shot", "high-ground"}
    write("now/templates/backs/operator.svg", drawing.format(1))
    assert what(changed(capsys)["viper"]) == {"looks": ["back"]}
    write("now/templates/card.css", "p { margin: 0 }")
    assert set(changed(capsys)) == {"viper", "aimed-shot", "high-ground", "radio-mast"}


def test_the_size_of_cards(capsys: pytest.CaptureFixture[str]) -> None:
    change("now/opforge.yaml", "version: 1.2.0", "version: 1.2.0\ncard_size: tarot")
    found = changed(capsys)
    assert len(found) == 4
    assert found["viper"]["looks"][0] == {
        "what": "card size",
        "before": "63x88mm",
        "after": "69.85x120.65mm",
    }


def test_a_card_that_could_not_be_read_counts_as_changed(capsys: pytest.CaptureFixture[str]) -> None:
    change("before/cards.yaml", "ap: 4", "ap: four")
    found = changed(capsys)
    assert list(found) == ["viper"]
    assert found["viper"]["unknown"]
    assert (found["viper"]["print"], found["viper"]["throw_away"]) == (1, 1)
    assert run(["changes", "before", "now"]) == 0
    assert "Could not be read in the older version, so counted as changed" in capsys.readouterr().out


def test_an_older_file_that_could_not_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    change("before/cards.yaml", "quantity: 2", "quantity: [")
    found = changed(capsys)
    assert set(found) == {"viper", "aimed-shot", "high-ground"}  # viper's TEAM stands behind the mistake
    assert all(one["unknown"] for one in found.values())
    Path("before/cards.yaml").write_bytes(b"\xff\xfe\x00")
    assert all(one["unknown"] for one in changed(capsys).values())


def test_a_card_that_cannot_be_read_now_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    change("now/cards.yaml", "ap: 4", "ap: four")
    assert run(["changes", "before", "now"]) == 1
    reported = capsys.readouterr()
    assert "Cannot be read now, so not compared: viper." in reported.out
    assert "ap: four" in reported.err


def test_an_id_that_is_used_twice_is_read_once(capsys: pytest.CaptureFixture[str]) -> None:
    change("now/cards.yaml", "id: high-ground", "id: viper")
    assert run(["changes", "before", "now"]) == 1
    out = capsys.readouterr().out
    assert "Cannot be read" not in out
    assert out.startswith("Gone\n  high-ground")


def test_in_german(capsys: pytest.CaptureFixture[str]) -> None:
    change("now/cards.yaml", "de: Anhöhe", "de: Hügel")
    assert changed(capsys) == {}
    assert what(changed(capsys, "--lang", "de")["high-ground"]) == {"wording": ["name"]}


@pytest.mark.parametrize(
    ("since", "said"),
    [
        ("", "Name a git revision, or the folder of an older copy."),
        ("nowhere", "There is no folder 'nowhere', and "),
        ("empty", "empty is not an older copy of a project: there is no opforge.yaml in it."),
        ("now/cards.yaml", "now/cards.yaml is a file"),
    ],
)
def test_no_older_version(since: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty").mkdir()
    assert run(["changes", since, "now"]) == 2
    assert said in capsys.readouterr().err


def test_an_older_version_in_other_languages(capsys: pytest.CaptureFixture[str]) -> None:
    change("before/opforge.yaml", "[en, de]", "[en]")
    assert run(["changes", "before", "now", "--lang", "de"]) == 2
    assert "In before there are no cards in 'de', only in en." in capsys.readouterr().err


def test_an_empty_project(capsys: pytest.CaptureFixture[str]) -> None:
    Path("now/cards.yaml").unlink()
    Path("now/rules.yaml").unlink()
    write("now/opforge.yaml", "project: Small\nlanguages: [en, de]\n")
    assert {one["action"] for one in changed(capsys).values()} == {"throw-away"}


# git

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(*arguments: str) -> str:
    """Run git in the folder of both projects."""
    person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *person, *arguments], capture_output=True, check=True)
    return done.stdout.decode()


@pytest.fixture
def tagged() -> None:
    """The project is in git, and what it is now has the tag `printed`."""
    git("init", "-q", ".")
    git("add", "now")
    git("commit", "-q", "-m", "printed")
    git("tag", "printed")


@needs_git
@pytest.mark.usefixtures("tagged")
def test_a_revision(capsys: pytest.CaptureFixture[str]) -> None:
    change("now/cards.yaml", "ap: 4", "ap: 5")
    before = git("status", "--porcelain")
    assert what(changed(capsys, since="printed")["viper"]) == {"behaviour": ["AP"]}
    assert what(changed(capsys, since="HEAD")["viper"]) == {"behaviour": ["AP"]}
    assert git("status", "--porcelain") == before
    git("add", "now")
    git("commit", "-q", "-m", "stronger")
    assert changed(capsys, since="HEAD") == {}
    assert set(changed(capsys, since="HEAD~1")) == {"viper"}


@needs_git
@pytest.mark.usefixtures("tagged")
@pytest.mark.parametrize(
    ("since", "said"),
    [
        ("printd", "There is no folder and no git revision 'printd'. Did you mean 'printed'?"),
        ("HEAD~7", "no git revision 'HEAD~7'"),
        ("printed:now", "no git revision 'printed:now'"),
    ],
)
def test_no_such_revision(since: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["changes", since, "now"]) == 2
    assert said in capsys.readouterr().err


@needs_git
@pytest.mark.usefixtures("tagged")
def test_a_revision_before_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    copytree("now", "later")
    assert run(["changes", "printed", "later"]) == 2
    assert "In printed there is no later/opforge.yaml" in capsys.readouterr().err


@pytest.mark.usefixtures("tagged")
@needs_git
def test_without_git(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "")
    assert run(["changes", "printed", "now"]) == 2
    assert "git, which could read a revision of that name, is not installed" in capsys.readouterr().err


# sheets


def words(file: str) -> list[str]:
    """The text of each page without spaces."""
    pdf = opened(Path(file).read_bytes())
    return ["".join(text_of(page.obj).split()) for page in pdf.pages]


def test_only_changed_cards_are_printed_and_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("plutoprint")
    change("now/cards.yaml", "ap: 4", "ap: 5")
    change("now/cards.yaml", "quantity: 2", "quantity: 3")
    change("now/cards.yaml", "id: high-ground", "id: hill")
    change("now/cards.yaml", "{en: High ground, de: Anhöhe}", "{en: Hill, de: Hügel}")
    command = ["sheet", "now", "-o", "out.pdf", "--changed-since", "before", "--lang", "de", "--backs"]
    assert run(command) == 0
    assert capsys.readouterr().out == (
        "out.pdf: 3 cards on 2 pages, and a list of what changed since before (2 to throw away).\n"
    )
    fronts, backs, listed = words("out.pdf")
    assert "Viper" in fronts
    assert "GezielterSchuss" in fronts
    assert "Hügel" in fronts
    assert "Funkmast" not in fronts
    assert backs == ""
    for said in ("Austauschen", "tutetwasanderes", "AP4›5", "Dazulegen", "Wegwerfen", "Anhöhe", "seitbefore"):
        assert said in listed
    with pikepdf.open("out.pdf") as pdf:
        assert str(pdf.Root.ViewerPreferences.Duplex) == "/DuplexFlipLongEdge"
    first = Path("out.pdf").read_bytes()
    assert run(command) == 0
    assert Path("out.pdf").read_bytes() == first


def test_nothing_to_print(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("plutoprint")
    command = ["sheet", "now", "-o", "out.pdf", "--changed-since", "before"]
    assert run(command) == 0
    assert capsys.readouterr().out == "No card changed since before; nothing was printed.\n"
    assert not Path("out.pdf").exists()
    assert run(["rename", "viper", "adder", "now"]) == 0
    capsys.readouterr()
    assert run(command) == 0
    assert capsys.readouterr().out == "No card has to be replaced since before; nothing was printed.\n"
    change("before/cards.yaml", "quantity: 2", "quantity: 3")
    assert run([*command, "--card", "adder"]) == 0
    assert not Path("out.pdf").exists()
    assert run(command) == 0
    assert "only a list of what changed since before (1 to throw away)" in capsys.readouterr().out
    assert len(words("out.pdf")) == 1


def test_a_long_list_has_several_pages() -> None:
    pytest.importorskip("plutoprint")
    cards = "".join(
        f'  - {{id: c-{n}, kind: strategy, name: Hill {n}, effect: "all own OPERATORs get +1 AP."}}\n'
        for n in range(40)
    )
    write("now/more.yaml", f"cards:\n{cards}")
    small = ["--paper", "148x210mm"]
    assert run(["sheet", "now", "-o", "out.pdf", "--changed-since", "before", *small]) == 0
    pages = words("out.pdf")
    assert len(pages) == 10 + 2
    assert all(f"Hill{n}1×" in "".join(pages[10:]) for n in range(40))


def test_an_unknown_revision_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sheet", "now", "-o", "out.pdf", "--changed-since", "nowhere"]) == 2
    assert "There is no folder 'nowhere'" in capsys.readouterr().err
    assert not Path("out.pdf").exists()


def test_a_keyword_that_changed_is_a_change_of_the_cards_that_have_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    own_words = Path(__file__).parents[1] / "scenarios" / "own_words"
    for name in ("now", "before"):
        shutil.rmtree(name)
        copytree(own_words, name)
    change("now/cards.yaml", "if self is not EXHAUSTED, self gets +1 EP", "self gets +2 EP")
    change("now/cards.yaml", "keywords: [longarm, patient]", "keywords: [longarm]")
    found = changed(capsys)
    assert what(found["rhino"])["behaviour"] == ["keywords"]
    (lost,) = found["sharpshooter"]["behaviour"]
    assert (lost["before"], lost["after"]) == ("longarm, patient", "longarm")
    assert "spy" not in found


def test_markdown_shows_old_beside_new_where_pictures_are_published(
    capsys: pytest.CaptureFixture[str],
) -> None:
    change("now/cards.yaml", "+2 AP.", "+1 AP.")
    write("now/new.yaml", "cards: [{id: dash, kind: attack, name: 'A|b<i>@x', effect: self gets +1 AP.}]\n")
    command = ["changes", "before", "now", "--format", "markdown"]
    assert run([*command, "--pictures", "out"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("### Cards that changed since <code>before</code>\n\n#### Behaviour changed\n")
    assert "<img" not in text
    changed_id, *other_ids = (path.stem for path in Path("out/before").iterdir())
    assert {path.stem for path in Path("out/after").iterdir()} == {changed_id, *other_ids, "dash"}
    assert "<i>" not in text
    addresses = ["--url-base", "https://cards.example/7/", "--artifact", "https://git.example/a#artifacts"]
    assert run([*command, *addresses]) == 0
    text = capsys.readouterr().out
    assert f'| <img alt="{changed_id}, before" src="https://cards.example/7/before/{changed_id}.png"' in text
    assert "before/dash.png" not in text
    assert '<img alt="dash, after" src="https://cards.example/7/after/dash.png" width="180"> |' in text
    assert "[The pictures of the changed cards, old and new](https://git.example/a#artifacts)\n" in text
    for wrong in (
        ["--url-base", 'https://x"onload=1'],
        ["--artifact", "javascript:x"],
        ["--url-base", "//x"],
        ["--url-base", "https://cards.example/?7"],
    ):
        assert run([*command, *wrong]) == 2
    assert run(["changes", "before", "now", *addresses]) == 2
    assert run(["changes", "before", "before", "--format", "markdown"]) == 0
    assert capsys.readouterr().out == "### No card changed since <code>before</code>\n"
