"""What ``opforge explain`` finds for words that are no finding, no page and no word of the language."""

from __future__ import annotations

from toolkit.apps.cli.explain import for_a_terminal
from toolkit.diagnostics.help_pages import other_page
from toolkit.diagnostics.help_search import page_about
from toolkit.dsl.mistakes.hints import HINTS
from toolkit.dsl.mistakes.syntax_hints import hints_about


def test_a_key_of_a_file_with_what_it_means_in_each() -> None:
    page = page_about("quantity")
    assert page is not None
    assert "OPERATORs (`cards`):\n\n- `quantity`: Copies printed." in page
    assert "OBJECTIVEs (`objectives`):\n\n- `quantity`: Copies printed." in page


def test_a_subject_by_the_headings_of_pages() -> None:
    page = page_about("aura")
    assert page is not None
    assert "### … is an aura for everybody\n" in page
    assert "### … is an aura for those beside it\n" in page
    assert "(From the page `cookbook`.)" in page


def test_an_option_by_the_sections_that_speak_of_it() -> None:
    page = page_about("--stamp")
    assert page is not None
    assert "## Before a large print run\n" in page


def test_of_many_sections_only_the_names() -> None:
    page = page_about("sheet")
    assert page is not None
    assert "Related sections:\n\n- " in page
    assert "`opforge explain print`" in page


def test_nothing_is_found_for_no_word() -> None:
    assert page_about("xyzzy") is None
    assert page_about(".*") is None
    assert page_about("") is None


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
    assert "write `self doubles AP.`" in (hints_about("verdoppelt") or "")
    assert "HITCOUNTER" in (hints_about("heal") or "")
    assert "is not possible" in (hints_about("once per") or "")
    assert "write `unless self is EXHAUSTED, self gets +2 EP.`" in (hints_about("Unless") or "")
    assert hints_about("xyzzy") is None
    assert hints_about("") is None


def test_every_row_of_the_hints_is_found_by_each_of_its_words() -> None:
    for hint in HINTS:
        for word in hint.words.split("|"):
            assert word.strip()
            assert hints_about(word) is not None, word
