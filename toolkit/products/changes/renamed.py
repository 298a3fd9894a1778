"""Matching what was only renamed between two versions of a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from toolkit.data.model import CardSet, Text
from toolkit.project.name_references import NameKind

T = TypeVar("T")


def match_renamed(
    older_entries: Mapping[str, T],
    current_entries: Mapping[str, T],
    keys: Iterable[Callable[[T], Hashable]],
) -> dict[str, str]:
    """Return the old names of renamed entries by their new names.

    Of the entries that were removed and those that were added, two match if no others have their key. The
    remaining ones are matched by the next key.
    """
    removed = {name: entry for name, entry in older_entries.items() if name not in current_entries}
    added = {name: entry for name, entry in current_entries.items() if name not in older_entries}
    old_by_new: dict[str, str] = {}
    if not removed or not added:
        return old_by_new
    for key in keys:
        old_keys, new_keys = (
            {name: key(entry) for name, entry in entries.items()} for entries in (removed, added)
        )
        old_counts, new_counts = Counter(old_keys.values()), Counter(new_keys.values())
        old_names = {entry_key: name for name, entry_key in old_keys.items()}
        for name, entry_key in new_keys.items():
            if old_counts[entry_key] == new_counts[entry_key] == 1:
                old_by_new[name] = old_names[entry_key]
                del removed[old_names[entry_key]], added[name]
    return old_by_new


def renamed_words(
    cards_before: CardSet, cards_now: CardSet, language: str
) -> dict[tuple[NameKind, str], str]:
    """Return the new names of TEAMs, markers, KEYWORDs and traits whose printed name stayed the same."""

    def printed_names(texts: Mapping[str, Text]) -> dict[str, str]:
        return {name: text.in_language(language).value for name, text in texts.items()}

    new_by_old: dict[tuple[NameKind, str], str] = {}
    for section in ("teams", "markers", "keywords"):
        old_names, new_names = (
            printed_names({name: entry.name for name, entry in getattr(card_set, section).items()})
            for card_set in (cards_before, cards_now)
        )
        new_by_old |= {("id", old): new for new, old in match_renamed(old_names, new_names, (str,)).items()}
    old_traits, new_traits = (
        printed_names(card_set.project.traits) for card_set in (cards_before, cards_now)
    )
    return new_by_old | {
        ("trait", old): new for new, old in match_renamed(old_traits, new_traits, (str,)).items()
    }
