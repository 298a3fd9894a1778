"""Parsing a source file to its tree, in one pass over the events of a YAML parser.

libyaml's parser is used, or PyYAML's own where libyaml is missing; both result in the same tree. What card
files have no use for (aliases, anchors, tags, merge keys, keys that are not strings, several documents) is
reported, and loading continues. The depth and the number of nodes are limited while the parser runs: libyaml
crashes on about 100,000 nested brackets.

What explains mistakes is imported only where a mistake is met.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from unicodedata import normalize

import yaml
from msgspec import Struct, field
from msgspec.structs import replace
from yaml import events

from toolkit.data.schema import SECTIONS
from toolkit.data.yaml.nodes import REFUSED, Mapping, Node, Scalar, Sequence
from toolkit.data.yaml.stand_ins import SEPARATORS, StandIns, joined, stand_ins_for
from toolkit.data.yaml.suspicious_text import may_be_foreign, may_hide_spaces
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.diagnostics.phrases import shown
from toolkit.source import SourceFile, Span
from toolkit.source.edits import removal
from toolkit.source.files import line_start
from toolkit.source.reading import FORBIDDEN
from toolkit.source.yaml_scalars import resolve_plain

DEEPEST = 50
"""Limit of the nesting of lists and mappings; a card needs five levels."""
MAX_NODES = 250_000
"""Limit of values in one file."""


class Tree(Struct):
    """The tree of a file: its root (None if the file is empty), and findings about its syntax.

    ``cut`` is the offset from which the file could not be parsed, if there is one; before it, the tree has
    what is complete.
    """

    file: SourceFile
    root: Node | None = None
    findings: list[Diagnostic] = field(default_factory=list)
    cut: int | None = None


def default_parser() -> Callable[[str], Any]:
    """Return libyaml's parser, or PyYAML's own where libyaml is missing."""
    try:
        from yaml._yaml import CParser
    except ImportError:
        return plain_parser
    return CParser


def plain_parser(text: str) -> Any:
    """Return PyYAML's parser in pure Python."""
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

    class PlainParser(Reader, Scanner, Parser):
        def __init__(self, stream: str) -> None:
            Reader.__init__(self, stream)
            Scanner.__init__(self)
            Parser.__init__(self)

    return PlainParser(text)


_USUAL = (events.ScalarEvent, events.MappingStartEvent, events.MappingEndEvent)
"""The most frequent events, as local names of the loop: an attribute is not looked up for each event."""


def parse_tree(file: SourceFile, parser: Callable[[str], Any] | None = None) -> Tree:
    """Parse a file with ``parser``, by default libyaml's. Never raises; syntax errors are findings."""
    stand_ins = stand_ins_for(file.text)
    if stand_ins is None:
        return _parse(file, parser, None, file.text)
    if not any(map(file.text.__contains__, SEPARATORS)):
        return _parse(file, parser, stand_ins, stand_ins.text)
    from toolkit.data.yaml.separators import separator_findings

    begins_a_line = re.search(rf"(?m)^[{SEPARATORS}]", file.text)
    tree = None if begins_a_line else _parse(file, parser, stand_ins, stand_ins.text)
    if tree is None or tree.cut is not None:
        tree = _parse(file, parser, stand_ins, stand_ins.without_separators(), is_retry=True)
    are_line_ends = not stand_ins.separators
    tree.findings += separator_findings(file, tree.root, tree.cut, are_line_ends=are_line_ends)
    return tree


def _parse(
    file: SourceFile,
    parser: Callable[[str], Any] | None,
    stand_ins: StandIns | None,
    text: str,
    *,
    is_retry: bool = False,
) -> Tree:
    """Parse the ``text`` of a file, in which stand-ins may be.

    In a retry an error that a separator may have caused is not reported: the separator is.
    """
    parse = parser or default_parser()
    findings = list[Diagnostic]()
    hidden = may_hide_spaces(text)
    if hidden:
        from toolkit.data.mistakes.pasted_text import invisible_findings, without_hidden_spaces

        text, findings = without_hidden_spaces(file, text)
        findings += invisible_findings(file, text)
    if may_be_foreign(text):
        from toolkit.data.mistakes.pasted_text import without_foreign_lines

        text, foreign = without_foreign_lines(file, text)
        findings += foreign
    builder = _Builder(file, list(findings), stand_ins)
    try:
        builder.run(parse(text))
    except _PARSER_ERRORS as error:
        too_deep = _too_deep_before(builder, error, lambda end: parse(text[:end]), findings)
        if too_deep is not None:
            return too_deep
        from toolkit.data.mistakes.yaml_errors import syntax_finding

        builder.give_up(syntax_finding(file, error, builder.last, builder.opener()))
        if hidden:
            from toolkit.data.mistakes.pasted_text import without_consequences

            builder.tree.findings = without_consequences(builder.tree.findings)
        if is_retry:
            from toolkit.data.yaml.separators import is_consequence

            reported = builder.tree.findings
            reported[-1:] = [finding for finding in reported[-1:] if not is_consequence(file, finding)]
    return builder.tree


_PARSER_ERRORS = (yaml.YAMLError, ValueError, OverflowError)
"""PyYAML's own parser raises the last two for escapes and version numbers out of range."""


def _too_deep_before(
    stopped: _Builder, error: Exception, parse_up_to: Callable[[int], Any], findings: list[Diagnostic]
) -> Tree | None:
    """Return the tree up to where it is too deep, if that is before the error of the parser; else None.

    The parser reads up to 1,024 characters of a line ahead of its events, to see whether a bracket begins a
    key, so it can fail before the events of brackets that are nested too deep: from version 0.2.6 libyaml
    itself refuses 1,000 of them. Without what comes after the error, it has no reason to fail so early.
    """
    # the two differ for a quote that is never closed: it begins at the first and fails at the end of the file
    marks: list[Any] = [getattr(error, name, None) for name in ("context_mark", "problem_mark")]
    for mark in filter(None, marks):
        ahead = stopped.file.text[stopped.last : mark.index]
        if len(stopped.stack) + ahead.count("[") + ahead.count("{") <= DEEPEST:
            continue  # as almost always: nothing is parsed twice
        builder = _Builder(stopped.file, list(findings), stopped.stand_ins)
        with suppress(*_PARSER_ERRORS):
            builder.run(parse_up_to(mark.index))
        if any(finding.name == "too-deep" for finding in builder.tree.findings):
            return builder.tree
    return None


class _Frame(Struct):
    """An open list or mapping; ``expects_value`` says that the value of ``key`` comes next.

    ``first_list`` is the list of a section whose key is repeated: a second list is appended to it.
    ``doubled`` is another repeated key, until its value has been read.
    """

    node: Mapping | Sequence
    key: Scalar | None = None
    expects_value: bool = False
    first_list: Sequence | None = None
    doubled: Scalar | None = None


class _Builder:
    """Builds the tree from events."""

    def __init__(
        self, file: SourceFile, findings: list[Diagnostic], stand_ins: StandIns | None = None
    ) -> None:
        self.file = file
        self.stand_ins = stand_ins
        self.tree = Tree(file, findings=findings)
        self.stack: list[_Frame] = []
        self.last = 0
        self.nodes = 0

    def run(self, parser: Any) -> None:
        """Process the events of the first document."""
        get_event, scalar, place_node = parser.get_event, self._scalar, self._place
        scalar_event, mapping_start, mapping_end = _USUAL
        documents = 0
        while (event := get_event()) is not None:
            kind = event.__class__
            if kind is scalar_event:
                place_node(scalar(event))
            elif kind is mapping_start or kind is events.SequenceStartEvent:
                if not self._open(event, kind is mapping_start):
                    return
            elif kind is mapping_end or kind is events.SequenceEndEvent:
                place_node(self._close(event))
            elif kind is events.AliasEvent:
                self._place(self._alias(event))
            elif kind is events.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    self._several_documents(event)
                    return
            if self.nodes > MAX_NODES:
                self._refuse("too-many-values", self.last, f"The file holds more than {MAX_NODES} values.")
                return

    def opener(self) -> int | None:
        """Return the offset of the innermost open bracket or brace."""
        for frame in reversed(self.stack):
            # the pair in a list such as [a: b] is a flow mapping without a brace
            if self.file.text[frame.node.start] in "[{":
                return frame.node.start
        return None

    def give_up(self, finding: Diagnostic) -> None:
        """Report an error and keep what is complete: the entries before the one that may be truncated."""
        self.tree.findings.append(finding)
        file_and_section, inner_frames = self.stack[:2], self.stack[2:]
        torn_entry = inner_frames[0].node if inner_frames else _pop_last(file_and_section)
        self.tree.cut = torn_entry.start if torn_entry else min(finding.span.start, self.last)
        self.stack = file_and_section
        while self.stack:
            node = self.stack.pop().node
            node.to = max(node.start, self.tree.cut)
            # a truncated list or mapping in the place of a key would be reported as a wrong key
            if not self.stack or self.stack[-1].expects_value or isinstance(self.stack[-1].node, Sequence):
                self._place(node)

    def _scalar(self, event: Any) -> Scalar:
        """Return the scalar of an event with the place of its text in the file."""
        start, parsed_end = event.start_mark.index, event.end_mark.index
        self.last = start
        self.nodes += 1
        text, style = event.value, event.style or ""
        if self.stand_ins is not None:
            text = self.stand_ins.value(text, self.file.text[start:parsed_end])
            if not style:
                text, start, parsed_end = self._without_separators(text, start, parsed_end)
        if not text.isascii():  # names that look the same are the same, however an accent is written
            text = normalize("NFC", text)
        value = text if style else resolve_plain(text)
        is_refused = event.anchor is not None or event.tag is not None
        if is_refused:
            start = self._property(event, start)
        end = parsed_end
        if style == "|" or style == ">":
            end = start + len(self.file.text[start:parsed_end].rstrip(" \t\r\n"))
        elif start == parsed_end:
            # an omitted value: the two parsers do not agree on its place; put it right after the colon
            while start and self.file.text[start - 1] in " \t":
                start -= 1
            end = parsed_end = start
        if is_refused and not style:
            style = REFUSED
        scalar = Scalar(self.file, start, end, value, text, style, parsed_end)
        if style == '"' and not text.isprintable():
            self._escaped(scalar)
        return scalar

    def _without_separators(self, text: str, start: int, end: int) -> tuple[str, int, int]:
        """Return a plain text without separators at its ends, as it was meant, and its bounds in the file."""
        bare = text.strip(f" {SEPARATORS}")
        if bare == text:
            return text, start, end
        written = self.file.text[start:end]
        start += len(written) - len(written.lstrip(f" {SEPARATORS}"))
        return bare, start, max(start, end - len(written) + len(written.rstrip(f" {SEPARATORS}")))

    def _escaped(self, scalar: Scalar) -> None:
        """Report characters that an escape introduces although a file must not contain them."""
        from toolkit.data.mistakes.pasted_text import invisible_at, invisible_finding

        match = re.search(FORBIDDEN, scalar.text)
        if match is None:
            separator = re.search(f"[{SEPARATORS}]", scalar.text)
            offset = separator.start() if separator else invisible_at(scalar.text)
            written = scalar.span.text
            if offset is not None and "\\" in written and scalar.text[offset] not in written:
                span = scalar.as_text().locate(offset, offset + 1)
                self.tree.findings.append(invisible_finding(scalar.text[offset], span))
            return
        span = scalar.as_text().locate(match.start(), match.end())
        if "\ud800" <= match[0] <= "\udfff":
            self._add("unknown-escape", span, *_half_of_a_pair(scalar.text, match.start(), span))
        else:
            message = f"This stands for an invisible control character (U+{ord(match[0]):04X})."
            self._add("control-character", span, message, "Remove it from the text.")
        scalar.value = scalar.text = re.sub(FORBIDDEN, "\ufffd", scalar.text)

    def _open(self, event: Any, is_mapping: bool) -> bool:
        """Begin a list or mapping; return False if it is too deep, and then reading ends."""
        start = event.start_mark.index
        self.last = start
        self.nodes += 1
        if event.anchor is not None or event.tag is not None:
            start = self._property(event, start)
        if len(self.stack) >= DEEPEST:
            self._refuse("too-deep", start, f"Lists and mappings are nested more than {DEEPEST} deep here.")
            return False
        in_brackets = bool(event.flow_style)
        node: Mapping | Sequence
        if is_mapping:
            node = Mapping(self.file, start, start, in_brackets, {}, {}, {})
        else:
            node = Sequence(self.file, start, start, in_brackets, [], [])
        self.stack.append(_Frame(node))
        return True

    def _close(self, event: Any) -> Node:
        """Return the node that ends with an event, which is then complete."""
        node = self.stack.pop().node
        # the end mark of a block node is at the next token of the file: use the end of its last value
        if node.in_braces if isinstance(node, Mapping) else node.in_brackets:
            node.to = event.end_mark.index
        return node

    def _place(self, node: Node) -> None:
        """Add a complete node to the list or mapping around it, or make it the root."""
        if not self.stack:
            if self.tree.root is None:
                self.tree.root = node
            return
        frame = self.stack[-1]
        around = frame.node
        if node.to > around.to:
            around.to = node.to
        if isinstance(around, Sequence):
            around.items.append(node)
            around.value.append(node.value)
        elif not frame.expects_value:
            frame.key = self._key(frame, around, node)
            frame.expects_value = True
        else:
            key = frame.key
            frame.expects_value = False
            if key is not None:
                around.value[key.text] = node.value
                around.nodes[key.text] = node
                around.keys[key.text] = key
            elif frame.first_list is not None:
                if isinstance(node, Sequence):
                    frame.first_list.items += node.items
                    frame.first_list.value += node.value
                frame.first_list = None
            elif frame.doubled is not None:
                self._doubled(around, frame.doubled, node)
                frame.doubled = None

    def _doubled(self, around: Mapping, key: Scalar, node: Node) -> None:
        """Add a fix to the last finding, about a repeated key, if its value is the same the second time.

        It is safe if one key is right below the other, or both are in the same braces; otherwise the first
        line of the next entry may have been lost in between.
        """
        first_value = around.nodes[key.text]
        if (
            not isinstance(first_value, Scalar)
            or not isinstance(node, Scalar)
            or first_value.text != node.text
        ):
            return
        removed_lines = removal(self.file.span(key.start, node.end))
        finding = self.tree.findings[-1]
        if removed_lines is not None and node.style not in ("|", ">") and finding.name == "duplicate-key":
            is_adjacent = around.in_braces or not self.file.text[first_value.end : key.start].strip()
            self.tree.findings[-1] = replace(finding, fix=Fix(removed_lines, "", safe=is_adjacent))

    def _key(self, frame: _Frame, around: Mapping, node: Node) -> Scalar | None:
        """Return the key, or None, with a finding, if its value must be dropped."""
        if self.stand_ins is not None and isinstance(node, Scalar) and isinstance(node.value, str):
            node.value = node.text = re.sub(f"[{SEPARATORS}]", "", node.text)
        if (
            isinstance(node, Scalar)
            and node.style == ""
            and isinstance(node.value, str)
            and node.text != "<<"
            and node.text not in around.keys
        ):
            return node  # the common case first
        if not isinstance(node, Scalar):
            message, step = "A list or mapping cannot be a key.", "Use a word as the key."
            self._add("key-not-text", node.span, message, step)
            return None
        if node.style == REFUSED and not node.text:
            return None
        if not isinstance(node.value, str):
            self._add("key-not-text", node.span, *_no_word(around, node))
            return None
        if node.text == "<<" and not node.style:
            message = "Merging with `<<` is not possible in card files."
            self._add("merge-key-not-allowed", node.span, message, "Write the keys out in each entry.")
            return None
        first = around.keys.get(node.text)
        if first is None:
            return node
        if self._is_first_key_again(around, node):
            return self._next_entry(frame, around, node)
        self._report_repeated(frame, around, node, first)
        return None

    def _report_repeated(self, frame: _Frame, around: Mapping, key: Scalar, first: Scalar) -> None:
        """Report a repeated key; the entries of a repeated section are added to those of the first."""
        first_value, is_in_root = around.nodes[key.text], len(self.stack) == 1
        message = f"The key `{shown(key.text)}` is here twice in one entry."
        step = "Keep one of the two and remove the other."
        if is_in_root and isinstance(first_value, Sequence) and key.text in SECTIONS:
            frame.first_list = first_value
            message = f"`{key.text}` is in this file twice."
            step = f"Put the entries below the first `{key.text}` and remove this line."
        elif is_in_root:
            message = f"The key `{shown(key.text)}` is in this file twice."
        frame.doubled = key if frame.first_list is None else None
        self._add("duplicate-key", key.span, message, step, (Label(first.span, "first defined here"),))

    def _is_first_key_again(self, around: Mapping, key: Scalar) -> bool:
        """Whether a repeated key is the first one of a new list entry whose dash is missing.

        It is not if the entry has no other key yet: then the key was written twice.
        """
        is_in_list = len(self.stack) >= 2 and isinstance(self.stack[-2].node, Sequence)
        if around.in_braces or not is_in_list:
            return False
        text = self.file.text
        begin = line_start(text, key.start)
        has_room_for_dash = key.start - begin >= len("- ") and not text[begin : key.start].strip(" ")
        first_key = next(iter(around.keys))
        return has_room_for_dash and len(around.keys) > 1 and key.text == first_key

    def _next_entry(self, frame: _Frame, around: Mapping, key: Scalar) -> Scalar:
        """Report the missing dash, once, and continue as if it were there."""
        entries = self.stack[-2].node
        assert isinstance(entries, Sequence), "_is_first_key_again has checked it"
        message = f"Here a new entry begins with `{shown(key.text)}`, and its dash is missing."
        labels = (Label(around.keys[key.text].span, "the entry before it"),)
        fix = Fix(self.file.span(key.start - len("- "), key.start), "- ", safe=False)
        self._add("missing-dash", key.span, message, "Write `- ` before it.", labels, fix)
        around.to = max(node.to for node in around.nodes.values())
        entries.items.append(around)
        entries.value.append(around.value)
        frame.node = Mapping(self.file, key.start, key.end, False, {}, {}, {})
        return key

    def _alias(self, event: Any) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        self.nodes += 1
        message = f"`{shown(self.file.text[start:end])}` is an alias; card files do not support aliases."
        step = "Write the value out, or put a text that begins with `*` in quotes."
        self._add("alias-not-allowed", self.file.span(start, end), message, step)
        return Scalar(self.file, start, end, None, "", REFUSED, end)

    def _property(self, event: Any, start: int) -> int:
        """Report the anchors and tags before a value; return the offset of the value itself."""
        text, limit = self.file.text, event.end_mark.index
        # only a text, list or mapping keeps its type without the tag
        value = getattr(event, "value", None)
        keeps_type = value is None or event.style or (value and isinstance(resolve_plain(value), str))
        while start < limit and text[start] in "&!":
            end = start + 1
            while end < limit and not text[end].isspace() and text[end] not in ",]}":
                end += 1
            behind_blanks = end
            while behind_blanks < limit and text[behind_blanks] in " \t":
                behind_blanks += 1
            kind, noun = ("anchor", "an anchor") if text[start] == "&" else ("tag", "a tag")
            span = self.file.span(start, end)
            message = f"`{shown(span.text)}` is {noun}; card files have none."
            step = f"Remove it, or put a text that begins with `{text[start]}` in quotes."
            fix = Fix(self.file.span(start, behind_blanks), "", safe=False) if keeps_type else None
            self._add(f"{kind}-not-allowed", span, message, step, fix=fix)
            start = behind_blanks
            while start < limit and text[start].isspace():
                start += 1
        return start

    def _several_documents(self, event: Any) -> None:
        start = self.tree.cut = event.start_mark.index
        message = "A second YAML document begins here; a card file holds one."
        step = "Remove the `---`, or move what follows to its own file."
        self._add("several-documents", self.file.span(start, start + 3), message, step)

    def _refuse(self, name: str, offset: int, message: str) -> None:
        span = self.file.span(offset, min(offset + 1, len(self.file.text)))
        self.give_up(Diagnostic(name, message, span, "Split the file or make it flatter."))

    def _add(
        self,
        name: str,
        span: Span,
        message: str,
        step: str,
        labels: tuple[Label, ...] = (),
        fix: Fix | None = None,
    ) -> None:
        self.tree.findings.append(Diagnostic(name, message, span, step, labels, fix=fix))


def _half_of_a_pair(text: str, offset: int, span: Span) -> tuple[str, str]:
    """Return message and next step for one half of a surrogate pair, ``text[at]``."""
    half = text[offset]
    pair = joined(half, "\udc00") if half < "\udc00" else joined("\ud83c", half)
    message = f"`{span.text}` is half of a pair: two such escapes are one character."
    example = f"\\U{ord(pair):08X}"
    return message, f"Write the character itself, or as one escape such as `{example}`."


def _pop_last(frames: list[_Frame]) -> Node | None:
    """Remove and return the last complete entry: the error after it may have truncated it."""
    node: Node | None = frames[-1].node if frames else None
    if isinstance(node, Mapping) and len(frames) == 1 and node.nodes:
        node = node.nodes[next(reversed(node.nodes))]
    if not isinstance(node, Sequence) or not node.items:
        return None
    node.value.pop()
    return node.items.pop()


def _no_word(around: Mapping, key: Scalar) -> tuple[str, str]:
    """Return message and next step for a key that is not a string; it may be meant as an item of a list."""
    key_before = next(reversed(around.nodes), None)
    value_before = around.nodes[key_before] if key_before is not None else None
    is_alone = around.in_braces and not key.file.text.startswith(":", key.end)
    number_before = value_before if isinstance(value_before, Scalar) else None
    if is_alone and isinstance(key.value, int) and number_before and isinstance(number_before.value, int):
        message = f"The comma before `{shown(key.text)}` begins a new key, and a number cannot be one."
        return (
            message,
            f"A list needs brackets: `{shown(str(key_before))}: [{shown(number_before.text)}, …]`.",
        )
    subject = f"`{shown(key.text)}`" if key.text else "An empty key"
    message = f"{subject} is not a word, so it cannot be a key."
    return message, "Use a word as the key, or put it in quotes."
