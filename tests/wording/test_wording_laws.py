"""Laws of rules text: it reads as a text should, says everything, and never the same for two meanings."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests import dsl_trees
from tests.thoroughness import examples
from toolkit.dsl import tree
from toolkit.dsl.checking import check_effect
from toolkit.dsl.tree import walk
from toolkit.vocabulary import Role
from toolkit.wording.card_text import CardEffect, card_rules, rules_text
from toolkit.wording.languages import LANGUAGES
from toolkit.wording.normalise import blocks
from toolkit.wording.plan import KINDS_THAT_SAY_WHO
from toolkit.wording.text import Names, plain

LANGS = tuple(LANGUAGES)
roles = st.sampled_from(Role)


styles = st.sampled_from(("full", "short"))


def text_of(
    effect: tree.Effect, role: Role, lang: str, names: Names | None = None, style: str = "full"
) -> str:
    paragraphs = rules_text(effect, role, lang, names, short=style == "short")
    assert isinstance(paragraphs, tuple)
    return plain(paragraphs)


# -------------------------------------------------------------------------------------------- how it reads


def assert_reads_well(text: str) -> None:
    for line in text.split("\n"):
        assert line == line.strip()
        assert "  " not in line
        assert line[0].isupper() or line[0] in "+−"  # a short text
        assert line[-1] == "."
        assert line[-2] not in ".,;"
        assert not re.search(r",\s*[,.;:)]|\(\s|\s[),.;]|[\ue000\ue001]", line), line
        depth = 0
        for sign in line:
            depth += (sign == "(") - (sign == ")")
            assert depth >= 0
        assert depth == 0
        assert line.count("“") == len(re.findall("[“„]sniper|[“„]medic", line))
        hyphens = r"night-owls|red-foxes|(?:ATTACK|DEFENCE|EFFECT|STRATEGY)-Karte|\d-fachen"
        assert "-" not in re.sub(hyphens, "", line)


@given(dsl_trees.effects(), roles, st.sampled_from(LANGS), styles)
@examples(200)
def test_any_tree_has_text_that_reads_well(effect: tree.Effect, role: Role, lang: str, style: str) -> None:
    assert_reads_well(text_of(effect, role, lang, style=style))


@given(dsl_trees.sensible(), st.sampled_from(LANGS), styles)
@examples(200)
def test_sensible_effects_have_text_that_reads_well(
    said: tuple[Role, tree.Effect], lang: str, style: str
) -> None:
    assert_reads_well(text_of(said[1], said[0], lang, style=style))


@given(dsl_trees.sensible(), dsl_trees.sensible(), st.sampled_from(LANGS))
@examples(100)
def test_a_card_without_its_reminders_is_its_effects(
    one: tuple[Role, tree.Effect], two: tuple[Role, tree.Effect], lang: str
) -> None:
    rules = card_rules([CardEffect("A", one[1], one[0]), CardEffect("B", two[1], two[0])], lang)
    assert isinstance(rules, tuple)
    for part, (role, effect) in zip(rules, (one, two), strict=True):
        bare = tuple(tuple(run for run in line if run.kind != "reminder") for line in part.paragraphs)
        assert bare == rules_text(effect, role, lang)
    explained = [
        run.text for part in rules for line in part.paragraphs for run in line if run.kind == "reminder"
    ]
    assert len(explained) == len(set(explained))
    assert all(text.startswith(" (") and text.endswith(".)") for text in explained)


# ------------------------------------------------------------------------------------- nothing is left out

SAID = {
    "en": {
        "not": ("not", "no ", "without"), "FIELD": "on the FIELD", "permanently": "permanently",
        "own TURN": "your next TURN", "trait": "trait", "double": "double", "halve": ("halve", "half"),
        "card": "card", "cards": "cards", "may": " may", "random": ("random", "at random"), "up to": "up to",
        "counts": ("", ("one", "another"), "two", "three"), "highest": ("highest", "most"),
        "lowest": ("lowest", "least"),
        "less": "less", "more": "more", "nothing": "no DAMAGE", "places": "places", "in play": "in play",
        "limit": "Once per", "advance": "advance", "retreat": "retreat", "enter": "enter", "roll": "roll",
        "win": "win", "lose": "lose", "at once": "at once",
        "shuffle": "shuffle", "take": "take", "discarded": "discarded this way", "all": "all ",
    },
    "de": {
        "not": ("nicht", "kein", "ohne"), "FIELD": "auf dem FIELD", "permanently": "dauerhaft",
        "own TURN": "deines nächsten TURN", "trait": "Merkmal", "double": ("verdoppel", "doppelten"),
        "halve": ("halbier", "halben"), "card": "Karte", "cards": "Karten",
        "may": (" darf", "dürfen", "wenn du möchtest"), "random": "zufällig", "up to": "bis zu",
        "counts": ("", ("ein", "der"), "zwei", "drei"),
        "highest": ("höchste", "meisten"), "lowest": ("niedrigste", "wenigsten"), "less": "weniger",
        "more": "mehr", "nothing": "keinen DAMAGE", "places": "Platz", "in play": "ausliegend",
        "limit": "Einmal pro", "advance": ("rück", "vorrücken"), "retreat": "zurück",
        "enter": "auf das FIELD", "roll": ("würf", "keine"), "shuffle": "misch", "take": ("nimm", "nehmen"),
        "discarded": ("so abgeworfene", "so abgeworfenen"), "all": "alle",
        "at once": "sofort", "win": ("gewinn", "Gewinn"), "lose": ("verlier", "Verlier"),
    },
}  # fmt: skip


def printed(word: tree.Word) -> str:
    """What stands for a number in a text without the names of a project."""
    return word.id if isinstance(word, tree.Marker) else word.text


def so_many(count: int | None, extent: str, words: dict[str, Any]) -> list[str]:
    """How the text says how many cards are meant."""
    if count is None:
        return [words["all"]]
    return [f"{words['up to']} {count} " if extent == "up to" else f"{count} "]


def needed(node: Any, words: dict[str, Any]) -> list[str | tuple[str, ...]]:
    """What has to stand in the text because of this node (a tuple: one of these)."""
    match node:
        case tree.Constant(value):
            return [str(value)]
        case tree.Gets(amount, tree.Word("DAMAGE")):
            return [f"{abs(amount)} ", "DAMAGE", words["less"] if amount < 0 else words["more"]]
        case tree.Gets(amount, what):
            return [f"+{amount} {printed(what)}" if amount > 0 else f"−{-amount} {printed(what)}"]
        case tree.Multiplies(stat, factor):
            return [stat.text, words["double"] if factor == 2 else f" {factor}"]
        case tree.Divides(stat, divisor):
            return [stat.text, words["halve"] if divisor == 2 else f" {divisor}"]
        case tree.Fixes(tree.Word("DAMAGE"), 0):
            return [words["nothing"]]
        case tree.Fixes(stat, value):
            return [stat.text, f" {value}"]
        case tree.Per(_, maximum):
            return [f"(max. {maximum}×)"] if maximum is not None else []
        case tree.QuantityFilter(quantity, _, number, than=than):
            return [printed(quantity)] if than else [printed(quantity), str(number).replace("-", "−")]
        case tree.QuantityOf(quantity):
            return [
                printed(quantity).removesuffix("S") if quantity.text == "SQUADPOINTS" else printed(quantity)
            ]
        case tree.StatusFilter(status, negated, others=others):
            return [status.text, words["not"]] if negated else [status.text, *(word.text for word in others)]
        case tree.HasStatus(_, status, negated):
            return [status.text, words["not"]] if negated else [status.text]
        case tree.Stands(_, _, _, negated) | tree.AttackIsCritical(negated):
            return [words["not"]] if negated else []
        case tree.HasReached(_, negated):
            return ["REACHED", words["not"]] if negated else ["REACHED"]
        case tree.TurnIs():
            return ["TURN"]
        case tree.Bears(_, what, name, negated):
            said = [name.text] if name else [what.split()[0]] if what != "card" else [words["card"]]
            return [*said, words["not"]] if negated else said
        case tree.Bearing(what, name):
            return [name.text] if name else [what.split()[0]] if what != "card" else [words["card"]]
        case tree.BearingFilter(_, negated):
            return [words["not"]] if negated else []
        case tree.Superlative(quantity, highest):
            return [printed(quantity), words["highest" if highest else "lowest"]]
        case tree.Group(_, other, team, _, _, _, trait):
            found = [word.text for word in (team, trait) if word]
            found += ["SAVEZONE"] if node.savezone else []
            return [*found, ("other", "except", "ander", "außer")] if other else found
        case tree.One(group, count=count, up_to=up_to, random=random):
            found = [words["counts"][count]] if count > 1 or not group.superlative else []
            found += [words["up to"]] if up_to else []
            return [*found, words["random"]] if random else found
        case tree.Act():
            return [words["may"]] if node.may else []
        case tree.Ignores(what):
            return [what.split()[0].removesuffix("s")]  # the plural of SKILL has no s in German
        case tree.RollsExtra(count, die) | tree.MayReroll(count, die):
            return [f"{count} ", f"{die} D6"]
        case tree.RollsDie(threshold):
            return [words["roll"], "D6"]
        case tree.MakesDiceCritical(threshold):
            return [f"{threshold}+", "ATTACK D6", "CRITICAL"]
        case tree.CannotPerform(action):
            return [f"{action} ACTION"]
        case tree.Performs(action):
            return [f"{action} ACTION", words["at once"]]
        case tree.CannotHave(what):
            return [words["cards"] if what == "cards" else what.split()[0].removesuffix("s")]
        case tree.CannotPlay(kind):
            return [kind]
        case tree.WinsGame() | tree.LosesGame():
            return [words["win" if isinstance(node, tree.WinsGame) else "lose"], "GAME"]
        case tree.CannotDraw():
            return [words["cards"]]
        case tree.CannotLoseHitcounter():
            return ["HITCOUNTER"]
        case tree.GainsRuleviolation(threshold):
            return [f"RULEVIOLATION {threshold}+"]
        case tree.GainsBonus(action):
            return [f"BONUS ({action})"]
        case tree.GainsKeyword(word) | tree.GainsTrait(word):
            return [word.text]
        case tree.SwapsPlaces():
            return [words["places"]]
        case tree.Advances() | tree.Retreats() | tree.EntersField():
            verb = {tree.Advances: "advance", tree.Retreats: "retreat", tree.EntersField: "enter"}[type(node)]
            return [words[verb]]
        case tree.Loses(what):
            return [what.split()[0] if what != "card" else words["card"]]
        case tree.Draws(count):
            return [f"{count} {words['card']}"]
        case tree.Discards(count, kind=kind, random=random, extent=extent):
            return [*so_many(count, extent, words), *([kind] if kind else []), *([words["random"]] * random)]
        case tree.DiscardsStrategy(count, random=random, extent=extent):
            how = [*so_many(count, extent, words), *([words["random"]] * random)]
            return [*how, "STRATEGY", words["in play"]]
        case tree.PutsThisCard() | tree.Shuffles():
            return [words["card"]] if isinstance(node, tree.PutsThisCard) else [words["shuffle"], "DECK"]
        case tree.FetchesItems(count):
            return [f"{count} ITEM"]
        case tree.TakesItem():
            return [words["take"], "ITEM"]
        case tree.Discarded():
            return [words["discarded"]]
        case tree.NumberOfCards(kind, _, zone):
            return [*([kind] if kind else []), zone]
        case tree.Source(_, zone):
            return [zone]
        case tree.MarkerOfPlayer(quantity):
            return [printed(quantity)]
        case tree.Captured():
            return ["CAPTURED"]
        case tree.Binary("/", _, tree.Constant(divisor)):
            return [{2: ("2", "half", "Hälfte"), 3: ("3", "third", "Drittel")}.get(divisor, str(divisor))]
        case tree.Becomes(status):
            return [status]
        case tree.Duration(name):
            return [words.get(name, name)]
        case tree.FulfilsPerformance():
            return ["PERFORMANCE"]
        case tree.CannotHaveDefence():
            return ["DEFENCE"]
        case tree.MakesAttackCritical() | tree.CannotMakeCritical():
            return ["CRITICAL"]
        case _:
            return []


def nodes_said(effect: tree.Effect, role: Role) -> list[Any]:
    """The nodes of what is printed; a count that is "no" has its number in the word."""
    found: list[Any] = []
    for block in blocks(effect, role):
        for part in (block.condition, *block.clauses):
            found += walk(part) if part is not None else ()
    counts = (tree.NumberOf, tree.CardsInHand, tree.NumberOfCards, tree.MarkerOfPlayer, tree.Captured)
    unsaid = [
        node.right
        for node in found
        if isinstance(node, tree.Comparison)
        and (isinstance(node.left, counts) or _is_marker(node.left))
        and (node.compare, node.right) == ("=", tree.Constant(0))
    ]
    unsaid += [node.right for node in found if isinstance(node, tree.Binary) and node.operator == "/"]
    return [node for node in found if not any(node is number for number in unsaid)]


def _is_marker(number: tree.Number) -> bool:
    return isinstance(number, tree.QuantityOf) and isinstance(number.quantity, tree.Marker)


@given(st.one_of(dsl_trees.sensible(), st.tuples(roles, dsl_trees.effects())), st.sampled_from(LANGS), styles)
@examples(250)
def test_nothing_is_left_out(said: tuple[Role, tree.Effect], lang: str, style: str) -> None:
    role, effect = said
    text = text_of(effect, role, lang, style=style)
    for node in nodes_said(effect, role):
        for words in needed(node, SAID[lang]):
            some = (words,) if isinstance(words, str) else words
            assert any(word.casefold() in text.casefold() for word in some), (node, words, text)


# ---------------------------------------------------------------------------- two meanings are never one text

OTHERS: dict[tuple[type, str], tuple[Any, ...]] = {
    (tree.Ref, "name"): dsl_trees.REFS,
    (tree.Player, "name"): ("owner", "opponent"),
    (tree.One, "count"): (1, 2, 3),
    (tree.Bearing, "what"): dsl_trees.LOST,
    (tree.NumberOfCards, "zone"): dsl_trees.ZONES[1:],
    (tree.NumberOfCards, "side"): ("own", "enemy"),
    (tree.TurnIs, "side"): ("own", "enemy"),
    (tree.Loses, "what"): dsl_trees.LOST,
    (tree.Source, "side"): ("own", "enemy"),
    (tree.Discards, "kind"): (None, *dsl_trees.CARD_KINDS),
    (tree.Sentence, "limit"): (None, "TURN", "ROUND", "GAME"),
    (tree.Group, "side"): ("own", "enemy", "any"),
    (tree.CardsInHand, "side"): ("own", "enemy"),
    (tree.QuantityFilter, "compare"): dsl_trees.COMPARES,
    (tree.Comparison, "compare"): dsl_trees.COMPARES,
    (tree.Binary, "operator"): ("+", "-", "*"),
    (tree.Stands, "relation"): ("in RANGE", "adjacent", "opposite"),
    (tree.RollsExtra, "die"): ("ATTACK", "DEFENCE"),
    (tree.MayReroll, "die"): ("ATTACK", "DEFENCE"),
    (tree.When, "name"): dsl_trees.PLAIN_TRIGGERS,
    (tree.Duration, "name"): dsl_trees.DURATIONS,
    (tree.Ignores, "what"): dsl_trees.IGNORABLE,
    (tree.CannotPerform, "action"): (*dsl_trees.ACTIONS,),
    (tree.Performs, "action"): (*dsl_trees.ACTIONS,),
    (tree.GainsBonus, "action"): (*dsl_trees.ACTIONS, "ANY"),
    (tree.Becomes, "status"): ("EXHAUSTED", "NORMAL", "OUT"),
}
WORDS: dict[tuple[type, str], tuple[str, ...]] = {
    (tree.Group, "team"): dsl_trees.TEAMS,
    (tree.Group, "trait"): dsl_trees.TRAITS,
    (tree.QuantityFilter, "quantity"): dsl_trees.QUANTITIES,
    (tree.QuantityOf, "quantity"): dsl_trees.QUANTITIES,
    (tree.StatusFilter, "status"): dsl_trees.STATUSES,
    (tree.HasStatus, "status"): dsl_trees.STATUSES,
    (tree.Gets, "what"): (*dsl_trees.STATS, *dsl_trees.COUNTERS),
    (tree.Multiplies, "stat"): (*dsl_trees.STATS,),
    (tree.Divides, "stat"): (*dsl_trees.STATS,),
    (tree.Fixes, "stat"): (*dsl_trees.STATS,),
    (tree.GainsKeyword, "keyword"): dsl_trees.KEYWORDS,
    (tree.GainsTrait, "trait"): dsl_trees.TRAITS,
    (tree.Superlative, "quantity"): dsl_trees.QUANTITIES,
}
UNTRIED = {(tree.One, "up_to"), (tree.QuantityFilter, "number"), (tree.SetsDice, "optional")}
"""`up to one` is not said; a number that is compared with another OPERATOR's is none; only effect objects
say at a die that it may be declined, a sentence says it of the whole clause (E-24)."""
OPTIONAL = {
    (tree.Group, "team"), (tree.Group, "trait"), (tree.Group, "in_range"), (tree.Group, "adjacent"),
    (tree.Group, "opposite"), (tree.Group, "quantity"), (tree.Group, "status"), (tree.InRange, "of"),
    (tree.Per, "maximum"), (tree.Gets, "per"), (tree.Act, "duration"), (tree.Sentence, "condition"),
    (tree.Sentence, "when"), (tree.Group, "superlative"), (tree.Draws, "per"), (tree.Discards, "per"),
}  # fmt: skip


def changes(node: Any) -> list[Any]:
    """Every tree that differs from this one in a single place."""
    found: list[Any] = []
    for name in tree.compared_fields(type(node)):
        value, key = getattr(node, name), (type(node), name)
        if (
            key in UNTRIED
            or _is_fixed(node, name)
            or (isinstance(node, tree.When) and node.subject is not None)
        ):
            continue
        others: list[Any] = [other for other in OTHERS.get(key, ()) if other != value]
        others += [tree.Word(word) for word in WORDS.get(key, ()) if value and word != value.text]
        if key in OPTIONAL and value is not None:
            others.append(None)
        if isinstance(value, bool):
            others.append(not value)
        elif isinstance(value, int):
            others += [value + 1, value + 10] if key not in OTHERS else []
        elif isinstance(value, tuple):
            linked = isinstance(node, tree.Sentence) and node.links
            others += [other for other in _changed_tuples(value) if not linked or len(other) == len(value)]
        elif isinstance(value, tree.Node):
            others += changes(value)
            others += _other_kinds(value) if name not in ("than", "partner") else []
        found += [replace(node, **{name: other}) for other in others]
    return found


def _is_fixed(node: Any, name: str) -> bool:
    """Whether a change of that field alone is nothing that can be written."""
    match node:
        case tree.Bearing(_, called):
            return name == "what" and called is not None
        case tree.BearingFilter(bearings, negated):
            return (name == "negated" and len(bearings) > 1) or (name == "bearings" and negated)
        case tree.StatusFilter(_, negated, others=others):
            return name == "negated" and bool(others)
        case tree.Discards(extent="all"):
            return name == "random"
        case _:
            return False


def _changed_tuples(parts: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    if not parts or isinstance(parts[0], str):
        return []
    found = [(*parts[:at], other, *parts[at + 1 :]) for at, part in enumerate(parts) for other in _anew(part)]
    if len(parts) > 1:
        found += [(*parts[:at], *parts[at + 1 :]) for at in range(len(parts))]
        found += [tuple(reversed(parts))]
    return [*found, (*parts, parts[-1])]


def _anew(part: Any) -> list[Any]:
    return [*changes(part), *_other_kinds(part)]


def _other_kinds(node: Any) -> list[Any]:
    """The same parts put together another way: all for one, or for and, other nesting."""
    match node:
        case tree.One(group):
            return [tree.Every(group)]
        case tree.Every(group):
            return [tree.One(group), tree.Ref("self")]
        case tree.AllOf(parts):
            return [tree.AnyOf(parts), parts[0], tree.AllOf((parts[0], tree.AnyOf((*parts[1:], parts[0]))))]
        case tree.AnyOf(parts):
            return [tree.AllOf(parts), parts[0], tree.AnyOf((parts[0], tree.AllOf((*parts[1:], parts[0]))))]
        case tree.Not(part):
            return [part]
        case tree.Comparison() | tree.HasStatus() | tree.Stands() | tree.Bears() | tree.AttackIsCritical():
            return [tree.Not(node)]
        case tree.Binary(operator, tree.Binary(inner, a, b), c):
            return [tree.Binary(inner, a, tree.Binary(operator, b, c)), tree.Negative(node)]
        case tree.Binary(operator, a, tree.Binary(inner, b, c)):
            return [tree.Binary(inner, tree.Binary(operator, a, b), c), tree.Negative(node)]
        case tree.Binary(operator, a, b):
            return [
                tree.Binary(operator, b, a),
                tree.Negative(node),
                a,
                tree.Binary(operator, tree.Negative(a), b),
            ]
        case tree.Constant() | tree.QuantityOf() | tree.NumberOf() | tree.CardsInHand() | tree.Round():
            return [tree.Negative(node), tree.Binary("+", node, node)]
        case tree.Either(first, second):
            return [first, tree.Either(second, first), tree.Either(node, first), tree.Either(first, node)]
        case tree.Act():
            return [tree.Either(node, node)]
        case tree.Multiplies(stat, number):
            return [tree.Divides(stat, number), tree.Fixes(stat, number)]
        case tree.RollsExtra(count, die):
            return [tree.MayReroll(count, die)]
        case tree.Draws(count):
            return [tree.Discards(count)]
        case tree.CannotBeAttacked():
            return [
                *(tree.CannotHaveDefence(), tree.CannotPerform("ATTACK"), tree.MakesAttackCritical()),
                *(tree.CannotHave("cards"), tree.CannotMakeCritical(), tree.CannotLoseHitcounter()),
            ]
        case tree.CannotHave(what) if what != "ITEMs":
            return [tree.CannotHave("ITEMs"), tree.CannotPerform("BONUS")]
        case tree.WinsGame():
            return [tree.LosesGame(), tree.Draws(1)]
        case tree.CannotPlay(kind):
            return [tree.CannotDraw(), tree.CannotPlay("STRATEGY" if kind == "EFFECT" else "EFFECT")]
        case tree.Sentence(clauses, when, condition):
            return [tree.Sentence((clause,), when, condition) for clause in clauses[1:]]
        case _:
            return []


def assert_told_apart(effect: tree.Effect, role: Role, lang: str) -> None:
    text, meaning = text_of(effect, role, lang), blocks(effect, role)
    for other in changes(effect):
        if text_of(other, role, lang) == text and not _names_nobody(other, role):
            assert blocks(other, role) == meaning, (effect, other, text)


def _names_nobody(effect: tree.Effect, role: Role) -> bool:
    """Whether it speaks of an attack or an OPERATOR where there is none, which cannot be written."""
    found = check_effect(effect, role, dsl_trees.NAMES)
    return any(finding.name in ("no-attack", "no-it") for finding in found)


@given(dsl_trees.sensible(), st.sampled_from(LANGS))
@examples(40)
def test_a_change_of_meaning_changes_the_text(said: tuple[Role, tree.Effect], lang: str) -> None:
    assert_told_apart(said[1], said[0], lang)


@given(dsl_trees.effects(), roles, st.sampled_from(LANGS))
@examples(40)
def test_a_change_of_any_tree_changes_the_text(effect: tree.Effect, role: Role, lang: str) -> None:
    assert_told_apart(effect, role, lang)


@given(dsl_trees.sensible(), st.sampled_from(KINDS_THAT_SAY_WHO), st.sampled_from(LANGS))
@examples(60)
def test_no_two_effects_of_a_kind_share_a_short_text(
    said: tuple[Role, tree.Effect], kind: Role, lang: str
) -> None:
    effect = said[1]
    short_text, full_text = (text_of(effect, kind, lang, style=style) for style in ("short", "full"))
    for other in changes(effect):
        if text_of(other, kind, lang, style="short") == short_text and not _names_nobody(other, kind):
            assert text_of(other, kind, lang) == full_text, (effect, other, short_text)


@given(dsl_trees.effects(), roles)
@examples(100)
def test_the_same_in_other_words_is_one_text(effect: tree.Effect, role: Role) -> None:
    def twice_not(node: tree.Sentence) -> tree.Sentence:
        if node.condition is None:
            return node
        return replace(node, condition=tree.Not(tree.Not(node.condition)))

    other = tree.Effect(tuple(twice_not(sentence) for sentence in effect.sentences))
    for lang in LANGS:
        assert text_of(other, role, lang) == text_of(effect, role, lang)
