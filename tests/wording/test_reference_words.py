"""The sentences of the rules reference: all of them in all languages, none left out and none for nothing."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import toolkit
from toolkit.data.schemas.play_schema import TIE_BREAKS
from toolkit.dsl import tree
from toolkit.render.face import KINDS
from toolkit.render.font_files import characters_of
from toolkit.resources import templates_folder
from toolkit.vocabulary import ACTIONS, LAYERS, PRINTED, STATS, STATUSES, STEPS
from toolkit.vocabulary.rule_ids import RULES as ALL_RULES
from toolkit.wording.languages import LANGUAGES, RULES

TEXTS = {code: language.reference for code, language in LANGUAGES.items()}


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_vocabulary_knows_which_languages_are_printed() -> None:
    assert tuple(LANGUAGES) == PRINTED


def test_every_language_says_the_same_things() -> None:
    for language, texts in TEXTS.items():
        assert texts.keys() == TEXTS["en"].keys(), language
        for key, text in texts.items():
            assert fields(text) == fields(TEXTS["en"][key]), (language, key)
            assert not re.search("  | $|^ ", text), (language, key)


def test_german_plurals_of_the_nouns_of_the_rules_have_no_s() -> None:
    with_s = {key: found[0] for key, text in TEXTS["de"].items() if (found := re.search("[A-Z]{3,}s", text))}
    assert with_s == {}


@pytest.mark.parametrize(
    "keys",
    [
        [f"step-{number}" for number in range(1, len(STEPS) + 1)],
        [f"layer-{layer}" for layer in LAYERS],
        [f"action-{action.lower()}" for action in ACTIONS],
        [f"status-{status}" for status in STATUSES if status != "SUPPRESSED"],
        [f"icon-{stat.lower()}-text" for stat in STATS],
        [f"kind-{kind}" for kind in KINDS],
        [f"duration-{name}-text" for name in tree.DurationName.__args__],  # type: ignore[attr-defined]
        [f"tie-{tie}" for tie in TIE_BREAKS],
    ],
)
def test_every_word_of_the_registry_has_its_sentence(keys: list[str]) -> None:
    assert set(keys) <= set(TEXTS["en"])


def test_the_rules_that_are_told_exist() -> None:
    for rules in RULES.values():
        assert set(rules) <= set(ALL_RULES)


def test_no_sentence_is_there_for_nothing() -> None:
    package = Path(toolkit.__file__).parent
    templates = package.parent / "templates"
    rooms = [package / room for room in ("project", "play", "products")]
    files = [
        file for room in (*rooms, templates) for file in room.rglob("*") if file.suffix in (".py", ".jinja")
    ]
    used = "\n".join(file.read_text(encoding="utf-8") for file in files)
    made = (
        "layer-",
        "stacking-",
        "rounding-",
        "action-",
        "counters-",
        "phase-",
        "status-",
        "duration-",
        "icon-",
        "marker-",
    )
    made += ("kind-", "tie-", "step-", "changes-", "what-", "reading-", "setup-", "pnp-", "word-", "trace-")
    made += ("site-blue", "site-red", "balance-by-")  # by side, by what decides a game
    for key in TEXTS["en"]:
        assert f'"{key}"' in used or f"'{key}'" in used or key.startswith(made), key


def test_the_shipped_fonts_have_every_letter() -> None:
    fonts = [characters_of(font) for font in sorted((templates_folder() / "fonts").glob("*.ttf"))]
    known = frozenset.intersection(*fonts)
    texts = "".join(text for words in TEXTS.values() for text in words.values())
    assert {sign for sign in texts if ord(sign) not in known} == set()
