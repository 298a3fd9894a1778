"""The printed list of changed cards to throw away, add and replace, in the language of the cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from toolkit.diagnostics import Diagnostic
from toolkit.press.documents import Document, PrintedDocument, print_document, unit_of
from toolkit.press.sheet import Failure
from toolkit.products.changes.change_model import CATEGORIES, Action, CardChange, Changes, Difference
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.pdf import PdfMetadata, append_pages, with_metadata
from toolkit.render.sizes import Size
from toolkit.wording.languages import Words


def among_chosen(changes: Changes, ids: Collection[str], kinds: Collection[str]) -> Changes:
    """Return the changes of chosen cards; all without ids and kinds."""
    cards = tuple(
        card
        for card in changes.cards
        if (not ids or card.id in ids or card.older_id in ids) and (not kinds or card.kind in kinds)
    )
    return replace(changes, cards=cards)


def to_print(faces: Iterable[Face], changes: Changes) -> list[Face]:
    """Return the cards to print, each with the number of copies that are needed."""
    copies = changes.copies
    return [replace(face, quantity=copies[face.id]) for face in faces if face.id in copies]


def with_list(
    pdf: bytes, changes: Changes, roots: Roots, paper: Size, metadata: PdfMetadata
) -> bytes | Diagnostic | Failure:
    """Return the sheets with the list behind them, or the list alone if there are no sheets."""
    printed_list = print_list(changes, roots, paper)
    if not isinstance(printed_list, PrintedDocument):
        return printed_list
    return append_pages(pdf, printed_list.pdf) if pdf else with_metadata(printed_list.pdf, metadata)


ROWS = 34
"""Cards on a page; type shrinks where their lines do not fit."""

_SECTIONS: tuple[Action, ...] = ("replace", "add", "throw-away")


class Row(Struct, frozen=True):
    """A card of the list for its template; ``sorts`` are its categories in words, ``details`` in short."""

    name: str
    was: str
    kind: str
    sorts: tuple[str, ...]
    details: str
    out: int
    into: int


class Section(Struct, frozen=True):
    """The cards for one action, under a title."""

    title: str
    rows: tuple[Row, ...]


def print_list(changes: Changes, roots: Roots, paper: Size) -> PrintedDocument | Diagnostic | Failure:
    """Return the list as pages of a PDF, the problem of its template, or why it cannot be printed."""
    pages = list(_pages(_sections(changes)))
    words = changes.words
    unreadable = ", ".join(changes.unreadable)
    values = {
        "changes": changes,
        "pages": pages,
        "since": words.say("changes-since", since=changes.since),
        "numbers": " · ".join(
            (
                words.say("changes-throw", number=changes.thrown_away),
                words.say("changes-print", number=changes.printed),
            )
        ),
        "unreadable": words.say("changes-unreadable", names=unreadable) if unreadable else "",
        "say": lambda key: words.say(key),
    }
    document = Document("reference/changes.html.jinja", values, paper, unit_of(paper), len(pages))
    return print_document(document, roots)


def _sections(changes: Changes) -> Iterator[Section]:
    """Yield the cards to throw away, to replace and to add, each with a title; none without cards."""
    for action in _SECTIONS:
        rows = [_row(card, changes.words) for card in changes.cards if card.action == action]
        if rows:
            yield Section(changes.words.say(f"changes-{action}"), tuple(rows))


def _row(card: CardChange, words: Words) -> Row:
    """Return the row of a card: what has changed, and how many to throw away and to print."""
    categories = [category for category in CATEGORIES if card.of(category)]
    known_differences = [difference for difference in card.differences if difference.category != "unknown"]
    return Row(
        name=card.name,
        was=words.say("changes-was", name=card.older_name) if card.older_name != card.name else "",
        kind=card.kind,
        sorts=tuple(words.say(f"changes-{category}") for category in categories),
        details=", ".join(_detail(difference, words) for difference in known_differences),
        out=card.to_throw_away,
        into=card.to_print,
    )


def _detail(difference: Difference, words: Words) -> str:
    """Return a difference, with its values if both are numbers: "AP 4 › 5" (the fonts have no arrow)."""
    label = difference.what
    if not label.isupper():  # a word of the game, such as AP, is the same in all languages
        word, _, number = label.partition(" ")
        is_numbered = number.isdigit()
        key = word if is_numbered else label
        label = words.say(f"what-{key.replace(' ', '-')}") + (f" {number}" if is_numbered else "")
    older_text, current_text = difference.before or "–", difference.after or "–"
    has_text = difference.before or difference.after
    are_numbers = all(text.isdigit() or text == "–" for text in (older_text, current_text))
    return f"{label} {older_text} › {current_text}" if has_text and are_numbers else label


def _pages(sections: Iterator[Section]) -> Iterator[Sequence[Section]]:
    """Yield pages of sections, which are split so that no page has more than ``ROWS`` lines."""
    page: list[Section] = []
    free_lines = ROWS
    for section in sections:
        rows = section.rows
        while rows:
            if free_lines < 2:  # a title and one row
                yield page
                page, free_lines = [], ROWS
            fitting, rows = rows[: free_lines - 1], rows[free_lines - 1 :]
            page.append(Section(section.title, fitting))
            free_lines -= 1 + len(fitting)
    yield page
