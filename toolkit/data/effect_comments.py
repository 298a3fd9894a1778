"""Comments that swallow the end of an effect: ``effect: … +1 AP # then …`` loses what follows the sign."""

from __future__ import annotations

import re

from toolkit.data.nodes import Scalar
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.suppressions import MARK


def swallowed_comment(effect: Scalar, card: str | None) -> Diagnostic | None:
    """A finding if a comment follows a plain effect on its line (LANGUAGE.md §2): it may be a part of it.

    A suppression is none.
    """
    text = effect.file.text
    start = effect.end
    while text[start : start + 1] in (" ", "\t"):
        start += 1
    if start == effect.end or text[start : start + 1] != "#" or re.match(MARK, text[start:]):
        return None
    end = start
    while end < len(text) and text[end] not in "\r\n":
        end += 1
    return Diagnostic(
        "swallowed-by-comment",
        "` #` begins a comment here, so this is not read as part of the effect.",
        effect.file.span(start, start + len(text[start:end].rstrip())),
        "Remove the `#` if it is part of the effect. "
        "Put a comment on its own line, or write the effect below a `|`.",
        card=card,
    )
