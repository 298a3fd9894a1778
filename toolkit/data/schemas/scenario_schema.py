"""The schema of a scenario (LANGUAGE.md §5). What its words refer to is checked by ``scenario_validator``."""

from __future__ import annotations

from toolkit.data.schemas import parts
from toolkit.data.schemas.card_schema import ATTACHABLE_KINDS, DECK_KINDS, KINDS, MAX_MARKERS, keywords, trait
from toolkit.data.schemas.parts import Schema
from toolkit.data.schemas.play_schema import options
from toolkit.vocabulary import ACTIONS, RANGES, STATS, STATUSES

SIDES = ("blue", "red")
"""The two players of a scenario; blue is the first-named squad."""

_POSITIONS = RANGES["FIELDPOSITION"][1]
_STEPS = (*(name.lower() for name in ACTIONS), "play", "end-turn")
_PILES = {"hand": "hand", "deck": "DECK", "discard": "discard pile"}
_WHO_PATTERN = r"^((blue|red)\.)?[a-z0-9]+(-[a-z0-9]+)*" + parts.END


def _who(title: str, description: str = "An OPERATOR: its id, or such as `blue.viper`.") -> Schema:
    """An OPERATOR of the scenario."""
    says = "an id such as `viper` or `blue.viper`"
    return {**parts.text(title, description, _WHO_PATTERN, "invalid-id", says), "x-refers": ["operator"]}


def _card(title: str, *kinds: str, description: str = "The id of a card.") -> Schema:
    return parts.reference(title, description, *kinds)


def _by_side(title: str, description: str, item: Schema) -> Schema:
    cards = {side: parts.listing(side, description, item) for side in SIDES}
    return parts.record(title, description, cards)


def _status() -> Schema:
    return parts.choice("status", "The status.", *(word for word in STATUSES if word != "SUPPRESSED"))


def _counter(title: str) -> Schema:
    return parts.ranged(title, f"Its {title.upper()}.", "current")


def _stats(least: int, about: str) -> dict[str, Schema]:
    """A number for each stat, by its key."""
    _, greatest = RANGES["current"]
    return {
        key: parts.integer(key.upper(), f"{about} {key.upper()}.", least, greatest)
        for key in map(str.lower, STATS)
    }


def _markers(description: str) -> Schema:
    """The numbers of markers by id."""
    number = parts.integer("number", "How many.", 0, MAX_MARKERS)
    return parts.table("markers", description, number, parts.reference("marker", "A marker.", "marker"))


def _state() -> Schema:
    properties = {
        "hitcounter": _counter("hitcounter"),
        "objectivecounter": _counter("objectivecounter"),
        "status": _status(),
        "attached": _card("attached", *ATTACHABLE_KINDS, description="The attached card."),
        "markers": _markers("Its markers, such as `{intel: 2}`."),
        **_stats(-RANGES["current"][1], "A lasting modification of its"),
    }
    state_schema = parts.record("state", "What differs from a fresh OPERATOR.", properties)
    return parts.table("state", "By OPERATOR, what differs from a fresh one.", state_schema, _who("OPERATOR"))


def _step() -> Schema:
    """A step; ``at_once`` lists the ACTIONs that come of it (E-32)."""
    step = _step_of(*_STEPS)
    action = _step_of(*(action.key for action in ACTIONS.values()))
    del action["properties"]["card"]
    at_once = parts.listing("at_once", "ACTIONs at once with their answers, in order (E-32).", action)
    return {**step, "properties": {**step["properties"], **parts.keyed(at_once)}}


def _step_of(*actions: str) -> Schema:
    reward: Schema = {
        "title": "performance",
        "description": "The reward: `draw`, or `{item: scope, to: hawk}`.",
        "type": ["string", "object"],
        "pattern": "^draw" + parts.END,
        "properties": parts.keyed(_card("item", "item"), _who("to")),
        "required": ["item", "to"],
        "additionalProperties": False,
        "x-finding": "unknown-value",
        "x-says": "`draw`, or such as `{item: scope, to: hawk}`",
    }
    cards = _card("card", *DECK_KINDS)
    properties = parts.keyed(
        parts.choice("action", "What is done.", *actions),
        _who("by", "The OPERATOR that does it, or blue or red for `play`."),
        _who("on", "The OPERATOR that is attacked or treated."),
        _who("swap", "The OPERATOR to swap places with in a MOVE. Default: advance."),
        _card("card", *DECK_KINDS, description="The card that is played: the id of a card in hand."),
        _card("attack_card", "attack", description="The attacker's card in step 5."),
        _card("defence_card", "defence", description="The attacked player's card in step 5."),
        _card(
            "late_attack_card",
            "attack",
            description="The attacker's card after the DEFENCE card: the third window.",
        ),
        parts.listing(
            "dice",
            "Results in the order rolled: ATTACK D6, DEFENCE D6, rerolls, others.",
            parts.ranged("D6", "A die.", "D6"),
        ),
        parts.listing(
            "critical",
            "For each critical die in the order rolled.",
            parts.choice("critical", "Double AP, or add the die.", "double", "add"),
        ),
        parts.listing(
            "reroll",
            "Which dice are rerolled, counted as rolled, in the order of asking; `~` declines once.",
            {
                **parts.or_null(parts.integer("die", "A die, counted as rolled.", 1)),
                "x-says": "the number of a die, or `~` to reroll none",
            },
        ),
        parts.listing(
            "set",
            "Which dice are set to a number, counted among those of their side, in the order of asking; `~` "
            "declines once.",
            {
                **parts.or_null(parts.integer("die", "A die, counted among those of its side.", 1)),
                "x-says": "the number of a die, or `~` to set none",
            },
        ),
        reward,
        parts.listing(
            "choose",
            "The OPERATORs that effects choose, in order; `~` chooses no further one for `up to two`.",
            {**parts.or_null(_who("OPERATOR")), "x-says": "an id such as `viper`, or `~` for no further one"},
        ),
        _either(),
        parts.listing(
            "may",
            "Whether each optional part of an effect is carried out, in order.",
            parts.choice("may", "Whether it is carried out.", "yes", "no"),
        ),
        parts.listing(
            "cards",
            "Which cards effects discard or put, in order; `~` chooses no further one for `up to 3 cards`.",
            {**parts.or_null(cards), "x-says": "an id such as `smoke`, or `~` for no further one"},
        ),
        parts.listing("order", "Cards put back on the DECK, top first.", cards),
        parts.listing(
            "place",
            "Where OPERATORs enter the FIELD, in order; 1 is leftmost.",
            parts.ranged("place", "A free FIELDPOSITION.", "FIELDPOSITION"),
        ),
        parts.listing(
            "random",
            "What chance draws, in order. Default: the first.",
            {
                **_who("drawn", "An OPERATOR, or a card."),
                "x-refers": ["operator", *DECK_KINDS],
                "x-says": "the id of an OPERATOR or a card, such as `viper`, `blue.viper` or `smoke`",
            },
        ),
    )
    return parts.record("step", "One step of the scenario.", properties, ("action",))


def _either() -> Schema:
    """One branch, or a list of several in order."""
    answer = parts.choice("either", "Which branch of `either`.", "first", "second")
    return {
        "title": "either",
        "description": "Which branch of `either`: first or second; a list of several, in order.",
        "type": ["string", "array"],
        "pattern": "^(first|second)" + parts.END,
        "items": answer,
        "x-finding": "unknown-value",
        "x-says": "`first` or `second`",
    }


def _expect() -> Schema:
    """What is expected, by OPERATOR or side, of the last attack, or as a refusal."""
    attack = parts.record(
        "attack",
        "The last attack: the final numbers that are compared.",
        {
            "ap": parts.integer("AP", "The attacker's final AP.", -999, 999),
            "ep": parts.integer("EP", "The attacked OPERATOR's final EP.", -999, 999),
            "damage": parts.integer("damage", "What the HITCOUNTER grew by.", 0, 999),
            "critical": parts.boolean("critical", "Whether it was CRITICAL."),
        },
    )
    cards = {key: _pile(key, where) for key, where in _PILES.items()}
    cards["strategies"] = parts.listing(
        "strategies", "STRATEGY cards in play, in any order.", _card("card", "strategy")
    )
    cards["captured"] = parts.integer(
        "captured", "How many OBJECTIVEs the player has CAPTURED.", 0, _POSITIONS
    )
    cards["markers"] = _markers("The player's markers, such as `{supply: 1}`.")
    side = parts.record("side", "A player.", cards)
    properties = {
        "attack": attack,
        "refused": {
            **parts.words("refused", "The id of the rule that forbids the last step, such as `A-2`."),
            "x-finding": "unknown-rule",
            "x-says": "the id of a rule such as `A-2`",
        },
        "winner": {
            **parts.or_null(
                parts.choice("winner", "Who has won by an effect (E-31).", *SIDES, "draw"),
            ),
            "description": "Who has won by an effect (E-31), or `~` for nobody.",
            "x-says": "`blue`, `red`, `draw`, or `~` for nobody",
        },
        "not_played": parts.listing(
            "not_played",
            "Cards whose text-only rules would act now, so that people must play them (E-1).",
            _card("card", *KINDS, "objective"),
            minItems=1,
            uniqueItems=True,
        ),
        **{name: {**side, "title": name} for name in SIDES},
    }
    return {
        "title": "expect",
        "description": "What must hold at the end: by OPERATOR, side, attack or refused.",
        "type": "object",
        "properties": properties,
        "propertyNames": {**_who("OPERATOR"), "pattern": f"^(not_played|winner)$|{_WHO_PATTERN}"},
        "additionalProperties": _expected_operator(),
    }


def _pile(key: str, where: str) -> Schema:
    """The number of cards in a pile, or the cards themselves."""
    order = "top first" if key == "deck" else "in any order"
    return {
        **parts.integer(key, f"Cards in the player's {where}; or a list of them, {order}.", 0, 999),
        "type": ["integer", "array"],
        "items": _card("card", *DECK_KINDS),
        "x-says": "a whole number from 0 to 999, or a list of cards such as `[smoke, decoy]`",
    }


def _expected_operator() -> Schema:
    properties = {
        **_stats(0, "Its current"),
        "hitcounter": _counter("hitcounter"),
        "objectivecounter": _counter("objectivecounter"),
        "objective": _objective(),
        "status": _status(),
        "position": {
            **parts.ranged(
                "position", "The FIELDPOSITION; 1 is leftmost; `~` if it is on none.", "FIELDPOSITION"
            ),
            "type": ["integer", "null"],
            "x-says": f"a whole number from 1 to {_POSITIONS}, or `~` for none",
        },
        "attached": parts.or_null(
            _card("attached", *ATTACHABLE_KINDS, description="The attached card; `~` if none.")
        ),
        "markers": _markers("Its markers, such as `{intel: 2}`."),
        "traits": parts.listing(
            "traits", "All traits that it has, printed or given (E-12).", trait(), uniqueItems=True
        ),
        "keywords": keywords("All KEYWORDs that it has, printed or given (E-12)."),
        "range": parts.integer("range", "Its RANGE; 1 if nothing changes it (E-16)."),
    }
    return parts.record("OPERATOR", "What is expected of an OPERATOR.", properties)


def _objective() -> Schema:
    """REACHED, CAPTURED, or ``~``."""
    choice = parts.choice("objective", "The state of its OBJECTIVE.", "REACHED", "CAPTURED")
    return {
        **parts.or_null(choice),
        "description": f"{choice['description'].rstrip('.')}, or `~` for neither.",
        "x-says": "`REACHED`, `CAPTURED` or `~`",
    }


def scenario() -> Schema:
    """The schema of a scenario."""
    cards = _card("card", *DECK_KINDS)
    place_schema = parts.or_null(_card("OPERATOR", "operator"))
    field = parts.record(
        "field",
        "OPERATORs from left to right; `~` is an empty FIELDPOSITION.",
        {
            side: parts.listing(side, "From left to right.", place_schema, maxItems=_POSITIONS)
            for side in SIDES
        },
    )
    properties = parts.keyed(
        parts.words("name", "What the scenario shows."),
        parts.reference("mode", "The id of a mode. Default: the project's.", "mode"),
        parts.reference("ruleset", "The id of a ruleset. Default: the project's.", "ruleset"),
        options(),
        parts.boolean("example", "Whether Learn to play tells its attack, to show how one goes."),
        parts.boolean("strict", "Whether COMBAT alternates and acting makes EXHAUSTED."),
        field,
        parts.choice("turn", "Whose TURN it is.", *SIDES),
        _state(),
        parts.record(
            "markers",
            "Markers of players.",
            {side: {**_markers("Such as `{supply: 1}`."), "title": side} for side in SIDES},
        ),
        _by_side("strategies", "STRATEGY cards in play.", _card("card", "strategy")),
        _by_side("hands", "Cards in hand.", cards),
        _by_side("decks", "The DECK, top first.", cards),
        _by_side("discards", "The DISCARDZONE, latest last.", cards),
        _by_side("item_decks", "The ITEMDECK, top first.", _card("card", "item")),
        _by_side("save_zone", "OPERATORs in the SAVEZONE.", _card("OPERATOR", "operator")),
        parts.listing("do", "The steps.", _step()),
        _expect(),
    )
    return parts.record("scenario", "An entry of `scenarios`.", properties, ("name", "field", "do", "expect"))


EXPECT_WORDS = tuple(_expect()["properties"])
"""The keys of ``expect`` with a meaning of their own, which therefore are no ids of OPERATORs."""
