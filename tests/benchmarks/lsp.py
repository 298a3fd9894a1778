"""How quickly the language server answers in a project of 540 cards with its scenarios.

Run by hand: ``python -m tests.benchmarks.lsp``. A card of each kind is edited again and again, first with the
cards spread over many files and then with all of them in one. Findings are measured inside the server, from
the change (sent as an editor does: the words that are replaced) to the message that would be sent; completion
likewise. ``--in many`` or ``--in one`` measures only that.

``--typing 4000`` makes so many edits one after the other, as somebody does in a day, and tells whether they
become slower or the memory grows; ``--asking`` asks after each all that an editor asks for by itself.

With ``--prefixes N`` every Nth prefix of every shipped file is typed in turn (1: every one), and the slowest
answers are told; ``--cards 0`` does that in the shipped set itself.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from lsprotocol import types

from tests.benchmarks.check import CARDS_KEY, build
from toolkit.apps.lsp.editor_documents import position_at
from toolkit.apps.lsp.requests import REQUESTS
from toolkit.apps.lsp.server import Server
from toolkit.resources import cards_folder

ANSWER = {method: answer for method, _, answer in REQUESTS}


def main() -> None:
    """Print the medians and the slowest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=540)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--typing", type=int, default=0)
    parser.add_argument("--asking", action="store_true")
    parser.add_argument("--prefixes", type=int, default=0)
    parser.add_argument("--in", dest="files", choices=("many", "one", "both"), default="both")
    parser.add_argument("--only", default="", help="files whose path has this in it")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch, "project")
        made = build(project, wish.cards)
        shutil.copytree(cards_folder() / "scenarios", project / "scenarios")
        print(f"{made} cards")
        if wish.prefixes:
            prefixes(project, wish.prefixes, wish.only)
            return
        if wish.typing:
            typing(project, wish.typing, wish.asking)
            return
        if wish.files != "one":
            edits(project, wish.runs)
            asking(project, wish.runs)
        if wish.files != "many":
            together = joined(project)
            print(f"all of them in one file of {len(together.read_text(encoding='utf-8')):,} characters")
            edits(project, wish.runs, together)
            asking(project, wish.runs, together)


def joined(project: Path) -> Path:
    """Put all cards of a project into one file."""
    bodies = []
    for path in sorted(project.rglob("*.yaml")):
        head, key, body = f"\n{path.read_text(encoding='utf-8')}".partition(f"\n{CARDS_KEY}")
        if key:
            bodies.append(body if body.endswith("\n") else f"{body}\n")
            if re.search(r"(?m)^\w+:", head):
                path.write_text(head[1:] + "\n", encoding="utf-8")
            else:
                path.unlink()
    together = project / "all-cards.yaml"
    together.write_text(CARDS_KEY + "".join(bodies), encoding="utf-8")
    return together


class OpenFile:
    """A server without its messages, and one file that is open in it."""

    def __init__(self, path: Path) -> None:
        self.server = Server()
        self.uri = path.as_uri()
        self.text = path.read_text(encoding="utf-8")
        self.server.state.documents.open(types.TextDocumentItem(self.uri, "yaml", 1, self.text))
        self.server.state.load(path)
        self.news()

    def news(self) -> int:
        """How many bytes of findings would be sent."""
        sent = list(self.server.state.diagnostics())
        return sum(len(str(self.server.protocol._converter.unstructure(one))) for one in sent)

    def write(self, text: str) -> None:
        """Type another text, and look for what is wrong with it."""
        self._change(types.TextDocumentContentChangeWholeDocument(text))

    def replace(self, start: types.Position, old: str, new: str) -> None:
        """Type other words in place of some that stand in one line."""
        end = types.Position(start.line, start.character + len(old))
        self._change(types.TextDocumentContentChangePartial(types.Range(start, end), new))

    def _change(self, change: types.TextDocumentContentChangeEvent) -> None:
        document = self.server.state.documents.change(self.uri, 2, [change])
        self.server.state.mark_stale(document)
        self.news()

    def ask_of_file(self, answer: Callable[..., object]) -> object:
        """Ask something about the whole file."""
        item = types.TextDocumentIdentifier(self.uri)
        whole = types.Range(types.Position(0, 0), types.Position(self.text.count("\n"), 0))
        params = types.InlayHintParams(item, whole)  # all the other requests have a part of these
        return self.server.protocol._converter.unstructure(answer(self.server, params))

    def ask(self, answer: Callable[..., object], sort: type, text: str, offset: int) -> object:
        """Ask something about an offset of the text."""
        document = self.server.state.documents.by_uri[self.uri]
        document.text = text
        position = position_at(document.file, offset, "utf-16")
        item = types.TextDocumentIdentifier(self.uri)
        return self.server.protocol._converter.unstructure(answer(self.server, sort(item, position)))


EDITS = (
    ("attack.yaml", "+2 AP", "+{} AP"),
    ("attack.yaml", "self gets", "self gets{}"),
    ("attack.yaml", "kind: attack", "kind: 'attack{}"),
    ("attack.yaml", "id: ", "id: x{}"),
    ("operators/night-owls.yaml", "ap: 4", "ap: {}"),
    ("operators/night-owls.yaml", "[sniper]", "[sniper, t{}]"),
    ("operators/night-owls.yaml", "[sniper]", "[sniper, t{}"),
    ("operators/night-owls.yaml", "team: night-owls", "team: night-owls{}"),
    ("teams.yaml", "id: night-owls", "id: night-owls{}"),
    ("opforge.yaml", "project: ", "project: {} "),
)
"""Words of a file and what is typed in their place; some leave the file broken."""


def edits(project: Path, runs: int, together: Path | None = None) -> None:
    """One changed card to its findings; every second edit takes the one before it back."""
    for name, old, new in EDITS:
        path = project / name
        opened = OpenFile(path if together is None or path.exists() else together)
        offset = opened.text.index(old)
        document = opened.server.state.documents.by_uri[opened.uri]
        start = position_at(document.file, offset, "utf-16")
        took, busy = [], []
        for number in range(runs):
            words = new.format(number % 7 + 3)
            for before, after in ((old, words), (words, old)):
                started, worked = time.perf_counter(), time.process_time()
                opened.replace(start, before, after)
                took.append(time.perf_counter() - started)
                busy.append(time.process_time() - worked)
        print(f"findings   {_ms(took)}, of the processor {_ms(busy)}  {name}: {old} -> {new}")


TENTHS = 10
"""In how many parts a long series of edits is told."""


def typing(project: Path, times: int, asks: bool) -> None:
    """Many edits of the cards, one after the other, and after each tenth of them how it goes."""
    opened = [OpenFile(project / name) for name in ("attack.yaml", "operators/night-owls.yaml")]
    asked = [ANSWER[method] for method in BY_ITSELF if method in ANSWER] if asks else []
    took, answered = [], []
    for number in range(times):
        one = opened[number // 2 % 2]
        old, new = (("+2 AP", f"+{number % 97 + 3} AP"), ("ap: 4", f"ap: {number % 17}"))[number // 2 % 2]
        text = one.text if number % 2 else one.text.replace(old, new, 1)
        started = time.process_time()
        one.write(text)
        took.append(time.process_time() - started)
        started = time.process_time()
        for answer in asked:
            one.ask_of_file(answer)
        answered.append(time.process_time() - started)
        if (number + 1) % (times // TENTHS) == 0:
            last = slice(-times // TENTHS, None)
            memory = f"{_memory():.0f} MB"
            more = f", answers {_ms(answered[last])}" if asked else ""
            print(f"{number + 1:6} edits, of the processor {_ms(took[last])}{more}, {memory}")


def _memory() -> float:
    """How many MB this process has now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1_000_000


BY_ITSELF = (
    types.TEXT_DOCUMENT_CODE_LENS,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
    types.TEXT_DOCUMENT_FOLDING_RANGE,
    types.TEXT_DOCUMENT_DOCUMENT_LINK,
    types.TEXT_DOCUMENT_INLAY_HINT,
)
"""What an editor asks about a whole file after each pause in typing."""


def asking(project: Path, runs: int, together: Path | None = None) -> None:
    """Completion at some places, and hover."""
    opened = OpenFile(together or project / "attack.yaml")
    complete, hover = ANSWER[types.TEXT_DOCUMENT_COMPLETION], ANSWER[types.TEXT_DOCUMENT_HOVER]
    for before in ("kind: ", "when attacking, self ", "    effect", "kind: attack\n    "):
        _time_asking(opened, complete, types.CompletionParams, before, runs, "completion")
    _time_asking(opened, hover, types.HoverParams, "self ge", runs, "hover     ")
    opened = OpenFile(project / "squads.yaml")
    for before in ("item_deck: {", "operators: ["):
        _time_asking(opened, complete, types.CompletionParams, before, runs, "completion")


def _time_asking(
    opened: OpenFile, answer: Callable[..., object], sort: type, before: str, runs: int, what: str
) -> None:
    offset = opened.text.index(before) + len(before)
    took = []
    for _ in range(runs):
        started = time.perf_counter()
        opened.ask(answer, sort, opened.text, offset)
        took.append(time.perf_counter() - started)
    print(f"{what} {_ms(took)}  behind {before!r}")


def prefixes(project: Path, step: int, only: str) -> None:
    """Prefixes of every shipped file: findings, completion and hover at the end of each."""
    slowest: dict[str, tuple[float, str]] = {}
    all_findings, all_answers, busy, number = [], [], [], 0
    for path in sorted(cards_folder().rglob("*.yaml")):
        relative = path.relative_to(cards_folder())
        if only not in relative.as_posix():
            continue
        opened = OpenFile(project / relative)
        for end in range(0, len(opened.text) + 1, step):
            text = opened.text[:end]
            number += 1
            started, worked = time.perf_counter(), time.process_time()
            opened.write(text)
            busy.append(time.process_time() - worked)
            typed = time.perf_counter()
            opened.ask(ANSWER[types.TEXT_DOCUMENT_COMPLETION], types.CompletionParams, text, end)
            completed = time.perf_counter()
            opened.ask(ANSWER[types.TEXT_DOCUMENT_HOVER], types.HoverParams, text, end)
            all_findings.append(typed - started)
            all_answers.append(completed - typed)
            for what, took in (
                ("findings", typed - started),
                ("completion", completed - typed),
                ("hover", time.perf_counter() - completed),
            ):
                slowest[what] = max(slowest.get(what, (0.0, "")), (took, f"{relative} at {end}"))
    print(f"{number} prefixes; nothing raised (in process {os.getpid()})")
    print(f"findings {_ms(all_findings)}, of the processor {_ms(busy)}, completion {_ms(all_answers)}")
    for what, (took, where) in slowest.items():
        print(f"slowest {what}: {took * 1000:.0f} ms, {where}")


def _ms(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    nearly = ordered[int(len(ordered) * 0.95)] if len(ordered) > 1 else ordered[0]
    return f"{statistics.median(ordered) * 1000:5.1f} ms (95 % below {nearly * 1000:.1f})"


if __name__ == "__main__":
    main()
