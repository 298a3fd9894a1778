"""Fast tests for texts that only look right: invisible characters, and comments of other languages.

They are rarely true; what is then found is the business of ``data.mistakes.pasted_text``.
"""

from __future__ import annotations

import re

SPACES = {
    "\u00a0": "no-break space",
    "\u2002": "en space",
    "\u2003": "em space",
    "\u2007": "figure space",
    "\u2009": "thin space",
    "\u200b": "zero-width space",
    "\u202f": "narrow no-break space",
    "\u3000": "ideographic space",
}
"""What looks like a space, with its name."""

INVISIBLE = "[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\U000e0000-\U000e0fff]"
"""Compiled on use, like the patterns below: together they take 5 ms, and few files need them."""

_FOREIGN = r"(?m)^(?: *(?://|/\*|--[ \t]|<!--)|```|~~~)"


def may_hide_spaces(text: str) -> bool:
    """Whether a text contains a deceptive or invisible character: a fast test, rarely true."""
    return not text.isascii() and (any(map(text.__contains__, SPACES)) or bool(re.search(INVISIBLE, text)))


def may_be_foreign(text: str) -> bool:
    """Whether a line may begin with a comment or fence of another language."""
    return re.search(_FOREIGN, text) is not None
