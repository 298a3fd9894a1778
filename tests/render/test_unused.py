"""Templates of a project that are used nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.render.checks.fit_check import print_warnings
from toolkit.render.checks.template_check import unused_templates
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.fetch import Roots
from toolkit.render.ornaments import icon_source


def project(folder: Path, **files: str) -> Roots:
    for name, text in files.items():
        path = folder / "templates" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Roots(folder)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("atack.html.jinja", "attack.html.jinja"),
        ("attack.jinja", "attack.html.jinja"),
        ("Attack.html.jinja", "attack.html.jinja"),
        ("cards/attack.html.jinja", "attack.html.jinja"),
        ("defense.html.jinja", "defence.html.jinja"),
    ],
)
def test_a_misspelt_name_is_found_with_the_right_one(tmp_path: Path, name: str, meant: str) -> None:
    (finding,) = unused_templates(project(tmp_path, **{name: "\n{{ face.name }}"}))
    assert finding.name == "unused-template"
    assert f"Did you mean {meant}?" in finding.message
    assert finding.span.file.path == tmp_path / "templates" / name


def test_a_name_that_is_near_to_none_has_no_proposal(tmp_path: Path) -> None:
    (finding,) = unused_templates(project(tmp_path, **{"zzzzzzzzz.jinja": "x"}))
    assert "Did you mean" not in finding.message + finding.next_step


def test_what_overrides_or_is_named_by_another_or_is_no_template_is_left_alone(tmp_path: Path) -> None:
    files = {
        "attack.html.jinja": '{% include "parts/seal.jinja" %}',
        "parts/seal.jinja": "x",
        "card.css": "",
        "mine.css": "",
        "notes.md": "",
        "icons/moon.svg": "<svg/>",
    }
    assert list(unused_templates(project(tmp_path, **files))) == []


def test_a_template_is_not_used_because_it_names_itself_or_a_longer_name_is_named(tmp_path: Path) -> None:
    files = {
        "attack.html.jinja": '{% include "a-seal.jinja" %}',
        "a-seal.jinja": "x",
        "seal.jinja": "seal.jinja",
    }
    (finding,) = unused_templates(project(tmp_path, **files))
    assert finding.span.file.path.name == "seal.jinja"


def test_without_a_templates_folder_there_is_nothing(tmp_path: Path) -> None:
    assert list(unused_templates(Roots(tmp_path))) == []


def test_an_icon_in_whose_place_the_shipped_one_is_printed_is_reported_at_its_file(tmp_path: Path) -> None:
    roots = project(tmp_path / "own", **{"icons/ep.svg": "<svg><script/></svg>", "icons/dp.svg": "<svg/>"})
    (tmp_path / "ap.svg").write_text("<svg/>")
    (roots.overrides / "icons" / "ap.svg").symlink_to(tmp_path / "ap.svg")
    engine = choose_renderer()
    assert not isinstance(engine, NoEngine)
    link, active = print_warnings((), roots, engine)
    assert (link.name, link.span.file.path.name) == ("unreadable-picture", "ap.svg")
    assert "leads out of the project" in link.message
    assert (active.name, active.span.file.path.name) == ("unreadable-picture", "ep.svg")
    assert "has scripts or links" in active.message
    assert "<svg" in icon_source(roots)("ap")
