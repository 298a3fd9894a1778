"""A law over the commands: what a file says reaches a terminal, a service or a page as text only."""

from __future__ import annotations

import io
import json
import re
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st

from tests.cli.conftest import SMALL
from tests.thoroughness import examples
from toolkit.apps.cli import run
from toolkit.diagnostics.escaping import markdown, markdown_code, markdown_sentence, sarif_message, terminal

HOSTILE = (
    "\x1b[31m",
    "\x1b]8;;https://evil.example\x07",
    "\n::error::x",
    "::add-mask::y",
    "##[error]z",
    "##vso[task.setvariable]",
    "\u202eabc",
    "\u2066",
    "\u200f",
    "\u2028::error::x",
    "\x85",
    "\r::warning::x",
    "<script>alert(1)</script>",
    "![i](https://evil.example/x.png)",
    "[l](https://evil.example)",
    "`",
    "|",
    "\n# heading",
    "\n- item",
    "]]>&amp;",
    '"',
    "www.evil.example",
)
ACCEPTED = tuple(text for text in HOSTILE if text.replace("\n", "").isprintable())
"""What a name may hold without being an error, so that it reaches all that is printed."""


def texts(pieces: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from((*pieces, "Viper", " ", "Käuze")), min_size=1, max_size=4).map("".join)


TEXTS = texts(HOSTILE)

UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\ud800-\udfff"
)
COMMAND = re.compile(r"^\s*::|##\[|##vso\[", re.MULTILINE)
ANNOTATION = re.compile(r"::(error|warning) file=[^:]+,title=[a-z-]+::.*")

QUESTIONS = (
    "check",
    "check --format concise",
    "check --format json",
    "check --format sarif",
    "check --format github",
    "check --format gitlab",
    "check --format junit",
    "check --statistics",
    "check --diff --unsafe-fixes",
    "fmt --diff",
    "fmt --check",
    "test",
    "test --format json",
    "test --format junit",
    "test --coverage",
    "layouts",
    "layouts --format json",
    "text --project",
    "text --format json --project",
    "compile --project",
    "attack viper viper --dice 3,3 --project",
    "attack viper viper --dice 3,3 --format json --project",
    "changes old",
    "changes old --format json",
)


def quoted(text: str) -> str:
    """A text as YAML writes it in quotes."""
    return json.dumps(text, ensure_ascii=False)


def write_project(root: Path, name: str, scenario: str, flavour: str, file: str, *, broken: bool) -> None:
    """The small project with such texts in it, and a file of such a name."""
    shutil.copytree(SMALL, root, dirs_exist_ok=True)
    cards = (root / "cards.yaml").read_text(encoding="utf-8")
    cards = cards.replace("name: Viper", f"name: {quoted(name)}", 1)
    (root / "cards.yaml").write_text(cards, encoding="utf-8", errors="replace")
    scenarios = f"""\
scenarios:
  - name: {quoted(scenario)}
    field: {{blue: [viper], red: [viper]}}
    do: [{{action: attack, by: blue.viper, on: red.viper, dice: [1, 1]}}]
    expect: {{attack: {{ap: 99}}}}
cards:
  - id: other
    kind: attack
    name: {quoted(name)}
    flavour: {quoted(flavour)}
    effect: when attacking, self gets +1 AP.
  - id: {quoted(scenario)}
    kind: {quoted(flavour)}
    name: Broken
    {quoted(name)}: {quoted(flavour)}
"""
    if not broken:
        scenarios = scenarios[: scenarios.index("  - id: " + quoted(scenario))]
    (root / (re.sub(r"[/\0]", "_", file)[:60] + ".yaml")).write_text(
        scenarios, encoding="utf-8", errors="replace"
    )


def asked(question: str, project: str) -> tuple[int, str, str]:
    """The exit status of a command, and what it prints."""
    out, err = io.StringIO(), io.StringIO()
    words = question.split()
    with redirect_stdout(out), redirect_stderr(err):
        status = run([*words, project])
    return status, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("pieces", [ACCEPTED, HOSTILE], ids=["accepted", "refused"])
@pytest.mark.usefixtures("cards_read_once")
@examples(
    5,
    phases=[Phase.generate],  # to shrink it would take minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_what_files_say_is_only_ever_text(
    tmp_path_factory: pytest.TempPathFactory, pieces: tuple[str, ...], data: st.DataObject
) -> None:
    words = [data.draw(texts(pieces)) for _ in range(4)]
    root = tmp_path_factory.mktemp("law")
    with pytest.MonkeyPatch.context() as surroundings:
        surroundings.chdir(root)
        surroundings.setenv("OPFORGE_CACHE", str(root / "cache"))
        surroundings.setenv("GITHUB_STEP_SUMMARY", str(root / "summary.md"))
        shutil.copytree(SMALL, root / "old")
        write_project(root / "cards", *words, broken=pieces is HOSTILE)
        for question in QUESTIONS:
            status, out, err = asked(question, "cards")
            assert status in (0, 1, 2), (question, err)
            for text in (out, err):
                assert not UNSAFE.search(text), (question, text)
                if "github" not in question:
                    assert not COMMAND.search(text), (question, text)
            if "json" in question or "sarif" in question or "gitlab" in question:
                assert status == 2 or json.loads(out) is not None
            if "junit" in question:
                assert status == 2 or ElementTree.fromstring(out) is not None
            if "github" in question:
                assert all(ANNOTATION.fullmatch(line) for line in out.splitlines()[:-1]), out
        is_harmless_markdown((root / "summary.md").read_text(encoding="utf-8"))


def is_harmless_markdown(text: str) -> None:
    """No link, no picture, no HTML but what we write."""
    assert not re.search(r"(?<!\\)\]\(|(?<!\\)!\[|https?:/", text), text
    assert set(re.findall(r"<[^>]*>?", text)) <= {"<code>", "</code>", "<br>"}, text


@given(TEXTS)
def test_no_text_is_a_mark_of_markdown(text: str) -> None:
    for shown in (markdown(text), markdown_sentence(text), markdown_code(text)):
        is_harmless_markdown(shown)
        assert not re.search(r"(?m)^\s*[#\-]", shown)
        assert not UNSAFE.search(shown)
    assert "](" not in sarif_message(text)


@given(TEXTS)
def test_the_text_of_a_terminal(text: str) -> None:
    shown = terminal(text)
    assert not UNSAFE.search(shown)
    assert not COMMAND.search(shown)
    assert terminal(shown) == shown
    coloured = terminal(f"\x1b[31m{text}\x1b[0m", coloured=True)
    assert not UNSAFE.search(re.sub(r"\x1b\[(0|1|3[0-7])m", "", coloured))


def test_a_patch_of_a_file_with_carriage_returns_stays_a_patch() -> None:
    assert terminal("-a\r\n+b\r\n") == "-a\r\n+b\r\n"
