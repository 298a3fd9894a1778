"""How the time of ``opforge check`` grows when one kind of input is doubled, twice.

Run by hand: ``python -m tests.benchmarks.growth [KIND…]``. Each project is checked by a process of its own,
which says how long the check took without starting Python. A ratio of about 2 is linear, about 4 is
quadratic; the last column is the most memory in MB. ``--fix`` fixes in memory instead of checking,
``--memory MB`` and ``--seconds N`` are what one process may use at most.
"""

# ruff: noqa: E501 -- a row for each kind of input

from __future__ import annotations

import argparse
import contextlib
import itertools
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

Files = dict[str, str]

SETTINGS = "project: P\nlanguages: [en]\n"
TEAM = "teams:\n  - {id: owls, name: Owls}\n"
SOLDIER = (
    "  - id: o{0}\n    kind: operator\n    name: N\n    team: {1}\n    squadpoints: {2}\n"
    "    ap: {3}\n    ep: {4}\n    dp: {5}\n    mp: 2\n"
)
MODE = (
    "modes:\n  - id: m\n    name: M\n    squad: {operators: 1, squadpoints: 999, copies: 99}\n"
    "    deck: {minimum: 1, maximum: 99, copies: 9}\n"
)


def card(number: int, effect: str = "self gets +1 AP.", more: str = "", kind: str = "attack") -> str:
    """An entry of ``cards``."""
    return f"  - id: c{number}\n    kind: {kind}\n    name: N\n    effect: {effect}\n{more}"


def soldier(number: int, team: str = "owls", more: str = "") -> str:
    """An OPERATOR with numbers that are not those of many others."""
    stats = (number % 7 + 1, number % 5 + 1, number // 5 % 7 + 1, number // 35 % 9 + 1)
    return SOLDIER.format(number, team, *stats) + more


def of_cards(make: Callable[[int], str], more: str = "") -> Callable[[int], Files]:
    """Projects with cards that are made by their number."""
    return lambda size: {"cards.yaml": "cards:\n" + "".join(map(make, range(size))) + more}


def scalar(first: str, line: str, last: str = "") -> Callable[[int], Files]:
    """Projects with one long value."""
    return lambda size: {"cards.yaml": f"cards:\n{card(0, first + line * size + last)}"}


def squad(size: int, line: str) -> str:
    """A squad with a DECK of so many lines."""
    deck = "".join(f"      {line.format(number)}: 1\n" for number in range(size))
    return f"squads:\n  - id: s\n    name: S\n    operators: [o0]\n    deck:\n{deck}"


def nested(depth: int, size: int) -> Files:
    """Lists in lists, many of them beside each other."""
    return {"cards.yaml": "cards:\n" + f"  - {'[' * depth}{']' * depth}\n" * size}


def scenario(number: int) -> str:
    """A scenario that plays an attack."""
    return (
        f"  - name: s{number}\n    field: {{blue: [o0, ~, ~, ~], red: [o1, ~, ~, ~]}}\n"
        "    do:\n      - {action: attack, by: o0, on: o1, dice: [3, 2]}\n    expect:\n      o1: {status: HIT}\n"
    )


IGNORE = "# opforge: ignore[{0}] why"

KINDS: dict[str, tuple[int, Callable[[int], Files]]] = {
    "cards": (1000, of_cards(lambda n: card(n, f"self gets +{n % 9 + 1} AP."))),
    "operators": (1000, of_cards(soldier, TEAM)),
    "same-effect": (1000, of_cards(lambda n: card(n))),
    "same-operator": (1000, of_cards(lambda n: SOLDIER.format(n, "owls", 3, 3, 3, 3), TEAM)),
    "outclassed": (1000, of_cards(lambda n: soldier(n, more=f"    traits: [t{n % 9}]\n"), TEAM)),
    "different-effects": (
        1000,
        of_cards(
            lambda n: card(
                n, f"self gets +{n % 9 + 1} AP and +{n // 9 % 9 + 1} EP and +{n // 81 % 9 + 1} DP."
            )
        ),
    ),
    "files": (500, lambda size: {f"c{n}.yaml": f"cards:\n{card(n)}" for n in range(size)}),
    "unknown-keys": (
        5000,
        lambda size: {
            "cards.yaml": "cards:\n" + card(0, more="".join(f"    x{n}: 1\n" for n in range(size)))
        },
    ),
    "unknown-sections": (5000, lambda size: {"cards.yaml": "".join(f"x{n}: 1\n" for n in range(size))}),
    "unknown-key-a-card": (500, of_cards(lambda n: card(n, more="    quantty: 1\n"))),
    "duplicate-keys": (5000, lambda size: {"cards.yaml": "cards:\n" + card(0) + "    quantity: 1\n" * size}),
    "missing-keys": (500, of_cards(lambda n: f"  - id: c{n}\n")),
    "wrong-types": (500, of_cards(lambda n: card(n, "[1, 2]"))),
    "wrong-kinds": (500, of_cards(lambda n: card(n, kind="atack"))),
    "duplicate-ids": (1000, of_cards(lambda _: card(0))),
    "wrong-words": (500, of_cards(lambda n: card(n, f"self gats +{n % 9 + 1} AP."))),
    "wrong-words-each": (500, of_cards(lambda n: card(n, f"self x{n} +1 AP."))),
    "unknown-teams": (
        1000,
        lambda size: {
            "cards.yaml": "cards:\n"
            + "".join(soldier(n, f"owlz{n}") for n in range(size))
            + "teams:\n"
            + "".join(f"  - {{id: owls{n}, name: Owls}}\n" for n in range(size))
        },
    ),
    "unknown-teams-in-effects": (
        500,
        lambda size: {
            "cards.yaml": "cards:\n"
            + "".join(card(n, f'all "owlz{n}" get +1 AP.') for n in range(size))
            + "teams:\n"
            + "".join(f"  - {{id: owls{n}, name: Owls}}\n" for n in range(size))
        },
    ),
    "unknown-traits": (
        500,
        lambda size: {
            "cards.yaml": "cards:\n"
            + "".join(
                card(n, f'when attacking, if self is a "spagger{n}", self gets +1 AP.') for n in range(size)
            )
            + "".join(soldier(n, more=f"    traits: [sniper{n}]\n") for n in range(size))
            + TEAM
        },
    ),
    "unknown-ids": (
        1000,
        lambda size: {
            "cards.yaml": "cards:\n" + "".join(card(n) for n in range(size)) + MODE + squad(size, "d{0}"),
            "opforge.yaml": SETTINGS + "mode: m\n",
        },
    ),
    "unknown-pictures": (500, of_cards(lambda n: card(n, more=f"    art: art/pic{n}.png\n"))),
    "teams": (
        2000,
        lambda size: {
            "cards.yaml": "teams:\n"
            + "".join(
                f"  - {{id: t{n}, name: T, colours: ['#{n % 4096:03x}{n % 4093:03x}', '#ffffff']}}\n"
                for n in range(size)
            )
        },
    ),
    "squads": (
        500,
        lambda size: {
            "cards.yaml": "cards:\n"
            + card(0)
            + soldier(0)
            + TEAM
            + "squads:\n"
            + "".join(f"  - {{id: s{n}, name: S, operators: [o0], deck: {{c0: 3}}}}\n" for n in range(size))
            + MODE,
            "opforge.yaml": SETTINGS + "mode: m\n",
        },
    ),
    "squad-deck": (
        2000,
        lambda size: {
            "cards.yaml": "cards:\n" + "".join(card(n) for n in range(size)) + squad(size, "c{0}") + MODE,
            "opforge.yaml": SETTINGS + "mode: m\n",
        },
    ),
    "squad-operators": (
        2000,
        lambda size: {
            "cards.yaml": "cards:\n"
            + "".join(soldier(n) for n in range(size))
            + TEAM
            + "squads:\n  - id: s\n    name: S\n    operators: ["
            + ", ".join(f"o{n}, o{n}" for n in range(size))
            + "]\n    deck: {}\n"
            + MODE,
            "opforge.yaml": SETTINGS + "mode: m\n",
        },
    ),
    "modes": (
        500,
        lambda size: {
            "cards.yaml": "modes:\n"
            + "".join(
                f"  - {{id: m{n}, name: M, teamwork: 'when attacking, self gets +1 AP.'}}\n"
                for n in range(size)
            )
        },
    ),
    "rulesets": (
        500,
        lambda size: {
            "cards.yaml": "rulesets:\n"
            + "".join(
                f"  - {{id: r{n}, actions: {{move: {{limit: 1, effect: 'self gets -1 EP until end of TURN.'}}}}}}\n"
                for n in range(size)
            )
        },
    ),
    "objectives": (
        2000,
        lambda size: {
            "cards.yaml": "objectives:\n"
            + "".join(f"  - {{id: b{n}, name: B, value: 3}}\n" for n in range(size))
        },
    ),
    "layouts": (
        500,
        lambda size: {
            "cards.yaml": "layouts:\n"
            + "".join(f"  - {{id: l{n}, paper: a4, columns: 3, rows: 3}}\n" for n in range(size))
        },
    ),
    "layout-slots": (
        100,
        lambda size: {
            "cards.yaml": "layouts:\n  - id: l\n    paper: a3\n    slots:\n"
            + "".join(f"      - {{x: {n}, y: {n}}}\n" for n in range(size))
        },
    ),
    "languages": (
        100,
        lambda size: {
            "opforge.yaml": "project: P\nlanguages: ["
            + ", ".join(
                [
                    "en",
                    "de",
                    *(f"{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}{chr(97 + n // 676)}" for n in range(size)),
                ]
            )
            + "]\n",
            "cards.yaml": "cards:\n" + "".join(card(n) for n in range(100)),
        },
    ),
    "languages-missing": (
        100,
        lambda size: {
            "opforge.yaml": "project: P\nlanguages: ["
            + ", ".join(
                [
                    "en",
                    "de",
                    *(f"{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}{chr(97 + n // 676)}" for n in range(size)),
                ]
            )
            + "]\n",
            "cards.yaml": "cards:\n"
            + "".join(card(n).replace("name: N", "name: {en: N}") for n in range(100)),
        },
    ),
    "house-rules": (
        200,
        lambda size: {
            "opforge.yaml": SETTINGS
            + "house_rules:\n"
            + "".join(
                f"  - {{name: r{n}, rule: 'every ATTACK card has quantity at most 3', why: w}}\n"
                for n in range(size)
            ),
            "cards.yaml": "cards:\n" + card(0),
        },
    ),
    "scenarios": (
        500,
        lambda size: {
            "cards.yaml": "cards:\n"
            + soldier(0)
            + soldier(1)
            + TEAM
            + "scenarios:\n"
            + "".join(map(scenario, range(size)))
        },
    ),
    "same-scenarios": (
        500,
        lambda size: {
            "cards.yaml": "cards:\n" + soldier(0) + soldier(1) + TEAM + "scenarios:\n" + scenario(0) * size
        },
    ),
    "scenario-steps": (
        500,
        lambda size: {
            "cards.yaml": "cards:\n"
            + soldier(0)
            + soldier(1)
            + TEAM
            + "scenarios:\n  - name: s\n    field: {blue: [o0, ~, ~, ~], red: [o1, ~, ~, ~]}\n    do:\n"
            + "      - {action: attack, by: o0, on: o1, dice: [3, 2]}\n" * size
            + "    expect: {o1: {status: HIT}}\n"
        },
    ),
    "scenario-unknown": (
        500,
        lambda size: {
            "cards.yaml": "cards:\n"
            + "".join(soldier(n) for n in range(size))
            + TEAM
            + "scenarios:\n"
            + "".join(scenario(n).replace("o1", f"x{n}") for n in range(size))
        },
    ),
    "comments": (20000, lambda size: {"cards.yaml": "cards:\n" + card(0) + "# a comment\n" * size}),
    "comments-first": (20000, lambda size: {"cards.yaml": "# a comment\n" * size + "cards:\n" + card(0)}),
    "foreign-comments": (20000, lambda size: {"cards.yaml": "cards:\n" + card(0) + "// a comment\n" * size}),
    "blank-lines": (50000, lambda size: {"cards.yaml": "\n" * size + "cards:\n" + card(0)}),
    "suppressions": (1000, of_cards(lambda n: f"  {IGNORE.format('unknown-key')}\n" + card(n))),
    "suppressions-used": (
        1000,
        of_cards(lambda n: card(n, more=f"    quantty: 1  {IGNORE.format('unknown-key')}\n")),
    ),
    "suppressions-top": (
        1000,
        lambda size: {"cards.yaml": f"{IGNORE.format('unknown-key')}\n" * size + "cards:\n" + card(0)},
    ),
    "suppressions-inside": (
        1000,
        lambda size: {"cards.yaml": "cards:\n" + card(0) + f"    {IGNORE.format('unknown-key')}\n" * size},
    ),
    "suppressions-in-block": (
        500,
        lambda size: {
            "cards.yaml": "cards:\n"
            + card(0, "|\n" + f"      {IGNORE.format('unknown-key')}\n" * size + "      self gets +1 AP.\n")
        },
    ),
    "suppressions-of-one": (
        1000,
        of_cards(lambda _: f"{IGNORE.format('unknown-key')}\n", card(0, more="    x: 1\n")),
    ),
    "suppressions-a-line": (
        1000,
        lambda size: {
            "cards.yaml": "cards: " + IGNORE.format(", ".join(["unknown-key"] * size)) + "\n" + card(0)
        },
    ),
    "suppressions-quoted": (
        1000,
        lambda size: {"cards.yaml": "cards:\n" + card(0, '"' + "# opforge: ignore[x] y " * size + '"')},
    ),
    "suppressions-long-line": (
        1000,
        lambda size: {"cards.yaml": "cards: " + "# opforge: ignore[unknown-key] y " * size + "\n" + card(0)},
    ),
    "suppressed-whole": (
        1000,
        lambda size: {
            "cards.yaml": f"cards:  {IGNORE.format('unknown-key')}\n"
            + "".join(card(n, more="    x: 1\n") for n in range(size))
        },
    ),
    "long-line": (20000, lambda size: {"cards.yaml": "cards: [" + "{id: a}, " * size + "]\n"}),
    "long-line-errors": (
        2000,
        lambda size: {
            "cards.yaml": "cards: [{id: a, kind: attack, name: N, effect: 'self gets +1 AP.', "
            + "".join(f"x{n}: 1, " for n in range(size))
            + "}]\n"
        },
    ),
    "long-plain": (10000, scalar("self", " gets")),
    "long-plain-lines": (10000, scalar("self", "\n      gets")),
    "long-single": (10000, scalar("'", "self gets ", "'")),
    "long-double": (10000, scalar('"', "self gets ", '"')),
    "long-double-escapes": (10000, scalar('"', "\\u0041", '"')),
    "long-double-lines": (10000, scalar('"', "self\n      ", '"')),
    "long-literal": (10000, scalar("|", "\n      self gets +1 AP.")),
    "long-folded": (10000, scalar(">", "\n      self gets +1 AP.")),
    "long-name": (
        20000,
        lambda size: {"cards.yaml": "cards:\n" + card(0).replace("name: N", "name: " + "N" * size)},
    ),
    "long-id": (20000, lambda size: {"cards.yaml": "cards:\n" + card(0).replace("c0", "c" * size)}),
    "long-word": (20000, lambda size: {"cards.yaml": "cards:\n" + card(0, "x" * size)}),
    "long-key": (20000, lambda size: {"cards.yaml": "cards:\n" + card(0, more=f"    {'k' * size}: 1\n")}),
    "long-number": (
        20000,
        lambda size: {"cards.yaml": "cards:\n" + card(0, more=f"    quantity: {'9' * size}\n")},
    ),
    "nested": (500, lambda size: nested(45, size)),
    "nested-deep": (10000, lambda size: nested(size, 1)),
    "nested-braces": (10000, lambda size: {"cards.yaml": "cards: " + "{a: " * size + "\n"}),
    "nested-lines": (
        500,
        lambda size: {"cards.yaml": "".join(" " * n + "a:\n" for n in range(min(size, 2000)))},
    ),
    "nested-dashes": (5000, lambda size: {"cards.yaml": "cards: \n  " + "- " * size + "a\n"}),
    "open-quotes": (1000, of_cards(lambda n: card(n, '"self gets +1 AP.' if n == 0 else "self gets +1 AP."))),
    "yaml-errors": (1000, of_cards(lambda n: card(n).replace("kind:", "kind"))),
    "missing-spaces": (1000, of_cards(lambda n: card(n).replace("kind: ", "kind:"))),
    "missing-dashes": (1000, of_cards(lambda n: card(n).replace("  - id", "    id"))),
    "tabs": (1000, of_cards(lambda n: card(n).replace("    kind", "\tkind"))),
    "anchors": (2000, of_cards(lambda n: card(n).replace("name: N", f"name: &a{n} N"))),
    "aliases": (2000, of_cards(lambda n: card(n).replace("name: N", "name: *a"))),
    "merge-markers": (
        2000,
        lambda size: {"cards.yaml": "cards:\n" + card(0) + "<<<<<<< a\n=======\n>>>>>>> b\n" * size},
    ),
    "documents": (5000, lambda size: {"cards.yaml": f"cards:\n{card(0)}" + "---\na: 1\n" * size}),
    "control-characters": (5000, lambda size: {"cards.yaml": f"cards:\n{card(0)}" + "# \x01\n" * size}),
    "sentences": (
        30,
        lambda size: {
            "cards.yaml": "cards:\n"
            + "".join(card(n, "|\n" + "      self gets +1 AP.\n" * size) for n in range(30))
        },
    ),
    "filters": (
        20,
        lambda size: {
            "cards.yaml": "cards:\n"
            + "".join(
                card(n, f"when attacking, if {' and '.join(['self is SUPPRESSED'] * size)}, self gets +1 AP.")
                for n in range(20)
            )
        },
    ),
    "sums": (
        20,
        lambda size: {
            "cards.yaml": "cards:\n"
            + "".join(
                card(n, f"when attacking, if {' + '.join(['AP of self'] * size)} > 3, self gets +1 AP.")
                for n in range(20)
            )
        },
    ),
    "parentheses": (
        10,
        lambda size: {
            "cards.yaml": "cards:\n"
            + "".join(
                card(n, f"when attacking, if {'(' * size}self is SUPPRESSED{')' * size}, self gets +1 AP.")
                for n in range(20)
            )
        },
    ),
    "traits": (
        2000,
        lambda size: {
            "cards.yaml": "cards:\n"
            + "".join(soldier(n, more=f"    traits: [t{n}]\n") for n in range(size))
            + TEAM
        },
    ),
    "traits-of-one": (
        2000,
        lambda size: {
            "cards.yaml": "cards:\n"
            + soldier(0, more="    traits: [" + ", ".join(f"t{n}" for n in range(size)) + "]\n")
            + TEAM
        },
    ),
    "tags": (
        2000,
        lambda size: {
            "cards.yaml": "cards:\n" + card(0, more="    tags: [" + ", ".join(["a"] * size) + "]\n")
        },
    ),
    "skills": (
        200,
        lambda size: {
            "cards.yaml": "cards:\n"
            + soldier(
                0,
                more="    skills:\n"
                + "".join("      - {name: S, effect: 'self gets +1 AP.'}\n" for n in range(size)),
            )
            + TEAM
        },
    ),
    "unused-pictures": (
        500,
        lambda size: {"cards.yaml": "cards:\n" + card(0), **{f"art/p{n}.svg": "<svg/>" for n in range(size)}},
    ),
    "backs": (500, of_cards(lambda n: card(n, more=f"    back: art/b{n}.svg\n"))),
}
"""For each kind of input a size to begin with, and the files of a project of any size."""


def write(folder: Path, files: Files) -> None:
    """Write a project."""
    for name, text in {"opforge.yaml": SETTINGS, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def measure(folder: Path, command: str, seconds: int, memory: int) -> tuple[float, float] | str:
    """The seconds and the MB that a check takes in a process of its own, or what became of it."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))

    arguments = [sys.executable, "-m", "tests.benchmarks.growth", "--in", str(folder), "--do", command]
    try:
        done = subprocess.run(
            arguments, capture_output=True, text=True, timeout=seconds, check=False, preexec_fn=limited
        )
    except subprocess.TimeoutExpired:
        return f"over {seconds} s"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["failed"])[-1][:60]
    took, most = done.stdout.split()[-2:]
    return float(took), float(most)


def run(folder: Path, command: str) -> None:
    """Check or fix a project once and print the seconds of the processor, and the most memory in MB."""
    from toolkit import api
    from toolkit.diagnostics.reporters import as_text
    from toolkit.project.checks import CheckRequest

    request = CheckRequest([(folder, None)], "2026-01-01")
    with contextlib.redirect_stdout(None):
        started = time.process_time()
        if command == "fix":
            api.fix(request)
        else:
            report = api.check(request)
            as_text(report)  # type: ignore[arg-type]
        took = time.process_time() - started
    print(took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    """Print a line for each kind of input."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--memory", type=int, default=4000)
    parser.add_argument("--in", dest="folder", help=argparse.SUPPRESS)
    parser.add_argument("--do", default="check", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.folder:
        run(Path(options.folder), options.do)
        return
    for kind in options.kinds or KINDS:
        size, make = KINDS[kind]
        results = []
        for times in (1, 2, 4):
            with tempfile.TemporaryDirectory() as scratch:
                write(Path(scratch), make(size * times))
                command = "fix" if options.fix else "check"
                results.append(measure(Path(scratch), command, options.seconds, options.memory))
            if isinstance(results[-1], str):
                break
        print(_line(kind, size, results), flush=True)


def _line(kind: str, size: int, results: list[tuple[float, float] | str]) -> str:
    times = [one[0] for one in results if not isinstance(one, str)]
    ratios = [after / before for before, after in itertools.pairwise(times)]
    shown = "  ".join(f"{took:6.2f} s" for took in times)
    told = f"{kind:26}{size:>7}  {shown}  " + " ".join(f"×{ratio:.1f}" for ratio in ratios)
    last = results[-1]
    return f"{told}  {last if isinstance(last, str) else f'{last[1]:.0f} MB'}"


if __name__ == "__main__":
    main()
