"""Matching what was only renamed between two versions of a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from toolkit.data.model import CardSet
from toolkit.project.name_references import NameKind

T = TypeVar("T")


def match_renamed(
    before: Mapping[str, T], now: Mapping[str, T], keys: Iterable[Callable[[T], Hashable]]
) -> dict[str, str]:
    """Return the old names of renamed things by their new names.

    Of the things that are gone and those that are new, two match if no others have their key. What is left is
    matched by the next key.
    """
    gone = {name: one for name, one in before.items() if name not in now}
    new = {name: one for name, one in now.items() if name not in before}
    found: dict[str, str] = {}
    for key in keys if gone and new else ():
        old_keys, new_keys = ({name: key(one) for name, one in some.items()} for some in (gone, new))
        counts = Counter(old_keys.values()), Counter(new_keys.values())
        old_names = {kept: name for name, kept in old_keys.items()}
        for name, kept in new_keys.items():
            if counts[0][kept] == counts[1][kept] == 1:
                found[name] = old_names[kept]
                del gone[old_names[kept]], new[name]
    return found


def renamed_words(before: CardSet, now: CardSet, language: str) -> dict[tuple[NameKind, str], str]:
    """Return the new names of TEAMs, markers, KEYWORDs and traits whose printed name stayed the same."""
    found: dict[tuple[NameKind, str], str] = {}
    for section in ("teams", "markers", "keywords"):
        entries = [getattr(one, section).items() for one in (before, now)]
        old_names, new_names = (
            {id: entry.name.in_language(language).value for id, entry in some} for some in entries
        )
        found |= {("id", old): new for new, old in match_renamed(old_names, new_names, (str,)).items()}
    old_names, new_names = (
        {trait: text.in_language(language).value for trait, text in one.project.traits.items()}
        for one in (before, now)
    )
    return found | {("trait", old): new for new, old in match_renamed(old_names, new_names, (str,)).items()}
