"""The examples of the language reference, in the order in which they are printed.

Each is parsed, checked, compiled and put into English and German when the page is made. Together they use
every rule of the grammar; a test holds that.
"""

from __future__ import annotations

from dataclasses import dataclass

from toolkit.vocabulary import ACTIONS, STATS, VERBS, Form, Role

TEAMS = {"night-owls": {"en": "Night Owls", "de": "Nachteulen"}}
TRAITS = {"sniper": {"en": "sniper", "de": "Scharfschütze"}, "scout": {"en": "scout", "de": "Späher"}}
MARKERS = {"intel": {"en": "Intel", "de": "Aufklärung"}, "supply": {"en": "Supply", "de": "Nachschub"}}
KEYWORDS = {"steadfast": {"en": "Steadfast", "de": "Standhaft"}}


@dataclass(frozen=True, slots=True)
class Example:
    """An effect and where it stands."""

    role: Role
    effect: str


def _skills(*effects: str) -> tuple[Example, ...]:
    return tuple(Example(Role.SKILL, effect) for effect in effects)


def _effects(*effects: str) -> tuple[Example, ...]:
    return tuple(Example(Role.EFFECT, effect) for effect in effects)


SENTENCES = (
    *_skills(
        "self gets +1 MP.",
        "while attacking, self gets +2 AP.",
        "while attacking, if target is SUPPRESSED, self gets +2 AP.",
        "while attacking, if target is SUPPRESSED, self gets +2 AP, and target gets -1 EP.",
        "while self is EXHAUSTED, self gets +1 EP.",
        "once per TURN, when the attack hits, owner draws 1 card.",
        "once per ROUND, when self performs MEDIC, if ROUND > 1, target becomes NORMAL, then owner "
        "draws 1 card.",
        "once per GAME, while attacking, self may reroll 1 ATTACK D6.",
        "when the attack hits, target may become EXHAUSTED.",
        "when the own TURN begins, self may become EXHAUSTED, if so, one other own OPERATOR gains "
        "BONUS (ANY).",
        "self gains RULEVIOLATION 3+. while attacking, self gets +4 AP and makes ATTACK D6 CRITICAL on 5+.",
    ),
    *_effects(
        "when played, one own OPERATOR becomes EXHAUSTED, then owner draws 2 cards.",
        "when played, if number of cards in own hand = 0, owner draws 2 cards, then opponent draws 1 card.",
        "when played, owner draws 1 card, then owner discards 1 card, then opponent draws 1 card.",
        "when played, either owner draws 2 cards or one own OPERATOR gains BONUS (MOVE).",
        "when played, opponent may discard 2 cards, if not, owner draws 2 cards.",
        "when played, owner rolls a D6 for 4+, if so, owner draws 2 cards, if not, owner discards 1 card.",
    ),
    Example(Role.OBJECTIVE, "self gets +1 EP."),
    Example(Role.KEYWORD, "while attacked, if self is not EXHAUSTED, self gets +1 EP."),
    Example(Role.ACTION_RELOAD, "owner draws 2 cards, then owner discards 1 card."),
    Example(
        Role.ACTION_RELOAD,
        "if number of cards in own hand = 0, owner draws 2 cards, then owner discards 1 card.",
    ),
)

WHEN: dict[str, Example] = {
    "attacking": Example(Role.SKILL, "while attacking, self gets +1 AP."),
    "attacked": Example(Role.DEFENCE, "while attacked, self gets +2 EP."),
    "own-attacks": Example(Role.STRATEGY, "while an own OPERATOR attacks, attacker gets +1 AP."),
    "own-is-attacked": Example(Role.STRATEGY, "while an own OPERATOR is attacked, attacked gets +1 EP."),
    "enemy-attacks": Example(Role.STRATEGY, "while an enemy OPERATOR attacks, attacker halves AP."),
    "enemy-is-attacked": Example(
        Role.SKILL, "while an enemy OPERATOR is attacked, if attacked is opposite self, attacked gets -1 EP."
    ),
    "played": Example(Role.EFFECT, "when played, owner draws 2 cards."),
    "attached": Example(Role.ITEM, "when attached, self gets -1 HITCOUNTER."),
    "hits": Example(Role.ATTACK, "when the attack hits, target becomes EXHAUSTED."),
    "misses": Example(Role.DEFENCE, "when the attack misses, owner draws 1 card."),
    "critical": Example(Role.ITEM, "when the attack is CRITICAL, target gets +2 HITCOUNTER."),
    "self-becomes-hit": Example(Role.SKILL, "when self becomes HIT, owner draws 1 card."),
    "own-becomes-hit": Example(
        Role.STRATEGY,
        "when an own OPERATOR becomes HIT, all own OPERATORs get +1 AP until end of TURN.",
    ),
    "enemy-becomes-hit": Example(Role.SKILL, "when an enemy OPERATOR becomes HIT, owner draws 1 card."),
    "reaches": Example(Role.SKILL, "when self REACHES the OBJECTIVE, self gains BONUS (ANY)."),
    "captures": Example(Role.SKILL, "when self CAPTURES the OBJECTIVE, opponent discards 1 card."),
    "turn-begins": Example(Role.STRATEGY, "when the TURN begins, owner draws 1 card."),
    "turn-ends": Example(Role.STRATEGY, "when the TURN ends, one own OPERATOR gets -1 HITCOUNTER."),
    "action-ends": Example(Role.SKILL, "when the ACTION of self ends, self gets +1 EP until end of TURN."),
    "own-turn-begins": Example(Role.SKILL, "when the own TURN begins, self gets -1 HITCOUNTER."),
    "own-turn-ends": Example(
        Role.STRATEGY, "when the own TURN ends, if number of cards in own hand = 0, owner draws 1 card."
    ),
    "enemy-turn-begins": Example(Role.STRATEGY, "when the enemy TURN begins, opponent discards 1 card."),
    "enemy-turn-ends": Example(Role.STRATEGY, "when the enemy TURN ends, owner draws 1 card."),
    "round-begins": Example(Role.STRATEGY, "when the ROUND begins, each player draws 1 card."),
    "round-ends": Example(Role.STRATEGY, "when the ROUND ends, all own OPERATORs become NORMAL."),
    "attacks": Example(Role.STRATEGY, "while an EXHAUSTED OPERATOR attacks, attacker gets -1 AP."),
    "is-attacked": Example(Role.STRATEGY, "while an OPERATOR is attacked, attacked gets -1 EP."),
    "attack-by-begins": Example(
        Role.SKILL, "when an attack by self begins, self rolls +1 ATTACK D6 until end of ATTACK."
    ),
    "attack-on-begins": Example(
        Role.SKILL,
        "once per GAME, when an attack on self begins, owner may discard 1 card, if so, self fixes DAMAGE at "
        "0 until end of ATTACK.",
    ),
    "attack-by-hits": Example(
        Role.DEFENCE, "when an attack by self hits, self gets +1 EP until end of TURN."
    ),
    "attack-by-misses": Example(
        Role.STRATEGY, "when an attack by an own OPERATOR misses, owner draws 1 card."
    ),
    "attack-by-critical": Example(Role.SKILL, "when an attack by self is CRITICAL, owner draws 1 card."),
    "attack-on-hits": Example(
        Role.SKILL, "when an attack on another own OPERATOR hits, self gets +1 AP until end of TURN."
    ),
    "attack-on-misses": Example(Role.SKILL, "when an attack on self misses, owner draws 1 card."),
    "attack-on-critical": Example(Role.SKILL, "when an attack on self is CRITICAL, self retreats."),
    "becomes-hit": Example(
        Role.SKILL, "when an own OPERATOR adjacent to self becomes HIT, self gets +2 AP until end of TURN."
    ),
    "becomes-out": Example(Role.SKILL, "when self becomes OUT, owner draws 2 cards."),
    "would-become-hit": Example(
        Role.SKILL, "once per GAME, when self would become HIT, self gets -5 HITCOUNTER."
    ),
    "performs": Example(Role.SKILL, "when an enemy OPERATOR in RANGE performs MOVE, it gets +1 HITCOUNTER."),
    "gets": Example(Role.SKILL, "when self gets HITCOUNTER, self gets +1 EP until end of TURN."),
    "loses": Example(
        Role.SKILL, "when another own OPERATOR loses HITCOUNTER, self gets +1 AP until end of TURN."
    ),
    "enters": Example(Role.SKILL, "when self enters the FIELD, one enemy OPERATOR becomes EXHAUSTED."),
}
"""An example for each trigger, by its name."""

WHO = (
    *_skills(
        "while attacked, attacker gets -1 AP.",
        "all other own OPERATORs get +1 AP.",
        "all enemy OPERATORs in RANGE get -1 EP.",
        "while attacking, all enemy OPERATORs in RANGE of target get -1 MP.",
        "all own OPERATORs adjacent to self get +1 EP.",
        "while an own OPERATOR is attacked, all own OPERATORs opposite attacker get +1 EP.",
    ),
    Example(Role.STRATEGY, 'all own OPERATORs of TEAM "night-owls" get +1 AP.'),
    *_skills(
        'all other own OPERATORs of TEAM "night-owls" get +1 EP.',
        'all other own OPERATORs of TEAM "night-owls" in RANGE get +1 MP.',
        'all own OPERATORs of TEAM "night-owls" with trait "sniper" with MP >= 2 get +1 AP.',
    ),
    Example(Role.STRATEGY, 'all own OPERATORs with trait "sniper" get +1 AP.'),
    Example(Role.STRATEGY, "all own OPERATORs with DP VALUE <= 4 get +1 EP."),
    Example(Role.STRATEGY, "all OPERATORs that are SUPPRESSED get -1 EP."),
    Example(Role.STRATEGY, "all own OPERATORs that are either HIT or EXHAUSTED get +1 DP."),
    Example(Role.STRATEGY, "all own OPERATORs that are either SUPPRESSED, HIT or EXHAUSTED get +1 DP."),
    *_skills(
        "all enemy OPERATORs with AP < AP of self get -1 EP.",
        'all own OPERATORs with either trait "sniper" or trait "scout" with no card get +1 AP.',
        "all own OPERATORs with either ITEM, ATTACK card or DEFENCE card get +1 MP.",
        'all other own OPERATORs with no KEYWORD "steadfast" get +1 EP.',
        'all own OPERATORs with MARKER "intel" >= 2 get +1 AP.',
        "when an own OPERATOR in the SAVEZONE gets HITCOUNTER, owner draws 1 card.",
        'when an enemy OPERATOR of TEAM "night-owls" with trait "sniper" performs an ACTION, it gets -1 EP '
        "until end of TURN.",
        "when an OPERATOR opposite self REACHES the OBJECTIVE, it becomes EXHAUSTED.",
        "when another OPERATOR CAPTURES the OBJECTIVE, owner draws 1 card.",
    ),
    *_effects(
        "when played, one enemy OPERATOR gets +1 HITCOUNTER, then all enemy OPERATORs adjacent to it get "
        "+1 HITCOUNTER.",
        "when played, up to two own OPERATORs become NORMAL, then they get +1 EP until end of TURN.",
        "when played, up to three random enemy OPERATORs get -1 MP until end of TURN.",
        "when played, two enemy OPERATORs get -1 EP until end of TURN, then all enemy OPERATORs opposite "
        "them get +1 HITCOUNTER.",
        "when played, one random enemy OPERATOR gets +2 HITCOUNTER.",
        "when played, three random OPERATORs become NORMAL.",
        "when played, one enemy OPERATOR chosen by opponent becomes EXHAUSTED.",
        "when played, up to two own OPERATORs chosen by owner become NORMAL.",
        "when played, one own OPERATOR swaps places with one other own OPERATOR chosen by opponent.",
        "when played, one own OPERATOR becomes EXHAUSTED, then all other own OPERATORs of TEAM of it become "
        "NORMAL.",
        "when played, one enemy OPERATOR with the highest AP becomes EXHAUSTED.",
        'when played, one own OPERATOR with the lowest MARKER "intel" gets +1 MARKER "intel".',
        "when played, one own OPERATOR in the SAVEZONE enters the FIELD.",
        "when played, each player draws 1 card.",
        "when played, one own OPERATOR that is not EXHAUSTED gets +1 AP until end of TURN.",
        "when played, one enemy OPERATOR with FIELDPOSITION != 1 gets -1 EP until end of TURN.",
        "when played, one own OPERATOR that is HIT gets +1 MP permanently.",
        "when played, all OPERATORs that are not OUT get -1 MP until end of TURN.",
        "when played, one own EXHAUSTED OPERATOR becomes NORMAL.",
        "when played, owner draws 1 card, then opponent draws 1 card.",
    ),
)

IF = (
    *_skills(
        "while attacking, if HITCOUNTER of target >= 3, self gets +1 AP.",
        "while attacking, if AP of self < EP of target and not target has DEFENCE card, self gets +3 AP.",
        "while attacking, if SQUADPOINTS of target > SQUADPOINTS of self or ROUND = 1, self gets +2 AP.",
        "while attacking, if ROUND = 1 or ROUND = 2 or ROUND = 3, self gets +1 AP.",
        "while attacking, if target is NORMAL and ROUND > 1 and self has card, self gets +1 AP.",
        "while attacking, if (target is EXHAUSTED or target has card) and self has no card, self gets +1 AP.",
        "while an own OPERATOR is attacked, if attacked is in RANGE of self, attacked gets +1 EP.",
        "while attacked, if attacker is not opposite self, self gets +1 EP.",
        "while an own OPERATOR attacks, if attacked is not in RANGE of self, attacker gets +1 AP.",
        "while an own OPERATOR attacks, if attacker is not adjacent to self, attacker gets +1 AP.",
        "while an own OPERATOR is attacked, if attacked is adjacent to self, attacked gets +1 EP.",
        "if self is not NORMAL, self cannot be attacked.",
        'while attacking, if target has TEAM "night-owls" or target has trait "sniper", self gets +1 AP.',
        "while attacking, if target has ITEM or self has no ATTACK card, self gets +1 AP.",
        "while attacked, if the attack is CRITICAL, self gets +2 EP.",
        "while attacked, if the attack is not CRITICAL, self gets +1 EP.",
        "unless self is EXHAUSTED, self gets +1 EP.",
        "while attacking, unless target has ITEM or target is SUPPRESSED, self gets +1 AP.",
        "while attacking, if number of own OPERATORs >= 3, self gets +1 AP.",
        "while attacking, if number of cards in enemy hand > number of cards in own hand, self gets +1 AP.",
        "while attacking, if 2 * (AP VALUE of self - 1) <= DP of target + MP of target, self gets +2 AP.",
        "while attacking, if FIELDPOSITION of self != FIELDPOSITION of target, self gets +1 AP.",
        "if OBJECTIVECOUNTER of self - 2 > -1, self gets +1 EP.",
        "while attacking, if AP of self > DP of target / 2, self gets +1 AP.",
        "while the TURN is not own, self gets +1 EP.",
        "while the TURN is own, self gets +1 AP.",
        "while self has REACHED the OBJECTIVE, self gets +1 EP.",
        "while self has not REACHED the OBJECTIVE, self gets +1 MP.",
        'while attacking, if target has KEYWORD "steadfast", self gets +1 AP.',
        'while attacking, if MARKER "intel" of self >= 2, self gets +1 AP for each MARKER "intel" of self '
        "(max 3).",
        'if MARKER "supply" of owner > MARKER "supply" of opponent, self gets +1 AP.',
        "if number of ATTACK cards in own DISCARDZONE >= 3, self gets +1 AP.",
        "if number of cards in enemy DECK < 5, self gets +1 AP.",
        "if number of OBJECTIVEs CAPTURED by owner >= 1, self gets +1 AP.",
        "when the attack hits, if DAMAGE >= 3, owner draws 1 card.",
        "while attacking, if target has not TEAM of self, self gets +1 AP.",
        "when the own TURN ends, if self has not performed ATTACK this TURN, self gets -1 HITCOUNTER.",
        "while attacking, if target has performed MOVE this TURN, self gets +1 AP.",
    ),
)

DOES: dict[str, tuple[Example, ...]] = {
    "gets": (
        *_skills(
            "self gets +1 MP and -1 DP.",
            "while attacking, self gets +1 AP for each other own OPERATOR in RANGE (max 2).",
            "while attacking, self gets +1 AP for each HITCOUNTER of target.",
            "while attacked, self gets +1 EP for each MP of self (max 2).",
            "while attacking, self gets +1 AP for each enemy OPERATOR and -1 MP.",
            "while attacking, self gets +1 AP and gets +1 MP.",
            "while attacking, self doubles AP and gets -1 MP.",
        ),
        *_effects(
            "when played, one own OPERATOR gets -2 HITCOUNTER and +1 OBJECTIVECOUNTER.",
            'when played, owner gets +1 MARKER "supply".',
        ),
        *_skills(
            "self gets +1 RANGE.",
            "self gets +1 AP for each card in own hand (max 3).",
            "self gets +1 EP for each EFFECT card in own DISCARDZONE (max 2).",
            "self gets +1 AP for each OBJECTIVE CAPTURED by owner.",
            "when the attack hits, target gets +1 HITCOUNTER for each DAMAGE / 2.",
        ),
        Example(Role.DEFENCE, "while attacked, self gets -2 DAMAGE."),
    ),
    "doubles": _skills("while attacked, if HITCOUNTER of self >= 3, self doubles EP."),
    "multiplies": (Example(Role.ATTACK, "while attacking, self multiplies AP by 3."),),
    "halves": (
        Example(Role.DEFENCE, "while attacked, attacker halves AP."),
        Example(Role.DEFENCE, "while attacked, self halves DAMAGE."),
    ),
    "divides": (Example(Role.DEFENCE, "while attacked, attacker divides AP by 3."),),
    "fixes": (Example(Role.DEFENCE, "while attacked, self fixes EP at 6."),),
    "limits": (
        Example(Role.DEFENCE, "while attacked, self limits DAMAGE to 3."),
        Example(Role.DEFENCE, "while attacked, self limits EP to at least 4."),
        Example(Role.STRATEGY, "all own OPERATORs limit DAMAGE to 4."),
        *_skills("while attacked, attacker limits AP to DP of self."),
        *_effects(
            "when played, one enemy OPERATOR limits AP to at least 1 and limits AP to 5 until end of TURN."
        ),
    ),
    "ignores": (
        *_skills("self ignores SUPPRESSION.", "while attacked, attacker ignores TEAMWORK."),
        *_skills("self ignores MOVE.", "all own OPERATORs ignore MEDIC and ignore EVADE."),
        Example(Role.ATTACK, "while attacking, target ignores STRATEGY and ignores DEFENCE cards."),
        Example(Role.DEFENCE, "while attacked, attacker ignores SKILLs and ignores ATTACK cards."),
    ),
    "rolls": _skills(
        "while attacking, if target is opposite self, self rolls +1 ATTACK D6.",
        "while attacked, self rolls +1 DEFENCE D6.",
    ),
    "may reroll": _skills(
        "while attacked, self may reroll 1 DEFENCE D6.",
        "while attacked, self may reroll 1 enemy ATTACK D6.",
        "while attacking, self may reroll 1 ATTACK D6 <= 2.",
    ),
    "keeps": _skills(
        "while attacking, self rolls +1 ATTACK D6 and keeps the highest ATTACK D6.",
        "while attacking, self rolls +2 ATTACK D6 and keeps the 2 highest ATTACK D6.",
        "while attacked, attacker rolls +1 ATTACK D6 and keeps the lowest ATTACK D6.",
        "while an own OPERATOR is attacked, attacker rolls +2 ATTACK D6 and keeps the 2 lowest ATTACK D6.",
    ),
    "sets": _skills(
        "while attacking, self sets 1 ATTACK D6 to 6.",
        "while attacking, self sets 1 enemy DEFENCE D6 to 1.",
        "once per GAME, while attacked, self may set 1 DEFENCE D6 to 6.",
    ),
    "makes": (
        *_skills("while attacking, self makes ATTACK D6 CRITICAL on 5+."),
        Example(Role.ATTACK, "while attacking, self makes the attack CRITICAL."),
    ),
    "cannot": (
        *_skills("self cannot perform MOVE.", "if self is EXHAUSTED, self cannot be attacked."),
        Example(Role.ATTACK, "while attacking, target cannot have DEFENCE cards."),
        Example(Role.STRATEGY, "all enemy OPERATORs cannot perform MEDIC and cannot perform RELOAD."),
        *_skills(
            "self cannot have ITEMs and cannot have ATTACK cards.",
            "while attacked, attacker cannot make the attack CRITICAL.",
            "self cannot perform BONUS.",
            "while attacking, opponent cannot play DEFENCE cards.",
        ),
        Example(Role.STRATEGY, "all enemy OPERATORs cannot have cards and cannot lose HITCOUNTER."),
        Example(Role.STRATEGY, "each player cannot draw cards."),
        *_effects(
            "when played, opponent cannot play EFFECT cards and cannot play STRATEGY cards until the own "
            "TURN begins.",
            "when played, one enemy OPERATOR cannot make the attack CRITICAL until end of TURN.",
        ),
    ),
    "gains": (
        *_skills("self gains RULEVIOLATION 4+.", "when the attack hits, self gains BONUS (EVADE)."),
        *_effects(
            "when played, one own OPERATOR gains BONUS (ATTACK).",
            'when played, one own OPERATOR gains trait "sniper" until end of TURN.',
        ),
        *_skills('all other own OPERATORs gain KEYWORD "steadfast".'),
    ),
    "fulfils": _skills("when self CAPTURES the OBJECTIVE, owner fulfils PERFORMANCE."),
    "draws": _effects(
        "when played, owner draws 2 cards.",
        "when played, owner draws 1 card for each own OPERATOR that is EXHAUSTED.",
        "when played, owner draws 1 ITEM.",
        "when played, opponent draws 2 ITEMs.",
    ),
    "discards": (
        *_effects(
            "when played, opponent discards 1 card.",
            "when played, opponent discards 1 random card.",
            "when played, owner discards 1 STRATEGY card for each card in enemy hand.",
            "when played, owner discards 1 enemy STRATEGY in play.",
            "when played, opponent discards 1 random STRATEGY in play.",
            "when played, owner discards all cards and draws 1 card for each discarded card.",
            "when played, owner discards up to 3 cards, then one own OPERATOR gets +1 AP for each discarded "
            "card until end of TURN.",
            "when played, opponent discards up to 2 random cards.",
            "when played, owner discards all enemy STRATEGY in play.",
        ),
        Example(
            Role.STRATEGY,
            "when an own OPERATOR becomes HIT, owner draws 2 cards, then owner discards this card.",
        ),
        Example(
            Role.STRATEGY,
            "when an enemy OPERATOR REACHES the OBJECTIVE, owner may discard this card, if so, it "
            "becomes EXHAUSTED.",
        ),
    ),
    "looks": _effects(
        "when played, owner looks at enemy hand.",
        "when played, owner looks at the top 2 cards of enemy DECK.",
    ),
    "puts": _effects(
        "when played, owner puts 1 card from the top 3 cards of own DECK into the hand.",
        "when played, owner puts 1 ATTACK card from own DECK into the hand.",
        "when played, owner puts 1 card from own DISCARDZONE onto the DECK.",
        "when played, owner puts 2 random DEFENCE cards from own DISCARDZONE under the DECK.",
        "when played, owner puts 1 card from enemy hand into the DISCARDZONE.",
        "when played, owner puts up to 2 cards from own DISCARDZONE into the hand.",
        "when played, owner puts all ATTACK cards from own DISCARDZONE under the DECK, then owner shuffles "
        "the DECK.",
        "when played, owner draws 1 card, then owner puts this card into the hand.",
        "when played, owner puts this card under the DECK.",
        "when played, owner may put this card onto the DECK.",
    ),
    "takes": (
        *_skills("when the attack hits, self takes ITEM of target."),
        *_effects("when played, one own OPERATOR takes ITEM of one enemy OPERATOR."),
    ),
    "loses": (
        Example(Role.ATTACK, "when the attack hits, target loses ITEM."),
        *_effects(
            "when played, one enemy OPERATOR loses card.",
            "when played, one enemy OPERATOR loses DEFENCE card.",
        ),
        *_skills("when the attack hits, target loses ATTACK card."),
        *_effects("when played, one enemy OPERATOR loses SKILLs until end of ROUND."),
        Example(Role.DEFENCE, "when attached, attacker loses SKILL until end of ATTACK."),
    ),
    "performs": (
        *_skills(
            "when the attack misses, self may perform ATTACK.",
            "when another own OPERATOR becomes HIT, self performs MOVE.",
            "when self performs RELOAD, all other own OPERATORs may perform EVADE.",
        ),
        *_effects("when played, one own OPERATOR may perform MEDIC, then it performs RELOAD."),
    ),
    "wins": (
        *_skills(
            "when self CAPTURES the OBJECTIVE, if number of OBJECTIVEs CAPTURED by owner >= 3, owner wins "
            "the GAME.",
            "when self becomes HIT, opponent wins the GAME.",
        ),
        *_effects(
            "when played, owner rolls a D6 for 6+, if so, owner wins the GAME, if not, owner loses the GAME.",
            "when played, if number of cards in own DECK = 0, owner may win the GAME.",
        ),
    ),
    "swaps": (
        *_effects("when played, one own OPERATOR swaps places with one other own OPERATOR."),
        *_skills(
            "when the attack hits, self swaps places with one random own OPERATOR adjacent to self.",
            "when an own OPERATOR becomes HIT, one other own OPERATOR swaps places with self.",
        ),
    ),
    "becomes": (
        *_effects("when played, one own OPERATOR that is EXHAUSTED becomes NORMAL."),
        *_skills(
            "when the attack misses, self becomes OUT.",
            "when an attack on an own OPERATOR adjacent to self begins, self may become the target.",
            "when an attack on self begins, one other own OPERATOR becomes the target.",
        ),
    ),
}
"""Examples of verbs, by their form for one; a verb that is not here shows the example of its row."""


def _of_row(form: Form, one: str, many: str, rest: str) -> tuple[Example, ...]:
    """A form of a verb as sentences, for one and for many."""
    lasts = " until end of TURN" if form.lasts else ""
    subjects = ("opponent", "owner") if form.player else ("all own OPERATORs", "one enemy OPERATOR")
    found = [
        Example(Role.EFFECT, f"when played, {who} {spoken}{rest}{lasts}.")
        for who, spoken in zip(subjects, (many, one), strict=True)
    ]
    if not form.player:
        event = "when the attack hits, " if form.once else ""
        found.append(Example(Role.SKILL, f"{event}self {one}{rest}."))
    return tuple(found)


for _verb in VERBS:
    if _verb.one not in DOES:
        DOES[_verb.one] = _of_row(
            _verb.forms[0], _verb.one, _verb.many, _verb.example.removeprefix(_verb.one)
        )
    for _form in _verb.forms[1:]:
        if not _form.fields and not any(_form.text in one.effect for one in DOES[_verb.one]):
            DOES[_verb.one] += _of_row(_form, _verb.one, _verb.many, _form.text.removeprefix(_verb.one))
for _action in ACTIONS:
    if not any(_action in one.effect for group in DOES.values() for one in group) and _action != "ATTACK":
        DOES["cannot"] += _skills(f"self cannot perform {_action}.")
        DOES["gains"] += _effects(f"when played, one own OPERATOR gains BONUS ({_action}).")
        DOES["draws"] += (Example(Role(f"action {_action.lower()}"), "owner draws 1 card."),)
DOES["gets"] += _skills(*(f"self gets +1 {stat.name}." for stat in STATS.values() if not stat.required))

DURATION = (
    Example(Role.ATTACK, "when the attack hits, self gets +1 EP until end of TURN."),
    *_effects(
        "when played, all own OPERATORs get +1 AP until end of ROUND.",
        "when played, one own OPERATOR gets +3 DP while on the FIELD.",
        "when played, one own OPERATOR gets +1 MP permanently.",
        "when played, all own OPERATORs get +1 EP until the own TURN begins.",
    ),
    Example(Role.ITEM, "when the attack is CRITICAL, target gets -2 EP until end of ATTACK."),
)

FORMS = (
    Example(
        Role.STRATEGY,
        "all own OPERATORs ignore SKILL and roll +1 DEFENCE D6 and gain RULEVIOLATION 2+ and fix MP at 2.",
    ),
    Example(
        Role.STRATEGY, "while an enemy OPERATOR attacks, all enemy OPERATORs halve AP and divide MP by 2."
    ),
    Example(
        Role.STRATEGY, "while an own OPERATOR attacks, all own OPERATORs double AP and multiply MP by 2."
    ),
    Example(Role.STRATEGY, "all own OPERATORs make ATTACK D6 CRITICAL on 4+."),
    Example(Role.EFFECT, "when played, all enemy OPERATORs become EXHAUSTED."),
    Example(Role.EFFECT, "when played, all enemy OPERATORs lose SKILL until end of TURN."),
    Example(Role.EFFECT, "when played, owner draw 1 card, then opponent discard 2 cards."),
    Example(Role.PERFORMANCE, "when self become HIT, owner fulfil PERFORMANCE."),
)
"""Every verb may be written for one or for many; the formatter puts the form that fits."""


GROUPS: dict[str, tuple[Example, ...]] = {
    "SENTENCES": SENTENCES,
    "WHEN": tuple(WHEN.values()),
    "WHO": WHO,
    "IF": IF,
    **DOES,
    "DURATION": DURATION,
    "FORMS": FORMS,
}
"""All of them, as the page names them."""
