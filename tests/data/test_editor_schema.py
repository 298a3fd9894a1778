"""The schema for editors: draft-07, read by strict tools, and it accepts exactly what the check accepts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from jsonschema import Draft7Validator
from jsonschema.validators import extend

from tests.data.projects import CARDS, SETTINGS
from tests.data.test_schema import mutated_entries, plain
from tests.thoroughness import examples
from toolkit.data.checks.schema_findings import validator
from toolkit.data.schema import KINDS, SECTIONS, acceptance
from toolkit.editing.editor_schema import ANNOTATIONS, editor_schema
from toolkit.resources import cards_folder, starter_folder

SCHEMA = editor_schema()
# a number is what it is for opforge: 4.0 is not whole, and .nan is none
EDITOR: Any = extend(Draft7Validator, type_checker=validator("teams", None).TYPE_CHECKER)(SCHEMA)

_STANDARD = {
    *("$schema", "$id", "$ref", "title", "description", "default", "examples", "definitions"),
    *("type", "enum", "const", "pattern", "minimum", "maximum", "multipleOf", "if", "then", "else", "allOf"),
    *("anyOf", "items", "minItems", "maxItems", "uniqueItems", "properties", "required"),
    *("additionalProperties", "propertyNames", "minProperties"),
}
_OF_PYTHON = re.compile(r"\(\?(?![:=!])|\\[AZzabgGwWdD]|[*+?}]\+")
"""What is no pattern of ECMA-262, or means something else there, as `\\d` does."""


def schemas_in(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema in a schema, itself included."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key in ("properties", "definitions"):
        for inner in schema.get(key, {}).values():
            yield from schemas_in(inner)
    for key in ("items", "additionalProperties", "propertyNames", "if", "then", "else"):
        yield from schemas_in(schema.get(key))
    for key in ("anyOf", "allOf"):
        for inner in schema.get(key, ()):
            yield from schemas_in(inner)


def test_it_is_draft_07_with_keywords_that_its_readers_know() -> None:
    Draft7Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
    for schema in schemas_in(SCHEMA):
        assert schema.keys() <= _STANDARD | ANNOTATIONS, schema.keys()
        assert not isinstance(schema.get("type"), list), "ajv refuses unions in its strict mode"
        assert "$ref" not in schema or len(schema) == 1, "draft-07 ignores what stands beside a reference"


def test_its_patterns_are_those_of_javascript_too() -> None:
    patterns = {schema["pattern"] for schema in schemas_in(SCHEMA) if "pattern" in schema}
    assert len(patterns) > 10
    assert [pattern for pattern in patterns if _OF_PYTHON.search(pattern)] == []


def test_what_a_pattern_means_is_said_in_words() -> None:
    team = SCHEMA["definitions"]["card-operator"]["properties"]["team"]
    assert team["patternErrorMessage"].startswith("This must be lower-case letters, digits")


def test_strict_validators_get_keywords_of_json_schema_only_and_required_keys_that_it_has() -> None:
    strict = editor_schema(annotated=False)
    for schema in schemas_in(strict):
        assert schema.keys() <= _STANDARD
        assert set(schema.get("required", ())) <= schema.get("properties", {}).keys(), schema
    assert Draft7Validator(strict).is_valid(plain(CARDS))
    assert not Draft7Validator(strict).is_valid(plain(CARDS.replace("ap: 4", "ap: 44")))


@given(mutated_entries())
@examples(400)
def test_it_accepts_exactly_the_entries_that_the_check_accepts(mutant: tuple[str, str | None, Any]) -> None:
    section, kind, entry = mutant
    file = entry if section == "project" else {section: [entry]}
    if section == "cards":
        kind = entry.get("kind") if entry.get("kind") in KINDS else None
    if section == "project" and "project" not in entry:
        assert not EDITOR.is_valid(file), "it is no project file without this key, and no card file"
    else:
        is_accepted = acceptance(section, kind)(entry) and not (section == "cards" and kind is None)
        assert EDITOR.is_valid(file) == is_accepted


def test_it_accepts_the_shipped_set_and_the_starter() -> None:
    files = [path for folder in (cards_folder(), starter_folder()) for path in sorted(folder.rglob("*.yaml"))]
    assert len(files) > 30
    for path in files:
        errors = [error.message for error in EDITOR.iter_errors(plain(path.read_text(encoding="utf-8")))]
        assert not errors, (path, errors)


def test_it_refuses_other_keys_kinds_and_numbers_in_a_file() -> None:
    for text, right, wrong in (
        (CARDS, "name:", "nmae:"),
        (CARDS, "cards:", "card:"),
        (CARDS, "ap: 4", "ap: 44"),
        (CARDS, "kind: attack", "kind: atack"),
        (CARDS, "tags: [starter]", "ap: 4"),
        (SETTINGS, "version:", "vers:"),
    ):
        assert EDITOR.is_valid(plain(text))
        assert not EDITOR.is_valid(plain(text.replace(right, wrong))), wrong
    assert not EDITOR.is_valid({"cards": None})


def test_defaults_and_examples_are_valid_and_defaults_are_what_is_said() -> None:
    values = 0
    for schema in schemas_in(SCHEMA):
        for value in (*schema.get("examples", ()), *([schema["default"]] if "default" in schema else ())):
            values += 1
            assert Draft7Validator(schema).is_valid(value), (schema["title"], value)
        if "default" in schema:
            default = re.search(r"Default: (.+?)\.(?: |$)", schema["description"])
            assert default, schema["description"]
            assert plain(f"a: {default[1]}") == {"a": schema["default"]}, schema["description"]
    assert values > 100


def test_each_section_and_kind_of_card_has_a_snippet_that_is_valid_as_it_is_inserted() -> None:
    lists = SCHEMA["definitions"]["card-file"]["properties"]
    for section in SECTIONS:
        snippets = lists[section]["defaultSnippets"]
        assert len(snippets) == (len(KINDS) if section == "cards" else 1)
        for snippet in snippets:
            assert EDITOR.is_valid({section: [filled_in(snippet["body"])]}), snippet
    assert EDITOR.is_valid(filled_in(SCHEMA["defaultSnippets"][0]["body"]))


def filled_in(body: Any) -> Any:
    """The body of a snippet with its places as they are proposed."""
    if isinstance(body, dict):
        return {key: filled_in(value) for key, value in body.items()}
    if isinstance(body, list):
        return [filled_in(item) for item in body]
    place = re.fullmatch(r"\$\{\d+:(.*)\}", body)
    return plain(f"a: {place[1]}")["a"] if place else body


def test_code_in_descriptions_is_markdown_and_html_for_editors_that_show_it() -> None:
    colour = SCHEMA["definitions"]["teams"]["properties"]["colours"]["items"]
    assert colour["description"] == 'A colour such as "#1d2b3a", in quotes.'
    assert colour["markdownDescription"] == 'A colour such as `"#1d2b3a"`, in quotes.'
    assert colour["x-intellij-html-description"] == 'A colour such as <code>"#1d2b3a"</code>, in quotes.'
    assert colour["examples"] == ["#1d2b3a"]
    for schema in schemas_in(SCHEMA):
        assert "`" not in schema.get("description", "")
