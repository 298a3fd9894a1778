"""What a language must define to print a plan, and functions that all of them share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct

from toolkit.data.nodes import Mapping as Table
from toolkit.data.tree import parse_tree
from toolkit.dsl import tree
from toolkit.source import SourceFile
from toolkit.vocabulary import STATS
from toolkit.wording import phrases as say
from toolkit.wording.text import is_marker, mark

Case = Literal["nom", "gen", "dat", "acc"]
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
    of a keyword in parentheses.
    """

    code: str
    sentence: Callable[[say.SentencePlan], str]
    reminder: Callable[[Reminder], str]

    @property
    def reference(self) -> Mapping[str, str]:
        """All else that is printed, by key: the sentences of the rules reference, words of other sheets."""
        return _texts(self.code)


@cache
def _texts(code: str) -> dict[str, str]:
    file = Path(__file__).parent / code / "reference.yaml"
    root = parse_tree(SourceFile(file, file.name, file.read_text(encoding="utf-8"))).root
    assert isinstance(root, Table), "a table of texts"
    texts = {key: str(text) for key, text in root.value.items()}
    for stat in STATS.values():
        texts.setdefault(f"icon-{stat.key}", stat.name)  # the same in every language
        if code == "en":
            texts.setdefault(f"icon-{stat.key}-text", stat.title.lower())
    return texts


class SentenceWords(Struct, frozen=True):
    """The phrases from which a language makes its sentences, and what says their parts.

    ``triggers``: by name, or by name and variant: ``here`` on an OBJECTIVE, ``MARKER`` of one, or
    what it is about. In them ``{who}`` (``{gen}``, ``{acc}`` in other cases) is the OPERATOR, ``{of}`` what
    belongs to it, ``{what}`` as in ``TriggerPhrase``, ``{attack}`` one of ``attacks``. ``openings``: by
    ``SentencePlan.opening``, or by the name of a trigger that has its own. ``branches``: what a branch asks
    for, done and not done; ``cannot`` in place of the latter behind an order, which is not done only where
    it cannot be; ``rolls`` for a roll that is all it asks for (``else``: of others than the reader). In
    ``limited`` and ``choose``, ``{Rest}`` is ``{rest}`` with its first letter large. ``words`` are "and" and
    "or". ``act`` is given whether it stands behind what takes the first place, ``condition`` in which list it
    stands, ``of_some`` the quantity.
    """

    triggers: Mapping[str, str]
    attacks: Mapping[say.AttackBy, str]
    openings: Mapping[str, str]
    turns: Mapping[tree.Side, str]
    limited: str
    joints: Mapping[str, str]
    branches: Mapping[say.Asked, tuple[str, str]]
    cannot: Mapping[say.Asked, str]
    rolls: Mapping[str, str]
    otherwise: str
    choose: str
    either: str
    words: tuple[str, str]
    reminders: Mapping[Keyword, str]
    bonus_kinds: Mapping[str | None, str]
    doubled: tuple[str, str]
    suppression: str
    act: Callable[[say.ActPhrase, bool], str]
    condition: Callable[[say.ConditionPhrase, str], str]
    all_of: Callable[[list[str]], str]
    some: Callable[[say.Mention | say.GroupPhrase, Case], str]
    of_some: Callable[[say.Mention | say.GroupPhrase, str], str]

    def sentence(self, plan: say.SentencePlan) -> str:
        """One sentence from its capital to its full stop."""
        text = f"{self._opening(plan)}{self._clauses(plan)}."
        return tidy(_put(self.limited, text, limit=plan.limit) if plan.limit else text)

    def reminder(self, said: Reminder) -> str:
        """The explanation of a keyword in parentheses; KeyError if there is none."""
        text = self.reminders[said.keyword].format(
            when=self.condition(said.condition, "") if said.condition else self.suppression,
            x="X" if said.threshold is None else said.threshold,
            action=said.action or "ACTION",
            kind=self.bonus_kinds.get(said.action, f"{said.action} ACTION"),
            doubled=self.doubled[said.stepwise],
        )
        return f"({tidy(text)})"

    def _opening(self, plan: say.SentencePlan) -> str:
        trigger = plan.trigger
        if plan.opening == "during" and isinstance(turn := plan.conditions[0], tree.TurnIs):
            return self.turns[turn.side]
        if plan.opening == "before" and trigger and trigger.who:
            return self.openings["before"].format(self.some(trigger.who, "nom"))
        parts = [self._trigger(trigger)] if trigger else []
        several = len(parts) + len(plan.conditions) > 1
        parts += [self.condition(part, "and" if several else "") for part in plan.conditions]
        if not parts:
            return ""
        own = self.openings.get(trigger.name) if trigger else None
        return (own or self.openings[plan.opening]).format(self.all_of(parts))

    def _trigger(self, said: say.TriggerPhrase) -> str:
        who, what = said.who, said.what
        is_holder = isinstance(who, say.Mention) and who.noun == "holder"
        variants = (["here"] if is_holder else []) + ["MARKER" if is_marker(what) else what]
        names = [f"{said.name} {variant}" for variant in variants]
        template = next((self.triggers[name] for name in names if name in self.triggers), None)
        template = (template or self.triggers[said.name]).replace("{attack}", self.attacks[said.attack_by])
        if who is None:
            return template
        return template.format(
            who=self.some(who, "nom"),
            gen=self.some(who, "gen"),
            acc=self.some(who, "acc"),
            of=self.of_some(who, what or "ACTION"),
            what=what,
        )

    def _clauses(self, plan: say.SentencePlan) -> str:
        text, apart = self._clause(plan.clauses[0], bool(plan.opening)), plan.joints.count("and") > 1
        for joint, before, clause in zip(plan.joints, plan.clauses, plan.clauses[1:], strict=False):
            if isinstance(joint, say.Branch):
                text += f". {capital(self._branch(joint))} "
            elif joint == "and":
                text += "," if apart or _is_long(before) or _is_long(clause) else ""
                text += f" {self.words[0]} "
            else:
                text += self.joints[joint]
            text += self._clause(clause, joint != "and")
        return text

    def _branch(self, said: say.Branch) -> str:
        if said.otherwise:
            return self.otherwise
        if said.threshold is None:
            if said.asked in self.cannot and not (said.done or said.may):
                return self.cannot[said.asked]
            return self.branches[said.asked][not said.done]
        roller = "owner" if said.asked == "owner" else "else"
        key = "done" if said.done else roller if said.may else "less"
        return self.rolls[key].format(said.threshold)

    def _clause(self, clause: say.ClausePhrase, behind: bool) -> str:
        if isinstance(clause, say.ActPhrase):
            return self.act(clause, behind)
        return _put(self.choose, self._either(clause))

    def _either(self, choice: say.ChoicePhrase) -> str:
        first, second = (
            self.act(part, at == 0) if isinstance(part, say.ActPhrase) else f"({self._either(part)})"
            for at, part in enumerate((choice.first, choice.second))
        )
        comma = "," if f" {self.words[0]} " in first else ""
        return f"{self.either} {first}{comma} {self.words[1]} {second}"


def _put(template: str, rest: str, **words: str) -> str:
    return template.format(rest=rest, Rest=capital(rest), **words)


def _is_long(clause: say.ClausePhrase) -> bool:
    return isinstance(clause, say.ActPhrase) and bool(len(clause.doings) > 1 or clause.may)


def damage(said: say.TakesDamage, words: Mapping[object, str], counted: Callable[[say.Counted], str]) -> str:
    """What DAMAGE an OPERATOR takes: ``words`` by layer and number, by layer, or ``more`` and ``less``."""
    if said.layer == "add":
        by = f" {counted(said.counted)}" if said.counted else ""
        return words["less" if said.number < 0 else "more"].format(abs(said.number)) + by
    return (words.get((said.layer, said.number)) or words[said.layer]).format(said.number)


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


class GroupWords(Struct, frozen=True):
    """What stands behind "OPERATORs" where no relative clause says it, in words, and what says its parts."""

    team: str
    in_savezone: str
    on_field: str
    has: str
    lacks: str
    conjunction: str
    place: Callable[[say.Somewhere | say.Position], str]
    having: Callable[[say.Having], str]
    superlative: Callable[[tree.Superlative], str]

    def nearby(self, who: say.GroupPhrase) -> str:
        """TEAM, and what they have and where they are if no relative clause says it."""
        text = self.team.format(mark("TEAM", who.team)) if who.team is not None else ""
        field = self.in_savezone if who.in_savezone else self.on_field if who.on_field else ""
        if who.described:
            return text + field
        there = f" {listed([*map(self.place, who.places)], self.conjunction)}" if who.places else ""
        if who.place_first:
            between = f" {self.conjunction}" if there else ""
            return text + field + there + between + self._possessions(who)
        return text + self._possessions(who) + field + there

    def _possessions(self, who: say.GroupPhrase) -> str:
        """ "with the trait “sniper” or “scout” and without a card attached"."""
        has = [part for part in who.having if not (isinstance(part, say.HasBearing) and part.negated)]
        lacks = [part for part in who.having if isinstance(part, say.HasBearing) and part.negated]
        texts = [*map(self.having, has), *([self.superlative(who.extreme)] if who.extreme else [])]
        if texts and not any(isinstance(part, say.HasBearing) and len(part.bearings) > 1 for part in has):
            texts = [listed(texts, self.conjunction)]
        said = [f"{self.has} {text}" for text in texts]
        said += [f"{self.lacks} {self.having(part)}" for part in lacks]
        return f" {listed(said, self.conjunction)}" if said else ""


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
    plain = (say.Integer, say.Measure, tree.Round)
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
