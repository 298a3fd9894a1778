"""Checks of files for a print service: a PDF from any program, or a folder of pictures.

Files are not changed and not trusted: what is read of them is bounded, and a part that cannot be read is a
problem of the check ``file``. The page *Cards online and in a shop* explains each check by its name.

`resource` is imported where it is used: Windows has none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pikepdf
from msgspec import Struct
from PIL import Image

from toolkit.diagnostics.phrases import counted
from toolkit.press.page_content import PageContent, PageReader
from toolkit.press.services import Service
from toolkit.render.renderer import Progress, no_progress
from toolkit.render.sizes import POINTS_PER_MM, Size, measures

_MAX_BYTES = 1 << 30
_MAX_MEMORY = 2 << 30
_HEADER_WITHIN = 1024
"""Readers of PDFs allow other bytes before the header, up to so many."""

_MAX_PAGES = 5_000
_MAX_PICTURES = 10_000
_MAX_RUNS = 10
"""Pages that a sentence lists; neighbouring ones count as one."""

_INK_ROUNDING = 0.05
"""In percent: what is over a whole number by less is a rounded one."""

_INK_TOLERANCE = 0.5
"""In percent: how much more ink than allowed is no problem."""

_MAX_SHOWN = 5
"""Names of pictures, and sizes of them, that a line lists."""

_BOX_TOLERANCE = 0.3
"""The tolerance of page boxes in mm: services state sizes in inches, and other programs round them."""

_INKS = frozenset(("DeviceCMYK", "DeviceGray", "Separation", "DeviceN", "Pattern"))


class Defect(Struct, frozen=True):
    """A problem: the name of the check, the message, the next step, and the pages.

    ``pages`` count from 1; the message of a picture names its file.
    """

    check: str
    message: str
    next_step: str
    pages: tuple[int, ...] = ()

    @property
    def sentence(self) -> str:
        """The message with the pages that it is about."""
        return f"{_page_list(self.pages)}: {self.message}" if self.pages else self.message


class Preflight(Struct, frozen=True):
    """The result: what each check measured, by its name, and the problems."""

    measured: dict[str, str]
    problems: tuple[Defect, ...]

    @property
    def failed(self) -> list[str]:
        """The names of the checks that found problems."""
        return list(dict.fromkeys(problem.check for problem in self.problems))

    def lines(self) -> Iterator[str]:
        """Yield a line for each check, and for failed ones their problems, each with its next step."""
        names = list(dict.fromkeys((*self.measured, *self.failed)))
        width = max(map(len, names))
        for name in names:
            result = "failed" if name in self.failed else "ok"
            yield f"{result:8}{name:{width}}  {self.measured.get(name, '')}".rstrip()
            problems = [problem for problem in self.problems if problem.check == name]
            for problem, next_problem in zip_longest(problems, problems[1:]):
                # a step that solves several problems in a row stands behind the last of them
                is_last_of_step = next_problem is None or next_problem.next_step != problem.next_step
                yield f"{'':8}{problem.sentence}{f' {problem.next_step}' if is_last_of_step else ''}"

    def as_data(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        keys = ("check", "pages", "message", "next_step")
        problems = [{key: getattr(defect, key) for key in keys} for defect in self.problems]
        return {"passed": not self.problems, "measured": self.measured, "problems": problems}


def _page_list(pages: Sequence[int]) -> str:
    """Return the pages in words, such as "page 3" or "pages 2, 4–8, 12"."""
    runs: list[tuple[int, int]] = []
    for page in pages:
        first, last = runs[-1] if runs else (page, page)
        if last == page - 1:
            runs[-1] = (first, page)
        else:
            runs.append((page, page))
    shown = ", ".join(f"{first}" if first == last else f"{first}–{last}" for first, last in runs[:_MAX_RUNS])
    further_pages = ", …" if len(runs) > _MAX_RUNS else ""
    return f"{'page' if len(pages) == 1 else 'pages'} {shown}{further_pages}"


def preflight_pdf(path: Path, service: Service, progress: Progress = no_progress) -> Preflight:
    """Check a PDF. Raises ``OSError`` if the file cannot be read."""
    size = path.stat().st_size
    if size > _MAX_BYTES:
        return _unreadable(f"The file has {size / 1e9:.1f} GB.", "Make a file of less than 1 GB.")
    with path.open("rb") as file:
        is_pdf = b"%PDF-" in file.read(_HEADER_WITHIN)
    if not is_pdf:
        return _unreadable("This is not a PDF.", f"{service.title} takes a PDF: `opforge cards --service`.")
    try:
        with _bounded_memory(), pikepdf.open(path) as pdf:
            return _check_pdf(pdf, size, service, progress)
    except pikepdf.PasswordError:
        step = "Save it without a password: a service cannot open it either."
        return _unreadable("The PDF is encrypted and needs a password.", step)
    except MemoryError:
        return _unreadable(
            f"The PDF needs more than {_MAX_MEMORY >> 30} GB of memory.", "Make the file again."
        )
    except Exception as error:  # pikepdf raises many kinds for broken files
        return _unreadable(f"The PDF is broken: {_first_line(error)}.", "Make the file again.")


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """Limit the process to ``_MAX_MEMORY`` more than it uses now, where the system supports it (Linux).

    QPDF (12) unpacks object streams completely: 6 MB of a crafted file become 6 GB.
    """
    try:
        import resource

        used_pages, *_ = Path("/proc/self/statm").read_text().split()
        used = int(used_pages) * resource.getpagesize()
    except (ImportError, OSError):  # another system
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = used + _MAX_MEMORY
    if soft != resource.RLIM_INFINITY:
        limit = min(limit, soft)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _unreadable(message: str, next_step: str) -> Preflight:
    return Preflight({}, (Defect("file", message, next_step),))


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200].rstrip(".")


def _check_pdf(pdf: pikepdf.Pdf, size: int, service: Service, progress: Progress) -> Preflight:
    """Return the problems of an open PDF for a service, and what was measured."""
    count = len(pdf.pages)
    if not 0 < count <= _MAX_PAGES:
        return _unreadable(f"The PDF has {count:,} pages.", f"A file has 1 to {_MAX_PAGES:,} pages.")
    reader = PageReader(pdf)
    pages = []
    for page in pdf.pages:
        pages.append(reader.page(page))
        progress(len(pages), count)
    measured = {"file": f"PDF {pdf.pdf_version}, {size / 1e6:.1f} MB, {count} page{'s' if count > 1 else ''}"}
    problems = [*_check_file(pdf, pages)]
    if service.most_ink is not None:
        problems += _check_standard(pdf, measured)
    problems += _check_boxes(pdf, service, measured)
    if service.most_ink is not None:
        problems += _check_colours(pages, service.most_ink, measured)
    problems += [*_check_fonts(pages, measured), *_check_resolution(pages, service.dpi, measured)]
    return Preflight(measured, tuple(problems))


def _page_numbers(wrong: Iterable[bool]) -> tuple[int, ...]:
    return tuple(number for number, is_wrong in enumerate(wrong, 1) if is_wrong)


def _check_file(pdf: pikepdf.Pdf, pages: Sequence[PageContent]) -> Iterator[Defect]:
    """Yield what makes the whole file unreliable: a password, damage, parts that cannot be read."""
    if pdf.is_encrypted:
        yield Defect("file", "The PDF is encrypted.", "Save it without a password and restrictions.")
    if pdf.get_warnings():
        yield Defect(
            "file", "The PDF is damaged, and programs guess what is missing.", "Make the file again."
        )
    for message in sorted(set().union(*(page.unread for page in pages))):
        page_numbers = _page_numbers(message in page.unread for page in pages)
        yield Defect("file", message, "Make the file again; the other checks left this out.", page_numbers)


def _box(page: pikepdf.Page, name: str) -> tuple[float, float, float, float] | None:
    """Return a box of a page in mm; None if there is none."""
    try:
        edges = [float(side) / POINTS_PER_MM for side in page.obj[name]]
        left, bottom, right, top = edges
    except (KeyError, TypeError, ValueError):
        return None
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


def _size_text(size: Size) -> str:
    """Return a size in words, to a tenth of a millimetre; what lies between two is rounded up."""
    return measures(Size(round(size.width + 1e-6, 1), round(size.height + 1e-6, 1)))


def _almost_equal(numbers: Iterable[float], other: Iterable[float]) -> bool:
    return all(abs(a - b) <= _BOX_TOLERANCE for a, b in zip(numbers, other, strict=True))


def _check_boxes(pdf: pikepdf.Pdf, service: Service, measured: dict[str, str]) -> Iterator[Defect]:
    """Check sizes and boxes of the pages, and that there is a back for every front."""
    sizes: dict[str, list[int]] = {}
    faults: dict[str, list[int]] = {}
    for number, page in enumerate(pdf.pages, 1):
        left, bottom, right, top = (float(side) / POINTS_PER_MM for side in page.mediabox)
        media = Size(abs(right - left), abs(top - bottom))
        sizes.setdefault(_size_text(media), []).append(number)
        for fault in _box_faults(page, media, service):
            faults.setdefault(fault, []).append(number)
    measured["boxes"] = ", ".join(sizes) if len(sizes) < 4 else f"{len(sizes)} sizes of pages"
    wanted_paper = service.sheets.paper if service.sheets else None
    offered = ", ".join(
        _size_text(Size(card.width + 2 * service.bleed, card.height + 2 * service.bleed))
        for card in service.cards.values()
    )
    step = f"Pages have {measures(wanted_paper) if wanted_paper else offered}, bleed included."
    for fault, pages in faults.items():
        yield Defect("boxes", fault, step, tuple(pages))
    if len(sizes) > 1:
        yield Defect("boxes", f"Pages have several sizes: {', '.join(sizes)}.", "Make a file for each size.")
    measured["pairs"] = counted(len(pdf.pages), "page")
    if len(pdf.pages) % 2:
        message = f"{measured['pairs']}: one has no other side."
        yield Defect("pairs", message, "Put a back and a front into the file for each card.")


def _box_faults(page: pikepdf.Page, media: Size, service: Service) -> Iterator[str]:
    """Yield what is wrong with the boxes of a page."""
    if int(page.obj.get("/Rotate", 0)) % 360:
        yield "Turned by /Rotate."
    if float(page.obj.get("/UserUnit", 1)) != 1:
        yield "Enlarged by /UserUnit."
    if service.sheets is not None:  # with several cards on a page, whose boxes say nothing about them
        if not _almost_equal(media, service.sheets.paper):
            yield f"{_size_text(media)} is not a page of {service.title}."
        return
    bleed = service.bleed
    fitting_cards = (
        card for card in service.cards.values() if _almost_equal(media, (side + 2 * bleed for side in card))
    )
    card = next(fitting_cards, None)
    if card is None:
        yield f"{_size_text(media)} is not a page of {service.title}."
        return
    trim, bled = _box(page, "/TrimBox"), _box(page, "/BleedBox")
    left, bottom, _, _ = (float(side) / POINTS_PER_MM for side in page.mediabox)
    cut = (left + bleed, bottom + bleed, left + bleed + card.width, bottom + bleed + card.height)
    if trim is None:
        yield "There is no TrimBox, which says where the card is cut."
    elif not _almost_equal(trim, cut):
        yield f"The TrimBox does not lie {bleed:.1f} mm within the page."
    whole_page = (left, bottom, left + media.width, bottom + media.height)
    if bled is not None and not _almost_equal(bled, whole_page):
        yield "The BleedBox is not the whole page."


def _check_fonts(pages: Sequence[PageContent], measured: dict[str, str]) -> Iterator[Defect]:
    """Yield each font that is not embedded, and note in ``measured`` how many are."""
    embedded = set().union(*(page.embedded for page in pages))
    measured["fonts"] = f"{len(embedded)} embedded" if embedded else "none"
    for font in sorted(set().union(*(page.missing for page in pages))):
        page_numbers = _page_numbers(font in page.missing for page in pages)
        yield Defect("fonts", f"The font {font} is not embedded.", "Embed all fonts.", page_numbers)


def _check_resolution(pages: Sequence[PageContent], dpi: int, measured: dict[str, str]) -> Iterator[Defect]:
    """Yield that pictures are too coarse, and note in ``measured`` the lowest resolution."""
    lowest = min(page.dpi for page in pages)
    measured["resolution"] = "no pictures" if lowest == math.inf else f"at least {lowest:.0f} dpi"
    # A picture that is fine enough may lose up to half a pixel to rounding.
    page_numbers = _page_numbers(page.dpi < dpi - 0.5 for page in pages)
    if page_numbers:
        message = f"Pictures have {lowest:.0f} dpi; {dpi} are needed."
        yield Defect("resolution", message, "Use larger pictures, or print them smaller.", page_numbers)


def _check_colours(
    pages: Sequence[PageContent], most_ink: float, measured: dict[str, str]
) -> Iterator[Defect]:
    """Check colours, ink, text and transparency for a service that prints from plates."""
    colours = set().union(*(page.colours for page in pages))
    measured["colours"] = ", ".join(sorted(colours)) or "none"
    for name in sorted(colours - _INKS):
        page_numbers = _page_numbers(name in page.colours for page in pages)
        yield Defect("colours", f"{name} is used.", "Convert all colours to CMYK or grey.", page_numbers)
    ink = max(page.ink for page in pages)
    # How much ink other colours need depends on their conversion.
    uncounted = ", other colours not counted" if colours - _INKS else ""
    measured["ink"] = f"at most {math.ceil(ink - _INK_ROUNDING)} %{uncounted}"
    page_numbers = _page_numbers(page.ink > most_ink + _INK_TOLERANCE for page in pages)
    if page_numbers:
        message = f"Up to {ink:.0f} % of ink; {most_ink:.0f} % are allowed."
        yield Defect("ink", message, "Convert with a profile that limits the ink.", page_numbers)
    measured["text"] = "black ink only" if any(page.text for page in pages) else "none"
    page_numbers = _page_numbers(page.coloured_text for page in pages)
    if page_numbers:
        measured["text"] = "coloured"
        step = "Set it in black, or put large coloured words into the picture."
        yield Defect("text", "Text is not in black ink alone.", step, page_numbers)
    transparent = set().union(*(page.transparent for page in pages))
    measured["transparency"] = ", ".join(sorted(transparent)) or "none"
    for kind in sorted(transparent):
        page_numbers = _page_numbers(kind in page.transparent for page in pages)
        yield Defect("transparency", f"Transparency: {kind}.", "Flatten it.", page_numbers)


def _check_standard(pdf: pikepdf.Pdf, measured: dict[str, str]) -> Iterator[Defect]:
    """Check what distinguishes PDF/X-1a (of 2001 or 2003) from other PDFs."""
    step = "Export as PDF/X-1a, or write the file with `opforge cards --service`."
    messages = (
        *_wrong_version(pdf, measured),
        *_wrong_intent(pdf, measured),
        *_missing_information(pdf),
        *_live_parts(pdf),
    )
    for message in messages:
        yield Defect("standard", message, step)
    annotated = _page_numbers(len(page.obj.get("/Annots", [])) > 0 for page in pdf.pages)
    if annotated:
        yield Defect("standard", "There are annotations or links on the page.", step, annotated)


def _wrong_version(pdf: pikepdf.Pdf, measured: dict[str, str]) -> Iterator[str]:
    """Yield a sentence if a PDF does not say that it is PDF/X-1a, and one if its own version is too new."""
    info = _information(pdf)
    standard = info.get("/GTS_PDFXConformance") or info.get("/GTS_PDFXVersion", "")
    measured["standard"] = standard or "none"
    if standard not in ("PDF/X-1a:2001", "PDF/X-1a:2003"):
        yield "The PDF does not say that it is PDF/X-1a."
    newest = "1.4" if standard.endswith("2003") else "1.3"
    if pdf.pdf_version > newest:
        yield f"It is PDF {pdf.pdf_version}; at most {newest} is allowed."


def _wrong_intent(pdf: pikepdf.Pdf, measured: dict[str, str]) -> Iterator[str]:
    """Yield a sentence if a PDF does not say for which inks it was made; else add them to its standard."""
    intents = pdf.Root.get("/OutputIntents", pikepdf.Array())
    intent = next((intent for intent in intents if intent.get("/S") == "/GTS_PDFX"), None)
    if intent is None:
        yield "No OutputIntent says for which inks it was made."
    elif "/OutputConditionIdentifier" not in intent:
        yield "The OutputIntent does not name its printing condition."
    else:
        measured["standard"] += f", inks for {intent.OutputConditionIdentifier}"


def _missing_information(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Yield a sentence for what a PDF/X must say about itself and this one does not."""
    info = _information(pdf)
    missing = {"/Title", "/CreationDate", "/ModDate"} - info.keys()
    if missing:
        yield f"The document information has no {_listed(missing)}."
    if info.get("/Trapped") not in ("/True", "/False"):
        yield "The document information does not say whether it is trapped."
    if "/ID" not in pdf.trailer:
        yield "The PDF has no ID."


def _live_parts(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Yield a sentence if a PDF has parts that are not printed but do something."""
    name_trees: Any = pdf.Root.get("/Names", {})
    in_root = {"/OpenAction", "/AA", "/AcroForm"} & set(pdf.Root.keys())
    in_name_trees = {"/JavaScript", "/EmbeddedFiles"} & set(name_trees.keys())
    if in_root or in_name_trees:
        yield f"A PDF/X has no actions, forms and files: {_listed(in_root | in_name_trees)}."


def _information(pdf: pikepdf.Pdf) -> dict[str, str]:
    """Return the document information of a PDF as text."""
    return {name: str(value) for name, value in pdf.docinfo.items()}


def _listed(keys: Iterable[str]) -> str:
    """Return keys of a PDF in order, without their slashes."""
    return ", ".join(sorted(key.removeprefix("/") for key in keys))


def pictures_in(path: Path) -> list[Path]:
    """Return the pictures of a folder and of the folders in it, or the file itself."""
    if not path.is_dir():
        return [path]
    return sorted(
        picture_path
        for picture_path in path.rglob("*")
        if picture_path.suffix.lower() in (".png", ".jpg", ".jpeg")
    )


def preflight_pictures(path: Path, service: Service) -> Preflight:
    """Check a folder of pictures, or one picture, by the file headers. Raises ``OSError``."""
    pictures = pictures_in(path)
    if not 0 < len(pictures) <= _MAX_PICTURES:
        message = f"There are {len(pictures):,} pictures." if pictures else "There is no picture."
        return _unreadable(message, f"A folder has 1 to {_MAX_PICTURES:,} pictures, PNG or JPEG.")
    files_by_problem: dict[tuple[str, str], list[str]] = {}
    sizes: dict[tuple[int, int], int] = {}
    offered = {service.pixels(card): name for name, card in service.cards.items()}
    for file in pictures:
        name = file.name if file == path else file.relative_to(path).as_posix()
        for problem in _check_picture(file, service, offered, sizes):
            files_by_problem.setdefault(problem, []).append(name)
    smallest_sizes = sorted(sizes.items())[:_MAX_SHOWN]
    measured = {
        "file": f"{len(pictures)} picture{'s' if len(pictures) > 1 else ''}",
        "size": ", ".join(f"{width}×{height} ({count})" for (width, height), count in smallest_sizes),
        "colours": "RGB",
        "resolution": f"{service.dpi} dpi",
    }
    return Preflight(measured, tuple(_picture_defects(files_by_problem, service, offered)))


def _picture_defects(
    files_by_problem: Mapping[tuple[str, str], Sequence[str]],
    service: Service,
    offered: Iterable[tuple[int, int]],
) -> Iterator[Defect]:
    """Yield a defect for each check and message, with the first of the pictures that have it."""
    sizes = ", ".join(f"{width}×{height}" for width, height in offered)
    steps = {
        "file": "Make the picture again, as PNG or JPEG.",
        "size": f"{service.title} has {sizes} pixels: `opforge cards --service {service.name}`.",
        "colours": "Save it as RGB without transparency.",
        "resolution": f"Save it with {service.dpi} dpi.",
    }
    for (check, message), names in files_by_problem.items():
        further_names = f" and {len(names) - _MAX_SHOWN} more" if len(names) > _MAX_SHOWN else ""
        subject = f"{', '.join(names[:_MAX_SHOWN])}{further_names}"
        yield Defect(check, f"{subject}: {message}", steps[check])


def _check_picture(
    file: Path, service: Service, offered: dict[tuple[int, int], str], sizes: dict[tuple[int, int], int]
) -> Iterator[tuple[str, str]]:
    """Yield the check and message of each problem of a picture, and count its size in ``sizes``.

    ``offered`` are the sizes in pixels of the service's cards.
    """
    try:
        with Image.open(file, formats=("PNG", "JPEG")) as picture:
            size, mode = picture.size, picture.mode
            density, _ = picture.info.get("dpi", (0, 0))
            is_transparent = "transparency" in picture.info
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        yield "file", f"it cannot be read ({_first_line(error)})."
        return
    sizes[size] = sizes.get(size, 0) + 1
    if size not in offered:
        width, height = size
        yield "size", f"{width}×{height} pixels is no card of {service.title}."
    if mode not in ("RGB", "L") or is_transparent:
        yield "colours", f"the colours are {mode}{' with transparency' if is_transparent else ''}."
    if abs(float(density) - service.dpi) > 1:  # PNG counts whole dots a metre: 300 dpi become 299.999
        yield "resolution", f"it says {float(density):.0f} dpi." if density else "it does not say its dpi."
