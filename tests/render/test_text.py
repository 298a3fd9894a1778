"""The text of a card can be searched: what a reader extracts from the PDF is what is printed.

What else is looked at on all shipped cards is here too: they are printed only once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2
import pytest
from msgspec.structs import replace

from tests.engine.tables import shipped
from tests.render import samples
from tests.thoroughness import THOROUGH, some
from toolkit.data.model import Edges
from toolkit.press.layout import LayoutPlan
from toolkit.press.sheet import PrintRunCache, SheetSettings, render_sheet
from toolkit.products.alignment.alignment_page import AlignPage, align_pdf
from toolkit.project.faces import roots_of
from toolkit.render.face import Face, Kind, RulesText
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.fit import RULES, measures
from toolkit.render.pages import Pages, page_size
from toolkit.render.print_run import PrintRun
from toolkit.render.sizes import CARD_SIZES, PAPERS
from toolkit.resources import cards_folder, templates_folder

pytest.importorskip("plutoprint")

BROKEN = "\ufffe"
"""What this reader makes of a hyphen at the end of a line, and of the end of the line."""

LABELS = re.compile(r"(ap|ep|dp|mp|squad|points|\d)*")
"""What templates print of their own accord."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))


def pages_of(
    cards: Sequence[Face], roots: Roots, card: str = "poker", runs: PrintRunCache | None = None
) -> pypdfium2.PdfDocument:
    """Each card alone on a page."""
    size = CARD_SIZES[card]
    plan = LayoutPlan(
        size,
        page_size(size),
        "landscape" if size.width > size.height else "portrait",
        columns=1,
        rows=1,
        margins=Edges(0, 0, 0, 0),
        marks="none",
    )
    shown = [replace(face, quantity=1) for face in cards]
    pages = pypdfium2.PdfDocument(render_sheet(shown, SheetSettings(plan), roots, cache=runs).pdf)
    assert len(pages) == len(cards)
    return pages


def looked_at(language: str) -> tuple[Face, ...]:
    """The shipped cards; in a quick run every second one, other ones in each language."""
    return samples.shipped_faces(language)[language == "en" :: 1 if THOROUGH else 2]


@cache
def shipped_print(theme: str, language: str, card: str) -> tuple[list[str], PrintRun]:
    """The text of each shipped card, and what was rendered for it: printed once for all that look at it."""
    runs = PrintRunCache()
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPFORGE_CACHE", folder)
        pages = pages_of(looked_at(language), roots_of(shipped(), theme), card, runs)
    (run,) = runs.runs.values()
    run.close()
    return texts_of(pages), run


def texts_of(pages: pypdfium2.PdfDocument) -> list[str]:
    return [page.get_textpage().get_text_range() for page in pages]


def extracted(cards: Sequence[Face], roots: Roots, card: str = "poker") -> list[str]:
    """The text of each card."""
    return texts_of(pages_of(cards, roots, card))


def in_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()


def printed(face: Face) -> Iterator[tuple[str, ...]]:
    """Each text on a card; with and without reminders, for which there may be no room."""
    for text in (face.name, face.kind_label, face.team_name, face.flavour, *face.traits):
        yield (str(text or ""),)
    if face.badge:
        figure = face.badge.text + "*" * face.badge.conditional
        yield from (
            (part, "") for part in (figure, face.badge.unit, face.badge.enemy)
        )  # where a theme has it
    for skill in face.skills:
        yield (skill.name or "",)
        for paragraph in skill.paragraphs:
            runs = (paragraph, [run for run in paragraph if run.kind != "reminder"])
            yield tuple("".join(run.text for run in kept) for kept in runs)


def pattern_of(text: str) -> str:
    """A pattern for a text: every word may be broken, and behind a hyphen that ends a line is no space."""
    letters = f"{BROKEN}?".join(f"[-{BROKEN}]" if one == "-" else re.escape(one) for one in text)
    return letters.replace(f"[-{BROKEN}]{BROKEN}?\\ ", f"(?:- |{BROKEN})")


def remainder(face: Face, text: str) -> str:
    """What is left of a card's text without all that is printed."""
    left = in_one_line(text)
    for texts in sorted(printed(face), key=lambda texts: -len(texts[0])):
        start, end = next(filter(None, (place_of(in_one_line(one), left) for one in texts)), (-1, -1))
        assert start >= 0, f"{face.id}: {texts[0]!r} is not in {text!r}"
        left = f"{left[:start]} {left[end:]}"
    return left


def place_of(words: str, text: str) -> tuple[int, int] | None:
    """Where these words stand; a pattern, which takes longer, is needed only where one of them is broken."""
    start = text.find(words)
    if start >= 0:
        return start, start + len(words)
    found = re.search(pattern_of(words), text)
    return found.span() if found else None


@pytest.mark.parametrize(
    ("theme", "language"), some([*product(["classic", "tournament"], ["en", "de"])], 0, 3)
)
def test_every_shipped_card_can_be_searched(theme: str, language: str) -> None:
    cards = looked_at(language)
    texts, _ = shipped_print(theme, language, "poker")
    for face, text in zip(cards, texts, strict=True):
        left = remainder(face, text)
        assert all(LABELS.fullmatch(word) for word in left.split()), f"{face.id}: {left} in {text!r}"
        numbers = re.findall(r"\d+", text)
        for value in (*(stat.value for stat in face.stats), face.squadpoints, face.value):
            assert value is None or str(value) in numbers, f"{face.id}: {value} in {text!r}"


@pytest.mark.parametrize(
    ("theme", "lang", "card"),
    some([*product(["classic", "tournament"], ["en", "de"], ["poker", "mini"])], 0, 6),
)
def test_rules_text_of_the_shipped_set_has_sizes_in_steps_of_half_a_point(
    theme: str, lang: str, card: str
) -> None:
    _, run = shipped_print(theme, lang, card)
    pages = [run.pages[number].load() for number in run.fronts.values()]
    sizes = {one.size for one in measures(pages) if one.region == RULES}
    assert len(sizes) > 1
    assert {2 * size % 1 for size in sizes} == {0}


@pytest.mark.parametrize("lang", some(["en", "de"], 1))
def test_every_card_of_the_tournament_theme_has_its_picture_and_operators_keep_their_heads(lang: str) -> None:
    pages = Pages(CARD_SIZES["poker"], Fetcher(Roots(cards_folder(), theme="tournament")))
    _, run = shipped_print("tournament", lang, "poker")
    for number, (face, sizes) in enumerate(run.sizes.items()):
        page = str(pages.card(face, number, dict(sizes)))
        window = re.search(r'class="place window"[^>]* width:([\d.]+)rem; height:([\d.]+)rem', page)
        upper = re.search(r'class="art"[^>]*object-position:[\d.]+% ([\d.]+)%', page)
        assert window, face.id
        assert upper, face.id
        width, height = map(float, window.groups())
        assert height > 0.25 * width, face.id
        if face.kind == "operator" and face.focus is None:  # else the set says what stays in sight
            hidden = 1 - height / (width / 1.5)  # the pictures of the set are 3 : 2
            assert hidden * float(upper[1]) / 100 < 0.1, face.id


@pytest.mark.parametrize("style", ["", "* { font-variant-ligatures: normal }"])
def test_ligatures_are_off_unless_a_style_sheet_asks_for_them(tmp_path: Path, style: str) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "fit.css").write_text(style, encoding="utf-8")
    page = (Roots(tmp_path).templates / "page.html.jinja").read_text(encoding="utf-8")
    linked = page.replace("</head>", '<link rel="stylesheet" href="fit.css"></head>')
    (tmp_path / "templates" / "page.html.jinja").write_text(linked, encoding="utf-8")
    (text,) = extracted([samples.operator("Office")], Roots(tmp_path))
    assert ("office" in in_one_line(text)) == (not style)


@pytest.mark.parametrize("card", ["poker", "mini"])
@pytest.mark.parametrize(
    ("flavour", "ends"),
    [
        ("{} of a kind", ["a kind"]),
        ("{} an incomprehensibility incomprehensible", ["incomprehensible"]),
        ("{} so\n{} well\n", ["so", "well"]),
    ],
)
def test_no_word_of_a_flavour_stands_alone(tmp_path: Path, flavour: str, ends: list[str], card: str) -> None:
    # With some number of words each line is just full, so that one word would be left for the next.
    texts = [flavour.replace("{}", "word " * number) for number in range(2, 16)]
    faces = [samples.operator(skills=(), flavour=text) for text in texts]
    for text in extracted(faces, Roots(tmp_path), card):
        lines = [line.strip() for line in text.splitlines()]
        for end in ends:
            assert any(line.endswith(end) for line in lines), text
            assert " " not in end or end.split()[-1] not in lines, text


def test_a_new_line_in_a_flavour_is_one_on_the_card(tmp_path: Path) -> None:
    face = samples.operator(flavour="One.\n  Two.\n")
    (text,) = extracted([face], Roots(tmp_path))
    assert text.endswith("One.\r\nTwo.")


@pytest.mark.parametrize("kind", ["attack", "defence", "effect", "strategy", "item"])
def test_no_text_runs_into_a_corner_of_its_panel(tmp_path: Path, kind: Kind) -> None:
    skills = (RulesText(None, (samples.words("it is so " * 12),) * 3),)
    card = samples.deck_card(kind, "Corner", skills=skills, flavour="so it is as it is " * 9)
    (page,) = pages_of([card], Roots(tmp_path))
    image, scale, height = page.render(scale=6).to_pil().convert("L"), 6, page.get_height()
    text = page.get_textpage()
    boxes = [text.get_charbox(number) for number in range(text.count_chars())]
    lowest = min(bottom for _, bottom, _, _ in boxes)
    widest = max(right for left, bottom, right, _ in boxes if bottom < lowest + 30 and right > left)
    seen = image.getpixel((round((widest + 2.5) * scale), round((height - lowest + 0.5) * scale)))
    assert seen > 230, "the colour of the frame is 0.9 mm beside the end of a last line that is full"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_alignment_page_can_be_searched(lang: str, tmp_path: Path) -> None:
    made = align_pdf(AlignPage(PAPERS["a4"], lang=lang), Roots(tmp_path))
    assert isinstance(made, bytes)
    text = pypdfium2.PdfDocument(made)[0].get_textpage().get_text_range()
    assert all(f"\n{number}. " in text for number in range(1, 5)), text


def test_no_letters_are_so_far_apart_that_readers_take_the_gaps_for_spaces() -> None:
    wide = [
        f"{sheet.name}: {found[0]}"
        for sheet in sorted(templates_folder().rglob("*.css"))
        for found in re.finditer(r"letter-spacing: *([\d.]+)em", sheet.read_text(encoding="utf-8"))
        if float(found[1]) > 0.08
    ]
    assert wide == []
