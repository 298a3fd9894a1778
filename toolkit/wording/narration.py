"""The trace as sentences for people, in every language, as rules texts are.

The engine notes what happens in plain words with ids. Here its notes are read back into what they say, a kind
of sentence with OPERATORs, cards and numbers, and said again with printed names by the texts ``trace-…`` of
``reference.yaml``. Why a condition is false is said in the words in which cards state it.
"""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from toolkit.data.model import CardSet
from toolkit.dsl.effect_objects import Origin
from toolkit.dsl.parsing import parse_effect
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.state import SIDES
from toolkit.vocabulary import DURATIONS, Role
from toolkit.wording.card_text import rules_text
from toolkit.wording.language import Reminder
from toolkit.wording.languages import LANGUAGES, Words
from toolkit.wording.plan import plan_condition
from toolkit.wording.text import Names, named, names_in, plain

SENTENCES: dict[str, str] = {
    "attached": "{card} is attached to {name}",
    "taken-off": "{card} is discarded from {name}",
    "loses": "{name} loses {card}",
    "takes-item": "{name} takes {card} of {target}",
    "cannot-take-item": "{name} cannot take an ITEM of {target}",
    "no-bearer": "nobody can bear an ITEM",
    "no-item": "the ITEMDECK of {side} is empty",
    "out-of-play": "{card} of {side} is discarded from play",
    "laid-off": "{card} on {name} is discarded",
    "laid-down": "the ITEM {card} is laid down",
    "hand-limit": "{side} discards {card}: at most {number} in the hand",
    "discards": "{side} discards {card}",
    "draws-a-card": "{side} draws a card",
    "draws-1": "{side} draws 1",
    "draws": "{side} draws {number}",
    "deck-empty": "{side}'s DECK is empty",
    "deck-is-empty": "the DECK of {side} is empty",
    "cannot-draw": "{side} cannot draw cards",
    "hand-empty": "the hand of {side} is empty",
    "no-kind-in-hand": "{side} has no {kind} card in hand",
    "no-strategy": "{side} has no STRATEGY in play",
    "no-such-card": "there is no such card in {zone}",
    "zone-empty": "the {pile} of {side} has no cards",
    "looks": "{side} looks at {zone}: {cards}",
    "puts": "{side} puts {card} from {zone} {to}",
    "comes-back": "{side} puts {card} {to}",
    "puts-back": "{side} puts back {cards}, the first on top",
    "shuffled": "the DECK of {side} is shuffled",
    "plays": "{side} plays {card}",
    "has-no": "{name} has no {kind}",
    "no-longer-in-play": "{card} is no longer in play",
    "changes": "{stat} of {name}: {before} → {after} {lasts}",
    "changes-without": "{stat} of {name} without what it ignores: {before} → {after}",
    "modifies": "{stat} of {name} {operation}: {before} → {after}",
    "remembers": "{stat} of {name}, now that {reason}: {before} → {after}",
    "counts": "{stat} of {name}: {before} → {after}",
    "hits": "AP {number} of {name} against EP {other} of {target}: the attack hits for {damage}",
    "misses": "AP {number} of {name} against EP {other} of {target}: the attack misses",
    "nothing-compared": "one of the two is no longer there: nothing is compared",
    "chooses-no-card": "{side} chooses no further card",
    "chooses-nobody": "{side} chooses nobody else",
    "chooses-first": "{side} chooses the first of the two",
    "chooses-second": "{side} chooses the second of the two",
    "chooses": "{side} chooses {name}",
    "adds": "{side} does not double AP, but adds the critical {number}",
    "doubles": "{side} doubles AP in place of adding the critical {number}",
    "cannot-double": "{name} cannot make the attack CRITICAL: the {number} is added",
    "says-no": "{words}: {side} says no",
    "says-yes": "{words}: {side} says yes",
    "rolls-for": "{side} rolls {number} for {threshold}+",
    "rerolled": "{die} of {name} rolled again: {before} → {after}",
    "rolled": "{die} of {name}: {number}",
    "set-aside": "{die} of {name} set aside: {number}",
    "violation-out": "RULEVIOLATION {threshold}+: {number}, {name} is OUT",
    "violation-on": "RULEVIOLATION {threshold}+: {number}, {name} goes on",
    "chance": "chance draws {name}",
    "at-once-on": "{name} performs {action} on {target} at once",
    "at-once": "{name} performs {action} at once",
    "later": "{name} performs {action} when this is over",
    "once-at-once": "{name} has performed an ACTION at once by this in this TURN",
    "cannot-at-once": "{name} cannot perform {action} now",
    "cannot-any-more": "{name} cannot perform {action} by now",
    "most-at-once": "No more than {number} ACTIONs are performed at once",
    "wins": "{side} wins the GAME",
    "loses-game": "{side} loses the GAME",
    "attacks": "{name} performs ATTACK on {target}",
    "attacks-bonus": "{name} performs BONUS ATTACK on {target}",
    "performs-on": "{name} performs {action} on {target}",
    "performs": "{name} performs {action}",
    "performance": "{side} fulfils PERFORMANCE",
    "cannot-have": "{name} cannot have {what} {lasts}",
    "cannot-have-now": "{name} cannot have {what}",
    "cannot-lose": "{name} cannot lose HITCOUNTER {lasts}",
    "cannot-play": "{side} cannot play {what} {lasts}",
    "cannot-draw-for": "{side} cannot draw cards {lasts}",
    "cannot-perform-for": "{name} cannot perform {action} {lasts}",
    "cannot-perform": "{name} cannot perform {action}",
    "gains-bonus": "{name} gains BONUS ({action})",
    "gains-keyword": '{name} gains KEYWORD "{keyword}"',
    "gains-trait": '{name} gains trait "{trait}"',
    "gains-violation": "{name} gains RULEVIOLATION {threshold}+",
    "ignores-for": "{name} ignores {what} {lasts}",
    "ignores": "{name} ignores {what}",
    "critical-on": "{name} makes {die} CRITICAL on {threshold}+",
    "cannot-be-critical": "{name} cannot make the attack CRITICAL",
    "makes-critical": "{name} makes the attack CRITICAL",
    "die-set": "{die} of {name} is set: {before} → {after}",
    "keeps-highest-for": "{name} keeps the highest {die} {lasts}",
    "keeps-lowest-for": "{name} keeps the lowest {die} {lasts}",
    "keeps-several-highest-for": "{name} keeps the {number} highest {die} {lasts}",
    "keeps-several-lowest-for": "{name} keeps the {number} lowest {die} {lasts}",
    "keeps-highest": "{name} keeps the highest {die}",
    "keeps-lowest": "{name} keeps the lowest {die}",
    "keeps-several-highest": "{name} keeps the {number} highest {die}",
    "keeps-several-lowest": "{name} keeps the {number} lowest {die}",
    "sets-enemy-for": "{name} sets {number} enemy {die} to {other} {lasts}",
    "sets-for": "{name} sets {number} {die} to {other} {lasts}",
    "may-set-enemy": "{name} may set {number} enemy {die} to {other}",
    "may-set": "{name} may set {number} {die} to {other}",
    "sets-enemy": "{name} sets {number} enemy {die} to {other}",
    "sets": "{name} sets {number} {die} to {other}",
    "may-reroll-enemy-shown": "{name} may reroll {number} enemy {die} {compare} {other}",
    "may-reroll-shown": "{name} may reroll {number} {die} {compare} {other}",
    "may-reroll-enemy": "{name} may reroll {number} enemy {die}",
    "may-reroll": "{name} may reroll {number} {die}",
    "rolls-more": "{name} rolls +{number} {die}",
    "action-ends": "The ACTION ends here: an OPERATOR of it is no longer face up",
    "lapses": "what {card} did to {name} lapses",
    "violation-lapsed": "RULEVIOLATION {threshold}+ has lapsed, for {reason}",
    "combat-ends": "COMBAT ends after {number} ACTIONs",
    "lost-skills": "{name} has lost its SKILLs",
    "cannot-retreat": "{name} cannot retreat",
    "cannot-enter": "{name} cannot enter the FIELD",
    "cannot-swap": "{name} cannot swap places",
    "in-savezone": "{name} is in the SAVEZONE",
    "cannot-be-target": "{name} cannot become the target",
    "by-hand": "{card} has text-only rules, which are played by hand",
    "acted-in": "it has acted in this {time}",
    "condition-false": "its condition is false: {fact}",
    "clause-done": "{words}: done",
    "clause-not-done": "{words}: not done",
    "not-in-full": "{words}: that cannot be done in full",
    "nothing-would-happen": "{words}: nothing would happen",
    "no-team-mate": "no own OPERATOR of TEAM {team} is in RANGE of {name}",
    "concerns-nobody": "it concerns nobody here",
    "waits-for": "it acts when {trigger}, and {reason}",
    "too-late": "it did not come to it any more",
    "card-gone": "this card is gone by then",
    "card-gone-now": "{card} is no longer on {name}",
    "down-by-then": "{name} is {status} by then",
    "down-with-card": "{name} is {status} by then, so this card is gone (H-2)",
    "of-own-attacks": "it speaks of attacks by own OPERATORs, and here an enemy one attacks",
    "of-attacks-on": "it speaks of attacks on {name}, and here {target} attacks",
    "of-attacks-by": "it speaks of attacks by {name}, and here {target} is attacked",
    "nobody": "there are no {group}",
    "reaches": "{name} REACHES the OBJECTIVE",
    "captures": "{name} has CAPTURED the {objective}",
    "advances": "{name} advances",
    "swaps": "{name} and {target} change places",
    "takes-hit-for": "{name} becomes the target in place of {target}",
    "becomes": "{name} becomes {status}",
    "comes-for": "{name} comes for {target}",
    "enters": "{name} enters the FIELD at FIELDPOSITION {number}",
    "takes-place": "{name} takes FIELDPOSITION {number}",
    "to-the-savezone": "{name} goes to the SAVEZONE",
    "retreats": "{name} retreats to the SAVEZONE",
    "is-hit": "{name} is HIT: HITCOUNTER {number}, DP {dp}",
    "is-not-hit": "{name} is not HIT: HITCOUNTER {number} is below its DP {dp}",
    "turned-up": "{name} is turned up in the SAVEZONE",
    "is-now": "{name} is {status}",
    "recover": "EXHAUSTED OPERATORs recover",
}

PHRASES: dict[str, str] = {
    "zone-top-1": "the top card of the DECK of {side}",
    "zone-top": "the top {number} cards of the DECK of {side}",
    "zone-hand": "the hand of {side}",
    "zone": "the {pile} of {side}",
    "to-hand": "into the hand",
    "to-discardzone": "into the DISCARDZONE",
    "to-deck": "onto the DECK",
    "to-bottom": "under the DECK",
    "what-attack-cards": "ATTACK cards",
    "what-defence-cards": "DEFENCE cards",
    "what-effect-cards": "EFFECT cards",
    "what-strategy-cards": "STRATEGY cards",
    "what-cards": "cards",
    "what-items": "ITEMs",
    "what-skills": "SKILLs",
}

_TYPES = {
    "side": "blue|red",
    "stat": r'AP|EP|DP|MP|DAMAGE|RANGE|HITCOUNTER|OBJECTIVECOUNTER|MARKER "[^"]+"',
    "die": "ATTACK D6|DEFENCE D6",
    "status": "NORMAL|EXHAUSTED|HIT|OUT",
    "compare": "<=|>=|!=|<|>|=",
    "action": "BONUS [A-Z]+|[A-Z]+",
    "kind": "[A-Z]+(?: card)?",
    "pile": "[A-Z]+",
    "time": "TURN|ROUND|GAME",
    "lasts": "|".join(map(re.escape, DURATIONS.values())),
    **dict.fromkeys(("number", "other", "before", "after", "damage", "dp"), r"-?\d+"),
    "threshold": r"\d",
    **dict.fromkeys(("name", "target"), r"(?:(?:blue|red)\.)?[a-z0-9-]+(?: at \d+)?"),
    **dict.fromkeys(("card", "objective"), "[a-z0-9-]+"),
    "cards": "[a-z0-9-]+(?:, [a-z0-9-]+)*",
    "to": "into the hand|into the DISCARDZONE|onto the DECK|under the DECK",
}
"""What a field of a note may be; others may be anything."""

_DURATION_NAMES = {written: name for name, written in DURATIONS.items()}


@cache
def _readers(kind: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the expressions that read notes, or phrases in them, in the order in which they are tried."""
    patterns = SENTENCES if kind == "sentence" else PHRASES
    return tuple((key, re.compile(_expression(pattern))) for key, pattern in patterns.items())


def _expression(pattern: str) -> str:
    """Return the regular expression of a note with a group for each field."""

    def group(match: re.Match[str]) -> str:
        name = match[1]
        return f"(?P<{name}>{_TYPES.get(name, '.+?')})"

    return re.sub(r"\\{(\w+)\\}", group, re.escape(pattern))


def narrator_of(cards: CardSet, words: Words) -> Narrator:
    """Return the narrator of a project in the language of its words."""
    return Narrator(cards, words, names_in(cards))


class Narrator(Struct, frozen=True):
    """Tells the traces of a project in the language of its words."""

    cards: CardSet
    words: Words
    names: Names

    def sentence(self, entry: TraceEntry) -> str:
        """Return what an entry of a trace says; a note of which no sentence is known as it is."""
        return self._said("sentence", entry.text, entry.origin) or self._acts(entry.text) or entry.text

    def name(self, written: str) -> str:
        """Return the printed name of an OPERATOR or card, with its side and place if the trace has them."""
        if written in SIDES:
            return self.words.say(f"site-{written}").capitalize()
        match = re.fullmatch(r"(?:(?P<side>blue|red)\.)?(?P<id>[a-z0-9-]+)(?: at (?P<place>\d+))?", written)
        entry = self.cards.printed_entry(match["id"]) if match else None
        if match is None or entry is None:
            return written if match is None else self._without_card(written)
        name = entry.name.in_language(self.words.language).value
        side = self.words.say(f"site-{match['side']}") if match["side"] else ""
        details = ", ".join(filter(None, (side, match["place"])))
        return f"{name} ({details})" if details else name

    def _without_card(self, written: str) -> str:
        """Return what is printed for the id of something that is no card; a ruleset or mode is the rules."""
        is_rules = written in self.cards.rulesets or written in self.cards.modes
        return self.words.say("trace-rules") if is_rules else written

    def effect(self, origin: Origin) -> str:
        """Return the sentence of an effect as it is printed; as it is written where no text is generated."""
        effect, _ = parse_effect(origin.text)
        sentences = effect and rules_text(effect, Role(origin.role), self.words.language, self.names)
        return plain(sentences) if sentences else origin.text

    def sum(self, text: str) -> str:
        """Return the text of a sum or an operation in the language: its words beside names and numbers."""
        for key, written in _SUM_WORDS.items():
            text = text.replace(written, self.words.say(f"trace-{key}"))
        return text.replace(" - ", " − ")

    def _acts(self, text: str) -> str | None:
        """Return a note that somebody does something, said as on a card; None if it is no verb."""
        who, _, does = text.partition(" ")
        effect, _ = parse_effect(f"{'owner' if who in SIDES else 'self'} {does}.")
        if effect is None or LANGUAGES.get(self.words.language) is None:
            return None
        sentences = rules_text(effect, Role.SKILL, self.words.language, self.names) or ()
        return self.words.say("trace-acts", name=self.name(who), text=plain(sentences))

    def _said(self, kind: str, text: str, origin: Origin | None) -> str | None:
        """Return a text of the trace in the reader's words; None if no reader knows its form."""
        for key, reader in _readers(kind):
            match = reader.fullmatch(text)
            if match is not None:
                fields = {name: self._field(name, part, origin) for name, part in match.groupdict().items()}
                return self.words.say(f"trace-{key}", **fields)
        return None

    def _field(self, name: str, written: str, origin: Origin | None) -> str:
        """Return a part of a note as it is printed."""
        match name:
            case "name" | "target" | "side" | "card" | "objective":
                return self.name(written)
            case "cards":
                return ", ".join(map(self.name, written.split(", ")))
            case "lasts":
                return self.words.say(f"duration-{_DURATION_NAMES[written]}")
            case "zone" | "to" | "what":
                return self._said("phrase", written, origin) or written
            case "operation":
                return self.sum(written).replace("-", "−")
            case "before" | "after":
                return written.replace("-", "−")
            case "fact":
                return self._fact(written, origin)
            case "stat" if written.startswith("MARKER"):
                marker_id = written.removeprefix('MARKER "').removesuffix('"')
                return self.names.name("MARKER", marker_id, self.words.language)
            case "keyword":
                return self.names.name("KEYWORD", written, self.words.language)
            case "trait":
                return self.names.name("trait", written, self.words.language)
        return written

    def _fact(self, written: str, origin: Origin | None) -> str:
        """Return why a condition is false, as a card says it: ``its target is not SUPPRESSED``.

        It is read as the condition of any sentence with the effect's own trigger, which says who ``it`` is.
        """
        language = LANGUAGES.get(self.words.language)
        if origin is None or language is None:
            return self.words.say("trace-fact-unknown")
        opening, _, _ = origin.text.partition(",")
        trigger = f"{opening}, " if opening.startswith(("when ", "while ")) else ""
        effect, _ = parse_effect(f"{trigger}if {_as_condition(written)}, self gets +1 AP.")
        if effect is None:
            return self.words.say("trace-fact-unknown")
        phrase = plan_condition(effect, Role(origin.role))
        reminder = language.reminder(Reminder("condition", condition=phrase)).strip("()")
        fact = named(reminder, self.names, language.code)
        begins_with_term = fact[1:2].isupper()  # `HITCOUNTER` stays in capitals
        return fact if begins_with_term else fact[:1].lower() + fact[1:]


def _as_condition(reason: str) -> str:
    """Return the reason for a false condition as one that is true: numbers are compared, reasons joined."""
    return re.sub(r" is (-?\d+)", r" = \1", reason).replace(", ", " and ")


_SUM_WORDS = {
    "is-fixed-at": "is fixed at",
    "is-at-most": "is at most",
    "is-at-least": "is at least",
    "fixed-at": "fixed at",
    "fixed": "fixed by",
    "rounded-down": "rounded down to",
    "rounded-up": "rounded up to",
    "rounded-nearest": "rounded to the nearest to",
    "at-most": "at most",
    "at-least": "at least",
}
"""The words in sums (``engine.explaining.sums``) by the keys of their texts."""
