"""The page of files: made anew it is what is kept, and it has every key of every schema."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.help_pages.files import files_page, words_page
from tests.thoroughness import THOROUGH
from toolkit.data.schema import KINDS, SECTIONS, schema_for
from toolkit.data.schemas.parts import Schema
from toolkit.diagnostics import help_search
from toolkit.diagnostics.help_pages import other_page
from toolkit.diagnostics.help_search import page_about


def test_the_page_is_made_anew() -> None:
    assert other_page("files") == files_page(), "run python -m tests.help_pages"
    assert other_page("words") == words_page(), "run python -m tests.help_pages"


def keys_of(schema: Schema) -> Iterator[str]:
    for key, value in schema.get("properties", {}).items():
        yield key
        yield from keys_of(value)
    for inner in (schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict):
            yield from keys_of(inner)


ENTRIES = [("project", None), *((name, None) for name in SECTIONS), *(("cards", kind) for kind in KINDS)]


def test_every_key_of_a_file_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    sections = list(help_search._sections())
    monkeypatch.setattr(help_search, "_sections", lambda: sections)  # read once, not for each key
    keys = {key for section, kind in ENTRIES for key in keys_of(schema_for(section, kind))}
    for key in sorted(keys)[:: 1 if THOROUGH else 3]:
        assert f"{key}`" in (page_about(key) or ""), key
