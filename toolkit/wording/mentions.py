"""References to OPERATORs: where one is mentioned by its noun, "it", "its target" or not at all.

"It" is used only if it is unambiguous: for the OPERATOR that the sentence is about (its focus) as long as no
other OPERATOR was mentioned, and inside that OPERATOR's own act.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from toolkit.dsl.scope import Scope
from toolkit.dsl.tree import Ref
from toolkit.vocabulary import Role
from toolkit.wording.plan_nodes import Form, Mention, Noun

_ATTACHED_ROLES = (Role.ATTACK, Role.DEFENCE, Role.ITEM)
_THIS_ROLES = (Role.SKILL, Role.KEYWORD, Role.EFFECT, Role.STRATEGY)


def noun_of(name: str, scope: Scope) -> Noun:
    """Return the printed noun of the OPERATOR with a name in the effect, such as ``self``."""
    if name == "it":
        return "that"
    if name == "self":
        if scope.facts.target_side:
            return "actor"
        if scope.role is Role.OBJECTIVE:
            return "holder"
        if scope.role in _ATTACHED_ROLES:
            return "bearer"
        return "this" if scope.role in _THIS_ROLES else "operator"
    if name == "target":
        if scope.trigger is None and scope.facts.target_side:
            return "chosen"
        attack_part = scope.parts.get("target")
        if attack_part == "attacker":
            return "attacker"
        return "attacked" if attack_part == "attacked" else "target"
    return "attacker" if name == "attacker" else "attacked"


class ItReference(NamedTuple):
    """What ``it`` refers to: whether that was mentioned last, so that "it" is enough, and whether to many."""

    is_last: bool
    is_many: bool


class Mentions:
    """The OPERATORs mentioned so far in an effect, while its sentences are planned in reading order.

    In "When this OPERATOR attacks, it gets +2 AP" the trigger makes "this OPERATOR" the focus, so the act
    says "it". A rival, an OPERATOR mentioned beside the focus, makes "it" ambiguous, and names are used.
    ``kind_says_who`` is for short texts: the kind of card says who ``self`` is, so that it is "it" at once.
    """

    def __init__(self, kind_says_who: bool = False) -> None:
        self.kind_says_who = kind_says_who
        self._is_about_self = False  # whether the sentence begins with self, as its kind of card says
        self._bearer_is_known = kind_says_who  # whether the bearer was named in full
        self._self_noun: Noun = "this"
        self._focus: Noun | None = None  # the OPERATOR that the sentence is about
        self._has_rival = False  # whether another OPERATOR was mentioned, so that "it" is ambiguous
        self._it_is_thing = False  # whether "it" would be a thing, such as the attack
        self._target_is_mentioned = False  # whether "its target" was mentioned
        self._focus_is_attacking = False
        self._actor: Noun | str | None = None  # the subject of the current act
        self._is_choosing = False
        self._it_is_last = False  # whether the OPERATOR of the effect's `it` was mentioned last
        self._it_is_many = False
        self._mention_count = 0
        self._target_nouns: tuple[Noun, ...] = ("attacked",)

    def begin(self, scope: Scope) -> None:
        """Begin a new sentence, without a focus."""
        self._self_noun = noun_of("self", scope)
        self._focus = self._actor = None
        self._has_rival = self._it_is_thing = self._target_is_mentioned = self._focus_is_attacking = False
        self._it_is_last = self._it_is_many = self._is_about_self = False
        self._target_nouns = ("attacked", "target") if "target" in scope.sides else ("attacked",)

    def introduce(self, noun: Noun, attacks: bool, by_thing: bool = False) -> Mention:
        """Mention the OPERATOR that the trigger is about.

        ``attacks`` says that it attacks, so that "its target" is possible, ``by_thing`` that the trigger's
        subject is its attack, so that "it" would be the attack.
        """
        self._is_about_self = self.kind_says_who and noun == self._self_noun
        mention = Mention(noun, "pronoun" if self._is_about_self else self._form_of_name(noun))
        if self._focus not in (None, noun):
            self._has_rival = True  # a filter of the trigger has mentioned another OPERATOR
        self._focus, self._focus_is_attacking, self._it_is_thing = noun, attacks, by_thing
        return mention

    def imply_self(self) -> None:
        """Begin a sentence without a trigger with the OPERATOR that the kind of card says."""
        if self.kind_says_who:
            self._focus, self._is_about_self = self._self_noun, True

    def leaves_unsaid(self, subject: object) -> bool:
        """Whether the subject of a sentence's first act need not be said."""
        return self._is_about_self and isinstance(subject, Mention) and subject.noun == self._focus

    def introduce_somebody(self) -> None:
        """Mention one OPERATOR that has no name in the effect."""
        self._has_rival = True
        self._it_is_last = False

    def introduce_it(self, attacks: bool, by_thing: bool) -> None:
        """Mention the OPERATOR of the trigger, to which ``it`` refers; parameters as for ``introduce``.

        If it attacks, and nobody else was mentioned, the sentence is about it, so that "its target" is clear.
        """
        has_no_focus = self._focus is None
        self._has_rival = True
        self._it_is_last = has_no_focus and not by_thing
        if attacks and has_no_focus:
            self._focus, self._focus_is_attacking, self._has_rival = "that", True, False

    def introduce_card(self) -> None:
        """Mention "this card", so that its bearer is known."""
        self._bearer_is_known = True

    def say(self, noun: Noun, of_target: bool = False) -> Mention:
        """Mention an OPERATOR as briefly as is unambiguous.

        ``of_target`` says that the subject is "its target", so that "it" can only be the other one.
        """
        self._mention_count += 1
        if noun == "that":
            return self._say_it()
        self._it_is_last = False
        if self._actor is not None:
            return self._say_in_act(noun)
        if noun == self._focus and not (self._has_rival or self._it_is_thing):
            return Mention(noun, "pronoun", beside_target=self._target_is_mentioned and not of_target)
        its_is_clear = self._focus_is_attacking and not (self._has_rival or self._is_choosing)
        if noun in self._target_nouns and its_is_clear:
            self._target_is_mentioned = True
            return Mention(noun, "its")
        mention = Mention(noun, self._form_of_name(noun))
        if self._focus is None:
            self._focus = noun
        elif noun == self._focus:
            self._it_is_thing = False
        else:
            self._has_rival = True
        return mention

    def say_by_name(self, noun: Noun) -> Mention:
        """Mention an OPERATOR by its noun, where a pronoun is not possible."""
        return Mention(noun, self._form_of_name(noun))

    def _say_it(self) -> Mention:
        """Return "it" if the OPERATOR was mentioned last, else "that OPERATOR" (E-7)."""
        was_mentioned_last, self._it_is_last = self._it_is_last, True
        if was_mentioned_last or self._actor == "that":
            return Mention("that", "pronoun", many=self._it_is_many)
        # within its act, "that OPERATOR" would be "its target"
        noun: Noun = "chosen" if self._actor in self._target_nouns else "that"
        return Mention(noun, "full", many=self._it_is_many)

    def _say_in_act(self, noun: Noun) -> Mention:
        """Mention an OPERATOR while another one or itself acts: "it", "its target" or its name."""
        if noun == self._actor and not self.acts_for_another():
            return Mention(noun, "pronoun")
        if noun in self._target_nouns and self._focus_is_attacking and self._actor in (self._focus, noun):
            return Mention(noun, "its" if self._actor == self._focus else "that")
        return Mention(noun, self._form_of_name(noun))

    def seen_from_self(self, noun: Noun) -> bool:
        """Whether "other" without a noun can only exclude the bearer: it alone was mentioned, or nobody."""
        if noun != self._self_noun or self._has_rival or self._target_is_mentioned:
            return False
        return self._focus in (None, self._self_noun) and self._actor in (None, self._self_noun)

    def in_range_of_bearer(self, noun: Noun) -> bool:
        """Whether "in RANGE" needs no noun: on the card of the OPERATOR whose RANGE it is."""
        return noun == "this" and self.seen_from_self(noun)

    def act(self, noun: Noun) -> Mention:
        """Mention an OPERATOR that begins to act; until ``end_act`` "it" refers to it."""
        mention = self.say(noun)
        if noun != self._focus:
            self._has_rival = True
        self._actor = noun
        return mention

    @property
    def it_reference(self) -> ItReference:
        """What ``it`` refers to, for ``restore_it``: the second of two choices does not see the first."""
        return ItReference(self._it_is_last, self._it_is_many)

    def restore_it(self, reference: ItReference) -> None:
        """Let ``it`` refer to what it referred to before."""
        self._it_is_last, self._it_is_many = reference

    def choose(self) -> None:
        """Begin to mention some of a group: "its target" would be theirs until ``chosen``."""
        self._is_choosing = True
        self._mention_count = 0

    def chosen(self, are_several: bool) -> None:
        """End mentioning some of a group; from now on ``it`` refers to them."""
        self._is_choosing = False
        self._has_rival = True
        # a mention since ``choose`` is that of another OPERATOR, in one of their filters
        self._it_is_last = not self._mention_count
        self._it_is_many = are_several

    def act_as_others(self, keeps_it: bool = False) -> None:
        """Begin an act of somebody else: chosen OPERATORs, all of a group, or a player.

        ``keeps_it`` says that nothing in the act can be mistaken for what ``it`` refers to.
        """
        self._actor = "others"
        self._it_is_last = self._it_is_last and keeps_it

    def acts_for_another(self) -> bool:
        """Whether the acting OPERATOR is not the focus, so that "it" could be either."""
        return self._actor not in (None, "others", "that", self._focus)

    def end_act(self, forgets_it: bool = False) -> None:
        """End an act; ``forgets_it`` if its subject was not what ``it`` refers to."""
        self._actor = None
        self._it_is_last = self._it_is_last and not forgets_it

    def begin_again(self) -> None:
        """Begin another printed sentence: "it" would be what the one before is about."""
        self._it_is_thing = True
        self._it_is_last = False

    def _form_of_name(self, noun: Noun) -> Form:
        """Return how a noun is said: the bearer's in full once, from then on in short; this records it.

        On an OBJECTIVE it is the ``holder``: an effect has only one of the two.
        """
        if noun not in ("bearer", "holder"):
            return "full"
        form: Form = "short" if self._bearer_is_known else "full"
        self._bearer_is_known = True
        return form


class Context(Struct, frozen=True):
    """The context of one sentence: its scope, the OPERATORs mentioned so far, and how the ruleset rounds
    (N-4)."""

    scope: Scope
    mentions: Mentions
    rounding: str = "down"

    def say(self, ref: Ref, of_target: bool = False) -> Mention:
        """Mention an OPERATOR of the effect (``Mentions.say``)."""
        return self.mentions.say(noun_of(ref.name, self.scope), of_target)
