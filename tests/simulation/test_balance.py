"""``opforge balance``: a page that says what stands out in a set of cards."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.simulation.short_games import FOLDER, plan, played, workspace
from tests.thoroughness import THOROUGH
from toolkit.apps.cli import run
from toolkit.play.simulation.games import Counts
from toolkit.play.simulation.simulating import Tally
from toolkit.play.simulation.statistics import wilson
from toolkit.products.balance.figures import ExactFigures, Figures, exact_figures
from toolkit.products.balance.findings import findings
from toolkit.products.balance.page import balance_page
from toolkit.products.balance.plots import power_scatter, squad_bars
from toolkit.products.balance.tables import odds_table, pairs_table, power_tables
from toolkit.resources import cards_folder

Capture = pytest.CaptureFixture[str]
SQUADS = ("hunters", "family", "diggers")


@cache
def exact() -> ExactFigures:
    figures = exact_figures(workspace(), None)
    assert isinstance(figures, ExactFigures)
    return figures


@cache
def figures(language: str = "en") -> Figures:
    return Figures(workspace(), language, exact(), played(plan(*SQUADS, games=40)))


def with_outcomes(*wins: int, games: int = 100) -> Figures:
    """Figures in which the first SQUAD of each pair has won so many games."""
    tally = Tally(plan(*SQUADS, games=games))
    for task, won in zip(tally.plan.tasks(), wins, strict=True):
        outcomes = "w" * won + "l" * (games - won)
        tally.add(task, Counts(outcomes=outcomes, rounds={2: games}, endings={"draw": games}))
    return replace(figures(), tally=tally)


def test_the_same_figures_give_the_same_bytes_in_each_language() -> None:
    pages = [balance_page(figures(language)) for language in ("en", "de")]
    again = Figures(workspace(), "en", exact(), played(plan(*SQUADS, games=40)))
    assert balance_page(again) == pages[0]
    titles, numbers = ("What stands out", "Was auffällt"), (r"\d\.\d", r"\d,\d")
    for page, title, number in zip(pages, titles, numbers, strict=True):
        text = page.decode()
        assert f"<h2>{title}</h2>" in text
        assert re.search(number + "\N{NO-BREAK SPACE}%", text)
        assert "{" not in re.sub(r"<(style|script)>.*?</\1>", "", text, flags=re.DOTALL)


def test_the_page_loads_nothing_and_runs_only_its_own_script() -> None:
    text = balance_page(figures()).decode()
    assert {reference[0] for reference in re.findall(r'(?:src|href)="([^"]*)"', text)} == {"#"}
    assert "url(" not in text
    assert "@import" not in text
    assert "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" in text.replace("&#39;", "'")
    assert len(text) < 500_000


def test_uneven_squads_and_pairs_are_named_if_it_is_not_chance() -> None:
    sentences = findings(with_outcomes(90, 80, 50))
    assert sentences[0].startswith("Hunters is strong: it wins 85.0\N{NO-BREAK SPACE}% of its games (")
    assert sentences[1].startswith("Family is weak: it wins 30.0")
    assert any(
        sentence.startswith("2 of 3 pairs are uneven, most of all: Hunters beats Family in 90.0")
        for sentence in sentences
    )
    even = findings(with_outcomes(50, 52, 48))
    assert "None of 3 SQUADs wins less than 40 % or more than 60 % of its games." in even
    assert "None of 3 pairs is uneven." in even
    few = findings(with_outcomes(7, 5, 5, games=10))
    assert "None of 3 pairs is uneven." in few, "7 of 10 may be chance"


def test_few_games_do_not_say_that_squads_are_even() -> None:
    few = findings(with_outcomes(2, 1, 1, games=2))
    assert few[0].startswith("Too few games to tell whether it is by chance")
    assert "Hunters" in few[0]
    assert few[1] == "None of 3 pairs is uneven.", "who wins two games may win them by chance"
    assert not any("wins less than 40 % or more than 60 %" in sentence for sentence in few)


def test_unfinished_games_are_said_first() -> None:
    tally = Tally(plan(*SQUADS, games=40))
    assert findings(replace(figures(), tally=tally))[0] == "UNFINISHED: not all games were played."
    assert b"UNFINISHED" in balance_page(replace(figures(), tally=tally))


def test_a_card_that_stands_out_is_named_in_sentences_and_in_the_plot() -> None:
    power = exact().powers["badger"]
    outlier = replace(power, verdict="undercosted", expected=-1.0)
    others = replace(figures(), exact=ExactFigures(exact().matrix, {**exact().powers, "badger": outlier}))
    assert findings(others)[-1].startswith("Badger is undercosted: in attacks it adds +")
    scatter = power_scatter(others)
    assert scatter is not None
    assert {point.name for point in scatter.points if point.is_outlier} == {"Badger"}
    assert findings(figures())[-1] == "No card stands out in attacks against its price."


def test_tables_and_plots_say_what_was_counted() -> None:
    tally = figures().tally
    assert tally is not None
    table = pairs_table(figures(), tally)
    for row, (first, cells) in enumerate(zip(SQUADS, table.rows, strict=True)):
        for column, second in enumerate(SQUADS):
            cell, mirrored = cells[column + 1], table.rows[column][row + 1]
            if first == second:
                assert cell.text == "–"
            else:
                assert float(cell.sort) + float(mirrored.sort) == pytest.approx(1)
                assert cell.heat == -mirrored.heat
    bars = squad_bars(figures(), tally)
    rates = sorted((tally.squad_rate(squad).value for squad in SQUADS), reverse=True)
    assert [bar.text for bar in bars.bars] == [figures().percent(rate) for rate in rates]
    assert all((bar.low or 0) <= bar.end <= (bar.high or 0) for bar in bars.bars)
    odds = odds_table(figures())
    assert len(odds.rows) == 3
    assert max(cell.heat for row in odds.rows for cell in row) == 60
    kinds = [table.caption for table in power_tables(figures())]
    assert kinds == ["OPERATOR", "ATTACK", "DEFENCE", "ITEM", "EFFECT"]


def test_games_are_counted_with_the_interval_of_the_simulation() -> None:
    uneven = with_outcomes(60, 50, 50)
    assert uneven.tally is not None
    assert uneven.tally.squad_rate("hunters") == wilson(110, 200)


def test_the_command(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    file = tmp_path / "report.html"
    command = ["balance", "-o", str(file), "--jobs", "1", "--players", "random", "--games"]
    assert run([*command, "2"]) == 0
    assert capsys.readouterr().out == f"{file}: 7 cards, 6 games.\n"
    first_page = file.read_bytes()
    assert run([*command, "2"]) == 0
    assert file.read_bytes() == first_page
    assert run([*command, "20", "--cards", "2"]) == 0
    assert "How much more often a SQUAD wins with a card" in file.read_text(encoding="utf-8")
    assert run([*command, "2", "--set", "cub.ap=9", "--compare"]) == 0
    assert "Compared with the cards as they stand in their files" in file.read_text(encoding="utf-8")
    assert run([*command, "0"]) == 0
    assert "Exact figures only" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("report.txt", None, "must end in .html"),
        ("mine.html", "<p>mine</p>", "is no report of `opforge balance`; it was not changed"),
        ("none/report.html", None, "there is no folder"),
    ],
)
def test_what_is_no_report_is_not_written(
    name: str, content: str | None, sentence: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / name
    if content is not None:
        file.write_text(content, encoding="utf-8")
    assert run(["balance", str(FOLDER), "-o", str(file), "--games", "0"]) == 2
    assert sentence in capsys.readouterr().err
    assert not file.exists() or file.read_text(encoding="utf-8") == content


@pytest.mark.skipif(not THOROUGH, reason="it takes a minute")
def test_the_report_of_the_shipped_set_is_small(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    assert run(["balance", str(cards_folder()), "-o", str(file), "--games", "2", "--players", "random"]) == 0
    assert file.stat().st_size < 500_000
