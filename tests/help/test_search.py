"""What ``opforge explain`` finds for words that are no finding, no page and no word of the language."""

from __future__ import annotations

from toolkit.api import help_page
from toolkit.apps.cli.explain import for_a_terminal
from toolkit.diagnostics.help_pages import other_page
from toolkit.diagnostics.help_search import page_about


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
    assert "Instead of `verdoppelt` write `doubles`." in (help_page("verdoppelt") or "")
    assert "Healing removes HITCOUNTER." in (help_page("heal") or "")
    assert "write `owner draws 1 card`" in (help_page("you draw a card") or "")
    assert "Instead of" not in (help_page("target") or "")
    assert help_page("xyzzy") is None
