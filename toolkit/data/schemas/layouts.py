"""Schemas of layouts, and of the sizes and pictures that a project prints with. Lengths are in mm."""

from __future__ import annotations

from toolkit.data.print_sizes import CARD_SIZES, PAPERS, PIECE_PATTERN, SIZE_PATTERN
from toolkit.data.schemas import card_schema, parts
from toolkit.data.schemas.parts import Schema

MARKS = ("none", "corners", "edges", "full")
"""Cut marks: none; at the corners of every card; at the edges of the sheet; lines across the whole sheet."""

MARKED_SIDES = ("fronts", "backs", "both")
SIDES = ("fronts", "backs", "both")
FLIPS = ("long", "short", "none")
ORIENTATIONS = ("portrait", "landscape")
FOLDS = ("none", "vertical", "horizontal", "best")
"""The direction of the fold between fronts and their backs on the same sheet."""

KINDS = (*card_schema.KINDS, "objective")
"""The kinds of entry that are printed as cards."""

COUNTERS = ("hitcounter", "objectivecounter", "exhausted", "suppressed", "bonus", "first-player")
"""The counters and markers of the game itself, apart from the designer's own markers."""

COUNTER_SHAPES = ("round", "square", "hex")
COUNTER_MARKS = ("cut", "punch", "none")
"""The marks of counters: lines to cut along; rings and crosses for a punch; none."""

MAX_SLOTS = 500
_LONGEST = 999


def length(title: str, description: str, least: float = 0, greatest: float = _LONGEST) -> Schema:
    """A length in mm."""
    says = f"a number of millimetres from {least:g} to {greatest:g}"
    return {**parts.number(title, f"{description} In mm.", least, greatest), "x-says": says}


def card_size(description: str = "The size of the cut card:") -> Schema:
    """A named card size, or a custom one."""
    size = _size("card_size", description, tuple(CARD_SIZES), "poker", "63x88mm")
    return {
        **size,
        "description": size["description"].replace(
            "`63x88mm`,", "`63x88mm`, `round-40mm` or `hex-40mm` (from side to side),"
        ),
        "pattern": f"{size['pattern']}|{PIECE_PATTERN}",
    }


def paper(description: str) -> Schema:
    """A named paper, or a size."""
    return _size("paper", description, tuple(PAPERS), "a4", "210x297mm")


def _size(title: str, description: str, names: tuple[str, ...], named: str, own: str) -> Schema:
    description = f"{description} a size such as `{own}`, or one of: {', '.join(names)}."
    pattern = f"^({'|'.join(names)}){parts.END}|{SIZE_PATTERN}"
    says = f"a named size such as `{named}`, or one such as `{own}`, 10 to 999 mm a side"
    return {
        **parts.text(title, description, pattern, "unknown-value", says),
        "x-words": list(names),
    }


def card_sizes() -> Schema:
    """Card sizes by kind of card."""
    properties = {kind: {**card_size(), "title": kind} for kind in KINDS}
    return parts.record("card_sizes", "Sizes of kinds of card that are not `card_size`.", properties)


def layout_choice() -> Schema:
    """The layout or layouts of a project's sheets."""
    name = parts.reference("layout", "The id of a layout.", "layout")
    return {
        **name,
        "description": "The layout of sheets: an id of `opforge layouts`, or a list of them, one for a size.",
        "type": ["string", "array"],
        "items": name,
        "minItems": 1,
        "uniqueItems": True,
        "x-says": "the id of a layout, or a list of such ids",
    }


FONTS = ("display", "text", "text_bold", "text_italic")
"""The purposes of a project's own fonts."""

FONT_PATTERN = r"\.([tT][tT][fF]|[oO][tT][fF]|[wW][oO][fF][fF]2?)" + parts.END
"""The end of the name of a font file."""


def fonts() -> Schema:
    """The project's own fonts by purpose."""
    purposes = (
        "Names, labels and numbers",
        "Rules text",
        "Words in capitals and numbers in rules text; without it `text` is made bold",
        "Flavour; without it `text` is slanted",
    )
    properties = {
        name: parts.text(
            name,
            f"{purpose}: a file such as `fonts/Own.ttf`.",
            FONT_PATTERN,
            "unusable-font",
            "the path of a font inside the project, which ends in .ttf, .otf, .woff or .woff2",
        )
        for name, purpose in zip(FONTS, purposes, strict=True)
    }
    return parts.record("fonts", "Fonts of your own.", properties)


def backs() -> Schema:
    """Backs by kind of card."""
    names = (*KINDS, "deck")
    properties = {
        name: parts.words(
            name, "A picture such as `art/back.svg`, or `team` for the TEAM's logo and colours."
        )
        for name in names
    }
    properties["deck"]["description"] = "The back of all cards of the DECK: a picture such as `art/back.svg`."
    return parts.record("backs", "Card backs by kind of card.", properties)


def layout() -> Schema:
    """The schema of a layout."""
    turn = {
        **parts.integer("turn", "Degrees by which the card is turned to the left: a multiple of 90.", 0, 270),
        "multipleOf": 90,
        "x-says": "0, 90, 180 or 270",
    }
    slot_properties = parts.keyed(
        length("x", "From the left edge of the paper to the card."),
        length("y", "From the top edge of the paper to the card."),
        turn,
    )
    slot = parts.record("slot", "A place for a card.", slot_properties, ("x", "y"))
    about_slots = "Exact places for cards, instead of columns and rows."
    gap = length("gap", "Between two cards, cut to cut: one length, or `{across: …, down: …}`.", 0, 100)
    gaps = parts.keyed(
        length("across", "Between a card and the one to its right.", 0, 100),
        length("down", "Between a card and the one below it.", 0, 100),
    )
    margins = length("margins", "The minimum distance of cards from the paper's edges.", 0, 500)
    edges = {
        edge: length(edge, f"From the {edge} edge.", 0, 500) for edge in ("left", "right", "top", "bottom")
    }
    properties = parts.keyed(
        parts.identifier("id", "The id of the layout: kebab-case and unique in the project."),
        card_size("The size of the cut card (default: the project's):"),
        paper("The paper (default: the project's):"),
        parts.choice(
            "orientation", "The orientation of the paper. Default: whichever holds more cards.", *ORIENTATIONS
        ),
        parts.integer("columns", "Cards side by side. Default: as many as fit.", 1),
        parts.integer("rows", "Cards one above the other. Default: as many as fit.", 1),
        parts.listing("slots", about_slots, slot, minItems=1, maxItems=MAX_SLOTS),
        _length_or_record(gap, "a length in mm, or `{across: …, down: …}`", gaps),
        length("bleed", "How far pictures go beyond the cut.", 0, 20),
        _length_or_record(margins, "a length in mm, or `{left: …, top: …}`", edges),
        parts.choice("marks", "Cut marks.", *MARKS),
        parts.choice("marks_on", "Which sides have cut marks.", *MARKED_SIDES),
        parts.choice("sides", "What is printed.", *SIDES),
        parts.choice("flip", "The edge over which the sheet is turned for its backs.", *FLIPS),
        parts.choice("fold", "Backs beside their fronts, along a line to fold.", *FOLDS),
        length("gutter", "From the cards to the line to fold, on each side of it.", 0, 50),
        length("corners", "The radius of rounded corners.", 0, 20),
        length("safe", "How far inside the cut text must stay; shown by --proof.", 0, 20),
    )
    return parts.record("layout", "An entry of `layouts`.", properties, ("id",))


def _length_or_record(length: Schema, says: str, properties: dict[str, Schema]) -> Schema:
    """One length for all keys, or a mapping with one for each."""
    record = parts.record(length["title"], length["description"], properties)
    return {**record, **length, "type": ["number", "object"], "x-says": says}


def counters() -> Schema:
    """How counters and markers are printed, and how many of each."""
    value = parts.integer("value", "A number on a counter.", 1, 99)
    return parts.record(
        "counters",
        "How counters and markers are printed; see `opforge counters`.",
        {
            "shape": parts.choice("shape", "The shape of a counter. Default: round.", *COUNTER_SHAPES),
            "size": length("size", "The diameter, or the side of a square. Default: 20.", 10, 60),
            "marks": parts.choice("marks", "What shows where to cut or punch. Default: cut.", *COUNTER_MARKS),
            "values": parts.listing(
                "values",
                "The numbers on the front and on the back of counters. Default: `[1, 3]`.",
                value,
                minItems=2,
                maxItems=2,
            ),
            "amounts": parts.table(
                "amounts",
                "How many of which: hitcounter, objectivecounter, exhausted, suppressed, bonus, first-player "
                "or the id of a marker of your own. Default: worked out from the mode and the SQUADs.",
                parts.integer("amount", "How many are printed.", 0, 999),
                parts.reference("counter", "A counter, or the id of a marker of your own.", "marker"),
            ),
        },
    )


def tuckbox() -> Schema:
    """The thickness of the cards that a tuckbox is to hold."""
    return parts.record(
        "tuckbox",
        "How thick your cards are; see `opforge tuckbox`.",
        {
            "thickness": length("thickness", "One card with its sleeve. Default: 0.3, sleeved 0.6.", 0.1, 5),
            "sleeved": parts.boolean("sleeved", "Whether the cards are in sleeves. Default: false."),
        },
    )


def mat() -> Schema:
    """How a mat is printed."""
    return parts.record(
        "mat",
        "How the mat is printed; see `opforge mat`.",
        {
            "ink": parts.choice(
                "ink", "Outlines and black text, or grounds and colours. Default: low.", "low", "full"
            )
        },
    )


def box() -> Schema:
    """What is printed on the box beside the name of the project."""
    minutes = parts.integer("time", "The minutes that a GAME takes.", 1, 999)
    time = {
        **minutes,
        "description": f"{minutes['description']} Or a list of two: `[30, 45]`.",
        "type": ["integer", "array"],
        "items": minutes,
        "minItems": 2,
        "maxItems": 2,
        "x-says": "a whole number of minutes such as `45`, or a list of two such as `[30, 45]`",
    }
    about_art = (
        "The art of the box: the id of a card, or a picture such as `art/box.svg`. Default: of the set."
    )
    return parts.record(
        "box",
        "What is printed on the box; see `opforge tuckbox`.",
        {
            "players": parts.integer("players", "The number of players. Default: 2.", 1, 99),
            "time": time,
            "age": parts.integer("age", "The age in years from which on the game can be played.", 1, 99),
            "art": {**parts.words("art", about_art), "x-refers": list(KINDS)},
        },
    )
