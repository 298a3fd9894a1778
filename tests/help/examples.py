"""The examples of the finding pages: read from a page, and written into a project.

A page has the sections ``## Wrong`` and ``## Right``, each with one or more fenced blocks. A block is one
example: it is put into a copy of ``base/`` (a project without findings) as ``example.yaml``. Words behind the
language of the fence steer this:

- ``file=NAME``: the block is this file instead; it replaces the one of the base if there is one.
- ``also``: the block belongs to the example of the block before it; both files are written.
- ``encoding=NAME``: how the file is saved; ``utf-8`` if it is not said.
- ``times=N``: the last line is written so many times.
- ``as=link``: the file is a symbolic link to what the block says; ``as=folder``: it is a folder;
  ``as=nothing``: the file is removed.

In a block the signs ``␀`` to ``␡`` of Unicode ("control pictures") stand for the control characters that they
show; ``␉`` is a tab.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

BASE = Path(__file__).parent / "base"

_SECTION = re.compile(r"^## (\w+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CONTROL_PICTURES = {0x2400 + code: code for code in range(0x20)} | {0x2421: 0x7F}


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: ``words`` are the steering words behind the language, by name."""

    text: str
    words: dict[str, str]


@dataclass(frozen=True, slots=True)
class Example:
    """One or more files that are right or wrong together."""

    page: str
    section: str
    number: int
    blocks: tuple[Block, ...]

    def __str__(self) -> str:
        return f"{self.page} {self.section} {self.number}"


def examples_of(page: str, text: str) -> Iterator[Example]:
    """The examples of a page in order."""
    for section, body in _SECTION.findall(text):
        groups: list[list[Block]] = []
        for _, words, content in _FENCE.findall(body):
            block = Block(content, dict(_word(word) for word in words.split()))
            if "also" in block.words:
                groups[-1].append(block)
            else:
                groups.append([block])
        for number, blocks in enumerate(groups, 1):
            yield Example(page, section, number, tuple(blocks))


def _word(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    return name, value


def make_project(folder: Path, example: Example) -> Path:
    """A copy of the base with the example in it; the root of that project, in a folder of its own."""
    root = folder / "project"
    shutil.copytree(BASE, root)
    for block in example.blocks:
        _write(root, block)
    return root


def with_fewer_lines(example: Example, part: int) -> Example:
    """The example with that part of the lines that are written many times."""
    blocks = (
        replace(block, words={**block.words, "times": str(int(block.words.get("times", part)) // part)})
        for block in example.blocks
    )
    return replace(example, blocks=tuple(blocks))


def overlay_of(example: Example) -> dict[Path, str] | None:
    """The texts that make the base a project with the example in it; None if it is more than YAML texts."""
    found = {}
    for block in example.blocks:
        path = BASE / block.words.get("file", "example.yaml")
        if path.suffix != ".yaml" or {"as", "encoding"} & block.words.keys():
            return None
        found[path] = _text(block)
    return found


def _text(block: Block) -> str:
    *lines, last = block.text.translate(_CONTROL_PICTURES).splitlines(keepends=True)
    return "".join(lines) + last * int(block.words.get("times", "1"))


def _write(root: Path, block: Block) -> None:
    path = root / block.words.get("file", "example.yaml")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    kind = block.words.get("as", "file")
    if kind == "link":
        path.symlink_to(block.text.strip())
    elif kind == "folder":
        path.mkdir()
    elif kind == "file":
        path.write_bytes(_text(block).encode(block.words.get("encoding", "utf-8")))
    elif kind != "nothing":
        raise ValueError(f"as={kind}")
