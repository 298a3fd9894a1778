"""The file that is written, and the names in a wish that can be wrong before anything is printed."""

from __future__ import annotations

from pathlib import Path

from toolkit.diagnostics.report import Report
from toolkit.project.sheets.request import Refusal, SheetOutcome
from toolkit.render.sizes import LONGEST, PAPERS, size_of
from toolkit.source.writing import refused_link, unwritable, write_atomically
from toolkit.vocabulary.nearest import nearest


def unknown_paper(name: str | None) -> str | None:
    """A sentence if there is no such paper."""
    if name is None or size_of(name, PAPERS) is not None:
        return None
    near = nearest(name, PAPERS)
    hint = f" Did you mean {near!r}?" if near else ""
    known = ", ".join(PAPERS)
    own = f"or write a size: 210x297mm, each side below {LONGEST:g} mm"
    return f"There is no paper {name!r}.{hint} Known: {known}; {own}."


def refused_output(output: Path) -> str | None:
    """A sentence if a PDF must not or cannot be written there: nothing but a PDF is ever replaced."""
    if output.suffix.lower() != ".pdf":
        return f"{output} must end in .pdf."
    if not output.parent.is_dir():
        return f"There is no folder {output.parent}."
    refused = refused_link(output)
    if refused:
        return refused
    if output.exists() and not output.is_file():
        return f"{output} is not a file."
    if output.exists() and not _may_replace(output):
        return f"{output} exists and is not a PDF; it was not changed."
    return None


def _may_replace(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(5) in (b"", b"%PDF-")


def written(output: Path, pdf: bytes, sentence: str, report: Report) -> SheetOutcome | Refusal:
    """Write the PDF, whole or not at all; the sentence tells what is in it."""
    try:
        write_atomically(output, pdf)
    except OSError as error:
        return Refusal(unwritable(output, error), broken=True)
    return SheetOutcome(f"{output}: {sentence}.", report)
