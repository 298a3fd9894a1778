"""Break the shipped set in every place, one mistake at a time, and see whether ``check`` notices and where.

Run it by hand:

    python -m tests.mutants            # every mutant
    python -m tests.mutants --most 500 # a sample
    python -m tests.mutants --list     # also name the mutants that nothing noticed
    python -m tests.mutants --fixes    # each mistake in an effect, and what `--fix` makes of it

A mutant is *caught* if there is any finding, and *pointed at* if a finding's place touches the mistake (for
something left out: the words on both sides of the gap, or the entry's id for a key).
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from toolkit.data.effect_sources import effect_sources
from toolkit.data.yaml.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.diagnostics.catalogue import severity_of
from toolkit.dsl.lalr import terminals_by_word
from toolkit.dsl.mistakes.typing_mistakes import PIECE
from toolkit.dsl.names import Names
from toolkit.dsl.parsing import parse_effect, without_comments
from toolkit.lint import EffectContext, check_text
from toolkit.lint.groups import nobody_of_the_project
from toolkit.project.analyse_effects import known_names_of
from toolkit.project.effect_proposals import with_what_was_meant
from toolkit.project.pipeline import Cache, Workspace, open_project
from toolkit.resources import cards_folder
from toolkit.source import SourceFile, Span

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


def misspellings(word: str, letters: str = "aeinrstkx") -> Iterator[tuple[str, str]]:
    """Each way to get one letter of a word wrong, and what comes of it; ``letters`` are the wrong ones."""
    found = {word}
    for n, c in enumerate(word):
        if not c.isalpha():
            continue
        slips = [
            ("letter missing", word[:n] + word[n + 1 :]),
            ("letter doubled", word[:n] + c + word[n:]),
            *(("letter wrong", word[:n] + _like(c, letter) + word[n + 1 :]) for letter in letters),
        ]
        if word[n + 1 : n + 2].isalpha():
            slips.append(("letters transposed", word[:n] + word[n + 1] + c + word[n + 2 :]))
        for way, new in slips:
            if new not in found and any(map(str.isalpha, new)):
                found.add(new)
                yield way, new


def _like(letter: str, other: str) -> str:
    return other.upper() if letter.isupper() else other


def misspelt(word: str, chance: random.Random) -> str:
    """One slip of the fingers that gives another word."""
    cases = [word[:n] + c.swapcase() + word[n + 1 :] for n, c in enumerate(word) if c.isalpha()]
    return chance.choice([new for _, new in misspellings(word, chance.choice("aeinrstkx"))] + cases)


NEGATIONS = ("un", "non", "de", "dis", "re", "not", "in", "mis", "anti", "over", "under")
"""What makes the opposite of a word, or says it again, when it stands before it."""


def text_mutants(text: str, letters: str = "aekrs", replaced: bool = True) -> Iterator[tuple[str, str]]:
    """Each single mistake in the text of an effect: its sort, and the wrong text.

    Without ``replaced`` no word stands in place of another: these are four of five.
    """
    others = [other for other in terminals_by_word() if other.isalpha()] if replaced else []
    pieces = list(PIECE.finditer(text))
    for number, found in enumerate(pieces):
        (start, end), word = found.span(), found.group()
        before, behind = text[:start], text[end:]
        inner = word.strip('"')
        yield "word left out", before + behind
        yield "word doubled", f"{before}{word} {word}{behind}"
        if number + 1 < len(pieces):
            after = pieces[number + 1]
            between = text[end : after.start()]
            yield "words swapped", before + after.group() + between + word + text[after.end() :]
        if inner.isalpha():
            size = "of 5 letters or more" if len(inner) >= 5 else "of 4 letters or less"
            for way, new in misspellings(inner, letters):
                yield f"{way}, {size}", before + word.replace(inner, new) + behind
            for prefix in (one for one in NEGATIONS if one != inner):
                yield "word negated", before + word.replace(inner, prefix + inner) + behind
            for other in others:
                if other != word and other not in _neighbours(pieces, number):
                    yield "word replaced", before + other + behind


def _neighbours(pieces: list[re.Match[str]], number: int) -> set[str]:
    """A word beside itself is a doubled one."""
    return {pieces[n].group() for n in (number - 1, number + 1) if 0 <= n < len(pieces)}


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


@dataclass(frozen=True)
class Fixing:
    """Fixes effects of a project as `--fix` does, without files: ``context`` is where the effect stands."""

    names: Names
    context: EffectContext
    unsafe: bool = False

    def fixed(self, text: str) -> str:
        """The text when nothing more in it can be fixed."""
        for _ in range(30):
            _, problems = check_text(text, False, self.names, self.context)
            problems = with_what_was_meant(text, problems, False, self.names, self.context)
            fixes = (one for one in problems if one.fix is not None and (one.safe or self.unsafe))
            problem = next(fixes, None)
            if problem is None:
                return text
            text = text[: problem.place[0]] + (problem.fix or "") + text[problem.place[1] :]
        return text

    def is_right(self, text: str) -> bool:
        """Whether a text has no error."""
        _, problems = check_text(text, False, self.names, self.context)
        return not any(severity_of(problem.name) == "error" for problem in problems)


def shipped_effects(workspace: Workspace) -> list[tuple[str, Fixing]]:
    """Each different effect of a project, and what fixes it there."""
    cards = workspace.cards
    known = known_names_of(cards)
    operators = tuple(card for card in cards.cards.values() if card.kind == "operator")
    why_nobody = partial(nobody_of_the_project, operators=operators)
    found = {
        (source.role, source.scalar.value): Fixing(
            known.names,
            EffectContext(
                source.role,
                source.bearer,
                why_nobody,
                given_traits=known.given_traits,
                markers=known.names.markers,
                given=known.given,
            ),
        )
        for source in effect_sources(cards)
        if source.scalar.style != "|" or "#" not in source.scalar.value
    }
    return [(text, fixing) for (_, text), fixing in found.items()]


@dataclass
class FixTally:
    """Of the mutants of each sort: how many there were, were still right, given back, left, or made another
    effect; and those others."""

    made: Counter[str]
    right: Counter[str]
    back: Counter[str]
    left: Counter[str]
    other: list[tuple[str, str, str]]


def fix_all(mutants: Iterable[tuple[str, Fixing, str, str]], unsafe: bool = False) -> FixTally:
    """Fix each mutant, which comes with its effect, and compare what it says then with what it said."""
    tally = FixTally(Counter(), Counter(), Counter(), Counter(), [])
    for text, fixing, sort, wrong in mutants:
        tally.made[sort] += 1
        if fixing.is_right(wrong):
            tally.right[sort] += 1
            continue
        mended = replace(fixing, unsafe=unsafe).fixed(wrong)
        if mended == wrong:
            tally.left[sort] += 1
        elif parse_effect(mended)[0] == parse_effect(text)[0]:
            tally.back[sort] += 1
        else:
            tally.other.append((sort, wrong, mended))
    return tally


def all_text_mutants(workspace: Workspace, replaced: bool = True) -> Iterator[tuple[str, Fixing, str, str]]:
    """Each single mistake in each effect of a project, with the effect.

    A word in place of another may make the text nearer to another sentence than to its own.
    """
    for text, fixing in shipped_effects(workspace):
        for sort, wrong in text_mutants(text, replaced=replaced):
            yield text, fixing, sort, wrong


def print_fixes(root: Path, unsafe: bool) -> None:
    """Fix every mutant and print the table."""
    tally = fix_all(all_text_mutants(open_project(root)), unsafe)
    other = Counter(sort for sort, _, _ in tally.other)
    print(f"{'mistake':45} {'made':>7} {'right':>7} {'back':>7} {'left':>7} {'other':>6} {'back':>7}")
    for sort, made in sorted(tally.made.items()):
        right, back, left = tally.right[sort], tally.back[sort], tally.left[sort]
        share = back / (made - right) if made > right else 0.0
        print(f"{sort:45} {made:7} {right:7} {back:7} {left:7} {other[sort]:6} {share:7.1%}")
    for sort, wrong, mended in tally.other:
        print(f"{sort}\n  {wrong}\n  {mended}")


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


def mutants(workspace: Workspace, seed: int = 1) -> list[Mutant]:
    """All mutants of a project, always the same for a seed."""
    chance = random.Random(seed)
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
    parser.add_argument("--fixes", action="store_true", help="see instead what is fixed in effects, and how")
    parser.add_argument("--unsafe", action="store_true", help="with --fixes: what is not certain, too")
    wish = parser.parse_args()
    root = cards_folder()
    if wish.fixes:
        print_fixes(root, wish.unsafe)
        return
    chosen = mutants(open_project(root), wish.seed)
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
