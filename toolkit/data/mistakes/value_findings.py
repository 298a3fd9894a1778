"""Findings about values of the wrong type, out of range, or not among the possible words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from toolkit.data.mistakes.pasted_text import COMMENT, foreign_comment
from toolkit.data.print_sizes import named_size, read_lengths
from toolkit.data.schema import compile_test
from toolkit.data.schemas.parts import ID_PATTERN, Schema, is_effect, missing_keys
from toolkit.data.yaml.nodes import Mapping, Node, Scalar, Sequence
from toolkit.diagnostics import Diagnostic, Fix, Label, correction, suggestion
from toolkit.diagnostics.phrases import LONGEST, alternatives, shown
from toolkit.source import Span
from toolkit.source.edits import removal
from toolkit.source.yaml_scalars import format_scalar, resolve_plain
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
_HASH = re.compile(r"[ \t]+(#[^\r\n]*)")
_JOINED = re.compile(r"[\r\n:#\[\]{}]")
"""Characters that show that something else was read as an id: several lines, keys or values."""
_DOUBLED = re.compile(r"(?<!\S)(\S+)\s+\1(?!\S)")
_NOTHING = frozenset({"none", "nothing", "null", "empty", "nobody", "nowhere"})


def says_nothing(word: str) -> bool:
    """Whether a word was probably meant as ``~``."""
    return word.lower() in _NOTHING


class Violation:
    """A keyword of a schema that a value violates, as found by jsonschema.

    ``required`` says that the value's key is required, ``by_key`` that the keys of its mapping are not fixed
    by the schema but chosen by the designer, such as languages.
    """

    def __init__(self, error: Any, *, required: bool = False, by_key: bool = False) -> None:
        self.keyword: str = error.validator
        self.schema: Schema = error.schema
        self.value: Any = error.instance
        self.required = required
        self.by_key = by_key
        self._key: str | None = None

    def finding(self, node: Node, key: Scalar | None, card: str | None) -> Diagnostic:
        """Return the finding about the value; ``key`` is its key, if it has one."""
        self._key = key.text if key is not None and not self.by_key else None
        if isinstance(node, Scalar) and node.value is None:
            finding = self._empty(node, key)
        else:
            explain: Callable[[Node], Diagnostic] = getattr(self, _METHODS.get(self.keyword, "_wrong_type"))
            finding = self._comment_behind(node) or explain(node)
        return replace(finding, card=card)

    @property
    def _subject(self) -> str:
        """What must be something else: the key as it is written, or a word of the game such as ``AP``."""
        title = str(self.schema.get("title", "This"))
        return f"`{shown(self._key or title)}`" if title.islower() else title

    @property
    def _is_empty(self) -> str:
        return f"{self._subject} is empty; it must be {expected(self.schema)}."

    def _empty(self, node: Scalar, key: Scalar | None) -> Diagnostic:
        """Return the finding about a key without a value, or with ``~``."""
        name = self.schema.get("x-finding", "")
        subject = f"`{shown(key.text)}`" if key is not None else str(self.schema.get("title", "This"))
        span = key.span if key is not None and node.start == node.end else node.span
        message = f"{subject} has no value; it must be {expected(self.schema)}."
        step = "Write the value, or remove the key if it is not required."
        fix = None
        comment = _HASH.match(node.file.text, node.end) if node.start == node.end else None
        if comment is not None:
            text = f'"{shown(comment[1])}"'
            message = f"{subject} has no value, because `#` begins a comment; "
            message += f"it must be {expected(self.schema)}."
            form = f"[{text}]" if self.schema.get("type") == "array" else text
            step = f"If it is the value, put it in quotes: {form}."
            comment_span = node.file.span(comment.start(1), comment.end(1))
            span = span if key is not None else comment_span
            is_whole_comment = form.count("#") == 1 and comment_span.text in form
            fix = Fix(comment_span, form, safe=False) if is_whole_comment else None
        name = name if name in ("empty-effect", "empty-text") else "empty-value"
        return Diagnostic(name, message, span, step, fix=fix)

    def _comment_behind(self, node: Node) -> Diagnostic | None:
        """Return the finding about a comment of another language after an otherwise valid value, or None."""
        if not isinstance(node, Scalar) or node.style or "\n" in node.text:
            return None
        match = re.fullmatch(rf"(?P<value>\S+)[ \t]+(?P<comment>{COMMENT})", node.text)
        behind = re.compile(r"[ \t]*(?=[\r\n]|\Z)").match(node.file.text, node.end)
        if match is None or behind is None or not compile_test(self.schema)(resolve_plain(match["value"])):
            return None
        comment = re.fullmatch(COMMENT, match["comment"])
        if comment is None or node.span.text != node.text:
            return None
        return foreign_comment(node.file, node.start + match.start("comment"), comment)

    def _wrong_type(self, node: Node) -> Diagnostic:
        """Return the finding about a value of another type, with the form that it should have."""
        schema = self.schema
        wanted_type = schema.get("type", "")
        step, fix = f"Write {expected(schema)}.", None
        if isinstance(node, Scalar):
            step, fix = self._other_form(node) or (step, fix)
        elif isinstance(node, Mapping) and wanted_type == "array":
            step = "Write a list: put `- ` before each item."
        elif isinstance(node, Sequence) and is_effect(schema):
            step = "Write one sentence after the other, or each on its own line below a `|`, without dashes."
        written_kind = "keys with values" if isinstance(node, Mapping) else "a list"
        if isinstance(node, Scalar):
            written_kind = f"{'the text ' if isinstance(node.value, str) else ''}`{shown(node.text)}`"
            if not node.text.strip():
                written_kind = "an empty text"
        message = f"{self._subject} must be {expected(schema)}, but this is {written_kind}."
        return Diagnostic("wrong-type", message, _place(node), step, fix=fix)

    def _other_form(self, node: Scalar) -> tuple[str, Fix | None] | None:
        """Return the next step and the fix for a scalar that would be valid in another form, or None."""
        schema = self.schema
        wanted_type = schema.get("type", "")
        types = wanted_type if isinstance(wanted_type, list) else [wanted_type]
        is_number = re.fullmatch(r"-?\d{1,9}", node.text) and node.style in ("'", '"')
        if is_number and not {"integer", "number"}.isdisjoint(types):
            return f"Remove the quotation marks: {node.text}.", Fix(node.span, node.text)
        if "string" in types and not isinstance(node.value, str):
            # quotes help where any text or id is valid, not where one of a few words is
            any_text = "enum" not in schema and schema.get("x-finding") != "unknown-rule"
            if any_text and compile_test(schema)(node.text):
                return f'For a text write "{shown(node.text)}" in quotes.', Fix(node.span, f'"{node.text}"')
            return None
        if (nothing := self._nothing_meant(node)) is not None:
            return "Did you mean `~`?", nothing
        if (numbers := self._numbers(node)) is not None:
            return f"Write `{numbers.replacement}`.", numbers
        if (proposed := proposed_form(schema, node)) is not None:
            sketch = proposed if len(proposed) <= LONGEST else _form(schema)
            return f"Write {_CALLED[wanted_type]}: {sketch}.", Fix(node.span, proposed)
        if wanted_type == "array":
            return f"Write a list; each item must be {expected(schema['items'])}.", None
        return None

    def _nothing_meant(self, node: Node) -> Fix | None:
        """Return the fix that writes ``~`` for a word such as ``none``, where null is valid."""
        possible = "null" in self.schema.get("type", ())
        if not possible or not isinstance(node, Scalar) or not says_nothing(node.text):
            return None
        return correction(node.span, "~")

    def _numbers(self, node: Scalar) -> Fix | None:
        """Return the fix of numbers without brackets or commas: ``dice: 6,2``, ``dice: 6 2``, ``[6 2]``."""
        match = _SEVERAL.match(node.file.text, node.start)
        if match is None or node.style or match.end() < node.end:
            return None
        numbers = re.findall(r"\d+", match[0])
        of_list = self.schema.get("type") == "array"
        items = self.schema["items"] if of_list else self.schema
        if not of_list and not node.file.text[: node.start].rstrip().endswith(("[", ",")):
            return None
        if items.get("type") != "integer" or not all(compile_test(items)(int(number)) for number in numbers):
            return None
        written = ", ".join(numbers)
        return Fix(node.file.span(node.start, match.end()), f"[{written}]" if of_list else written)

    def _not_among(self, node: Node) -> Diagnostic:
        """Return the finding about a word that is not among the possible ones."""
        if "enum" in self.schema:
            words = [word for word in self.schema["enum"] if word is not None]
        else:
            # without a list the words are those in backticks of what it must be
            words = self.schema.get("x-words") or re.findall(r"`([^`{]*)`", expected(self.schema))
        text = node.text if isinstance(node, Scalar) else ""
        if "x-words" in self.schema and (size := self._size(node, text)) is not None:
            return size
        nothing = self._nothing_meant(node)
        meant = "~" if nothing is not None else nearest(text, words)
        listed = f": {', '.join(words)}." if "x-words" in self.schema else "."
        return Diagnostic(
            self.schema.get("x-finding", "unknown-value"),
            f"`{shown(text)}` is not possible here; {self._subject} must be {expected(self.schema)}.",
            _place(node),
            f"Did you mean `{meant}`?" if meant else f"Choose one of these{listed}",
            fix=nothing or suggestion(node.span, text, meant, words),
        )

    def _size(self, node: Node, text: str) -> Diagnostic | None:
        """Return the finding about a size that lacks its unit, or whose sides are out of range; else None."""
        sides = read_lengths(text)
        if sides is None or len(sides) != 2:
            return None
        message = f"`{shown(text)}` is not possible here; {self._subject} must be {expected(self.schema)}."
        lacks_unit = text.strip()[-1:].isdigit()
        if lacks_unit:
            fitting = [unit for unit in ("mm", "in", "cm") if compile_test(self.schema)(text.strip() + unit)]
            of_named_sizes = [unit for unit in fitting if named_size(*read_lengths(text + unit) or (0, 0))]
            unit = next(iter((*of_named_sizes, *fitting)), None)
            if unit is None:
                return None
            proposed = text.strip() + unit
            width, height = read_lengths(proposed) or (0, 0)
            name = named_size(width, height)
            size = f"{width:g} × {height:g} mm" + (f", the size `{name}`" if name else "")
            fix = correction(_place(node), proposed, safe=proposed.endswith("mm"))
            step = f"Did you mean `{proposed}`? It is {size}."
        else:
            fix, width, height = None, *sides
            step = f"It is {width:g} × {height:g} mm; write a size of 10 to 999 mm a side."
        return Diagnostic("unknown-value", message, _place(node), step, fix=fix)

    def _pattern(self, node: Node) -> Diagnostic:
        """Return the finding about a text that does not have the required form."""
        schema = self.schema
        name = schema.get("x-finding", "wrong-type")
        text = node.text if isinstance(node, Scalar) else str(self.value)
        if name in ("empty-text", "empty-effect"):
            return Diagnostic(name, self._is_empty, _place(node), self._write_or_remove("Write the text"))
        if name == "unknown-value":
            return self._not_among(node)
        step, fix = f"Write {expected(schema)}.", None
        if name == "invalid-id" and "x-words" in schema:
            meant = nearest(text, schema["x-words"])
            step = f"Did you mean `{meant}`?" if meant else step
            fix = suggestion(node.span, text, meant, schema["x-words"])
        elif name == "invalid-id" and (proposed := _kebab(text)) and not _JOINED.search(_place(node).text):
            is_sure = not _DOUBLED.search(text) and _letters(text) == _letters(proposed)
            step, fix = f"Did you mean `{proposed}`?", correction(_place(node), proposed, safe=is_sure)
        message = f"`{shown(text)}` is no {schema['title']}: it must be {expected(schema)}."
        if not text.strip():
            message = self._is_empty
        elif "x-refers" in schema and str(schema["title"]).islower():  # the title is a key such as `team`
            message = f"{self._subject} must be {expected(schema)}, but this is `{shown(text)}`."
        return Diagnostic(name, message, _place(node), step, fix=fix)

    def _range(self, node: Node) -> Diagnostic:
        numbers = f"from {self.schema['minimum']} to {self.schema['maximum']}"
        text = node.text if isinstance(node, Scalar) else ""
        message = f"{self._subject} must be {numbers}, but this is {shown(text)}."
        return Diagnostic("out-of-range", message, _place(node), f"Write a number {numbers}.")

    def _too_few(self, node: Node) -> Diagnostic:
        """Return the finding about a list or text with too few items or languages."""
        if self.keyword == "minProperties":
            step = self._write_or_remove("Write the text")
            return Diagnostic("empty-text", self._is_empty, _place(node), step)
        least = self.schema["minItems"]
        if least > 1:
            message = f"{self._subject} must be {expected(self.schema)}."
            return Diagnostic("wrong-type", message, _place(node), f"Write {least} items.")
        message = f"{self._subject} is empty; it must be a list with at least one item."
        return Diagnostic("empty-list", message, _place(node), self._write_or_remove("Write an item"))

    def _write_or_remove(self, write: str) -> str:
        """Return the next step for an empty value; a required key cannot be removed."""
        return f"{write}." if self.required else f"{write}, or remove the key."

    def _too_many(self, node: Node) -> Diagnostic:
        most = self.schema["maxItems"]
        first_extra = node.items[most] if isinstance(node, Sequence) else node
        message = f"{self._subject} has at most {most} items; this is one too many."
        return Diagnostic("too-many-items", message, _place(first_extra), "Remove it.")

    def _repeated(self, node: Node) -> Diagnostic:
        """Return the finding about the first item of a list that was there before."""
        first_nodes: dict[str, Node] = {}
        for item in node.items if isinstance(node, Sequence) else []:
            word = item.text if isinstance(item, Scalar) else ""
            if word in first_nodes:
                # of two languages one may be a mistake for a third, so none is removed
                lines = removal(item.span) if self.schema["title"] != "languages" else None
                fix = Fix(lines, "", safe=False) if lines else None
                message = f"`{shown(word)}` is twice in {self._subject}."
                labels = (Label(first_nodes[word].span, "first here"),)
                step = "Remove one of the two."
                return Diagnostic("repeated-value", message, _place(item), step, labels, fix=fix)
            first_nodes[word] = item
        return self._wrong_type(node)


_METHODS = {
    "enum": "_not_among",
    "pattern": "_pattern",
    "minimum": "_range",
    "maximum": "_range",
    "minItems": "_too_few",
    "minProperties": "_too_few",
    "maxItems": "_too_many",
    "uniqueItems": "_repeated",
}
"""The methods that explain violated keywords; for all others the type is wrong."""


def expected(schema: Schema) -> str:
    """Return what a value must be, to complete "… must be"."""
    if "x-says" in schema:
        return str(schema["x-says"])
    if "enum" in schema:
        return alternatives([f"`{word}`" for word in schema["enum"]])
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    names = [_TYPE_NAMES[name] for name in types]
    if types == ["integer"] and "minimum" in schema:
        names[0] += f" from {schema['minimum']} to {schema['maximum']}"
    return " or ".join(names)


def _place(node: Node) -> Span:
    """Return the span of a value; of a block list or mapping only its first key or dash."""
    if isinstance(node, Mapping) and not node.in_braces and node.keys:
        return next(iter(node.keys.values())).span
    if isinstance(node, Sequence) and not node.in_brackets:
        return node.file.span(node.start, node.start + 1)
    return node.span


def _letters(text: str) -> str:
    """Return a text without case and punctuation."""
    return re.sub(r"[\W_]+", "", text.casefold())


def _kebab(text: str) -> str | None:
    """Return a text as a kebab-case id, or None if it contains no letters or digits for one."""
    plain = text.replace("ß", "ss").replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", plain).lower()
    plain = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    return plain if re.search(ID_PATTERN, plain) else None


def proposed_form(schema: Schema, text: Scalar) -> str | None:
    """Return a text written as the list or mapping that the schema requires; None if that is invalid, too.

    For a list of words, commas separate the items. Texts over several lines are not converted.
    """
    if schema.get("type") not in ("array", "object") or not isinstance(text.value, str):
        return None
    words = text.text.strip()
    if not words or not words.isprintable():
        return None
    proposed = _form(schema, words)
    if proposed is None and schema["type"] == "array" and "," in words:
        items = [_form(schema["items"], word.strip()) for word in words.split(",")]
        proposed = f"[{', '.join(item for item in items if item)}]" if all(items) else None
    return proposed


def _form(schema: Schema, words: str | None = None) -> str | None:
    """Return a text in the form that a schema requires, in flow style; without words only a sketch of it."""
    if schema["type"] == "array":
        items = schema["items"]
        inner = _form(items, words)
        # one word with a comma would be valid, but two words are more likely to be meant
        of_words = items["type"] == "string" and not is_effect(items)
        may_be_several = of_words and words is not None and "," in words
        return None if inner is None or may_be_several else f"[{inner}]"
    if schema["type"] == "object":
        required = missing_keys(schema, ())
        if len(required) != 1:
            return None
        [key] = required
        inner = _form(schema["properties"][key], words)
        return None if inner is None else f"{{{key}: {inner}}}"
    if words is None:
        return '"…"'
    if not compile_test(schema)(words):
        return None
    return format_scalar(words, in_flow=True)
