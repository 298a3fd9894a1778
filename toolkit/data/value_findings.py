"""Values that are of the wrong sort, out of range or not among the possible words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.nodes import Mapping, Node, Scalar, Sequence, resolve_plain
from toolkit.data.pasted_text import COMMENT, foreign_comment
from toolkit.data.quoting import LONGEST, says_nothing, shown
from toolkit.data.schema import compile_test
from toolkit.data.schemas.parts import ID_PATTERN, Schema
from toolkit.diagnostics import Diagnostic, Fix, Label, correction, suggestion
from toolkit.source import Span
from toolkit.source.edits import removal
from toolkit.vocabulary.nearest import nearest

_TYPE_NAMES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing (`~`)",
    "array": "a list",
    "object": "keys with values (`key: …`)",
}
_CALLED = {"array": "a list", "object": "its keys"}
_SEVERAL = re.compile(r"\d+(?:(?: *, *| +)\d+)+(?=[ \t]*(?:[,}\]\r\n]|\Z))")
_COMMENT = re.compile(r"[ \t]+(#[^\r\n]*)")
_JOINED = re.compile(r"[\r\n:#\[\]{}]")
"""What is in no id that was only misspelt: two lines, keys or values that were read as one."""
_DOUBLED = re.compile(r"(?<!\S)(\S+)\s+\1(?!\S)")


class Failure(Struct, frozen=True):
    """What jsonschema found: the keyword that failed, the schema it stands in, and the value.

    ``required`` says that the entry must have the key under which the value stands; ``by_key`` that the keys
    there are not the schema's but the designer's, such as languages.
    """

    keyword: str
    schema: Schema
    value: Any
    required: bool = False
    by_key: bool = False


def value_finding(failure: Failure, node: Node, key: Scalar | None, card: str | None) -> Diagnostic:
    """The finding of one failed keyword; ``key`` is the key under which the value stands, if it does."""
    if isinstance(node, Scalar) and node.value is None:
        return _empty(failure.schema, node, key, card)
    comment = _comment_behind(failure.schema, node, card)
    return comment or _BY_KEYWORD.get(failure.keyword, _wrong_type)(failure, node, card)


def expected(schema: Schema) -> str:
    """What a value must be, to complete "… must be"."""
    if "x-says" in schema:
        return str(schema["x-says"])
    if "enum" in schema:
        words = [f"`{word}`" for word in schema["enum"]]
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    names = [_TYPE_NAMES[name] for name in types]
    if types == ["integer"] and "minimum" in schema:
        names[0] += f" from {schema['minimum']} to {schema['maximum']}"
    return " or ".join(names)


def _given(node: Node) -> str:
    """What stands there instead."""
    if isinstance(node, Mapping):
        return "keys with values"
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node.value, str):
        return f"the text `{shown(node.text)}`"
    return f"`{shown(node.text)}`"


def _place(node: Node) -> Span:
    """A value's place; of a list or mapping over several lines only its beginning."""
    if isinstance(node, Scalar):
        return node.span
    if isinstance(node, Mapping) and not node.in_braces and node.keys:
        return next(iter(node.keys.values())).span
    if isinstance(node, Sequence) and not node.in_brackets:
        return node.file.span(node.start, node.start + 1)
    return node.span


def _empty(schema: Schema, node: Scalar, key: Scalar | None, card: str | None) -> Diagnostic:
    """A key with nothing behind it, or with ``~``."""
    name = {"empty-effect": "empty-effect", "empty-text": "empty-text"}.get(schema.get("x-finding", ""))
    subject = f"`{shown(key.text)}`" if key is not None else str(schema.get("title", "This"))
    span = key.span if key is not None and node.start == node.end else node.span
    message = f"{subject} has no value; it must be {expected(schema)}."
    step = "Write the value, or remove the key if it is not required."
    fix = None
    comment = _COMMENT.match(node.file.text, node.end) if node.start == node.end else None
    if comment is not None:
        quoted = f'"{shown(comment[1])}"'
        message = f"{subject} has no value, because `#` begins a comment; it must be {expected(schema)}."
        form = f"[{quoted}]" if schema.get("type") == "array" else quoted
        step = f"If it is the value, put it in quotes: {form}."
        place = node.file.span(comment.start(1), comment.end(1))
        span = span if key is not None else place
        fix = Fix(place, form, safe=False) if form.count("#") == 1 and place.text in form else None
    return Diagnostic(name or "empty-value", message, span, step, card=card, fix=fix)


def _wrong_type(failure: Failure, node: Node, card: str | None) -> Diagnostic:
    schema = failure.schema
    wanted = schema.get("type", "")
    types = wanted if isinstance(wanted, list) else [wanted]
    fix, step = None, f"Write {expected(schema)}."
    if isinstance(node, Scalar):
        if (
            not {"integer", "number"}.isdisjoint(types)
            and re.fullmatch(r"-?\d{1,9}", node.text)
            and node.style in ("'", '"')
        ):
            fix, step = Fix(node.span, node.text), f"Remove the quotation marks: {node.text}."
        elif "string" in types and not isinstance(node.value, str):
            if _is_text(schema) and compile_test(schema)(node.text):
                fix = Fix(node.span, f'"{node.text}"')
                step = f'For a text write "{shown(node.text)}" in quotes.'
        elif (nothing := _nothing_meant(schema, node)) is not None:
            fix, step = nothing, "Did you mean `~`?"
        elif (listed := _numbers(schema, node)) is not None:
            fix, step = listed
        elif (proposed := proposed_form(schema, node)) is not None:
            fix, step = Fix(node.span, proposed), f"Write {_CALLED[wanted]}: {_sketch(schema, proposed)}."
        elif wanted == "array":
            step = f"Write a list; each item must be {expected(schema['items'])}."
    elif isinstance(node, Mapping) and wanted == "array":
        step = "Write a list: put `- ` before each item."
    elif isinstance(node, Sequence) and schema.get("x-finding") == "empty-effect":
        step = "Write one sentence after the other, or each on its own line below a `|`, without dashes."
    message = f"{_subject(schema)} must be {expected(schema)}, but this is {_given(node)}."
    return Diagnostic("wrong-type", message, _place(node), step, card=card, fix=fix)


def _is_text(schema: Schema) -> bool:
    """Whether any text will do, or an id: where one of a few words is wanted quotes do not help."""
    return "enum" not in schema and schema.get("x-finding") != "unknown-rule"


def _nothing_meant(schema: Schema, node: Node) -> Fix | None:
    """``~`` for a word such as ``none``, where nothing may stand."""
    if "null" not in schema.get("type", ()) or not isinstance(node, Scalar) or not says_nothing(node.text):
        return None
    return correction(node.span, "~")


def _numbers(schema: Schema, node: Scalar) -> tuple[Fix, str] | None:
    """Numbers of a list without its brackets or commas: ``dice: 6,2``, ``dice: 6 2``, ``dice: [6 2]``."""
    found = _SEVERAL.match(node.file.text, node.start)
    if found is None or node.style or found.end() < node.end:
        return None
    numbers = re.findall(r"\d+", found[0])
    items, of_list = (schema["items"], True) if schema.get("type") == "array" else (schema, False)
    if not of_list and not node.file.text[: node.start].rstrip().endswith(("[", ",")):
        return None
    if items.get("type") != "integer" or not all(compile_test(items)(int(number)) for number in numbers):
        return None
    written = ", ".join(numbers)
    right = f"[{written}]" if of_list else written
    return Fix(node.file.span(node.start, found.end()), right), f"Write `{right}`."


def _sketch(schema: Schema, proposed: str) -> str:
    """A proposal as a next step shows it; of a long one only the form."""
    return proposed if len(proposed) <= LONGEST else sketched_form(schema)


def _subject(schema: Schema) -> str:
    title = str(schema.get("title", "This"))
    return f"`{title}`" if title.islower() else title


def _enum(failure: Failure, node: Node, card: str | None) -> Diagnostic:
    words = [word for word in failure.schema["enum"] if word is not None]
    return _not_among(failure.schema, words, node, card)


def _not_among(schema: Schema, words: list[str], node: Node, card: str | None) -> Diagnostic:
    text = node.text if isinstance(node, Scalar) else ""
    meant = nearest(text, words)
    nothing = _nothing_meant(schema, node)
    if nothing is not None:
        meant = "~"
    choose = f"Choose one of these: {', '.join(words)}." if "x-words" in schema else "Choose one of these."
    return Diagnostic(
        schema.get("x-finding", "unknown-value"),
        f"`{shown(text)}` is not possible here; {_subject(schema)} must be {expected(schema)}.",
        _place(node),
        f"Did you mean `{meant}`?" if meant else choose,
        card=card,
        fix=nothing or suggestion(node.span, text, meant, words),
    )


def _pattern(failure: Failure, node: Node, card: str | None) -> Diagnostic:
    schema = failure.schema
    name = schema.get("x-finding", "wrong-type")
    text = node.text if isinstance(node, Scalar) else str(failure.value)
    if name in ("empty-text", "empty-effect"):
        message = f"{_subject(schema)} is empty; it must be {expected(schema)}."
        return Diagnostic(name, message, _place(node), _written_or_removed("text", failure), card=card)
    if name == "unknown-value":
        return _not_among(schema, schema.get("x-words") or _quoted(expected(schema)), node, card)
    fix = None
    step = f"Write {expected(schema)}."
    if name == "invalid-id" and (proposed := _kebab(text)) and not _JOINED.search(_place(node).text):
        sure = not _DOUBLED.search(text) and _letters(text) == _letters(proposed)
        fix, step = correction(_place(node), proposed, safe=sure), f"Did you mean `{proposed}`?"
    message = f"`{shown(text)}` is no {schema['title']}: it must be {expected(schema)}."
    if not text.strip():
        message = f"{_subject(schema)} is empty; it must be {expected(schema)}."
    elif "x-refers" in schema and str(schema["title"]).islower():  # a key that names somebody or something
        message = f"{_subject(schema)} must be {expected(schema)}, but this is `{shown(text)}`."
    return Diagnostic(name, message, _place(node), step, card=card, fix=fix)


def _quoted(sentence: str) -> list[str]:
    return re.findall(r"`([^`{]*)`", sentence)


def _letters(text: str) -> str:
    """A text without case and signs."""
    return re.sub(r"[\W_]+", "", text.casefold())


def _kebab(text: str) -> str | None:
    """An id made of a text, as it was probably meant."""
    plain = text.replace("ß", "ss").replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", plain).lower()
    plain = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    return plain if re.search(ID_PATTERN, plain) else None


def _range(failure: Failure, node: Node, card: str | None) -> Diagnostic:
    schema = failure.schema
    least, greatest = schema["minimum"], schema["maximum"]
    text = node.text if isinstance(node, Scalar) else ""
    message = f"{_subject(schema)} must be from {least} to {greatest}, but this is {shown(text)}."
    step = f"Write a number from {least} to {greatest}."
    return Diagnostic("out-of-range", message, _place(node), step, card=card)


def _too_few(failure: Failure, node: Node, card: str | None) -> Diagnostic:
    schema = failure.schema
    is_text = failure.keyword == "minProperties"
    if is_text:
        message = f"{_subject(schema)} is empty; it must be {expected(schema)}."
        step = _written_or_removed("text", failure)
        return Diagnostic("empty-text", message, _place(node), step, card=card)
    message = f"{_subject(schema)} is empty; it must be a list with at least one item."
    step = _written_or_removed("item", failure)
    return Diagnostic("empty-list", message, _place(node), step, card=card)


def _written_or_removed(what: str, failure: Failure) -> str:
    """What to do about something empty; a key that must be there is not removed."""
    write = {"text": "Write the text", "item": "Write an item"}[what]
    return f"{write}." if failure.required else f"{write}, or remove the key."


def _too_many(failure: Failure, node: Node, card: str | None) -> Diagnostic:
    most = failure.schema["maxItems"]
    first_extra = node.items[most] if isinstance(node, Sequence) else node
    message = f"{_subject(failure.schema)} has at most {most} items; this is one too many."
    return Diagnostic("too-many-items", message, _place(first_extra), "Remove it.", card=card)


def _repeated(failure: Failure, node: Node, card: str | None) -> Diagnostic:
    seen: dict[str, Node] = {}
    for item in node.items if isinstance(node, Sequence) else []:
        word = item.text if isinstance(item, Scalar) else ""
        if word in seen:
            label = Label(seen[word].span, "first here")
            message = f"`{shown(word)}` is twice in {_subject(failure.schema)}."
            # which other language was meant nobody can tell
            lines = removal(item.span) if failure.schema["title"] != "languages" else None
            fix = Fix(lines, "", safe=False) if lines else None
            step = "Remove one of the two."
            return Diagnostic("repeated-value", message, _place(item), step, (label,), card, fix)
        seen[word] = item
    return _wrong_type(failure, node, card)


_BY_KEYWORD: dict[str, Callable[[Failure, Node, str | None], Diagnostic]] = {
    "type": _wrong_type,
    "enum": _enum,
    "pattern": _pattern,
    "minimum": _range,
    "maximum": _range,
    "multipleOf": _wrong_type,
    "minItems": _too_few,
    "minProperties": _too_few,
    "maxItems": _too_many,
    "uniqueItems": _repeated,
}


def _comment_behind(schema: Schema, node: Node, card: str | None) -> Diagnostic | None:
    """The finding about a value that would fit, but for a comment of another language behind it."""
    if not isinstance(node, Scalar) or node.style or "\n" in node.text:
        return None
    found = re.fullmatch(rf"(\S+)[ \t]+({COMMENT})", node.text)
    behind = re.compile(r"[ \t]*(?=[\r\n]|\Z)").match(node.file.text, node.end)
    if found is None or behind is None or not compile_test(schema)(resolve_plain(found[1])):
        return None
    comment = re.fullmatch(COMMENT, found[2])
    if comment is None or node.span.text != node.text:
        return None
    finding = foreign_comment(node.file, node.start + found.start(2), comment)
    return replace(finding, card=card)


_PLAIN = re.compile(r"[A-Za-z0-9][^,\[\]{}:#\"'\\]*")


def proposed_form(schema: Schema, text: Scalar) -> str | None:
    """A text written as the list or mapping that the schema asks for; None if that would be refused too.

    For a list of words a comma parts the items. Only texts on one line get a proposal.
    """
    if schema.get("type") not in ("array", "object") or not isinstance(text.value, str):
        return None
    words = text.text.strip()
    if not words or not words.isprintable():
        return None
    found = _written(schema, words)
    if found is None and schema["type"] == "array" and "," in words:
        items = [_written(schema["items"], word.strip()) for word in words.split(",")]
        found = f"[{', '.join(item for item in items if item)}]" if all(items) else None
    return found


def sketched_form(schema: Schema) -> str:
    """The form of such a proposal, without the text."""
    if schema["type"] == "array":
        return f"[{sketched_form(schema['items'])}]"
    if schema["type"] == "object":
        (key,) = schema["required"]
        return f"{{{key}: {sketched_form(schema['properties'][key])}}}"
    return '"…"'


def _written(schema: Schema, words: str) -> str | None:
    """One text in the form that a schema asks for, in flow style."""
    if schema["type"] == "array":
        item = _written(schema["items"], words)
        # a list of words with a comma in it is better two words
        item_schema = schema["items"]
        of_words = item_schema["type"] == "string" and item_schema.get("x-finding") != "empty-effect"
        many = of_words and "," in words
        return None if item is None or many else f"[{item}]"
    if schema["type"] == "object":
        required = schema.get("required", ())
        if len(required) != 1 or not words:
            return None
        (key,) = required
        inner = _written(schema["properties"][key], words)
        return None if inner is None else f"{{{key}: {inner}}}"
    if not compile_test(schema)(words):
        return None
    plain = _PLAIN.fullmatch(words) and isinstance(resolve_plain(words), str)
    return words if plain else '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'
