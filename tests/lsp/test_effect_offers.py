"""What is offered in an effect is what the parser accepts and the game allows."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.tables import shipped
from tests.thoroughness import examples
from toolkit.data.effect_sources import effect_sources
from toolkit.dsl.checking import check_effect
from toolkit.dsl.completing import Completion, completions
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.lalr import ParserState, lex, tables, terminals_by_word
from toolkit.dsl.names import Names
from toolkit.dsl.parsing import parse_effect
from toolkit.lint import EffectContext, lint_effect
from toolkit.vocabulary import ROLES, Role

TEAMS, TRAITS = ("foxes", "night-owls"), ("sniper",)


def offers(before: str, role: Role = Role.SKILL, comments: bool = False) -> list[Completion]:
    return completions(before, role, comments=comments, names={"TEAM": TEAMS, "trait": TRAITS})


def texts(before: str, role: Role = Role.SKILL, comments: bool = False) -> list[str]:
    return [offer.text for offer in offers(before, role, comments)]


@pytest.mark.parametrize(
    ("before", "first"),
    [
        ("self gets +2 ", ["AP ", "EP ", "DP ", "MP ", "RANGE ", "DAMAGE "]),
        ("all own OPERATORs of TEAM ", ['"foxes"', '"night-owls"', "of "]),
        ("all own OPERATORs of TEAM of ", ["self "]),
        ('all own OPERATORs of TEAM "ni', ['foxes"', 'night-owls"']),
        ('target has trait "', ['sniper"']),
        ("when the attack ", ["hits, ", "misses, ", "is CRITICAL, "]),
        (
            "when an attack on self begins, one other own OPERATOR becomes ",
            ["the target ", "OUT ", "EXHAUSTED ", "NORMAL "],
        ),
        ("when the attack hits, target loses SKILLs ", ["while on the FIELD ", "and ", "until "]),
        (
            "when an own ",
            [
                "OPERATOR attacks, ",
                "OPERATOR is attacked, ",
                "OPERATOR becomes HIT, ",
                "OPERATOR ",
                "HIT ",
                "OUT ",
                "SUPPRESSED ",
                "EXHAUSTED ",
                "NORMAL ",
            ],
        ),
        ("when an own EXHAUSTED ", ["OPERATOR "]),
        ("when the attack hits, owner rolls ", ["a D6 for "]),
        ("self gets +1 AP for ", ["each "]),
        ("when the attack hits, owner draws 1 ", ["card ", "ITEM "]),
        ("when the attack hits, owner draws 2 ", ["cards ", "ITEMs "]),
        ("when the attack hits, owner puts ", ["all ", "up to "]),
        ("when the attack hits, opponent shuffles ", ["the DECK "]),
        ("when the attack hits, self takes ", ["ITEM of "]),
        ("self gains BONUS (", ["ATTACK) ", "ANY) ", "MOVE) ", "MEDIC) ", "EVADE) ", "RELOAD) "]),
        ("when attacking, self gets +1 AP until ", ["the own TURN begins ", "end of "]),
        ("self gets +2", []),
        ("self geets +2 ", []),
    ],
)
def test_offers(before: str, first: list[str]) -> None:
    assert texts(before) == first


def test_triggers_are_offered_whole_and_only_those_that_come_about() -> None:
    assert texts("")[:2] == ["while attacking, ", "while attacked, "]
    assert texts("", Role.EFFECT) == ["when played, "]
    assert "when attacking, " not in texts("", Role.STRATEGY)
    assert not [text for text in texts("", Role.ACTION_MOVE) if text.startswith("when")]


def test_target_is_offered_only_where_there_is_one() -> None:
    assert "target " in texts("when attacking, ")
    assert "target " not in texts("when the TURN begins, ")
    assert "target " not in texts("")


def test_what_happens_once_needs_an_event() -> None:
    assert "owner " not in texts("when attacking, ")
    assert "owner " in texts("when the attack hits, ")
    assert "until " in texts("when the attack hits, self gets +1 AP ")
    assert "either " not in texts("") + texts("while attacking, ") + texts(
        "while attacking, if self is NORMAL, "
    )
    assert "either " in texts("when the attack hits, ")
    assert "either " in texts("while attacking, all own OPERATORs that are ")


def test_damage_is_read_only_where_an_attack_has_hit() -> None:
    for trigger in ("when the attack hits, ", "when an attack on self hits, "):
        assert "DAMAGE " in texts(f"{trigger}if ")
        assert "DAMAGE " in texts(f"{trigger}if self is NORMAL and ")
    for trigger in ("", "while attacking, ", "when the attack misses, ", "when the TURN ends, "):
        assert "DAMAGE " not in texts(f"{trigger}if ")
        assert "DAMAGE " not in texts(f"{trigger}if self is NORMAL and ")


def test_a_verb_has_the_form_of_its_subject() -> None:
    assert "gets " in texts("self ")
    assert "get " in texts("all own OPERATORs ")
    assert "gets " not in texts("all own OPERATORs ")


def test_the_half_written_word_is_replaced() -> None:
    assert {offer.begin for offer in offers("when attacking, self ge")} == {len("when attacking, self ")}


def test_a_player_may_reroll_nothing() -> None:
    assert "may " in texts("when the attack hits, owner ")
    assert "may reroll " not in texts("when the attack hits, owner draws 1 card and ")
    assert "may reroll " in texts("when the attack hits, self gets +1 AP and ")


OPERATORS_VERBS = [
    *("gets ", "doubles ", "multiplies ", "halves ", "divides ", "fixes ", "limits "),
    *("ignores ", "rolls ", "keeps the ", "sets ", "cannot ", "gains ", "becomes ", "loses "),
    *("takes ITEM of ", "performs "),
    *("swaps places with ", "advances ", "retreats ", "enters the FIELD "),
    "may ",
]
PLAYERS_VERBS = [
    *("gets ", "rolls ", "cannot ", "fulfils PERFORMANCE ", "draws ", "discards ", "looks at ", "puts "),
    *("shuffles the DECK ", "loses ", "wins the GAME ", "may "),
]
WHO_AT_AN_EVENT = [
    *("self ", "target ", "attacker ", "attacked ", "all ", "one ", "two ", "three ", "up to ", "owner "),
    *("opponent ", "each player ", "either "),
]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("self gets +1 AP,", [" and "]),
        ("self gets +1 AP, ", ["and "]),
        ("self gets +1 AP, and", ["and "]),
        ("self gets +1 AP, and ", ["self ", "all "]),
        ("when the attack hits, owner draws 1 card,", [" if ", " then ", " and "]),
        ("when the attack hits, self gets +1 AP, and ", WHO_AT_AN_EVENT),
        ("when the attack hits, owner draws 1 card, and target ", OPERATORS_VERBS),
        ("when the attack hits, self gets +1 AP, and opponent ", PLAYERS_VERBS),
        ("when the attack hits, self gets +1 AP, and owner gets +1 ", ["MARKER "]),
        ("while attacking, self gets +1 AP, and target gets +1 ", ["AP ", "EP ", "DP ", "MP ", "DAMAGE "]),
        ("while attacking, target gets -1 AP, and self gets +1 ", ["AP ", "EP ", "DP ", "MP "]),
        ("while attacking, self gets +1 AP, and target rolls +1 ", ["DEFENCE D6 "]),
        ("while attacking, target gets -1 AP, and self rolls +1 ", ["ATTACK D6 "]),
        ("when the attack hits, owner draws 1 card and ", PLAYERS_VERBS[:-1]),
        # an `and` within a condition begins no clause
        ("while attacking, if AP of self > 2 and target ", ["is ", "has "]),
        ("while attacking, if self is NORMAL, and ", []),
    ],
)
def test_after_a_comma_and_an_and_another_clause_is_offered(before: str, expected: list[str]) -> None:
    assert texts(before) == expected


def test_a_second_sentence_begins_anew() -> None:
    assert texts("when the attack hits, owner draws 1 card. ") == texts("")


def test_a_space_comes_along_behind_a_comma_or_full_stop() -> None:
    assert texts("when attacking,")[0] == " if "
    assert texts("self gets +1 AP.")[0] == " while attacking, "


def test_a_comment_in_a_block_is_left_alone() -> None:
    assert texts("# when att", comments=True) == []
    assert texts("# why\nself gets +1 ", comments=True)[0] == "AP "
    assert texts("# why\nself ", comments=False) == []


roles = st.sampled_from(sorted(ROLES, key=lambda role: role.value))


@given(roles, st.lists(st.integers(0, 10**6), max_size=14))
@examples(250)
def test_the_parser_accepts_whatever_is_offered(role: Role, choices: list[int]) -> None:
    """An effect written from nothing but offers (and numbers, where a number must come) is never refused."""
    text = ""
    for choice in choices:
        found = offers(text, role)
        if not found:
            text = f"{text.rstrip(' ')}2 " if text.endswith(("+", "-", "+ ", "- ")) else f"{text}2 "
            continue
        chosen = found[choice % len(found)]
        text = text[: chosen.begin] + chosen.text
        situation: ParserState | None = ParserState(tables(), (0,))
        for token in lex(text, tables().words):
            situation = situation.after(token.type) if situation else None
        assert situation is not None, text


NEVER_OFFERED = {
    *("doubled-filter", "filter-order", "no-target", "no-attack", "no-damage"),
    *("wrong-trigger", "wrong-who", "needs-event", "unknown-team", "unknown-trait"),
}
"""What is wrong with a word where it stands: a sentence that is made of offers has none of it."""


def shipped_effects() -> list[tuple[Role, str]]:
    found = effect_sources(shipped().cards)
    return sorted(
        {(one.role, " ".join(one.scalar.value.split())) for one in found if "#" not in one.scalar.value},
        key=str,
    )


@given(
    st.deferred(lambda: st.sampled_from(shipped_effects())),
    st.integers(0, 10**6),
    st.lists(st.integers(0, 10**6), max_size=25),
)
@examples(400)
def test_a_word_that_is_offered_is_not_refused_afterwards(
    beginning: tuple[Role, str], cut: int, choices: list[int]
) -> None:
    """From a beginning of a shipped effect on, only offers, numbers, commas and full stops are written."""
    role, effect = beginning
    words = re.split(r"(?<= )", effect)
    start = cut % (len(words) + 1)
    text = "".join(words[:start])
    known, before = Names((*TEAMS, *named(effect)), (*TRAITS, *named(effect))), text
    for choice in choices:
        found = offers(text, role)
        accepted = situation_of(text).accepts()
        signs = [sign for sign in ".," if terminals_by_word()[sign] in accepted and text != before]
        number = choice % (len(found) + len(signs) + 1)
        if number < len(found):
            text = text[: found[number].begin] + found[number].text
        elif number < len(found) + len(signs):
            text = f"{text.rstrip()}{signs[number - len(found)]} "
            if text.endswith(". "):
                break
        elif "INT" in accepted:
            text += "2 "
    tree, _ = parse_effect(text)
    if tree is not None:
        context = EffectContext(role)
        wrong = [*check_effect(tree, role, known)]
        wrong = wrong or [*lint_effect(tree, context)]
        assert not [one for one in wrong if one.name in NEVER_OFFERED], text


def named(effect: str) -> list[str]:
    return re.findall(r'"([^"]*)"', effect)


def situation_of(text: str) -> ParserState:
    situation: ParserState | None = ParserState(tables(), (0,))
    for token in lex(text, tables().words):
        situation = situation.after(token.type) if situation else None
    assert situation is not None, text
    return situation


@pytest.mark.parametrize(
    ("before", "role", "word"),
    [
        ("when attacking, if target is ", Role.SKILL, "HIT "),
        ("when attacking, if target is not ", Role.SKILL, "OUT "),
        ("when attacked, self rolls +1 ", Role.SKILL, "ATTACK D6 "),
        ("when attacking, self may reroll 1 enemy ", Role.SKILL, "ATTACK D6 "),
        ("all own OPERATORs in RANGE ", Role.SKILL, "in RANGE "),
        ('all own OPERATORs with trait "sniper" ', Role.SKILL, "adjacent to "),
        ("if ", Role.SKILL, "-"),
        ("if AP of self > ", Role.SKILL, "-"),
        ("if ", Role.SKILL, "the attack is "),
        ("when played, all own OPERATORs get +1 AP until end of ", Role.EFFECT, "ATTACK "),
        ("when attached, self gets +1 AP until end of ", Role.ITEM, "ATTACK "),
        ("when an attack by self begins, if ", Role.SKILL, "the attack is "),
        ("when the attack hits, self becomes ", Role.SKILL, "the target "),
        ("when an attack by ", Role.STRATEGY, "self begins, "),
        ("when an attack by ", Role.STRATEGY, "self "),
    ],
)
def test_what_is_refused_is_not_offered(before: str, role: Role, word: str) -> None:
    assert word not in texts(before, role)


EFFECTS = (
    "while attacking, if target is SUPPRESSED, self gets +2 AP.",
    "all other own OPERATORs get +1 AP.",
    'all own OPERATORs with trait "sniper" get +1 AP.',
    "while attacked, if HITCOUNTER of self >= 3, self doubles EP.",
    "while attacking, self makes ATTACK D6 CRITICAL on 5+.",
    "when an enemy OPERATOR becomes HIT, owner draws 1 card.",
    "when an attack on an own OPERATOR adjacent to self begins, self may become the target.",
    "when the attack hits, target loses SKILLs until end of ROUND.",
    "when the attack hits, either owner draws 2 cards or one own OPERATOR gains BONUS (MOVE).",
    "when the TURN ends, all enemy OPERATORs in RANGE get -1 EP until end of ROUND, then self becomes OUT.",
    "while attacking, if target is SUPPRESSED, self gets +2 AP, and target gets -1 EP.",
    "when the own TURN begins, self may become EXHAUSTED, if so, one other own OPERATOR gains BONUS (ANY).",
    (
        "when the own TURN begins, owner rolls a D6 for 4+, if so, owner draws 2 cards, if not, opponent "
        "draws 1 card."
    ),
    "once per TURN, when the attack hits, owner draws 1 card.",
    "while the TURN is not own, self gets +1 EP.",
    "while self has REACHED the OBJECTIVE, self gets +1 RANGE.",
    "when an own OPERATOR adjacent to self becomes HIT, self gets +2 AP until the own TURN begins.",
    "when an enemy OPERATOR in RANGE performs MOVE, it gets +1 HITCOUNTER.",
    "when an attack on self misses, up to two own OPERATORs become NORMAL, then they get +1 HITCOUNTER.",
    (
        "when the attack hits, two random enemy OPERATORs get +1 HITCOUNTER, then all OPERATORs adjacent "
        "to them retreat."
    ),
    "all own OPERATORs with no card with AP < AP of self that are either HIT or EXHAUSTED get +1 AP.",
    "when self enters the FIELD, one enemy OPERATOR with the highest AP becomes EXHAUSTED.",
    "when the attack hits, self swaps places with one other own OPERATOR, and target loses ITEM.",
    (
        "when self performs MEDIC, owner puts 1 random ATTACK card from the top 3 cards of own DECK into "
        "the hand."
    ),
    "when the attack hits, if DAMAGE > 2, owner looks at enemy hand, then opponent discards 1 random card.",
    (
        "when the own TURN ends, if number of OBJECTIVEs CAPTURED by owner >= 1, owner draws 1 card for "
        "each card in enemy hand."
    ),
)


@pytest.mark.parametrize("effect", EFFECTS)
def test_every_word_of_a_sentence_is_offered_where_it_stands(effect: str) -> None:
    """Signs and numbers are typed; each word is the beginning of an offer, or within one."""
    tree, problems = parse_effect(effect)
    assert tree is not None
    assert not problems
    assert print_effect(tree) == effect
    covered = 0
    for token in lex(effect, tables().words):
        if token.type in ("INT", "STRING") or not token[0].isalpha() or token.place[0] < covered:
            continue
        rest = effect[token.place[0] :]
        rest = re.sub(r"^(they|them)\b", "it", rest)
        fitting = [text for text in texts(effect[: token.place[0]]) if rest.startswith(text.rstrip())]
        assert fitting, effect[: token.place[1]]
        covered = token.place[0] + len(max(fitting, key=len).rstrip())


def test_a_card_comes_back_where_it_can_and_what_was_discarded_is_counted_afterwards() -> None:
    for role in (Role.EFFECT, Role.STRATEGY):
        assert "this card " in texts("when played, owner puts ", role)
        assert "this card " not in texts("when played, opponent puts ", role)
    assert "this card " not in texts("when the attack hits, owner puts ", Role.ITEM)
    assert texts("when the attack hits, owner puts this card into the ", Role.ATTACK) == ["hand "]
    assert "discarded card " not in texts("when played, owner draws 1 card for each ", Role.EFFECT)
    discarded = "when played, owner discards all cards, then owner draws 1 card for each "
    assert "discarded card " in texts(discarded, Role.EFFECT)
