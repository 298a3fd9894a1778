"""Step 5 of MODIFY: the three windows in which cards are attached (M-5, C-1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from toolkit.dsl import tree
from toolkit.engine.attaching import attach_from_hand
from toolkit.engine.attack import Attack, act, pending_of, tell_attached
from toolkit.engine.decisions import Decision
from toolkit.engine.events import run
from toolkit.engine.outcomes import Refusal
from toolkit.engine.play import Play, Refused
from toolkit.engine.rules import START
from toolkit.engine.sources import Source
from toolkit.engine.state import Key, OperatorState


class Ask(Enum):
    """The value of a card window that is not settled beforehand."""

    ASK = "ask"


ASK = Ask.ASK
Wish = str | Ask | None
"""A card that must be attached, ASK to ask the player, None for no card."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is to happen in the three windows."""

    attack_card: Wish = ASK
    defence_card: Wish = ASK
    late_attack_card: Wish = ASK


def card_windows(play: Play, attack: Attack, wishes: Wishes) -> None:
    """M-5: (a) an ATTACK card, (b) a DEFENCE card, (c) once more an ATTACK card, as an answer to (b)."""
    window(play, attack, attack.attacker, "attack_card", wishes.attack_card)
    window(play, attack, attack.attacked, "defence_card", wishes.defence_card)
    window(play, attack, attack.attacker, "late_attack_card", wishes.late_attack_card)


def window(play: Play, attack: Attack, bearer: Key, name: str, wish: Wish) -> None:
    """One window: the player attaches a card of the right kind from his hand, or none.

    He is asked only if he has one that could be attached. A card that is wished for and cannot be attached is
    refused with the rule that forbids it.
    """
    if wish is None or not play.operator(bearer).is_active:
        return
    kind = "defence" if name == "defence_card" else "attack"
    who = play.operator(bearer)
    shut = _shut(play, attack, who, name)
    if isinstance(wish, str):
        refusal = shut or _unfit(play, who, wish, kind)
        if refusal is not None:
            raise Refused(refusal)
        _attach(play, attack, bearer, wish)
        return
    hand = play.state.player(who.side).hand
    playable = tuple(dict.fromkeys(card for card in hand if play.rules.cards[card].kind == kind))
    if shut is not None or not playable:
        return
    why = f"{play.name(bearer)} may have {'an ATTACK' if kind == 'attack' else 'a DEFENCE'} card attached."
    about = attack.attacker, attack.attacked
    chosen = play.ask(Decision(name, who.side, (None, *playable), why, None, about))
    if isinstance(chosen, str):
        _attach(play, attack, bearer, chosen)


def _shut(play: Play, attack: Attack, who: OperatorState, name: str) -> Refusal | None:
    """Why nothing can be attached in this window."""
    called = play.name(who.key)
    if who.attached is not None:
        return Refusal("C-1", f"{called} has {who.attached} attached already; an OPERATOR bears one card.")
    if name == "late_attack_card" and play.operator(attack.attacked).attached is None:
        attacked = play.name(attack.attacked)
        return Refusal("M-5", f"The third window is shut: no card lies on {attacked}.")
    if name == "defence_card" and play.board().held(who.key, tree.CannotHaveDefence):
        return Refusal("M-8", f"{called} cannot have DEFENCE cards.")
    return None


def _unfit(play: Play, who: OperatorState, card: str, kind: str) -> Refusal | None:
    """Why this card cannot be attached although the window is open."""
    if card not in play.state.player(who.side).hand:
        return Refusal("M-5", f"{who.side} has no {card} in hand.")
    if play.rules.cards[card].kind != kind:
        return Refusal("M-5", f"{card} is no {kind.upper()} card.")
    return None


def _attach(play: Play, attack: Attack, bearer: Key, card: str) -> None:
    """Attach it; what holds from the moment it is attached holds now (M-8), `when attached` happens now."""
    attack.cards.add(card)
    attach_from_hand(play, bearer, card)
    who = play.operator(bearer)
    source = Source(play.rules.cards[card].effects, who.side, bearer, card)
    attacker, attacked = play.operator(attack.attacker), play.operator(attack.attacked)
    added = list(pending_of(source, attacker, attacked))
    attack.pending += added
    if play.traced:
        tell_attached(play, attack, bearer, card)
    act(play, attack, START, added)
    run(play)
