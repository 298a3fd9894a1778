"""Measure what the findings and fixes make of the wrong sentences in ``wrong_sentences.yaml``.

``unseen_sentences.yaml`` has sentences that were written without a look at the hints,
``held_out_sentences.yaml`` those for which the messages were never mended.

Run it by hand:

    python -m tests.dsl.wrong_sentences                       # the figures
    python -m tests.dsl.wrong_sentences --items               # also by item
    python -m tests.dsl.wrong_sentences --list bare           # also name the sentences behind a figure
    python -m tests.dsl.wrong_sentences --only "typing mistake"
    python -m tests.dsl.wrong_sentences --file unseen_sentences.yaml

Every sentence is a card of its own in one project, which is checked and fixed as ``opforge check --fix`` and
``--unsafe-fixes`` do.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.help.examples import BASE
from tests.yaml_files import parse_yaml, read_yaml
from toolkit.data.project_files import read_folder
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import severity_of
from toolkit.dsl.effect_objects import compile_effect
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.parsing import parse_effect
from toolkit.editing.fixing import fix_project
from toolkit.project.pipeline import Cache, open_project
from toolkit.vocabulary import Role

FILE = Path(__file__).with_suffix(".yaml")
UNSEEN = FILE.with_name("unseen_sentences.yaml")
HELD_OUT = FILE.with_name("held_out_sentences.yaml")
TRAITS = ("sniper", "scout", "tank", "medic", "leader")
"""Traits that the sentences name."""

MOST_WORDS = 6
"""No message lists more words than these."""

FIGURES = {
    "bare": "only list what may follow as the next step, and have no fix",
    "guessed": "are told what may follow beside the nearest word, as a fix",
    "long": f"are told more than {MOST_WORDS} words in one list",
    "proposed": "are led to `meant` by the fixes, unsafe ones included",
    "misled": "are led to another effect without errors by the fixes, unsafe ones included",
    "safe": "are fixed safely to `meant`",
    "changed": "are fixed safely to another effect without errors",
    "stuck": "are edited safely, but an error is left",
    "uncertain": "are fixed safely to `meant`, although something else could be meant",
    "certain": "can only mean `meant`",
}

_NAMED = r"""(?:`[^`]+`|a number|a name in "quotes")"""
_LIST = re.compile(rf"{_NAMED}(?:, {_NAMED})*(?:,? (?:or|and) {_NAMED})?")
_BARE = re.compile(rf"Expected .*|(?!Write |The closest is )[\w ]{{0,40}}{_LIST.pattern}\.")


@dataclass(frozen=True, slots=True)
class Wrong:
    """An entry of the file, whose header says what the parts are."""

    wrong: str
    kind: str
    item: str
    meant: str | None
    same_meaning: bool
    nearest: str | None = None

    def is_meant(self, text: str) -> bool:
        """Whether a text does what was meant, in whatever words of the language."""
        return self.meant is not None and _meaning(text, self.kind) == _meaning(self.meant, self.kind)


def _meaning(text: str, kind: str) -> object:
    tree, _ = parse_effect(text)
    effects = compile_effect(tree, Role(kind), "", "") if tree is not None else ()
    return [(effect.hook, effect.condition, effect.actions, effect.limit) for effect in effects]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a sentence.

    ``finding`` is the first error; ``safe`` and ``any`` are the sentence after the safe fixes and after all
    of them, each with whether it is free of errors then.
    """

    entry: Wrong
    finding: Diagnostic | None
    safe: tuple[str, bool]
    any: tuple[str, bool]

    @property
    def figures(self) -> Iterator[str]:
        """The names of the figures that the sentence counts for."""
        entry, finding = self.entry, self.finding
        if finding is not None:
            if _BARE.fullmatch(finding.next_step):
                yield "guessed" if finding.fix else "bare"
            if longest_list(finding.next_step) > MOST_WORDS or longest_list(finding.message) > MOST_WORDS:
                yield "long"
        for (text, clean), right, other in ((self.any, "proposed", "misled"), (self.safe, "safe", "changed")):
            if clean and text != entry.wrong:
                yield right if entry.is_meant(text) else other
        text, clean = self.safe
        if text != entry.wrong and not clean:
            yield "stuck"
        if clean and text != entry.wrong and entry.is_meant(text) and not entry.same_meaning:
            yield "uncertain"
        if entry.same_meaning:
            yield "certain"


def wrong_sentences(file: Path = FILE) -> list[Wrong]:
    """All entries of the file, in its order."""
    return [Wrong(**entry) for entry in read_yaml(file)]


def longest_list(text: str) -> int:
    """How many words or signs the longest list in a message has."""
    return max((len(re.findall(_NAMED, found)) for found in _LIST.findall(text)), default=0)


def canonical(text: str) -> str:
    """The effect as the formatter writes it; the text itself where it is none."""
    tree, _ = parse_effect(text)
    return text if tree is None else print_effect(tree)


AT_ONCE = 40
"""So many sentences are in a project: of more, the last ones find no steps left for a search."""


def outcomes(entries: Sequence[Wrong]) -> list[Outcome]:
    """What the findings and fixes make of each sentence."""
    starts = range(0, len(entries), AT_ONCE)
    return [outcome for start in starts for outcome in _outcomes_at_once(entries[start : start + AT_ONCE])]


def _outcomes_at_once(entries: Sequence[Wrong]) -> list[Outcome]:
    """The same for the sentences of one project."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "project"
        shutil.copytree(BASE, root)
        operators = (root / "operators.yaml").read_text(encoding="utf-8")
        bearing = operators.replace("[sniper]", f"[{', '.join(TRAITS)}]")
        (root / "operators.yaml").write_text(bearing, encoding="utf-8")
        files = {root / f"wrong-{number}.yaml": entry for number, entry in enumerate(entries)}
        for path, entry in files.items():
            path.write_text(_file(path.stem, entry), encoding="utf-8")
        folder, cache = read_folder(root), Cache()
        found = _first_errors(open_project(root, cache=cache, folder=folder).findings)
        fixed = []
        for unsafe in (False, True):
            result = fix_project(root, lambda one: one.findings, unsafe=unsafe, folder=folder, cache=cache)
            after = {change.file.path: _effect(change.after) for change in result.changes}
            left = _first_errors(result.remaining)
            fixed.append({path: (after.get(path, files[path].wrong), path not in left) for path in files})
        return [
            Outcome(entry, found.get(path), *(one[path] for one in fixed)) for path, entry in files.items()
        ]


def _file(name: str, entry: Wrong) -> str:
    """A card file with the sentence as its only effect."""
    card = f"cards:\n  - id: {name}\n    name: {name}\n"
    effect = f"effect: |\n        {entry.wrong}\n"
    if entry.kind != "skill":
        return f"{card}    kind: {entry.kind}\n    {effect}"
    stats = ("kind: operator", "team: night-owls", "squadpoints: 3", "ap: 3", "ep: 3", "dp: 5", "mp: 2")
    return (
        card + "".join(f"    {stat}\n" for stat in stats) + f"    skills:\n    - name: {name}\n      {effect}"
    )


def _effect(text: str) -> str:
    """The effect of a card file, wherever it stands."""
    card = parse_yaml(text)["cards"][0]
    effect: str = (card["skills"][0] if "skills" in card else card)["effect"]
    return effect.strip()


def _first_errors(findings: Iterable[Diagnostic]) -> dict[Path, Diagnostic]:
    found: dict[Path, Diagnostic] = {}
    for finding in findings:
        if severity_of(finding.name) == "error":
            found.setdefault(finding.span.file.path, finding)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the findings and fixes of the wrong sentences.")
    parser.add_argument("--items", action="store_true", help="also show the figures of every item")
    parser.add_argument("--list", choices=FIGURES, help="name the sentences that count for this figure")
    parser.add_argument("--only", metavar="ITEM", help="measure the sentences of one item")
    parser.add_argument("--file", default=FILE.name, metavar="NAME", help="another file beside this module")
    options = parser.parse_args()
    file = FILE.with_name(options.file)
    entries = [one for one in wrong_sentences(file) if options.only in (None, one.item)]
    found = outcomes(entries)
    _print_figures(found)
    if options.items:
        for item in dict.fromkeys(one.item for one in entries):
            print(f"\n{item}")
            _print_figures([one for one in found if one.entry.item == item])
    for one in found:
        if options.list in one.figures:
            _print_outcome(one)


def _print_figures(found: Sequence[Outcome]) -> None:
    counted = Counter(figure for one in found for figure in one.figures)
    print(f"{len(found):5} sentences")
    for figure, meaning in FIGURES.items():
        print(f"{counted[figure]:5} {figure:9} {meaning}")


def _print_outcome(one: Outcome) -> None:
    print(f"\n{one.entry.kind}: {one.entry.wrong}")
    if one.finding is not None:
        print(f"  {one.finding.name}: {one.finding.message} {one.finding.next_step}")
    print(f"  meant: {one.entry.meant}")
    print(f"  safe:  {one.safe[0]}\n  any:   {one.any[0]}")


if __name__ == "__main__":
    main()
