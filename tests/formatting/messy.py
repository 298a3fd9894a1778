"""Card files as nobody should write them: random styles, indents, comments, blank lines and orders of keys.

``messy_file()`` gives a text that YAML reads without complaint; what the cards say need not make sense.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

WORDS = (
    "Viper",
    "Läufer",
    "it's 😀",
    "a #tag",
    'say "hi"',
    "x, y",
    "- dash",
    "no",
    "12",
    "a: b",
    "{x}",
    "…",
    "who?",
)
REMARKS = ("# why", "#ä", "# 😀 {", "# key: value", "#")


@dataclass
class Page:
    """A file that is being written by chance, the same for the same seed."""

    chances: random.Random
    text: str = ""
    remarks: int = 0

    def number(self, least: int, most: int) -> int:
        return self.chances.randint(least, most)

    def one(self, of: Sequence[T]) -> T:
        return self.chances.choice(of)

    def shuffled(self, of: Iterable[str]) -> list[str]:
        return self.chances.sample(sorted(of), len(list(of)))

    def chance(self, one_in: int) -> bool:
        return self.number(1, one_in) == 1

    def put(self, text: str) -> None:
        self.text += text

    def remark(self, blanks: bool = True) -> None:
        """A comment behind something, now and then."""
        if self.chance(6):
            gap = " " * self.one([1, 2, 7]) if blanks else ""
            self.remarks += 1
            self.put(f"{gap}{self.one(REMARKS)}§{self.remarks}")

    def line_end(self) -> None:
        self.remark()
        self.put(" " * self.one([0, 0, 0, 2]) + "\n")
        while self.chance(8):
            indent = self.number(0, 9)
            self.remarks += 1
            comment = f"{' ' * indent}{self.one(REMARKS)}§{self.remarks}"
            self.put(f"{self.one(['', '', comment])}\n")


def messy_file(seed: int, effects: Sequence[str]) -> str:
    """A file with entries of every sort; ``effects`` are what its cards do."""
    page = Page(random.Random(seed))
    page.put(page.one(["", "", "\n\n", "# head\n", "---\n", "---   # x\n\n", "%YAML 1.2\n---\n"]))
    for section in page.shuffled(["cards", "teams", "squads", "rulesets"])[: page.number(1, 3)]:
        page.put(f"{section}:")
        entries: list[object] = [_entry(page, section, effects) for _ in range(page.number(1, 3))]
        _listing(page, entries, 0, page.number(0, 4))
    text = page.text if page.chance(2) else page.text.rstrip(" \n")
    text += page.one(["", "", "", "...", "\n...  # x\n"]) if text.endswith("\n") else ""
    return text.replace("\n", page.one(["\n", "\n", "\r\n"]))


def _entry(page: Page, section: str, effects: Sequence[str]) -> dict[str, object]:
    """An entry with some of the keys that it may have."""

    def words() -> str:
        return page.one(WORDS)

    def text() -> object:
        return page.one([words(), {"en": words(), "de": words()}])

    def effect() -> str:
        return loosely_written(page.one(effects))

    def skill() -> dict[str, object]:
        return {"name": text(), "effect": effect()}

    name = page.one(["viper", "aimed-shot", "hawk-2"])
    card = {"id": name, "kind": "attack", "name": text(), "effect": effect(), "text": text()}
    operator = {
        "id": name,
        "kind": "operator",
        "name": text(),
        "ap": 4,
        "skills": [skill(), skill()][: page.number(0, 2)],
    }
    found: dict[str, object] = {
        "cards": page.one([{**card, "quantity": page.number(0, 9), "tags": [words(), words()]}, operator]),
        "teams": {"id": name, "name": text(), "colours": ["#1d2b3a"] * page.number(0, 2)},
        "squads": {"id": name, "operators": ["viper", "hawk"], "deck": {"smoke": 2, "ambush": 1}},
        "rulesets": {
            "id": name,
            "suppression": effect(),
            "actions": {"move": {"limit": 2, "effect": effect()}},
        },
    }[section]  # type: ignore[assignment]
    return found


def _listing(page: Page, entries: list[object], around: int, step: int) -> None:
    """A list below a key that is indented by ``around``."""
    page.line_end()
    indent = around + step
    for entry in entries:
        page.put(" " * indent + "-")
        if isinstance(entry, dict) and page.chance(3):
            page.put(" ")
            _flow(page, entry, indent + 1)
            page.line_end()
        elif isinstance(entry, dict):
            inner = page.number(1, 3)
            if page.chance(8):
                page.line_end()
                _mapping(page, entry, indent + 1 + inner, begun=False)
            else:
                page.put(" " * inner)
                _mapping(page, entry, indent + 1 + inner, begun=True)
        else:
            page.put(" ")
            _scalar(page, entry, indent)


def _mapping(page: Page, entry: dict[str, object], indent: int, begun: bool) -> None:
    for number, key in enumerate(page.shuffled(entry)):
        if number or not begun:
            page.put(" " * indent)
        written = page.one([key, key, key, f"'{key}'", f'"{key}"'])
        page.put(written + page.one([":", ":", " :"]))
        value = entry[key]
        if isinstance(value, (dict, list)) and value and page.chance(2):
            page.put("  ")
            _flow(page, value, indent)
            page.line_end()
        elif isinstance(value, dict) and value:
            page.line_end()
            _mapping(page, value, indent + page.number(1, 4), begun=False)
        elif isinstance(value, list) and value:
            _listing(page, value, indent, page.number(0, 3))
        elif value in ([], {}):
            page.put(" " + str(value))
            page.line_end()
        else:
            page.put(" " * page.number(1, 3))
            _scalar(page, value, indent)


def _scalar(page: Page, value: object, indent: int) -> None:
    """A value in block context, in any style that can hold it, and the end of its line."""
    if not isinstance(value, str):
        page.put("~" if value is None else str(value))
        page.line_end()
        return
    is_effect = value.endswith(".")
    style = page.one(["'", '"', "|", ">", "plain" if is_effect else "'"])
    margin = " " * (indent + page.number(1, 4))
    if style in "|>":
        page.put(style + page.one(["", "-", "+"]))
        page.remark()
        page.put("\n")
        words = value.replace(", ", ",\n").replace(". ", ".\n").split("\n") if is_effect else [value]
        for line in words:
            page.put(margin + line)
            if style == "|" and is_effect:
                page.remark()
            page.put("\n" if page.chance(6) and line is not words[-1] else "")
            page.put("\n")
        page.put("\n" if page.chance(4) else "")
        return
    folded = value.replace(", ", f",\n{margin}", 1) if is_effect and page.chance(3) else value
    if style == "plain" and page.chance(4):
        page.put(f"\n{margin}")
    page.put(folded if style == "plain" else quoted(folded, style))
    if style != "plain" or page.chance(3):
        page.line_end()
    else:
        page.put("\n")


def quoted(value: str, style: str) -> str:
    """A text between quotes."""
    if style == "'":
        return "'" + value.replace("'", "''") + "'"
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("ä", "\\u00e4") + '"'


def _flow(page: Page, value: object, indent: int) -> None:
    """A value between brackets, broken over lines now and then."""
    if isinstance(value, str):
        page.put(value if value.endswith("?") else quoted(value, page.one("'\"")))
    elif not isinstance(value, (dict, list)):
        page.put("~" if value is None else str(value))
    else:
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        page.put(opening)
        members = page.shuffled(value) if isinstance(value, dict) else value
        for number, member in enumerate(members):
            _flow_gap(page, indent)
            if isinstance(value, dict):
                page.put(f"{member}:{' ' * page.number(1, 2)}")
                _flow(page, value[member], indent)
            else:
                _flow(page, member, indent)
            page.put(" " if page.chance(6) else "")
            page.put("," if number + 1 < len(members) or page.chance(6) else "")
        _flow_gap(page, indent)
        page.put(closing)


def _flow_gap(page: Page, indent: int) -> None:
    if page.chance(8):
        page.line_end()
        page.put(" " * (indent + 1 + page.number(0, 4)))
    else:
        page.put(" " * page.number(0, 2))


def loosely_written(text: str) -> str:
    """The same effect in words that are interchangeable."""
    return text.replace("self gets", "self get").replace("OPERATORs", "OPERATOR").replace(" = ", "=")
