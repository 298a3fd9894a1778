"""Break the shipped set in every place, one mistake at a time, and see whether ``check`` notices and where.

Run it by hand:

    python -m tests.mutants            # every mutant
    python -m tests.mutants --most 500 # a sample
    python -m tests.mutants --list     # also name the mutants that nothing noticed

A mutant is *caught* if there is any finding, and *pointed at* if a finding's place touches the mistake (for
something left out: the words on both sides of the gap, or the entry's id for a key).
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.tree import parse_tree
from toolkit.dsl.parsing import without_comments
from toolkit.dsl.stops import PIECE
from toolkit.effects.sources import effect_sources
from toolkit.resources import cards_folder
from toolkit.source import SourceFile, Span
from toolkit.workspace import Cache, Workspace, open_project

IDS = ("id", "kind", "team", "logo", "art", "mode", "ruleset", "stacking", "rounding", "swap_counters")
"""Keys whose values are words that check knows: their misspellings must be caught."""

STATS = {"AP": "EP", "EP": "DP", "DP": "MP", "MP": "AP"}


@dataclass(frozen=True)
class Mutant:
    """An edit of a file: ``text`` replaces ``start`` to ``end``; findings should touch ``near``."""

    sort: str
    file: SourceFile
    start: int
    end: int
    text: str
    near: tuple[int, int]

    @property
    def mutated(self) -> str:
        return self.file.text[: self.start] + self.text + self.file.text[self.end :]

    def __str__(self) -> str:
        begin = self.file.position(self.start)
        was = self.file.text[self.start : self.end].strip()
        return f"{self.file.name}:{begin.line}:{begin.column}: {self.sort}: {was!r} -> {self.text.strip()!r}"


def misspelt(word: str, chance: random.Random) -> str:
    """One slip of the fingers that gives another word."""
    letters = [n for n, c in enumerate(word) if c.isalpha()]
    while True:
        n = chance.choice(letters)
        slip = chance.choice(("drop", "double", "swap", "replace", "case"))
        if slip == "drop":
            new = word[:n] + word[n + 1 :]
        elif slip == "double":
            new = word[:n] + word[n] + word[n:]
        elif slip == "swap":
            new = word[:n] + word[n + 1 : n + 2] + word[n] + word[n + 2 :]
        elif slip == "case":
            new = word[:n] + word[n].swapcase() + word[n + 1 :]
        else:
            new = word[:n] + chance.choice("aeinrstkx") + word[n + 1 :]
        if new != word and any(c.isalpha() for c in new):
            return new


def effect_mutants(workspace: Workspace, chance: random.Random) -> Iterator[Mutant]:
    """Each word of each effect misspelt, left out and doubled; each stat swapped for another."""
    for source in effect_sources(workspace.cards):
        scalar = source.scalar
        pieces = list(PIECE.finditer(without_comments(scalar.value) if scalar.style == "|" else scalar.value))
        for number, found in enumerate(pieces):
            span = scalar.locate(*found.span())
            word, file = found.group(), span.file
            before = scalar.locate(*pieces[number - 1].span()) if number else span
            behind = scalar.locate(*pieces[number + 1].span()) if number + 1 < len(pieces) else span
            gap = (before.start, behind.end)
            if word.strip('"').isalpha():
                inner = word.strip('"')
                start = span.start + (1 if word != inner else 0)
                end = start + len(inner)
                if file.text[start:end] == inner:
                    slip = misspelt(inner, chance)
                    yield Mutant("effect: word misspelt", file, start, end, slip, (start, start + len(slip)))
            yield Mutant("effect: word left out", file, span.start, span.end, "", gap)
            doubled = file.text[span.start : span.end]
            yield Mutant(
                "effect: word doubled",
                file,
                span.end,
                span.end,
                f" {doubled}",
                (span.start, behind.end + len(doubled) + 1),
            )
            if word in STATS:
                yield Mutant(
                    "effect: stat swapped", file, span.start, span.end, STATS[word], (span.start, span.end)
                )


def found_at(span: Span) -> tuple[int, int]:
    return (span.start, span.end)


def key_mutants(file: SourceFile, chance: random.Random) -> Iterator[Mutant]:
    """Each key misspelt, its line left out and doubled; each known word misspelt; each number a word."""
    root = parse_tree(file).root
    if root is not None:
        yield from _below(file, root, chance, root.span.start, "")


def _below(file: SourceFile, node: Node, chance: random.Random, entry: int, path: str) -> Iterator[Mutant]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _below(file, item, chance, item.start, path)
        return
    if not isinstance(node, Mapping):
        return
    for name, key in node.keys.items():
        value, span = node.nodes[name], key.span
        if path.endswith(("deck", "item_deck")):
            continue
        slip = misspelt(name, chance)
        yield Mutant("key misspelt", file, span.start, span.end, slip, (span.start, span.start + len(slip)))
        yield from _lines(file, span.start, value, entry)
        if isinstance(value, Scalar):
            yield from _values(file, name, value, chance)
        yield from _below(file, value, chance, entry, f"{path}/{name}")


def _lines(file: SourceFile, start: int, value: Node, entry: int) -> Iterator[Mutant]:
    """A line that holds one key and its value, left out and doubled."""
    line = file.text.rfind("\n", 0, start) + 1
    end = file.text.find("\n", start) + 1 or len(file.text)
    if file.text[line:start].strip(" ") or not isinstance(value, Scalar) or value.end > end:
        return
    text = file.text[line:end]
    yield Mutant("line left out", file, line, end, "", (entry, end))
    yield Mutant("line doubled", file, end, end, text, (line, end + len(text)))


def _values(file: SourceFile, name: str, value: Scalar, chance: random.Random) -> Iterator[Mutant]:
    start, end = value.span.start, value.span.end
    written = file.text[start:end]
    if name in IDS and any(c.isalpha() for c in written) and name != "id":
        slip = misspelt(written, chance)
        yield Mutant("known word misspelt", file, start, end, slip, (start, start + len(slip)))
    if isinstance(value.value, int):
        yield Mutant("number made a word", file, start, end, "two", (start, start + 3))
        yield Mutant("number made negative", file, start, end, "-7", (start, start + 2))


def mutants(root: Path, seed: int = 1) -> list[Mutant]:
    """All mutants of a project, always the same for a seed."""
    chance = random.Random(seed)
    workspace = open_project(root)
    found = list(effect_mutants(workspace, chance))
    for file in workspace.cards.files:
        found += key_mutants(file, chance)
    return found


@dataclass
class Tally:
    """How many mutants of each sort there were, were caught and pointed at; and those that passed."""

    made: Counter[str]
    caught: Counter[str]
    pointed: Counter[str]
    passed: list[Mutant]
    beside: list[Mutant]


def try_all(root: Path, chosen: list[Mutant]) -> Tally:
    """Check the project once for each mutant."""
    tally = Tally(Counter(), Counter(), Counter(), [], [])
    cache = Cache()
    known = {finding.message for finding in open_project(root, cache=cache).findings}
    for mutant in chosen:
        workspace = open_project(root, overlay={mutant.file.path: mutant.mutated}, cache=cache)
        findings = [finding for finding in workspace.findings if finding.message not in known]
        tally.made[mutant.sort] += 1
        tally.caught[mutant.sort] += bool(findings)
        touches = any(
            finding.span.file.path == mutant.file.path
            and finding.span.start <= mutant.near[1]
            and finding.span.end >= mutant.near[0]
            for finding in findings
        )
        tally.pointed[mutant.sort] += touches
        if not findings:
            tally.passed.append(mutant)
        elif not touches:
            tally.beside.append(mutant)
    return tally


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--most", type=int, help="try only so many, chosen by chance")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="name those that passed or were not pointed at")
    wish = parser.parse_args()
    root = cards_folder()
    chosen = mutants(root, wish.seed)
    if wish.most and wish.most < len(chosen):
        chosen = random.Random(wish.seed).sample(chosen, wish.most)
    tally = try_all(root, chosen)
    print(f"{'mistake':28} {'made':>6} {'caught':>8} {'pointed at':>11}")
    for sort, made in sorted(tally.made.items()):
        caught, pointed = tally.caught[sort] / made, tally.pointed[sort] / made
        print(f"{sort:28} {made:6} {caught:8.1%} {pointed:11.1%}")
    if wish.list:
        for title, some in (("passed", tally.passed), ("caught, but not there", tally.beside)):
            print(f"\n{title}:")
            for mutant in some:
                print(f"  {mutant}")


if __name__ == "__main__":
    main()
