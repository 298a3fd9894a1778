"""What ``opforge explain`` finds: names first, then what a sentence says, then a search in the help."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import toolkit
from tests.thoroughness import THOROUGH
from toolkit.api import help_on_word, help_page
from toolkit.apps.cli import run
from toolkit.apps.cli.explain import for_a_terminal
from toolkit.apps.cli.program import COMMANDS
from toolkit.diagnostics.help_pages import other_page
from toolkit.diagnostics.help_search import BEST, HelpIndex, stem_of

SUBJECTS = [
    line.split("\t")
    for line in (Path(__file__).parent / "subjects.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.fixture(scope="module")
def index() -> HelpIndex:
    return HelpIndex({name: command.summary for name, command in COMMANDS.items()})


def test_everyday_subjects_are_found(index: HelpIndex) -> None:
    assert len(SUBJECTS) == 45
    missed = {}
    for subject, expected in SUBJECTS:
        names = {name.casefold() for name in expected.split(", ")}
        found = {match.name.casefold() for match in index.search(subject)}
        is_name = subject.casefold() in names and help_page(subject) is not None
        if not is_name and not names & found:
            missed[subject] = found
    assert missed == {}


def test_what_is_found_can_be_shown_by_the_name_that_it_has(index: HelpIndex) -> None:
    assert len(index.entries) > 700
    for entry in index.entries[:: 1 if THOROUGH else 79]:
        words = shlex.split(entry.match.shown_by)
        if entry.match.is_command:
            assert words == ["opforge", entry.match.name, "--help"]
        else:
            assert words == ["opforge", "explain", entry.match.name]
            assert help_page(words[2]) or help_on_word(words[2]), words


def test_nothing_is_found_for_no_word(index: HelpIndex) -> None:
    for words in ("xyzzy", ".*", "", "the", "%"):
        assert index.search(words) == []
    assert help_page("xyzzy") is None
    assert help_on_word("xyzzy") is None


def test_words_are_found_in_their_other_forms() -> None:
    stems = {stem_of(word) for word in ("print", "prints", "printed", "printing")}
    assert stems == {"print"}
    assert stem_of("formatting") == stem_of("format")
    assert stem_of("css") == "css"


def test_a_search_is_a_list_of_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "probability"]) == 0
    title, empty, *lines = capsys.readouterr().out.splitlines()
    assert (title, empty) == ("In the help about `probability`:", "")
    assert len(lines) == BEST
    assert all(re.fullmatch(r"- `opforge (?:explain .+|\S+ --help)`: .+", line) for line in lines)
    assert max(map(len, lines)) <= 118


def test_a_sentence_of_which_nothing_can_be_said_is_searched(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "play against the computer"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Nothing ")
    assert "- `opforge play --help`: " in shown.partition("In the help:\n\n")[2]


@pytest.mark.parametrize("question", ["how do I print my cards", "Cards are printed where exactly?"])
def test_a_question_is_answered_from_the_help(question: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", question]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"In the help about `{question}`:\n")
    assert "Print cards." in shown


@pytest.mark.parametrize(
    "question", ["RANGE?", "what does RANGE mean?", "Was ist RANGE?", "unknown-stat?", "what is M-7?"]
)
def test_a_question_about_a_name_is_answered_by_its_page(
    question: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = re.findall(r"RANGE|unknown-stat|M-7", question)[0]
    assert run(["explain", question]) == 0
    answer = capsys.readouterr().out
    assert run(["explain", name]) == 0
    assert answer == capsys.readouterr().out


def test_words_need_no_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "card size"]) == run(["explain", "card", "size"]) == 0
    shown = capsys.readouterr().out
    assert shown == 2 * shown[: len(shown) // 2]


@pytest.mark.parametrize("words", ["xyzzy", ""])
def test_what_is_nowhere_is_wrong_use(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", words]) == 2
    assert f"There is nothing about {words!r} in the help." in capsys.readouterr().err


def test_a_subject_is_not_explained_by_the_list_of_changes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "printing"]) == 0
    assert "In the help about `printing`:" in capsys.readouterr().out


def test_a_key_of_a_file_with_what_it_means_in_each() -> None:
    page = help_on_word("quantity")
    assert page is not None
    assert "OPERATORs (`cards`):\n\n- `quantity`: Copies printed." in page
    assert "OBJECTIVEs (`objectives`):\n\n- `quantity`: Copies printed." in page


def test_a_section_by_its_heading() -> None:
    page = help_page("backs that are misaligned")
    assert page is not None
    assert page.startswith("## Backs that are misaligned\n")
    assert page.endswith("(From the page `print`.)\n")


def test_an_option_by_the_section_that_speaks_of_it(index: HelpIndex) -> None:
    assert "Before a large print run" in {match.name for match in index.search("--stamp")}


def test_a_path_is_no_page() -> None:
    assert other_page("cookbook") is not None
    assert other_page("../help/cookbook") is None


def test_on_a_terminal_the_signs_of_markdown_are_gone() -> None:
    page = "# Title\n\nSee [how to print](how-to/print.md).\n\n```yaml add=cards.yaml\ncards: []\n# 3\n```\n"
    seen = for_a_terminal(page, coloured=True)
    assert seen == (
        "\x1b[1mTitle\x1b[0m\n\nSee how to print (`opforge explain print`).\n\n    cards: []\n    # 3\n"
    )
    assert for_a_terminal(page, coloured=False).startswith("# Title\n")


def test_a_word_of_another_game_or_language_with_what_to_write() -> None:
    assert "Instead of `verdoppelt` write `doubles`." in (help_on_word("verdoppelt") or "")
    assert "Healing removes HITCOUNTER." in (help_on_word("heal") or "")
    assert "write `owner draws 1 card`" in (help_on_word("you draw a card") or "")
    assert "Instead of" not in (help_page("target") or "")
    assert help_on_word("website") is None  # no misspelt word of an effect


def test_every_variable_and_exit_status_is_on_the_page() -> None:
    page = other_page("environment") or ""
    package = Path(toolkit.__file__).parent
    sources = [path.read_text("utf-8") for path in package.rglob("*.py")]
    pattern = re.compile(r"\b(?:OPFORGE|GITHUB)_[A-Z_]+\b|\b(?:NO|FORCE)_COLOR\b")
    variables = {name for source in sources for name in pattern.findall(source)}
    assert len(variables) >= 7
    assert sorted(name for name in variables if f"`{name}`" not in page) == []
    for status in (0, 1, 2, 3, 130):
        assert f"\n| {status} | " in page
