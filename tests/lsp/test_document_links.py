"""Links: to pictures and templates of the project that are there, and to the pages of findings."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from lsprotocol import types

from tests.lsp.in_process import Asked

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'


@pytest.fixture
def with_pictures(project: Path) -> Path:
    for name in (
        "art/snake 🐍.svg",
        "art/é.svg",
        "templates/themes/own/card.css",
        "templates/icons/mine/ap.svg",
    ):
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PICTURE, encoding="utf-8")
    return project


def links(asked: Asked, uri: str) -> dict[str, str]:
    """The end of each target by the text that leads to it."""
    text = asked.server.state.documents.by_uri[uri].text.split("\n")
    answer = asked.about_file(types.TEXT_DOCUMENT_DOCUMENT_LINK, uri)
    assert all(link.range.start.line == link.range.end.line for link in answer)
    spans = [(link.range.start, link.range.end, link) for link in answer]
    # the texts before a link here have no character that is two units
    words = [text[start.line][start.character : end.character] for start, end, _ in spans]
    return {
        word: unquote(link.target).removesuffix("/").rpartition("/")[2]
        for word, (_, _, link) in zip(words, spans, strict=True)
    }


def test_pictures_that_are_there(with_pictures: Path) -> None:
    asked = Asked(with_pictures)
    uri = asked.open(
        with_pictures / "more.yaml", "cards:\n  - {id: a, art: art/é.svg}\n  - {id: b, art: art/no.svg}\n"
    )
    assert links(asked, uri) == {"art/é.svg": "é.svg"}
    asked.write(uri, "cards:\n  - {id: a, art: art/e\u0301.svg}\n")
    assert links(asked, uri) == {"art/e\u0301.svg": "é.svg"}, "as some systems write it"
    asked.write(
        uri,
        'cards:\n  - id: a\n    art: {file: "art/snake 🐍.svg"}\n    back: ../secret.svg\n    artist: /etc\n',
    )
    (link,) = asked.about_file(types.TEXT_DOCUMENT_DOCUMENT_LINK, uri)
    assert link.tooltip == "Open art/snake 🐍.svg"
    assert link.range == types.Range(types.Position(2, 16), types.Position(2, 34)), "an emoji is two units"
    assert Path(unquote(urlsplit(link.target).path)).read_text(encoding="utf-8") == PICTURE
    (with_pictures / "art/snake 🐍.svg").unlink()
    assert links(asked, uri) == {}, "it was deleted, and nobody has said so yet"


def test_a_picture_that_is_a_link_out_of_the_project(with_pictures: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.svg"
    outside.write_text(PICTURE, encoding="utf-8")
    (with_pictures / "art/out.svg").symlink_to(outside)
    asked = Asked(with_pictures)
    assert (
        links(asked, asked.open(with_pictures / "more.yaml", "cards:\n  - {id: a, art: art/out.svg}\n")) == {}
    )


def test_templates_and_icons_of_the_project(with_pictures: Path) -> None:
    asked = Asked(with_pictures)
    text = (with_pictures / "opforge.yaml").read_text(encoding="utf-8")
    uri = asked.open(with_pictures / "opforge.yaml", f"{text}theme: own\nlook: {{icons: mine}}\n")
    assert links(asked, uri) == {"own": "card.css", "mine": "ap.svg"}
    asked.write(uri, f"{text}theme: classic\nlook: {{icons: line}}\n")
    assert links(asked, uri) == {}


def test_names_of_findings(with_pictures: Path) -> None:
    asked = Asked(with_pictures)
    text = (with_pictures / "opforge.yaml").read_text(encoding="utf-8")
    uri = asked.open(with_pictures / "opforge.yaml", f"{text}checks:\n  ignore: [unused-team, style]\n")
    assert links(asked, uri) == {"unused-team": "unused-team.md"}
    comment = "# opforge: ignore-file[adds-nothing, no-such-finding] say why\ncards: []\n"
    uri = asked.open(with_pictures / "more.yaml", comment)
    assert links(asked, uri) == {"adds-nothing": "adds-nothing.md"}
    (link,) = asked.about_file(types.TEXT_DOCUMENT_DOCUMENT_LINK, uri)
    page = Path(unquote(urlsplit(link.target).path)).read_text(encoding="utf-8")
    assert "severity: error" in page


def test_a_finding_leads_to_its_page(project: Path) -> None:
    asked = Asked(project)
    uri = asked.open(project / "cards.yaml", "cards:\n  - id: a\n    kindd: attack\n")
    (message,) = [message for message in asked.server.state.diagnostics() if message.uri == uri]
    for finding in message.diagnostics:
        assert finding.code_description is not None
        assert finding.code_description.href.endswith(f"/findings/{finding.code}.md")
        assert Path(unquote(urlsplit(finding.code_description.href).path)).is_file()


def test_the_page_of_a_finding_under_the_cursor(project: Path) -> None:
    asked = Asked(project)
    uri = asked.open(project / "more.yaml", "# opforge: ignore-file[adds-nothing] say why\ncards: []\n")
    hovered = asked.at(types.TEXT_DOCUMENT_HOVER, uri, 0, 25)
    assert "+0" in hovered.contents.value
    assert hovered.range == types.Range(types.Position(0, 23), types.Position(0, 35))
    assert asked.at(types.TEXT_DOCUMENT_HOVER, uri, 0, 40) is None
    text = (project / "opforge.yaml").read_text(encoding="utf-8")
    uri = asked.open(project / "opforge.yaml", f"{text}checks:\n  severity: {{adds-nothing: warning}}\n")
    line = text.count("\n") + 1
    assert "+0" in asked.at(types.TEXT_DOCUMENT_HOVER, uri, line, 15).contents.value
