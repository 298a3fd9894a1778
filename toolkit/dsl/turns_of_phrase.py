"""What people say where the language has other words: "it attacks", "is at least", "this TURN".

Told where the parser stops inside such a turn of phrase, with the words that the language has for it.
"""

from __future__ import annotations

import re

from toolkit.dsl.problems import Problem
from toolkit.dsl.stops import PIECE, Stop, terminal_of
from toolkit.vocabulary import VERBS

_BEARER = r"(?:self|(?:this|the) OPERATOR|it|he|she)"
_PEOPLE = r"(?:self|target|attacker|attacked|owner|opponent)"
_COUNTED = r"(?:draws?|discards?)"
_STAT = "(AP|EP|DP|MP)"
_NUMBERS = r"(?:(?:AP|EP|DP|MP)(?: VALUE)?|HITCOUNTER|OBJECTIVECOUNTER|SQUADPOINTS|FIELDPOSITION)"
_LASTS = r"(TURN|ROUND|ATTACK)\b"

_PHRASES: tuple[tuple[str, str, str | None], ...] = (
    (rf"(?<=\bwhen ){_BEARER} (?:attacks|is attacking)\b", "attacking", None),
    (rf"(?<=\bwhen ){_BEARER} is (?:being )?attacked\b", "attacked", None),
    (r"(?<![,\w] )\bif (attacking|attacked)\b", r"when \1", None),
    (
        r"\b(?:each|every|(?:at )?the (?:start|beginning) of (?:the|each|every|a)) (?:turn|TURN)\b",
        "when the TURN begins",
        "when",
    ),
    (r"\bat the end of (?:the|each|every|a) (?:turn|TURN)\b", "when the TURN ends", "when"),
    (r"(?<=\bwhen )self (hits|misses)\b", r"the attack \1", None),
    (r"(?<=\bwhen )a(?= (?:own|enemy) OPERATOR)", "an", None),
    (r"\ban?(?= (?:other )?(?:own|enemy|any) OPERATORs? (?!attacks|is attacked|becomes HIT))", "one", "one"),
    (r"\bunless ([^,.]+),", r"if not (\1),", "if"),
    (rf"\b({_PEOPLE})['’]s ({_NUMBERS})\b", r"\2 of \1", None),
    (r"\bisn['’]?t\b", "is not", "is"),
    (r"\bdo(?:es)?n['’]?t have(?: an?)?\b", "has no", "has"),
    (r"\bis CRITICAL on(?= [0-9])", "makes ATTACK D6 CRITICAL on", "makes"),
    (r"(?<=, )the attack is CRITICAL\.", "self makes the attack CRITICAL.", None),
    (r"\bwhile (attacking|attacked)\b", r"when \1", None),
    (rf"\b(?:while|as long as)(?= (?:{_PEOPLE}|number|ROUND|{_NUMBERS})\b)", "if", "if"),
    (r"\bhas ([+-])", r"gets \1", None),
    (r"\bloses? ([0-9]+)", r"gets -\1", None),
    (rf"([+-][0-9]+) {_STAT} and {_STAT}\b", r"\1 \2 and \1 \3", None),
    (r"\bis (-?[0-9]+) or (?:more|higher|greater)\b", r">= \1", ">="),
    (r"\bis (-?[0-9]+) or (?:less|lower|fewer)\b", r"<= \1", "<="),
    (r", and\b", " and", "then"),
    (r"\baren['’]t\b", "are not", "are"),
    (r"\bwithin(?= RANGE)", "in", "in"),
    (r"\bgains? ([+-])", r"gets \1", None),
    (r"\bcan(?= reroll)", "may", "may"),
    (r"(?<=\breroll )an?\b", "1", None),
    (r"\byou\b", "owner", "owner"),
    (r"\bmax\.", "max", None),
    (r", *max(?:imum)?\.? ([0-9]+)", r" (max \1)", None),
    (r",(?= *or\b)", "", "or"),
    (r"(?<=\bthat )is\b", "are", "are"),
    (r"(?<!\bthat )\bis HIT\b", "becomes HIT", None),
    (rf"\bthe ({_PEOPLE})\b", r"\1", None),
    (r"\b(?:this (?:OPERATOR|card)|it|he|she)\b", "self", "self"),
    (r"\b(?:every|each)\b", "all", "all"),
    (r"\ball( other)? (OPERATORs?)\b", r"all\1 any \2", None),
    (r"\b(?:friendly|allied|my|your)(?= OPERATOR)", "own", "own"),
    (r"\b(?:hostile|opposing|opposite)(?= OPERATOR)", "enemy", "enemy"),
    (r"\ballies\b", "own OPERATORs", "own"),
    (r"\benemies\b", "enemy OPERATORs", "enemy"),
    (r"(?<=, )(draw|discard|fulfil)s?\b", r"owner \1s", "owner"),
    (r"\bcan(?: not|['’]t)\b", "cannot", "cannot"),
    (rf"\bsets? {_STAT} (?:to|at|=)(?= [0-9])", r"fixes \1 at", "fixes"),
    (r"\bhal(?:f|fs|ve)\b", "halves", "halves"),
    (rf"\b(doubles?|halves?) {_STAT} and {_STAT}\b", r"\1 \2 and \1 \3", None),
    (r"\bits\b", "", None),
    (rf"\b({_COUNTED}) an?\b", r"\1 1", None),
    (r"(?<=\bhas )an?\b", "", None),
    (r"(?<=\brolls )an?\b", "+1", None),
    (r"\bper\b", "for each", "for"),
    (r"\bfor all\b", "for each", None),
    (r"\bis (?:greater|higher|more|larger|bigger) than\b", ">", ">"),
    (r"\bis (?:less|lower|fewer|smaller) than\b", "<", "<"),
    (r"\bis at least\b", ">=", ">="),
    (r"\bis at most\b", "<=", "<="),
    (r"\b(?:is equal to|equals|is(?= -?[0-9]))", "=", "="),
    (rf"\buntil (?:the )?end of (?:(?:the|this) )?{_LASTS}", r"until end of \1", None),
    (rf"\b(?:(?:for|during) )?(?:this|the rest of (?:the|this)) {_LASTS}", r"until end of \1", "until"),
    (rf"\b(?:for|during) the {_LASTS}", r"until end of \1", None),
    (r", *([+-])", r" and \1", None),
    (r"& *([+-])", r"and \1", None),
    (r"\b[Aa]ttack [Pp]oints?\b", "AP", "AP"),
    (r"\b[Ee]vasion [Pp]oints?\b", "EP", "EP"),
    (r"\b[Dd]efen[cs]e [Pp]oints?\b", "DP", "DP"),
    (r"\b[Mm]ovement [Pp]oints?\b", "MP", "MP"),
)
"""What is said, how the language says it, and the word that must be possible there, if one decides."""

_DOES = "|".join(sorted({form.split()[0] for verb in VERBS for form in (verb.one, verb.many)}))
_CLAUSE = re.compile(rf"{_PEOPLE} (?:{_DOES})\b")

_LITTLE = ("to", "at", "by", "with", "on", "of", "in", "a", "an", "the")
_TOO_MUCH = ("to", "a", "an", "the", "then")


def other_words(stop: Stop) -> Problem | None:
    """A turn of phrase that the language says in other words."""
    for said, written, possible in _PHRASES:
        if possible is not None and possible not in stop.words:
            continue
        for found in re.finditer(said, stop.text):
            if found.start() <= stop.place[0] < found.end():
                return _problem(stop, found.span(), found.expand(written))
    if stop.word in _LITTLE and len(stop.words) == len(stop.accepted) == 1 and stop.words[0] in _LITTLE:
        return _problem(stop, stop.place, stop.words[0])
    behind = PIECE.search(stop.text, stop.place[1])
    if stop.word in _TOO_MUCH and behind is not None and terminal_of(behind.group()) in stop.accepted:
        return _problem(stop, stop.place, "")
    return None


def missing_comma(stop: Stop) -> Problem | None:
    """No comma before the clause, where a condition could go on as well."""
    if "," not in stop.words or not _CLAUSE.match(stop.text, stop.place[0]):
        return None
    message, right = f"A comma is missing after `{stop.last}`.", f"{stop.last},"
    return Problem("missing-comma", message, stop.before, f"Write `{right}`.", right)


def _problem(stop: Stop, place: tuple[int, int], written: str) -> Problem:
    said, right = stop.text[slice(*place)].strip(), written.strip()
    message = f"`{said}` is written `{right}` here." if right else f"`{said}` is too much here."
    step = f"Write `{right}`." if right else f"Take `{said}` away."
    return Problem("unexpected-word", message, place, step, written, safe=False)
