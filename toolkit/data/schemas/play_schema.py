"""Schemas of modes, rulesets, squads and the project file."""

from __future__ import annotations

from toolkit.data.schemas import card_schema, layouts, look_schema, parts
from toolkit.data.schemas.card_schema import DECK_KINDS, KINDS, trait
from toolkit.data.schemas.parts import Schema
from toolkit.diagnostics.help_pages import finding_names
from toolkit.diagnostics.selection import GROUPS
from toolkit.vocabulary import ACTIONS, STATS

NUMBERS = (
    *map(str.lower, STATS),
    *("squadpoints", "value", "skills", "quantity"),
    *("name_length", "text_words", "amount", *(f"{stat.lower()}_amount" for stat in STATS)),
    *("art_width", "art_height"),
)
"""The numbers of a card that a house rule can use, and that can have a limit (``max_text_words``)."""


MAX_HOUSE_RULES = 200
"""House rules, at most: each card is compared with each of them. Those beyond do not count."""

GOALS = ("damage", "becomes-hit", "hits")
"""What attacks are about in exact odds (O-1)."""


HOUSE_LIMIT = (0, 9999)
"""The least and the greatest limit of a house rule, as in ``max_text_words``."""


def house_rules() -> Schema:
    """The project's own rules, in a short or a long form."""
    limits = {
        f"{side}_{number}": parts.integer(
            f"{side}_{number}", f"The {least_or_most} that `{number}` may be.", *HOUSE_LIMIT
        )
        for number in NUMBERS
        for side, least_or_most in (("max", "most"), ("min", "least"))
    }
    properties: dict[str, Schema] = {
        "name": parts.words("name", "A name for messages, such as `fair-values`."),
        "rule": parts.words("rule", "What must hold, such as `ap + ep <= 12`, or `has flavour`."),
        "where": parts.words("where", "Which cards it is for, such as `traits contain sniper`."),
        "max_cards": parts.integer("max_cards", "The most cards of these that there may be.", *HOUSE_LIMIT),
        "min_cards": parts.integer("min_cards", "The fewest cards of these that there may be.", *HOUSE_LIMIT),
        "per": parts.choice(
            "per", "With `max_cards` and `min_cards`: of what each may have so many.", "team", "kind", "set"
        ),
        "kinds": parts.listing(
            "kinds",
            "The kinds of card it applies to. Default: all that have the numbers.",
            parts.choice("kind", "A kind of card.", *KINDS, "objective"),
            minItems=1,
            uniqueItems=True,
        ),
        "level": parts.choice("level", "The severity. Default: error.", "error", "warning"),
        "message": parts.printed("message", "The message when a card breaks the rule."),
        "fair_power": parts.choice(
            "fair_power",
            "Report cards that add far more or less to attacks than others at their price, by this goal.",
            *GOALS,
        ),
        **limits,
    }
    rule: Schema = {
        **parts.record("house rule", "A rule such as `ap + ep <= 12`, or keys.", properties),
        "type": ["string", "object"],
        "pattern": r"\S",
        "x-finding": "empty-text",
        "x-says": "a rule such as `ap + ep <= 12`, or such as `{max_text_words: 40}`",
    }
    about = "Your own rules that every card must follow."
    return parts.listing("house_rules", about, rule, maxItems=MAX_HOUSE_RULES)


def checks() -> Schema:
    """Which findings of the check are reported, and how severe they are."""
    named = parts.words("finding", "A finding, such as `missing-picture`, or a group of them.")
    named["x-words"] = [*GROUPS, *finding_names()]
    chosen = parts.keyed(
        parts.listing(
            "select", "Only these findings or groups are reported.", named, minItems=1, uniqueItems=True
        ),
        parts.listing("ignore", "These findings or groups are not reported.", named, uniqueItems=True),
        parts.table(
            "severity",
            "By finding or group how severe it is: `{missing-picture: error}`.",
            parts.choice("severity", "How severe it is.", "error", "warning", "off"),
            named,
        ),
    )
    pattern = parts.words("pattern", "A pattern of files or folders as in `.gitignore`, such as `drafts/**`.")
    per_path = parts.record("per-path", "What is chosen for these files.", chosen)
    properties = parts.keyed(
        *chosen.values(),
        parts.table(
            "per-path", "Choices for some files: `{drafts/**: {ignore: [style]}}`.", per_path, pattern
        ),
        parts.listing("exclude", "Files in which nothing is reported.", pattern, uniqueItems=True),
        parts.listing(
            "plugins",
            "Checks of your own, by their names among the entry points of installed packages.",
            parts.words("plug-in", "The name of a check."),
            uniqueItems=True,
        ),
    )
    return parts.record("checks", "Which findings are reported, and how severe they are.", properties)


TIE_BREAKS = ("objectives_captured", "operators_on_field")
"""The criteria that can decide a GAME without a winner after the last ROUND."""

MAX_SQUADPOINTS = 999

TYPE_FLOORS = (4, 12)
"""The range of the setting ``type_floor``, in pt."""


def mode() -> Schema:
    """The schema of a game mode (RULES.md §8)."""
    squad_limits = parts.keyed(
        parts.integer("operators", "OPERATORs in a squad.", 1),
        parts.integer("squadpoints", "SQUADPOINTS of a squad, at most.", 0, MAX_SQUADPOINTS),
        parts.integer("copies", "Copies of one OPERATOR, at most.", 1),
    )
    deck_limits = parts.keyed(
        parts.ranged("minimum", "The fewest cards in a DECK.", "DECK"),
        parts.ranged("maximum", "The most cards in a DECK.", "DECK"),
        parts.integer("copies", "Copies of one card, at most.", 1),
    )
    item_limits = parts.keyed(parts.ranged("maximum", "The most cards in an ITEMDECK.", "DECK"))
    victory = parts.keyed(
        parts.integer("objectives_captured", "The number of CAPTURED OBJECTIVEs that wins.", 1),
        parts.choice("operators_out_or_hit", "A player who can put no OPERATOR on the FIELD loses.", "all"),
    )
    properties = parts.keyed(
        parts.identifier("id", "The id of the mode: kebab-case and unique in the project."),
        parts.printed("name", "The name of the mode."),
        parts.ranged("field_positions", "FIELDPOSITIONs of each player.", "FIELDPOSITION"),
        parts.ranged("save_zone", "Places in each SAVEZONE.", "SAVEZONE"),
        parts.integer("strategy_positions", "STRATEGY cards that a player can have in play."),
        parts.listing(
            "objectives",
            "Ids of the OBJECTIVEs by FIELDPOSITION, from left to right.",
            parts.reference("OBJECTIVE", "The id of an OBJECTIVE.", "objective"),
        ),
        parts.effect("teamwork", "What TEAMWORK does, in the effect language."),
        parts.record("squad", "Limits of a squad.", squad_limits),
        parts.record("deck", "Limits of a DECK.", deck_limits),
        parts.record("item_deck", "The ITEMDECK.", item_limits),
        parts.ranged("starting_hand", "Cards in hand at the start.", "hand"),
        parts.ranged("hand_limit", "Cards in hand after SUPPORT, at most.", "hand"),
        parts.ranged("max_rounds", "The last ROUND.", "ROUND"),
        parts.listing(
            "performance",
            "Effects that fulfil PERFORMANCE too.",
            parts.effect("performance", "An effect that fulfils PERFORMANCE."),
        ),
        parts.record("victory", "What wins the GAME: any of these.", victory),
        parts.listing(
            "tie_break",
            "What decides after the last ROUND, in order.",
            parts.choice("tie_break", "What is compared.", *TIE_BREAKS),
            uniqueItems=True,
        ),
    )
    return parts.record("mode", "An entry of `modes`.", properties, ("id", "name"))


def options() -> Schema:
    """The rulings among which a ruleset can choose."""
    properties = parts.keyed(
        parts.choice("stacking", "How modifications are combined.", "layered", "stepwise"),
        parts.choice("rounding", "How fractions are rounded.", "down", "up", "nearest"),
        parts.integer("floor", "The lowest value of a current number."),
        parts.choice("swap_counters", "Where counters go in a swap.", "with_operator", "with_position"),
        parts.integer("swap_mp", "MP that two OPERATORs need together for a swap."),
    )
    return parts.record("options", "Optional rulings.", properties)


def ruleset() -> Schema:
    """The schema of a ruleset."""
    limit: Schema = {
        "title": "limit",
        "description": "How often a player may perform it in a TURN: a number, or `unlimited`.",
        "type": ["integer", "string"],
        "minimum": 0,
        "maximum": 99,
        "pattern": "^unlimited" + parts.END,
        "x-finding": "unknown-value",
        "x-says": "a whole number from 0 to 99, or `unlimited`",
    }
    action = parts.record(
        "ACTION",
        "An ACTION: self performs it, target is the OPERATOR it chooses.",
        {
            "limit": limit,
            "effect": parts.effect("effect", "What the ACTION changes, in the effect language."),
            **parts.override(),
        },
        ("limit",),
    )
    actions = {name.lower(): {**action, "title": name} for name in ACTIONS}
    properties = parts.keyed(
        parts.identifier("id", "The id of the ruleset: kebab-case and unique in the project."),
        parts.printed("name", "The name of the ruleset."),
        options(),
        parts.effect("suppression", "What SUPPRESSION does, in the effect language."),
        parts.record("actions", "The ACTIONs of the GAME.", actions),
    )
    return parts.record("ruleset", "An entry of `rulesets`.", properties, ("id",))


def squad() -> Schema:
    """The schema of a squad."""
    copies = parts.integer("copies", "Copies in the deck.", 1)
    properties = parts.keyed(
        parts.identifier("id", "The id of the squad: kebab-case and unique in the project."),
        parts.printed("name", "The name of the squad."),
        parts.printed("flavour", "How it plays, in a sentence. It is printed below its cards."),
        parts.listing(
            "operators",
            "Ids of OPERATORs; the first stand on the FIELD from left to right, the others in the SAVEZONE.",
            parts.reference("OPERATOR", "The id of an OPERATOR.", "operator"),
            minItems=1,
        ),
        parts.table(
            "deck",
            "Copies by id of ATTACK, DEFENCE, EFFECT and STRATEGY cards.",
            copies,
            parts.reference("id in deck", "An id.", *DECK_KINDS),
        ),
        parts.table(
            "item_deck",
            "Copies by id of ITEM cards.",
            copies,
            parts.reference("id in item_deck", "An id.", "item"),
        ),
    )
    return parts.record("squad", "An entry of `squads`.", properties, ("id", "name", "operators"))


def project() -> Schema:
    """The schema of the project file `opforge.yaml`."""
    language = parts.text(
        "language",
        "A language code such as `en` or `de`.",
        parts.LANGUAGE_PATTERN,
        "unknown-value",
        "a language code such as `en` or `de`",
    )
    properties = {
        "project": parts.words("project", "The name of the project."),
        "version": {
            "title": "version",
            "description": "The version of the set, such as `0.1.0`.",
            "type": ["string", "number"],
            "x-says": "a version such as 0.1.0",
        },
        "languages": parts.listing(
            "languages",
            "Languages of the printed texts; the first is the default.",
            language,
            minItems=1,
            uniqueItems=True,
        ),
        "ruleset": parts.reference("ruleset", "The id of the ruleset that is played.", "ruleset"),
        "mode": parts.reference("mode", "The id of the game mode that is played.", "mode"),
        "first_game": parts.listing(
            "first_game",
            "Ids of the two SQUADs for a first game: print-and-play prints what they need.",
            parts.reference("SQUAD", "The id of a SQUAD.", "squad"),
            minItems=2,
            maxItems=2,
            **{"x-says": "a list of two ids of SQUADs"},
        ),
        "author": parts.words("author", "The author of the cards; it is written into PDFs."),
        "card_size": layouts.card_size(),
        "card_sizes": layouts.card_sizes(),
        "paper": layouts.paper("The paper of the sheets:"),
        "layout": layouts.layout_choice(),
        "backs": layouts.backs(),
        "counters": layouts.counters(),
        "tuckbox": layouts.tuckbox(),
        "mat": layouts.mat(),
        "box": layouts.box(),
        "house_rules": house_rules(),
        "checks": checks(),
        **_appearance(),
        "words": parts.table(
            "words",
            "What opforge itself prints, in a language of your own: `{fr: {title: Règles}}`; see `words`.",
            parts.table(
                "words in a language",
                "By key what is printed; `opforge explain words` lists the keys.",
                parts.words("word", "What is printed, with the same numbers in braces as in English."),
                parts.words("key of words", "A key that `opforge explain words` lists."),
            ),
            language,
        ),
    }
    return parts.record("project file", "The project file `opforge.yaml`.", properties, ("project",))


def _appearance() -> dict[str, Schema]:
    """The settings of the appearance of card faces."""
    least, greatest = TYPE_FLOORS
    return parts.keyed(
        parts.identifier("theme", "The theme of the cards, such as `classic` or `tournament`."),
        parts.number(
            "type_floor",
            f"The smallest type size on cards, in pt. From {least} to {greatest}.",
            *TYPE_FLOORS,
        ),
        parts.table(
            "traits",
            "How traits are printed: `{sniper: {en: sniper, de: Scharfschütze}}`; others as written.",
            parts.printed("trait", "The trait as printed."),
            trait(),
        ),
        look_schema.look(),
        layouts.fonts(),
        parts.table(
            "set_symbols",
            "Pictures of sets, printed beside the `set` of a card: `{Night: art/night.svg}`.",
            card_schema.picture("set symbol", "The symbol of the set"),
            parts.words("set", "A `set` of cards."),
        ),
    )
