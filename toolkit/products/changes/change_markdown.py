"""The changes of cards as Markdown, for a comment at a pull request or the page of a workflow run.

GitHub shows no picture from an artifact or a ``data:`` address, so pictures are shown only from where they
are published.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from toolkit.diagnostics.escaping import markdown_code, markdown_sentence
from toolkit.diagnostics.phrases import counted
from toolkit.products.cards.card_files import draw_card
from toolkit.products.changes.baseline_project import baseline_project
from toolkit.products.changes.change_model import CardChange, Changes
from toolkit.products.changes.change_report import described, groups, todo
from toolkit.project.output import Refusal, prepare_folder, write_file
from toolkit.project.pipeline import Workspace, open_project
from toolkit.render.page_raster import is_our_png
from toolkit.source.paths import below

BEFORE, AFTER = "before", "after"
"""The folders of the older and the current pictures."""

MOST_CARDS = 100
"""Cards that are listed, and of which pictures are drawn, at most: GitHub refuses longer comments."""

_DPI = 110
_WIDTH = 180


def as_markdown(changes: Changes, url_base: str | None = None, artifact: str | None = None) -> str:
    """Return a table for each category, the most important first.

    With ``url_base`` it has the pictures that `draw_changes` wrote, old beside new, as they are found there;
    ``artifact`` is the address of a page from which they can be downloaded.
    """
    lines: list[str] = []
    room = MOST_CARDS
    for title, cards in groups(changes):
        if cards[:room]:
            lines += [f"#### {title}", "", *_table(cards[:room], url_base), ""]
        room -= len(cards[:room])
    if len(changes.cards) > MOST_CARDS:
        lines += [f"The first {MOST_CARDS} of {len(changes.cards)} cards are listed.", ""]
    if changes.unreadable:
        names = ", ".join(map(markdown_code, changes.unreadable))
        lines += [f"Cannot be read now, so not compared: {names}.", ""]
    if not lines:
        return f"### No card changed since {markdown_code(changes.since)}\n"
    lines[:0] = [f"### Cards that changed since {markdown_code(changes.since)}", ""]
    print_count, away_count = counted(changes.printed, "card"), counted(changes.thrown_away, "card")
    lines.append(f"Print {print_count}, throw away {away_count} ({changes.language}).")
    if artifact is not None:
        lines += ["", f"[The pictures of the changed cards, old and new]({artifact})"]
    return "\n".join(lines) + "\n"


def _table(cards: list[CardChange], url_base: str | None) -> Iterator[str]:
    """Yield a Markdown table of changed cards; with a base address also pictures before and after."""
    pictures = ("before", "after") if url_base is not None else ()
    titles = ("card", "what changed", "to do", *pictures)
    yield f"| {' | '.join(titles)} |"
    yield "|---" * len(titles) + "|"
    for card in cards:
        was = f", was {markdown_code(card.older_id)}" if card.older_id != card.id else ""
        name = f"{markdown_sentence(card.name)} {markdown_code(card.id)}{was}"
        changed = "; ".join(map(markdown_sentence, filter(None, map(described, card.differences))))
        cells = [name, changed, todo(card)]
        if url_base is not None:
            cells += [_image(card, url_base, folder) for folder in (BEFORE, AFTER)]
        yield f"| {' | '.join(cells)} |"


def _image(card: CardChange, url_base: str, folder: str) -> str:
    """Return the picture of a card in a version; nothing if it was not there, or looks the same."""
    card_id, is_there = (card.older_id, card.before) if folder == BEFORE else (card.id, card.now)
    if not is_there or card.same_face:
        return ""
    address = f"{url_base.rstrip('/')}/{folder}/{quote(card_id)}.png"
    return f'<img alt="{quote(card_id)}, {folder}" src="{address}" width="{_WIDTH}">'


def draw_changes(workspace: Workspace, changes: Changes, folder: Path) -> Refusal | int:
    """Draw the cards whose face changed into ``before`` and ``after`` in a folder; return how many pictures.

    A card that cannot be drawn is left out: the check says why.
    """
    drawn_cards = [card for card in changes.cards if not card.same_face][:MOST_CARDS]
    with baseline_project(workspace.root, changes.since) as older_folder:
        if isinstance(older_folder, Refusal):
            return older_folder
        older_workspace = open_project(older_folder)
        pictures = [(BEFORE, older_workspace, card.older_id) for card in drawn_cards if card.before]
        pictures += [(AFTER, workspace, card.id) for card in drawn_cards if card.now]
        for name in (BEFORE, AFTER):
            files = [f"{card_id}.png" for version, _, card_id in pictures if version == name]
            refusal = prepare_folder(folder / name, files, is_our_png)
            if refusal is not None:
                return refusal
        return _drawn(pictures, folder, changes.language)


def _drawn(pictures: Iterable[tuple[str, Workspace, str]], folder: Path, language: str) -> Refusal | int:
    """Draw cards, each into its folder, and return how many could be drawn."""
    count = 0
    for name, workspace, card_id in pictures:
        picture = draw_card(workspace, card_id, _DPI, language)
        if isinstance(picture, Refusal):
            continue
        refusal = write_file(below(folder, f"{name}/{card_id}.png"), picture)
        if refusal is not None:
            return refusal
        count += 1
    return count
