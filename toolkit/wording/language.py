"""The definition of a language of rules text, and functions that all languages share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct

from toolkit.data.yaml.nodes import Mapping as Table
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.dsl import tree
from toolkit.source import SourceFile
from toolkit.vocabulary import STATS
from toolkit.wording import plan_nodes as say
from toolkit.wording.text import is_marker, mark

Case = Literal["nom", "gen", "dat", "acc"]
Keyword = str
"""What a card explains: SUPPRESSED, the keyword of a verb (``vocabulary.Form.keyword``), DAMAGE,
``advances``, ``would become HIT``, ``highest`` (who chooses in a tie), or a word of the project as it is
written in effects: ``KEYWORD "steadfast"``, ``MARKER "intel"``."""


def keyword_of(name: str) -> Keyword:
    """Return a KEYWORD of the project by its id."""
    return f'KEYWORD "{name}"'


class Reminder(Struct, frozen=True):
    """A keyword to explain.

    ``threshold`` is the X of RULEVIOLATION X+, ``action`` that of BONUS (ACTION), None if the card has
    several. ``condition`` is the ruleset's condition of SUPPRESSION, with "it" for the OPERATOR. ``stepwise``
    is its stacking (N-3): then CRITICAL doubles the AP reached so far.
    """

    keyword: Keyword
    threshold: int | None = None
    action: str | None = None
    condition: say.ConditionPhrase | None = None
    stepwise: bool = False


class Language(Struct, frozen=True):
    """A language of rules text. Its texts have marks in place of names (``text.py``).

    ``sentence`` returns a printed sentence, from its capital to its full stop, ``reminder`` the explanation
    of a keyword in parentheses. ``has_short_texts`` says that it can leave a subject unsaid
    (``ActPhrase.unsaid``); another language prints the full text.
    """

    code: str
    sentence: Callable[[say.SentencePlan], str]
    reminder: Callable[[Reminder], str]
    has_short_texts: bool = False

    @property
    def reference(self) -> Mapping[str, str]:
        """All other printed texts by key: the sentences of the rules reference, words of other sheets."""
        return _texts(self.code)


@cache
def _texts(code: str) -> dict[str, str]:
    """Return the fixed texts of a language by key; icons of stats have their names."""
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
    """The phrases of which a language composes sentences, and the functions that write their parts.

    ``triggers``: by name, or by name and variant: ``here`` on an OBJECTIVE, ``MARKER`` for one, or what it is
    about. Their fields are ``{who}`` (``{gen}``, ``{acc}`` in other cases), the OPERATOR; ``{of}``, what
    belongs to it; ``{what}`` as in ``TriggerPhrase``; ``{attack}``, one of ``attacks``.
    ``openings``: by ``SentencePlan.opening``, or by the name of a trigger with its own.
    ``branches``: done and not done, by what a branch is about; ``cannot`` replaces the latter after an order,
    which is not carried out only if it cannot be; ``rolls`` is for a branch about a single roll (``else``: of
    somebody other than the reader).
    ``limited`` and ``choose``: ``{Rest}`` is ``{rest}`` with a capital; ``limited_unsaid`` is for a sentence
    with a colon. ``own_attack`` is the attack of an OPERATOR that is "it".
    ``words``: "and" and "or". ``doubled_ap`` are the printed AP and the AP reached so far, which CRITICAL
    doubles under the stacking ``stepwise`` (N-3). ``any_suppression`` says when an OPERATOR is SUPPRESSED
    where the ruleset's condition is not known.
    ``act`` is called with whether something precedes it in the first position, ``condition`` with the list
    that it is in, ``of_some`` with the quantity.
    """

    triggers: Mapping[str, str]
    attacks: Mapping[say.AttackBy, str]
    openings: Mapping[str, str]
    turns: Mapping[tree.Side, str]
    limited: str
    limited_unsaid: str
    own_attack: str
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
    doubled_ap: tuple[str, str]
    any_suppression: str
    act: Callable[[say.ActPhrase, bool], str]
    condition: Callable[[say.ConditionPhrase, str], str]
    all_of: Callable[[list[str]], str]
    some: Callable[[say.Mention | say.GroupPhrase, Case], str]
    of_some: Callable[[say.Mention | say.GroupPhrase, str], str]

    def sentence(self, plan: say.SentencePlan) -> str:
        """Return a sentence, from its capital to its full stop."""
        opening, limited = self._opening(plan), self.limited
        if plan.begins_unsaid and opening:
            opening, limited = f"{opening.rstrip(', ')}: ", self.limited_unsaid
        text = f"{opening}{self._clauses(plan)}."
        return tidy(_put(limited, text, limit=plan.limit) if plan.limit else text)

    def reminder(self, reminder: Reminder) -> str:
        """Return the explanation of a keyword in parentheses; raises KeyError if there is none.

        Each text of ``reminders`` has those of the fields that its keyword needs: ``{when}`` is the condition
        of SUPPRESSED, ``{x}`` the threshold of RULEVIOLATION, ``{action}`` and ``{kind}`` are those of BONUS,
        ``{doubled}`` is what CRITICAL doubles.
        """
        printed_ap, ap_so_far = self.doubled_ap
        condition = reminder.condition
        text = self.reminders[reminder.keyword].format(
            when=self.condition(condition, "") if condition else self.any_suppression,
            x="X" if reminder.threshold is None else reminder.threshold,
            action=reminder.action or "ACTION",
            kind=self.bonus_kinds.get(reminder.action, f"{reminder.action} ACTION"),
            doubled=ap_so_far if reminder.stepwise else printed_ap,
        )
        return f"({tidy(text)})"

    def _opening(self, plan: say.SentencePlan) -> str:
        """Return the trigger and conditions before the first clause: "When it attacks and is in RANGE, "."""
        trigger = plan.trigger
        if plan.opening == "during":
            [turn] = plan.conditions
            assert isinstance(turn, tree.TurnIs), "`during` begins a TURN"
            return self.turns[turn.side]
        if plan.opening == "before" and trigger and trigger.who:
            return self.openings["before"].format(self.some(trigger.who, "nom"))
        texts = [self._trigger(trigger)] if trigger else []
        is_list = len(texts) + len(plan.conditions) > 1
        texts += [self.condition(condition, "and" if is_list else "") for condition in plan.conditions]
        if not texts:
            return ""
        trigger_opening = self.openings.get(trigger.name) if trigger else None
        return (trigger_opening or self.openings[plan.opening]).format(self.all_of(texts))

    def _trigger(self, trigger: say.TriggerPhrase) -> str:
        """Return a trigger by its template: that for its subject or object if there is one, else its own."""
        subject, object_name = trigger.who, trigger.what
        is_holder = isinstance(subject, say.Mention) and subject.noun == "holder"
        variants = (["here"] if is_holder else []) + ["MARKER" if is_marker(object_name) else object_name]
        variant_keys = [f"{trigger.name} {variant}" for variant in variants]
        key = next((key for key in variant_keys if key in self.triggers), trigger.name)
        is_pronoun = isinstance(subject, say.Mention) and subject.form == "pronoun"
        is_own_attack = is_pronoun and trigger.attack_by == "attacker"
        attack = self.own_attack if is_own_attack else self.attacks[trigger.attack_by]
        template = self.triggers[key].replace("{attack}", attack)
        if subject is None:
            return template
        return template.format(
            who=self.some(subject, "nom"),
            gen=self.some(subject, "gen"),
            acc=self.some(subject, "acc"),
            of=self.of_some(subject, object_name or "ACTION"),
            what=object_name,
        )

    def _clauses(self, plan: say.SentencePlan) -> str:
        """Return the clauses with what joins them; a branch begins a sentence of its own."""
        first_clause, *further_clauses = plan.clauses
        text = self._clause(first_clause, is_preceded=bool(plan.opening))
        has_several_ands = plan.joints.count("and") > 1
        conjunction, _ = self.words
        for joint, clause_before, clause in zip(plan.joints, plan.clauses, further_clauses, strict=False):
            if isinstance(joint, say.Branch):
                text += f". {capital(self._branch(joint))} "
            elif joint == "and":
                needs_comma = has_several_ands or _is_long(clause_before) or _is_long(clause)
                text += f"{',' if needs_comma else ''} {conjunction} "
            else:
                text += self.joints[joint]
            text += self._clause(clause, is_preceded=joint != "and")
        return text

    def _branch(self, branch: say.Branch) -> str:
        """Return how a clause begins that follows from whether another was done, or from a roll."""
        if branch.otherwise:
            return self.otherwise
        if branch.threshold is None:
            if branch.asked in self.cannot and not (branch.done or branch.may):
                return self.cannot[branch.asked]
            done, not_done = self.branches[branch.asked]
            return done if branch.done else not_done
        if branch.done:
            key = "done"
        elif branch.may:  # who may roll fails without a roll, too
            key = "owner" if branch.asked == "owner" else "else"
        else:
            key = "less"
        return self.rolls[key].format(branch.threshold)

    def _clause(self, clause: say.ClausePhrase, is_preceded: bool) -> str:
        if isinstance(clause, say.ActPhrase):
            return self.act(clause, is_preceded)
        return _put(self.choose, self._either(clause))

    def _either(self, choice: say.ChoicePhrase) -> str:
        conjunction, disjunction = self.words
        first_text = self._alternative(choice.first, is_preceded=True)
        second_text = self._alternative(choice.second, is_preceded=False)
        comma = "," if f" {conjunction} " in first_text else ""
        return f"{self.either} {first_text}{comma} {disjunction} {second_text}"

    def _alternative(self, clause: say.ClausePhrase, is_preceded: bool) -> str:
        if isinstance(clause, say.ActPhrase):
            return self.act(clause, is_preceded)
        return f"({self._either(clause)})"


def _put(template: str, complement: str, **words: str) -> str:
    return template.format(rest=complement, Rest=capital(complement), **words)


def _is_long(clause: say.ClausePhrase) -> bool:
    return isinstance(clause, say.ActPhrase) and bool(len(clause.doings) > 1 or clause.may)


DICE_VERBS = (tree.RollsExtra, tree.MayReroll, tree.KeepsDice, tree.SetsDice)
"""What several OPERATORs do each with their own dice."""


def subject_stat(doing: say.DoingPhrase) -> str:
    """Return the stat that is the subject of a doing which fixes or limits it; nothing for other doings."""
    match doing:
        case tree.Fixes(stat):
            return stat.text
        case say.Limited(quantity) if quantity != "DAMAGE":
            return quantity
    return ""


def damage(
    takes_damage: say.TakesDamage, words: Mapping[object, str], counted: Callable[[say.Counted], str]
) -> str:
    """Return the DAMAGE that an OPERATOR takes; ``words`` are by layer and number, layer, more and less."""
    if takes_damage.layer == "add":
        for_each = f" {counted(takes_damage.counted)}" if takes_damage.counted else ""
        template = words["less" if takes_damage.number < 0 else "more"]
        return template.format(abs(takes_damage.number)) + for_each
    template = words.get((takes_damage.layer, takes_damage.number)) or words[takes_damage.layer]
    return template.format(takes_damage.number)


def signed(amount: int) -> str:
    """Return ``+2``, or ``−2`` with the printed minus (U+2212)."""
    return f"+{amount}" if amount >= 0 else f"−{-amount}"


def numeral(number: int) -> str:
    """Return a number in digits, with the printed minus (U+2212)."""
    return str(number) if number >= 0 else f"−{-number}"


def filled(template: str, node: tree.Node, **words: str) -> str:
    """Return the template of a verb, filled with the fields of its node and the language's own words."""
    fields = {name: getattr(node, name) for name in tree.compared_fields(type(node))}
    texts = {name: field.text if isinstance(field, tree.Word) else field for name, field in fields.items()}
    return template.format(**texts | words)


def listed(parts: Sequence[str], conjunction: str) -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {conjunction} {parts[-1]}"


class GroupWords(Struct, frozen=True):
    """The words for what follows "OPERATORs" without a relative clause, and the functions for its parts."""

    team: str
    team_of: Callable[[say.Mention], str]
    in_savezone: str
    on_field: str
    has: str
    lacks: str
    conjunction: str
    place: Callable[[say.Somewhere | say.Position], str]
    having: Callable[[say.Having], str]
    superlative: Callable[[tree.Superlative], str]

    def nearby(self, operators: say.GroupPhrase) -> str:
        """Return TEAM, possessions and places of a group; only the TEAM if a relative clause has the rest."""
        text = self.team.format(mark("TEAM", operators.team)) if operators.team is not None else ""
        text += self.team_of(operators.team_of) if operators.team_of is not None else ""
        field_text = self.on_field if operators.on_field else ""
        field_text = self.in_savezone if operators.in_savezone else field_text
        if operators.needs_relative_clause:
            return text + field_text
        places = listed([*map(self.place, operators.places)], self.conjunction)
        place_text = f" {places}" if places else ""
        if operators.places_come_first:
            conjunction = f" {self.conjunction}" if place_text else ""
            return text + field_text + place_text + conjunction + self._possessions(operators)
        return text + self._possessions(operators) + field_text + place_text

    def _possessions(self, operators: say.GroupPhrase) -> str:
        """Return such as "with the trait “sniper” or “scout” and without a card attached".

        One "with" is enough for all that they have, unless an "or" in it would make that ambiguous.
        """
        lacked = [having for having in operators.having if _is_lacked(having)]
        possessed = [having for having in operators.having if not _is_lacked(having)]
        possessed_texts = [*map(self.having, possessed)]
        if operators.extreme:
            possessed_texts.append(self.superlative(operators.extreme))
        has_alternatives = any(
            isinstance(having, say.HasBearing) and len(having.bearings) > 1 for having in possessed
        )
        if possessed_texts and not has_alternatives:
            possessed_texts = [listed(possessed_texts, self.conjunction)]
        possessions = [f"{self.has} {text}" for text in possessed_texts]
        possessions += [f"{self.lacks} {self.having(having)}" for having in lacked]
        return f" {listed(possessions, self.conjunction)}" if possessions else ""


def _is_lacked(having: say.Having) -> bool:
    return isinstance(having, say.HasBearing) and having.negated


def inside(within: str, word: str) -> str:
    """Return the ``within`` of the parts of a list of conditions: ``and``, ``or``, or deeper ``()``.

    ``within`` is that of the list itself, ``""`` at the top level; ``word`` joins its parts. Words such as
    "either … or …" show where a list ends within one joined by "and"; deeper lists need parentheses.
    """
    return word if not within or (within, word) == ("and", "or") else "()"


def capital(text: str) -> str:
    """Return a text with a capital."""
    return text[:1].upper() + text[1:]


def tidy(text: str) -> str:
    """Return a text with a capital, and without commas before other punctuation."""
    text = re.sub(r",(?:\s*,)+", ",", text)
    text = re.sub(r",\s*([.;:)])", r"\1", text)
    return capital(text)


# ------------------------------------------------------------------------------------------------ formulas

_OPERATORS = {"+": "+", "-": "−", "*": "×", "/": "÷"}


def is_short_sum(number: say.NumberPhrase) -> bool:
    """Whether a formula is one sum or difference of two plain numbers, and so is written in words."""
    if not isinstance(number, say.Formula) or number.operator in ("*", "/"):
        return False
    return _is_plain(number.left) and _is_plain(number.right)


def plain_part(number: say.NumberPhrase) -> int | None:
    """Return the divisor of a formula that is a part of one plain number, and so is written in words."""
    match number:
        case say.Formula("/", left, say.Integer(divisor)) if not isinstance(
            left, (say.Formula, say.Minus, say.Integer)
        ):
            return divisor
    return None


def _is_plain(operand: say.NumberPhrase) -> bool:
    if isinstance(operand, say.Integer):
        return operand.value >= 0
    return isinstance(operand, (say.Measure, tree.Round)) and not _is_of_marker(operand)


def _is_of_marker(number: say.NumberPhrase) -> bool:
    """Whether it is a number of MARKERs, which has a longer phrase: "the number of Intel on it"."""
    return isinstance(number, say.Measure) and is_marker(number.quantity)


def formula(number: say.NumberPhrase, leaf: Callable[[say.NumberPhrase], str]) -> str:
    """Return a number with operators, and parentheses wherever it could be misread."""
    match number:
        case say.Formula(operator, left, right):
            is_product = operator in ("*", "/")
            left_text = _operand(left, ("+", "-") if is_product else (), leaf)
            right_text = _operand(right, ("+", "-", "*", "/") if is_product else ("+", "-"), leaf)
            return f"{left_text} {_OPERATORS[operator]} {right_text}"
        case say.Minus(inner):
            return f"−({formula(inner, leaf)})"
        case _:
            return leaf(number)


def _operand(
    number: say.NumberPhrase, parenthesised: tuple[str, ...], leaf: Callable[[say.NumberPhrase], str]
) -> str:
    """Return an operand of a formula, in parentheses where it would run together with the operator."""
    text = formula(number, leaf)
    # phrases of several words, and what begins with a minus, would run together with the operator
    is_long = isinstance(number, (say.Count, say.Cards, say.Held, say.CapturedNumber, say.Minus))
    is_long = is_long or (isinstance(number, say.Integer) and number.value < 0) or _is_of_marker(number)
    if is_long or (isinstance(number, say.Formula) and number.operator in parenthesised):
        return f"({text})"
    return text
