"""Faces: two are the same card in print if everything that is printed on them is."""

from __future__ import annotations

from msgspec.structs import replace

from toolkit.render.face import Face


def test_faces_are_equal_if_all_that_is_printed_is() -> None:
    face = Face("viper", "operator", "Viper", "en", "OPERATOR")
    for name in Face.__struct_fields__:
        other = replace(face, **{name: ("another",)})  # type: ignore[arg-type]
        printed = name not in ("places", "translations")
        assert (face != other) is printed, name
        assert (face == other) is not printed, name
        assert len({face, other}) == (2 if printed else 1), name
