"""The report as a page of HTML: one file that loads nothing."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup
from msgspec import Struct

from toolkit import __version__
from toolkit.play.simulation.simulating import Tally
from toolkit.products.balance.figures import Figures
from toolkit.products.balance.findings import findings, interval_words
from toolkit.products.balance.plots import Bars, Scatter, power_scatter, round_bars, squad_bars
from toolkit.products.balance.tables import (
    Table,
    comparison_table,
    odds_table,
    pairs_table,
    power_tables,
    squads_table,
    worth_table,
)
from toolkit.products.page_templates import page_environment

_FOLDER = Path(__file__).resolve().parent


class Section(Struct, frozen=True):
    """A part of the page: a title, sentences, plots and tables."""

    key: str
    title: str
    sentences: tuple[str, ...] = ()
    bars: tuple[Bars, ...] = ()
    scatter: Scatter | None = None
    tables: tuple[Table, ...] = ()


@cache
def _environment() -> Environment:
    return page_environment(_FOLDER)


def balance_page(figures: Figures) -> bytes:
    """Return the page; the same figures give the same bytes."""
    script = (_FOLDER / "report.js").read_text("utf-8")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    page = (
        _environment()
        .get_template("report.html.jinja")
        .render(
            language=figures.language,
            say=figures.words.say,
            policy=f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'",
            script=Markup(script),
            style=Markup((_FOLDER / "report.css").read_text("utf-8")),
            title=figures.words.say("balance-title", project=figures.workspace.cards.project.name),
            generator=f"opforge balance {__version__}",
            lines=_provenance(figures),
            findings=findings(figures),
            sections=_sections(figures),
        )
    )
    return page.encode()


def is_report(file: Path) -> bool:
    """Whether a file was written by ``opforge balance``."""
    with file.open("rb") as stream:
        return b'name="generator" content="opforge balance ' in stream.read(1000)


def _provenance(figures: Figures) -> list[str]:
    """What the figures come from."""
    say, tally = figures.words.say, figures.tally
    if tally is None:
        return [say("balance-exact-only", version=__version__)]
    setup = tally.plan.new_setup
    lines = [
        say(
            "balance-made",
            games=tally.total().games,
            players=" – ".join(dict.fromkeys(setup.players)),
            mode=setup.mode,
            seed=setup.seed,
            version=__version__,
            cards=setup.fingerprint,
        )
    ]
    if figures.older is not None:
        lines.append(say("balance-compared-with", version=figures.compared_with or say("balance-files")))
    return lines


def _sections(figures: Figures) -> list[Section]:
    """Return the sections of the page, those of games only if some were played."""
    tally = figures.tally
    sections = [_power_section(figures), _odds_section(figures)]
    if tally is None or not tally.total().games:
        return sections
    if figures.worths:
        sections.insert(0, _cards_section(figures))
    return [_squads_section(figures, tally), *sections, _games_section(figures, tally)]


def _squads_section(figures: Figures, tally: Tally) -> Section:
    """How often SQUADs win, against all others, in each pair, and compared with an older version."""
    say = figures.words.say
    tables = [squads_table(figures, tally)]
    if len(tally.plan.pairs) > 1:
        tables.append(pairs_table(figures, tally))
    if len(tally.plan.setups) > 1:
        tables.append(comparison_table(figures, tally))
    return Section(
        "squads",
        say("balance-squads"),
        (say("balance-squads-lead"),),
        bars=(squad_bars(figures, tally),),
        tables=tuple(tables),
    )


def _cards_section(figures: Figures) -> Section:
    """What the cards that stand out do for winning."""
    say = figures.words.say
    lead = (say("balance-worth-lead"), say("balance-played-lead"))
    return Section("cards", say("balance-worth-title"), lead, tables=(worth_table(figures),))


def _power_section(figures: Figures) -> Section:
    """What cards add to attacks, and what OPERATORs cost for it."""
    say = figures.words.say
    return Section(
        "power",
        say("balance-prices-title"),
        (say("balance-power-lead"), say("balance-scatter-lead")),
        scatter=power_scatter(figures),
        tables=tuple(power_tables(figures)),
    )


def _odds_section(figures: Figures) -> Section:
    """The odds of all pairs of OPERATORs."""
    say = figures.words.say
    return Section("odds", say("balance-odds"), (say("balance-odds-lead"),), tables=(odds_table(figures),))


def _games_section(figures: Figures, tally: Tally) -> Section:
    """How games go."""
    say, total = figures.words.say, tally.total()
    most_frequent_first = sorted(total.endings, key=lambda by: -total.endings[by])
    endings = [
        say(
            "balance-ending",
            by=say(f"balance-by-{by}"),
            share=figures.percent(total.endings[by] / total.games),
        )
        for by in most_frequent_first
    ]
    actions = ", ".join(f"{name.upper()} {number}" for name, number in sorted(total.actions.items()))
    sentences = (
        say("balance-begins", **interval_words(figures, tally.first_player_rate())),
        say("balance-decided", endings="; ".join(endings)),
        say("balance-actions", actions=actions),
    )
    return Section("games", say("balance-games-title"), sentences, bars=(round_bars(figures, tally),))
