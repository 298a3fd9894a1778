"""Comments that swallow the end of an effect: ``effect: … +1 AP # then …`` loses what follows the sign."""

from __future__ import annotations

import re

from toolkit.data.nodes import Scalar
from toolkit.diagnostics import Diagnostic
from toolkit.vocabulary import ACTIONS, COUNTERS, FACTS, STATS, STATUSES, VERBS

_COMMENT = re.compile(r"[ \t]+(#[ \t]*([^\r\n]*[^\s]))")
_NOUNS = (*STATS, *COUNTERS, *FACTS, *STATUSES, *ACTIONS, "OPERATOR", "TURN", "FIELD", "D6")
_BEGINS = ("when", "if", "then", "and", "or", "either", "self", "target", "all", "one", "owner", "opponent")
_VERBS = sorted({form.split()[0] for verb in VERBS for form in (verb.one, verb.many)} - {"may", "make"})
_LIKE_A_SENTENCE = re.compile(
    rf"(?:(?:, *)?(?:{'|'.join((*_BEGINS, 'attacker', 'attacked'))})\b"
    rf"|.*\b(?:{'|'.join(_VERBS)})\b.*\b(?:{'|'.join(_NOUNS)})"
    r"|[+-]?\d+ (?:" + "|".join(STATS) + r")\b)"
)


def swallowed_comment(effect: Scalar, card: str | None) -> Diagnostic | None:
    """A finding if a comment directly behind a plain effect reads like a part of it, or cuts off its end."""
    found = _COMMENT.match(effect.file.text, effect.end)
    if found is None:
        return None
    if effect.text.endswith(".") and not _LIKE_A_SENTENCE.match(found[2].lstrip("# \t")):
        return None
    return Diagnostic(
        "swallowed-by-comment",
        "` #` begins a comment here, so this part of the effect is not read.",
        effect.file.span(found.start(1), found.end(1)),
        "Remove the `#`, or put a remark into a line of its own above the key.",
        card=card,
    )
