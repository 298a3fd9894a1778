"""Pictures of all sorts: told by the check from their files, printed or not, bounded in memory."""

from __future__ import annotations

import io
import os
import struct
import tracemalloc
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms

from toolkit.data.drawings import read_drawing, read_drawing_file
from toolkit.data.picture_files import LONGEST_SIDE, Picture, picture_in, read_picture
from toolkit.data.pictures import can_be_printed
from toolkit.diagnostics import Diagnostic
from toolkit.pipeline import open_project
from toolkit.render.pictures import Resource, prepare_for_print
from toolkit.render.sizes import Size

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
FORMATS = ("PNG", "JPEG", "GIF", "WebP")
PROJECT = "project: P\nlanguages: [en]\n"
CARDS = """
cards:
  - id: shot
    kind: attack
    name: Shot
    art: ART
    effect: when attacking, self gets +2 AP.
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))


def saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, kind.upper(), **options)  # type: ignore[arg-type]
    return stream.getvalue()


def noise(mode: str = "RGB") -> Image.Image:
    return Image.effect_noise((120, 90), 80).convert("RGB").convert(mode)


def moving(kind: str) -> bytes:
    frames = [Image.new("RGB", (20, 10), colour) for colour in ("red", "blue", "green")]
    return saved(frames[0], kind, save_all=True, append_images=frames[1:])


def looked_at(content: bytes) -> Picture | None:
    return picture_in(io.BytesIO(content), len(content))


@pytest.mark.parametrize("kind", FORMATS)
def test_an_ordinary_picture_is_told_by_its_file(kind: str) -> None:
    assert looked_at(saved(noise(), kind)) == Picture(kind, (120, 90))


@pytest.mark.parametrize("kind", FORMATS)
def test_a_picture_whose_end_is_missing_is_not_whole(kind: str) -> None:
    content = saved(noise(), kind)
    for length in (len(content) // 2, len(content) - 20):
        found = looked_at(content[:length])
        assert found is not None
        assert not found.whole


@pytest.mark.parametrize("kind", ["GIF", "WebP", "PNG"])
def test_a_picture_that_moves_is_told_and_its_first_picture_printed(kind: str) -> None:
    found = looked_at(moving(kind))
    assert found is not None
    assert (found.animated, found.whole, found.size) == (True, True, (20, 10))
    made = prepare_for_print(moving(kind), Size(20, 10))
    assert isinstance(made, Resource)
    with Image.open(io.BytesIO(made.content)) as printed:
        red, green, blue = printed.convert("RGB").getpixel((10, 5))  # type: ignore[misc]
    assert red > 200 > 60 > green
    assert blue < 60


def test_some_cameras_write_more_behind_the_end_of_a_jpeg() -> None:
    found = looked_at(saved(noise(), "JPEG") + b"camera" * 1000)
    assert found is not None
    assert found.whole


@given(
    st.binary(max_size=60), st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff", b"RIFF"])
)
def test_no_file_makes_it_raise(content: bytes, begin: bytes) -> None:
    looked_at(begin + content)
    prepare_for_print(begin + content, Size(9, 9))
    read_drawing(content)


def test_colours_of_print_become_those_of_screens() -> None:
    plain = prepare_for_print(saved(noise("CMYK"), "JPEG"), Size(60, 40))
    assert isinstance(plain, Resource)
    with Image.open(io.BytesIO(plain.content)) as made:
        assert made.mode == "RGB"


def exchanged_profile() -> bytes:
    """The profile of a screen whose red and blue dots have changed places."""
    known = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    red, blue = known.index(b"rXYZ", 128), known.index(b"bXYZ", 128)
    known[red : red + 4], known[blue : blue + 4] = b"bXYZ", b"rXYZ"
    return bytes(known).replace("sRGB".encode("utf-16-be"), "dRGB".encode("utf-16-be"))


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_the_profile_of_a_camera_or_a_drawing_tablet_is_heeded(mode: str) -> None:
    red = Image.new(mode, (60, 40), (255, 0, 0, 100)[: len(mode)])
    made = prepare_for_print(saved(red, "PNG", icc_profile=exchanged_profile()), Size(60, 40))
    assert isinstance(made, Resource)
    with Image.open(io.BytesIO(made.content)) as picture:
        dot = picture.getpixel((5, 5))
    assert isinstance(dot, tuple)
    assert (dot[0] < 30, dot[2] > 225, dot[3:]) == (True, True, (100,)[: len(mode) - 3])


@pytest.mark.parametrize("box", [Size(60, 40), Size(1, 1), None])
def test_grey_of_16_bits_is_as_dark_as_it_was(box: Size | None) -> None:
    made = prepare_for_print(saved(Image.new("I;16", (60, 40), 30000), "PNG"), box)
    assert isinstance(made, Resource)
    with Image.open(io.BytesIO(made.content)) as picture:
        assert picture.convert("L").getpixel((5, 5)) == 30000 * 255 // 65535


def test_a_profile_that_does_not_fit_is_no_trouble() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    made = prepare_for_print(saved(noise("CMYK"), "JPEG", icc_profile=profile), Size(60, 40))
    assert isinstance(made, Resource)


def black(width: int, height: int) -> bytes:
    """A PNG of one bit a dot, packed row by row: Pillow needs a byte of memory for each dot."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    pack, row = zlib.compressobj(1), bytes(1 + -(-width // 8))
    rows = b"".join(pack.compress(row) for _ in range(height)) + pack.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_a_huge_picture_is_never_decoded() -> None:
    with Image.open(io.BytesIO(black(70, 50))) as picture:
        assert picture.getextrema() == (0, 0)
    content = black(LONGEST_SIDE + 4000, 20_000)
    found = looked_at(content)
    assert found is not None
    assert found.too_large
    tracemalloc.start()
    assert prepare_for_print(content, Size(63, 88)) == "picture-too-large"
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20_000_000


@pytest.mark.parametrize(
    ("inside", "scripted", "links"),
    [
        ("<script>x</script>", True, ()),
        ('<g onclick="x"/>', True, ()),
        ('<image href="https://e.org/a.png"/>', False, ("https://e.org/a.png",)),
        ('<image href="&#104;ttps://e.org"/>', False, ("https://e.org",)),
        ("<style>g{fill:url('b.svg#c')}</style>", False, ("b.svg#c",)),
        ('<use href="#a"/><g fill="url(#b)"/><image href="data:image/png;base64,"/>', False, ()),
        ("<a href='https://e.org'/>", False, ()),
    ],
)
def test_what_a_drawing_asks_for(inside: str, scripted: bool, links: tuple[str, ...]) -> None:
    drawing = read_drawing(SVG.format(inside).encode())
    assert drawing is not None
    assert (drawing.scripted, drawing.links) == (scripted, links)


def test_a_drawing_with_entities_or_a_bottomless_one_is_refused() -> None:
    laugh = '<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>' + SVG.format("<text>&b;</text>")
    assert read_drawing(laugh.encode()) is None
    assert read_drawing(SVG.format("<g>" * 5000 + "</g>" * 5000).encode()) is None
    plain = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">' + SVG.format("")
    assert read_drawing(plain.encode()) is not None


def test_the_glance_at_a_file_and_the_reading_agree(tmp_path: Path) -> None:
    for inside in ("", "<g>", "<script/>", '<image href="a.png"/>', "</g>", "<!-- x -->"):
        path = tmp_path / "a.svg"
        path.write_text(SVG.format(inside))
        os.utime(path, ns=(1, len(inside)))
        glanced, read = read_drawing_file(path), read_drawing(path.read_bytes())
        if read is not None:
            assert glanced is not None
            assert (glanced.scripted, glanced.links) == (read.scripted, read.links)


def checked(folder: Path, name: str, content: bytes | None) -> list[Diagnostic]:
    project = folder / "project"
    (project / "art").mkdir(parents=True, exist_ok=True)
    if content is not None:
        (project / "art" / name).write_bytes(content)
    (project / "opforge.yaml").write_text(PROJECT)
    (project / "cards.yaml").write_text(CARDS.replace("ART", f"art/{name}"))
    return list(open_project(project).findings)


HUGE = b"GIF89a N N\0\0\0;"
CASES = [
    ("a.png", b"", "unreadable-picture", "the file is empty"),
    ("a.svg", b"", "unreadable-picture", "the file is empty"),
    ("a.png", b"hello", "unreadable-picture", "the file is not a picture"),
    ("a.png", SVG.format("").encode(), "unreadable-picture", "it is an SVG drawing"),
    ("a.svg", saved(noise(), "PNG"), "unreadable-picture", "it is not an SVG drawing"),
    ("a.svg", b"<svg><g>", "unreadable-picture", "not a complete SVG drawing"),
    ("a.svg", b"<svg><rect/></svg>", "unreadable-picture", "its `svg` element has no namespace"),
    ("a.svg", b"<svg><rect href='#a'/>&#65;</svg>", "unreadable-picture", "element has no namespace"),
    ("a.jpg", saved(noise(), "JPEG")[:900], "unreadable-picture", "it is truncated"),
    ("a.gif", HUGE, "picture-too-large", "20000 × 20000"),
    ("a.gif", moving("GIF"), "animated-picture", "GIF that is animated"),
    ("a.svg", SVG.format("<script/>").encode(), "scripted-picture", "script"),
    ("a.svg", SVG.format('<image href="https://e.org/a"/>').encode(), "refused-resource", "https://e.org/a"),
    ("a.svg", SVG.format('<image href="../../b.png"/>').encode(), "refused-resource", "../../b.png"),
    ("a.svg", SVG.format('<image href="b.png"/>').encode(), "missing-resource", "b.png"),
]


@pytest.mark.parametrize(("name", "content", "finding", "says"), CASES)
def test_the_check_tells_it_at_the_path(
    tmp_path: Path, name: str, content: bytes, finding: str, says: str
) -> None:
    (found,) = checked(tmp_path, name, content)
    assert found.name == finding
    assert says in found.message
    assert found.span.text == f"art/{name}"
    assert found.card == "shot"
    printed = {"animated-picture", "scripted-picture", "refused-resource", "missing-resource"}
    assert can_be_printed(tmp_path / "project" / "art" / name) == (finding in printed)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_sound_picture_is_no_finding(tmp_path: Path, kind: str) -> None:
    assert checked(tmp_path, f"a.{kind.lower()}", saved(noise(), kind)) == []


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(saved(noise(), "PNG"))
    checked(tmp_path, "a.png", None)
    (tmp_path / "project" / "art" / "a.png").symlink_to(secret)
    (found,) = checked(tmp_path, "a.png", None)
    assert found.name == "art-outside-project"


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> Picture | None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("toolkit.data.pictures.read_picture", refused)
    (found,) = checked(tmp_path, "a.png", saved(noise(), "PNG"))
    assert found.name == "unreadable-picture"
    assert "Permission denied" in found.message


def test_in_a_folder_that_may_not_be_opened_only_the_folder_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked(tmp_path, "a.png", None)
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path).name != "art")
    assert open_project(tmp_path / "project").findings == ()


def test_a_picture_that_was_changed_is_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"x")
    assert read_picture(path) is None
    path.write_bytes(saved(noise(), "PNG"))
    assert read_picture(path) is not None
