"""Whole sentences in German: triggers, who does what and for how long, and keywords explained."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.wording import phrases as say
from toolkit.wording.de.cards import Predicate, card, discarded, discarded_in_play, looked_at, moved
from toolkit.wording.de.conditions import all_of, condition
from toolkit.wording.de.nouns import chosen, counted, group, is_neuter, name, of, of_some, some
from toolkit.wording.language import Reminder, capital, filled, listed, signed, tidy
from toolkit.wording.text import is_marker, keyword_mark, trait_mark

FORMS = {
    "betragen": ("betragen", "betragen", "betragen"),
    "erhält": ("erhält", "erhalten", "erhältst"),
    "verdoppelt": ("verdoppelt", "verdoppeln", "verdoppelst"),
    "multipliziert": ("multipliziert", "multiplizieren", "multiplizierst"),
    "halbiert": ("halbiert", "halbieren", "halbierst"),
    "teilt": ("teilt", "teilen", "teilst"),
    "ignoriert": ("ignoriert", "ignorieren", "ignorierst"),
    "würfelt": ("würfelt", "würfeln", "würfelst"),
    "darf": ("darf", "dürfen", "darfst"),
    "wertet": ("wertet", "werten", "wertest"),
    "macht": ("macht", "machen", "machst"),
    "kann": ("kann", "können", "kannst"),
    "erfüllt": ("erfüllt", "erfüllen", "erfüllst"),
    "zieht": ("zieht", "ziehen", "ziehst"),
    "wirft": ("wirft", "werfen", "wirfst"),
    "wird": ("wird", "werden", "wirst"),
    "erleidet": ("erleidet", "erleiden", "erleidest"),
    "verliert": ("verliert", "verlieren", "verlierst"),
    "tauscht": ("tauscht", "tauschen", "tauschst"),
    "rückt": ("rückt", "rücken", "rückst"),
    "kommt": ("kommt", "kommen", "kommst"),
    "sieht": ("sieht", "sehen", "siehst"),
    "nimmt": ("nimmt", "nehmen", "nimmst"),
    "gibt": ("gibt", "geben", "gibst"),
    "legt": ("legt", "legen", "legst"),
    "durchsucht": ("durchsucht", "durchsuchen", "durchsuchst"),
    "mischt": ("mischt", "mischen", "mischst"),
}
"""er/sie/es, several, du."""

ORDERS = {"zieht": "ziehe", "wirft": "wirf", "erfüllt": "erfülle", "sieht": "sieh", "nimmt": "nimm"}
ORDERS |= {
    "erhält": "erhalte",
    "würfelt": "würfle",
    "gibt": "gib",
    "legt": "lege",
    "durchsucht": "durchsuche",
    "mischt": "mische",
}
"""Imperatives, for the player of a card: "Ziehe 2 Karten."."""

_IGNORED = {
    "STRATEGY": "STRATEGY-Karten",
    "SKILLs": "alle SKILL",
    "ATTACK cards": "ATTACK-Karten",
    "DEFENCE cards": "DEFENCE-Karten",
}


_VERBS: dict[type[tree.Node], Predicate] = {
    tree.Multiplies: Predicate("multipliziert", "{own} {stat} mit {factor}"),
    tree.Divides: Predicate("teilt", "{own} {stat} durch {divisor}"),
    tree.Fixes: Predicate("betragen", "{value}"),
    tree.RollsExtra: Predicate("würfelt", "{count} zusätzliche{n} {die} D6"),
    tree.MayReroll: Predicate("darf", "{count} {whose}{die} D6", "neu würfeln"),
    tree.MakesDiceCritical: Predicate("wertet", "{own} ATTACK D6 bei {threshold}+ als CRITICAL"),
    tree.MakesAttackCritical: Predicate("macht", "den Angriff CRITICAL"),
    tree.CannotBeAttacked: Predicate("kann", "nicht", "angegriffen werden"),
    tree.CannotHaveDefence: Predicate("kann", "keine DEFENCE-Karten", "haben"),
    tree.GainsRuleviolation: Predicate("erhält", "RULEVIOLATION {threshold}+", shared=True),
    tree.GainsBonus: Predicate("erhält", "BONUS ({action})", shared=True),
    tree.FulfilsPerformance: Predicate("erfüllt", "PERFORMANCE"),
    tree.Draws: Predicate("zieht", "{count} {cards}"),
    tree.Becomes: Predicate("wird", "{status}"),
    tree.Advances: Predicate("rückt", "", "vor"),
    tree.Retreats: Predicate("zieht", "in die SAVEZONE", "zurück", "sich"),
    tree.EntersField: Predicate("kommt", "auf das FIELD"),
    tree.DiscardsThisCard: Predicate("wirft", "diese Karte", "ab"),
}
"""A row for each verb, with the fields of its node. ``own`` is "seine", "ihre" or "deine"; ``n`` ends an
adjective in the singular of ``count``, ``cards`` is in its number, ``whose`` is "feindlich…" or nothing."""


_DAMAGE = {
    ("multiply", 2): "doppelten DAMAGE",
    ("divide", 2): "den halben DAMAGE",
    ("fix", 0): "keinen DAMAGE",
    "multiply": "{}-fachen DAMAGE",
    "divide": "den DAMAGE geteilt durch {}",
    "fix": "genau {} DAMAGE",
}


def _damage(said: say.TakesDamage) -> str:
    if said.layer == "add":
        by = f" {counted(said.counted)}" if said.counted else ""
        return f"{abs(said.number)} DAMAGE {'weniger' if said.number < 0 else 'mehr'}{by}"
    return (_DAMAGE.get((said.layer, said.number)) or _DAMAGE[said.layer]).format(said.number)


def _predicates(doing: say.DoingPhrase, person: _Person) -> list[Predicate]:
    """The words for one doing; several where cards are looked at first."""
    own, oneself = person.own.removesuffix("e"), "dir" if person.again == "du" else "sich"
    match doing:
        case say.Looks(source):
            return [*looked_at(source, own, oneself)]
        case say.Puts():
            return [*moved(doing, own, oneself)]
        case _:
            return [predicate(doing, person.own)]


def predicate(doing: say.OneVerb, own: str) -> Predicate:
    """The words for one doing; ``own`` is "seine", "ihre" or "deine"."""
    match doing:
        case say.TakesDamage():
            return Predicate("erleidet", _damage(doing), shared=doing.counted is None)
        case say.Swaps(partner):
            other = name(partner, "dat") if isinstance(partner, say.Mention) else chosen(partner, "dat")
            return Predicate("tauscht", f"den Platz mit {other}")
        case say.RollsDie(threshold):
            return Predicate("würfelt", "einen D6" if threshold is None else f"mit einem D6 auf {threshold}+")
        case tree.Loses(what):
            many = own == "ihre"
            if what == "ITEM":
                return Predicate("verliert", f"{own if many else own.removesuffix('e')} ITEM", shared=True)
            kind = None if what == "card" else what.removesuffix(" card")
            attached = "" if kind else "angelegten " if many else "angelegte "
            lost = f"{own} {attached}{card(kind, not many)}"
            return Predicate("verliert", lost, shared=True)
        case tree.Discards(count, kind=kind, random=random):
            return Predicate("wirft", discarded(count, kind, random), "ab")
        case say.MovesCards(tree.Draws() as drawn, by):
            said = predicate(drawn, own)
            return replace(said, rest=f"{said.rest} {counted(by)}")
        case say.MovesCards(thrown, by):
            said = predicate(thrown, own)
            return replace(said, rest=f"{counted(by)} {said.rest}")
        case say.DiscardsInPlay():
            return Predicate("wirft", discarded_in_play(doing, own.removesuffix("e")), "ab")
        case tree.GainsKeyword(keyword):
            return Predicate("erhält", keyword_mark(keyword.text), shared=True)
        case tree.GainsTrait(trait):
            return Predicate("erhält", f"das Merkmal „{trait_mark(trait.text)}“", shared=True)
        case say.Change(amount, what, by):
            text = f"{signed(amount)} {what}"
            return Predicate("erhält", f"{text} {counted(by)}" if by else text, shared=by is None)
        case tree.Multiplies(stat, 2):
            return Predicate("verdoppelt", f"{own} {stat.text}")
        case tree.Divides(stat, 2):
            return Predicate("halbiert", f"{own} {stat.text}")
        case say.EachAttack(dice, attacking):
            said = predicate(dice, own)
            attacks = f"jedem {own}r Angriffe" if attacking else "jedem Angriff auf sich"
            return replace(said, rest=f"bei {attacks} {said.rest}")
        case say.IgnoresAll(steps):
            return Predicate("ignoriert", listed([_IGNORED.get(step, step) for step in steps], "und"))
        case say.MakesItsAttacksCritical():
            return Predicate("macht", f"{own} Angriffe CRITICAL")
        case say.CannotPerformAny((action,)):
            return Predicate("kann", f"die {action} ACTION nicht", "durchführen")
        case say.CannotPerformAny(actions):
            neither = " noch ".join(f"die {action} ACTION" for action in actions)
            return Predicate("kann", f"weder {neither}", "durchführen")
        case tree.Node():
            row, one = _VERBS[type(doing)], getattr(doing, "count", 1) == 1
            n, cards = ("n", "Karte") if one else ("", "Karten")
            whose = f"feindliche{n} " if getattr(doing, "enemy", False) else ""
            return replace(row, rest=filled(row.rest, doing, own=own, n=n, whose=whose, cards=cards))


class _Person(Struct, frozen=True):
    """The subject, which form its verbs have, its "seine", its pronoun, and what its numbers are called where
    they are the subject ("die AP des Angreifers betragen 6"), and the subject of what comes behind that."""

    name: str
    form: int
    own: str
    again: str
    fixed: Callable[[str], str]
    resumed: str


def act(said: say.ActPhrase, verb_first: bool) -> str:
    """One act; ``verb_first`` behind whatever takes the first place: "erhält er +2 AP".

    The duration stands behind the first verb that it holds for, and "so lange" behind each other.
    """
    person = _person(said.subject, verb_first)
    if said.for_another and person.again == "er":
        person = replace(person, again=person.resumed)
    if said.may == "acts":
        return _choice(said, person, verb_first)
    phrases: list[str] = []
    behind, subject = "", person.name
    for stretch in said.stretches:
        first, again, last = _duration(stretch.duration, person)
        if len(said.stretches) == 1 and last and not say.counts_group(stretch):
            first, again, behind = "", "", last
        for at, (one, rests) in enumerate(_runs(stretch.doings, person)):
            verb = one.verb
            words = [ORDERS[verb] if said.order else FORMS[verb][person.form]]
            if verb == "betragen":  # a number that is fixed is a subject of its own
                stat, rests = rests[0], rests[1:]
                subject = f"{person.own} {stat}" if phrases else person.fixed(stat)
            names = subject not in _PRONOUNS  # "zieht sich der Träger zurück", but "zieht er sich zurück"
            if subject and not said.order:
                words.insert(1 if verb_first and not phrases else 0, subject)
            if one.pronoun:
                words.insert(1 if names and words[0] != subject else 2, one.pronoun)
            subject = person.resumed if verb == "betragen" else ""
            words[-1] += again if at else first
            words += [listed(rests, "und"), one.closing]
            phrases.append(" ".join(word for word in words if word))
    text = listed(phrases, "und") + behind
    return f"{text}, wenn du möchtest," if said.may else text


_MODAL = ("darf", "kann")
_PRONOUNS = ("er", "es", "sie", "du")


def _choice(said: say.ActPhrase, person: _Person, verb_first: bool) -> str:
    """ "darf dieser OPERATOR EXHAUSTED werden": what somebody may do, in infinitives."""
    may, said_first = FORMS["darf"][person.form], ""
    first, _ = _runs(said.stretches[0].doings, person)[0]
    if verb_first and person.name not in _PRONOUNS:
        said_first = first.pronoun  # "darf sich dein Gegner …"
    opening = (may, said_first, person.name) if verb_first else (person.name, may)
    phrases = [" ".join(word for word in opening if word)]
    for stretch in said.stretches:
        limit, again, _ = _duration(stretch.duration, person)
        done = list[str]()
        for one, rests in _runs(stretch.doings, person):
            space = " " if one.verb in _MODAL else ""
            infinitive = f"{one.closing}{space}{FORMS[one.verb][1]}"
            pronoun, said_first = "" if said_first else one.pronoun, ""
            words = (limit.strip(), pronoun, listed(rests, "und"), infinitive)
            done.append(" ".join(word for word in words if word))
            limit = again
        phrases.append(listed(done, "und"))
    text = f"{phrases[0]} {listed(phrases[1:], 'und')}"
    return text.replace(" ,", ",")  # "du darfst, solange du auf dem FIELD bleibst, …"


def _person(subject: say.Subject, verb_first: bool) -> _Person:
    match subject:
        case say.PlayerSubject("owner"):
            return _Person("du", 2, "deine", "du", lambda stat: f"deine {stat}", "du")
        case say.PlayerSubject("each player"):
            return _Person("jeder Spieler", 0, "seine", "er", lambda stat: f"die {stat} jedes Spielers", "er")
        case say.PlayerSubject():
            return _Person("dein Gegner", 0, "seine", "er", lambda stat: f"die {stat} deines Gegners", "er")
        case say.GroupSubject("all" | "bare" as count, who):
            them = group("all" if count == "all" else "some", who, verb_first)
            of_them = group("of all", who, before_object=True)
            return _Person(them, 1, "ihre", "sie", lambda stat: f"die {stat} {of_them}", "sie")
        case say.GroupSubject():
            some, of_some = chosen(subject, "nom", verb_first), chosen(subject, "gen", before_object=True)
            many = subject.number > 1
            own, again = ("ihre", "sie") if many else ("seine", "er")
            return _Person(some, int(many), own, again, lambda stat: f"die {stat} {of_some}", again)
        case say.Mention():
            resumed = name(replace(subject, form="short") if subject.form == "full" else subject)
            if subject.many:
                return _Person(name(subject), 1, "ihre", "sie", partial(of, subject), resumed)
            it = "es" if is_neuter(subject) else "er"
            return _Person(name(subject), 0, "seine", it, partial(of, subject), resumed)


def _runs(doings: tuple[say.DoingPhrase, ...], person: _Person) -> list[tuple[Predicate, list[str]]]:
    """Each verb with what follows it; neighbours share a verb, never across a counted amount."""
    runs: list[tuple[Predicate, list[str]]] = []
    for doing in doings:
        said, *more = _predicates(doing, person)
        if person.own == "ihre" and isinstance(doing, (tree.RollsExtra, tree.MayReroll)):
            said = replace(said, rest=f"jeweils {said.rest}")
        if isinstance(doing, tree.Fixes):
            runs.append((said, [doing.stat.text, said.rest]))
        elif runs and runs[-1][0].shared and said.shared and runs[-1][0].verb == said.verb:
            runs[-1][1].append(said.rest)
        else:
            runs.append((said, [said.rest]))
        runs += [(following, [following.rest]) for following in more]
    return runs


def _duration(duration: tree.DurationName | None, person: _Person) -> tuple[str, str, str]:
    """What goes on behind the first verb and its subject, behind a further verb, or else at the very end."""
    if duration is None:
        return "", "", ""
    if duration == "FIELD":
        stays = {0: "bleibt", 1: "bleiben", 2: "bleibst"}[person.form]
        there = f", solange {person.again} auf dem FIELD {stays},"
        return there, " so lange", there
    if duration == "permanently":
        return " dauerhaft", " dauerhaft", ""
    if duration == "own TURN":
        return " bis zum Beginn deines nächsten TURN", " so lange", ""
    return f" bis zum Ende {'der' if duration == 'ROUND' else 'des'} {duration}", " so lange", ""


def reminder(said: Reminder) -> str:
    """The explanation in parentheses."""
    return f"({tidy(_text(said))})"


def _text(said: Reminder) -> str:
    match said.keyword:
        case "SUPPRESSED":
            when = (
                condition(said.condition)
                if said.condition
                else "die SUPPRESSION der Spielregeln für ihn gilt"
            )
            return f"Ein OPERATOR ist SUPPRESSED, wenn {when}."
        case "RULEVIOLATION":
            x = str(said.threshold) if said.threshold is not None else "X"
            return (
                f"RULEVIOLATION {x}+: Am Ende seiner ACTION einen D6 würfeln; bei weniger als {x} ist er OUT."
            )
        case "BONUS":
            kind = {None: "ACTION dieser Art", "ANY": "ACTION deiner Wahl"}.get(
                said.action, f"{said.action} ACTION"
            )
            return (
                f"BONUS ({said.action or 'ACTION'}): eine zusätzliche {kind} in diesem TURN, auch wenn "
                "EXHAUSTED; höchstens ein BONUS je OPERATOR."
            )
        case "PERFORMANCE":
            return (
                "PERFORMANCE: Ziehe eine Karte, oder ziehe ein ITEM aus deinem ITEMDECK und lege es an einen "
                "eigenen OPERATOR deiner Wahl ohne Karte an oder an einen, der EXHAUSTED ist, statt seiner "
                "ATTACK- oder DEFENCE-Karte."
            )
        case "CRITICAL":
            doubled = (
                "die AP verdoppeln, die der Angreifer bis dahin hat"
                if said.stepwise
                else "den AP VALUE des Angreifers verdoppeln"
            )
            return f"CRITICAL: Statt den ATTACK D6 zu addieren, darf der angreifende Spieler {doubled}."
        case "DAMAGE":
            return "DAMAGE: was der Angriff zum HITCOUNTER addiert."
        case "advances":
            return "Vorrücken: seine MP zu seinem OBJECTIVECOUNTER addieren."
        case "would become HIT":
            return "Er wird danach nur HIT, wenn sein HITCOUNTER seine DP noch erreicht."
        case "highest":
            return "Bei Gleichstand wählst du."
    raise KeyError(said.keyword)


_TRIGGERS = {
    "own-attacks": "ein eigener OPERATOR angreift",
    "own-is-attacked": "ein eigener OPERATOR angegriffen wird",
    "enemy-attacks": "ein feindlicher OPERATOR angreift",
    "enemy-is-attacked": "ein feindlicher OPERATOR angegriffen wird",
    "played": "du diese Karte spielst",
    "attached": "diese Karte angelegt wird",
    "own-becomes-hit": "ein eigener OPERATOR HIT wird",
    "enemy-becomes-hit": "ein feindlicher OPERATOR HIT wird",
    "turn-begins": "ein TURN beginnt",
    "turn-ends": "ein TURN endet",
    "own-turn-begins": "dein TURN beginnt",
    "own-turn-ends": "dein TURN endet",
    "enemy-turn-begins": "der TURN deines Gegners beginnt",
    "enemy-turn-ends": "der TURN deines Gegners endet",
    "round-begins": "eine ROUND beginnt",
    "round-ends": "eine ROUND endet",
}
_OF_SOMEBODY = {
    "attacks": "angreift",
    "is-attacked": "angegriffen wird",
    "becomes-hit": "HIT wird",
    "becomes-out": "OUT wird",
    "would-become-hit": "HIT werden würde",
    "enters": "auf das FIELD kommt",
    "attacking": "angreift",
    "attacked": "angegriffen wird",
    "self-becomes-hit": "HIT wird",
    "reaches": "das OBJECTIVE REACHED hat",
    "captures": "das OBJECTIVE CAPTURED hat",
}
_OUTCOMES = {"hits": "trifft", "misses": "fehlschlägt", "critical": "CRITICAL ist"}
_OPENINGS = {"when": "wenn", "while": "solange", "if": "falls"}
_COMPLETED = ("reaches", "captures")


def sentence(plan: say.SentencePlan) -> str:
    """One sentence from its capital to its full stop."""
    text = tidy(f"{_opening(plan)}{_clauses(plan)}.")
    return f"Einmal pro {plan.limit}: {text}" if plan.limit else text


def _opening(plan: say.SentencePlan) -> str:
    if plan.opening == "during" and isinstance(turn := plan.conditions[0], say.TurnIs):
        return f"während {'deines TURN' if turn.side == 'own' else 'des TURN deines Gegners'} "
    if plan.opening == "before" and plan.trigger and plan.trigger.who:
        return f"bevor {some(plan.trigger.who)} HIT wird, "
    parts = [_trigger(plan.trigger)] if plan.trigger else []
    several = len(parts) + len(plan.conditions) > 1
    parts += [condition(part, "and" if several else "") for part in plan.conditions]
    if not plan.opening or not parts:
        return ""
    word = _OPENINGS[plan.opening]
    if plan.trigger and plan.trigger.name in _COMPLETED:
        word = "sobald"  # the words of the rules are participles: "das OBJECTIVE REACHED hat"
    return f"{word} {all_of(parts)}, "


def _trigger(trigger: say.TriggerPhrase) -> str:
    if trigger.name in _OUTCOMES:
        return f"{_attack(trigger)} {_OUTCOMES[trigger.name]}"
    if trigger.who is None:
        return _TRIGGERS[trigger.name]
    if trigger.name == "action-ends":
        return f"{of_some(trigger.who, 'ACTION')} endet"
    who = some(trigger.who)
    if trigger.name == "performs":
        return f"{who} {'eine' if trigger.what == 'ACTION' else f'die {trigger.what}'} ACTION durchführt"
    if trigger.name in ("gets", "loses"):
        if is_marker(trigger.what):
            return f"{who} {trigger.what} {'erhält' if trigger.name == 'gets' else 'verliert'}"
        return f"{of_some(trigger.who, trigger.what)} {'steigt' if trigger.name == 'gets' else 'sinkt'}"
    if _is_holder(trigger) and trigger.name in _COMPLETED:
        return f"ein eigener OPERATOR {_OF_SOMEBODY[trigger.name].replace('das', 'dieses')}"
    return f"{who} {_OF_SOMEBODY[trigger.name]}"


def _is_holder(trigger: say.TriggerPhrase) -> bool:
    return isinstance(trigger.who, say.Mention) and trigger.who.noun == "holder"


def _attack(trigger: say.TriggerPhrase) -> str:
    if trigger.who is None:
        return "ein Angriff eines eigenen OPERATOR" if trigger.attack_by == "own" else "der Angriff"
    if trigger.attack_by == "attacker":
        return f"ein Angriff {some(trigger.who, 'gen')}"
    return f"ein Angriff auf {some(trigger.who, 'acc')}"


def _clauses(plan: say.SentencePlan) -> str:
    text, apart = _clause(plan.clauses[0], bool(plan.opening)), plan.joints.count("and") > 1
    for joint, before, clause in zip(plan.joints, plan.clauses, plan.clauses[1:], strict=False):
        if isinstance(joint, say.Branch):
            text += f". {capital(_branch(joint))} {_clause(clause, verb_first=True)}"
        elif joint == "and":
            comma = "," if apart or _is_long(before) or _is_long(clause) else ""
            text += f"{comma} und {_clause(clause, verb_first=False)}"
        elif joint == "afterwards":
            text += f". Dann {_clause(clause, verb_first=True)}"
        else:
            text += f", dann {_clause(clause, verb_first=True)}"
    return text


_BRANCHES: dict[say.Asked, str] = {
    "owner": "wenn du dies{} tust,",
    "reader": "wenn dies{} geschieht,",
    "opponent": "wenn er dies{} tut,",
    "each player": "wenn{} beide dies tun,",
    "it": "wenn er dies{} tut,",
    "they": "wenn sie dies{} tun,",
    "roll": "wenn der Wurf{} gelingt,",
    "outcome": "wenn dies{} geschieht,",
}
_CANNOT: dict[say.Asked, str] = {
    "owner": "wenn du das nicht kannst,",
    "opponent": "wenn er das nicht kann,",
    "each player": "wenn das nicht beide können,",
}
"""Behind an order, which is not done only where it cannot be."""


def _branch(said: say.Branch) -> str:
    if said.otherwise:
        return "andernfalls"
    if said.threshold is None:
        if said.asked in _CANNOT and not (said.done or said.may):
            return _CANNOT[said.asked]
        return _BRANCHES[said.asked].format("" if said.done else " nicht")
    if said.done:
        return f"bei {said.threshold}+"
    if said.may:
        return f"wenn {'du' if said.asked == 'owner' else 'er'} keine {said.threshold}+ {_ROLLS[said.asked]},"
    return f"bei weniger als {said.threshold}"


_ROLLS = {"owner": "würfelst", "opponent": "würfelt"}


def _is_long(clause: say.ClausePhrase) -> bool:
    return isinstance(clause, say.ActPhrase) and bool(len(clause.doings) > 1 or clause.may)


def _clause(clause: say.ClausePhrase, verb_first: bool) -> str:
    if isinstance(clause, say.ActPhrase):
        return act(clause, verb_first)
    return f"wähle: Entweder {_options(clause)}"


def _options(choice: say.ChoicePhrase) -> str:
    first, second = _option(choice.first, verb_first=True), _option(choice.second, verb_first=False)
    return f"{first}{',' if ' und ' in first else ''} oder {second}"


def _option(clause: say.ClausePhrase, verb_first: bool) -> str:
    return act(clause, verb_first) if isinstance(clause, say.ActPhrase) else f"(entweder {_options(clause)})"
