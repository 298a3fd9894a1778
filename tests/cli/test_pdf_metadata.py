"""Title, author, language and maker of every PDF that a command writes."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pikepdf
import pytest

from toolkit import __version__
from toolkit.apps.cli import run

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project")

_LISTED = "{http://purl.org/dc/elements/1.1/}%s//{http://www.w3.org/1999/02/22-rdf-syntax-ns#}li"

COMMANDS = (
    ("sheet small --card viper", "Small 1.2.0"),
    ("reference small --card viper", "Regelübersicht: Small 1.2.0"),
    ("reference small --cards --card viper", "Regelübersicht: Small 1.2.0"),
    ("cards small --service drivethrucards --card viper", "Small 1.2.0"),
    ("counters small --only bonus", "Marken: Small 1.2.0"),
    ("tuckbox small --card viper", "Small 1.2.0"),
    ("contact small --card viper", "Small 1.2.0"),
    ("align", "Ausrichtungsseite"),
)


@pytest.mark.parametrize(("command", "title"), COMMANDS)
def test_every_pdf_says_what_it_is_and_who_made_it(command: str, title: str) -> None:
    settings = Path("small", "opforge.yaml")
    settings.write_text(settings.read_text("utf-8") + 'author: "Jo <Müller> & Co"\n', encoding="utf-8")
    author = "" if command == "align" else "Jo <Müller> & Co"
    assert run([*command.split(), "--lang", "de", "-o", "made.pdf"]) == 0
    with pikepdf.open("made.pdf") as pdf:
        information = {key: str(value) for key, value in pdf.docinfo.items()}
        metadata = ElementTree.fromstring(pdf.Root.Metadata.read_bytes())
        assert str(pdf.Root.Lang) == "de"
        assert "/StructTreeRoot" not in pdf.Root
    assert information["/Title"] == title
    assert information.get("/Author", "") == author
    assert (information["/Creator"], information["/Producer"]) == ("opforge", f"opforge {__version__}")
    dates = {information[name] for name in ("/CreationDate", "/ModDate") if name in information}
    assert dates <= {"D:20000101000000Z"}  # the same bytes at any time
    listed = {name: metadata.findtext(f".//{_LISTED % name}") for name in ("title", "creator", "language")}
    assert listed == {"title": title, "creator": author or None, "language": "de"}
    assert metadata.findtext(".//{http://ns.adobe.com/pdf/1.3/}Producer") == f"opforge {__version__}"
    assert b"PlutoPrint" not in Path("made.pdf").read_bytes()
