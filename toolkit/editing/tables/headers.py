"""The meaning of the headers of a table: by name, in English or German, or by a synonym."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from toolkit.diagnostics.phrases import shown
from toolkit.editing.tables.columns import KINDS, Column, columns_of
from toolkit.editing.tables.table_reader import Problem, Sheet
from toolkit.vocabulary import KEYS
from toolkit.vocabulary.nearest import nearest

_MAX_SKILLS = 9
_SKILL = re.compile(r"(?:skill|fähigkeit) ?(?P<number>\d)[ ._]*(?P<key>.*)")
_LANGUAGE = re.compile(r"(?P<key>.+?)[ ._]*[( ._](?P<language>[a-z]{2,3})\)?")
_WORDS = {"english": "en", "englisch": "en", "german": "de", "deutsch": "de"}


class Headers(Struct, frozen=True):
    """The columns of a table by header, the headers by column, and the problems with headers.

    ``skills`` is the largest number of SKILLs in a row. ``localized`` are columns whose header names a
    language. The text of any other column is in the first language; for a new card, in all languages.
    """

    columns: Mapping[str, Column]
    header_by_column: Mapping[Column, str]
    problems: tuple[Problem, ...]
    languages: tuple[str, ...]
    skills: int
    localized: frozenset[Column]


def resolve_headers(sheet: Sheet, languages: Sequence[str], renamed: Mapping[str, str]) -> Headers:
    """Return the meaning of the headers of a table; those that begin with `#` are read-only and skipped."""
    kind = sheet.kind if sheet.kind in KINDS else None
    known_columns = {column.header: column for column in columns_of(kind, tuple(languages), _MAX_SKILLS)}
    # columns of other kinds are known too: their cells are reported one by one if they are not empty
    all_columns = {column.header: column for column in columns_of(None, tuple(languages), _MAX_SKILLS)}
    header_by_column: dict[Column, str] = {}
    problems: list[Problem] = []
    for header, location in sheet.headers.items():
        if header.startswith("#"):
            continue
        column_name = renamed.get(header) or _column_name(header, all_columns, languages)
        column = known_columns.get(column_name) or all_columns.get(column_name)
        if column is None and header in renamed:
            message = f"`{shown(column_name)}` of --map is not a key of a card."
            problems.append(
                Problem(location, "unknown-column", message, _next_step(column_name, all_columns))
            )
        elif column is None:
            problems.append(_unknown_column(header, location, all_columns))
        elif column in header_by_column:
            earlier_header = header_by_column[column]
            message = f"`{shown(header)}` and `{shown(earlier_header)}` are both `{column.header}`."
            problems.append(Problem(location, "unknown-column", message, "Remove one of the two columns."))
        else:
            header_by_column[column] = header
    columns_by_header = {header: column for column, header in header_by_column.items()}
    for header, location in sheet.repeated.items():
        if header in columns_by_header:
            message = f"The column `{shown(header)}` is here twice."
            problems.append(Problem(location, "unknown-column", message, "Remove one of the two columns."))
    skills = max((column.skill_index or 0 for column in header_by_column), default=0) + 1
    localized = frozenset(column for column, header in header_by_column.items() if _names_language(header))
    return Headers(columns_by_header, header_by_column, tuple(problems), tuple(languages), skills, localized)


def _names_language(header: str) -> bool:
    """Whether a header ends with a language: `name.en`, `Name (de)`, `Title German`."""
    plain = header.strip().lower()
    return _LANGUAGE.fullmatch(plain) is not None or any(re.search(rf"\b{word}\b", plain) for word in _WORDS)


def _column_name(header: str, all_columns: Mapping[str, Column], languages: Sequence[str]) -> str:
    """Return the name of the column that a header means; an unknown header is returned in lower case."""
    plain = re.sub(r"\s+", " ", header.strip().lower())
    if plain in all_columns:
        return plain
    skill = _SKILL.fullmatch(plain)
    if skill and skill["number"] != "0":
        key = _key_name(skill["key"] or "effect", all_columns, languages, prefix="skill1.")
        return f"skill{skill['number']}.{key}"
    return _key_name(plain, all_columns, languages, prefix="")


def _key_name(plain: str, all_columns: Mapping[str, Column], languages: Sequence[str], prefix: str) -> str:
    """Return the column name of a key or its synonym, with the named or the first language if it has any.

    Its column has the ``prefix``, which is not a part of the result: that of a SKILL, or none.
    """
    language = None
    for word, code in _WORDS.items():
        plain = re.sub(rf"\b{word}\b", code, plain)
    if (match := _LANGUAGE.fullmatch(plain)) and match["language"] in languages:
        plain, language = match["key"], match["language"]
    word = plain.strip(" ()._").replace(" ", "_")
    keys = [word, *(key for key, synonyms in KEYS.items() if word in synonyms.split())]
    for key in keys:
        key_of_text = f"{key}.{language or languages[0]}"
        if prefix + key in all_columns:
            return key
        if prefix + key_of_text in all_columns:
            return key_of_text
    return plain


def _next_step(key: str, all_columns: Mapping[str, Column]) -> str:
    """Return what to do about an unknown key: the one that was probably meant, or examples."""
    near = nearest(key, list(all_columns))
    return f"Did you mean `{near}`?" if near else "Write a key such as `ap` or `name.en`."


def _unknown_column(header: str, location: str, all_columns: Mapping[str, Column]) -> Problem:
    """Return the problem of an unknown column: an error if a known one has nearly the same name."""
    near = nearest(header.lower(), list(all_columns))
    if near:
        message = f"`{shown(header)}` is not a column."
        return Problem(
            location, "unknown-column", message, f"Did you mean `{near}`? A `#` before it leaves it out."
        )
    message = f"The column `{shown(header)}` is ignored."
    step = "Map it to a key with --map, or put a `#` before it if it is your own."
    return Problem(location, "unknown-column", message, step, serious=False)
