"""Checks of a sentence's opening and clauses: events, limits, links, durations, and who ``it`` is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from toolkit.diagnostics.phrases import listed_in_text
from toolkit.dsl import tree
from toolkit.dsl.effect_printer import COUNT_WORDS, print_condition, print_doing, print_trigger
from toolkit.dsl.scope import Scope
from toolkit.dsl.tree import Problem, walk
from toolkit.vocabulary import COUNTERS, IGNORABLE_ACTIONS, TRIGGERS, Role

# WHEN, WHILE and the limit

_PLAIN_ROLES = (Role.TEAMWORK, Role.SUPPRESSION)
_HITS = ("hits", "attack-by-hits", "attack-on-hits")
_BEGINS = ("attack-by-begins", "attack-on-begins")


def opening_problems(sentence: tree.Sentence, scope: Scope) -> Iterator[Problem]:
    """Yield problems of ``when`` before a state, ``while`` before an event, and limits without an event."""
    opening, when = sentence.opening, sentence.when
    if opening is not None and opening.text == "when" and when is None and sentence.condition is not None:
        condition_text = print_condition(sentence.condition)
        yield Problem(
            "when-needs-event",
            f"`{condition_text}` is a state, not an event.",
            opening.place,
            f"Write `while {condition_text}`.",
            "while",
        )
    if opening is not None and opening.text == "while" and when is not None and TRIGGERS[when.name].event:
        condition_text = print_trigger(when)
        yield Problem(
            "while-needs-state",
            f"`{condition_text}` is an event, not a state.",
            opening.place,
            f"Write `when {condition_text}`.",
            "when",
        )
    if sentence.limit is not None:
        yield from _limit(sentence, sentence.limit, scope)
    if when is not None and when.name in _BEGINS and scope.role in (Role.ATTACK, Role.DEFENCE):
        yield Problem(
            "too-late",
            "This card is attached in step 5, when the attack has begun (E-21).",
            when.place,
            "Write `when attached`. (It only hears later attacks of this TURN begin.)",
        )


def _limit(sentence: tree.Sentence, limit: tree.Limit, scope: Scope) -> Iterator[Problem]:
    """Check that a limit is one of an event that may happen more than once."""
    start = sentence.place[0]
    span = (start, start + len("once"))
    if not scope.event:
        acts = [node for node in walk(sentence) if isinstance(node, tree.Act)]
        if all(_is_choice_about_dice(act, doing) for act in acts for doing in act.doings):
            return  # such a choice is offered in each attack, so it can be limited
        if any(_is_one_shot(doing) for act in acts for doing in act.doings):
            return  # the verb's own problem says that it needs an event
        yield Problem(
            "limit-needs-event",
            f"`once per {limit}` limits an event, but this sentence holds all the time.",
            span,
            "Name the event, for example `when self performs ATTACK`.",
        )
    elif scope.trigger is not None and scope.trigger.name in ("played", "attached"):
        yield Problem(
            "useless-limit",
            f"A card is {scope.trigger.name} once, so `once per {limit}` limits nothing.",
            span,
            "Remove it.",
        )


# DOES


def clause_problems(sentence: tree.Sentence, scope: Scope) -> Iterator[Problem]:
    """Yield problems of the clauses; that an event is needed is reported once a sentence."""
    problems = [problem for clause in sentence.clauses for problem in _clause(clause, scope)]
    problems += _sequence(sentence, scope)
    problems += _branches(sentence)
    problems += _back_references(sentence, scope)
    problems += _numbers(sentence, scope)
    problems += _discarded_cards(sentence)
    needs_event = [problem for problem in problems if problem.name == "needs-event"]
    yield from needs_event[:1]
    yield from (problem for problem in problems if problem.name != "needs-event")


def _clause(clause: tree.Clause, scope: Scope) -> Iterator[Problem]:
    """Check one clause: who acts, what is done, and how long it lasts.

    What is decided at one moment needs an event, but `may set` does not: it is asked in each attack (E-24).
    """
    if isinstance(clause, tree.Either):
        yield from _clause(clause.first, scope)
        yield from _clause(clause.second, scope)
        return
    acting = clause.who
    if isinstance(acting, tree.One) and not scope.event:
        words = f"{'up to ' * acting.up_to}{COUNT_WORDS[acting.count]}"
        yield _needs_event(
            acting.place, f"`{words} …` is chosen at one moment", "Write `all …`, or name an event", scope
        )
    if (
        clause.may
        and not scope.event
        and not all(isinstance(doing, tree.SetsDice) for doing in clause.doings)
    ):
        span = (acting.place[1] + 1, acting.place[1] + len(" may"))
        yield _needs_event(span, "`may` is decided at one moment", "Name an event", scope)
    for doing in clause.doings:
        yield from _actor(acting, doing)
        yield from _doing(acting, doing, scope)
        yield from _forbids_too_late(doing, clause, scope)
        if _is_one_shot(doing) and not scope.event:
            happening = "A counter changes" if isinstance(doing, tree.Gets) else f"`{_verb(doing)}` happens"
            yield _needs_event(doing.place, f"{happening} at one moment", "Name an event", scope)
    yield from _duration(clause, scope)
    if scope.role in _PLAIN_ROLES or scope.facts.is_event:
        yield from _in_rules(clause, scope)


def _is_choice_about_dice(act: tree.Act, doing: tree.Doing) -> bool:
    return isinstance(doing, tree.MayReroll) or (act.may and isinstance(doing, tree.SetsDice))


def _is_one_shot(doing: tree.Doing) -> bool:
    return _counts(doing) or tree.form_of(doing).once


def _counts(doing: tree.Doing) -> bool:
    """Whether it changes a counter or the number of a marker."""
    return isinstance(doing, tree.Gets) and (
        doing.what.text in COUNTERS or isinstance(doing.what, tree.Marker)
    )


def _verb(doing: tree.Doing) -> str:
    return print_doing(doing).split()[0]


_EVENTS_LIKE = {
    "attacking": "`when the attack hits` or `when self performs ATTACK`",
    "attacked": "`when an attack on self hits` or `when an attack on self misses`",
    "own-attacks": "`when an own OPERATOR performs ATTACK`",
    "enemy-attacks": "`when an enemy OPERATOR performs ATTACK`",
    "own-is-attacked": "`when an attack on an own OPERATOR hits`",
    "enemy-is-attacked": "`when an attack on an enemy OPERATOR hits`",
}
"""Events to propose in place of triggers that are states."""


def _needs_event(span: tree.Place, why: str, step: str, scope: Scope) -> Problem:
    """Return the problem that something at one moment is in a sentence without an event."""
    name = scope.trigger.name if scope.trigger else ""
    events = _EVENTS_LIKE.get(name, "`when the attack hits` or `when the TURN begins`")
    return Problem(
        "needs-event",
        f"{why}, but this sentence holds all the time.",
        span,
        f"{step}, for example {events}.",
    )


_OF_ONE_PLAYER: dict[type, str] = {
    tree.RollsDie: "One player rolls the D6.",
    tree.WinsGame: "One player wins the GAME.",
    tree.LosesGame: "One player loses the GAME.",
}


def _actor(acting: tree.Who, doing: tree.Doing) -> Iterator[Problem]:
    """Check that players do what players can, and OPERATORs what they can."""
    is_player = isinstance(acting, tree.Player)
    if isinstance(doing, tree.Gets) and isinstance(doing.what, tree.Marker):
        return  # the marker's own entry says whether OPERATORs or players have it
    if is_player == tree.form_of(doing).player:
        message = _OF_ONE_PLAYER.get(type(doing))
        if message and acting == tree.Player("each player"):
            yield Problem("wrong-who", message, acting.place, "Write `owner` or `opponent`.")
        if isinstance(doing, tree.PutsThisCard) and acting != tree.Player("owner"):
            yield Problem("wrong-who", "A card comes back to its own player.", acting.place, "Write `owner`.")
        return
    if is_player:
        message = f"A player cannot do this: `{_verb(doing)}` is for OPERATORs."
        yield Problem("wrong-who", message, acting.place, "Name OPERATORs, for example `all own OPERATORs`.")
    else:
        message = f"An OPERATOR cannot do this: `{_verb(doing)}` is for players."
        yield Problem("wrong-who", message, acting.place, "Write `owner` or `opponent`.")


def needs_duration(doing: tree.Doing) -> bool:
    """Whether a change by an event needs a duration (LANGUAGE.md §2, DURATION)."""
    return tree.form_of(doing).lasts and not _counts(doing)


def _duration(act: tree.Act, scope: Scope) -> Iterator[Problem]:
    """Check that what an event changes says how long it lasts, and nothing else does."""
    lasting = [doing for doing in act.doings if needs_duration(doing)]
    if act.duration is not None:
        yield from _wrong_duration(act, act.duration, bool(lasting), scope)
    elif scope.event and lasting:
        doing = lasting[0]
        span = doing.amount_place if isinstance(doing, tree.Gets) else _first_word(doing)
        yield Problem(
            "missing-duration",
            "This change is made by an event and does not say how long it lasts.",
            span,
            f"Add {listed_in_text([*_possible_durations(act)], 'or')}.",
        )


def _wrong_duration(
    act: tree.Act, duration: tree.Duration, does_something_last: bool, scope: Scope
) -> Iterator[Problem]:
    """Check that a duration is about something, and can be the one of this act."""
    if not scope.event or not does_something_last:
        message, step = "Nothing here lasts, so the duration has no effect.", "Remove it."
        if not scope.event:
            message = "This sentence holds all the time, so the duration has no effect."
            step = "Remove it, or begin with an event."
        yield Problem("unused-duration", message, duration.place, step, "", safe=False)
    elif duration.name == "permanently" and tree.LosesSkills() in act.doings:
        message = "SKILLs are lost for a time, and not for good."
        step = "Write `until end of ROUND` or `while on the FIELD`."
        yield Problem("wrong-duration", message, duration.place, step)
    elif duration.name == "FIELD" and isinstance(act.who, tree.Player):
        message = "A player is not on the FIELD, so this does not say how long it lasts."
        step = "Write `until end of TURN` or `ROUND`, `until the own TURN begins` or `permanently`."
        yield Problem("wrong-who", message, duration.place, step)
    elif duration.name == "ATTACK" and not scope.attack:
        step = "Write `until end of TURN`."
        yield Problem(
            "no-attack", _no_end_of_attack(scope), duration.place, step, "until end of TURN", safe=False
        )


def _possible_durations(act: tree.Act) -> Iterator[str]:
    """Yield how long what an event changes can last, in an attack or not."""
    yield from ("`until end of TURN`", "`until end of ROUND`", "`until the own TURN begins`")
    if not isinstance(act.who, tree.Player):
        yield "`while on the FIELD`"
    if tree.LosesSkills() not in act.doings:
        yield "`permanently`"


def _no_end_of_attack(scope: Scope) -> str:
    """Return why nothing lasts until the end of an attack, even if one goes on or follows (A-1, M-5)."""
    if scope.trigger is not None and scope.trigger.name == "attached":
        return "`when attached` is about the card and not about an attack, so nothing can last to its end."
    if scope.role is Role.ACTION_ATTACK:
        return "This acts before the attack of the ACTION begins, so nothing can last to its end."
    return f"There is no attack {scope.occasion}, so nothing can last to its end."


def _first_word(doing: tree.Doing) -> tree.Place:
    """Return the place of the verb; a tree that no text was parsed to has no places."""
    start = doing.place[0]
    return (start, start + len(_verb(doing))) if doing.place != (0, 0) else doing.place


def _sequence(sentence: tree.Sentence, scope: Scope) -> Iterator[Problem]:
    """Yield problems of ``, then`` and ``either`` without an event."""
    if scope.event:
        return
    for number, clause in enumerate(sentence.clauses):
        link = sentence.link(number)
        if number and link != "and":
            yield _needs_event(clause.place, f"`, {link}` says what happens next", "Name an event", scope)
        if isinstance(clause, tree.Either):
            happening = "`either … or …` is chosen at one moment"
            yield _needs_event(clause.place, happening, "Name an event", scope)


_DESTINATION = {"into the hand": "hand", "into the DISCARDZONE": "DISCARDZONE"}
_CARD_ROLES = (Role.ATTACK, Role.DEFENCE, Role.ITEM, Role.STRATEGY)
_COMING_BACK = (Role.ATTACK, Role.DEFENCE, Role.EFFECT, Role.STRATEGY)


def _doing(acting: tree.Who, doing: tree.Doing, scope: Scope) -> Iterator[Problem]:
    """Yield problems of single verbs."""
    match doing:
        case tree.Gets() | tree.Multiplies() | tree.Divides() | tree.Fixes() | tree.Limits():
            yield from _damage_and_range(acting, doing, scope)
        case tree.Ignores(what) if what in IGNORABLE_ACTIONS and scope.attack and not scope.event:
            yield Problem(
                "too-late",
                f"`ignores {what}` is asked when the ACTION is performed, so in an attack it comes too late.",
                (doing.place[1] - len(what), doing.place[1]),
                f"Remove the trigger: `self ignores {what}.`",
            )
        case tree.GainsKeyword() | tree.GainsTrait() if scope.attack and not scope.event:
            given_thing = "A KEYWORD" if isinstance(doing, tree.GainsKeyword) else "A trait"
            yield Problem(
                "wrong-trigger",
                f"{given_thing} is given before an attack or not at all.",
                _first_word(doing),
                "Remove the trigger, or give it by an event.",
            )
        case tree.SwapsPlaces() | tree.TakesItem() if _means_several(acting):
            message = "Two OPERATORs swap places, so the subject is one of them."
            if isinstance(doing, tree.TakesItem):
                message = "One OPERATOR takes an ITEM, so the subject is a single one."
            yield Problem("several-operators", message, acting.place, "Write `one` or name one of them.")
        case tree.Puts(source=source, to=to) if _DESTINATION.get(to) == source.zone:
            message = f"The card is there already: it comes from the {source.zone}."
            yield Problem(
                "same-place", message, (doing.place[1] - len(to), doing.place[1]), "Name another place."
            )
        case tree.DiscardsThisCard() if scope.role is Role.EFFECT:
            message = "An EFFECT card goes to the DISCARDZONE anyway."
            yield Problem("adds-nothing", message, doing.place, "Remove these words.")
        case tree.DiscardsThisCard() if scope.role not in _CARD_ROLES:
            yield _not_this_card(doing, "leave play", scope)
        case tree.PutsThisCard() if scope.role not in _COMING_BACK:
            yield _not_this_card(doing, "come back", scope)


def _not_this_card(doing: tree.Doing, what_it_cannot: str, scope: Scope) -> Problem:
    """Return the problem that `this card` is of a kind that cannot do what is said of it."""
    start = doing.place[0] + len(f"{_verb(doing)} ")
    title = scope.facts.title
    step = "Write what the OPERATOR does, for example `self becomes OUT` or `self retreats`."
    if scope.role is Role.ITEM:
        step = "Write `owner discards this card` or `self loses ITEM`."
    return Problem(
        "this-card",
        f"{title[0].upper()}{title[1:]} is not a card that can {what_it_cannot}.",
        (start, start + len("this card")),
        step,
    )


def _damage_and_range(acting: tree.Who, doing: Any, scope: Scope) -> Iterator[Problem]:
    """Check that DAMAGE is not changed for the attacker, and RANGE not in an attack."""
    word = doing.what if isinstance(doing, tree.Gets) else doing.stat
    if word.text == "DAMAGE" and isinstance(acting, tree.Ref) and scope.parts.get(acting.name) == "attacker":
        other = "target" if "target" in scope.sides and acting.name == "self" else "attacked"
        yield Problem(
            "damage-of-attacker",
            f"`{acting.name}` attacks, but DAMAGE is what the attacked OPERATOR takes.",
            word.place,
            f"To change what the attack does, write `{other}` in place of `{acting.name}`.",
        )
    if word.text == "RANGE" and scope.attack and not scope.event:
        yield Problem(
            "too-late",
            "The target has been chosen by then, so a change of RANGE comes too late.",
            word.place,
            "Remove the trigger: `self gets +1 RANGE.`",
        )


def _forbids_too_late(doing: tree.Doing, clause: tree.Act, scope: Scope) -> Iterator[Problem]:
    """Check that nothing forbids an attack that has begun: whether it is allowed is not asked again
    (E-21)."""
    is_forbidding = isinstance(doing, tree.CannotBeAttacked) or doing == tree.CannotPerform("ATTACK")
    has_begun = scope.trigger is not None and scope.trigger.precedes_dice
    if is_forbidding and has_begun and clause.duration == tree.Duration("ATTACK"):
        yield Problem(
            "too-late",
            "The attack has begun, so this comes too late to forbid it (E-21).",
            doing.place,
            "Write `until end of TURN`, or forbid it without an event.",
        )


_FOR_CARDS = (
    *(tree.CannotHave, tree.CannotMakeCritical, tree.CannotLoseHitcounter, tree.CannotPlay, tree.CannotDraw),
    *(tree.Performs, tree.LosesSkills, tree.WinsGame, tree.LosesGame),
)
"""Verbs of the third edition that only cards and SKILLs have."""


def _is_for_cards(doing: tree.Doing) -> bool:
    return isinstance(doing, _FOR_CARDS) or doing == tree.CannotPerform("BONUS")


def _in_rules(clause: tree.Act, scope: Scope) -> Iterator[Problem]:
    """Check that TEAMWORK, SUPPRESSION and ACTIONs have no ``may``, RANGE, KEYWORDs or traits, and nothing
    that is for cards only.

    LANGUAGE2.md §6: they hold for every OPERATOR, so each of them would have to be asked for in every number.
    """
    title = scope.facts.title
    if clause.may and (scope.event or not all(isinstance(doing, tree.SetsDice) for doing in clause.doings)):
        span = (clause.who.place[1] + 1, clause.who.place[1] + len(" may"))
        yield Problem("not-in-rules", f"{title} lets nobody decide: it has no `may`.", span, "Remove it.")
    for doing in clause.doings:
        if scope.facts.is_event and (
            isinstance(doing, (tree.KeepsDice, tree.SetsDice)) or getattr(doing, "shown", None) is not None
        ):
            message = f"{title[0].upper()}{title[1:]} does not choose among dice."
            yield Problem("not-in-rules", message, doing.place, "Put it on a card or a SKILL.")
        if isinstance(doing, tree.Ignores) and doing.what in IGNORABLE_ACTIONS:
            message = f"{title} cannot let an OPERATOR ignore {doing.what}."
            yield Problem("not-in-rules", message, doing.place, "Put it on a card or a SKILL.")
        changes_range = isinstance(doing, tree.Gets) and doing.what.text == "RANGE"
        if changes_range or isinstance(doing, (tree.GainsKeyword, tree.GainsTrait)):
            changed_thing = "RANGE" if changes_range else "KEYWORDs and traits"
            message = (
                f"{title} cannot change {changed_thing}: it would have to be looked up for every OPERATOR."
            )
            yield Problem("not-in-rules", message, doing.place, "Put it on a card or a SKILL.")
        elif _is_for_cards(doing):
            message = f"{title} cannot say this: `{print_doing(doing)}` is for cards and SKILLs."
            yield Problem("not-in-rules", message, doing.place, "Put it on a card or a SKILL.")


# , if so and , if not


def _branches(sentence: tree.Sentence) -> Iterator[Problem]:
    """Check that there is at most one ``if so`` and then one ``if not``, after a clause that can fail."""
    earlier_links: list[tree.Link] = []
    for number, clause_before in enumerate(sentence.clauses[:-1], 1):
        link = sentence.link(number)
        if not link.startswith("if"):
            continue
        start = clause_before.place[1] + len(", ")
        span = (start, start + len(link))
        comes_too_late = link in earlier_links or (link == "if so" and bool(earlier_links))
        if comes_too_late or isinstance(clause_before, tree.Either):
            yield Problem(
                "second-branch",
                "A sentence has one `if so` and one `if not`, in this order, and not after `either`.",
                span,
                "Write another sentence.",
            )
        elif _performs(clause_before):
            yield Problem(
                "not-known-yet",
                "The ACTION comes when all this is over, so it is not known yet whether it was done (E-32).",
                span,
                f"Name the event in another sentence: `when self performs {_performs(clause_before)}`.",
            )
        elif not earlier_links and _cannot_fail(clause_before):
            yield Problem(
                "nothing-to-fail",
                "The clause before cannot fail.",
                span,
                "Write `, then`, or let that clause be optional with `may`.",
            )
        earlier_links.append(link)


_CAN_FAIL = (
    tree.Draws, tree.Discards, tree.Becomes, tree.RollsDie, tree.SwapsPlaces, tree.Advances, tree.Retreats,
    tree.EntersField, tree.Loses, tree.BecomesTarget, tree.DiscardsStrategy, tree.DiscardsThisCard, tree.Puts,
    tree.PutsThisCard, tree.FetchesItems, tree.TakesItem,
)  # fmt: skip


def _performs(clause: tree.Clause) -> str:
    """Return the ACTION that a clause lets somebody perform at once; nothing if there is none."""
    doings = clause.doings if isinstance(clause, tree.Act) else ()
    return next((doing.action for doing in doings if isinstance(doing, tree.Performs)), "")


def _cannot_fail(clause: tree.Clause) -> bool:
    """Whether a clause always has its subject, and all of its verbs always happen in full (E-3)."""
    if isinstance(clause, tree.Either) or clause.may:
        return False
    acting = clause.who
    if isinstance(acting, tree.One):
        return False
    if isinstance(acting, tree.Every) and (acting.group.order or acting.group.other):
        return False  # with filters there may be no such OPERATOR
    return not any(
        isinstance(doing, _CAN_FAIL) or (isinstance(doing, tree.Gets) and _is_one_shot(doing))
        for doing in clause.doings
    )


# it


class _Antecedent(Struct, frozen=True):
    """What ``it`` refers to: one or several OPERATORs, their side, and the name of a trigger's OPERATOR."""

    several: bool
    side: str
    name: str = ""


def _back_references(sentence: tree.Sentence, scope: Scope) -> Iterator[Problem]:
    """Yield problems of ``it`` without an antecedent, or for several OPERATORs where one is needed (E-7)."""
    start = _trigger_antecedent(sentence, scope)
    if sentence.condition is not None:
        yield from _check_it(sentence.condition, start)
    if sentence.when is not None and sentence.when.subject is not None:
        yield from _check_it(sentence.when.subject, None)
    problems: list[Problem] = []
    antecedent = start
    for clause in sentence.clauses:
        antecedent = _after_clause(clause, antecedent, scope, problems)
    yield from problems


def _trigger_antecedent(sentence: tree.Sentence, scope: Scope) -> _Antecedent | None:
    """Return whom `it` means at the beginning of a sentence: the OPERATOR of its trigger, if any."""
    if "it" not in scope.sides or scope.trigger is None:
        return None
    subject = sentence.when.subject if sentence.when is not None else None
    is_self = isinstance(subject, tree.Ref) or (subject is None and scope.trigger.needs_self)
    return _Antecedent(False, scope.sides["it"], "self" if is_self else "it")


def _after_clause(
    clause: tree.Clause, antecedent: _Antecedent | None, scope: Scope, problems: list[Problem]
) -> _Antecedent | None:
    """Return the antecedent after a clause; problems in the clause are added to ``problems``."""
    if isinstance(clause, tree.Either):
        return _common_antecedent(
            _after_clause(side, antecedent, scope, problems) for side in (clause.first, clause.second)
        )
    acting = clause.who
    if isinstance(acting, tree.Ref) and acting.name == "it" and antecedent is None:
        problems.append(_no_it(acting))
    if isinstance(acting, (tree.One, tree.Every)):
        problems += _check_it(acting.group, antecedent)
        problems += _other(acting.group, antecedent, scope)
    if isinstance(acting, tree.One):
        antecedent = _Antecedent(acting.count > 1 or acting.up_to, acting.group.side)
    for doing in clause.doings:
        problems += _check_it(doing, antecedent)
        for node in walk(doing):
            if isinstance(node, tree.Group):
                problems += _other(node, antecedent, scope)
        needs_one = isinstance(doing, (tree.WithPartner, tree.BecomesTarget))
        if needs_one and antecedent is not None and antecedent.several and acting == tree.Ref("it"):
            problems.append(_not_single(acting))
        if isinstance(doing, tree.BecomesTarget):
            problems += _new_target(acting, doing, antecedent, scope)
        if isinstance(doing, tree.SwapsPlaces):
            problems += _swap_partner(acting, doing.partner, antecedent, scope)
        if isinstance(doing, tree.WithPartner):
            antecedent = (
                _Antecedent(False, doing.partner.group.side)
                if isinstance(doing.partner, tree.One)
                else antecedent
            )
    return antecedent


def _common_antecedent(antecedents: Iterable[_Antecedent | None]) -> _Antecedent | None:
    """Return what `it` means after `either … or …`, of which only one side was done."""
    known_antecedents = {antecedent for antecedent in antecedents if antecedent is not None}
    if len(known_antecedents) > 1:
        return _Antecedent(any(antecedent.several for antecedent in known_antecedents), "any")
    return next(iter(known_antecedents), None)


def _new_target(
    acting: tree.Who, doing: tree.BecomesTarget, antecedent: _Antecedent | None, scope: Scope
) -> Iterator[Problem]:
    """Check that an attack begins, and that another OPERATOR of that side becomes its target (E-22)."""
    if scope.trigger is None or scope.trigger.name not in tree.form_of(doing).triggers:
        if scope.event:
            yield Problem(
                "no-attack",
                "The target of an attack changes only when the attack begins.",
                doing.place,
                "Begin with `when an attack on an own OPERATOR begins,`.",
            )
        return  # without an event that is a problem of its own
    if _means_several(acting):
        message = "An attack has one target, so the subject is one OPERATOR."
        yield Problem("several-operators", message, acting.place, "Write `one` or name one of them.")
        return
    sides = {_side(acting, antecedent, scope), scope.sides["attacked"]}
    if sides == {"own", "enemy"} or _is_attacked(acting, antecedent, scope):
        message = "Another OPERATOR of the attacked OPERATOR’s side becomes the target."
        yield Problem("across", message, acting.place, "Name another OPERATOR of that side.")


def _means_several(acting: tree.Who) -> bool:
    return isinstance(acting, tree.Every) or (
        isinstance(acting, tree.One) and (acting.count > 1 or acting.up_to)
    )


def _is_attacked(acting: tree.Who, antecedent: _Antecedent | None, scope: Scope) -> bool:
    """Whether a REF certainly means the OPERATOR on which the attack begins, or the attacked one."""
    if not isinstance(acting, tree.Ref) or scope.trigger is None:
        return False
    is_subject = acting.name == "it" and antecedent is not None and bool(antecedent.name)
    if is_subject or (acting.name == "self" and "target" in scope.sides):
        return scope.trigger.part == "attacked"
    return scope.parts.get(acting.name) == "attacked"


def _swap_partner(
    acting: tree.Who, partner: tree.Ref | tree.One, antecedent: _Antecedent | None, scope: Scope
) -> Iterator[Problem]:
    """Check that an OPERATOR swaps places with another one, of its own side."""
    if isinstance(acting, tree.Ref) and isinstance(partner, tree.Ref):
        first, second = (
            antecedent.name if partner_ref.name == "it" and antecedent else partner_ref.name
            for partner_ref in (acting, partner)
        )
        if acting.name == partner.name or (first and second and scope.same(first, second)):
            message = "OPERATORs swap places with others, not with themselves."
            yield Problem("across", message, partner.place, "Write `one other own OPERATOR`.")
            return
    side, partners_side = (_side(partner_ref, antecedent, scope) for partner_ref in (acting, partner))
    if {side, partners_side} == {"own", "enemy"}:
        message = "OPERATORs swap places with others of their own side."
        yield Problem("across", message, partner.place, f"Write one of the {side} OPERATORs.")


def _side(acting: tree.Who, antecedent: _Antecedent | None, scope: Scope) -> str | None:
    """Return the side of a WHO, as far as it is known."""
    if isinstance(acting, tree.Ref):
        if acting.name == "it":
            return None if antecedent is None else antecedent.side
        return scope.sides.get(acting.name)
    return None if isinstance(acting, tree.Player) else acting.group.side


def _other(group: tree.Group, antecedent: _Antecedent | None, scope: Scope) -> Iterator[Problem]:
    """Check that ``other`` has an OPERATOR to exclude: ``self``, or ``it`` on cards without self."""
    if group.other and "self" not in scope.sides and antecedent is None:
        start = group.place[0]
        yield Problem(
            "no-self",
            f"`other` excludes `self`, but there is no `self` on {scope.facts.title}.",
            (start, start + len("other")),
            "Remove `other`.",
        )


def _check_it(node: Any, antecedent: _Antecedent | None) -> Iterator[Problem]:
    """Check each ``it`` in a node: in a condition or a number it must be a single OPERATOR."""
    inner_nodes = [*walk(node)]
    its = [ref for ref in inner_nodes if isinstance(ref, tree.Ref) and ref.name == "it"]
    if antecedent is None:
        yield from map(_no_it, its)
    elif its and antecedent.several:
        # by identity: another `it`, which is equal, may be where several are possible
        single_ids = {id(ref) for inner_node in inner_nodes for ref in _single_refs(inner_node)}
        yield from (_not_single(ref) for ref in its if id(ref) in single_ids)


def _single_refs(node: Any) -> tuple[tree.Ref, ...]:
    """Return the REFs of a node that must be one OPERATOR."""
    if isinstance(node, (tree.QuantityOf, tree.HasStatus, tree.Bears, tree.HasReached, tree.HasPerformed)):
        return (node.ref,)
    if isinstance(node, tree.HasTeamOf):
        return (node.ref, node.of)
    if isinstance(node, tree.WithPartner):
        return (node.partner,) if isinstance(node.partner, tree.Ref) else ()
    return (node.ref, node.to) if isinstance(node, tree.Stands) else ()


def _no_it(ref: tree.Ref) -> Problem:
    return Problem(
        "no-it",
        "Nobody was chosen or named before, so it is not clear who `it` is.",
        ref.place,
        "Choose first: `one enemy OPERATOR …, then …`, or name the OPERATOR.",
    )


def _not_single(ref: tree.Who) -> Problem:
    return Problem(
        "several-operators",
        "One OPERATOR is needed here, and `them` may be several.",
        ref.place,
        "Choose `one` before, or name a single OPERATOR.",
    )


def _discarded_cards(sentence: tree.Sentence) -> Iterator[Problem]:
    """Check that cards were discarded before they are counted, whatever branch is taken (E-13)."""
    acts = (node for node in walk(sentence) if isinstance(node, tree.Act))
    for doing in (doing for act in acts for doing in act.doings):
        counted_cards = [node for node in walk(doing) if isinstance(node, tree.Discarded)]
        if counted_cards:
            yield Problem(
                "no-it",
                "Nothing was discarded before, so it is not clear which cards are counted.",
                counted_cards[0].place,
                "Discard first: `owner discards 1 card, then …`.",
            )
        if isinstance(doing, tree.DISCARDING):
            return  # from here on there is something to count


# NUMBERs

_NUMBERED = frozenset((tree.Damage, tree.Gets, tree.InRange, tree.MarkerOfPlayer, tree.Stands))


def _numbers(sentence: tree.Sentence, scope: Scope) -> Iterator[Problem]:
    """Check that no DAMAGE is used before it is known, RANGE not for RANGE, and of players only markers."""
    nodes = [node for node in walk(sentence) if node.__class__ in _NUMBERED]
    changes_range = any(isinstance(node, tree.Gets) and node.what.text == "RANGE" for node in nodes)
    for node in nodes:
        if isinstance(node, tree.Damage) and (scope.trigger is None or scope.trigger.name not in _HITS):
            message = "The DAMAGE is not known yet."
            yield Problem("no-damage", message, node.place, "Use it after `when the attack hits`.")
        elif isinstance(node, tree.MarkerOfPlayer) and not isinstance(node.quantity, tree.Marker):
            message = f"A player has no {node.quantity.text}."
            yield Problem("wrong-who", message, node.player.place, "Name an OPERATOR, for example `self`.")
        elif changes_range and (
            isinstance(node, tree.InRange) or (isinstance(node, tree.Stands) and node.relation == "in RANGE")
        ):
            yield Problem(
                "range-of-range",
                "A change of RANGE may not depend on RANGE.",
                node.place,
                "Write `adjacent to self`, or another condition.",
            )
