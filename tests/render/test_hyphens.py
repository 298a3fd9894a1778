"""Where words are broken: by the list of right breaks, by soft hyphens, and on cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.render.test_text import extracted
from toolkit.apps.cli import run
from toolkit.project.faces import faces
from toolkit.project.pipeline import open_project
from toolkit.render.fetch import Roots
from toolkit.render.hyphens import MIN_LETTERS, breaks, broken_name

UNBROKEN = {"Castling"}
"""Words of the list that have a right break of which no dictionary knows."""


def listed() -> Iterator[tuple[str, str, set[int]]]:
    """The language, the word and its right breaks."""
    language = ""
    for line in Path(__file__).with_name("hyphenation.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            language = line.strip("[]")
        elif not line.startswith("#"):
            for marked in line.split():
                parts = marked.split("-")
                right = {len("".join(parts[:number])) for number in range(1, len(parts))}
                yield language, "".join(parts), right


def test_no_word_of_the_list_is_broken_wrongly() -> None:
    words = list(listed())
    assert len(words) >= 300
    wrong, unbroken = [], set()
    for language, word, right in words:
        found = breaks(word, language)
        if not found.keys() <= right:
            wrong.append((word, found))
        if not found and any(MIN_LETTERS <= place <= len(word) - MIN_LETTERS for place in right):
            unbroken.add(word)
    assert wrong == []
    assert unbroken == UNBROKEN


@pytest.mark.parametrize(
    ("name", "language", "parts"),
    [
        ("Kraftfahrzeughaftpflicht", "de", ["Kraftfahrzeug", "haftpflicht"]),
        ("Dachgeschosswohnung", "de", ["Dachgeschoss", "wohnung"]),
        ("Hochgeschwindigkeit", "de", ["Hochgeschwin", "digkeit"]),
        ("Buchführungsoffizier", "de", ["Buchführungs", "offizier"]),
        ("Der Fallschirmspringer", "de", ["Der Fallschirm", "springer"]),
        ("HAUPTQUARTIER", "de", ["HAUPT", "QUARTIER"]),
        ("Counterintelligence", "en", ["Counterin", "telligence"]),
        ("Reconnaissance", "en", ["Recon", "naissance"]),
        ("Kurz und gut", "de", ["Kurz und gut"]),
        ("Panzer-Abwehr-Rakete", "de", ["Panzer-Abwehr-Rakete"]),
        ("aaaaaaaaaaaaaaaaaaaaaa", "de", ["aaaaaaaaaaaaaaaaaaaaaa"]),
        ("Kraftfahrzeughaftpflicht", "tlh", ["Kraftfahrzeughaftpflicht"]),
        ("", "en", [""]),
    ],
)
def test_a_long_word_is_broken_near_its_middle_best_between_its_parts(
    name: str, language: str, parts: list[str]
) -> None:
    assert broken_name(name, 12, language) == parts


def test_a_word_with_soft_hyphens_is_broken_there_and_nowhere_else() -> None:
    name = "Kraftfahrzeughaftpflicht"
    assert broken_name(name, 12, "de", ["Kraft\u00adfahrzeughaftpflicht"]) == ["Kraft", "fahrzeughaftpflicht"]
    assert broken_name(name, 12, "de", ["Haft\u00adpflicht"]) == ["Kraftfahrzeug", "haftpflicht"]
    assert broken_name(name, 30, "de", ["Kraft\u00adfahrzeughaftpflicht"]) == [name]


@given(
    st.text(st.sampled_from("aeioubcdfghklmnprstßüßİ'- "), max_size=40),
    st.integers(1, 30),
    st.sampled_from(["de", "en", "hu", "fr", "xx"]),
)
def test_breaking_changes_no_letter_and_leaves_no_short_part(name: str, most: int, language: str) -> None:
    parts = broken_name(name, most, language)
    assert "".join(parts) == name
    if len(parts) == 2:
        assert all(part.strip() and part[-MIN_LETTERS:].isalpha() for part in parts[:1])
        assert parts[1][:MIN_LETTERS].isalpha()


_PROJECT = "project: Long\nlanguages: [de, en]\n"
_CARDS = """
cards:
  - id: insurance
    kind: attack
    name: {de: "Kraft\\u00adfahrzeughaftpflichtversicherung", en: "Motor in\\u00adsurance"}
    flavour: {de: "Eine Haft\\u00adpflicht.", en: "Li\\u00adability."}
    effect: while attacking, self gets +1 AP.
"""


def test_soft_hyphens_are_in_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "opforge.yaml").write_text(_PROJECT, encoding="utf-8")
    (tmp_path / "cards.yaml").write_text(_CARDS, encoding="utf-8")
    (face,) = faces(open_project(tmp_path), "de")
    assert (face.name, face.flavour) == ("Kraftfahrzeughaftpflichtversicherung", "Eine Haftpflicht.")
    (text,) = extracted([face], Roots(tmp_path))
    assert "Kraft\ufffefahrzeughaftpflichtversicherung" in text
    assert "Eine Haftpflicht." in text
    run(["text", str(tmp_path)])
    run(["check", str(tmp_path)])
    assert "\u00ad" not in capsys.readouterr().out
