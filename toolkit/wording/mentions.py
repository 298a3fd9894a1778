"""How an OPERATOR is named at each place: by its name, "it", "its target" or not at all, in all languages.

"It" is said only where one OPERATOR can be meant: the one that the sentence is about (its focus), as long as
no other OPERATOR was named in it, and inside its own act.
"""

from __future__ import annotations

from msgspec import Struct

from toolkit.dsl.scope import Scope
from toolkit.dsl.tree import Ref
from toolkit.vocabulary import Role
from toolkit.wording.phrases import Form, Mention, Noun

_BEARING = (Role.ATTACK, Role.DEFENCE, Role.ITEM)
_THIS = (Role.SKILL, Role.KEYWORD, Role.EFFECT, Role.STRATEGY)


def noun_of(name: str, scope: Scope) -> Noun:
    """How the OPERATOR with that name in the effect (``self`` …) is called in print."""
    if name == "it":
        return "that"
    if name == "self":
        if scope.facts.target_side:
            return "actor"
        if scope.role is Role.OBJECTIVE:
            return "holder"
        return "bearer" if scope.role in _BEARING else "this" if scope.role in _THIS else "operator"
    if name == "target":
        if scope.trigger is None and scope.facts.target_side:
            return "chosen"
        part = scope.parts.get("target")
        return "attacker" if part == "attacker" else "attacked" if part == "attacked" else "target"
    return "attacker" if name == "attacker" else "attacked"


class Mentions:
    """Which OPERATORs were named so far in an effect, while its sentences are planned in reading order."""

    def __init__(self) -> None:
        self._bearer_known = False
        self._self: Noun = "this"
        self._focus: Noun | None = None
        self._rival = False
        self._thing = False
        self._target_said = False
        self._focus_attacks = False
        self._acting: Noun | str | None = None
        self._choosing = False
        self._it_is_last = False
        self._it_is_many = False
        self._named = 0
        self._targets: tuple[Noun, ...] = ("attacked",)

    def begin(self, scope: Scope) -> None:
        """A new sentence: nobody is in focus."""
        self._self = noun_of("self", scope)
        self._focus = self._acting = None
        self._rival = self._thing = self._target_said = self._focus_attacks = False
        self._it_is_last = self._it_is_many = False
        self._targets = ("attacked", "target") if "target" in scope.sides else ("attacked",)

    def introduce(self, noun: Noun, attacks: bool, by_thing: bool = False) -> Mention:
        """The OPERATOR that the trigger is about.

        ``attacks`` says whether it attacks, so that "its target" is possible; ``by_thing`` whether the
        trigger's subject is its attack, so that "it" would be the attack.
        """
        mention = Mention(noun, self._name(noun))
        if self._focus not in (None, noun):
            self._rival = True  # the OPERATOR beside which it stands was named before
        self._focus, self._focus_attacks, self._thing = noun, attacks, by_thing
        return mention

    def introduce_somebody(self) -> None:
        """One OPERATOR that has no name in the effect is spoken of."""
        self._rival = True
        self._it_is_last = False

    def introduce_it(self, attacks: bool, by_thing: bool) -> None:
        """The trigger is about the OPERATOR that `it` means; as in ``introduce``."""
        alone = self._focus is None
        self._rival = True
        self._it_is_last = alone and not by_thing
        if attacks and alone:
            self._focus, self._focus_attacks, self._rival = "that", True, False

    def introduce_card(self) -> None:
        """The trigger speaks of "this card", so its bearer is known."""
        self._bearer_known = True

    def say(self, noun: Noun, of_target: bool = False) -> Mention:
        """Name an OPERATOR at this place, as briefly as is clear.

        ``of_target``: what is said is said of "its target", so that "it" can only be the other one.
        """
        self._named += 1
        if noun == "that":
            return self._say_it()
        self._it_is_last = False
        if self._acting is not None:
            return self._say_inside(noun)
        if noun == self._focus and not (self._rival or self._thing):
            return Mention(noun, "pronoun", beside_target=self._target_said and not of_target)
        if noun in self._targets and self._focus_attacks and not (self._rival or self._choosing):
            self._target_said = True
            return Mention(noun, "its")
        mention = Mention(noun, self._name(noun))
        if self._focus is None:
            self._focus = noun
        elif noun == self._focus:
            self._thing = False
        else:
            self._rival = True
        return mention

    def say_by_name(self, noun: Noun) -> Mention:
        """Name an OPERATOR where "it" cannot stand."""
        return Mention(noun, self._name(noun))

    def _say_it(self) -> Mention:
        """ "It" for the OPERATOR that was named last, else "that OPERATOR" (E-7)."""
        last, self._it_is_last = self._it_is_last, True
        if last or self._acting == "that":
            return Mention("that", "pronoun", many=self._it_is_many)
        # in its own act, "that OPERATOR" is "its target"
        noun: Noun = "chosen" if self._acting in self._targets else "that"
        return Mention(noun, "full", many=self._it_is_many)

    def _say_inside(self, noun: Noun) -> Mention:
        if noun == self._acting and not self.acts_for_another():
            return Mention(noun, "pronoun")
        if noun in self._targets and self._focus_attacks and self._acting in (self._focus, noun):
            return Mention(noun, "its" if self._acting == self._focus else "that")
        return Mention(noun, self._name(noun))

    def seen_from_self(self, noun: Noun) -> bool:
        """Whether "other" without a name can only leave out the bearer."""
        if noun != self._self or self._rival or self._target_said or self._focus not in (None, self._self):
            return False
        return self._acting in (None, self._self)

    def in_range_of_bearer(self, noun: Noun) -> bool:
        """Whether a bare "in RANGE" is enough: on the card of the OPERATOR from which it is seen."""
        return noun == "this" and self.seen_from_self(noun)

    def act(self, noun: Noun) -> Mention:
        """An OPERATOR begins to act; until ``end_act`` it is the one that "it" means."""
        mention = self.say(noun)
        if noun != self._focus:
            self._rival = True
        self._acting = noun
        return mention

    @property
    def it(self) -> tuple[bool, bool]:
        """Whom `it` means, as ``restore_it`` takes it: the second of two choices does not see the first."""
        return self._it_is_last, self._it_is_many

    def restore_it(self, it: tuple[bool, bool]) -> None:
        """`it` means whom it meant before."""
        self._it_is_last, self._it_is_many = it

    def choose(self) -> None:
        """One of a group is about to be named: "its target" would be that one's until ``chosen``."""
        self._choosing = True
        self._named = 0

    def chosen(self, many: bool) -> None:
        """Some of a group were named; from now on `it` means them."""
        self._choosing = False
        self._rival = True
        self._it_is_last = not self._named  # else somebody beside them was named last
        self._it_is_many = many

    def act_as_others(self, keeps_it: bool = False) -> None:
        """Somebody else begins to act: chosen OPERATORs, or all of a group, or a player.

        ``keeps_it``: nothing in the act can be mistaken for whom `it` means.
        """
        self._acting = "others"
        self._it_is_last = self._it_is_last and keeps_it

    def acts_for_another(self) -> bool:
        """Whether an OPERATOR acts that the sentence is not about, so that "it" could be either."""
        return self._acting not in (None, "others", "that", self._focus)

    def end_act(self, forgets_it: bool = False) -> None:
        """The act is over; ``forgets_it`` where others than those that `it` means were its subject."""
        self._acting = None
        self._it_is_last = self._it_is_last and not forgets_it

    def begin_again(self) -> None:
        """A new printed sentence of the same effect begins: "it" would be what the one before speaks of."""
        self._thing = True
        self._it_is_last = False

    def _name(self, noun: Noun) -> Form:
        if noun not in ("bearer", "holder"):
            return "full"
        form: Form = "short" if self._bearer_known else "full"
        self._bearer_known = True
        return form


class Context(Struct, frozen=True):
    """The context of one sentence: the names that its effect may use, and which were named so far."""

    scope: Scope
    mentions: Mentions

    def say(self, ref: Ref, of_target: bool = False) -> Mention:
        """Name an OPERATOR of the effect at this place (``Mentions.say``)."""
        return self.mentions.say(noun_of(ref.name, self.scope), of_target)
