"""Faces for tests and benchmarks: realistic ones of every kind, in English and German."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from toolkit.render.face import KINDS, Face, Kind, RulesText, Stat
from toolkit.source import SourceFile, Span
from toolkit.wording.text import Paragraph, Run

LABELS: dict[str, dict[Kind, str]] = {
    "en": {kind: kind.upper() for kind in KINDS},
    "de": {
        "operator": "OPERATOR",
        "attack": "ANGRIFF",
        "defence": "VERTEIDIGUNG",
        "effect": "EFFEKT",
        "strategy": "STRATEGIE",
        "item": "AUSRÜSTUNG",
        "objective": "ZIEL",
    },
}


@cache
def shipped_faces(lang: str) -> tuple[Face, ...]:
    """All cards of the shipped set."""
    # imported here: benchmarks use the other samples, and measure only what a sheet needs
    from tests.engine.tables import shipped
    from toolkit.project.faces import faces

    return tuple(faces(shipped(), lang))


def ap(text: str = "AP") -> Run:
    return Run("stat", text, text.lower())


def words(*parts: str | Run) -> Paragraph:
    """A paragraph of plain texts and runs."""
    return tuple(Run("text", part) if isinstance(part, str) else part for part in parts)


def source(text: str = "name: Viper\neffect: when attacking\nflavour: Quiet.\n") -> dict[str, Span]:
    file = SourceFile(Path("cards/sample.yaml"), "cards/sample.yaml", text)
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(4)]
    return {
        "card": file.span(0, 11),
        "name": file.span(6, 11),
        "rules": file.span(starts[1] + 8, starts[2] - 1),
        "flavour": file.span(starts[2] + 9, starts[3] - 1),
    }


OVERWATCH_EN = RulesText(
    "Overwatch",
    (
        words(
            "When attacking, if the target is ",
            Run("keyword", "SUPPRESSED"),
            ", this OPERATOR gets +2 ",
            ap(),
            ".",
        ),
    ),
)
OVERWATCH_DE = RulesText(
    "Feuerschutz",
    (
        words(
            "Beim Angreifen: Ist das Ziel ",
            Run("keyword", "UNTERDRÜCKT"),
            ", erhält dieser OPERATOR +2 ",
            ap(),
            ".",
        ),
    ),
)
LUCKY_EN = RulesText(
    "Steady hand",
    (
        words(
            "When attacking, this OPERATOR rolls +1 ",
            Run("die", "ATTACK D6", "attack-d6"),
            " and makes ",
            Run("die", "ATTACK D6", "attack-d6"),
            " ",
            Run("keyword", "CRITICAL"),
            " on 5+. ",
            Run("reminder", "(On a CRITICAL die you may double the AP VALUE instead of adding the die.)"),
        ),
    ),
)
LUCKY_DE = RulesText(
    "Ruhige Hand",
    (
        words(
            "Beim Angreifen würfelt dieser OPERATOR +1 ",
            Run("die", "ATTACK D6", "attack-d6"),
            "; ",
            Run("die", "ATTACK D6", "attack-d6"),
            " von 5+ sind ",
            Run("keyword", "KRITISCH"),
            ". ",
            Run("reminder", "(Bei einem kritischen Würfel darfst du den AP-WERT verdoppeln.)"),
        ),
    ),
)
AURA_DE = RulesText(
    "Zugführerin",
    (words("Alle anderen eigenen OPERATOREN in REICHWEITE erhalten +1 ", ap(), " und +1 ", ap("EP"), "."),),
)


def operator(name: str = "Viper", lang: str = "en", **changes: object) -> Face:
    """An OPERATOR of the Night Owls."""
    german = lang == "de"
    values: dict[str, object] = {
        "id": name.lower().replace(" ", "-"),
        "kind": "operator",
        "name": name,
        "lang": lang,
        "kind_label": LABELS[lang]["operator"],
        "squadpoints": 4,
        "team_name": "Nachteulen" if german else "Night Owls",
        "team_colours": ("#1d2b3a", "#e8c547"),
        "traits": ("sniper",),
        "stats": (Stat("ap", 4), Stat("ep", 3), Stat("dp", 6), Stat("mp", 2)),
        "skills": (OVERWATCH_DE,) if german else (OVERWATCH_EN,),
        "flavour": "„Still. Noch stiller. Jetzt.“" if german else "“Quiet. Quieter. Now.”",
        "places": source(),
    }
    return Face(**{**values, **changes})  # type: ignore[arg-type]


def deck_card(kind: Kind, name: str, lang: str = "en", **changes: object) -> Face:
    """A card with an effect."""
    german = lang == "de"
    effect = (
        words("Beim Angreifen erhält dieser OPERATOR +2 ", ap(), " und −1 ", ap("EP"), ".")
        if german
        else words("When attacking, this OPERATOR gets +2 ", ap(), " and −1 ", ap("EP"), ".")
    )
    values: dict[str, object] = {
        "id": name.lower().replace(" ", "-"),
        "kind": kind,
        "name": name,
        "lang": lang,
        "kind_label": LABELS[lang][kind],
        "skills": (RulesText(None, (effect,)),),
        "flavour": "Einatmen, ausatmen, warten." if german else "Breathe in, breathe out, wait.",
        "places": source(),
    }
    return Face(**{**values, **changes})  # type: ignore[arg-type]


def objective(name: str = "Radio mast", lang: str = "en", **changes: object) -> Face:
    """An OBJECTIVE."""
    return deck_card("objective", name, lang, **{"skills": (), "value": 4, "flavour": None, **changes})
