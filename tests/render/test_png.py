"""PNG files: what is written is what was drawn."""

from __future__ import annotations

import io
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.thoroughness import examples
from toolkit.render.page_raster import as_image, encode_png, is_our_png
from toolkit.render.renderer import Raster


@examples(60)
@given(st.data(), st.integers(1, 9), st.integers(1, 9))
def test_another_program_reads_the_same_dots(data: st.DataObject, width: int, height: int) -> None:
    rgb = data.draw(st.binary(min_size=width * height * 3, max_size=width * height * 3))
    image = Image.frombytes("RGB", (width, height), rgb)
    read = Image.open(io.BytesIO(encode_png(image, 300)))
    assert read.size == (width, height)
    assert read.convert("RGB").tobytes() == rgb


def test_the_dots_of_an_inch_are_told() -> None:
    for dpi in (72, 300, 600):
        read = Image.open(io.BytesIO(encode_png(Image.new("RGB", (3, 2), "red"), dpi)))
        assert [round(number) for number in read.info["dpi"]] == [dpi, dpi]


def test_an_engine_gives_blue_first() -> None:
    image = as_image(Raster(2, 1, bytes([1, 2, 3, 255, 4, 5, 6, 255])))
    assert image.tobytes() == bytes([3, 2, 1, 6, 5, 4])


def test_our_pictures_are_told_from_others(tmp_path: Path) -> None:
    image = Image.new("RGB", (3, 2), "red")
    ours, theirs, none = tmp_path / "ours.png", tmp_path / "theirs.png", tmp_path / "none.png"
    ours.write_bytes(encode_png(image, 300))
    image.save(theirs)
    none.write_bytes(b"")
    assert [is_our_png(file) for file in (ours, theirs, none)] == [True, False, False]
