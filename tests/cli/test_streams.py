"""What commands write to streams that cannot encode everything, as when Windows redirects them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from shutil import copytree
from typing import Any
from xml.etree.ElementTree import fromstring

import click
import pytest

from tests.thoroughness import THOROUGH
from toolkit.apps.cli import run
from toolkit.apps.cli.program import COMMANDS, cli

TRILINGUAL = Path(__file__).parent.parent / "projects" / "trilingual"
CARDS = """\
cards:
  - id: dice
    kind: attack
    name: {en: "Dice → 🎲 − Привет", de: "Würfel → 🎲 − Привет", fr: "Dés → 🎲 − Привет"}
    effect: when attacking, target gets -2 EP.   # 🎲 −
    text: {fr: "−2 EP 🎲"}
"""
WRONG = """\
  - {id: wrong, kind: attack, name: 🎲 −, effect: "when attacking, self gets +2 APP."}
"""
SCENARIOS = """\
scenarios:
  - name: 🎲 − Привет
    field: {blue: [kestrel, ~], red: [brock, ~]}
    do: [{action: attack, by: kestrel, on: brock, dice: [1, 1]}]
    expect: {attack: {ap: 99}}
"""
ENCODINGS = ("cp1252", "cp437", "latin-1", "ascii")
REFUSED = ("utf-16", "utf-16-le", "utf-32", "cp037")
RUNS: dict[str, tuple[str, ...]] = {
    "align": ("-o {new}.pdf",),
    "attack": (
        "kestrel brock --project p --card dice",
        "kestrel brock --project p",
        "nobody−🎲 brock --project p",
    ),
    "balance": ("p -o {new}.html --games 2 --players random", "p -o {new}−🎲.html --compare −🎲"),
    "cards": ("p -o {new} --card dice --dpi 30",),
    "changes": ("other p", "nosuch−🎲 p"),
    "check": ("p", "p --statistics", "p --diff", "p --level note", "wrong", "nosuch−🎲"),
    "compile": ("--project p",),
    "contact": ("p -o {new}.png --card dice",),
    "counters": ("p -o {new}.pdf",),
    "explain": ("", "language", "nosuch−🎲"),
    "export": ("{new}.csv p", "nosuch−🎲 p"),
    "findings": ("",),
    "fmt": ("p --diff", "wrong --check", "-"),
    "import": ("table.csv --project p --update --dry-run", "nosuch−🎲.csv --project p"),
    "init": ("{new}", "p"),
    "layouts": ("p --all",),
    "looks": ("p -o {new}.png --card dice",),
    "learn": ("p -o {new}.pdf --lang en", "nosuch−🎲 -o {new}.pdf"),
    "lsp": ("",),
    "mat": ("p -o {new}.pdf",),
    "new": ("attack --project p --name −🎲 --dry-run", "attack dice --project p"),
    "odds": ("kestrel brock --project p", "nobody−🎲 brock --project p"),
    "play": (
        "--project p --blue random --red random --seed 1 --save {new}.jsonl",
        "--project p --seed 1 --save {new}.jsonl",
        "--project p --squads −🎲 red",
    ),
    "power": ("--project p", "nobody−🎲 --project p"),
    "preflight": ("nosuch−🎲.pdf --service printplaygames",),
    "preview": ("p --no-open",),
    "print-and-play": ("p -o {new} --lang en --paper a4",),
    "reference": ("p -o {new}.pdf",),
    "rename": ("sniper shooter p --dry-run", "nosuch−🎲 b p"),
    "say": ("draw−a−card", "−🎲"),
    "schema": ("",),
    "sheet": ("p -o {new}.pdf --card dice", "wrong -o {new}.pdf --card wrong", "p -o −🎲.txt"),
    "showcase": ("dice --project p -o {new}.png --width 200",),
    "simulate": ("blue red --project p --players random --games 2", "blue red --project p --compare −🎲"),
    "site": ("p -o {new} --lang en",),
    "squads": ("p -o {new}.pdf --squad blue", "p -o {new}.pdf --squad −🎲"),
    "test": ("p", "p --coverage"),
    "text": ("--project p --lang de", "nosuch−🎲 --project p"),
    "tts": ("p -o {new} --card dice",),
    "tune": ("kestrel --target power=0 --project p", "nobody−🎲 --target power=0 --project p"),
    "tuckbox": ("p -o {new}.pdf",),
    "watch": ("p --once --no-fit", "wrong --once --no-fit"),
    "worth": ("--project p --players random --games 2 --jobs 1", "nobody−🎲 --project p"),
}
"""Runs of each command whose output has what encodings lack. ``{new}`` is a name that does not exist yet."""
SLOW = (
    "cards",
    "contact",
    "counters",
    "learn",
    "looks",
    "mat",
    "print-and-play",
    "reference",
    "showcase",
    "site",
    "squads",
    "tts",
)
PRINTING = ("contact", "layouts", "print-and-play", "rename", "sheet", "tuckbox", "watch")
"""What takes longer: in a quick run other formats are those of its last run, which most often is refused."""


@pytest.fixture(autouse=True)
def _projects(tmp_path: Path, cache: str, cards_read_once: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """A clean project ``p`` whose scenario fails, an older one and one with an error."""
    monkeypatch.setenv("OPFORGE_CACHE", cache)
    monkeypatch.chdir(tmp_path)
    for name, text in (("other", ""), ("p", CARDS), ("wrong", CARDS + WRONG)):
        copytree(TRILINGUAL, name)
        Path(name, "dice-−🎲.yaml").write_text(text or "cards: []\n", encoding="utf-8")
    Path("p/scenarios.yaml").write_text(SCENARIOS, encoding="utf-8")
    Path("table.csv").write_text("id,kind,name.en\ndice,attack,−🎲\n", encoding="utf-8")


def preview(
    _root: Path, _port: int, ready: Callable[..., None], log: Callable[[str], None], **_: Any
) -> bool:
    """Report as the preview does, and end."""
    ready("http://127.0.0.1/", Path("page"))
    log("−🎲")
    return False


def result(
    monkeypatch: pytest.MonkeyPatch, encoding: str, command: str, answer: bytes = b"nonsense"
) -> tuple[int, bytes, bytes]:
    """The exit status of a command, and what it writes to streams with the encoding."""
    outputs = [BytesIO(), BytesIO()]
    streams = [TextIOWrapper(stream, encoding, newline="\n") for stream in (BytesIO(answer), *outputs)]
    with monkeypatch.context() as patch:
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, stream)
        name = f"new-{encoding}-{len(list(Path().iterdir()))}"
        status = run(command.replace("{new}", name).split(), {"lsp": lambda: 0, "preview": preview})
    for stream in streams[1:]:
        stream.flush()
    out, err = (re.sub(rb"new-[\w-]+|\d\d:\d\d:\d\d|\d+\.\d+", b"", output.getvalue()) for output in outputs)
    return status, out, err


def formats(command: str) -> list[str]:
    """The formats of a command other than the default one, for people."""
    for option in cli.get_command(click.Context(cli), command).params:  # type: ignore[union-attr]
        if option.name == "form":
            return [form for form in option.type.choices if form != "text"]  # type: ignore[attr-defined]
    return []


def test_there_are_runs_of_every_command() -> None:
    assert sorted(RUNS) == sorted(COMMANDS)


def runs_of(command: str) -> Iterator[tuple[str, str]]:
    """Each run of a command in each of its formats."""
    arguments_of_runs = RUNS[command] if THOROUGH or command not in SLOW else ("nosuch−🎲 -o {new}.png",)
    for arguments in ("--help", "--nosuch−🎲", *arguments_of_runs):
        yield arguments, ""
        shortest = arguments_of_runs[-1 if command in PRINTING else 0]
        if arguments == shortest or (THOROUGH and arguments != "--help"):
            yield from ((f"{arguments} --format {form}", form) for form in formats(command))


@pytest.mark.parametrize("command", COMMANDS)
def test_any_encoding_gives_the_same_result(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, (arguments, form) in enumerate(runs_of(command)):
        line = f"{command} {arguments}".rstrip()
        status, out, err = result(monkeypatch, "utf-8", line)
        assert status in (0, 1, 2), (line, out, err)
        is_for_programs = form not in ("", "concise") or line in ("schema", "fmt -")
        for encoding in ENCODINGS if THOROUGH else ENCODINGS[number % len(ENCODINGS) :][:1]:
            expected = out if is_for_programs else out.decode().encode(encoding, "opforge")
            written = result(monkeypatch, encoding, line)
            assert written == (status, expected, err.decode().encode(encoding, "opforge")), (line, encoding)


def test_what_programs_read_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for form in ("json", "sarif", "gitlab"):
        status, out, _ = result(monkeypatch, "cp1252", f"check wrong --format {form}")
        assert status == 1
        assert "🎲" in str(json.loads(out.decode("utf-8"))) or form != "json"
    assert fromstring(result(monkeypatch, "cp1252", "test p --format junit")[1]).tag == "testsuites"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    for command in ("check wrong", "check wrong --output github:-"):
        assert "dice-−🎲.yaml" in result(monkeypatch, "cp1252", command)[1].decode("utf-8")


def test_signs_are_written_as_people_know_them(monkeypatch: pytest.MonkeyPatch) -> None:
    _, out, _ = result(monkeypatch, "cp437", "text dice --project p --lang de")
    assert "Würfel -> \\U0001f3b2 - \\u041f" in out.decode("cp437")
    assert "-2 EP" in out.decode("cp437")


def test_an_answer_that_cannot_be_decoded_is_no_option(monkeypatch: pytest.MonkeyPatch) -> None:
    for encoding in ("utf-8", "cp1252", "ascii"):
        command = "play --project p --seed 1 --save {new}.jsonl"
        status, out, _ = result(monkeypatch, encoding, command, b"\xff\x81\n\xf0")
        assert status == 0
        assert b"is not an option" in out


@pytest.mark.parametrize("encoding", REFUSED)
def test_an_encoding_without_ascii_is_refused(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("check p", "text --project p", "check p --format json", "--help"):
        status, out, err = result(monkeypatch, encoding, command)
        assert (status, out) == (2, b"")
        assert encoding in err.decode("ascii")


def test_a_process_has_the_same_streams() -> None:
    """The encoding comes from the environment; UTF-16 is refused before anything is written."""
    for encoding, status in (("cp1252", 1), ("utf-16", 2)):
        command = [sys.executable, "-X", "utf8=0", "-m", "toolkit", "check", "wrong"]
        environment = {"PYTHONIOENCODING": encoding, "PATH": "", "OPFORGE_CACHE": "c", "SYSTEMROOT": ""}
        done = subprocess.run(command, check=False, capture_output=True, env=environment)
        assert done.returncode == status, done
        assert b"PYTHONIOENCODING" in done.stderr if status == 2 else b"APP" in done.stdout
