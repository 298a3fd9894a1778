"""Checks of the contents of a scenario: its OPERATORs, cards, states, steps and expectations.

What explains mistakes is imported only where a mistake is met.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from toolkit.data.checks.references import Reference, resolve
from toolkit.data.model import CardSet, Mode
from toolkit.data.scenarios import SIDES, Given, OperatorRef, Script, Step, Values, misspelt_expect_keys
from toolkit.data.schemas.card_schema import ATTACHABLE_KINDS, DECK_KINDS, KINDS, kinds_phrase
from toolkit.data.yaml.nodes import Mapping, Scalar
from toolkit.diagnostics import Diagnostic, Fix, Label, correction, suggestion
from toolkit.diagnostics.phrases import counted, declaration, shown
from toolkit.source import Span
from toolkit.vocabulary import ACTIONS
from toolkit.vocabulary.nearest import nearest
from toolkit.vocabulary.rule_ids import RULES

_ITEM, _STRATEGY, _OPERATOR = ("item",), ("strategy",), ("operator",)
_ANSWERS = (
    "action", "dice", "performance", "choose", "either", "may", "cards", "order", "place", "random",
    "at_once",
)  # fmt: skip
_KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    **{action.key: (("by", "on") if action.target else ("by",), ()) for action in ACTIONS.values()},
    "attack": (
        ("by", "on"),
        ("attack_card", "defence_card", "late_attack_card", "critical", "reroll", "set"),
    ),
    "move": (("by",), ("swap",)),
    "play": (("by", "card"), ()),
    "end-turn": ((), ()),
}
"""The required keys of each action, and the optional ones besides ``_ANSWERS``."""

_ALL_KEYS = frozenset(key for required, others in _KEYS.values() for key in (*required, *others))
_CARDS = {
    "card": ("effect", "strategy"),
    "attack_card": ("attack",),
    "defence_card": ("defence",),
    "late_attack_card": ("attack",),
}
_WHAT_FOR = {
    "by": "the OPERATOR that does it",
    "on": "the OPERATOR it is done to",
    "card": "the card that is played",
}


class ScenarioValidator:
    """Checks one scenario; ``mode`` is None if it is unknown."""

    def __init__(self, card_set: CardSet, script: Script, mode: Mode | None) -> None:
        self.card_set = card_set
        self.script = script
        self.mode = mode
        self.misspelt = misspelt_expect_keys(script.entry.node)

    def findings(self) -> Iterator[Diagnostic]:
        """Yield all findings except those about its mode and ruleset."""
        for side in SIDES:
            yield from self._side(side)
        yield from self._states()
        for step in self.script.all_steps():
            yield from self._step_keys(step)
            yield from self._step_operators(step)
            yield from self._step_cards(step)
        yield from self._nothing_expected()
        yield from self._refused()
        yield from self._attack()
        yield from self._not_played()
        yield from self._own_words()
        for piles in self.script.expected.piles.values():
            for key, pile in piles.items():
                yield from self._of_kind(pile.value, _STRATEGY if key == "strategies" else DECK_KINDS)
        yield from self._expected_operators()

    def _finding(
        self,
        name: str,
        message: str,
        span: Span,
        step: str,
        fix: Fix | None = None,
        labels: tuple[Label, ...] = (),
    ) -> Diagnostic:
        return Diagnostic(name, message, span, step, labels, self.script.name, fix)

    def _side(self, side: str) -> Iterator[Diagnostic]:
        """Check how a side starts: the kinds of its cards, and their number against the mode's places."""
        script, mode = self.script, self.mode
        fielded = [card for card in script.field[side] if card is not None]
        for group, kinds in (
            (fielded, _OPERATOR),
            (script.save_zone[side], _OPERATOR),
            (script.hands[side], DECK_KINDS),
            (script.decks[side], DECK_KINDS),
            (script.discards[side], DECK_KINDS),
            (script.item_decks[side], _ITEM),
            (script.strategies[side], _STRATEGY),
        ):
            yield from self._of_kind(group, kinds)
        first_spans: dict[str, Span] = {}
        for card in (*fielded, *script.save_zone[side]):
            if card.value in first_spans:
                message = f"`{card.value}` is twice on the side of {side}; each OPERATOR appears once."
                step = "Use another OPERATOR here, or write `~` for an empty FIELDPOSITION."
                label = Label(first_spans[card.value], "first here")
                yield self._finding("repeated-value", message, card.span, step, labels=(label,))
            first_spans.setdefault(card.value, card.span)
        if mode is None:
            return
        for key, listed, places, noun in (
            ("field", len(script.field[side]), mode.field_positions, "FIELDPOSITION"),
            ("save_zone", len(script.save_zone[side]), mode.save_zone, "place"),
            ("strategies", len(script.strategies[side]), mode.strategy_positions, "strategy position"),
        ):
            if listed > places:
                where = " in the SAVEZONE" if key == "save_zone" else ""
                message = f"The mode `{mode.id}` has {counted(places, noun)}{where}, but here are {listed}."
                step = "Remove the extra ones, or choose another `mode`."
                yield self._finding("too-many-items", message, script.entry.span_of(key, side, places), step)

    def _of_kind(self, cards: Iterable[Given[str]], kinds: tuple[str, ...]) -> Iterator[Diagnostic]:
        """Yield a finding for each card that does not exist or is of another kind."""
        for card in cards:
            known_card = self.card_set.cards.get(card.value)
            if known_card is None or known_card.kind not in kinds:
                yield from self._unknown(card, kinds_phrase(kinds), kinds)

    def _unknown(
        self, reference: Given[str], kind_phrase: str, kinds: tuple[str, ...] = ()
    ) -> list[Diagnostic]:
        """Return the finding about an id that is not what it must be."""
        return resolve(
            self.card_set, Reference(reference.value, reference.span, kind_phrase, self.script.name), kinds
        )

    def _operator(self, ref: OperatorRef) -> list[Diagnostic]:
        """Return the finding about an OPERATOR that is not in the scenario, or that both sides field.

        If an id in ``field`` is misspelt, which is reported already, it may be this OPERATOR.
        """
        script, sides = self.script, self.script.sides_of(ref)
        if len(sides) == 1:
            return []
        if sides:
            labels = tuple(
                Label(card.span, f"this is `{side}.{card.value}`")
                for side, card in script.operators()
                if card.value == ref.card
            )
            message = f"Both sides field `{ref.card}`, so it is not clear which one is meant."
            step = f"Write {' or '.join(f'`{side}.{ref.card}`' for side in SIDES)}."
            return [self._finding("ambiguous-operator", message, ref.span, step, labels=labels)]
        if ref.card in self.card_set.cards and self._has_misspelt_field():
            return []
        return self._absent(ref)

    def _has_misspelt_field(self) -> bool:
        """Whether an id or a side in ``field`` or ``save_zone`` is misspelt."""
        for key in ("field", "save_zone"):
            sides = self.script.entry.node.nodes.get(key)
            if isinstance(sides, Mapping) and not set(SIDES) >= sides.nodes.keys():
                return True
        fielded = [self.card_set.cards.get(card.value) for _, card in self.script.operators()]
        return any(card is None or card.kind != "operator" for card in fielded)

    def _absent(self, ref: OperatorRef) -> list[Diagnostic]:
        """Return the finding about an absent OPERATOR: misspelt, on the other side, or just not placed."""
        card_set, written, candidates = self.card_set, shown(ref.written), self._candidates(ref)
        known_card, meant = card_set.cards.get(ref.card), nearest(ref.written, candidates)
        name = "not-in-scenario"
        other_side = next((side for side, card in self.script.operators() if card.value == ref.card), None)
        if ref.side is not None and other_side is not None:
            message = f"`{ref.card}` is on the side of {other_side}, not of {ref.side}."
            meant = f"{other_side}.{ref.card}"
        elif known_card is not None and known_card.kind != "operator":
            return list(self._of_kind([Given(ref.card, ref.span)], _OPERATOR))
        elif known_card is not None:
            of_side = f" on the side of {ref.side}" if ref.side else ""
            message = f"The OPERATOR `{shown(ref.card)}` is not in this scenario{of_side}."
        elif card_set.find(ref.card) is not None:
            message = f"`{written}` is not an OPERATOR of this scenario."
        elif meant is None and (card_set.incomplete or ref.card in card_set.broken_ids):
            message = f"The OPERATOR `{shown(ref.card)}` is not in this scenario."
        else:
            name, message = "unknown-card", f"There is no OPERATOR `{written}` in this scenario."
        fielded = [card_set.cards.get(card.value) for _, card in self.script.operators()]
        usable = [f"`{card.id}`" for card in fielded if card is not None and card.kind == "operator"]
        step = f", or use one that is there: {', '.join(dict.fromkeys(usable))}." if usable else "."
        step = f"Add it to `field` or `save_zone`{step}" if fielded else "Add OPERATORs to `field`."
        step = f"Did you mean `{meant}`?" if meant else step
        fix = suggestion(ref.span, ref.written, meant, candidates)
        return [self._finding(name, message, ref.span, step, fix)]

    def _candidates(self, ref: OperatorRef) -> list[str]:
        """Return the names of the OPERATORs that take part, with a side if ``ref`` has one or if needed."""
        operators = list(self.script.operators())
        counts = Counter(card.value for _, card in operators)
        without_side, with_side = [], []
        for side, card in operators:
            if ref.side is None and counts[card.value] == 1:
                without_side.append(card.value)
            else:
                with_side.append(f"{side}.{card.value}")
        return without_side + with_side

    def _once(self, ref: OperatorRef, first_refs: dict[tuple[str, str], OperatorRef]) -> Iterator[Diagnostic]:
        """Report an OPERATOR that is named twice, as ``viper`` and ``blue.viper``.

        ``first_refs`` are those named so far, by side and id, to which it is added.
        """
        sides = self.script.sides_of(ref)
        if len(sides) != 1:
            return  # absent or ambiguous, which is another finding
        [side] = sides
        first = first_refs.setdefault((side, ref.card), ref)
        if first is not ref:
            message = f"`{first.written}` and `{ref.written}` are the same OPERATOR."
            step = "Put everything about it under one of the two."
            labels = (Label(first.span, "first here"),)
            yield self._finding("duplicate-key", message, ref.span, step, labels=labels)

    def _states(self) -> Iterator[Diagnostic]:
        """Check the states that OPERATORs begin with."""
        first_refs: dict[tuple[str, str], OperatorRef] = {}
        for ref, values in self.script.state:
            yield from self._operator(ref)
            yield from self._once(ref, first_refs)
            attached = values.get("attached")
            if attached is not None:
                yield from self._of_kind([attached], ATTACHABLE_KINDS)
            yield from self._fallen_has_nothing(ref, values)
            yield from self._not_hit_at_once(ref, values)

    def _fallen_has_nothing(self, ref: OperatorRef, values: Values) -> Iterator[Diagnostic]:
        """Check that a HIT or OUT OPERATOR has no counters and no card (H-2)."""
        status = values.get("status")
        if status is None or status.value not in ("HIT", "OUT"):
            return
        for key in ("hitcounter", "objectivecounter", "attached"):
            written_value = values.get(key)
            if written_value is None or written_value.value in (0, None):
                continue
            noun = "card attached" if key == "attached" else key.upper()
            message = f"`{ref.written}` is {status.value}, and such an OPERATOR has no {noun} (H-2)."
            step = f"Remove `{key}`, or give it another `status`."
            labels = (Label(status.span, f"{status.value} here"),)
            yield self._finding("impossible-state", message, written_value.span, step, labels=labels)

    def _not_hit_at_once(self, ref: OperatorRef, values: Values) -> Iterator[Diagnostic]:
        """Check that no HITCOUNTER reaches DP, which would make its OPERATOR HIT immediately (H-1).

        If an effect that takes part mentions DP, only playing the scenario can tell.
        """
        counter, card = values.get("hitcounter"), self.card_set.cards.get(ref.card)
        if counter is None or card is None or "status" in values:
            return
        rows = [self.script.field[side] for side in self.script.sides_of(ref)]
        is_fielded = any(place is not None and place.value == ref.card for row in rows for place in row)
        dp = card.stats["DP"] + (values["dp"].value if "dp" in values else 0)
        if not counter.value or counter.value < dp or not is_fielded:
            return
        if not any("DP" in text for text in self._effects()):
            hit = f"with a HITCOUNTER of {counter.value} it is HIT (H-1)."
            message = f"`{ref.written}` has DP {max(dp, 0)}; {hit}"
            step = "Write a smaller number, or `status: HIT` instead."
            yield self._finding("impossible-state", message, counter.span, step)

    def _effects(self) -> Iterator[str]:
        """Yield the effects of all cards that take part, and of all KEYWORDs and OBJECTIVEs, as written."""
        cards = [self.card_set.cards.get(name) for name in dict.fromkeys(self.script.ids())]
        skills = [skill for card in cards if card is not None for skill in card.skills]
        keywords, objectives = self.card_set.keywords.values(), self.card_set.objectives.values()
        for bearer in (*cards, *skills, *keywords, *objectives):
            if bearer is not None and bearer.effect is not None:
                yield bearer.effect.value

    def _step_keys(self, step: Step) -> Iterator[Diagnostic]:
        """Check that a step has the required keys of its action, and none of other actions."""
        required, optional_keys = _KEYS[step.action]
        possible = (*required, *optional_keys)
        missing = [key for key in required if key not in step.keys]
        for key in sorted(_ALL_KEYS & step.keys.keys() - set(possible), key=lambda key: step.keys[key].start):
            span = step.keys[key]
            free = [name for name in possible if name not in step.keys]
            other = {"on": "swap", "swap": "on"}.get(key)  # both name the other OPERATOR
            meant = nearest(key, free) or (other if other in free else None)
            if meant in missing:
                missing.remove(meant)
            left = [name for name in (*possible, *_ANSWERS) if name not in step.keys]
            remove = f"Remove it; possible keys: {', '.join(left)}." if left else "Remove it."
            message = f"`{key}` is not a key of the action `{step.action}`."
            advice = f"Did you mean `{meant}`?" if meant else remove
            yield self._finding("unknown-key", message, span, advice, suggestion(span, key, meant, free))
        if not step.keys.keys() <= _ALL_KEYS | set(_ANSWERS):
            return  # an unknown key is most likely the one that seems to be missing
        for key in missing:
            is_player = (step.action, key) == ("play", "by")
            value_phrase = "the player, `blue` or `red`" if is_player else _WHAT_FOR[key]
            message = f"The action `{step.action}` has no `{key}`."
            yield self._finding("missing-key", message, step.span, f"Add `{key}: …`: {value_phrase}.")

    def _step_operators(self, step: Step) -> Iterator[Diagnostic]:
        """Check the OPERATORs and the player that a step names."""
        to = step.performance.to if step.performance else None
        chosen = [chosen_ref for chosen_ref in step.choose if isinstance(chosen_ref, OperatorRef)]
        for ref in (step.by, step.on, step.swap, to, *chosen):
            if ref is None:
                continue
            if step.action == "end-turn" and ref in (step.by, step.on, step.swap):
                continue  # the key itself is reported
            if ref is step.by and step.action == "play":
                yield from self._player(ref)
            elif ref is step.by and ref.written in SIDES and not self.script.sides_of(ref):
                message = f"`{ref.written}` is a player, but `{step.action}` is done by an OPERATOR."
                advice = "Write the id of one of the player's OPERATORs."
                yield self._finding("wrong-kind", message, ref.span, advice)
            else:
                yield from self._operator(ref)

    def _drawn(self, ref: OperatorRef) -> Iterator[Diagnostic]:
        """Check what chance draws: an OPERATOR of the scenario, or a card of a DECK."""
        known_card = self.card_set.cards.get(ref.card)
        if (
            ref.side
            or self.script.sides_of(ref)
            or (known_card is not None and known_card.kind == "operator")
        ):
            yield from self._operator(ref)
        elif known_card is None or known_card.kind not in DECK_KINDS:
            yield from self._of_kind([Given(ref.card, ref.span)], (*DECK_KINDS, *_OPERATOR))

    def _player(self, ref: OperatorRef) -> Iterator[Diagnostic]:
        """Check that a card is played by a player."""
        if ref.written in SIDES:
            return
        owners = self.script.sides_of(ref)
        meant = nearest(ref.written, SIDES) or (owners[0] if len(owners) == 1 else None)
        message = f"A card is played by a player, `blue` or `red`, not by `{ref.written}`."
        step = f"Did you mean `{meant}`?" if meant else "Write `blue` or `red`."
        fix = suggestion(ref.span, ref.written, meant, SIDES)
        yield self._finding("unknown-value", message, ref.span, step, fix)

    def _step_cards(self, step: Step) -> Iterator[Diagnostic]:
        """Check the cards and places that a step names."""
        required, optional_keys = _KEYS[step.action]
        for key, kinds in _CARDS.items():
            written_value = getattr(step, key)
            if written_value is not None and key in (*required, *optional_keys):
                yield from self._of_kind([written_value], kinds)
        chosen_cards = [Given(card.value, card.span) for card in step.cards if card.value is not None]
        yield from self._of_kind((*chosen_cards, *step.order), DECK_KINDS)
        for ref in step.random:
            yield from self._drawn(ref)
        for written_place in step.place:
            yield from self._place(written_place)
        if step.performance is not None and step.performance.item is not None:
            yield from self._of_kind([step.performance.item], _ITEM)

    def _nothing_expected(self) -> Iterator[Diagnostic]:
        """Report empty keys of ``expect``, and a scenario that neither does nor expects anything."""
        node = self.script.entry.node
        expect = node.nodes["expect"]
        assert isinstance(expect, Mapping), "the schema requires keys"
        for key, expected_node in expect.nodes.items():
            if isinstance(expected_node, Mapping) and not expected_node.nodes and key not in self.misspelt:
                message = f"Nothing is expected for `{shown(key)}`, so nothing is checked."
                step = "Write the expected value, or remove the key."
                yield self._finding("nothing-expected", message, expect.keys[key].span, step)
        if not self.script.steps and not expect.nodes:
            message = "This scenario does nothing and expects nothing, so it always passes."
            step = "Add steps to `do` and their expected results to `expect`."
            yield self._finding("nothing-expected", message, node.keys["expect"].span, step)

    def _refused(self) -> Iterator[Diagnostic]:
        """Check that the rule that must refuse the last step exists, and that there is a step."""
        refused = self.script.expected.refused
        if refused is None:
            return
        if refused.value not in RULES:
            meant = rule_meant(refused.value)
            message = f"There is no rule `{shown(refused.value)}`."
            step = "Write the id of a rule such as `A-2`."
            step = f"Did you mean `{meant}` ({RULES[meant]})?" if meant else step
            fix = suggestion(refused.span, refused.value, meant, RULES)
            yield self._finding("unknown-rule", message, refused.span, step, fix)
        if not self.script.steps:
            message = "Nothing can be refused, for `do` has no step."
            step = "Add the step that must be refused to `do`."
            yield self._finding("impossible-expectation", message, refused.span, step)

    def _attack(self) -> Iterator[Diagnostic]:
        """Report an expected attack that never takes place."""
        attack_span, steps = self.script.expected.attack_span, self.script.steps
        played = steps[:-1] if self.script.expected.refused is not None else steps
        may_come_at_once = any(step.at_once or step.dice for step in played)
        if attack_span is None or may_come_at_once or any(step.action == "attack" for step in played):
            return
        if any(step.action == "attack" for step in steps):
            message = "The only attack is the step that must be refused, so it has no numbers."
            advice = "Remove `attack`."
        else:
            message = "No step is an attack, so there are no numbers of one."
            advice = "Add a step `{action: attack, …}`, or remove `attack`."
        yield self._finding("impossible-expectation", message, attack_span, advice)

    def _not_played(self) -> Iterator[Diagnostic]:
        """Check that the cards in ``not_played`` have text-only rules (E-1)."""
        for card_word in self.script.expected.not_played:
            name, cards = card_word.value, self.card_set
            card = cards.cards.get(name) or cards.objectives.get(name)
            if card is None:
                yield from self._of_kind([card_word], KINDS)
            elif not cards.texts_only(card):
                message = (
                    f"`{card_word.value}` has no `text_only`, so none of its rules are left out of play."
                )
                step = "Remove it from `not_played`, or name a card with `text_only`."
                yield self._finding("impossible-expectation", message, card_word.span, step)

    def _own_words(self) -> Iterator[Diagnostic]:
        """Check that markers, KEYWORDs and traits exist and can be had by their bearers (E-11, E-12)."""
        node = self.script.entry.node
        players = node.mapping("markers")
        for side in SIDES:
            yield from self._markers(players.mapping(side) if players else None, "player")
        for key in ("state", "expect"):
            whole = node.mapping(key)
            for name, operator_node in whole.nodes.items() if whole else ():
                if not isinstance(operator_node, Mapping):
                    continue
                yield from self._markers(
                    operator_node.mapping("markers"), "player" if name in SIDES else "operator"
                )
                for item in operator_node.words("keywords"):
                    if item.text not in self.card_set.keywords:
                        yield from self._unknown(Given(item.text, item.span), "a KEYWORD")
                for item in operator_node.words("traits"):
                    yield from self._trait(item)

    def _markers(self, node: Mapping | None, bearer: str) -> Iterator[Diagnostic]:
        """Check the markers of one OPERATOR or player."""
        if node is None:
            return
        for name, key in node.keys.items():
            marker, count = self.card_set.markers.get(name), node.value[name]
            if marker is None:
                yield from self._unknown(Given(name, key.span), "a MARKER")
            elif marker.bearer != bearer:
                message = f"The marker `{name}` lies on {'players' if bearer == 'operator' else 'OPERATORs'}."
                step = f"Write it there, or `bearer: {bearer}` in the entry of the marker."
                yield self._finding("wrong-bearer", message, key.span, step)
            elif isinstance(count, int) and count > marker.maximum:
                message = f"Nobody has more than {marker.maximum} of the marker `{name}`."
                step = f"Write {marker.maximum} at most, or raise its `maximum`."
                yield self._finding("impossible-state", message, key.span, step)

    def _trait(self, item: Scalar) -> Iterator[Diagnostic]:
        """Report a trait that no OPERATOR can have."""
        cards, trait = self.card_set, item.text
        is_given = any(f'trait "{trait}"' in text for text in self._effects())
        if trait in cards.traits() or trait in cards.broken_traits or is_given:
            return
        near = nearest(trait, sorted(cards.traits()))
        message = f"No OPERATOR of this project has the trait `{shown(trait)}`. {declaration('trait', trait)}"
        step = f"Did you mean `{near}`?" if near else "Write a trait that an OPERATOR has or an effect gives."
        fix = suggestion(item.span, trait, near, cards.traits())
        yield self._finding("unknown-trait", message, item.span, step, fix)

    def _expected_operators(self) -> Iterator[Diagnostic]:
        """Check the OPERATORs below ``expect``, their cards and places."""
        first_refs: dict[tuple[str, str], OperatorRef] = {}
        for ref, values in self.script.expected.operators:
            if ref.written in self.misspelt:
                meant = self.misspelt[ref.written]
                message = f"`expect` has no key `{shown(ref.written)}`, "
                message += "and there is no such OPERATOR in this scenario."
                fix = suggestion(ref.span, ref.written, meant, [meant])
                yield self._finding("unknown-key", message, ref.span, f"Did you mean `{meant}`?", fix)
                continue
            yield from self._operator(ref)
            yield from self._once(ref, first_refs)
            card, position = values.get("attached"), values.get("position")
            if card is not None and card.value is not None:
                if self.card_set.find(card.value) is None and _says_nothing(card.value):
                    message = f"There is no card `{shown(card.value)}`; write `~` for no attached card."
                    fix = correction(card.span, "~")
                    yield self._finding("unknown-card", message, card.span, "Did you mean `~`?", fix)
                else:
                    yield from self._of_kind([card], ATTACHABLE_KINDS)
            if position is not None:
                yield from self._place(position)

    def _place(self, written_place: Given[Any]) -> Iterator[Diagnostic]:
        """Report a FIELDPOSITION that the mode does not have."""
        places = self.mode.field_positions if self.mode is not None else None
        if self.mode is not None and written_place.value is not None and written_place.value > places:
            message = (
                f"Nobody can be at {written_place.value}: "
                f"the mode `{self.mode.id}` has {places} FIELDPOSITIONs."
            )
            step = f"Write a number from 1 (leftmost) to {places}."
            yield self._finding("impossible-expectation", message, written_place.span, step)


def rule_meant(written: str) -> str | None:
    """Return the rule id that was probably meant: ``a2``, ``A_2`` and ``A 2`` are ``A-2``."""
    match = re.fullmatch(r"([A-Za-z])[-_ ]?(\d{1,2})([A-Za-z]?)", written.strip())
    if match:
        letter, number, letter_behind = match.groups()
        rule_id = f"{letter.upper()}-{number}{letter_behind.lower()}"
        return rule_id if rule_id in RULES else None
    return nearest(written, RULES)


def _says_nothing(unknown_card: str) -> bool:
    """Whether the name of a card that does not exist was probably meant as ``~``."""
    from toolkit.data.mistakes.value_findings import says_nothing

    return says_nothing(unknown_card)
