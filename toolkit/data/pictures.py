"""Pictures that cards name: inside the project folder, there, and pictures at all."""

from __future__ import annotations

import os
import re

from toolkit.data.model import CardSet
from toolkit.data.quoting import shown
from toolkit.diagnostics import Diagnostic, correction
from toolkit.source import ScalarText
from toolkit.vocabulary.nearest import is_clear, nearest

_ADDRESS = r"[A-Za-z][A-Za-z0-9+.-]+:"
_ENDINGS = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif")
_LISTED = f"{', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}"


def is_picture(path: str) -> bool:
    """Whether a file is a picture by its ending."""
    return path.endswith(_ENDINGS) or path.lower().endswith(_ENDINGS)


def picture_finding(
    card_set: CardSet, picture: ScalarText, card: str | None, *, proposing: bool
) -> Diagnostic | None:
    """What is wrong with a picture that is not among the pictures of the project as it is written.

    ``proposing`` asks for the nearest picture that is there.
    """
    path = picture.value
    if _leads_out(card_set, path):
        return Diagnostic(
            "art-outside-project",
            f"The picture `{shown(path)}` is not inside the project folder.",
            picture.span,
            "Copy it into the project and write its path from there, such as art/viper.svg.",
            card=card,
        )
    normal = os.path.normpath(path).replace(os.sep, "/")
    if normal in card_set.pictures and is_picture(normal):
        return None
    there = sorted(name for name in card_set.pictures if is_picture(name)) if proposing else []
    meant = nearest(normal, there)
    if not is_picture(path):
        return Diagnostic(
            "not-a-picture",
            f"The file `{shown(path)}` is not a picture: its name would end in {_LISTED}.",
            picture.span,
            f"Did you mean `{meant}`?" if meant else "Write the path of a picture, such as art/viper.svg.",
            card=card,
            fix=correction(picture.span, meant, safe=is_clear(normal, meant, there)),
        )
    return Diagnostic(
        "missing-picture",
        f"There is no picture `{shown(path)}`; a placeholder is printed.",
        picture.span,
        f"Did you mean `{meant}`?" if meant else "Add the file, or remove the key.",
        card=card,
        fix=correction(picture.span, meant, safe=is_clear(normal, meant, there)),
    )


def _leads_out(card_set: CardSet, path: str) -> bool:
    """Whether a path is an address of the network, or leads out of the project by itself or by a link."""
    if re.match(_ADDRESS, path) or path.startswith(("/", "\\", "~")) or "\0" in path:
        return True
    root = os.path.realpath(card_set.project.root)
    return os.path.commonpath([root, os.path.realpath(os.path.join(root, path))]) != root
