"""house-rule and house-advice: cards that break a rule of the project; broken-house-rule: one without sense.

The rules stand under ``house_rules`` in opforge.yaml, in a long form and in short ones such as
``max_text_words: 40``. A rule is for each card by itself, or with ``max_cards`` or ``min_cards`` for how many
there are. This module is loaded only for projects that have some.

The wording is imported only for rules that ask for it: it takes 8 ms of a check.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any, TypeGuard, cast

from msgspec import Struct

from toolkit.data.art.picture_files import read_picture
from toolkit.data.effect_sources import card_sources, sources_of
from toolkit.data.model import Card, CardSet, Objective, Text, rules_span
from toolkit.data.schema import KINDS
from toolkit.data.schemas.play_schema import HOUSE_LIMIT, MAX_HOUSE_RULES
from toolkit.data.yaml import nodes
from toolkit.data.yaml.nodes import Node, Scalar
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.diagnostics.phrases import shown
from toolkit.dsl import tree
from toolkit.dsl.house_rules import LISTS, NAMES, Rule, Words, holds, names_in, parse_rule, words_in
from toolkit.dsl.tree import walk
from toolkit.lint.context import RunCache, changed_stat
from toolkit.source import ScalarText, Span
from toolkit.source.paths import inside
from toolkit.vocabulary import COUNTERS, STATS, VERB_OF
from toolkit.vocabulary.comparisons import COMPARE
from toolkit.vocabulary.nearest import is_certain, nearest
from toolkit.wording.text import Names
from toolkit.wording.text import names_in as names_of

ALL_KINDS = (*KINDS, "objective")
_OPERATOR_ONLY = frozenset((*map(str.lower, STATS), "squadpoints", "skills", "team", "traits", "keywords"))
_LIMITS = {"max": "<=", "min": ">="}
_WITHOUT_RULE = {"name", "kinds", "level", "message", "where", "per"}
"""The keys of an item that say nothing by themselves."""

_MAX_LISTED = 5
"""Words or cards that a message lists, at most."""

VERBS_BY_NODE = {node: verb.one.removeprefix("may ") for node, verb in VERB_OF.items()}
"""The verb of each node of an effect, as a rule calls it: that of `doubles` is `multiplies`."""


class Condition(Struct, frozen=True):
    """A rule with the numbers and words of a card that it names, each once, in order."""

    rule: Rule
    names: tuple[str, ...]


def condition_of(rule: Rule) -> Condition:
    """Return a rule as a condition."""
    return Condition(rule, tuple(dict.fromkeys(named.text for named in names_in(rule))))


class HouseRule(Struct, frozen=True):
    """A rule of the project.

    ``words`` are how messages quote it, ``kinds`` the kinds of card that it is for, ``where`` which of them
    (None: all), ``place`` is where it stands, ``message`` what its author wants to be reported.
    """

    condition: Condition
    words: str
    kinds: frozenset[str]
    place: Span
    where: Condition | None = None
    name: str = ""
    message: str = ""
    warns: bool = False


class CountRule(Struct, frozen=True):
    """A rule for how many cards there are, in the whole project or ``per`` TEAM, kind or set.

    The cards that count are those of ``rule``; its condition compares their number.
    """

    rule: HouseRule
    per: str = ""


def read_rules(cards: CardSet) -> tuple[list[HouseRule | CountRule], list[Diagnostic]]:
    """Return the rules that can be read, and findings about the others, without those of the schema."""
    node = cards.project.node
    listed = node.nodes.get("house_rules") if node else None
    rules: list[HouseRule | CountRule] = []
    findings: list[Diagnostic] = []
    known_words = KnownWords(cards)
    for item in listed.items[:MAX_HOUSE_RULES] if isinstance(listed, nodes.Sequence) else ():
        for rule in _RuleReader(item, known_words).rules():
            if isinstance(rule, Diagnostic):
                findings.append(rule)
            else:
                rules.append(rule)
    return rules, findings


class KnownWords:
    """The words with which rules can compare something of a card, where these are known."""

    def __init__(self, cards: CardSet) -> None:
        self._cards = cards
        self.languages = cards.project.languages
        self._by_fact: dict[str, Collection[str]] | None = None

    def of(self, fact: str) -> Collection[str] | None:
        """Return the words that something of a card can be; None if it can be any, or all are not known."""
        if self._by_fact is None:
            self._by_fact = dict(self._all())
        return self._by_fact.get(fact)

    def _all(self) -> Iterator[tuple[str, Collection[str]]]:
        """Yield each fact of cards with the words that can be meant; none where cards that were not read may
        have more."""
        cards = self._cards
        yield "kind", ALL_KINDS
        yield "verbs", VERBS_BY_NODE.values()
        markers = [f'MARKER "{marker}"' for marker in cards.markers]
        yield "stats", (*STATS, *COUNTERS, "DAMAGE", "RANGE", *markers)
        if not (cards.incomplete or cards.broken_ids):
            printed = cards.printed_entries()
            yield "team", cards.teams
            yield "id", [entry.id for entry in printed]
            yield "traits", cards.traits() | cards.project.traits.keys()
            yield "keywords", cards.keywords
            yield "tags", {tag for entry in printed for tag in entry.tags}
            yield "set", {name for entry in printed if (name := entry.imprint.set)}


class _RuleReader:
    """Reads the rules of one item of ``house_rules``: an expression, or a mapping with a rule and limits."""

    def __init__(self, item: Node, known_words: KnownWords) -> None:
        self._item = item
        self._nodes = item.nodes if isinstance(item, nodes.Mapping) else {}
        self._known_words = known_words

    def rules(self) -> Iterator[HouseRule | CountRule | Diagnostic]:
        """Yield the rules, or what is wrong with them."""
        item = self._item
        if isinstance(item, Scalar):
            if _is_text(item):
                yield self._expression_rule(item, None)
            return
        if not _has_scope(self._nodes):
            return  # the schema reports it; without it the rule would be for other cards
        where_node = self._nodes.get("where")
        where = self._expression(where_node) if _is_text(where_node) else None
        if isinstance(where, Diagnostic):
            yield where
            return
        rules = [rule for key in self._nodes for rule in self._of_key(key, where)]
        yield from rules
        # the schema reports a `rule` or limit of another type, and keys that do not exist
        has_rule = rules or "fair_power" in self._nodes  # checked where attacks can be played
        if not has_rule and self._nodes.keys() <= _WITHOUT_RULE and isinstance(item, nodes.Mapping):
            yield Diagnostic(
                "broken-house-rule",
                "This house rule has no `rule`.",
                item.span,
                "Add `rule: ap + ep <= 12`, or a limit such as `max_text_words: 40` or `max_cards: 2`.",
            )
        elif "per" in self._nodes and not self._nodes.keys() & {"max_cards", "min_cards"}:
            yield Diagnostic(
                "broken-house-rule",
                "`per` is for `max_cards` and `min_cards`, and this house rule has neither.",
                cast(nodes.Mapping, item).keys["per"].span,
                "Add one of the two, or remove `per`.",
            )

    def _of_key(self, key: str, where: Rule | None) -> Iterator[HouseRule | CountRule | Diagnostic]:
        """Yield the rule of a key: an expression, or a limit such as `max_text_words: 40`.

        The keys that say what the rule is for, and those that the schema refuses, have none.
        """
        node = self._nodes[key]
        if key == "rule" and _is_text(node):
            yield self._expression_rule(node, where)
            return
        bound, _, name = key.partition("_")
        if bound in _LIMITS and isinstance(node, Scalar) and _is_limit(node.value):
            limit = tree.Comparison(cast(Any, tree.Word(name)), _LIMITS[bound], tree.Constant(node.value))
            words, span = f"{key}: {node.value}", cast(nodes.Mapping, self._item).keys[key].span
            if name in NAMES:
                yield self._rule(limit, words, span, where)
            elif name == "cards":
                per = _word(self._nodes, "per")
                rule = self._rule(limit, words, span, where, (per,) if per else ())
                yield CountRule(rule, per) if isinstance(rule, HouseRule) else rule

    def _expression(self, scalar: Node | None) -> Rule | Diagnostic:
        """Return what an expression means, or its first problem."""
        text = cast(Scalar, scalar).as_text()
        rule = parse_rule(text.value)
        problem = rule if isinstance(rule, tree.Problem) else self._unknown_word(rule)
        if problem is None:
            return cast(Rule, rule)
        span = text.locate(*problem.place)
        fix = Fix(span, problem.fix, problem.safe) if problem.fix is not None else None
        return Diagnostic(problem.name, problem.message, span, problem.next_step, fix=fix)

    def _unknown_word(self, rule: Rule) -> tree.Problem | None:
        """Return the first word that no card can have for what it is compared with."""
        for fact, word in words_in(rule):
            known_words = self._known_words.of(fact.text)
            if known_words is None or word.text.casefold() in map(str.casefold, known_words):
                continue
            meant = nearest(word.text, known_words)
            among = f"`{word.text}` among its `{fact.text}`"
            message = f"No card has {among if fact.text in LISTS else f'the `{fact.text}` `{word.text}`'}."
            few_words = ", ".join(sorted(known_words)[:_MAX_LISTED])
            step = f"Did you mean `{meant}`?" if meant else f"There are such as {few_words}."
            certain = meant is not None and is_certain(word.text, meant, known_words)
            return tree.Problem("broken-house-rule", message, word.place, step, meant, safe=certain)
        return None

    def _expression_rule(self, scalar: Node, where: Rule | None) -> HouseRule | Diagnostic:
        """Return a rule in the language of house rules, or its first problem."""
        rule = self._expression(scalar)
        if isinstance(rule, Diagnostic):
            return rule
        text = cast(Scalar, scalar).as_text()
        return self._rule(rule, text.value.strip(), scalar.span, where, text=text)

    def _rule(
        self,
        expression: Rule,
        words: str,
        rule_span: Span,
        where: Rule | None,
        more_names: Sequence[str] = (),
        text: ScalarText | None = None,
    ) -> HouseRule | Diagnostic:
        """Return the rule, or a finding where one of the ``kinds`` that it lists has no such number.

        Without a list it is for each kind that has all that the rule, ``where`` and ``more_names`` name.
        ``text`` is the expression in the file, in which the finding has its place.
        """
        chosen_kinds, names = self._chosen_kinds(), names_in(expression)
        for named, kind in product(names, chosen_kinds or ()):
            if not _has(kind, named.text):
                return _without_number(kind, named.text, text.locate(*named.place) if text else rule_span)
        names_in_where = names_in(where) if where else []
        all_names = {*more_names, *(named.text for named in (*names, *names_in_where))}
        possible_kinds = ALL_KINDS if chosen_kinds is None else chosen_kinds
        kinds = [kind for kind in possible_kinds if all(_has(kind, name) for name in all_names)]
        if where is not None:
            words += f" where {_word(self._nodes, 'where').strip()}"
        return HouseRule(
            condition_of(expression),
            words,
            frozenset(kinds),
            rule_span,
            where=condition_of(where) if where else None,
            name=_word(self._nodes, "name"),
            message=_author_message(self._nodes, self._known_words.languages),
            warns=_word(self._nodes, "level") == "warning",
        )

    def _chosen_kinds(self) -> list[str] | None:
        """Return the kinds that the item lists; None without a list."""
        listed = self._nodes.get("kinds")
        if not isinstance(listed, nodes.Sequence):
            return None
        return [kind.text for kind in listed.items if isinstance(kind, Scalar) and kind.text in ALL_KINDS]


def _without_number(kind: str, name: str, span: Span) -> Diagnostic:
    """The finding about a number that the cards of a kind do not have."""
    title = f"A{'n' if kind[0] in 'aeio' else ''} {kind.upper()}"
    title += "" if kind in ("operator", "objective") else " card"
    message = f"{title} has no `{name}`."
    step = "Remove this kind from `kinds`, or use something else."
    return Diagnostic("broken-house-rule", message, span, step)


def _has(kind: str, name: str) -> bool:
    """Whether cards of a kind have the fact that a rule names."""
    if name in _OPERATOR_ONLY:
        return kind == "operator"
    if name == "value":
        return kind == "objective"
    return name not in ("text_words", "text") or kind != "objective"


def _is_text(node: Node | None) -> TypeGuard[Scalar]:
    return isinstance(node, Scalar) and isinstance(node.value, str) and bool(node.value.strip())


def _is_limit(value: object) -> TypeGuard[int]:
    least, greatest = HOUSE_LIMIT
    return type(value) is int and least <= value <= greatest


def _has_scope(item: Mapping[str, Node]) -> bool:
    """Whether the keys that say for which cards a rule is, if it has them, can be read."""
    kinds, per = item.get("kinds"), item.get("per")
    return (
        ("where" not in item or _is_text(item["where"]))
        and (kinds is None or isinstance(kinds, nodes.Sequence))
        and (per is None or _word(item, "per") in _TITLES)
    )


def _word(item: Mapping[str, Node], key: str) -> str:
    node = item.get(key)
    return node.text if isinstance(node, Scalar) else ""


def _author_message(item: Mapping[str, Node], languages: tuple[str, ...]) -> str:
    """Return the author's message, in English where there is a choice: all other messages are English.

    It is not printed: in a language that the project does not have it is still a message.
    """
    node = item.get("message")
    if not isinstance(node, nodes.Mapping):
        return _word(item, "message")
    texts = {key: text_node.text for key, text_node in node.nodes.items() if isinstance(text_node, Scalar)}
    return next((texts[language] for language in ("en", *languages, *texts) if language in texts), "")


# the rules held against the cards

BY_LANGUAGE = ("text_words", "name_length", "name", "flavour", "text", "text_only")
"""Numbers and texts that a card has in each language."""

_OF_EFFECTS = ("verbs", "stats", "amount", *(f"{stat.lower()}_amount" for stat in STATS))


def check(
    cards: CardSet, effects: Mapping[tuple[str, str], tree.Effect], cache: RunCache
) -> Iterator[Diagnostic]:
    """What is wrong with the rules, then every card that breaks one, at the number that the rule names first.

    ``effects`` are trees without errors; a card with another effect has no rules text yet.
    """
    rules, findings = read_rules(cards)
    yield from findings
    names = names_of(cards)
    names_key = f"{cards.project.look.text_style} {names!r}"
    measurements = [
        _Measurement(card, cards, effects, names, names_key, cache) for card in cards.printed_entries()
    ]
    for rule in rules:
        if isinstance(rule, CountRule):
            yield from _broken_counts(rule, measurements, cards)
            continue
        for measurement in measurements:
            if measurement.kind in rule.kinds and measurement.fits(rule.where):
                yield from _broken(rule, measurement)


class _Measurement(Struct, frozen=True):
    """The numbers, words and texts of one card; ``names_key`` is equal for the same style of texts and the
    same names of TEAMs and traits."""

    card: Card | Objective
    cards: CardSet
    effects: Mapping[tuple[str, str], tree.Effect]
    names: Names
    names_key: str
    cache: RunCache

    @property
    def kind(self) -> str:
        """The kind of the card, or ``objective``."""
        return self.card.kind if isinstance(self.card, Card) else "objective"

    def fits(self, where: Condition | None) -> bool:
        """Whether a rule is for this card, in any language; not if what decides that is not known."""
        languages = self.cards.project.languages
        return where is None or any(self.breaks(where, language) is False for language in languages)

    def breaks(self, condition: Condition, language: str) -> bool | None:
        """Whether the card breaks a rule in a language; None if something that decides it is not known."""
        values = self.values(condition.names, language)
        return None if None in values.values() else not holds(condition.rule, values.__getitem__)

    def values(self, names: Iterable[str], language: str) -> dict[str, int | Words | None]:
        """Return what the card has by name, in the language where it depends on that."""
        return {name: self._value(name, language) for name in names}

    def _value(self, name: str, language: str) -> int | Words | None:
        """Return what a rule's name is of the card, a number or words; None if it cannot be known."""
        card = self.card
        match name:
            case "kind":
                return (self.kind,)
            case "id":
                return (card.id,)
            case "set" | "artist":
                return _present(getattr(card.imprint, name))
            case "team":
                return _present(card.team) if isinstance(card, Card) else ()
            case "traits" | "keywords" | "tags":
                return tuple(getattr(card, name, ()))
            case "name" | "flavour" | "text_only":
                return _present(_in_language(getattr(card, name), language))
            case "text":
                return _present("\n".join(self._rules_texts(language)).strip())
            case "art":
                return _present(card.art.value if card.art else None)
            case "art_width" | "art_height":
                width, height = self._art_size() or (None, None)
                return height if name == "art_height" else width
            case "name_length":
                return len(card.name.in_language(language).value)
            case "text_words":
                return self._text_words(language)
            case "skills":
                return len(card.skills) if isinstance(card, Card) else 0
        if name in _OF_EFFECTS:
            return self._of_effects(name)
        return card.number(name) if isinstance(card, Card) else int(getattr(card, name))

    def _trees(self) -> list[tree.Effect | None]:
        return [self.effects.get((self.card.id, source.part)) for source in sources_of(self.card)]

    def _of_effects(self, name: str) -> int | Words | None:
        """Return what the effects do; None if one of them cannot be read."""
        trees = self._trees()
        if None in trees:
            return None
        return effect_value(name, self.cache.get("doings", tuple(trees), partial(doings_in, trees)))

    def _art_size(self) -> tuple[int, int] | None:
        """Return width and height of the picture in pixels; None if there is none, or it is a drawing."""
        root, art = self.cards.project.root, self.card.art
        path = inside(root / art.value, root) if art is not None else None
        with suppress(OSError, ValueError):
            picture = read_picture(path) if path is not None else None
            return picture.size if picture is not None else None
        return None

    def _rules_texts(self, language: str) -> list[str]:
        if not isinstance(self.card, Card):
            return []
        return list(_rules_texts(self.card, self.names, self.effects, language, self._is_short))

    @property
    def _is_short(self) -> bool:
        return self.cards.project.look.text_style == "short"

    def _text_words(self, language: str) -> int:
        card = self.card
        if not isinstance(card, Card):
            return 0
        trees = [self.effects.get((card.id, source.part)) for source in card_sources(card)]
        count = partial(_rules_words, card, self.names, self.effects, language, self._is_short)
        return self.cache.get(f"words {language} {self.names_key}", (card, *trees), count)

    def place(self, name: str, language: str) -> Span:
        """Return where a number or word stands, or what it is the number of."""
        card = self.card
        if name == "name_length":
            return card.name.in_language(language).span
        if name in ("text_words", "text", *_OF_EFFECTS) and isinstance(card, Card):
            return _rules_place(card, language)
        if name in ("skills", "traits", "keywords", "tags"):
            return card.key_span(name)
        if name in ("name", "flavour", "text_only"):
            text = getattr(card, name)
            return text.in_language(language).span if text is not None else card.id_span
        key = "art" if name.startswith("art_") else name
        return card.span_of(key) if key in card.node.nodes else card.id_span


def _present(word: str | None) -> Words:
    return (word,) if word else ()


def _in_language(text: Text | None, language: str) -> str | None:
    """Return a text in a language; None if it is missing in it."""
    return text.in_language(language).value if text is not None and text.is_in(language) else None


def doings_in(effects: Sequence[tree.Effect | None]) -> list[tree.Doing]:
    """Return all that effects do, in order."""
    return [node for effect in effects for node in walk(effect) if type(node).__name__ in VERBS_BY_NODE]


def effect_value(name: str, doings: Sequence[tree.Doing]) -> int | Words:
    """Return the verbs or stats of what is done, or the largest number added to a stat, or subtracted."""
    if name == "verbs":
        return tuple(dict.fromkeys(VERBS_BY_NODE[type(doing).__name__] for doing in doings))
    if name == "stats":
        words = (changed_stat(doing) for doing in doings)
        return tuple(dict.fromkeys(word.text for word in words if word is not None))
    stat = name.removesuffix("_amount").upper()
    changes = [doing for doing in doings if isinstance(doing, tree.Gets)]
    return max(
        (abs(doing.amount) for doing in changes if name == "amount" or doing.what.text == stat), default=0
    )


def _rules_place(card: Card, language: str) -> Span:
    """Return the place of the hand-written text, the effect, or the longest SKILL."""
    whole = rules_span(card, language)
    skills = [skill.rules_span(language) for skill in card.skills]
    return whole or max(skills, key=lambda span: span.end - span.start, default=card.id_span)


def _broken(rule: HouseRule, measurement: _Measurement) -> Iterator[Diagnostic]:
    """Report a rule that a card breaks; a rule about texts is checked in each language, any other once."""
    languages = measurement.cards.project.languages
    is_about_texts = any(name in BY_LANGUAGE for name in rule.condition.names)
    checked_languages = languages if is_about_texts else languages[:1]
    broken_languages = [
        language for language in checked_languages if measurement.breaks(rule.condition, language)
    ]
    if broken_languages:
        yield _finding(rule, measurement, broken_languages, names_language=len(checked_languages) > 1)


def _finding(
    rule: HouseRule, measurement: _Measurement, languages: Sequence[str], names_language: bool
) -> Diagnostic:
    """Return the finding about a rule that is broken in some languages."""
    failures = []
    for language in languages:
        values = measurement.values(rule.condition.names, language)
        failure = ", ".join(_described(name, value) for name, value in values.items()) or "it never holds"
        failures.append(f"{failure} in `{language}`" if names_language else failure)
    places = (measurement.place(name, languages[0]) for name in rule.condition.names)
    span = next(places, measurement.card.id_span)
    return _reported(rule, f"`{measurement.card.id}`", "; ".join(failures), span, measurement.card.id)


def _described(name: str, value: int | Words | None) -> str:
    """Return what a card has, as messages say it: ``ap`` is 7, ``traits`` are sniper, scout."""
    if not isinstance(value, tuple):
        return f"`{name}` is {value}"
    if name in LISTS:
        return f"`{name}` are {', '.join(value)}" if value else f"it has no `{name}`"
    return f"`{name}` is “{shown(value[0])}”" if value else f"`{name}` is missing"


def _reported(rule: HouseRule, who: str, failures: str, span: Span, card: str | None) -> Diagnostic:
    """Return the finding that somebody breaks a rule, with its own message if it has one."""
    named_rule = f"`{rule.name}`, `{rule.words}`" if rule.name else f"`{rule.words}`"
    message = f"{who} breaks the house rule {named_rule}: {failures}."
    return Diagnostic(
        "house-advice" if rule.warns else "house-rule",
        f"{rule.message.rstrip('.')}. {message}" if rule.message else message,
        span,
        "Change the card, or the rule in opforge.yaml.",
        (Label(rule.place, "the rule"),),
        card,
    )


# how many cards there are


def _broken_counts(
    count_rule: CountRule, measurements: Sequence[_Measurement], cards: CardSet
) -> Iterator[Diagnostic]:
    """Report each TEAM, kind or set, or the project, that has too many or too few cards.

    The place is the first card too many; of too few it is their TEAM, or the rule itself.
    """
    rule, limit = count_rule.rule, cast(Any, count_rule.rule.condition.rule)
    bound: int = limit.right.value
    for word, counted_cards in _counted(count_rule, measurements, cards).items():
        if COMPARE[limit.compare](len(counted_cards), bound):
            continue
        group = f"The {_TITLES[count_rule.per]} `{word}`" if count_rule.per else "The project"
        first_surplus = counted_cards[bound] if limit.compare == "<=" else None
        entry = first_surplus or (cards.teams.get(word) if count_rule.per == "team" else None)
        span, entry_id = (entry.id_span, entry.id) if entry is not None else (rule.place, None)
        yield _reported(rule, group, _listed([card.id for card in counted_cards]), span, entry_id)


_TITLES = {"team": "TEAM", "kind": "kind", "set": "set"}


def _listed(ids: Sequence[str]) -> str:
    """Return how many cards there are, and the first of them."""
    if not ids:
        return "there is none"
    omitted = f" and {len(ids) - _MAX_LISTED} more" if len(ids) > _MAX_LISTED else ""
    is_are = "is" if len(ids) == 1 else "are"
    return f"there {is_are} {len(ids)}, {', '.join(ids[:_MAX_LISTED])}{omitted}"


def _counted(
    count_rule: CountRule, measurements: Sequence[_Measurement], cards: CardSet
) -> dict[str, list[Card | Objective]]:
    """Return the cards that count: by TEAM, kind or set, or all below an empty word."""
    rule, per = count_rule.rule, count_rule.per
    counted_cards: dict[str, list[Card | Objective]] = {} if per else {"": []}
    if per == "team":
        counted_cards |= {team: [] for team in cards.teams}
    language = cards.project.languages[0]
    for measurement in measurements:
        words = cast(Words, measurement.values([per], language)[per]) if per else ("",)
        for word in words if measurement.kind in rule.kinds else ():
            group = counted_cards.setdefault(word, [])
            if measurement.fits(rule.where):
                group.append(measurement.card)
    return counted_cards


def _rules_words(
    card: Card, names: Names, effects: Mapping[tuple[str, str], tree.Effect], language: str, short: bool
) -> int:
    """Return how many words are printed in a language, by hand or generated, without the names of SKILLs.

    Reminders do not count: a face that has no room leaves them out.
    """
    texts = _rules_texts(card, names, effects, language, short)
    return sum(len(re.findall(r"\S*\w\S*", text)) for text in texts)


def _rules_texts(
    card: Card, names: Names, effects: Mapping[tuple[str, str], tree.Effect], language: str, short: bool
) -> Iterator[str]:
    """Yield the rules texts of a card as printed: its own, else the generated ones."""
    # the wording is loaded only for rules that ask for it
    from toolkit.wording.card_text import rules_text
    from toolkit.wording.text import plain

    yield from (text.in_language(language).value for text in card.texts_only.values())
    if card.text is not None and card.text.is_in(language):
        yield card.text.in_language(language).value
        return
    for source in card_sources(card):
        effect = effects.get((card.id, source.part))
        if source.text is not None and source.text.is_in(language):
            yield source.text.in_language(language).value
        elif effect is not None:
            generated = rules_text(effect, source.role, language, names, short=short)
            if generated is not None:
                yield plain(generated)
