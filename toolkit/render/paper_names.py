"""How sizes and papers are called in messages."""

from __future__ import annotations

from toolkit.render.sizes import CARD_SIZES, PAPERS, Size

_SPOKEN = {"a4": "A4", "a3": "A3", "letter": "Letter", "tabloid": "Tabloid"}


def paper_name(paper: Size) -> str:
    """A4 landscape, or the measures of a paper that has no name."""
    for name, size in PAPERS.items():
        if paper == size:
            return f"{_SPOKEN[name]} portrait"
        if paper == size.turned:
            return f"{_SPOKEN[name]} landscape"
    return f"paper of {measures(paper)}"


def card_name(card: Size) -> str:
    """The name of a size of cards, else its measures as they are written."""
    names = [name for name, size in CARD_SIZES.items() if size == card]
    return names[0] if names else f"{card.width:g}x{card.height:g}mm"


def measures(size: Size) -> str:
    """63 × 88 mm."""
    return f"{size.width:g} × {size.height:g} mm"
