"""Parts of templates that nothing prints, since the template that is extended has no place for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.render.checks.template_check import unprinted_parts
from toolkit.render.fetch import Roots
from toolkit.resources import templates_folder

EXTENDS = '{% extends "shipped/attack.html.jinja" %}\n'


def found(folder: Path, **files: str) -> list[tuple[str, str]]:
    """The findings: what is said, and the words where it stands."""
    (folder / "templates").mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / "templates" / f"{name}.html.jinja").write_text(text)
    return [(finding.message, finding.span.text) for finding in unprinted_parts(Roots(folder))]


def test_a_misspelt_block_is_told_with_the_right_one(tmp_path: Path) -> None:
    block = "{% block wrods %}Hello{% endblock %}"
    assert found(tmp_path, attack=EXTENDS + block) == [
        (
            "The block `wrods` of attack.html.jinja is not printed: shipped/attack.html.jinja has no block "
            "with that name. Did you mean `words`?",
            block,
        )
    ]


@pytest.mark.parametrize("outside", ["<style>.name { color: red }</style>", "{{ face.name }}"])
def test_what_stands_outside_of_blocks_is_told(tmp_path: Path, outside: str) -> None:
    text = EXTENDS + "{# red #}\n\n" + outside + "\n{% block words %}{{ super() }}{% endblock %}\n"
    (one,) = found(tmp_path, attack=text)
    assert one == ("Content outside of the blocks of attack.html.jinja is not printed.", outside)


@pytest.mark.parametrize(
    "rest",
    [
        "{% block words %}{% block mine %}x{% endblock %}{% endblock %}",
        '{% set ground = "#112233" %}\n{% macro m() %}x{% endmacro %}\n{% import "shapes.html.jinja" as s %}',
        "{% block words %}{{ self.mine() }}{% endblock %}{% block mine %}x{% endblock %}",
        "{% block frame %}{% endblock %}",
    ],
)
def test_what_is_printed_or_prints_nothing_is_no_finding(tmp_path: Path, rest: str) -> None:
    assert found(tmp_path, attack=EXTENDS + rest) == []


def test_a_block_of_the_projects_own_card_counts(tmp_path: Path) -> None:
    card = "{% block words %}{% endblock %}{% block seal %}{% endblock %}"
    assert found(tmp_path, card=card, attack=EXTENDS + "{% block seal %}x{% endblock %}") == []


def test_what_stands_before_extends_is_printed(tmp_path: Path) -> None:
    assert found(tmp_path, attack="<div>HELLO</div>\n" + EXTENDS) == []


@pytest.mark.parametrize(
    "text",
    [
        "{% block mine %}x{% endblock %} and words",
        "{% extends face.name %}{% block mine %}x{% endblock %}",
        '{% extends "none.jinja" %}{% block mine %}x{% endblock %}',
        '{% extends "attack.html.jinja" %}{% block mine %}x{% endblock %}',
        EXTENDS + "{% block %}",
    ],
)
def test_where_nothing_is_known_nothing_is_told(tmp_path: Path, text: str) -> None:
    assert [message for message, _ in found(tmp_path, attack=text) if "mine" in message] == []


def test_the_shipped_templates_print_all_that_they_have(tmp_path: Path) -> None:
    files = {
        path.name.removesuffix(".html.jinja"): path.read_text(encoding="utf-8")
        for path in templates_folder().glob("*.html.jinja")
    }
    assert found(tmp_path, **files) == []
