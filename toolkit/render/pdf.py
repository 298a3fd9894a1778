"""PDF documents: pages reused as forms, metadata, and files without what an engine leaves in them."""

from __future__ import annotations

import io
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

import pikepdf
from msgspec import Struct

from toolkit import __version__
from toolkit.data.model import Project
from toolkit.render.fonts import share_fonts


class PdfMetadata(Struct, frozen=True):
    """The metadata that ``finalize`` writes into a PDF.

    ``languages`` are those of its text, as in the project file; ``duplex`` None leaves the choice to the
    printing dialog.
    """

    title: str
    author: str = ""
    version: str = ""
    languages: tuple[str, ...] = ()
    duplex: str | None = None

    @classmethod
    def of(cls, project: Project, languages: Iterable[str], title: str = "") -> PdfMetadata:
        """Return the metadata of a project's PDF; the default title is that of the project."""
        return cls(
            title or f"{project.name} {project.version}".strip(),
            project.author or "",
            project.version,
            tuple(dict.fromkeys(languages)),
        )


_CREATOR = "opforge"


class PdfPool:
    """PDFs of an engine, of which a limited number is open; the others are opened again when needed.

    A PDF of forty cards takes 3 MB open and 0.2 MB closed. Those of 540 cards fit without reopening.
    """

    _MAX_OPEN = 30
    _MAX_REOPENED = 4

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self._open: dict[int, pikepdf.Pdf] = {}

    def add(self, written: bytes, opened: pikepdf.Pdf) -> int:
        """Add a document and return its number."""
        number = len(self.written)
        self.written.append(written)
        if len(self._open) < self._MAX_OPEN:
            self._open[number] = opened
        return number

    def page(self, document: int, number: int) -> pikepdf.Page:
        """Return a page, which is valid only until the next call."""
        opened = self._open.pop(document, None)
        if opened is None:
            while len(self._open) >= self._MAX_REOPENED:
                del self._open[next(iter(self._open))]  # the least recently used one
            opened = pikepdf.open(io.BytesIO(self.written[document]))
        self._open[document] = opened
        return opened.pages[number]


class PrintedPage(NamedTuple):
    """A page of a document in the pool."""

    documents: PdfPool
    document: int
    number: int

    def load(self) -> pikepdf.Page:
        """Return the page itself."""
        return self.documents.page(self.document, self.number)

    @property
    def pdf(self) -> bytes:
        """The document as the engine wrote it."""
        return self.documents.written[self.document]


def as_form_xobject(page: pikepdf.Page) -> pikepdf.Object:
    """Return the page as a form XObject. If it has one stream, that is changed in place, which is cheaper."""
    content = page.obj.get("/Contents")
    if not isinstance(content, pikepdf.Stream):
        return page.as_form_xobject()
    content["/Type"] = pikepdf.Name("/XObject")
    content["/Subtype"] = pikepdf.Name("/Form")
    content["/BBox"] = page.mediabox
    content["/Resources"] = page.obj.get("/Resources", pikepdf.Dictionary())
    if "/Group" in page.obj:
        content["/Group"] = page.obj["/Group"]
    return content


_ENGINE_KEYS = ("/Lang", "/Metadata", "/StructTreeRoot")
"""Keys of the engine that are removed. Its structure tree describes the links that measure text."""


def _remove(owner: pikepdf.Object, *keys: str) -> None:
    for key in keys:
        if key in owner:
            del owner[key]


_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
{}
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>"""


def _xmp(metadata: PdfMetadata, maker: str) -> bytes:
    """Return the metadata as XMP."""
    default = 'rdf:li xml:lang="x-default"'
    rows = [
        "<dc:format>application/pdf</dc:format>",
        _xmp_list("dc:title", "rdf:Alt", (metadata.title,), default),
        _xmp_list("dc:creator", "rdf:Seq", filter(None, (metadata.author,))),
        _xmp_list("dc:language", "rdf:Bag", metadata.languages),
        "<xmp:CreatorTool>opforge</xmp:CreatorTool>",
        f"<pdf:Producer>{escape(maker)}</pdf:Producer>",
    ]
    if metadata.version:
        rows.insert(2, _xmp_list("dc:description", "rdf:Alt", (f"Version {metadata.version}",), default))
    return _XMP.format("\n".join(filter(None, rows))).encode()


def _xmp_list(name: str, kind: str, values: Iterable[str], item: str = "rdf:li") -> str:
    """Return a property with several values; an empty string without any."""
    items = "".join(f"<{item}>{escape(value)}</rdf:li>" for value in values)
    return f"<{name}><{kind}>{items}</{kind}></{name}>" if items else ""


def append_pages(pdf: bytes, appended: bytes) -> bytes:
    """Return a PDF with the pages of both and the metadata of the first."""
    with pikepdf.open(io.BytesIO(pdf)) as document, pikepdf.open(io.BytesIO(appended)) as behind:
        document.pages.extend(behind.pages)
        share_fonts(document)
        return pdf_bytes(document)


def without_links(pdf: pikepdf.Pdf) -> bytes:
    """Return the PDF without the links that measure text, and with boxes of the whole page."""
    for page in pdf.pages:
        page.trimbox = page.bleedbox = page.mediabox
        _remove(page.obj, "/Annots")
    return pdf_bytes(pdf)


def with_metadata(pdf: bytes, metadata: PdfMetadata) -> bytes:
    """Return the PDF with its metadata; see ``finalize``."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return finalize(document, metadata)


def page_count(pdf: bytes) -> int:
    """Return how many pages a PDF has."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return len(document.pages)


def without_metadata(pdf: bytes) -> bytes:
    """Return a PDF without its metadata, to compare what is printed."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        _remove(document.trailer, "/Info", "/ID")
        _remove(document.Root, "/Metadata")
        return pdf_bytes(document)


def is_our_pdf(content: bytes) -> bool:
    """Whether it is a PDF that ``finalize`` wrote."""
    try:
        with pikepdf.open(io.BytesIO(content)) as document:
            return str(document.docinfo.get("/Creator", "")) == _CREATOR
    except pikepdf.PdfError:
        return False


def finalize(pdf: pikepdf.Pdf, metadata: PdfMetadata) -> bytes:
    """Return a PDF as bytes, with its metadata, merged fonts, and the preference not to be scaled.

    Every PDF that a user gets is finalized here, or consists of finalized ones. The engine's metadata is
    replaced; there are no dates, so that the bytes are deterministic.
    """
    maker = f"opforge {__version__}"
    _remove(pdf.Root, *_ENGINE_KEYS)
    _remove(pdf.trailer, "/Info")
    pdf.docinfo["/Title"] = pikepdf.String(metadata.title)
    if metadata.author:
        pdf.docinfo["/Author"] = pikepdf.String(metadata.author)
    if metadata.version:
        pdf.docinfo["/Subject"] = pikepdf.String(f"Version {metadata.version}")
        pdf.docinfo["/Version"] = pikepdf.String(metadata.version)
    pdf.docinfo["/Creator"] = pikepdf.String(_CREATOR)
    pdf.docinfo["/Producer"] = pikepdf.String(maker)
    if metadata.languages:  # a document has one; XMP has all
        pdf.Root["/Lang"] = pikepdf.String(metadata.languages[0])
    xmp = pdf.make_stream(_xmp(metadata, maker))
    xmp["/Type"], xmp["/Subtype"] = pikepdf.Name("/Metadata"), pikepdf.Name("/XML")
    pdf.Root["/Metadata"] = xmp
    preferences = pikepdf.Dictionary(PrintScaling=pikepdf.Name("/None"))
    preferences["/DisplayDocTitle"] = True
    if metadata.duplex:
        preferences["/Duplex"] = pikepdf.Name(metadata.duplex)
    pdf.Root["/ViewerPreferences"] = preferences
    share_fonts(pdf)
    return pdf_bytes(pdf)


def pdf_bytes(pdf: pikepdf.Pdf) -> bytes:
    """Return the PDF as bytes, deterministic and with object streams."""
    stream = io.BytesIO()
    pdf.save(stream, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return stream.getvalue()
