"""Findings about pictures and fonts that a project refers to: missing, outside of the folder, unprintable."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from toolkit.data.art.drawing_features import Use
from toolkit.data.art.drawing_rewriting import NAMESPACE
from toolkit.data.art.drawings import read_drawing_file
from toolkit.data.art.picture_files import LONGEST_SIDE, read_picture
from toolkit.data.model import CardSet
from toolkit.data.project_files import FONT_ENDINGS, PICTURE_ENDINGS, is_picture
from toolkit.diagnostics import Diagnostic, suggestion
from toolkit.diagnostics.phrases import alternatives, listed_in_text, shown
from toolkit.source import ScalarText
from toolkit.source.paths import inside, named_alike
from toolkit.vocabulary.nearest import nearest

_ADDRESS = r"[A-Za-z][A-Za-z0-9+.-]+:"


def picture_finding(
    card_set: CardSet, picture: ScalarText, card: str | None, *, proposing: bool
) -> Diagnostic | None:
    """Return what is wrong with a picture, as far as it shows without rendering it.

    With ``proposing`` the finding names the picture with the nearest path.
    """
    path = picture.value
    if path in card_set.pictures and is_picture(path):
        return _content_finding(card_set, picture, card)
    if _leads_out(card_set, path):
        return Diagnostic(
            "art-outside-project",
            f"The picture `{shown(path)}` is not inside the project folder.",
            picture.span,
            "Copy it into the project and give its path from there, such as art/viper.svg.",
            card=card,
        )
    normal = os.path.normpath(path).replace(os.sep, "/")
    if normal in card_set.pictures and is_picture(normal):
        return None
    if _is_locked(card_set.project.root / path):
        return None  # that its folder cannot be opened is reported once, elsewhere
    pictures = sorted(name for name in card_set.pictures if is_picture(name)) if proposing else []
    return _missing_picture(picture, normal, pictures, card)


def _missing_picture(
    picture: ScalarText, normal_path: str, pictures: list[str], card: str | None
) -> Diagnostic:
    """Return the finding about a picture that is not there, with the one of ``pictures`` that is meant."""
    path = picture.value
    other_case = next((name for name in pictures if name.casefold() == normal_path.casefold()), None)
    meant = other_case or nearest(normal_path, pictures)
    name, step = "missing-picture", "Add the file, or remove the key."
    message = f"There is no picture `{shown(path)}`; a placeholder is printed."
    if other_case:
        message = f"There is no picture `{shown(path)}`, but `{shown(other_case)}`: capitals matter."
    elif not is_picture(path):
        name, step = "not-a-picture", "Write the path of a picture, such as art/viper.svg."
        endings = alternatives(PICTURE_ENDINGS)
        message = f"The file `{shown(path)}` is not a picture: its name would end in {endings}."
    step = f"Did you mean `{meant}`?" if meant else step
    fix = suggestion(picture.span, normal_path, meant, pictures)
    return Diagnostic(name, message, picture.span, step, card=card, fix=fix)


def font_finding(card_set: CardSet, font: ScalarText) -> Diagnostic | None:
    """Return the finding about a font that is not in the project; damaged ones are found when printing."""
    path = os.path.normpath(font.value).replace(os.sep, "/")
    if path in card_set.pictures:
        return None
    fonts = sorted(name for name in card_set.pictures if name.lower().endswith(FONT_ENDINGS))
    other_case = next((name for name in fonts if name.casefold() == path.casefold()), None)
    message, meant = f"There is no font `{shown(font.value)}`.", other_case or nearest(path, fonts)
    if _leads_out(card_set, font.value):
        message, meant = f"The font `{shown(font.value)}` is not inside the project folder.", None
    step = f"Did you mean `{meant}`?" if meant else "Copy the file into the project, such as fonts/Own.ttf."
    fix = suggestion(font.span, path, meant, fonts)
    return Diagnostic("unusable-font", message, font.span, step, fix=fix)


def _leads_out(card_set: CardSet, path: str) -> bool:
    """Whether a path is a URL, or leads out of the project by itself or by a link."""
    if re.match(_ADDRESS, path) or path.startswith(("/", "\\", "~")) or "\0" in path:
        return True
    return inside(card_set.project.root / path, card_set.project.root) is None


def _is_locked(path: Path) -> bool:
    """Whether the nearest existing folder above a path cannot be listed."""
    folder = next((folder_above for folder_above in path.parents if os.path.lexists(folder_above)), None)
    return folder is not None and not os.access(folder, os.R_OK | os.X_OK)


def _content_finding(card_set: CardSet, picture: ScalarText, card: str | None) -> Diagnostic | None:
    """Return what is wrong with an existing picture."""
    path = os.fspath(named_alike(card_set.project.root / picture.value))
    try:
        is_drawing = path.lower().endswith(".svg")
        problem = _drawing(path, card_set) if is_drawing else _raster(Path(path))
    except OSError as error:
        problem = ("unreadable-picture", f"cannot be read: {error.strerror}", "Check its permissions.")
    if problem is None:
        return None
    name, problem_text, step = problem
    return Diagnostic(
        name, f"The picture `{shown(picture.value)}` {problem_text}.", picture.span, step, card=card
    )


def can_be_printed(path: Path) -> bool:
    """Whether a file is a printable picture, as far as it shows without rendering it."""
    try:
        if path.suffix.lower() == ".svg":
            drawing = read_drawing_file(path)
            return drawing is not None and drawing.excess is None and not drawing.unnamed
        picture = read_picture(path)
    except (OSError, ValueError):
        return False
    return picture is not None and picture.whole and not picture.too_large


_Problem = tuple[str, str, str]
"""A finding's name, what is wrong with the picture, and the next step."""

_SAVE_AGAIN = "Open it in a picture editor and save it again as PNG, JPEG or SVG."


def _unreadable(why: str, step: str = _SAVE_AGAIN) -> _Problem:
    return "unreadable-picture", f"cannot be printed: {why}", step


def _raster(path: Path) -> _Problem | None:
    """Return what is wrong with a picture of pixels."""
    picture = read_picture(path)
    if picture is None:
        if path.stat().st_size == 0:
            return _unreadable("the file is empty", "Save the picture again, or remove the key.")
        with path.open("rb") as file:
            if b"<svg" in file.read(4096):
                return _unreadable("it is an SVG drawing", "Rename it so that it ends in .svg.")
        return _unreadable("the file is not a picture")
    if picture.too_large and picture.size is not None:
        limit = f"{picture.max_pixels // 1_000_000} million"
        width, height = picture.size
        return (
            "picture-too-large",
            f"has {width} × {height} pixels; at most {limit} pixels and {LONGEST_SIDE} a side",
            "Make it smaller: a printed card has at most 950 × 1300 pixels.",
        )
    if not picture.whole:
        return _unreadable("it is truncated")
    if picture.animated:
        problem_text = f"is a {picture.format} that is animated; its first frame is printed"
        return "animated-picture", problem_text, "Save the frame you want as PNG or JPEG."
    return None


def _drawing(path: str, card_set: CardSet) -> _Problem | None:
    """Return the first thing that is wrong with a drawing."""
    drawing = read_drawing_file(path)
    if drawing is None:
        if os.stat(path).st_size == 0:
            return _unreadable("the file is empty", "Save the drawing again, or remove the key.")
        if read_picture(Path(path)) is not None:
            return _unreadable("it is not an SVG drawing", "Rename it with the extension of its format.")
        return _unreadable("it is not a complete SVG drawing, or it is too large or has entities")
    if drawing.unnamed:
        return _unreadable("its `svg` element has no namespace", f'Add `xmlns="{NAMESPACE}"` to it.')
    if drawing.excess is not None:
        return "picture-too-large", drawing.excess, "Draw it with less, or save it as PNG."
    for link in drawing.links:
        link_problem = _problem_of_link(link, path, card_set)
        if link_problem is not None:
            return link_problem
    if drawing.ignored:
        return _ignored(drawing.ignored)
    if drawing.scripted:
        problem_text = "has a script, which is not run in print"
        return "scripted-picture", problem_text, "Save it without scripts."
    return None


_MOST_NAMED = 3
"""The number of features that a message names."""


def _ignored(uses: Sequence[Use]) -> _Problem:
    """Return the finding for features of a drawing that are not printed."""
    names = [f"{use.feature.name} (line {use.line})" for use in uses[:_MOST_NAMED]]
    if len(uses) > _MOST_NAMED:
        names.append(f"{len(uses) - _MOST_NAMED} more")
    verb = "is" if len(uses) == 1 else "are"
    problem_text = f"uses {listed_in_text(names, 'and')}, which {verb} not printed"
    return "ignored-svg", problem_text, uses[0].feature.step


def _problem_of_link(link: str, path: str, card_set: CardSet) -> _Problem | None:
    """Return what is wrong with a file that a drawing refers to."""
    step = "Embed it in the drawing itself."
    target = os.path.join(os.path.dirname(os.path.realpath(path)), link.partition("#")[0])
    if re.match(_ADDRESS, link) and not link.lower().startswith("file:"):
        problem_text = f"uses `{shown(link)}`; nothing is loaded from the network"
        return "refused-resource", problem_text, step
    if re.match(_ADDRESS, link) or inside(target, card_set.project.root) is None:
        problem_text = f"uses `{shown(link)}`, which is outside the project and is not loaded"
        return "refused-resource", problem_text, step
    if not os.path.exists(target):
        return "missing-resource", f"uses `{shown(link)}`, which does not exist", step
    return None
