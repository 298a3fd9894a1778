"""Findings about the appearance of a project that need no printing.

low-contrast and similar-colours: colours of TEAMs that some people cannot distinguish, on one card or on two.
The contrast is that of WCAG 2.2, success criterion 1.4.11: 3 : 1 for what is not text. Colour blindness is
simulated (``colours.py``). Name and logo distinguish TEAMs too, so these are warnings. unknown-theme: a theme
that does not exist.

Jinja is imported only for themes of a project: it takes 16 ms of a check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from toolkit.data.model import CardSet, Team
from toolkit.diagnostics import Diagnostic, Label, correction, suggestion
from toolkit.render.checks.look_findings import look_findings
from toolkit.render.colours import VISIONS, Vision, contrast, distance, nearest_colour, readable
from toolkit.vocabulary.nearest import nearest

MIN_CONTRAST = 3.0

MIN_DISTANCE = 10.0
"""Two TEAMs differ if their first or their second colours are that far apart, see ``colours.distance``."""

MAX_COMPARED = 40
"""The number of following TEAMs with which each is compared: all pairs of thousands would take minutes."""

_PROPOSALS = 5
"""The number of findings with a proposed colour: each takes a search of 1,800 colours."""

_Colours = tuple[str, str]

_SHIPPED_THEMES = ("classic", "tournament")
"""Themes that are known without importing the module that lists folders of templates, to save time."""


def appearance_findings(cards: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about the theme, the look and fonts, and about TEAMs whose colours are too close."""
    yield from _theme(cards)
    yield from look_findings(cards.project)
    colours_by_team = {team: _two_colours(team) for team in cards.teams.values() if team.colours}
    for team, colours in colours_by_team.items():
        yield from _contrast(team, colours)
    finding_count = 0
    earlier_teams: list[Team] = []
    for team, colours in colours_by_team.items():
        alike = next(_alike_before(team, earlier_teams[-MAX_COMPARED + 1 :], colours_by_team), None)
        earlier_teams.append(team)
        if alike is not None:
            earlier_team, visions = alike
            finding_count += 1
            better = None
            if finding_count <= _PROPOSALS:
                others = [
                    other_colours for other, other_colours in colours_by_team.items() if other is not team
                ]
                better = _propose_colour(colours, others)
            yield _similar(earlier_team, team, visions, better)


def _two_colours(team: Team) -> _Colours:
    """Return the first two colours of a TEAM; one that has a single colour has it twice."""
    first, *others = team.colours
    return first, next(iter(others), first)


def _alike_before(
    team: Team, earlier: Iterable[Team], colours: Mapping[Team, _Colours]
) -> Iterator[tuple[Team, list[Vision]]]:
    """Yield the TEAMs before a TEAM whose colours look like its own, with the visions; none for the same."""
    for other in earlier:
        visions = _visions_alike(colours[other], colours[team])
        if other.colours == team.colours:
            yield other, []
        elif visions:
            yield other, visions


def _contrast(team: Team, colours: _Colours) -> Iterator[Diagnostic]:
    """Yield a finding if the two colours of a TEAM cannot be distinguished on its cards."""
    first, second = colours
    ratio = contrast(first, second)
    if len(team.colours) > 1 and ratio < MIN_CONTRAST:
        better = readable(second, first, MIN_CONTRAST)
        span = team.span_of("colours", 1)
        yield Diagnostic(
            "low-contrast",
            f"The colours {first} and {second} of the TEAM `{team.id}` have a contrast of {ratio:.1f} : 1; "
            f"to be distinguished on a card they need {MIN_CONTRAST:g} : 1.",
            span,
            f'"{better}" instead of "{second}" would work.',
            card=team.id,
            fix=correction(span, better, safe=False),
        )


def _visions_alike(colours: _Colours, other: _Colours) -> list[Vision]:
    """Return the visions with which both the first and the second colours of two TEAMs look alike."""
    return [
        vision
        for vision in VISIONS
        if all(distance(*pair, vision) < MIN_DISTANCE for pair in zip(colours, other, strict=True))
    ]


def look_alike(colours: _Colours, teams: Iterable[Sequence[str]]) -> bool:
    """Whether the colours of a new TEAM look like those of one of the given TEAMs."""
    return any(_visions_alike(colours, (team[0], team[-1])) for team in teams)


def _propose_colour(colours: _Colours, other_colours: list[_Colours]) -> str | None:
    """Return the nearest first colour with enough contrast that differs from all other TEAMs.

    A TEAM with one colour has it twice, so that its second colour changes with the first.
    """
    first, second = colours
    has_one_colour = first == second
    least_contrast = 0.0 if has_one_colour else min(MIN_CONTRAST, contrast(first, second))

    def passes(colour: str) -> bool:
        proposed = (colour, colour if has_one_colour else second)
        if contrast(*proposed) < least_contrast:
            return False
        return not any(_visions_alike(proposed, other) for other in other_colours)

    return nearest_colour(first, passes)


def _similar(team: Team, other: Team, visions: list[Vision], better: str | None) -> Diagnostic:
    """Return the finding about two TEAMs of the same colours (no ``visions``) or colours that look alike."""
    look_alike_to_all = not visions or "full colour vision" in visions
    to_whom = "" if look_alike_to_all else f" to people with {' or '.join(visions)}"
    span = other.span_of("colours", 0)
    first_colour, *_ = other.colours
    step = "Give one of them different colours."
    if better:
        step = f'"{better}" instead of "{first_colour}" would work.'
    return Diagnostic(
        "similar-colours",
        f"The colours of the TEAMs `{team.id}` and `{other.id}` look alike{to_whom}.",
        span,
        step,
        (Label(team.span_of("colours", 0), "the other TEAM"),),
        other.id,
        correction(span, better, safe=False),
    )


def _theme(cards: CardSet) -> Iterator[Diagnostic]:
    """Yield a finding if the project names a theme that does not exist."""
    theme = cards.project.theme
    if theme in _SHIPPED_THEMES:
        return
    from toolkit.render.fetch import list_themes

    known_themes = list_themes(cards.project.root)
    if theme not in known_themes:
        span, meant = cards.project.span_of("theme"), nearest(theme, known_themes)
        yield Diagnostic(
            "unknown-theme",
            f"There is no theme `{theme}`; cards are printed in the classic one.",
            span,
            f"Did you mean `{meant}`?"
            if meant
            else f"There are {', '.join(known_themes)}; your own are in templates/themes.",
            fix=suggestion(span, theme, meant, known_themes),
        )
