"""The table of verbs: how each is written, its node in the syntax tree, and what it does.

Grammar checks, printing, checking, completion, the effect objects, lints, coverage and the manual read these
rows. `CONTRIBUTING.md` lists what else a new verb needs.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

Layer = Literal["fix", "multiply", "divide", "add", "subtract", "at most", "at least"]

LIMITS: tuple[Layer, ...] = ("at most", "at least")
"""The layers of limits: first the upper ones, then the lower ones (E-26)."""

LAYERS: tuple[Layer, ...] = ("fix", "multiply", "divide", "add", "subtract", *LIMITS)
"""The order in which modifications of one stat are applied (N-2)."""


class Form(Struct, frozen=True):
    """One form of a verb: a rule of the grammar, and a class of node in the tree.

    ``rule`` is the name after ``->`` in ``grammar/effect.lark``, ``node`` the class in ``dsl/tree.py``.
    ``text`` is its canonical form: ``{field}`` is a field of the node, ``{card}`` is ``card`` or ``cards``,
    whichever fits the number before it; ``{count}`` may be ``up to 2`` and ``all``. ``fixed`` are fields that
    the form implies: ``doubles`` has factor 2.

    What it does: ``player`` says that players do it, and not OPERATORs; ``once`` that it comes about at a
    moment and so needs an event; ``lasts`` that an event must say for how long. ``layer`` is that of a
    change of a stat (N-2; of ``Gets`` it depends on the sign), ``step`` the step of MODIFY if it is not that
    of its card (M-6). ``from_start`` says that it applies from the start of an attack (M-8). ``triggers`` are
    those under which alone it may stand, if it does not stand under any event. ``keyword`` is what cards
    explain.

    ``touches`` is what it can change of an attack whose AP and EP are compared already: a number or counter
    (``{field}`` as above), ``places`` for who is face up where, with which card, KEYWORD or trait, ``GAME``
    for its end, and the events that come of it; None if that is not known.

    For lints: ``changes`` is the number that it changes (``{field}`` as above), ``good`` whether it is good
    for its subject, None if that depends; ``less_is_more`` says that a lower number is stronger, as for the
    threshold of CRITICAL.
    """

    rule: str
    node: str
    text: str
    fixed: tuple[tuple[str, int], ...] = ()
    player: bool = False
    once: bool = False
    lasts: bool = True
    layer: Layer | None = None
    step: int | None = None
    from_start: bool = False
    triggers: tuple[str, ...] = ()
    keyword: str | None = None
    touches: tuple[str, ...] | None = None
    changes: str | None = None
    good: bool | None = None
    less_is_more: bool = False

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the node that are part of the text, in order."""
        return tuple(name for name in re.findall(r"\{(\w+)", self.text) if name != "card")


class Verb(Struct, frozen=True):
    """A verb: ``one`` is its form for one OPERATOR, ``many`` for several.

    ``meaning`` explains it in one line, ``note`` is what the manual adds.
    """

    one: str
    many: str
    example: str
    meaning: str
    forms: tuple[Form, ...]
    note: str = ""


class Keyword(Struct, frozen=True):
    """A keyword that verbs give and cards explain; ``meaning`` explains it in one line."""

    name: str
    rule: str
    meaning: str


KEYWORDS: dict[str, Keyword] = {
    keyword.name: keyword
    for keyword in (
        Keyword("PERFORMANCE", "K-1", "what a player fulfils for a reward (K-1)"),
        Keyword(
            "RULEVIOLATION",
            "K-2",
            "after its ACTION a D6 is rolled for the OPERATOR; below the number it is OUT (K-2)",
        ),
        Keyword("BONUS", "K-3", "one more ACTION in this TURN, of the kind in parentheses (K-3)"),
        Keyword("CRITICAL", "M-7", "of a die or an attack: it counts for more (M-7)"),
    )
}

DICE_STEP = 6
"""The step of MODIFY in which verbs about dice act, whatever card they are on (M-6)."""


VERBS = (
    Verb(
        "gets", "get", "gets +2 AP", "adds to a stat, a counter, a MARKER, DAMAGE or RANGE, or subtracts",
        (Form("gets", "Gets", "gets {amount:+d} {what}{per}", changes="{what}", touches=("{what}",)),),
        "An amount can be counted: `for each` with a group or a number, and `(max 2)` for a limit. Counters "
        "and MARKERs change only at an event; a stat, DAMAGE or RANGE that an event changes needs a DURATION."
        " DAMAGE is what the OPERATOR takes: `gets -2 DAMAGE` is armour (E-14).",
    ),
    Verb(
        "doubles", "double", "doubles AP", "twice the stat, or the DAMAGE that it takes",
        (Form("doubles", "Multiplies", "doubles {stat}", (("factor", 2),), layer="multiply", changes="{stat}",
              good=True, touches=("{stat}",)),),
    ),
    Verb(
        "multiplies", "multiply", "multiplies AP by 3", "the stat or the DAMAGE that many times",
        (Form("multiplies", "Multiplies", "multiplies {stat} by {factor}", layer="multiply", changes="{stat}",
              good=True, touches=("{stat}",)),),
    ),
    Verb(
        "halves", "halve", "halves EP", "half the stat, or half the DAMAGE that it takes",
        (Form("halves", "Divides", "halves {stat}", (("divisor", 2),), layer="divide", changes="{stat}",
              good=False, touches=("{stat}",)),),
    ),
    Verb(
        "divides", "divide", "divides EP by 3", "the stat or the DAMAGE divided",
        (Form("divides", "Divides", "divides {stat} by {divisor}", layer="divide", changes="{stat}",
              good=False, touches=("{stat}",)),),
    ),
    Verb(
        "fixes", "fix", "fixes EP at 5", "the stat or the DAMAGE is that number",
        (Form("fixes", "Fixes", "fixes {stat} at {value}", layer="fix", changes="{stat}",
              touches=("{stat}",)),),
    ),
    Verb(
        "limits", "limit", "limits DAMAGE to 3", "the stat or the DAMAGE is never above that, or below it",
        (
            Form("limits_above", "Limits", "limits {stat} to {bound}", (("at_least", False),),
                 layer="at most", changes="{stat}", good=False, touches=("{stat}",)),
            Form("limits_below", "Limits", "limits {stat} to at least {bound}", (("at_least", True),),
                 layer="at least", changes="{stat}", good=True, touches=("{stat}",)),
        ),
        "`limits AP to 5` is an upper limit, `limits AP to at least 1` a lower one. Limits come behind all "
        "other changes, and a lower limit wins over an upper one (E-26). A lower limit of DAMAGE counts only "
        "if the attack hits.",
    ),
    Verb(
        "ignores", "ignore", "ignores SUPPRESSION", "what that step would change is not applied",
        (Form("ignores", "Ignores", "ignores {what}", from_start=True),),
        "What that step would change in the numbers of this OPERATOR is not applied. `ignores MOVE` (MEDIC, "
        "EVADE): what the ruleset's ACTION would change in them is not, asked when it is performed.",
    ),
    Verb(
        "rolls", "roll", "rolls +1 ATTACK D6", "an extra die in step 6",
        (
            Form("rolls", "RollsExtra", "rolls {count:+d} {die} D6", step=DICE_STEP, good=True, touches=()),
            Form("rolls_a_die", "RollsDie", "rolls a D6 for {threshold}+", player=True, once=True,
                 lasts=False, touches=()),
        ),
        "ATTACK D6 are the attacker's, DEFENCE D6 the attacked OPERATOR's. `owner rolls a D6 for 4+` "
        "succeeds on 4 or more; `, if so,` and `, if not,` say what follows (E-20).",
    ),
    Verb(
        "may reroll", "may reroll", "may reroll 1 ATTACK D6", "a die may be rolled again, once",
        (Form("rerolls", "MayReroll", "may reroll {count} {enemy}{die} D6{shown}", step=DICE_STEP,
              good=True, touches=()),),
        "The OPERATOR's player may roll one die again; with `enemy` it is a die of the other OPERATOR, with "
        "`<= 2` one that shows so (E-25).",
    ),
    Verb(
        "keeps", "keep", "keeps the highest ATTACK D6", "the other dice are set aside",
        (
            Form("keeps_highest", "KeepsDice", "keeps the highest {die} D6",
                 (("count", 1), ("highest", True)), step=DICE_STEP, touches=()),
            Form("keeps_several_highest", "KeepsDice", "keeps the {count} highest {die} D6",
                 (("highest", True),), step=DICE_STEP, touches=()),
            Form("keeps_lowest", "KeepsDice", "keeps the lowest {die} D6",
                 (("count", 1), ("highest", False)), step=DICE_STEP, touches=()),
            Form("keeps_several_lowest", "KeepsDice", "keeps the {count} lowest {die} D6",
                 (("highest", False),), step=DICE_STEP, touches=()),
        ),
        "`keeps the 2 highest ATTACK D6` keeps two. What is set aside is not added and cannot be CRITICAL "
        "(E-23).",
    ),
    Verb(
        "sets", "set", "sets 1 ATTACK D6 to 6", "a die shows that number",
        (Form("sets", "SetsDice", "sets {count} {enemy}{die} D6 to {result}", step=DICE_STEP, touches=()),),
        "The OPERATOR's player chooses which die; with `may` it can be declined, with `enemy` it is a die of "
        "the other OPERATOR. Dice are set after all rerolls (E-24).",
    ),
    Verb(
        "makes", "make", "makes ATTACK D6 CRITICAL on 5+", "which dice, or that the attack, is CRITICAL",
        (
            Form("critical_on", "MakesDiceCritical", "makes ATTACK D6 CRITICAL on {threshold}+",
                 step=DICE_STEP, keyword="CRITICAL", good=True, less_is_more=True, touches=()),
            Form("critical", "MakesAttackCritical", "makes the attack CRITICAL", step=DICE_STEP,
                 keyword="CRITICAL", touches=()),
        ),
        "`CRITICAL on 5+` makes this OPERATOR's ATTACK D6 critical from 5; of several the lowest threshold "
        "counts.",
    ),
    Verb(
        "cannot", "cannot", "cannot perform MOVE", "forbids",
        (
            Form("cannot_perform", "CannotPerform", "cannot perform {action}", from_start=True, good=False,
                 touches=()),
            Form("cannot_be_attacked", "CannotBeAttacked", "cannot be attacked", from_start=True, good=True,
                 touches=()),
            Form("cannot_have_defence", "CannotHaveDefence", "cannot have DEFENCE cards", from_start=True,
                 good=False, touches=()),
            Form("cannot_have", "CannotHave", "cannot have {what}", from_start=True, good=False, touches=()),
            Form("cannot_make_critical", "CannotMakeCritical", "cannot make the attack CRITICAL",
                 step=DICE_STEP, from_start=True, good=False, touches=()),
            Form("cannot_lose_hitcounter", "CannotLoseHitcounter", "cannot lose HITCOUNTER", from_start=True,
                 changes="HITCOUNTER", good=False, touches=()),
            Form("cannot_play", "CannotPlay", "cannot play {kind}cards", player=True, from_start=True,
                 changes="hand", good=False, touches=()),
            Form("cannot_draw", "CannotDraw", "cannot draw cards", player=True, from_start=True,
                 changes="hand", good=False, touches=()),
        ),
        "Who cannot have `ITEMs`, `ATTACK cards`, `DEFENCE cards` or `cards` gets none attached; what lies "
        "there stays. Of players: `opponent cannot play EFFECT cards`, `cannot draw cards`. What is "
        "forbidden stays forbidden, whatever says the contrary (E-33).",
    ),
    Verb(
        "gains", "gain", "gains BONUS (ATTACK)", "a keyword or a trait",
        (
            Form("ruleviolation", "GainsRuleviolation", "gains RULEVIOLATION {threshold}+",
                 keyword="RULEVIOLATION", good=False, touches=("places", "becomes OUT")),
            Form("bonus", "GainsBonus", "gains BONUS ({action})", lasts=False, keyword="BONUS", good=True,
                 touches=()),
            Form("gains_keyword", "GainsKeyword", 'gains KEYWORD "{keyword}"', touches=("places",)),
            Form("gains_trait", "GainsTrait", 'gains trait "{trait}"', touches=("places",)),
        ),
        "RULEVIOLATION 4+: at the end of the OPERATOR's ACTION a D6 is rolled, and on less than 4 it is OUT. "
        "BONUS (MOVE): one more MOVE in this TURN; BONUS (ANY): any ACTION. `gains KEYWORD \"x\"` and "
        "`gains trait \"x\"` give a keyword of the project or a trait (E-12).",
    ),
    Verb(
        "fulfils", "fulfil", "fulfils PERFORMANCE", "the player gets a reward (K-1)",
        (Form("performance", "FulfilsPerformance", "fulfils PERFORMANCE", player=True, once=True, lasts=False,
              keyword="PERFORMANCE", good=True, touches=("places", "attached")),),
    ),
    Verb(
        "draws", "draw", "draws 2 cards", "cards from the DECK",
        (
            Form("draws", "Draws", "draws {count} {card}{per}", player=True, once=True, lasts=False,
                 changes="hand", good=True, touches=()),
            Form("draws_items", "FetchesItems", "draws {count} ITEMs", player=True, once=True, lasts=False,
                 touches=("places", "attached")),
        ),
        "An ITEM comes from the top of the own ITEMDECK onto an own OPERATOR that may bear one; its player "
        "chooses which (E-28).",
    ),
    Verb(
        "discards", "discard", "discards 1 card", "cards from the hand, or from play",
        (
            Form("discards", "Discards", "discards {count} {random}{kind}{card}{per}", player=True, once=True,
                 lasts=False, changes="hand", good=False, touches=()),
            Form("discards_strategy", "DiscardsStrategy", "discards {count} {random}{side}STRATEGY in play",
                 player=True, once=True, lasts=False, touches=("places",)),
            Form("discards_this_card", "DiscardsThisCard", "discards this card", player=True, once=True,
                 lasts=False, touches=("places",)),
        ),
        "`1 random card` is drawn by chance, `1 ATTACK card` one of that kind; `1 enemy STRATEGY in play` "
        "and `this card` leave play (E-17). `up to 3 cards` are as many as the player likes, `all cards` "
        "all of them; `for each discarded card` counts them afterwards (E-13).",
    ),
    Verb(
        "looks", "look", "looks at enemy hand", "the player sees cards",
        (Form("looks_at", "LooksAt", "looks at {source}", player=True, once=True, lasts=False, touches=()),),
        "At a hand, a DECK, a DISCARDZONE, or `the top 3 cards of own DECK`. A DECK is shuffled afterwards, "
        "top cards go back in an order that the player chooses (E-13).",
    ),
    Verb(
        "puts", "put", "puts 1 card from own DISCARDZONE into the hand",
        "moves cards from one place to another",
        (
            Form("puts", "Puts", "puts {count} {random}{kind}{card} from {source} {to}", player=True,
                 once=True, lasts=False, touches=()),
            Form("puts_this_card", "PutsThisCard", "puts this card {to}", player=True, once=True,
                 lasts=False, touches=("places",)),
        ),
        "From a hand, a DECK, a DISCARDZONE or `the top 3 cards of own DECK`, `into the hand`, `onto the "
        "DECK`, `under the DECK` or `into the DISCARDZONE` of the player whose card it is (E-13). How many "
        "as with `discards`. `this card` is the one that bears the sentence: it comes back, and cannot be "
        "played or attached again in this TURN.",
    ),
    Verb(
        "shuffles", "shuffle", "shuffles the DECK", "mixes the own DECK",
        (Form("shuffles", "Shuffles", "shuffles the DECK", player=True, once=True, lasts=False, touches=()),),
        "Of `opponent` it is the opponent's (E-13).",
    ),
    Verb(
        "becomes", "become", "becomes EXHAUSTED", "changes the status",
        (
            Form("becomes", "Becomes", "becomes {status}", once=True, lasts=False, changes="status",
                 touches=("places", "becomes OUT")),
            Form("becomes_target", "BecomesTarget", "becomes the target", once=True, lasts=False,
                 triggers=("attack-by-begins", "attack-on-begins")),
        ),
        "Only at an event. HIT cannot be given: its HITCOUNTER makes an OPERATOR HIT. `becomes the target` "
        "makes it the attacked OPERATOR when an attack on another of its side begins (E-22).",
    ),
    Verb(
        "loses", "lose", "loses ITEM", "what is attached goes to its DISCARDZONE",
        (
            Form("loses", "Loses", "loses {what}", once=True, lasts=False, touches=("places",)),
            Form("loses_skills", "LosesSkills", "loses SKILLs", once=True, touches=("places",)),
            Form("loses_game", "LosesGame", "loses the GAME", player=True, once=True, lasts=False,
                 good=False, touches=("GAME",)),
        ),
        "`card`, `ATTACK card`, `DEFENCE card` or `ITEM`; its effect ends at once (E-17). `loses SKILLs` "
        "takes away all its SKILLs and KEYWORDs for a time, so it needs a DURATION (E-29). Of a player: "
        "`owner loses the GAME` (E-31).",
    ),
    Verb(
        "wins", "win", "wins the GAME", "the GAME ends when the sentence has been carried out",
        (Form("wins_game", "WinsGame", "wins the GAME", player=True, once=True, lasts=False, good=True,
              touches=("GAME",)),),
        "If both players would win by it, nobody does (E-31).",
    ),
    Verb(
        "takes", "take", "takes ITEM of target", "gets the ITEM of another OPERATOR attached",
        (Form("takes_item", "TakesItem", "takes ITEM of {partner}", once=True, lasts=False,
              touches=("places", "attached")),),
        "Only an OPERATOR without a card. The ITEM acts for it at once, and is its player's until it goes to "
        "the ITEMDISCARDZONE of whose it was (E-28).",
    ),
    Verb(
        "performs", "perform", "performs ATTACK", "an ACTION at once, when all that goes on is over",
        (Form("performs", "Performs", "performs {action}", once=True, lasts=False, touches=()),),
        "Mostly with `may`. A free ACTION: it counts towards no limit and exhausts nobody; the OPERATOR's "
        "player chooses. At most one in a TURN by the same sentence (E-32).",
    ),
    Verb(
        "swaps", "swap", "swaps places with one other own OPERATOR", "changes places with another OPERATOR",
        (Form("swaps_places", "SwapsPlaces", "swaps places with {partner}", once=True, lasts=False),),
        "With an OPERATOR of its own side, on the FIELD or in the SAVEZONE (E-10).",
    ),
    Verb(
        "advances", "advance", "advances", "its MP are added to its OBJECTIVECOUNTER",
        (Form("advances", "Advances", "advances", once=True, lasts=False, changes="OBJECTIVECOUNTER",
              good=True, touches=("places", "OBJECTIVECOUNTER", "captures")),),
        "As by the MOVE ACTION; it REACHES or CAPTURES the OBJECTIVE (E-10).",
    ),
    Verb(
        "retreats", "retreat", "retreats", "goes from the FIELD into the SAVEZONE",
        (Form("retreats", "Retreats", "retreats", once=True, lasts=False, touches=("places",)),),
        "Its counters and its card go; if no place is free there, nothing happens (E-10).",
    ),
    Verb(
        "enters", "enter", "enters the FIELD", "comes from the SAVEZONE onto the FIELD",
        (Form("enters", "EntersField", "enters the FIELD", once=True, lasts=False,
              touches=("places", "enters")),),
        "NORMAL, onto a free FIELDPOSITION that the controller of the effect chooses (E-10).",
    ),
)  # fmt: skip

FORMS: dict[str, Form] = {form.rule: form for verb in VERBS for form in verb.forms}
"""The forms of all verbs, by the rule of the grammar."""

VERB_OF: dict[str, Verb] = {form.node: verb for verb in VERBS for form in verb.forms}
"""The verb of each node; of two with the same node (`doubles`, `multiplies`) the later, more general one."""

VERB_WORDS = {word.split()[0] for verb in VERBS for word in (verb.one, verb.many)}
"""The first words of all verbs."""

MANY = {verb.one: verb.many for verb in VERBS if verb.many != verb.one}
"""The form for several OPERATORs by that for one, if they differ."""

SECOND_FORMS = {
    **{many: one for one, many in MANY.items()}, "OPERATORs": "OPERATOR", "SKILLs": "SKILL", "cards": "card",
    "ITEMs": "ITEM",
}  # fmt: skip
"""The main form of each word with several equivalent forms."""

UNLISTED = frozenset((*MANY.values(), "OPERATOR", "SKILL", "cards", "ITEMs"))
"""Forms of words that lists of possible words leave out, because they contain the other form."""
