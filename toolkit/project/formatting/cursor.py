"""Reading what stands between the values of a YAML file: comments, blank lines, signs."""

from __future__ import annotations

import re
from typing import NamedTuple

from toolkit.project.formatting.pieces import Remark

BREAK = re.compile(r"\r\n|\r|\n")

_REMARK = re.compile(r"([ \t]*)(#[^\r\n]*)?")
_LINE = re.compile(r"[^\r\n]*")
_BLANKS = re.compile(r"[ \t]*")
_COMMENTS = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*[ \t]*")


class UnfamiliarError(Exception):
    """Something that the formatter does not know stands at an offset."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


class Gap(NamedTuple):
    """What stands between two signs in brackets; ``is_broken`` if there is a line end in it."""

    remark: Remark | None
    lines: list[str]
    is_broken: bool


class Cursor:
    """Steps through a text; ``at`` is how far everything was read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def column(self, offset: int) -> int:
        """The column of an offset in its line, from 0."""
        return offset - max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) - 1

    def head(self, target: int) -> list[str]:
        """The lines above the first key; a line ``---`` is one of them."""
        lines = BREAK.split(self.text[:target])
        if any(line.strip() and not re.match(r"[ \t]*#|---[ \t]*(#|$)", line) for line in lines):
            raise UnfamiliarError(0)
        self.at = target
        return [line.strip() for line in lines[:-1]]

    def lines_to(self, target: int) -> list[str]:
        """Comments and blank lines up to an offset, which stands behind nothing but blanks in its line."""
        first, *lines = BREAK.split(self.text[self.at : target])
        if first.strip(" \t") or any(line.strip() and line.strip()[0] != "#" for line in lines):
            raise UnfamiliarError(self.at)
        if lines and lines[-1].strip() and target < len(self.text):
            raise UnfamiliarError(target)
        self.at = target
        kept = lines if target == len(self.text) else lines[:-1]
        return [line.strip() for line in kept]

    def remark(self) -> Remark | None:
        """The comment behind what was read last, if there is one."""
        found = _REMARK.match(self.text, self.at)
        assert found is not None
        if not found[2]:
            return None
        self.at = found.end()
        return Remark(found[2].rstrip(), self.column(found.start(2)), len(found[1]))

    def foot(self, column: int) -> list[str]:
        """Comments below a block that are indented as deep as it is."""
        lines: list[str] = []
        at = self.at
        taken = 0
        while (end := BREAK.match(self.text, at)) is not None:
            line = _LINE.match(self.text, end.end())
            assert line is not None
            word = line[0].strip()
            if word and (word[0] != "#" or line[0].index("#") < column):
                break
            lines.append(word)
            at = line.end()
            if word:
                taken, self.at = len(lines), at
        return lines[:taken]

    def gap(self) -> Gap:
        """Blanks, line ends and comments between brackets."""
        remark = self.remark()
        lines: list[str] = []
        broken = False
        while True:
            blank = _BLANKS.match(self.text, self.at)
            assert blank is not None
            self.at = blank.end()
            if self.text[self.at : self.at + 1] == "#":
                line = _LINE.match(self.text, self.at)
                assert line is not None
                lines.append(line[0].rstrip())
                self.at = line.end()
            end = BREAK.match(self.text, self.at)
            if end is None:
                return Gap(remark, lines, broken)
            broken = True
            self.at = end.end()

    def sign(self, wanted: str) -> None:
        """Step over a sign, behind blanks."""
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1
        if self.text[self.at : self.at + 1] != wanted:
            raise UnfamiliarError(self.at)
        self.at += 1

    def next_word(self) -> int:
        """Where the next thing begins that is no comment."""
        found = _COMMENTS.match(self.text, self.at)
        assert found is not None
        return found.end()
