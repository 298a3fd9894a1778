"""Faces: two are the same card in print if everything that is printed on them is."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from toolkit.render.face import Face, fingerprint


def test_faces_are_equal_if_all_that_is_printed_is() -> None:
    face = Face("viper", "operator", "Viper", "en", "OPERATOR")
    for name in Face.__struct_fields__:
        other = replace(face, **{name: ("another",)})  # type: ignore[arg-type]
        printed = name not in ("places", "translations")
        assert (face != other) is printed, name
        assert (face == other) is not printed, name
        assert len({face, other}) == (2 if printed else 1), name


def test_a_fingerprint_does_not_depend_on_the_folder_of_the_project(tmp_path: Path) -> None:
    found = set()
    for folder in ("here", "there"):
        art = tmp_path / folder / "art.svg"
        art.parent.mkdir()
        art.write_text("<svg/>")
        card = Face("viper", "operator", "Viper", "en", "OPERATOR", art=art)
        found.add(fingerprint(replace(card, translations=(replace(card, lang="de"),))))
    assert len(found) == 1
    assert fingerprint(replace(card, name="Adder")) not in found
