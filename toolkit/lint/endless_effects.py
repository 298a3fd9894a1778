"""Events whose effect never ends, or comes too late for anything.

endless-chain: an event whose effect certainly brings it about again. Three chains are certain by the rules:
an OPERATOR becomes HIT, the effect makes it NORMAL again and gives it at least as many HITCOUNTERs as it has
DP, and so it is HIT again at once (H-1, H-2); one gets a counter or a marker, and the effect, or several of
one card by turns, gives it more of the same; one enters the FIELD, and the effect sends it back and lets it
enter again. A limit (E-4), a condition, `may` or a choice breaks a chain, and then nothing is reported; so it
is with `loses`, which ends at 0, and with BONUS, which a player need not use. ACTIONs at once end, too: the
same sentence earns an OPERATOR one in a TURN (E-32), so `performs ATTACK` under `performs ATTACK` is two.

comes-to-nothing: what an event does too late, or to an OPERATOR that cannot have it. At the end of the TURN
it lapses at once (M-11, K-3). After the comparison of an attack it is too late for that attack (A-1), and
RULEVIOLATION is rolled when it is over (K-2). HIT and OUT OPERATORs take nothing that does not last
`permanently` (H-2), and OUT OPERATORs never come back (T-4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from toolkit.data.effect_sources import EffectSource, card_sources
from toolkit.data.model import Card, CardSet
from toolkit.diagnostics import Diagnostic, Label
from toolkit.dsl import tree
from toolkit.dsl.clause_checks import needs_duration
from toolkit.dsl.effect_printer import print_trigger
from toolkit.dsl.tree import Problem, walk
from toolkit.lint.context import EffectContext, Statement, changed_stat, quoted, statements_of
from toolkit.lint.groups import range_of
from toolkit.lint.pointless_numbers import is_nothing
from toolkit.vocabulary import COUNTERS, DICE_STEP, FORMS, RANGES, TRIGGERS, Role

_WHOSE = {"self-becomes-hit": "self", "own-becomes-hit": "own", "enemy-becomes-hit": "enemy"}
_LAST_CHANCE = "would become HIT"
_RAISED_DP = r"(\+\s*[0-9]+|doubles?|multipl(y|ies)|fix(es)?|limits?)\s+DP\b"
"""DP that another SKILL of the bearer gives it; its tree is not at hand."""
_AFTER_COMPARISON = tuple(name for name in TRIGGERS if name.endswith(("hits", "misses", "critical")))
_COUNTING = ("gets", "loses")
_TURN_ENDS = ("turn-ends", "own-turn-ends", "enemy-turn-ends")
_NORMAL = tree.Becomes("NORMAL")
_MOST_LINKS = 30
"""Play stops a chain of more events (M-11); a marker with a small maximum ends one before."""
_LEAVING_PLAY = (tree.DiscardsThisCard, tree.PutsThisCard)
_PLACES = (tree.SwapsPlaces, tree.Advances, tree.Retreats, tree.EntersField)
_DICE = tuple({getattr(tree, form.node) for form in FORMS.values() if form.step == DICE_STEP})


_ACTS_AGAIN = (tree.GainsBonus, tree.Becomes, tree.Performs)
"""What may let an OPERATOR attack once more in the TURN (K-3, E-32)."""
_SAVES_NOBODY = (
    *{getattr(tree, form.node) for form in FORMS.values() if form.player},
    *_DICE,
    tree.GainsBonus,
    tree.GainsRuleviolation,
    tree.CannotPerform,
    tree.CannotBeAttacked,
    tree.CannotHaveDefence,
    tree.Advances,
)
"""Verbs that change neither a HITCOUNTER nor DP, whoever does them."""


def check(statements: Sequence[Statement]) -> Iterator[Problem]:
    """Endless sentences, and what comes to nothing, each at its words."""
    yield from _growing(statements)
    for statement in statements:
        if not statement.scope.event:
            continue
        yield from _endless_chain(statement, statements)
        yield from _reentering(statement)
        yield from _removed_counters(statement, statements)
        yield from _saves_nobody(statement)
        for number, act in enumerate(statement.acts):
            raised = _NORMAL in act.doings or _may_be_normal(statement, number, statements)
            is_hit = _is_own_hit(statement) and act.who == tree.Ref("self") and not raised
            for doing in act.doings:
                if is_nothing(doing):
                    continue
                if _comes_behind_attack(doing, act, statement, statements):
                    step = "Change EP or DP, write `while attacking`, or let it last longer."
                    yield Problem("too-late", _BEHIND_ATTACK, doing.place, step)
                message_and_step = _too_late(doing, act, statement) or _not_possible(doing, act, is_hit)
                if message_and_step is not None:
                    message, step = message_and_step
                    yield Problem("comes-to-nothing", message, doing.place, step)


# endless-chain


def _endless_chain(statement: Statement, statements: Sequence[Statement]) -> Iterator[Problem]:
    """Who becomes HIT is made NORMAL and HIT again by the same sentence."""
    when = statement.sentence.when
    if when is None or _whose(statement) is None or not _is_certain(statement, statements):
        return
    again = _hit_again(statement, _greatest_dp(statement, statements))
    if again is not None:
        message = (
            "This never ends: the OPERATOR is NORMAL again with at least as many HITCOUNTERs as DP, so"
            f" it is HIT at once, and `when {print_trigger(when)}` happens again."
        )
        step = "Remove one of the steps, give fewer HITCOUNTERs, or add an `if` that ends it."
        yield _endless(message, again.place, step, when)


def _endless(message: str, span: tree.Place, step: str, when: tree.When) -> Problem:
    return Problem("endless-chain", message, span, step, None, ((when.place, "this happens again"),))


def _whose(statement: Statement) -> str | None:
    """Who becomes HIT where the sentence waits for that: `self`, or whose OPERATOR; None where it is open."""
    when = statement.sentence.when
    subject = when.subject if when is not None and when.name == "becomes-hit" else None
    if not isinstance(subject, tree.Group):
        return _WHOSE.get(statement.trigger)
    plain = tree.Group(subject.side, trait=subject.trait, team=subject.team)
    if subject != plain or subject.side == "any":
        return None  # other filters may not hold again
    if subject.trait is not None and subject.trait.text in statement.context.given_traits:
        return None
    return subject.side


def _acts_certainly(sentence: tree.Sentence) -> bool:
    """No condition, no limit (E-4), no choice, nothing that hangs on a clause before (E-2, E-3), and the card
    stays in play (E-13, E-17)."""
    if sentence.condition is not None or sentence.limit is not None:
        return False
    if any(link.startswith("if") for link in sentence.links):
        return False
    acts = [clause for clause in sentence.clauses if isinstance(clause, tree.Act) and not clause.may]
    leaves_play = any(isinstance(doing, _LEAVING_PLAY) for act in acts for doing in act.doings)
    return len(acts) == len(sentence.clauses) and not leaves_play


def _is_certain(statement: Statement, statements: Sequence[Statement]) -> bool:
    """Whether nothing is left open, no OPERATOR leaves the FIELD, and the effect still acts next time."""
    role, bearer = statement.context.role, statement.context.bearer
    # the SKILL of a HIT OPERATOR acts only when it becomes HIT itself (C-3); its cards are removed (H-2)
    acts_again = role is Role.STRATEGY or (role is Role.SKILL and _whose(statement) != "own")
    if not acts_again or not _acts_certainly(statement.sentence):
        return False
    if any(other_statement.trigger == "would-become-hit" for other_statement in statements):
        return False
    if bearer is not None and (bearer.keywords or _skills_that_may(bearer, _LAST_CHANCE)):
        return False
    return not any(tree.Becomes("OUT") in other_statement.doings for other_statement in statements)


def _skills_that_may(bearer: Card, pattern: str) -> int:
    """How many SKILLs of an OPERATOR may do what a pattern finds: nobody knows what text-only ones do."""
    sources = card_sources(bearer)
    return sum(bool(re.search(pattern, source.scalar.value)) for source in sources) + len(bearer.texts_only)


def _greatest_dp(statement: Statement, statements: Sequence[Statement]) -> int:
    """Return how many DP the HIT OPERATOR has at most: its VALUE, unless something here raises it."""
    (_, most_printed), (_, most_in_play) = RANGES["VALUE"], RANGES["current"]
    doings = [doing for other_statement in statements for doing in other_statement.doings]
    bearer = statement.context.bearer
    if any(map(_may_raise_dp, doings)) or (bearer and _skills_that_may(bearer, _RAISED_DP)):
        return most_in_play
    return bearer.number("DP") if bearer and statement.trigger == "self-becomes-hit" else most_printed


def _may_raise_dp(doing: tree.Doing) -> bool:
    stat = changed_stat(doing)
    if stat is None or stat.text != "DP":
        return False
    return doing.amount >= 0 if isinstance(doing, tree.Gets) else not isinstance(doing, tree.Divides)


class _HitOperator(Struct):
    """The OPERATOR that became HIT: its status, at least so many HITCOUNTERs, at most so many DP."""

    dp: int
    status: str = "HIT"
    hitcounter: int = 0

    @property
    def is_hit_again(self) -> bool:
        """H-1: without a HITCOUNTER it is not HIT, however low its DP."""
        return self.status == "NORMAL" and self.hitcounter >= max(1, self.dp)


def _hit_again(statement: Statement, dp: int) -> tree.Doing | None:
    """Play the sentence on the OPERATOR; return what makes it HIT again, or None."""
    operator = _HitOperator(dp)
    for act in statement.acts:
        meant = _is_meant(act.who, operator.status, statement)
        for doing in act.doings:
            if meant:
                _play(doing, operator)
                if operator.is_hit_again:
                    return doing
            elif isinstance(doing, (tree.Becomes, tree.Retreats, tree.SwapsPlaces)) or (
                isinstance(doing, tree.Gets) and doing.what.text == "HITCOUNTER" and doing.amount < 0
            ):
                return None  # it is not certain that the OPERATOR is not meant, and then the chain ends
    return None


def _play(doing: tree.Doing, operator: _HitOperator) -> None:
    """Do to an OPERATOR what a verb certainly does."""
    if isinstance(doing, tree.Becomes):
        operator.status = doing.status
    elif isinstance(doing, (tree.Retreats, tree.SwapsPlaces)):
        operator.status = "gone"
    elif isinstance(doing, tree.Gets) and operator.status == "NORMAL":
        # a counted amount may be 0: it is left out where it would help the proof
        if doing.what.text == "HITCOUNTER" and (doing.per is None or doing.amount < 0):
            operator.hitcounter = 0 if doing.per else max(0, operator.hitcounter + doing.amount)
        elif doing.what.text == "DP" and doing.per is None:
            operator.dp = max(0, operator.dp + doing.amount)


def _is_meant(acting: tree.Who, status: str, statement: Statement) -> bool:
    """Whether WHO certainly means the OPERATOR that became HIT, which has this status now.

    All of a GROUP do if it certainly passes each filter; what it passes is known of side and status, of TEAM
    and traits only where it bears the effect itself, and of nothing else.
    """
    whose = _whose(statement) or ""
    if isinstance(acting, tree.Ref):
        return _is_subject(acting, statement)
    if not isinstance(acting, tree.Every):
        return False
    group = acting.group
    side = "own" if whose == "self" else whose
    if group.side not in ("any", side) or (group.other and side == "own"):
        return False
    if statement.context.role is Role.SKILL and whose != "self" and group.side == "any":
        return False  # the bearer becomes HIT too, and then its SKILL has no effect
    if group.in_range or group.adjacent or group.opposite or group.quantity or group.having:
        return False
    if group.savezone or group.superlative or group.team_of:
        return False
    bearer = statement.context.bearer if whose == "self" else None
    if group.team and not (bearer and bearer.team == group.team.text):
        return False
    if group.trait and not (bearer and group.trait.text in bearer.traits):
        return False
    if group.status is None:
        return status not in ("HIT", "OUT")
    words = [word.text for word in (group.status.status, *group.status.others)]
    return not group.status.negated and status in words


def _is_subject(acting: tree.Who, statement: Statement) -> bool:
    """Whether a REF certainly means the OPERATOR of the event: `it` while nobody was chosen (E-7)."""
    if not isinstance(acting, tree.Ref):
        return False
    when = statement.sentence.when
    is_self = when is not None and (when.subject == tree.Ref("self") or TRIGGERS[when.name].needs_self)
    if acting.name == "self":
        return is_self and (when is None or not isinstance(when.subject, tree.Group))
    return acting.name == "it" and not any(
        isinstance(node, tree.One) for act in statement.acts for node in walk(act)
    )


def _growing(statements: Sequence[Statement]) -> Iterator[Problem]:
    """Sentences that give the OPERATOR that gets or loses something more of the same, alone or by turns."""
    return (problem for _, problem in _growing_with(statements))


def _growing_with(statements: Sequence[Statement]) -> Iterator[tuple[Statement, Problem]]:
    """Yield sentences about what is got or lost that bring about their own event, each with its problem."""
    counting = [statement for statement in statements if statement.trigger in _COUNTING]
    repeating = [statement for statement in counting if _goes_on(statement)]
    given_by = [_given_to_subject(statement) for statement in repeating]
    for number, statement in enumerate(repeating):
        act = _leading_back(number, repeating, given_by)
        when = statement.sentence.when
        if act is None or when is None or statement.trigger == "loses":
            continue  # less and less ends at 0; what is lost and given by turns is reported where it is given
        message = f"This never ends by itself: `when {print_trigger(when)}` happens again each time."
        step = "Write `once per TURN,` in front, give it to somebody else, or add an `if` that ends it."
        yield statement, _endless(message, act.who.place, step, when)


def check_skills(cards: CardSet, effects: Mapping[tuple[str, str], tree.Effect]) -> Iterator[Diagnostic]:
    """Yield the endless chains of several SKILLs of one OPERATOR; those of one SKILL are found with it."""
    for card in cards.cards.values():
        if len(card.skills) < 2:
            continue
        parsed = [(source, effects.get((card.id, source.part))) for source in card_sources(card)]
        counting = [(source, effect) for source, effect in parsed if effect is not None and _counts(effect)]
        if len(counting) < 2:
            continue
        statements: list[Statement] = []
        # by identity, as two SKILLs may have equal sentences
        source_by_id: dict[int, EffectSource] = {}
        ids_reported_alone: set[int] = set()
        for source, effect in counting:
            own_statements = statements_of(effect, EffectContext(source.role, source.bearer))
            source_by_id.update((id(statement), source) for statement in own_statements)
            ids_reported_alone.update(id(statement) for statement, _ in _growing_with(own_statements))
            statements += own_statements
        for statement, problem in _growing_with(statements):
            if id(statement) not in ids_reported_alone:
                yield _in_skill(problem, source_by_id[id(statement)], card)


def _counts(effect: tree.Effect) -> bool:
    """Whether an effect waits for a counter or marker."""
    return any(sentence.when is not None and sentence.when.name in _COUNTING for sentence in effect.sentences)


def _in_skill(problem: Problem, source: EffectSource, card: Card) -> Diagnostic:
    """Return a problem of a SKILL as a finding at its place in the file."""
    labels = tuple(Label(source.scalar.locate(*span), text) for span, text in problem.related)
    span = source.scalar.locate(*problem.place)
    return Diagnostic(problem.name, problem.message, span, problem.next_step, labels, card=card.id)


def _goes_on(statement: Statement) -> bool:
    """Whether it acts each time, on one whom no filter leaves out after a change of numbers or status."""
    when = statement.sentence.when
    subject = when.subject if when is not None else None
    if isinstance(subject, tree.Group) and (
        subject.quantity or subject.having or subject.status or subject.superlative or subject.savezone
    ):
        return False
    leaves = any(isinstance(doing, (tree.Becomes, *_PLACES)) for doing in statement.doings)
    return _acts_certainly(statement.sentence) and not leaves


def _heard(statement: Statement) -> tuple[str, tree.Ref | tree.Group | None]:
    """Return the event that a sentence waits for, such as `gets HITCOUNTER`, and whom it is about."""
    when = statement.sentence.when
    return (f"{when.name} {when.what.text}", when.subject) if when and when.what else ("", None)


def _leading_back(
    number: int, repeating: Sequence[Statement], given_by: Sequence[Mapping[str, tree.Act]]
) -> tree.Act | None:
    """Return the clause by which the event of a sentence comes about again, perhaps through others.

    All events that follow from a clause are searched: those that it causes, and those that the sentences
    cause which wait for one of them, about the same OPERATORs.
    """
    heard_event, subject = _heard(repeating[number])
    for first_event, act in given_by[number].items():
        unfollowed, known_events = [first_event], {first_event}
        while unfollowed:
            event = unfollowed.pop()
            if event == heard_event:
                return act
            for other, acts_by_event in zip(repeating, given_by, strict=True):
                if _heard(other) == (event, subject):
                    unfollowed += acts_by_event.keys() - known_events
                    known_events |= acts_by_event.keys()
    return None


def _given_to_subject(statement: Statement) -> dict[str, tree.Act]:
    """Return the events that the OPERATOR of a sentence's event certainly gets or loses something in it.

    Each has the clause that does it. A marker that soon reaches its maximum does not count: it ends there.
    """
    acts_by_event: dict[str, tree.Act] = {}
    for act in statement.acts:
        if not _is_subject(act.who, statement):
            continue
        for doing in act.doings:
            if not isinstance(doing, tree.Gets) or doing.per is not None:
                continue  # an amount that is counted may be 0
            counter = doing.what.text
            _, most = range_of(doing.what, statement.context)
            heard_event, _ = _heard(statement)
            has_something_to_lose = heard_event == f"gets {counter}"
            if doing.amount < 0 and has_something_to_lose:
                acts_by_event.setdefault(f"loses {counter}", act)
            elif doing.amount > 0 and (counter == "HITCOUNTER" or most > _MOST_LINKS * doing.amount):
                acts_by_event.setdefault(f"gets {counter}", act)
    return acts_by_event


def _reentering(statement: Statement) -> Iterator[Problem]:
    """Who enters the FIELD retreats and enters again."""
    when = statement.sentence.when
    if when is None or when.name != "enters" or not _acts_certainly(statement.sentence):
        return
    if isinstance(when.subject, tree.Group) and when.subject != tree.Group(when.subject.side):
        return
    has_left = False
    for act in statement.acts:
        for doing in act.doings if _is_subject(act.who, statement) else ():
            if isinstance(doing, tree.EntersField) and has_left:
                again = f"`when {print_trigger(when)}` happens again."
                message = f"This never ends: the OPERATOR is back at once, and {again}"
                step = "Write `once per TURN,` in front, or remove one of the steps."
                yield _endless(message, doing.place, step, when)
                return
            has_left = isinstance(doing, tree.Retreats) or has_left


# comes-to-nothing


def _removed_counters(statement: Statement, statements: Sequence[Statement]) -> Iterator[Problem]:
    """A condition on counters of the bearer when it becomes HIT: they are removed by then."""
    condition = statement.sentence.condition
    if condition is None or not _is_own_hit(statement) or _may_be_normal(statement, 0, statements):
        return
    for node in walk(condition):
        if isinstance(node, tree.QuantityOf) and node.ref.name == "self" and node.quantity.text in COUNTERS:
            message = f"{node.quantity.text} of self is 0 by then: becoming HIT removes it (H-2)."
            step = "Use another condition, or remove this one."
            yield Problem("comes-to-nothing", message, node.place, step)


_BEHIND_ATTACK = (
    "The attack has been compared by then, and the card is gone before this OPERATOR attacks again: its AP "
    "come too late."
)


def _comes_behind_attack(
    doing: tree.Doing, act: tree.Act, statement: Statement, statements: Sequence[Statement]
) -> bool:
    """Whether an ATTACK or DEFENCE card changes AP of the attacker after its attack until end of TURN.

    It is EXHAUSTED then (T-3); only one that may act once more in this TURN could use them.
    """
    if statement.context.role not in (Role.ATTACK, Role.DEFENCE) or not isinstance(act.who, tree.Ref):
        return False
    stat, when = changed_stat(doing), statement.sentence.when
    if stat is None or stat.text != "AP" or act.duration is None or act.duration.name != "TURN":
        return False
    is_performed = when is not None and when.name == "performs" and when.what == tree.Word("ATTACK")
    if is_performed:
        is_attacker = _is_subject(act.who, statement)
    else:
        is_attacker = statement.scope.parts.get(act.who.name) == "attacker"
    if not is_attacker or not (is_performed or statement.trigger in _AFTER_COMPARISON):
        return False
    doings = [other_doing for other in statements for other_doing in other.doings]
    return not any(isinstance(other_doing, _ACTS_AGAIN) for other_doing in doings)


def _saves_nobody(statement: Statement) -> Iterator[Problem]:
    """A last chance with nothing by which somebody might not become HIT after all (E-15)."""
    when = statement.sentence.when
    if when is None or when.name != "would-become-hit" or any(map(_may_save, statement.doings)):
        return
    message = "Nothing here lowers a HITCOUNTER or raises DP, so whoever would become HIT still does (E-15)."
    step = (
        f"Write `when {print_trigger(when).replace('would become', 'becomes')}`, or let it get -1 HITCOUNTER."
    )
    yield Problem("saves-nobody", message, when.place, step)


def _may_save(doing: tree.Doing) -> bool:
    """Whether a verb may lower a HITCOUNTER, raise DP, or take away who or what would be judged."""
    stat = changed_stat(doing)
    if stat is None:
        return not isinstance(doing, _SAVES_NOBODY)
    if isinstance(doing, tree.Gets) and stat.text == "HITCOUNTER":
        return doing.amount < 0
    return _may_raise_dp(doing)


def _too_late(doing: tree.Doing, act: tree.Act, statement: Statement) -> tuple[str, str] | None:
    """Return why something is over before anything can come of it, and what to do.

    A change of DP is never too late, nor is what can change DP: they can make HIT (H-1).
    """
    when, stat = statement.trigger, changed_stat(doing)
    lasts = act.duration.name if act.duration and needs_duration(doing) else None
    if isinstance(doing, (tree.Ignores, tree.GainsKeyword, tree.GainsTrait, tree.LosesSkills)):
        return None
    if stat is not None and stat.text in ("DP", "RANGE"):
        return None
    if when in _TURN_ENDS and isinstance(doing, tree.GainsBonus):
        why = "A BONUS lapses with the TURN (K-3), and no more ACTIONs are performed at its end."
        return why, "Write `when the TURN begins`, or remove these words."
    if when == "round-ends" and lasts == "ROUND":
        why = (
            "What lasts until end of ROUND lapses at once here: this event comes directly before that (E-5)."
        )
        return why, "Write `when the ROUND begins`, or remove these words."
    if when in _TURN_ENDS and lasts == "TURN":
        why = (
            "What lasts until end of TURN lapses at once here: this event comes directly before that (M-11)."
        )
        return why, "Write `until end of ROUND` or `when the TURN begins`, or remove these words."
    if lasts != "ATTACK":
        return None
    if isinstance(doing, tree.GainsRuleviolation):
        why = "RULEVIOLATION is rolled at the end of the ACTION (K-2), when the attack is over."
        return why, "Write `until end of TURN`."
    if when in _AFTER_COMPARISON and (stat is not None or isinstance(doing, _DICE)):
        assert statement.sentence.when is not None
        words = f"when {print_trigger(statement.sentence.when)}"
        why = f"{quoted(words)} happens after AP and EP have been compared (A-1), too late for this attack."
        return why, "Write `until end of TURN`, or a `when` that holds during the attack."
    return None


def _not_possible(doing: tree.Doing, act: tree.Act, is_hit: bool) -> tuple[str, str] | None:
    """Return why HIT or OUT OPERATORs cannot have or do something, and what to do."""
    if isinstance(doing, _PLACES):
        if is_hit or _are(act.who, "HIT") or _are(act.who, "OUT"):
            step = "Remove these words, or make the OPERATOR NORMAL first."
            return "HIT and OUT OPERATORs do not change their place (E-10).", step
        return None
    if isinstance(doing, tree.Performs):
        if is_hit or _are(act.who, "HIT") or _are(act.who, "OUT"):
            return "HIT and OUT OPERATORs perform no ACTION (R-2).", "Remove these words, or name others."
        return None
    if isinstance(doing, tree.Becomes):
        if doing.status != "OUT" and _are(act.who, "OUT"):
            return "OUT OPERATORs never come back (T-4).", "Write `that are HIT`, or remove these words."
        return None
    lasts = act.duration.name if act.duration and needs_duration(doing) else None
    counts = isinstance(doing, tree.Gets) and doing.what.text in COUNTERS
    if not counts and (lasts is None or lasts == "permanently"):
        return None
    step = "Remove these words, or make the OPERATOR NORMAL first."
    if is_hit:
        return "The OPERATOR is HIT by then, and takes no counters and no temporary changes (H-2).", step
    if _are(act.who, "HIT") or _are(act.who, "OUT"):
        return "HIT and OUT OPERATORs take no counters and no temporary changes (H-2).", step
    return None


def _are(acting: tree.Who, status: str) -> bool:
    """Whether a GROUP asks for this status."""
    if not isinstance(acting, (tree.One, tree.Every)) or acting.group.status is None:
        return False
    status_filter = acting.group.status
    return status_filter.status.text == status and not status_filter.negated and not status_filter.others


def _is_own_hit(statement: Statement) -> bool:
    return statement.trigger == "self-becomes-hit" and statement.context.role is Role.SKILL


def _may_be_normal(statement: Statement, number: int, statements: Sequence[Statement]) -> bool:
    """Whether something before the act of that number, or another SKILL, may make the bearer NORMAL again."""
    if any(_NORMAL in act.doings for act in statement.acts[:number]):
        return True
    if any(_NORMAL in other.doings for other in statements if other is not statement):
        return True
    bearer = statement.context.bearer
    own_count = 1 if _NORMAL in statement.doings else 0
    return bearer is not None and _skills_that_may(bearer, "NORMAL") > own_count
