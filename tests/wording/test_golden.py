"""Golden rules text: ``golden/*.yaml``, read and written by people, with every construct of the language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.dsl_trees import COMPARES, DURATIONS, LOST, NAMES, QUANTITIES, REFS
from tests.help_pages.examples import GROUPS
from tests.yaml_files import read_yaml
from toolkit.dsl import tree
from toolkit.dsl.checking import check_effect
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import walk
from toolkit.vocabulary import (
    ACTIONS,
    COUNTERS,
    FACTS,
    FORMS,
    IGNORABLE,
    ROLES,
    STATS,
    STATUSES,
    TRIGGERS,
    Role,
)
from toolkit.wording.card_text import (
    CardEffect,
    KeywordRules,
    OwnKeyword,
    card_rules,
    keyword_line,
    rules_text,
)
from toolkit.wording.languages import LANGUAGES
from toolkit.wording.text import Names, plain

FOLDER = Path(__file__).parent / "golden"
PRINTED = Names(
    teams={
        "night-owls": {"en": "Night Owls", "de": "Nachteulen"},
        "red-foxes": {"en": "Red Foxes", "de": "Rotfüchse"},
    },
    markers={
        "intel": {"en": "Intel", "de": "Aufklärung"},
        "supply": {"en": "Supply", "de": "Nachschub"},
    },
    keywords={"steadfast": {"en": "Steadfast", "de": "Standhaft"}, "swift": {"en": "Swift", "de": "Flink"}},
)
GOLDEN = {path.stem: read_yaml(path) for path in sorted(FOLDER.glob("*.yaml")) if path.stem != "cards"}
CARDS = read_yaml(FOLDER / "cards.yaml")


def parsed(text: str) -> tree.Effect:
    effect, problems = parse_effect(text)
    assert effect is not None, problems
    return effect


@pytest.mark.parametrize("name", GOLDEN)
def test_the_text_is_as_written(name: str) -> None:
    for case in GOLDEN[name]:
        effect, role = parsed(case["effect"]), Role(case["role"])
        assert check_effect(effect, role, NAMES) == (), case["effect"]
        for lang in LANGUAGES:
            paragraphs = rules_text(effect, role, lang, PRINTED)
            assert isinstance(paragraphs, tuple)
            assert plain(paragraphs) == case[lang], case["effect"]


@pytest.mark.parametrize("case", CARDS, ids=[case["card"] for case in CARDS])
def test_a_card_explains_each_keyword_once(case: dict[str, Any]) -> None:
    effects = [CardEffect(name, parsed(text), Role(case["role"])) for name, text in case["effects"].items()]
    suppression = parsed(case["suppression"]) if "suppression" in case else None
    own = {
        keyword["id"]: OwnKeyword(parsed(keyword["effect"]), keyword.get("reminder", {}))
        for keyword in case.get("keywords", ())
    }
    rules_of_keywords = KeywordRules(
        suppression, case.get("stacking") == "stepwise", own, case.get("markers", {})
    )
    borne = case.get("borne", ())
    for lang in LANGUAGES:
        rules = card_rules(effects, lang, PRINTED, rules_of_keywords, borne)
        line = keyword_line(borne, lang, PRINTED, rules_of_keywords)
        assert isinstance(rules, tuple)
        assert isinstance(line, tuple)
        said = {part.name: plain(part.paragraphs) for part in rules}
        assert said | ({"KEYWORDs": plain((line,))} if borne else {}) == case[lang]


# ----------------------------------------------------------------------------------- every construct is there


def features(effect: tree.Effect, role: Role) -> Iterator[str]:
    """What an effect is an example of, one name for each choice that the language gives."""
    yield f"role {role.value}"
    yield from (f"joined {len(effect.sentences) > 1}", f"then {len(effect.sentences[0].clauses) > 1}")
    for node in walk(effect):
        yield from _of_node(node)


def _of_node(node: Any) -> Iterator[str]:
    kind = type(node).__name__
    yield kind
    said = tree.compared_fields(type(node))
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if isinstance(value, tree.Word) and name not in ("name", "team", "trait"):
            yield f"{kind}.{name} {value.text}"
        elif name in said and isinstance(value, (str, bool)):
            yield f"{kind}.{name} {value}"
        elif name in said and value is not None and not isinstance(value, (int, tuple)):
            yield f"{kind}.{name}"
    match node:
        case tree.One(group) | tree.Every(group) | tree.NumberOf(group) | tree.Per(tree.Group() as group):
            yield f"{kind} of {group.side}"
        case tree.HasStatus() | tree.Stands() | tree.Bears():
            yield f"{kind} {getattr(node, 'relation', getattr(node, 'what', ''))} {node.negated}"
        case tree.Comparison(tree.NumberOf() | tree.CardsInHand() | tree.Round() as left, compare):
            yield f"{type(left).__name__} {compare}"
        case tree.Comparison(_, compare, right):
            yield f"compare {compare} {'number' if isinstance(right, tree.Constant) else 'other'}"
        case tree.Gets(amount, what):
            yield f"Gets {'+' if amount > 0 else '-'} {what.text in COUNTERS}"
        case tree.Sentence():
            yield from (f"link {link}" for link in node.links)
        case tree.QuantityFilter(_, compare, than=tree.QuantityOf()):
            yield f"than {compare}"
        case tree.BearingFilter((tree.Bearing(what),), negated):
            yield f"with {what} {negated}"
        case tree.BearingFilter(bearings):
            yield f"with either of {len({bearing.what for bearing in bearings})} kinds"
        case tree.StatusFilter(others=others) if others:
            yield "that are either"
        case tree.When(name, subject=subject) if subject is not None:
            yield f"{name} of {subject.side if isinstance(subject, tree.Group) else subject.name}"
    match node:
        case tree.Act(may=True):
            yield f"may {type(node.who).__name__}"
        case tree.One(_, count=count, up_to=up_to, random=random):
            yield f"{'up to ' * up_to}{count}{' random' * random}"
    match node:
        case tree.Act(tree.Every() | tree.Player() | tree.One() | tree.Ref() as who, doings):
            yield from (f"{type(doing).__name__} by {type(who).__name__}" for doing in doings)


def every_feature() -> set[str]:
    """All that has to be there, from the language's own lists."""
    nodes = {
        kind.__name__
        for kind in vars(tree).values()
        if isinstance(kind, type)
        and issubclass(kind, tree.Node)
        and kind not in (tree.Node, tree.Word, tree.Numbered)
    }
    doings = {kind.__name__ for kind in get_args(tree.Doing)}
    for_players = {form.node for form in FORMS.values() if form.player}
    stats = [stat.name for stat in STATS.values() if stat.required]  # the others are worded alike
    sides, flags = ("own", "enemy", "any"), (False, True)
    found = {f"role {role.value}" for role in ROLES} | nodes
    found |= {f"{what} {flag}" for what in ("joined", "then", "Group.other") for flag in flags}
    found |= {f"When.name {name}" for name in TRIGGERS} | {f"Ref.name {name}" for name in REFS}
    found |= {f"Duration.name {name}" for name in DURATIONS} | {f"Ignores.what {name}" for name in IGNORABLE}
    found |= {f"CannotPerform.action {name}" for name in ACTIONS}
    found |= {f"GainsBonus.action {name}" for name in (*ACTIONS, "ANY")}
    found |= {f"Becomes.status {name}" for name in ("EXHAUSTED", "NORMAL", "OUT")}
    found |= {f"HasStatus.status {name}" for name in STATUSES}
    found |= {f"StatusFilter.status {name}" for name in STATUSES}
    found |= {f"QuantityFilter.compare {sign}" for sign in COMPARES}
    found |= {
        f"QuantityOf.quantity {name}" for name in QUANTITIES if name.split()[0] in (*stats, *COUNTERS, *FACTS)
    }
    found |= {f"Gets.what {name}" for name in (*stats, *COUNTERS)}
    found |= {f"{verb}.stat {stat}" for verb in ("Multiplies", "Divides", "Fixes") for stat in stats}
    found |= {f"{kind} of {side}" for kind in ("One", "Every", "NumberOf", "Per") for side in sides}
    found |= {
        f"{what} {flag}" for what in ("StatusFilter.negated", "AttackIsCritical.negated") for flag in flags
    }
    found |= {f"Stands {how} {flag}" for how in ("in RANGE", "adjacent", "opposite") for flag in flags}
    bearing = ("TEAM", "trait", "card", "ATTACK card", "DEFENCE card", "ITEM")
    found |= {f"Bears {what} {flag}" for what in bearing for flag in flags}
    found |= {f"{number} {sign}" for number in ("NumberOf", "CardsInHand", "Round") for sign in COMPARES}
    found |= {f"compare {sign} {right}" for sign in COMPARES for right in ("number", "other")}
    found |= {f"Gets {sign} {counter}" for sign in "+-" for counter in flags}
    found |= {f"{kind}.die {die}" for kind in ("RollsExtra", "MayReroll") for die in ("ATTACK", "DEFENCE")}
    found |= {f"MayReroll.enemy {flag}" for flag in flags} | {f"Binary.operator {sign}" for sign in "+-*"}
    found |= {f"{doing} by {who}" for doing in doings - for_players for who in ("Ref", "Every", "One")}
    # one OPERATOR swaps places with another, one is the target, one takes an ITEM
    found -= {"SwapsPlaces by Every", "BecomesTarget by Every", "TakesItem by Every"}
    found |= {f"{doing} by Player" for doing in for_players}
    found |= {f"Player.name {name}" for name in ("owner", "opponent", "each player")}
    found |= {f"link {link}" for link in get_args(tree.Link)}
    found |= {f"Sentence.limit {limit}" for limit in get_args(tree.Limit)}
    found |= {f"may {who}" for who in ("Ref", "One", "Every", "Player")}
    found |= {f"{number}{chance}" for number in ("1", "2", "up to 2") for chance in ("", " random")}
    found |= {"3", "up to 3", "with either of 1 kinds", "with either of 2 kinds", "that are either"}
    found |= {f"than {sign}" for sign in COMPARES} | {
        f"with {what} {flag}" for what in LOST for flag in flags
    }
    found |= {"with KEYWORD True", "with KEYWORD False", "with trait True", "with TEAM True"}
    found |= {f"Superlative.highest {flag}" for flag in flags}
    of_somebody = [name for name, trigger in TRIGGERS.items() if trigger.pattern]
    found |= {f"{name} of enemy" for name in of_somebody if name not in ("attacks", "is-attacked")}
    found |= {f"TurnIs.side {side}" for side in ("own", "enemy")}
    found |= {f"HasReached.negated {flag}" for flag in flags} | {f"Bears KEYWORD {flag}" for flag in flags}
    return found


def test_every_construct_has_a_golden_text() -> None:
    seen = {
        feature
        for cases in GOLDEN.values()
        for case in cases
        for feature in features(parsed(case["effect"]), Role(case["role"]))
    }
    # the examples of the language reference are shown there with both texts, and it is compared as a whole
    for example in (example for group in GROUPS.values() for example in group):
        seen |= set(features(parsed(example.effect), example.role))
    assert sorted(every_feature() - seen) == []
