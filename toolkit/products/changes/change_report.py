"""The changes of cards as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.diagnostics.escaping import json_text, one_line
from toolkit.diagnostics.phrases import counted
from toolkit.products.changes.change_model import CATEGORIES, CardChange, Category, Changes, Difference

_SHORT = 32
"""Characters of a text in the list, at most; longer texts are only in JSON."""

_TITLES: dict[Category, str] = {
    "behaviour": "Behaviour changed",
    "wording": "Wording changed",
    "looks": "Looks changed",
    "unknown": "Could not be read in the older version, so counted as changed",
}


def as_json(changes: Changes) -> str:
    """Return all changes as JSON, version 1."""
    return json_text({"version": 1, **as_data(changes)})


def as_data(changes: Changes) -> dict[str, object]:
    """Return what ``as_json`` prints, without the version, as plain data."""
    return {
        "since": changes.since,
        "language": changes.language,
        "cards": [card_data(card) for card in changes.cards],
        "unreadable": list(changes.unreadable),
        "older_incomplete": changes.older_incomplete,
        "summary": {"print": changes.printed, "throw_away": changes.thrown_away},
    }


def card_data(card: CardChange) -> dict[str, object]:
    """Return the change of one card as plain data."""
    return {
        "id": card.id,
        "older_id": card.older_id,
        "name": card.name,
        "older_name": card.older_name,
        "kind": card.kind,
        "action": card.action,
        **{
            category: [_difference(difference) for difference in card.of(category)]
            for category in CATEGORIES
            if category != "unknown"  # of which there is nothing to list
        },
        "unknown": card.category == "unknown",
        "copies": {"before": card.before, "now": card.now},
        "print": card.to_print,
        "throw_away": card.to_throw_away,
    }


def _difference(difference: Difference) -> dict[str, str | None]:
    return {"what": difference.what, "before": difference.before, "after": difference.after}


def as_text(changes: Changes) -> str:
    """Return a list by category, the most important first, with what to do for each card."""
    lines: list[str] = []
    width = max((len(card.id) for card in changes.cards), default=0)
    for title, cards in groups(changes):
        if cards:
            lines += [title, *(f"  {card.id:<{width}}  {_line(card)}" for card in cards), ""]
    if changes.unreadable:
        lines += [f"Cannot be read now, so not compared: {', '.join(changes.unreadable)}.", ""]
    if not lines:
        return f"No card changed since {changes.since} ({changes.language}).\n"
    lines.append(
        f"Since {changes.since} ({changes.language}): print {counted(changes.printed, 'card')}, "
        f"throw away {counted(changes.thrown_away, 'card')}."
    )
    return "\n".join(lines) + "\n"


def groups(changes: Changes) -> Iterator[tuple[str, list[CardChange]]]:
    """Yield the groups of the list, some of them empty: a title and its cards."""
    replaced = [card for card in changes.cards if card.action == "replace"]
    for category in CATEGORIES:
        yield _TITLES[category], [card for card in replaced if card.category == category]
    # ``before`` and ``now`` are numbers of copies.
    yield "New", [card for card in changes.cards if not card.before and card.now]
    yield "Gone", [card for card in changes.cards if card.before and not card.now]
    printed_alike = [card for card in changes.cards if card.before and card.now and card.same_face]
    yield "More or fewer copies", [card for card in printed_alike if card.before != card.now]
    unchanged = [card for card in printed_alike if card.action == "keep"]
    yield "Behaviour changed, printed text unchanged", [card for card in unchanged if card.differences]
    yield "Only renamed", [card for card in unchanged if not card.differences]


def _line(card: CardChange) -> str:
    """Return the card's name, its older id if that is another, what changed, and what to do."""
    parts = [one_line(card.name), "; ".join(map(described, card.differences)), todo(card)]
    if card.older_id != card.id:
        parts.insert(1, f"was {card.older_id}")
    return " · ".join(line_part for line_part in parts if line_part)


def described(difference: Difference) -> str:
    """Return a difference in a few words; nothing of one that is not known."""
    if difference.category == "unknown":
        return ""
    value_before, value_after = difference.before or "–", difference.after or "–"
    has_values = bool(difference.before or difference.after)
    if has_values and max(len(value_before), len(value_after)) <= _SHORT:
        return f"{difference.what} {value_before} → {value_after}"
    return difference.what


def todo(card: CardChange) -> str:
    """Return what to do with the printed copies of a card."""
    instructions = []
    if card.to_throw_away:
        instructions.append(f"throw away {card.to_throw_away}")
    if card.to_print:
        instructions.append(f"print {card.to_print}")
    return ", ".join(instructions)
