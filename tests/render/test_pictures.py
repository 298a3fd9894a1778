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
from PIL import Image, ImageChops, ImageCms, ImageOps, ImageStat

import toolkit
from toolkit.data.art.drawings import read_drawing, read_drawing_file
from toolkit.data.art.picture_files import LONGEST_SIDE, Picture, picture_in, read_picture
from toolkit.data.art.picture_findings import can_be_printed
from toolkit.diagnostics import Diagnostic
from toolkit.project.pipeline import open_project
from toolkit.render.raster_art import Resource, prepare_for_print, upright_size
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


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


SIDE = 16
PNG_KINDS = [(0, bits, 1) for bits in (1, 2, 4, 8, 16)] + [(3, bits, 1) for bits in (1, 2, 4, 8)]
PNG_KINDS += [(kind, bits, channels) for kind, channels in ((2, 3), (4, 2), (6, 4)) for bits in (8, 16)]
"""Colour types of PNG: grey, colour, palette, grey and colour with alpha; bits; channels."""

PALETTE = [(200, 30, 60, 255), (20, 90, 250, 0), (90, 90, 20, 130), (255, 255, 0, 20)] * 64
"""Colours of a palette, and how opaque they are."""


def two_halves(kind: int, bits: int, colours: list[tuple[int, ...]], *, transparent: bool) -> bytes:
    """A PNG whose left and right half have these samples; of a palette, or the first is transparent."""
    rows = b""
    for _ in range(SIDE):
        row = [sample for colour in colours for _ in range(SIDE // 2) for sample in colour]
        number = sum(sample << bits * place for place, sample in enumerate(reversed(row)))
        rows += b"\0" + number.to_bytes(-(-bits * len(row) // 8), "big")
    more = b""
    if kind == 3:
        more = chunk(b"PLTE", b"".join(bytes(colour[:3]) for colour in PALETTE[: 1 << bits]))
    if transparent:
        samples = b"".join(struct.pack(">H", sample) for sample in colours[0])
        more += chunk(b"tRNS", bytes(colour[3] for colour in PALETTE[: 1 << bits]) if kind == 3 else samples)
    head = struct.pack(">IIBBBBB", SIDE, SIDE, bits, kind, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + pixels


def test_a_png_has_the_colours_and_the_transparency_of_its_samples() -> None:
    for kind, bits, channels in PNG_KINDS:
        most = (1 << bits) - 1
        first = [most // 3, most // 2, most // 5, most // 4][:channels]
        other = [most - sample for sample in first]
        if bits == 16 and kind in (0, 2):  # equal in the high bytes
            other = [sample ^ 1 for sample in first]
        colours = [tuple(first), tuple(other)]
        for transparent in (False, True) if kind in (0, 2, 3) else (False,):
            content = two_halves(kind, bits, colours, transparent=transparent)
            made = prepare_for_print(content, None)
            assert isinstance(made, Resource), (kind, bits)
            with Image.open(io.BytesIO(made.content)) as picture:
                shown = picture.convert("RGBA")
            for half, samples in enumerate(colours):
                levels = [sample * 255 / most for sample in samples]
                alpha = 0 if transparent and half == 0 else 255
                if kind == 3:
                    *levels, alpha = PALETTE[samples[0]]
                    alpha = alpha if transparent else 255
                elif kind in (4, 6):
                    *levels, alpha = levels  # type: ignore[assignment]
                levels = levels * 3 if len(levels) == 1 else levels
                dot = shown.getpixel((SIDE // 4 + half * SIDE // 2, SIDE // 2))
                wanted = (*levels, alpha) if alpha else (0, 0, 0, 0)
                dot = dot if alpha or dot[3] else (0, 0, 0, 0)  # type: ignore[index]
                near = 8 if made.mime == "image/jpeg" else 1.5
                assert dot == pytest.approx(wanted, abs=near), (kind, bits, transparent, half)


def test_pictures_are_turned_as_their_camera_says() -> None:
    plain = Image.merge(
        "RGB", [Image.linear_gradient("L").rotate(90 * turn).resize((90, 60)) for turn in range(3)]
    )
    for kind in ("JPEG", "PNG", "WebP"):
        for orientation in range(1, 9):
            exif = Image.Exif()
            exif[0x0112] = orientation
            content = saved(plain, kind, exif=exif)
            made = prepare_for_print(content, Size(2, 2))
            assert isinstance(made, Resource)
            with Image.open(io.BytesIO(made.content)) as printed, Image.open(io.BytesIO(content)) as opened:
                upright = ImageOps.exif_transpose(opened).convert("RGB").resize(printed.size)
                assert printed.size == ((41, 28) if orientation < 5 else (28, 41))
                difference = ImageStat.Stat(ImageChops.difference(printed.convert("RGB"), upright)).mean
            assert max(difference) < 6, (kind, orientation)
            assert upright_size(content) == upright_size_of(opened.size, orientation)


def upright_size_of(size: tuple[int, int], orientation: int) -> tuple[int, int]:
    return size if orientation < 5 else size[::-1]


def linear_profile() -> bytes:
    """The profile of a space with the primaries of sRGB and without its curve."""
    known = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    for name in (b"rTRC", b"gTRC", b"bTRC"):
        at = known.index(name, 128)
        offset = int.from_bytes(known[at + 4 : at + 8], "big")
        curve = b"curv\0\0\0\0" + struct.pack(">IHH", 1, 256, 0)
        known[offset : offset + len(curve)] = curve
    return bytes(known).replace("sRGB built-in".encode("utf-16-be"), "A linear sRGB".encode("utf-16-be"))


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L", "LA"])
def test_a_picture_with_a_linear_profile_is_as_bright_as_it_should(mode: str) -> None:
    grey = Image.new("RGBA", (60, 40), (55, 55, 55, 100)).convert(mode)
    made = prepare_for_print(saved(grey, "PNG", icc_profile=linear_profile()), None)
    assert isinstance(made, Resource)
    with Image.open(io.BytesIO(made.content)) as picture:
        red, green, blue, alpha = picture.convert("RGBA").getpixel((5, 5))  # type: ignore[misc]
    assert (red, green, blue) == pytest.approx((128, 128, 128), abs=3)
    assert alpha == (255 if mode in ("RGB", "L") else 100)


def test_a_png_with_a_gamma_is_as_bright_as_it_should() -> None:
    content = saved(Image.new("RGB", (60, 40), (55, 55, 55)), "PNG")
    gamma = chunk(b"gAMA", struct.pack(">I", 100_000))
    made = prepare_for_print(content[:33] + gamma + content[33:], None)
    assert isinstance(made, Resource)
    with Image.open(io.BytesIO(made.content)) as picture:
        assert picture.getpixel((5, 5)) == pytest.approx((128, 128, 128), abs=3)


def test_an_animation_behind_another_picture_is_printed_by_its_first_frame() -> None:
    frames = [Image.new("RGB", (20, 10), colour) for colour in ("red", "blue", "green")]
    content = saved(frames[0], "PNG", save_all=True, append_images=frames[1:], default_image=True)
    made = prepare_for_print(content, None)
    assert isinstance(made, Resource)
    with Image.open(io.BytesIO(made.content)) as picture:
        assert picture.getpixel((5, 5)) == pytest.approx((0, 0, 255), abs=3)


def test_inks_are_converted_by_their_profile() -> None:
    profile = next((Path(toolkit.__file__).parent / "press" / "profiles").glob("*.icc")).read_bytes()
    inks = Image.new("CMYK", (60, 40), (200, 30, 10, 20))
    made = prepare_for_print(saved(inks, "JPEG", icc_profile=profile), None)
    assert isinstance(made, Resource)
    own, screen = ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB")
    wanted = ImageCms.profileToProfile(inks, own, screen, outputMode="RGB")
    assert wanted is not None
    with Image.open(io.BytesIO(made.content)) as picture:
        assert picture.getpixel((5, 5)) == pytest.approx(wanted.getpixel((5, 5)), abs=4)


def black(width: int, height: int) -> bytes:
    """A PNG of one bit a dot, packed row by row: Pillow needs a byte of memory for each dot."""
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

    monkeypatch.setattr("toolkit.data.art.picture_findings.read_picture", refused)
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
