"""Stand-ins for characters that the YAML parsers read otherwise than YAML 1.2, whose card files are.

U+0085, U+2028 and U+2029 end a line in YAML 1.1 and for libyaml (0.2.5); in YAML 1.2 they are characters as
any other. JSON writes an emoji as two halves (``"\\ud83c\\udfb2"``), which libyaml refuses. Both are replaced
before parsing, by as many characters that the file does not contain, so that offsets stay the same; in the
values they are put back.
"""

from __future__ import annotations

import re

from msgspec import Struct

SEPARATORS = "\x85\u2028\u2029"
"""Line ends of YAML 1.1 that are none in YAML 1.2."""

HALF = r"\\(?:u|U0000)([dD][89a-fA-F][0-9a-fA-F]{2})"
"""The escape of one half of a surrogate pair."""
_PAIR = r"[\ud800-\udbff][\udc00-\udfff]"
_FIRST_PRIVATE, _LAST_PRIVATE = 0xE000, 0xF8FF

_STRUCTURE = r"""(?m)^([ S-]*)(["']?[\w-]+["']?:(?=[ S]|$))?([ S]*)(.?)"""
"""The beginning of a line, where S are separators: indentation and dashes, a key, what is behind it."""
_ONLY_LINE_ENDS = rf"(?:---|[\w-]+:)[ ]*[{SEPARATORS}][^\r\n]*[\r\n]*"


class StandIns(Struct, frozen=True):
    """The ``text`` for the parser, and what its stand-ins are.

    ``separators`` is a table for ``str.translate``; the escapes of halves stand for the character ``half``.
    """

    text: str
    separators: dict[int, str]
    half: str

    def value(self, parsed: str, written: str) -> str:
        """Return the value of a scalar as YAML 1.2 has it, from the parser's and the ``written`` text."""
        value = parsed.translate(self.separators)
        if not self.half:
            return value
        if written[:1] in ("|", ">"):
            # a comment behind the sign is no part of the value
            *_, written = re.split(r"[\r\n]", written, maxsplit=1)
        codes_of_halves = iter(re.findall(HALF, written))

        def original(stand_in: re.Match[str]) -> str:
            """Return the half that was escaped, or where escapes are text, the escape as it was written."""
            if stand_in["escape"]:
                return stand_in["escape"] + next(codes_of_halves, "")
            return chr(int(next(codes_of_halves, "FFFD"), 16))

        digits = f"{ord(self.half):04X}"
        value = re.sub(rf"{self.half}|(?P<escape>\\(?:u|U0000)){digits}", original, value)
        return re.sub(_PAIR, lambda pair: joined(*pair[0]), value)

    def without_separators(self) -> str:
        """Return the text for a second try: separators around dashes and behind keys are blanks in it.

        Those before a key or word are put right before it, so that it begins in the column where it belongs.
        """
        signs = "".join(map(chr, self.separators))
        blanks = dict.fromkeys(self.separators, " ")

        def straightened(line: re.Match[str]) -> str:
            """Return the beginning of a line with its separators as spaces, where the key stays in its
            column."""
            indent, key, behind, first_char = line[1], line[2] or "", line[3], line[4]
            if not key:
                indent, behind = indent + behind, ""
            bare_indent = indent.translate(dict.fromkeys(self.separators))
            separators = indent.translate(dict.fromkeys(map(ord, " -")))
            if bare_indent.endswith("-") and separators:  # the first one stands for the space behind the dash
                bare_indent, separators = f"{bare_indent} ", separators[1:]
            if (key or first_char)[:1] in "\"'[{|>#":  # else they are part of the word
                separators = separators.translate(blanks)
            return bare_indent + separators + key + behind.translate(blanks) + first_char

        return re.sub(_STRUCTURE.replace("S", signs), straightened, self.text)


def stand_ins_for(text: str) -> StandIns | None:
    """Return the stand-ins that a text needs; None if it needs none, as almost every one."""
    separated = not text.isascii() and any(map(text.__contains__, SEPARATORS))
    halved = ("\\u" in text or "\\U" in text) and bool(re.search(HALF, text))
    if not separated and not halved:
        return None
    # no file contains all private characters and their escapes, except on purpose
    present = {
        *map(ord, text),
        *(int(code, 16) for code in re.findall(r"[uU](?:0000)?([eEfF][0-9a-fA-F]{3})", text)),
    }
    free = (code for code in range(_FIRST_PRIVATE, _LAST_PRIVATE) if code not in present)
    codes = [next(free, 0) for _ in (*SEPARATORS, "half")]
    if not all(codes):
        return None
    *separator_codes, half_code = codes
    separators = dict(zip(separator_codes, SEPARATORS, strict=True)) if separated else {}
    half = chr(half_code) if halved else ""
    if separated and re.fullmatch(_ONLY_LINE_ENDS, text):  # the file has no other line ends
        text = re.sub(f"[{SEPARATORS}]", "\n", text)
        separators = {}
    text = text.translate({ord(separator): chr(code) for code, separator in separators.items()})
    if halved:
        text = re.sub(HALF, lambda match: f"{match[0].removesuffix(match[1])}{half_code:04X}", text)
    return StandIns(text, separators, half)


def joined(high: str, low: str) -> str:
    """Return the character that the two halves of a surrogate pair are."""
    return (high + low).encode("utf-16", "surrogatepass").decode("utf-16")
