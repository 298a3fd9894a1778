"""The tables of nouns: stats, counters, statuses, steps, durations, ranges, and keys of card files."""

from __future__ import annotations

from msgspec import Struct

from toolkit.vocabulary.roles import ACTIONS
from toolkit.vocabulary.verbs import KEYWORDS


class Stat(Struct, frozen=True):
    """A number printed on every OPERATOR, which effects can change.

    ``name`` is its word, in lower case its key in card files; ``title`` is its long name, ``meaning``
    explains it in one line, ``written`` are other words that people write for the key. ``worth`` is the value
    of a point relative to one of AP, for estimating the price of an OPERATOR. A ``required`` stat must be on
    every card; any other has the VALUE 0 if a card omits it, and is printed only if a card has it.
    """

    name: str
    title: str
    meaning: str
    written: str = ""
    worth: float = 1.0
    required: bool = True

    @property
    def key(self) -> str:
        """Its key in card files."""
        return self.name.lower()


STATS: dict[str, Stat] = {
    stat.name: stat
    for stat in (
        Stat("AP", "Attack points", "attack points; an attack hits if the attacker's AP are higher than the "
             "attacked OPERATOR's EP", "attack atk att offence offense power strength damage angriff"),
        Stat("EP", "Evasion points",
             "evasion points; an attack hits if the attacker's AP are higher than these",
             "evasion evade dodge agility ausweichen"),
        Stat("DP", "Defence points", "defence points; an OPERATOR with as many HITCOUNTER becomes HIT (H-1)",
             "defence defense def hp health life lives hitpoints toughness verteidigung leben", worth=0.5),
        Stat("MP", "Movement points", "movement points", "movement move speed mov bewegung", worth=0.5),
    )
}  # fmt: skip
"""The stats, in the order in which they are printed (RULES.md §2)."""

LAYERED = (*STATS, "DAMAGE", "RANGE")
"""The numbers that effects change in layers (N-2): stats, the DAMAGE of an attack (E-14), RANGE (E-16)."""

COUNTERS = ("HITCOUNTER", "OBJECTIVECOUNTER")
"""The counters on an OPERATOR, which events change."""

FACTS = ("SQUADPOINTS", "FIELDPOSITION")
"""Numbers of an OPERATOR that effects can read but not change."""

STATUSES = ("NORMAL", "EXHAUSTED", "HIT", "OUT", "SUPPRESSED")
"""The statuses of C-2, and SUPPRESSED, which the ruleset defines (M-1)."""

STEPS = (
    "SUPPRESSION",
    "SKILL",
    "TEAMWORK",
    "STRATEGY",
    "ATTACK and DEFENCE cards",
    "ATTACK D6 and DEFENCE D6",
)
"""The steps of MODIFY in order; step 1 is ``STEPS[0]`` (M-1 to M-6)."""

DURATIONS = {
    "ATTACK": "until end of ATTACK",
    "TURN": "until end of TURN",
    "ROUND": "until end of ROUND",
    "own TURN": "until the own TURN begins",
    "FIELD": "while on the FIELD",
    "permanently": "permanently",
}
"""The words of each DURATION by name."""

PRINTED = ("en", "de")
"""The codes of the languages of generated rules text: those of ``wording.languages``."""

IGNORABLE_STEPS = ("SUPPRESSION", "TEAMWORK", "STRATEGY", "SKILLs", "ATTACK cards", "DEFENCE cards")
IGNORABLE_ACTIONS = ("MOVE", "MEDIC", "EVADE")
IGNORABLE = (*IGNORABLE_STEPS, *IGNORABLE_ACTIONS)
"""What an OPERATOR can ignore: steps of MODIFY, and what the ruleset's ACTIONs do to its numbers."""

RANGES: dict[str, tuple[int, int]] = {
    "VALUE": (0, 20),
    "SQUADPOINTS": (0, 20),
    "FIELDPOSITION": (1, 8),
    "ROUND": (1, 99),
    "current": (0, 99),
    "hand": (0, 99),
    "DECK": (0, 999),
    "SAVEZONE": (0, 99),
    "DAMAGE": (0, 99_999),
    "threshold": (2, 6),
    "D6": (1, 6),
}
"""The minimum and maximum of each sort of number (LANGUAGE.md §1); ``current`` is for counters, too.

``hand``, ``DECK`` (also for the DISCARDZONE) and ``SAVEZONE`` are numbers of what is there. DAMAGE is never
below 0 (E-14), and no rule limits what multiplies it.
"""


NOUNS = {
    **{keyword.name: keyword.meaning for keyword in KEYWORDS.values()},
    **{action.name: action.meaning for action in ACTIONS.values()},
    **{stat.name: stat.meaning for stat in STATS.values()},
    "VALUE": "the number printed on the card, without any change (N-1)",
    "HITCOUNTER": "the damage on an OPERATOR (H-1)",
    "OBJECTIVECOUNTER": "how far an OPERATOR is on its way to the OBJECTIVE (A-2b)",
    "SQUADPOINTS": "what an OPERATOR costs in a squad",
    "FIELDPOSITION": "the place on the FIELD, 1 to 8 (F-1)",
    "FIELD": "where OPERATORs act; the others wait in the SAVEZONE (F-1, F-2)",
    "RANGE": "the places that an OPERATOR reaches with its attack (R-1)",
    "TEAM": "the group that an OPERATOR belongs to",
    "TURN": "a player's part of a ROUND",
    "ROUND": "one TURN of each player; as a number, how many there have been",
    "OPERATOR": "a figure on the FIELD",
    "OPERATORs": "figures on the FIELD",
    "OBJECTIVE": "what OPERATORs REACH and CAPTURE on their FIELDPOSITION (F-3)",
    "REACHES": "its OBJECTIVECOUNTER is at least the value of the OBJECTIVE of its FIELDPOSITION (A-2b)",
    "CAPTURES": "moves again after it has REACHED the OBJECTIVE (A-2b)",
    "REACHED": "its OBJECTIVECOUNTER is high enough for the OBJECTIVE of its FIELDPOSITION (A-2b)",
    "CAPTURED": "of an OBJECTIVE: won by an OPERATOR that had REACHED it and moved again (A-2b)",
    "OBJECTIVEs": "what OPERATORs REACH and CAPTURE on their FIELDPOSITION (F-3)",
    "SAVEZONE": "where OPERATORs wait that are not on the FIELD (F-2)",
    "DECK": "the face-down cards that a player draws from",
    "DISCARDZONE": "the face-up cards that a player has played or discarded",
    "EFFECT": "a card that acts once, when it is played",
    "GAME": "from the setup to the victory",
    "DAMAGE": "what an attack that hits adds to the HITCOUNTER: AP - EP (E-14)",
    "MARKER": "a counter of the project's own, by its id in quotes (E-11)",
    "KEYWORD": "a keyword of the project's own, by its id in quotes (E-12)",
    "ACTION": f"what an OPERATOR does in its TURN: {', '.join(ACTIONS)} (T-3)",
    "DEFENCE": "the cards and the D6 of the OPERATOR that is attacked",
    "ANY": "any ACTION",
    "D6": "a die with six sides, rolled in an attack (M-6)",
    "SUPPRESSED": "the condition of the ruleset's SUPPRESSION holds for this OPERATOR (M-1)",
    "EXHAUSTED": "has acted and waits to be NORMAL again (C-2, T-5)",
    "NORMAL": "neither EXHAUSTED, HIT nor OUT (C-2)",
    "HIT": "has as many HITCOUNTER as DP, and cannot act (H-1)",
    "OUT": "out of the game (C-2)",
    "ITEM": "a card that stays attached to an OPERATOR",
    "ITEMs": "cards that stay attached to an OPERATOR",
    "SUPPRESSION": "step 1 of MODIFY, with the ruleset's rule (M-1)",
    "SKILL": "what an OPERATOR can do by itself; step 2 of MODIFY (M-2)",
    "SKILLs": "what an OPERATOR can do by itself; step 2 of MODIFY (M-2)",
    "TEAMWORK": "step 3 of MODIFY, with the mode's rule (M-3)",
    "STRATEGY": "the cards in strategy positions; step 4 of MODIFY (M-4)",
}
"""The capitalised words of the effect language, each explained in one line."""

KEYS = {
    **{stat.key: stat.written for stat in STATS.values()},
    "quantity": "count copies amount number num qty quantities anzahl menge stück exemplare",
    "squadpoints": "cost costs price points pts value kosten preis punkte",
    "name": "title label titel bezeichnung",
    "kind": "type card_type cardtype category class typ art_der_karte kartentyp",
    "team": "faction team_id side group clan fraktion",
    "traits": "classes merkmale eigenschaften",
    "keywords": "keyword schlüsselwörter",
    "markers": "marker tokens counters marken",
    "skills": "ability abilities effects fähigkeit fähigkeiten",
    "effect": "ability abilities rules rule rules_text text_box skill wirkung effekt",
    "text_only": "manual by_hand manual_text manual_rules house_text nur_text regeltext",
    "flavour": "flavor_text flavour_text description desc lore quote beschreibung zitat",
    "art": "image picture img artwork illustration bild",
    "logo": "image picture img icon emblem sign art zeichen",
    "colours": "color colors colour farbe farben",
    "value": "cost points target goal wert",
    "minimum": "min least lowest mindestens",
    "maximum": "max most highest limit höchstens",
    "max_rounds": "rounds turns turn_limit round_limit runden",
    "hand_limit": "hand_size max_hand maximum_hand",
    "starting_hand": "start_hand opening_hand hand starthand",
    "field_positions": "positions lanes slots",
    "languages": "language locales langs lang sprache sprachen",
    "project": "name title projekt",
    "author": "by designer creator autor",
    "cards": "card operators karten",
    "teams": "factions fraktionen",
    "objectives": "goals missions ziele",
}
"""Other words that people write for keys of YAML files, by key; ignored where the word is itself a key."""
