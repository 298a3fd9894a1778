"""The public Python interface: every name exists, the example of its docstring runs, and scripts work."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import toolkit
from tests.help_pages.python import python_page
from toolkit import api
from toolkit.diagnostics.help_pages import other_page
from toolkit.resources import cards_folder, starter_folder


def test_every_public_name_exists_and_is_documented() -> None:
    missing = [name for name in api.__all__ if not getattr(api, name).__doc__]
    assert missing == []
    with pytest.raises(AttributeError, match="no attribute 'wish'"):
        _ = api.wish


def test_the_package_has_the_names_of_the_interface() -> None:
    assert toolkit.__all__ == api.__all__
    assert "open" not in toolkit.__all__  # `from toolkit import *` leaves Python's own
    assert {*toolkit.__all__, "open", "__version__"} == {*dir(toolkit)}
    assert toolkit.Project is api.Project
    with pytest.raises(AttributeError, match="module 'toolkit' has no attribute 'wish'"):
        _ = toolkit.wish  # type: ignore[attr-defined]


def test_the_page_of_all_names_is_made_anew() -> None:
    assert other_page("python") == python_page(), "run python -m tests.help_pages"


def test_importing_the_package_imports_nothing() -> None:
    program = "import sys, toolkit; print([name for name in sys.modules if name.startswith('toolkit.')])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="python -P is of 3.11")
def test_another_folder_of_that_name_beside_the_script_is_passed_over_with_p(tmp_path: Path) -> None:
    (tmp_path / "toolkit").mkdir()
    (tmp_path / "toolkit" / "__init__.py").write_text("__version__ = 'another'\n", "utf-8")
    script = tmp_path / "script.py"
    script.write_text("import toolkit; print(toolkit.__version__)\n", "utf-8")
    for options, version in (((), "another"), (("-P",), toolkit.__version__)):
        command = [sys.executable, *options, str(script)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        assert ran.stdout == f"{version}\n"


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path))
    monkeypatch.chdir(cards_folder().parent)
    assert api.__doc__ is not None
    example = [line.strip() for line in api.__doc__.splitlines() if line.startswith("    ")]
    made: dict[str, object] = {}
    exec("\n".join(example), made)
    assert isinstance(made["report"], api.Report)
    assert isinstance(made["project"], api.Project)
    assert made["report"].cards == len(made["project"].cards)
    assert isinstance(made["attack"], api.PlayedAttack)
    assert made["attack"].request.seed == 3


@pytest.fixture(scope="module")
def shipped() -> toolkit.Project:
    return toolkit.open(str(cards_folder()))


def test_a_project_is_made(tmp_path: Path) -> None:
    assert toolkit.make_project(str(tmp_path / "mine")) is None
    assert toolkit.open(tmp_path / "mine").findings == ()
    assert "is not an empty folder" in str(toolkit.make_project(tmp_path / "mine"))


@pytest.fixture
def starter(tmp_path: Path) -> toolkit.Project:
    shutil.copytree(starter_folder(), tmp_path / "starter")
    return toolkit.open(tmp_path / "starter")


def test_a_project_is_opened_by_its_folder_a_file_in_it_or_the_folder_around(
    starter: toolkit.Project, tmp_path: Path
) -> None:
    starter.root.rename(tmp_path / "cards")
    paths = (tmp_path, tmp_path / "cards", str(tmp_path / "cards" / "game.yaml"))
    assert {toolkit.open(path).root for path in paths} == {tmp_path / "cards"}
    with pytest.raises(toolkit.ProjectError, match=r"There is no opforge\.yaml at or above"):
        toolkit.open(tmp_path.parent)


def test_a_card_has_what_is_printed_on_it(shipped: toolkit.Project) -> None:
    viper = shipped.card("viper")
    assert (viper.name, viper.kind, viper.team, viper.squadpoints) == ("Viper", "operator", "night-owls", 4)
    assert viper.stats == {"AP": 4, "EP": 3, "DP": 6, "MP": 2}
    assert viper.traits == ("sniper",)
    assert viper in shipped.cards
    assert viper.text("de").startswith("Viper\n  Feuerschutz:\n  Wenn er angreift")
    assert repr(viper) == "Card('viper')"
    bridge = shipped.card("bridge")
    assert (bridge.kind, bridge.team, bridge.stats, bridge.squadpoints) == ("objective", None, {}, 0)
    assert len({card.id for card in shipped.cards}) == len(shipped.cards) > 100


def test_effects_are_walked(shipped: toolkit.Project) -> None:
    with_rerolls = {
        effect.entry
        for effect in shipped.effects
        if any(isinstance(node, toolkit.nodes.MayReroll) for node in effect.walk())
    }
    assert "scope" in with_rerolls
    assert "viper" not in with_rerolls
    (overwatch,) = shipped.card("viper").effects
    assert (overwatch.part, overwatch.text.split(",")[0]) == ("skill 1", "when attacking")


def test_attacks_are_rolled_from_seeds_that_follow_each_other(shipped: toolkit.Project) -> None:
    attacks = shipped.attacks([("viper", "bishop")] * 20, seed=3)
    alone = [shipped.attack("viper", "bishop", seed=seed) for seed in (3, 4)]
    assert [attack.rolled for attack in attacks[:2]] == [attack.rolled for attack in alone]
    assert len({attack.rolled for attack in attacks}) > 5
    assert alone[0].explained.sums[0].stat == "AP"


def test_an_attack_that_the_rules_forbid_is_refused_among_others_and_raises_alone(
    shipped: toolkit.Project,
) -> None:
    request = toolkit.AttackRequest("viper", "bishop", attack_card="smoke")
    (refused,) = shipped.attacks([request])
    assert isinstance(refused, toolkit.Refused)
    with pytest.raises(toolkit.ProjectError) as raised:
        shipped.attack("viper", "bishop", attack_card="smoke")
    assert str(raised.value) == refused.refusal.sentence


def test_odds_are_exact(shipped: toolkit.Project) -> None:
    odds = shipped.odds("viper", "bishop", goal="hits", hands={"blue": ["aimed-shot"]})
    assert sum(odds.distribution.values()) == 1
    assert odds.expected_damage > shipped.odds("viper", "bishop").expected_damage
    assert odds.hits == sum(chance for outcome, chance in odds.distribution.items() if outcome.hits)
    assert odds.becomes_hit < odds.hits


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda project: project.card("vipr"), "There is no card 'vipr' in cards. Did you mean 'viper'?"),
        (lambda project: project.text("fr"), "There is no language 'fr' here; the project has en, de."),
        (
            lambda project: project.attack("vipr", "bishop"),
            "There is no OPERATOR 'vipr' in cards. Did you mean 'viper'?",
        ),
        (
            lambda project: project.odds("viper", "aimed-shot"),
            "'aimed-shot' is not an OPERATOR, and only OPERATORs attack and are attacked.",
        ),
        (
            lambda project: project.odds("viper", "bishop", goal="hurt"),
            "There is no goal 'hurt'; there are: damage, becomes-hit, hits.",
        ),
        (
            lambda project: project.odds("viper", "bishop", hands={"green": ["aimed-shot"]}),
            "There is no side 'green'; there are: blue, red.",
        ),
        (
            lambda project: project.games(players=("random", "clever")),
            "There is no player 'clever'; there are: ",
        ),
        (
            lambda project: project.games(games=3),
            "3 games cannot be played twice each: it must be an even number.",
        ),
        (lambda project: project.games("owls-at-dusk", "dawn"), "There is no squad 'dawn'. There are: "),
        (lambda project: project.card("viper").picture(dpi=5), "5 dpi is not from 30 to 1200."),
        (lambda project: project.sheet("viper.txt"), "viper.txt must end in .pdf."),
        (
            lambda project: project.sheet("a.pdf", lang="de"),
            "There is no option 'lang' here. There are: output",
        ),
        (
            lambda project: project.attack("viper", "bishop", sed=3),
            "There is no option 'sed' here. Did you me",
        ),
        (
            lambda project: project.attack("viper", "bishop", dice="16"),
            "dice: expected `list | None`, got `str`.",
        ),
        (lambda project: project.attacks(["ab"]), "An attack: expected `list`, got `str`."),
        (lambda project: project.attacks(3), "attacks: expected `list`, got `int`."),
        (lambda project: type(project)(3), "A path is a text or a Path, not 3."),
        (lambda project: type(project)("nowhere"), "There is no opforge.yaml at or above nowhere."),
        (
            lambda project: project.odds("viper", "bishop", hands={"blue": "aimed-shot"}),
            "hands[...]: expected `list`, got `str`.",
        ),
        (lambda project: project.games(players="random"), "players: expected `list`, got `str`."),
        (lambda project: project.games(jobs=0), "0 processes can play nothing."),
        (
            lambda project: project.set({"viper": {"ap": 2.5}}),
            "viper.ap: expected `int | str | list | None`, got",
        ),
        (
            lambda project: project.card("viper").set("name", {"en": "V"}),
            "viper.name: expected `int | str | list",
        ),
        (lambda project: project.changes(None), "A path is a text or a Path, not None."),
        (lambda _project: toolkit.open(""), "'' is no path."),
    ],
)
def test_what_is_asked_wrongly_raises_a_sentence(
    shipped: toolkit.Project, ask: object, sentence: str
) -> None:
    assert callable(ask)
    with pytest.raises(toolkit.ProjectError) as raised:
        ask(shipped)
    assert str(raised.value).startswith(sentence)


def test_games_are_counted_by_pair_and_the_same_for_a_seed(starter: toolkit.Project) -> None:
    tally = starter.games("blue", "red", games=4, seed=2, players=("random", "random"))
    (pair,) = tally.plan.pairs
    assert tally.total().games == 4
    assert tally.pair_rate(pair).value == tally.total().score / 4
    again = starter.games(games=4, seed=2, players=("random", "random"))
    assert again.total().outcomes == tally.total().outcomes


def test_a_card_is_a_picture_in_a_notebook_and_a_project_a_table(starter: toolkit.Project) -> None:
    kestrel = starter.card("kestrel")
    assert kestrel.picture(dpi=60).startswith(b"\x89PNG")
    table = starter._repr_html_()
    assert table.count("<tr>") == len(starter.cards) + 1
    assert "<td>Kestrel</td><td>operator</td>" in table


def test_values_are_set_written_with_comments_and_compared(starter: toolkit.Project) -> None:
    file = starter.root / "cards.yaml"
    before = file.read_text("utf-8")
    older = toolkit.open(starter.root)
    kestrel = starter.card("kestrel")
    ap, dp = kestrel.stats["AP"], kestrel.stats["DP"]
    kestrel.set("ap", ap + 1)
    starter.set({"kestrel": {"dp": dp + 1}})
    assert (kestrel.stats["AP"], kestrel.stats["DP"]) == (ap + 1, dp + 1)
    assert file.read_text("utf-8") == before
    (change,) = starter.changes(older).cards
    assert {difference.what for difference in change.differences} == {"AP", "DP"}
    assert f"-    ap: {ap}\n+    ap: {ap + 1}\n" in starter.difference()
    assert starter.save() == (file,)
    assert file.read_text("utf-8").count("#") == before.count("#")
    assert toolkit.open(starter.root).card("kestrel").stats == kestrel.stats
    assert starter.difference() == ""
    assert starter.save() == ()


def test_a_value_that_would_be_an_error_is_not_set(starter: toolkit.Project) -> None:
    kestrel = starter.card("kestrel")
    for key, value, sentence in (
        ("apx", 3, "kestrel.apx: `apx` is not a column. Did you mean `ap`?"),
        ("ap", "many", "kestrel.ap: `many` is not a whole number, which `ap` must be."),
        ("team", None, "kestrel: This OPERATOR has no `team`."),
        ("skill1.effect", "when attacking, self gets +2 APP", "kestrel.skill1.effect: "),
    ):
        with pytest.raises(toolkit.ProjectError) as raised:
            kestrel.set(key, value)
        assert str(raised.value).startswith(sentence)
    assert starter.difference() == ""


def test_a_file_that_somebody_else_saved_is_not_overwritten(starter: toolkit.Project) -> None:
    starter.card("kestrel").set("ap", 5)
    file = starter.root / "cards.yaml"
    file.write_text(file.read_text("utf-8") + "# mine\n", "utf-8")
    with pytest.raises(toolkit.ProjectError, match="has changed in the meantime"):
        starter.save()
    assert file.read_text("utf-8").endswith("# mine\n")


def test_the_findings_of_a_project_are_those_of_check(starter: toolkit.Project) -> None:
    file = starter.root / "cards.yaml"
    file.write_text(file.read_text("utf-8").replace("self gets", "self getz", 1), "utf-8")
    report = toolkit.check(starter.root)
    assert isinstance(report, toolkit.Report)
    broken = toolkit.open(starter.root)
    assert list(map(repr, broken.findings)) == list(map(repr, report.findings))
    (card_id,) = {finding.card for finding in report.findings}
    assert card_id is not None
    assert broken.card(card_id).findings == broken.findings
    nowhere = toolkit.check(str(starter.root / "nowhere.yaml"))
    assert str(nowhere).startswith(f"'{starter.root}/nowhere.yaml' is not a card file")
