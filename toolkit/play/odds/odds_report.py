"""Exact odds as text for people, or as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from textwrap import wrap
from typing import Any

from toolkit.diagnostics.phrases import alternatives
from toolkit.diagnostics.reporters import Style, unstyled
from toolkit.play.odds.exploring import Situation
from toolkit.play.odds.measures import GOALS, Goal, Measures
from toolkit.play.odds.policy import DecidedCase, DecisionPolicy
from toolkit.play.odds.request import Odds, RefusedOdds

BAR = 40
"""How many characters the bar of a certain result has."""
MOST_CASES = 6
"""How many exceptions of a decision are listed in the text; JSON has all."""

GOAL_WORDS: dict[Goal, str] = {
    "damage": "expected DAMAGE",
    "becomes-hit": "the chance that the target becomes HIT",
    "hits": "the chance that the attack hits",
}
_KINDS = {
    "attack_card": "ATTACK card",
    "defence_card": "DEFENCE card",
    "late_attack_card": "ATTACK card in the third window",
    "critical": "CRITICAL dice",
    "reroll": "Reroll",
    "set": "Set a die",
    "may": "May",
    "either": "Either or",
    "choose": "OPERATOR",
    "performance": "PERFORMANCE",
    "item_to": "ITEM for",
    "discard": "Card to discard",
    "card": "Card",
    "order": "Card on top",
    "place": "FIELDPOSITION",
}


# JSON


def odds_data(odds: Odds | RefusedOdds) -> dict[str, Any]:
    """Return odds as plain data, version 1; fractions are strings in lowest terms."""
    attacker, target = odds.names
    attack = {"attacker": attacker, "target": target}
    if odds.scenario is not None:
        attack["scenario"] = odds.scenario
    if isinstance(odds, RefusedOdds):
        return {"version": 1, **attack, "refused": odds.refusal.rule_id, "reason": odds.refusal.sentence}
    damage, becomes_hit, hits = odds.measures
    details: dict[str, Any] = {
        "version": 1,
        **attack,
        "goal": odds.goal,
        "damage": {str(number): str(chance) for number, chance in odds.damage().items()},
        "hits": str(hits),
        "becomes_hit": str(becomes_hit),
        "critical": str(odds.critical),
        "expected_damage": str(damage),
        "spent": {name: str(count) for name, count in odds.spent().items()},
        "policy": [decision_data(decision) for decision in odds.policy],
        "not_played": list(odds.not_played),
    }
    if odds.deck_order_assumed:
        details["deck_order_assumed"] = True
    if odds.notes:
        details["notes"] = list(odds.notes)
    return details


def decision_data(decision: DecisionPolicy) -> dict[str, Any]:
    """Return a decision with all its cases as plain data."""
    return {
        "decision": decision.kind,
        "side": decision.whose,
        "effect": None if decision.source is None else decision.source.text,
        "chance": str(decision.chance),
        "taken": {option: str(chance) for option, chance in decision.taken().items()},
        "cases": [_case_data(case) for case in decision.cases],
    }


def _case_data(case: DecidedCase) -> dict[str, Any]:
    situation: dict[str, Any] = {}
    (attacks, defences), compared = case.situation.dice, case.situation.compared
    if attacks or defences:
        situation = {"attack_dice": list(attacks), "defence_dice": list(defences)}
    if compared is not None:
        situation = dict(zip(("damage", "hits", "critical"), compared, strict=True))
    options = {option: measures_data(measures) for option, measures in case.options.items()}
    return {**situation, "chance": str(case.chance), "taken": case.taken, "options": options}


def measures_data(measures: Measures) -> dict[str, str]:
    """Return the three measures as plain data."""
    damage, becomes_hit, hits = map(str, measures)
    return {"expected_damage": damage, "becomes_hit": becomes_hit, "hits": hits}


# Text


def odds_text(odds: Odds | RefusedOdds, style: Style = unstyled, width: int = 80) -> str:
    """Return odds as text: the distribution with bars, and how both players decide."""
    return "\n".join([*_heading(odds, style), *_body(odds, style, width)]) + "\n"


def _heading(odds: Odds | RefusedOdds, style: Style) -> Iterator[str]:
    attacker, target = odds.names
    yield style(f"{attacker} attacks {target}", "note")
    if odds.scenario is not None:
        yield f"  {odds.scenario}"


def _body(odds: Odds | RefusedOdds, style: Style, width: int) -> Iterator[str]:
    if isinstance(odds, RefusedOdds):
        yield f"  {style('refused', 'error')} by {odds.refusal.rule_id}: {odds.refusal.sentence}"
        return
    yield f"  exact, with open hands; {odds.names[0]} goes for {GOAL_WORDS[odds.goal]}"
    yield ""
    yield from bars(odds.damage())
    yield ""
    yield from _numbers(odds)
    if odds.policy:
        yield ""
        yield "How they decide, with what each option gives on average:"
        for decision in odds.policy:
            heading = _KINDS.get(decision.kind, decision.kind)
            if decision.source is not None and odds.origins is not None:
                heading = f"{heading}, {odds.origins.title(decision.source)}"
            text = decision_text(decision, odds.goal)
            yield from wrap(
                f"{heading} ({decision.whose}): {text}", width, initial_indent="  ", subsequent_indent="    "
            )
    yield from _remarks(odds, width)


def bars(damage: Mapping[int, Fraction]) -> Iterator[str]:
    """Yield a line with a bar for each DAMAGE."""
    for number, chance in damage.items():
        bar = "█" * round(chance * BAR) or "▏"
        yield f"  DAMAGE {number:>2}  {percent(chance):>8}  {bar}"


def _numbers(odds: Odds) -> Iterator[str]:
    damage, becomes_hit, hits = odds.measures
    yield f"  expected DAMAGE  {float(damage):.2f} ({damage})"
    for words, chance in (("hits", hits), ("becomes HIT", becomes_hit), ("CRITICAL", odds.critical)):
        yield f"  {words:<15}  {percent(chance)} ({chance})"
    spent = {name: count for name, count in odds.spent().items() if count}
    if spent:
        phrases = (f"{_decimal(count)} from {_SPENT_WORDS[name]}" for name, count in spent.items())
        yield f"  cards spent      {', '.join(phrases)}"


_SPENT_WORDS = {
    "blue_hand": "the hand of blue",
    "red_hand": "the hand of red",
    "blue_discarded": "blue by effects",
    "red_discarded": "red by effects",
}


def _remarks(odds: Odds, width: int) -> Iterator[str]:
    remarks = list(odds.notes)
    if odds.deck_order_assumed:
        remarks.append("cards are drawn as the DECK lies, and another order could change the result")
    if odds.not_played:
        remarks.append(f"text-only rules are not played: {', '.join(odds.not_played)}")
    if odds.chain is not None and odds.origins is not None:
        remarks.append(odds.origins.chain(odds.chain).rstrip("."))
    for remark in remarks:
        yield from wrap(f"{remark}.", width, initial_indent="note: ", subsequent_indent="      ")


def percent(chance: Fraction) -> str:
    """Return a chance as a percentage with two decimals."""
    return f"{float(chance) * 100:.2f} %"


def _decimal(number: Fraction) -> str:
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


def decision_text(decision: DecisionPolicy, goal: Goal) -> str:
    """Return what is decided: what is done mostly, unless …; and what each option gives on average."""
    usual, *exceptions = decision.taken()
    unless = [
        situation_words
        for taken in exceptions
        for situation_words in _situations([case for case in decision.cases if case.taken == taken], taken)
    ]
    if len(unless) > MOST_CASES:
        unless = [*unless[:MOST_CASES], f"{len(unless) - MOST_CASES} more cases"]
    taken_text = f"{usual}, unless {'; '.join(unless)}" if unless else usual
    main_measure, *_ = measures = GOALS[goal]
    # options that are alike by the goal are decided by the next measure, which is shown then
    measure = next((measure for measure in measures if _differs(decision, measure)), main_measure)
    averages = _averages(decision, measure)
    averages_text = ", ".join(f"{option} {_shown(measure, value)}" for option, value in averages.items())
    return f"{taken_text} ({_MEASURES[measure].format(averages_text)})"


_MEASURES = ("{} DAMAGE", "becomes HIT: {}", "hits: {}")


def _shown(measure: int, value: Fraction) -> str:
    return f"{float(value):.2f}" if measure == 0 else percent(value)


def _differs(decision: DecisionPolicy, measure: int) -> bool:
    """Whether a measure tells options of a decision apart."""
    return any(len({measures[measure] for measures in case.options.values()}) > 1 for case in decision.cases)


def _averages(decision: DecisionPolicy, measure: int) -> dict[str, Fraction]:
    """Return what each option gives on average over the cases in which it can be taken."""
    totals: dict[str, tuple[Fraction, Fraction]] = {}
    for case in decision.cases:
        for option, measures in case.options.items():
            total, chance = totals.get(option, (Fraction(0), Fraction(0)))
            totals[option] = total + measures[measure] * case.chance, chance + case.chance
    return {option: total / chance for option, (total, chance) in totals.items()}


def _situations(cases: Iterable[DecidedCase], taken: str) -> Iterator[str]:
    """Yield the situations of cases in words: ATTACK D6 of which the rest is the same in one."""
    by_attack_dice: dict[tuple[int, ...], list[Situation]] = {}
    for case in cases:
        attack_dice, _ = case.situation.dice
        by_attack_dice.setdefault(attack_dice, []).append(case.situation)
    attacks_by_defence: dict[str, list[str]] = {}
    for attack_dice, situations in by_attack_dice.items():
        attack_text = "+".join(map(str, attack_dice))
        attacks_by_defence.setdefault(_defence_text(situations), []).append(attack_text)
    for defence_text, attack_texts in attacks_by_defence.items():
        attack_text = f"ATTACK D6 {alternatives(attack_texts)}" if attack_texts != [""] else ""
        circumstances = " and ".join(filter(None, (attack_text, defence_text)))
        yield f"{circumstances} ({taken})" if circumstances else taken


def _defence_text(situations: Iterable[Situation]) -> str:
    """The DEFENCE D6 of several situations, or what came of the comparison where that is known."""
    texts: dict[str, None] = {}
    is_compared = False
    for situation in situations:
        _, defence_dice = situation.dice
        if situation.compared is not None:
            damage, hits, critical = situation.compared
            is_compared = True
            texts[f"{damage}{' CRITICAL' if critical else ''}" if hits else "a miss"] = None
        elif defence_dice:
            texts["+".join(map(str, defence_dice))] = None
    if not texts:
        return ""
    return f"{'DAMAGE' if is_compared else 'DEFENCE D6'} {alternatives(list(texts))}"
