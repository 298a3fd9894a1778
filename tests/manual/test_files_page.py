"""The page of files: made anew it is what is kept, and it has every key of every schema."""

from __future__ import annotations

from collections.abc import Iterator

from tests.help_pages.files import files_page, words_page
from tests.thoroughness import THOROUGH
from toolkit.data.schema import KINDS, SECTIONS, schema_for
from toolkit.data.schemas.parts import Schema
from toolkit.diagnostics.help_names import keys_named
from toolkit.diagnostics.help_pages import other_page


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


def test_every_key_of_a_file_is_explained() -> None:
    keys = {key for section, kind in ENTRIES for key in keys_of(schema_for(section, kind))}
    for key in sorted(keys)[:: 1 if THOROUGH else 3]:
        assert any(f"{key}`" in lines for lines in keys_named(key)), key
