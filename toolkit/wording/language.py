"""What a language must define to print a plan, and functions that all of them share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from toolkit.dsl import tree
from toolkit.wording import phrases as say
from toolkit.wording.text import is_marker

Keyword = str
"""What a card explains: SUPPRESSED, the keyword of a verb (``vocabulary.Form.keyword``), DAMAGE,
``advances``, ``would become HIT``, ``highest`` (who chooses between equals), or a word of the project as
it is written: ``KEYWORD "steadfast"``, ``MARKER "intel"``."""


def keyword_of(name: str) -> Keyword:
    """A KEYWORD of the project, by its id."""
    return f'KEYWORD "{name}"'


class Reminder(Struct, frozen=True):
    """A keyword to be explained.

    ``threshold`` is the X of RULEVIOLATION X+, ``action`` that of BONUS (ACTION), each None where the card
    has several; ``condition`` is the ruleset's condition of SUPPRESSION, said of an OPERATOR known as "it";
    ``stepwise`` is its way of stacking (N-3), under which CRITICAL doubles what was carried so far.
    """

    keyword: Keyword
    threshold: int | None = None
    action: str | None = None
    condition: say.ConditionPhrase | None = None
    stepwise: bool = False


class Language(Struct, frozen=True):
    """A language of rules text. Names stand in its texts as marks (``text.py``).

    ``sentence`` gives one printed sentence, from its capital to its full stop; ``reminder`` the explanation
    of a keyword in parentheses; ``reference`` the sentences of the rules reference by key.
    """

    code: str
    sentence: Callable[[say.SentencePlan], str]
    reminder: Callable[[Reminder], str]
    reference: Mapping[str, str] = field(default_factory=dict)


def signed(amount: int) -> str:
    """``+2``, or ``−2`` with the printed minus (U+2212)."""
    return f"+{amount}" if amount >= 0 else f"−{-amount}"


def numeral(value: int) -> str:
    """The number in digits, with the printed minus."""
    return str(value) if value >= 0 else f"−{-value}"


def filled(template: str, node: tree.Node, **words: str) -> str:
    """The template of a verb with the fields of its node and the language's own words put in."""
    fields = {name: getattr(node, name) for name in tree.said_by(type(node))}
    texts = {name: value.text if isinstance(value, tree.Word) else value for name, value in fields.items()}
    return template.format(**texts | words)


def listed(parts: Sequence[str], conjunction: str) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {conjunction} {parts[-1]}"


def inside(within: str, word: str) -> str:
    """Return where the parts of a list of conditions stand: in ``and``, in ``or``, or deeper, in ``()``.

    ``within`` is that of the list itself, ``""`` at the beginning of a sentence; ``word`` joins its parts.
    Words say where a list ends down to "either … or …" among conditions joined by "and"; deeper it is ``()``.
    """
    return word if not within or (within, word) == ("and", "or") else "()"


def capital(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]


def tidy(text: str) -> str:
    """The text with its first letter large, and without commas that meet another sign."""
    text = re.sub(r",(?:\s*,)+", ",", text)
    text = re.sub(r",\s*([.;:)])", r"\1", text)
    return capital(text)


# ------------------------------------------------------------------------------------------------ formulas

_SIGNS = {"+": "+", "-": "−", "*": "×"}


def is_short_sum(number: say.NumberPhrase) -> bool:
    """Whether a formula is one plus or minus of two plain things, so that words say it better than signs."""
    plain = (say.Integer, say.Measure, say.RoundNumber)
    return (
        isinstance(number, say.Formula)
        and number.operator != "*"
        and isinstance(number.left, plain)
        and isinstance(number.right, plain)
        and not any(isinstance(side, say.Integer) and side.value < 0 for side in (number.left, number.right))
        and not any(map(_is_of_marker, (number.left, number.right)))
    )


def _is_of_marker(number: say.NumberPhrase) -> bool:
    """Whether it is said by a longer phrase: "the number of Intel on it"."""
    return isinstance(number, say.Measure) and is_marker(number.quantity)


def formula(number: say.NumberPhrase, leaf: Callable[[say.NumberPhrase], str]) -> str:
    """A number with signs, and parentheses wherever one could read it otherwise."""
    match number:
        case say.Formula(operator, left, right):
            tight = operator == "*"
            before = _operand(left, ("+", "-") if tight else (), leaf)
            behind = _operand(right, ("+", "-", "*") if tight else ("+", "-"), leaf)
            return f"{before} {_SIGNS[operator]} {behind}"
        case say.Minus(inner):
            return f"−({formula(inner, leaf)})"
        case _:
            return leaf(number)


def _operand(
    number: say.NumberPhrase, parted: tuple[str, ...], leaf: Callable[[say.NumberPhrase], str]
) -> str:
    text = formula(number, leaf)
    loose = isinstance(number, (say.Count, say.Cards, say.Held, say.CapturedNumber, say.Minus))
    loose = loose or (isinstance(number, say.Integer) and number.value < 0) or _is_of_marker(number)
    if loose or (isinstance(number, say.Formula) and number.operator in parted):
        return f"({text})"
    return text
