"""What counts in a state: which effects act, and the numbers and permissions of all OPERATORs (N-1, M-10,
M-11).

A question is answered from the state as it is. One thing is kept: which effects act, for it follows only
from who is face up where with which card (``Arrangement``). It gives 1.15 times as many random games a
second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from toolkit.dsl import tree
from toolkit.engine.acting_effects import (
    Active,
    Arrangement,
    Attack,
    Pending,
    Source,
    StaticEffects,
    attack_part,
    change_by,
    holding_by,
)
from toolkit.engine.compiled_rules import (
    CARD_ROLES,
    DICE_VERBS,
    FIRST_SETTLED,
    Aspect,
    CardRules,
    ContinuousAction,
    EffectTable,
    Rules,
)
from toolkit.engine.compiler import CompiledCondition, Context, OperatorTest
from toolkit.engine.modifiers import BEFORE_STEPS, Change, Holding, put_together
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.state import (
    GIVING,
    MOST_RANGE,
    PLAIN_RANGE,
    SIDES,
    UP,
    GameState,
    Key,
    Lasting,
    OperatorState,
    Side,
    in_range,
    other,
)
from toolkit.vocabulary import LIMITS

_NOTHING: frozenset[str] = frozenset()
_NO_SOURCES: list[Source] = []
_STEP_OF_CARDS = 5


class StateQueries:
    """A state with the rules that it is played by, outside of an attack or (``attack``) in one.

    ``facts`` are the cards of the OPERATORs by key, ``skills`` their effects; ``base`` reads VALUEs and what
    lasts, as effects without `when` do (M-10), ``range_pass`` the same before RANGE is settled (E-16),
    ``first_pass`` before it is settled who has which KEYWORD and trait (E-12).
    ``waits_for`` is what effects of the cards in play can wait for, ``makes`` the verbs by which they make
    something (``EffectTable``); None for anything. ``varying`` are those of RANGE, KEYWORDs and traits that
    may change while nobody moves. ``hit_check_due`` says that since H-1 was last judged a
    HITCOUNTER or a DP may have changed; ``always_due`` that there may be an effect without `when` that
    changes DP and is not settled.
    """

    # attributes that are not slots cost legal_actions 5 % more time
    __slots__ = (
        "_borne", "_card_sources", "_strategy_sources", "always_due", "arrangement", "attack", "base",
        "cards", "facts", "first_pass", "hit_check_due", "makes", "objective_values", "options",
        "range_pass", "rules", "skills", "state", "suppressed", "varying", "waits_for",
    )  # fmt: skip

    def __init__(self, rules: Rules, state: GameState) -> None:
        self.rules, self.state = rules, state
        self.options, self.cards, self.suppressed = rules.options, rules.cards, rules.suppressed
        self.objective_values = rules.objective_values
        self.facts: list[CardRules] = [rules.cards[operator.card] for operator in state.operators]
        self.base, self.range_pass, self.first_pass = (
            _Unsettled(self),
            _BeforeRange(self),
            _BeforeTraits(self),
        )
        self.skills = [
            self._source(card.effects, operator.side, operator, operator.card)
            for card, operator in zip(self.facts, state.operators, strict=True)
        ]
        self.attack: Attack | None = None
        self.waits_for: frozenset[str] | None = None
        self.makes: frozenset[type] | None = None
        self.varying = FIRST_SETTLED
        self.hit_check_due = self.always_due = True
        self.arrangement = Arrangement()
        self._borne: dict[tuple[Key, int | None, tuple[str | None, ...]], list[Source]] = {}
        self._card_sources: dict[tuple[Key, str], Source] = {}
        self._strategy_sources: dict[tuple[Side, tuple[str, ...], tuple[int, ...]], list[Source]] = {}

    @property
    def first(self) -> Side:
        """Whose effects act first and win (M-11, N-6): the attacking player's, else those of the one whose
        TURN it is."""
        return self.state.turn if self.attack is None else self.attack.side

    @property
    def prevailing(self) -> Side:
        """Whose effects win where two conflict in a number (N-6): while an attack begins still the one whose
        TURN it is (E-21)."""
        attack = self.attack
        return self.state.turn if attack is None or not attack.begun else attack.side

    def in_order(self, operators: Iterable[OperatorState]) -> list[OperatorState]:
        """Return OPERATORs in the order of M-11: ``first``'s, then the other player's, from left to right."""
        first = self.first
        return sorted(
            operators,
            key=lambda operator: (
                operator.side != first,
                -1 if operator.position is None else operator.position,
            ),
        )

    # Which effects act

    def invalidate(self) -> None:
        """Forget which effects act: somebody has come, gone, changed places, risen or fallen, or a card or
        STRATEGY has come into play or left it."""
        if self.always_due or "always DP" in (self.waits_for or ()):
            self.hit_check_due = True
        self.arrangement = Arrangement()

    def forget_card(self, side: Side, card: str) -> None:
        """Do the same for an attached card that has come or gone: it makes no difference to others."""
        if "always" in self.cards[card].effects.waits_for:
            self.invalidate()
        else:
            self.arrangement = self.arrangement.without_sources_of(side)

    def active(self, side: Side) -> list[OperatorState]:
        """Return a player's OPERATORs that are face up on the FIELD, from left to right."""
        known_operators = self.arrangement.active
        active_operators = known_operators.get(side)
        if active_operators is None:
            active_operators = known_operators[side] = self.state.active(side)
        return active_operators

    def sources(self, first: Side, event: str) -> list[Source]:
        """Return what acts now and waits for something (``EffectTable.waits_for``).

        C-3: of OPERATORs that are face up on the FIELD. M-11: ``first``'s before the other player's, each
        from left to right, what an OPERATOR bears in the order of ``borne_by``, STRATEGY cards last in the
        order in which they were played.
        """
        if self.waits_for is not None and event not in self.waits_for:
            return _NO_SOURCES
        if self.arrangement.keywords_vary:
            self._settle_keywords()
        arrangement = self.arrangement
        waiting = arrangement.waiting.get((first, event))
        if waiting is None:
            sources_of_both = self._of_side(first) + self._of_side(other(first))
            waiting = [source for source in sources_of_both if event in source.table.waits_for]
            if not arrangement.keywords_vary:
                arrangement.waiting[first, event] = waiting
        return waiting

    def _of_side(self, side: Side) -> list[Source]:
        """Every source of a player's that acts now."""
        arrangement = self.arrangement
        sources = arrangement.sources.get(side)
        if sources is None:
            sources = [source for operator in self.active(side) for source in self.borne_by(operator)]
            sources = arrangement.sources[side] = sources + self._of_strategies(side)
            if arrangement.keywords_vary:
                arrangement.keywords = self._all_keywords()
        return sources

    def _of_strategies(self, side: Side) -> list[Source]:
        """The sources of a player's STRATEGY cards in play, made once for the same cards and numbers."""
        player = self.state.player(side)
        if not player.strategies:
            return []
        cards_key = side, player.strategies, player.numbers
        sources = self._strategy_sources.get(cards_key)
        if sources is None:
            sources = [
                self._source(self.cards[card].effects, side, number=number)
                for number, card in player.in_play()
            ]
            self._strategy_sources[cards_key] = sources
        return sources

    def borne_by(self, operator: OperatorState, *, keywords: bool = True) -> list[Source]:
        """Return the effects that an OPERATOR bears while it is face up on the FIELD (C-3), also without
        those of its KEYWORDs.

        **Ruling:** its SKILLs, its KEYWORDs (E-12), its card, then the OBJECTIVE at which it stands (E-18).
        """
        has_skills = not (operator.lasting and operator.has_lost_skills)  # E-29
        tables, places = self.rules.keywords, self.rules.places
        objective = self.objective_at(operator) if places else None
        giving = (
            operator.card if has_skills else None,
            *(self.keywords_of(operator) if tables and keywords and has_skills else ()),
            operator.attached,
            objective,
        )
        place = operator.key, operator.position, giving
        sources = self._borne.get(place)
        if sources is None:
            sources = self._borne[place] = [*self._sources_of(operator, giving)]
        return sources

    def _sources_of(self, operator: OperatorState, giving: tuple[str | None, ...]) -> Iterator[Source]:
        """Yield the effects of an OPERATOR that its card, KEYWORDs, attached card and OBJECTIVE give it."""
        card, *keywords, attached, objective = giving
        if card is not None:
            yield self.skills[operator.key]
        for keyword in keywords:
            if keyword in self.rules.keywords:
                yield self._source(self.rules.keywords[keyword], operator.side, operator, keyword)
        if attached is not None:
            yield self.card_on(operator, attached)
        if objective in self.rules.places:
            yield self._source(self.rules.places[objective], operator.side, operator, objective)

    def objective_at(self, operator: OperatorState) -> str | None:
        """Return the OBJECTIVE of an OPERATOR's FIELDPOSITION, as long as its row has it."""
        if operator.position is None:
            return None
        objectives = self.state.player(operator.side).objectives
        return objectives[operator.position] if operator.position < len(objectives) else None

    def bears(self, operator: OperatorState, card: str | None) -> bool:
        """Whether an effect on an OPERATOR still acts: it is face up on the FIELD (C-3), with what gives it
        (``Source.card``): its SKILLs (E-29), the attached card, KEYWORD or OBJECTIVE."""
        if operator.position is None or operator.status not in UP:
            return False
        if card is None or operator.attached == card:
            return True
        has_skills = not (operator.lasting and operator.has_lost_skills)
        if card == operator.card:
            return has_skills
        if card in self.rules.places:
            return self.objective_at(operator) == card
        return has_skills and card in self.rules.keywords and card in self.keywords_of(operator)

    def card_on(self, operator: OperatorState, card: str) -> Source:
        """Return the effects of a card on an OPERATOR."""
        source = self._card_sources.get((operator.key, card))
        if source is None:
            source = self._source(self.cards[card].effects, operator.side, operator, card)
            self._card_sources[operator.key, card] = source
        return source

    def _source(
        self,
        table: EffectTable,
        side: Side,
        bearer: OperatorState | None = None,
        card: str | None = None,
        number: int | None = None,
    ) -> Source:
        """Return the effects of a card where it lies, with contexts for those that always act."""
        source = Source(table, side, bearer, card, number)
        if not table.always:
            return source
        context = Context(self.base, side, bearer)
        # what gives traits or KEYWORDs cannot depend on those that are given (E-12)
        context_of_giving = Context(self.first_pass, side, bearer)
        always = [
            Active(effect, context_of_giving if effect.gives else context, card, source.limit(effect))
            for effect in table.always
        ]
        return Source(table, side, bearer, card, number, tuple(always))

    def _all_static(self) -> list[Active]:
        """The active effects without `when`, in the order of M-11.

        **Ruling:** SUPPRESSION without `when` concerns every OPERATOR on the FIELD, TEAMWORK without `when`
        every one that has a team mate in RANGE.
        """
        first = self.first
        suppression, teamwork = self.rules.suppression, self.rules.teamwork
        sources = self.sources(first, "always")
        active = [*self.active(first), *self.active(other(first))]
        if suppression.always:
            sources = [*[self._source(suppression, operator.side, operator) for operator in active], *sources]
        if teamwork.always:
            mates = [operator for operator in active if self.has_team_mate(operator)]
            sources = [*sources, *[self._source(teamwork, operator.side, operator) for operator in mates]]
        return [active for source in sources for active in source.always]

    def static_effects(self) -> StaticEffects:
        """Return every active effect without `when` by what it makes, in the order of M-11."""
        first = self.state.turn if self.attack is None else self.attack.side
        if self.arrangement.keywords_vary:
            self._settle_keywords()
        static = self.arrangement.static.get(first)
        if static is None:
            static = self.arrangement.static[first] = StaticEffects()
            acting = static.acting
            for active in self._all_static():
                for aspect in active.effect.makes:
                    if aspect in acting:
                        acting[aspect].append(active)
                    else:
                        acting[aspect] = [active]
        return static

    def has_team_mate(self, operator: OperatorState) -> bool:
        """Whether an own OPERATOR of the same TEAM is in RANGE; how many makes no difference (M-3)."""
        known = self.arrangement.with_team_mate
        has_mate = known.get(operator.key)
        if has_mate is None:
            has_mate = self._finds_team_mate(operator)
            if "RANGE" not in self.varying:
                known[operator.key] = has_mate
        return has_mate

    def _finds_team_mate(self, operator: OperatorState) -> bool:
        """Whether there is such an OPERATOR now; ``has_team_mate`` keeps the answer where it can."""
        team = self.facts[operator.key].team
        if team is None:
            return False
        for mate in self.active(operator.side):
            if self.facts[mate.key].team == team and self.in_range(mate, operator):
                return True
        return False

    def awaits(self, event: str) -> bool:
        """Whether an effect in this GAME may wait for something, change DAMAGE or RANGE, or give a KEYWORD or
        trait (``EffectTable.waits_for``)."""
        return self.waits_for is None or event in self.waits_for

    # KEYWORDs and traits, which are settled before RANGE and before numbers (E-12)

    def has_trait(self, operator: OperatorState, trait: str) -> bool:
        """Whether an OPERATOR has a trait, printed or given."""
        return trait in self.facts[operator.key].traits or (
            self.awaits("trait") and trait in self._given_traits(operator)
        )

    def traits_of(self, operator: OperatorState) -> frozenset[str]:
        """Return all traits of an OPERATOR."""
        return self.facts[operator.key].traits.union(self._given_traits(operator))

    def _given_traits(self, operator: OperatorState) -> list[str]:
        """The traits that effects give an OPERATOR (E-12)."""
        held = [holding.does for holding in self.held(operator, tree.GainsTrait)]
        return [does.trait.text for does in held if isinstance(does, tree.GainsTrait)]

    def has_keyword(self, operator: OperatorState, keyword: str) -> bool:
        """Whether an OPERATOR has a KEYWORD, printed or given."""
        return keyword in self.keywords_of(operator)

    def keywords_of(self, operator: OperatorState) -> tuple[str, ...]:
        """Return the KEYWORDs of an OPERATOR, each once: printed ones in their order, then given ones by id.

        KEYWORDs give none, so that those which always hold can be found before it is known who has which.
        """
        printed = self.facts[operator.key].keywords
        if not self.awaits("KEYWORD"):
            return printed
        given_keywords = set(_lasting_keywords(operator))
        for giver in self._keyword_givers():
            for holding in self._made_by(giver, giver.effect.makes[tree.GainsKeyword], operator):
                assert isinstance(holding, Holding)
                assert isinstance(holding.does, tree.GainsKeyword)
                given_keywords.add(holding.does.keyword.text)
        return (*printed, *sorted(given_keywords.difference(printed))) if given_keywords else printed

    def _keyword_givers(self) -> list[Active]:
        """The active effects without `when` that give KEYWORDs."""
        arrangement = self.arrangement
        if arrangement.givers is None:
            sources: list[Source] = []
            for side in SIDES:
                for operator in self.active(side):
                    sources += self.borne_by(operator, keywords=False)
                sources += self._of_strategies(side)
            always = [active for source in sources for active in source.always]
            arrangement.givers = [active for active in always if tree.GainsKeyword in active.effect.makes]
            # None: nobody can say what the effect reads, so it may change at any time
            arrangement.keywords_vary = any(giver.effect.reads is None for giver in arrangement.givers)
        return arrangement.givers

    def _settle_keywords(self) -> None:
        """Find anew what acts, if somebody has got or lost a KEYWORD by a condition."""
        keywords_now = self._all_keywords()
        if keywords_now != self.arrangement.keywords:
            self.arrangement = self.arrangement.with_keywords(keywords_now)

    def _all_keywords(self) -> tuple[tuple[str, ...], ...]:
        """The KEYWORDs of all OPERATORs by key, to be compared with those of another moment."""
        return tuple([self.keywords_of(operator) for operator in self.state.operators])

    # RANGE

    def in_range(self, operator: OperatorState, of: OperatorState) -> bool:
        """Whether ``operator`` is in RANGE of ``of`` (R-1, E-16)."""
        if self.waits_for is not None and "RANGE" not in self.waits_for:
            return in_range(operator, of)
        return in_range(operator, of, self.range_of(of))

    def range_of(self, operator: OperatorState) -> int:
        """Return the RANGE of an OPERATOR, from 0 to ``MOST_RANGE`` (E-16).

        It is settled before numbers, and before what somebody ignores, so that neither needs it. What it
        depends on reads RANGE as events have changed it.
        """
        if self.waits_for is not None and "RANGE" not in self.waits_for:
            return PLAIN_RANGE
        operators_range = self.arrangement.ranges.get(operator.key)
        if operators_range is None:
            operators_range = max(0, min(self._new_range(operator), MOST_RANGE))
            if "RANGE" not in self.varying:
                self.arrangement.ranges[operator.key] = operators_range
        return operators_range

    def _new_range(self, operator: OperatorState) -> int:
        """The RANGE of an OPERATOR by what lasts and what always acts; it may be below 0."""
        operators_range = _lasting_range(operator)
        for source in self.sources(self.first, "RANGE"):
            for effect in source.table.always:
                if "RANGE" not in effect.makes:
                    continue
                context = Context(self.range_pass, source.controller, source.bearer)
                if effect.condition is None or effect.condition.holds(context):
                    for action in effect.makes["RANGE"]:
                        if action.targets.concerns(operator, context):
                            operators_range += action.amount(context)
        return operators_range

    @property
    def damage(self) -> int:
        """What the attack that goes on added to the HITCOUNTER, 0 until it was compared (E-14)."""
        return 0 if self.attack is None else self.attack.damage

    # Numbers

    def number(self, operator: OperatorState, stat: str, static: StaticEffects | None = None) -> int:
        """Return the current number as it is read, never below the floor (N-5)."""
        if static is None:
            static = self.static_effects()
        attack = self.attack
        if operator.lasting or stat in static.acting or (attack is not None and attack.changes):
            number = self.carried(operator, stat, static)
        else:
            number = self.facts[operator.key].values[stat]
        floor = self.options.floor
        return number if number > floor else floor

    def carried(self, operator: OperatorState, stat: str, static: StaticEffects | None = None) -> int:
        """Return the current number as it is carried on, which may be below the floor (N-5)."""
        value = self.facts[operator.key].values[stat]
        if static is None:
            static = self.static_effects()
        # nothing that lasts can be ignored, and what is only added comes after all else (N-2)
        added, is_added_last = 0, self.options.stacking == "layered"
        for lasting in operator.lasting:
            if lasting.stat == stat:
                if not (lasting.layer == "add" or lasting.layer == "subtract"):
                    is_added_last = False
                added += lasting.amount
        attack = self.attack
        if is_added_last and stat not in static.acting and (attack is None or not attack.changes):
            return value + added
        changes = self.counting(operator, stat, static, lasting=not is_added_last)
        if not is_added_last:
            added = 0
        return (
            put_together(value, changes, self.options, self.prevailing, added) if changes else value + added
        )

    def counting(
        self, operator: OperatorState, stat: str, static: StaticEffects, *, lasting: bool = True
    ) -> list[Change]:
        """Return the changes of a number that count: those that the OPERATOR does not ignore; without
        ``lasting`` only those that are not made by what lasts on it."""
        changes = self.lasting(operator, stat) if lasting and operator.lasting else []
        if stat in static.acting:
            changes_made = static.made.get((operator.key, stat))
            changes += self._made(operator, stat, static) if changes_made is None else changes_made
        attack, key = self.attack, operator.key
        if attack is not None:
            for change in attack.changes:
                if change.who == key and change.stat == stat and self.is_alive(change):
                    changes.append(change)
        if not changes:
            return changes
        may_ignore = tree.Ignores in static.acting or (attack is not None and attack.holdings)
        if not (may_ignore or (operator.lasting and operator.holds_any)):
            return changes
        ignored = self.ignored(operator, static)
        return [change for change in changes if change.ignored_as not in ignored] if ignored else changes

    def is_alive(self, change: Change | Holding) -> bool:
        """Whether what made it is still there: its OPERATOR face up on the FIELD, its card, KEYWORD or
        OBJECTIVE (C-3), its STRATEGY in play (E-17)."""
        if change.bearer is not None:
            return self.bears(self.state.operators[change.bearer], change.card)
        return change.number is None or self.state.player(change.controller).has_in_play(change.number)

    def lasting(self, operator: OperatorState, stat: str | None) -> list[Change]:
        """Return the changes of a number (None: of any) by what lasts on an OPERATOR (N-3)."""
        late = () if self.attack is None else self.attack.late
        return [
            _lasting_change(operator.key, lasting, lasting.stat, late)
            for lasting in operator.lasting
            if lasting.layer is not None and lasting.stat is not None and stat in (None, lasting.stat)
        ]

    def ignored(self, operator: OperatorState, static: StaticEffects) -> frozenset[str]:
        """Return what an OPERATOR ignores, in words of ``vocabulary.IGNORABLE``. Changes of its numbers only:

        **ruling:** dice verbs, permissions and events of an ignored card still act, for they change no number
        of its.
        """
        holdings = self.held(operator, tree.Ignores, static)
        if not holdings:
            return _NOTHING
        return frozenset(
            [holding.does.what for holding in holdings if isinstance(holding.does, tree.Ignores)]
        )

    def ignores_action(self, operator: OperatorState, action: str) -> bool:
        """Whether what the ruleset's ACTION (MOVE, MEDIC, EVADE) changes does not change an OPERATOR."""
        return any(holding.does == tree.Ignores(action) for holding in self.held(operator, tree.Ignores))

    def holds_any(self, attack: Attack, static: StaticEffects) -> bool:
        """Whether a dice verb may be held by one of the two of an attack; nearly always there is none."""
        if attack.holdings or not DICE_VERBS.isdisjoint(static.acting):
            return True
        attacker, attacked = attack.attacker, attack.attacked
        return bool((attacker.lasting and attacker.holds_any) or (attacked.lasting and attacked.holds_any))

    def held(
        self, operator: OperatorState, verb: type = object, static: StaticEffects | None = None
    ) -> list[Holding]:
        """Return everything that holds for an OPERATOR; with a verb's class only what is of this kind."""
        if self.makes is not None and verb not in self.makes and verb is not object:
            return []  # no card in play makes it
        if static is None:
            static = self.static_effects()
        attack = self.attack
        holdings: list[Holding] = []
        by_attack = attack is not None and attack.holdings
        if not (operator.lasting or verb in static.acting or by_attack or verb is object):
            return holdings
        for lasting in operator.lasting:
            if lasting.layer is None and isinstance(lasting.does, verb):
                holdings.append(
                    Holding(operator.key, lasting.does, lasting.controller, lasting.rule, lasting.origin)
                )
        if verb is object:
            for active in self._all_static():
                made = self._made_by(active, active.effect.actions, operator)
                holdings += [holding for holding in made if isinstance(holding, Holding)]
        elif verb in static.acting:
            holdings += self._made(operator, verb, static)
        if attack is not None:
            for held in attack.holdings:
                if held.who == operator.key and isinstance(held.does, verb) and self.is_alive(held):
                    holdings.append(held)
        return holdings

    def held_by_player(self, side: Side, verb: type = object) -> list[Holding]:
        """Return everything that holds for a player (E-33); with a verb's class only what is of this kind."""
        if self.makes is not None and verb not in self.makes and verb is not object:
            return []  # no card in play makes it
        holdings = [
            Holding(side, lasting.does, lasting.controller, lasting.rule, lasting.origin)
            for lasting in self.state.player(side).lasting
            if isinstance(lasting.does, verb)
        ]
        active = self._all_static() if verb is object else self.static_effects().acting.get(verb, ())
        for effect, context, card, _ in active:
            for action in effect.actions if verb is object else effect.makes[verb]:
                if side in action.targets.sides(context) and (
                    effect.condition is None or effect.condition.holds(context)
                ):
                    holdings.append(holding_by(action, effect, context, side, "M-10", card))
        if self.attack is not None:
            for held in self.attack.holdings:
                if held.who == side and isinstance(held.does, verb) and self.is_alive(held):
                    holdings.append(held)
        return holdings

    def may_play(self, side: Side, kind: str) -> bool:
        """Whether no effect says that a player cannot play cards of a kind (E-33)."""
        if self.makes is not None and tree.CannotPlay not in self.makes:
            return True
        forbidden = self.held_by_player(side, tree.CannotPlay)
        return all(
            isinstance(holding.does, tree.CannotPlay) and holding.does.kind != kind.upper()
            for holding in forbidden
        )

    def forbids_having(self, operator: OperatorState, kind: str) -> str:
        """Return the rule by which no card of a kind can be attached to an OPERATOR; nothing if one can."""
        if kind == "defence" and self.held(operator, tree.CannotHaveDefence):
            return "M-8"
        if self.makes is not None and tree.CannotHave not in self.makes:
            return ""
        words = ("cards", "ITEMs" if kind == "item" else f"{kind.upper()} cards")
        forbidden = self.held(operator, tree.CannotHave)
        is_forbidden = any(
            isinstance(holding.does, tree.CannotHave) and holding.does.what in words for holding in forbidden
        )
        return "E-33" if is_forbidden else ""

    def _made(self, operator: OperatorState, aspect: Aspect, static: StaticEffects) -> list[Any]:
        """What the effects without `when` make of this kind for an OPERATOR: changes or holdings (M-10).

        It is kept where all of them are settled and none reads what varies in this GAME (RANGE, KEYWORDs,
        traits), which gives 1.1 times as many random games a second.
        """
        made_before = static.made.get((operator.key, aspect))
        if made_before is not None:
            return made_before
        all_made: list[Any] = []
        is_settled = True
        for active in static.acting[aspect]:
            effect, context, _, limit = active
            if not effect.own or context.self is operator:
                all_made += self._made_by(active, effect.makes[aspect], operator)
                reads = effect.reads
                if limit is not None or reads is None or not reads.isdisjoint(self.varying):
                    is_settled = False
        if is_settled:
            static.made[operator.key, aspect] = all_made
        return all_made

    def _made_by(
        self, active: Active, actions: Sequence[ContinuousAction], operator: OperatorState
    ) -> list[Change | Holding]:
        """What actions of an effect without `when` make for an OPERATOR."""
        effect, context, card, limit = active
        all_made: list[Change | Holding] = []
        if limit is not None and limit in self.state.used:
            return all_made
        for action in actions:
            if action.targets.concerns(operator, context):
                if not all_made and effect.condition is not None and not effect.condition.holds(context):
                    return all_made
                if action.layer is None:
                    rule = "E-12" if action.aspect in GIVING else "M-10"
                    all_made.append(holding_by(action, effect, context, operator.key, rule, card, limit))
                else:
                    all_made.append(
                        change_by(action, effect, context, operator.key, effect.step, "M-10", card)
                    )
        return all_made

    # For the trace

    def changes(self) -> list[Change]:
        """Return all changes, also ignored ones, in the order in which they came about, OPERATOR by
        OPERATOR."""
        by_operator: dict[Key, list[Change]] = {}
        for operator in self.state.operators:
            lasting_changes = self.lasting(operator, None)
            if lasting_changes:
                by_operator[operator.key] = lasting_changes
        for effect, context, card, _ in self._all_static():
            if effect.condition is not None and not effect.condition.holds(context):
                continue
            for action in effect.actions:
                if action.layer is None:
                    continue
                rule = "E-16" if action.stat == "RANGE" else "M-10"
                for member in action.targets.members(context):
                    change = change_by(action, effect, context, member.key, effect.step, rule, card)
                    by_operator.setdefault(member.key, []).append(change)
        if self.attack is not None:
            for change in self.attack.changes:
                if self.is_alive(change):
                    by_operator.setdefault(change.who, []).append(change)
        return [change for changes in by_operator.values() for change in changes]

    def idle(self) -> list[TraceEntry]:
        """Return a line for what would always hold and does not, with the reason."""
        entries = []
        for effect, context, _, _ in self._all_static():
            if effect.condition is not None and not effect.condition.holds(context):
                why = effect.condition.why_false(context)
                key = None if context.self is None else context.self.key
                entries.append(TraceEntry("skipped", "M-10", why, effect.step, effect.origin, key))
        return entries

    # Attacks

    def begin_attack(self, attacker: OperatorState, attacked: OperatorState) -> Attack:
        """Return an attack at its start, with every effect that could act in it; nothing is judged yet."""
        # what comes to last from now on was made `when attached`, in step 5
        attack = Attack(attacker, attacked, attacker.side, ((self.state.serial, _STEP_OF_CARDS),))
        pending: list[Pending] = []
        for source in self.sources_in_attack(attacker, attacked, "attack"):
            bearer, table = source.bearer, source.table
            if bearer is attacker:
                may_act = bool(table.in_attack_as["attacker"])
            elif bearer is attacked:
                may_act = bool(table.in_attack_as["attacked"])
            else:
                may_act = "attacks of others" in table.waits_for
            if may_act:
                pending += self.pending_of(source, attacker, attacked)
        attack.wait(pending)
        return attack

    def sources_in_attack(
        self, attacker: OperatorState, attacked: OperatorState, event: Literal["attack", "forbids"]
    ) -> list[Source]:
        """Return the sources of an attack in the order of MODIFY: all, or those that may forbid it (M-8)."""
        suppression, teamwork = self.rules.suppression, self.rules.teamwork
        sources: list[Source] = []
        if event in suppression.waits_for:
            for operator in (attacker, attacked):
                sources.append(Source(suppression, operator.side, operator))
        sources += self.sources(attacker.side, event)
        if event in teamwork.waits_for:
            for operator in (attacker, attacked):
                if self.has_team_mate(operator):
                    sources.append(Source(teamwork, operator.side, operator))
        return sources

    def pending_of(self, source: Source, attacker: OperatorState, attacked: OperatorState) -> list[Pending]:
        """Return the effects of one source whose trigger holds in an attack."""
        bearer, controller = source.bearer, source.controller
        bearers_part = attack_part(controller, bearer, attacker, attacked)
        target = attacked if bearers_part == "attacker" else attacker
        pending = []
        for effect in source.table.in_attack_as[bearers_part]:
            when = effect.when
            assert when is not None
            if when.needs_self:
                context = Context(self, controller, bearer, target, attacker, attacked)
            else:
                concerned = attacker if when.part == "attacker" else attacked
                context = Context(self, controller, bearer, None, attacker, attacked, it=(concerned,))
                if effect.filters and not self.outside_attack(effect.filters, concerned, context):
                    continue
            context.number = source.number
            limit = None if effect.limit is None else source.limit(effect)
            pending.append(Pending(effect, context, source.card, None, limit))
        return pending

    def outside_attack(self, belongs: OperatorTest, operator: OperatorState, context: Context) -> bool:
        """Return whether an OPERATOR passes a filter of a trigger, on the numbers outside attacks (E-6)."""
        attack, self.attack = self.attack, None
        try:
            return belongs(operator, context)
        finally:
            self.attack = attack


class _Unsettled:
    """VALUEs and what events and ACTIONs have changed: what effects without `when` read (M-10)."""

    __slots__ = ("_board", "cards", "facts", "objective_values", "options", "state", "suppressed")

    def __init__(self, resolver: StateQueries) -> None:
        self._board = resolver
        self.state, self.cards, self.facts = resolver.state, resolver.cards, resolver.facts
        self.options = resolver.options
        self.suppressed: Sequence[CompiledCondition | None] = resolver.suppressed
        self.objective_values = resolver.objective_values

    def number(self, operator: OperatorState, stat: str) -> int:
        """Return the number as it is read, never below the floor (N-5)."""
        resolver = self._board
        value = self.facts[operator.key].values[stat]
        if operator.lasting:
            changes = resolver.lasting(operator, stat)
            value = put_together(value, changes, resolver.options, resolver.prevailing)
        return max(resolver.options.floor, value)

    @property
    def damage(self) -> int:
        """What the attack that goes on added to the HITCOUNTER."""
        return self._board.damage

    def in_range(self, operator: OperatorState, of: OperatorState) -> bool:
        """Whether ``operator`` is in RANGE of ``of`` (R-1, E-16)."""
        return self._board.in_range(operator, of)

    def has_trait(self, operator: OperatorState, trait: str) -> bool:
        """Whether an OPERATOR has a trait, printed or given."""
        return self._board.has_trait(operator, trait)

    def has_keyword(self, operator: OperatorState, keyword: str) -> bool:
        """Whether an OPERATOR has a KEYWORD, printed or given."""
        return self._board.has_keyword(operator, keyword)


class _BeforeRange(_Unsettled):
    """The same before RANGE is settled: 1 and what events have made of it (E-16)."""

    __slots__ = ()

    def in_range(self, operator: OperatorState, of: OperatorState) -> bool:
        """Whether ``operator`` is in RANGE of ``of``, as events have changed it."""
        return in_range(operator, of, max(0, min(_lasting_range(of), MOST_RANGE)))


class _BeforeTraits(_BeforeRange):
    """The same before traits and KEYWORDs are settled: those printed and those that events gave (E-12)."""

    __slots__ = ()

    def has_trait(self, operator: OperatorState, trait: str) -> bool:
        """Whether an OPERATOR has a trait, printed or given by an event."""
        if trait in self.facts[operator.key].traits:
            return True
        given_traits = [
            lasting.does for lasting in operator.lasting if isinstance(lasting.does, tree.GainsTrait)
        ]
        return any(does.trait.text == trait for does in given_traits)

    def has_keyword(self, operator: OperatorState, keyword: str) -> bool:
        """Whether an OPERATOR has a KEYWORD, printed or given by an event."""
        return keyword in self._board.facts[operator.key].keywords or keyword in _lasting_keywords(operator)


def _lasting_keywords(operator: OperatorState) -> list[str]:
    """The KEYWORDs that events gave an OPERATOR."""
    return [
        lasting.does.keyword.text
        for lasting in operator.lasting
        if isinstance(lasting.does, tree.GainsKeyword)
    ]


def _lasting_range(operator: OperatorState) -> int:
    """The RANGE of an OPERATOR as events have changed it; it may be below 0."""
    return PLAIN_RANGE + sum([lasting.amount for lasting in operator.lasting if lasting.stat == "RANGE"])


def _lasting_change(
    operator_key: Key, lasting: Lasting, stat: str, late: tuple[tuple[int, int], ...]
) -> Change:
    """What lasts on an OPERATOR as a change; ``late`` are steps of this attack, each with the serial number
    after which something belongs to it. A limit belongs to every step (E-26)."""
    assert lasting.layer is not None
    step = BEFORE_STEPS
    for serial, late_step in late:
        if lasting.serial > serial and lasting.layer not in LIMITS:
            step = late_step
    return Change(
        operator_key,
        stat,
        lasting.layer,
        lasting.amount,
        step,
        lasting.controller,
        lasting.rule,
        lasting.origin,
        by_card=lasting.origin.role in CARD_ROLES,
    )
