"""Matching what was only renamed between two versions of a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from toolkit.data.model import CardSet
from toolkit.project.name_references import NameKind

T = TypeVar("T")


def match_renamed(
    items_before: Mapping[str, T], items_now: Mapping[str, T], keys: Iterable[Callable[[T], Hashable]]
) -> dict[str, str]:
    """Return the old names of renamed things by their new names.

    Of the things that are gone and those that are new, two match if no others have their key. What is left is
    matched by the next key.
    """
    gone_items = {name: item for name, item in items_before.items() if name not in items_now}
    new = {name: item for name, item in items_now.items() if name not in items_before}
    new_by_old: dict[str, str] = {}
    for key in keys if gone_items and new else ():
        old_keys, new_keys = (
            {name: key(item) for name, item in items_of_version.items()}
            for items_of_version in (gone_items, new)
        )
        counts = Counter(old_keys.values()), Counter(new_keys.values())
        old_names = {item_key: name for name, item_key in old_keys.items()}
        for name, item_key in new_keys.items():
            if counts[0][item_key] == counts[1][item_key] == 1:
                new_by_old[name] = old_names[item_key]
                del gone_items[old_names[item_key]], new[name]
    return new_by_old


def renamed_words(
    cards_before: CardSet, cards_now: CardSet, language: str
) -> dict[tuple[NameKind, str], str]:
    """Return the new names of TEAMs, markers, KEYWORDs and traits whose printed name stayed the same."""
    new_by_old: dict[tuple[NameKind, str], str] = {}
    for section in ("teams", "markers", "keywords"):
        entries = [getattr(card_set, section).items() for card_set in (cards_before, cards_now)]
        old_names, new_names = (
            {id: entry.name.in_language(language).value for id, entry in entries_of_version}
            for entries_of_version in entries
        )
        new_by_old |= {("id", old): new for new, old in match_renamed(old_names, new_names, (str,)).items()}
    old_names, new_names = (
        {trait: text.in_language(language).value for trait, text in card_set.project.traits.items()}
        for card_set in (cards_before, cards_now)
    )
    return new_by_old | {
        ("trait", old): new for new, old in match_renamed(old_names, new_names, (str,)).items()
    }
