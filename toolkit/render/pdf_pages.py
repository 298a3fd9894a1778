"""Pages of a finished PDF put in another order, or put behind those of another one."""

from __future__ import annotations

import io

import pikepdf

from toolkit.render.fonts import share_fonts


def backs_first(pdf: bytes) -> bytes:
    """The same pages in pairs the other way round: back, front, back, front."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        pages = list(document.pages)
        for first in range(0, len(pages) - 1, 2):
            document.pages[first], document.pages[first + 1] = pages[first + 1], pages[first]
        return _saved(document)


def with_more_pages(pdf: bytes, more: bytes) -> bytes:
    """The pages of the one, behind them those of the other; title and settings are the first one's."""
    with pikepdf.open(io.BytesIO(pdf)) as document, pikepdf.open(io.BytesIO(more)) as behind:
        document.pages.extend(behind.pages)
        share_fonts(document)
        return _saved(document)


def without_links(pdf: pikepdf.Pdf) -> bytes:
    """The pages without the links by which it is told what fits; they are cut at their own edges."""
    for page in pdf.pages:
        page.trimbox = page.bleedbox = page.mediabox
        if "/Annots" in page.obj:
            del page.obj["/Annots"]
    return _saved(pdf)


def described(pdf: bytes, title: str, author: str) -> bytes:
    """The same with a title and an author, and the wish not to be scaled."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        document.docinfo["/Title"] = pikepdf.String(title)
        if author:
            document.docinfo["/Author"] = pikepdf.String(author)
        document.docinfo["/Creator"] = pikepdf.String("opforge")
        document.Root["/ViewerPreferences"] = pikepdf.Dictionary(
            PrintScaling=pikepdf.Name("/None"), DisplayDocTitle=True
        )
        return _saved(document)


def _saved(pdf: pikepdf.Pdf) -> bytes:
    stream = io.BytesIO()
    pdf.save(stream, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return stream.getvalue()
