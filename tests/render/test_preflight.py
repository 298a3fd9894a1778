"""The checks for print services: each finds its fault, in PDFs of any kind, and none breaks."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from toolkit.press.preflight import Preflight, preflight_pdf, preflight_pictures
from toolkit.press.services import SERVICES

DTC = SERVICES["drivethrucards"]
DOTS = zlib.compress(bytes((0, 100, 100, 50)) * 825 * 1125, 1)
Name = pikepdf.Name
Change = Callable[[pikepdf.Pdf], None]


def sound(pages: int = 2) -> pikepdf.Pdf:
    """A PDF that DriveThruCards takes: a CMYK picture of 300 dpi and black text without a font file."""
    pdf = pikepdf.new()
    dots = pdf.make_stream(DOTS)
    dots.Type, dots.Subtype, dots.Filter = Name("/XObject"), Name("/Image"), Name("/FlateDecode")
    dots.Width, dots.Height = 825, 1125
    dots.ColorSpace, dots.BitsPerComponent = Name("/DeviceCMYK"), 8
    file = pdf.make_stream(b"a font")
    descriptor = pikepdf.Dictionary(Type=Name("/FontDescriptor"), FontFile2=file)
    font = pikepdf.Dictionary(
        Type=Name("/Font"),
        Subtype=Name("/TrueType"),
        BaseFont=Name("/ABCDEF+Some"),
        FontDescriptor=descriptor,
    )
    for _ in range(pages):
        page = pdf.add_blank_page(page_size=(198, 270))
        page.trimbox, page.bleedbox = [9, 9, 189, 261], [0, 0, 198, 270]
        page.obj.Resources = pikepdf.Dictionary(
            XObject=pikepdf.Dictionary(P=dots), Font=pikepdf.Dictionary(F=font)
        )
        page.obj.Contents = pdf.make_stream(
            b"q 198 0 0 270 0 0 cm /P Do Q BT /F 9 Tf 0 0 0 1 k 20 20 Td (words) Tj ET"
        )
    pdf.docinfo["/Title"] = "Cards"
    pdf.docinfo["/CreationDate"] = pdf.docinfo["/ModDate"] = "D:20260101000000Z"
    pdf.docinfo["/Trapped"] = Name("/False")
    pdf.docinfo["/GTS_PDFXVersion"] = "PDF/X-1:2001"
    pdf.docinfo["/GTS_PDFXConformance"] = "PDF/X-1a:2001"
    intent = pikepdf.Dictionary(S=Name("/GTS_PDFX"), OutputConditionIdentifier="CGATS TR 003")
    pdf.Root.OutputIntents = pikepdf.Array([intent])
    return pdf


def checked(pdf: pikepdf.Pdf, folder: Path, version: str | None = "1.3", **options: Any) -> Preflight:
    file = folder / "file.pdf"
    pdf.save(
        file, force_version=version or "", object_stream_mode=pikepdf.ObjectStreamMode.disable, **options
    )
    return preflight_pdf(file, DTC)


def draw(content: bytes, page: int = 1) -> Change:
    """Put operators before those of a page."""

    def change(pdf: pikepdf.Pdf) -> None:
        obj = pdf.pages[page].obj
        obj.Contents = pdf.make_stream(content + b"\n" + obj.Contents.read_bytes())

    return change


def resource(kind: str, value: Callable[[pikepdf.Pdf], object], content: bytes) -> Change:
    """Give the second page a resource X, and use it."""

    def change(pdf: pikepdf.Pdf) -> None:
        resources = pikepdf.Dictionary(pdf.pages[1].obj.Resources)
        there = resources.get(kind, pikepdf.Dictionary())
        resources[kind] = pikepdf.Dictionary({**there, "/X": value(pdf)})
        pdf.pages[1].obj.Resources = resources
        draw(content)(pdf)

    return change


def picture(width: int, height: int, **more: object) -> Callable[[pikepdf.Pdf], object]:
    """An empty grey picture."""

    def make(pdf: pikepdf.Pdf) -> object:
        made = pdf.make_stream(bytes(width * height), Subtype=Name("/Image"), Width=width, Height=height)
        made.ColorSpace, made.BitsPerComponent = Name("/DeviceGray"), 8
        for key, value in more.items():
            made[f"/{key}"] = value
        return made

    return make


def form(pdf: pikepdf.Pdf, content: bytes = b"", **more: object) -> object:
    made = pdf.make_stream(content, Subtype=Name("/Form"), BBox=[0, 0, 9, 9])
    for key, value in more.items():
        made[f"/{key}"] = value
    return made


def state(**settings: object) -> Callable[[pikepdf.Pdf], object]:
    return lambda _pdf: pikepdf.Dictionary({f"/{key}": value for key, value in settings.items()})


def delete(*names: str) -> Change:
    def change(pdf: pikepdf.Pdf) -> None:
        for name in names:
            del pdf.docinfo[name]

    return change


def page_key(key: str, value: object) -> Change:
    def change(pdf: pikepdf.Pdf) -> None:
        if value is None:
            del pdf.pages[1].obj[key]
        else:
            pdf.pages[1].obj[key] = value

    return change


GROUP = pikepdf.Dictionary(S=Name("/Transparency"))
INDEXED = pikepdf.Array([Name("/Indexed"), Name("/DeviceRGB"), 0, b"abc"])

FAULTS: dict[str, tuple[str, Change, str]] = {
    "rgb": ("colours", draw(b"1 0 0 rg"), "page 2: DeviceRGB is used."),
    "rgb line": ("colours", draw(b"1 0 0 RG"), "page 2: DeviceRGB is used."),
    "indexed rgb": ("colours", resource("/ColorSpace", lambda _: INDEXED, b"/X cs"), "DeviceRGB is used."),
    "ink": (
        "ink",
        draw(b"1 1 0.6 0 k 0 0 9 9 re f 0 0 0 1 k"),
        "page 2: Up to 260 % of ink;",
    ),
    "coloured text": ("text", draw(b"BT /F 9 Tf 1 0 0 0 k (words) Tj ET"), "Text is not in black ink alone."),
    "font": (
        "fonts",
        resource(
            "/Font", state(Subtype=Name("/Type1"), BaseFont=Name("/Helvetica")), b"BT /X 9 Tf (words) Tj ET"
        ),
        "page 2: The font Helvetica is not embedded.",
    ),
    "opacity": ("transparency", resource("/ExtGState", state(ca=0.5), b"/X gs"), "opacity below 1"),
    "blend": ("transparency", resource("/ExtGState", state(BM=Name("/Multiply")), b"/X gs"), "a blend mode"),
    "mask": ("transparency", resource("/ExtGState", state(SMask=GROUP), b"/X gs"), "a soft mask"),
    "group": (
        "transparency",
        resource("/XObject", lambda pdf: form(pdf, Group=GROUP), b"/X Do"),
        "a transparency group",
    ),
    "page group": ("transparency", page_key("/Group", GROUP), "page 2: Transparency: a transparency group."),
    "picture mask": (
        "transparency",
        resource("/XObject", picture(9, 9, SMask=GROUP), b"q 1 0 0 1 0 0 cm /X Do Q"),
        "a picture with a soft mask",
    ),
    "coarse": (
        "resolution",
        resource("/XObject", picture(50, 100), b"q 24 0 0 24 0 0 cm /X Do Q"),
        "page 2: Pictures have 150 dpi; 300 are needed.",
    ),
    "coarse in a form": (
        "resolution",
        resource(
            "/XObject",
            lambda pdf: form(
                pdf,
                b"12 0 0 12 0 0 cm /P Do",
                Matrix=[2, 0, 0, 2, 0, 0],
                Resources=pikepdf.Dictionary(XObject=pikepdf.Dictionary(P=picture(50, 50)(pdf))),
            ),
            b"/X Do",
        ),
        "page 2: Pictures have 150 dpi; 300 are needed.",
    ),
    "no trim": ("boxes", page_key("/TrimBox", None), "page 2: There is no TrimBox"),
    "trim": (
        "boxes",
        page_key("/TrimBox", [0, 0, 198, 270]),
        "page 2: The TrimBox does not lie 3.2 mm",
    ),
    "size": (
        "boxes",
        page_key("/MediaBox", [0, 0, 189, 270]),
        "66.7 × 95.3 mm is not a page of",
    ),
    "turned": ("boxes", page_key("/Rotate", 90), "page 2: Turned by /Rotate."),
    "odd": ("pairs", lambda pdf: pdf.pages.append(pdf.pages[0]), "3 pages: one has no other side."),
    "one page": ("pairs", lambda pdf: pdf.pages.__delitem__(0), "1 page: one has no other side."),
    "no standard": (
        "standard",
        delete("/GTS_PDFXVersion", "/GTS_PDFXConformance"),
        "does not say that",
    ),
    "trapped": ("standard", delete("/Trapped"), "whether it is trapped"),
    "dates": ("standard", delete("/ModDate"), "The document information has no ModDate."),
    "intent": ("standard", lambda pdf: pdf.Root.__delitem__("/OutputIntents"), "No OutputIntent"),
    "action": ("standard", lambda pdf: pdf.Root.__setitem__("/OpenAction", GROUP), "OpenAction"),
    "links": ("standard", page_key("/Annots", pikepdf.Array([GROUP])), "page 2: There are annotations"),
}
"""Changes to a sound PDF: the check that must find them, the change, and what is said."""


def test_a_sound_file_passes(tmp_path: Path) -> None:
    result = checked(sound(), tmp_path)
    assert result.problems == ()
    assert result.measured["ink"] == "at most 100 %"
    assert next(result.lines()).startswith("ok      file          PDF 1.3")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_its_check_and_by_no_other(fault: str, tmp_path: Path) -> None:
    check, change, message = FAULTS[fault]
    pdf = sound()
    change(pdf)
    result = checked(pdf, tmp_path)
    assert message in " ".join(problem.sentence for problem in result.problems)
    also = {"indexed rgb": [], "size": ["boxes"]}.get(fault, [])
    assert result.failed in ([check], [check, *also]), list(result.lines())
    assert all(problem.next_step for problem in result.problems)


def test_the_version_and_the_year_of_the_standard_belong_together(tmp_path: Path) -> None:
    assert checked(sound(), tmp_path, "1.4").failed == ["standard"]
    later = sound()
    del later.docinfo["/GTS_PDFXConformance"]
    later.docinfo["/GTS_PDFXVersion"] = "PDF/X-1a:2003"
    assert checked(later, tmp_path, "1.4").failed == []
    assert checked(later, tmp_path, "1.6").failed == ["standard"]


@pytest.mark.parametrize("inverted", [False, True])
def test_ink_of_pictures_is_measured_in_jpegs_and_plain_dots(inverted: bool, tmp_path: Path) -> None:
    stream = io.BytesIO()
    Image.new("CMYK", (825, 1125), (200, 200, 200, 26)).save(stream, "JPEG", quality=100, subsampling=0)
    pdf = sound()
    dots = pdf.pages[0].obj.Resources.XObject.P
    dots.write(stream.getvalue(), filter=Name("/DCTDecode"))
    if inverted:  # so does Pillow write it
        dots.Decode = pikepdf.Array([1, 0] * 4)
    result = checked(pdf, tmp_path)
    assert result.measured["ink"] == ("at most 246 %" if inverted else "at most 155 %")
    assert result.failed == (["ink"] if inverted else [])


def test_a_file_with_a_password_or_that_is_no_pdf_says_so(tmp_path: Path) -> None:
    locked = checked(sound(), tmp_path, None, encryption=pikepdf.Encryption(owner="a", user="b"))
    assert [problem.message for problem in locked.problems] == ["The PDF is encrypted and needs a password."]
    opens = checked(sound(), tmp_path, None, encryption=pikepdf.Encryption(owner="a", user=""))
    assert "The PDF is encrypted." in [problem.message for problem in opens.problems]
    for content, said in (
        (b"", "This is not a PDF."),
        (b"GIF89a", "This is not a PDF."),
        (b"%PDF-1.4", "broken"),
    ):
        (tmp_path / "file.pdf").write_bytes(content)
        (problem,) = preflight_pdf(tmp_path / "file.pdf", DTC).problems
        assert said in problem.message


def test_what_would_take_too_much_is_left_out_and_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolkit.press.page_content._MAX_DRAWN", 20_000)
    bomb = sound()
    bomb.pages[1].obj.Contents.write(zlib.compress(b"0 g " * ((2 << 20) + 1)), filter=Name("/FlateDecode"))
    result = checked(bomb, tmp_path, compress_streams=False)
    assert [problem.sentence for problem in result.problems] == [
        "page 2: Content of more than 8 MB is not read."
    ]
    nested = sound()
    deeper = form(nested, b"")
    for _ in range(6):
        inner = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=deeper))
        deeper = form(nested, b"/X Do " * 20, Resources=inner)
    resource("/XObject", lambda _: deeper, b"/X Do")(nested)
    assert [problem.sentence for problem in checked(nested, tmp_path).problems] == [
        "page 2: There are too many drawings within drawings."
    ]
    endless = sound()
    looped = form(endless, b"/X Do")
    looped.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=looped))  # type: ignore[attr-defined]
    resource("/XObject", lambda _: looped, b"/X Do")(endless)
    assert checked(endless, tmp_path).failed == ["file"]


def test_memory_is_bounded_while_a_file_is_read_and_not_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    (tmp_path / "file.pdf").write_bytes(b"%PDF-1.5")

    def greedy(_path: Path) -> None:
        bytearray(3 << 30)

    monkeypatch.setattr("toolkit.press.preflight.pikepdf.open", greedy)
    if Path("/proc/self/statm").exists():
        (problem,) = preflight_pdf(tmp_path / "file.pdf", DTC).problems
        assert problem.message == "The PDF needs more than 2 GB of memory."
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_a_repaired_file_is_reported(tmp_path: Path) -> None:
    assert checked(sound(), tmp_path).failed == []
    file = tmp_path / "file.pdf"
    file.write_bytes(file.read_bytes().replace(b"startxref\n", b"startxref\n7"))
    assert "The PDF is damaged" in preflight_pdf(file, DTC).problems[0].message


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A file to write to, and the bytes of a sound PDF with small pictures."""
    pdf = sound()
    dots = pdf.pages[0].obj.Resources.XObject.P
    dots.Width, dots.Height = 2, 2
    dots.write(bytes(16))
    stream = io.BytesIO()
    pdf.save(stream, object_stream_mode=pikepdf.ObjectStreamMode.disable, compress_streams=False)
    return tmp_path_factory.mktemp("broken") / "file.pdf", stream.getvalue()


@given(data=st.data())
def test_no_damage_breaks_a_check(plain: tuple[Path, bytes], data: st.DataObject) -> None:
    file, content = plain
    damaged = bytearray(content)
    for at in data.draw(st.lists(st.integers(8, len(content) - 1), max_size=12)):
        damaged[at] = data.draw(st.integers(32, 126))
    end = data.draw(st.integers(8, len(content)) | st.just(len(content)))
    file.write_bytes(damaged[:end])
    for service in ("drivethrucards", "printplaygames"):
        result = preflight_pdf(file, SERVICES[service])
        assert list(result.lines())
        assert result.as_data()["passed"] == (not result.problems)


@pytest.mark.parametrize(
    ("name", "mode", "size", "options", "failed"),
    [
        ("a.png", "RGB", (825, 1125), {"dpi": (300, 300)}, []),
        ("a.jpg", "L", (750, 1125), {"dpi": (300, 300)}, []),
        ("a.png", "RGBA", (825, 1125), {"dpi": (300, 300)}, ["colours"]),
        ("a.jpg", "CMYK", (825, 1125), {"dpi": (300, 300)}, ["colours"]),
        ("a.png", "RGB", (822, 1122), {"dpi": (300, 300)}, ["size"]),
        ("a.png", "RGB", (825, 1125), {"dpi": (72, 72)}, ["resolution"]),
        ("a.png", "RGB", (825, 1125), {}, ["resolution"]),
    ],
)
def test_pictures_are_checked_by_their_heads(
    name: str, mode: str, size: tuple[int, int], options: dict[str, Any], failed: list[str], tmp_path: Path
) -> None:
    Image.new(mode, size).save(tmp_path / name, **options)
    (tmp_path / "notes.txt").write_text("not a picture", encoding="utf-8")
    result = preflight_pictures(tmp_path, SERVICES["game-crafter"])
    assert result.failed == failed
    assert all(name in problem.message for problem in result.problems)


def test_pictures_that_are_none(tmp_path: Path) -> None:
    assert preflight_pictures(tmp_path, SERVICES["game-crafter"]).failed == ["file"]
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    assert preflight_pictures(tmp_path, SERVICES["game-crafter"]).failed == ["file"]


def test_progress_counts_the_pages_up_to_all_of_them(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    sound(5).save(tmp_path / "file.pdf", force_version="1.3")
    preflight_pdf(tmp_path / "file.pdf", DTC, lambda done, total: steps.append((done, total)))
    assert steps == [(number, 5) for number in range(1, 6)]
