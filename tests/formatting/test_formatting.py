"""The formatter as a designer meets it: a file before and after, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.editing.formatting import Formatted, Refused, format_file
from toolkit.source import SourceFile

BEFORE = """\


# The Owls.
cards:


- kind:   operator   # a card
  # her id
  id: viper          # never change it
  "name" : {en: Viper,de:   'Viper'}
  mp: 2

  ap:  4              # VALUEs
  ep: 3               # too
  dp:  6
  squadpoints: 4
  team: night-owls
  skills:
  # she is good at it
  - effect: "when attacking,if target is SUPPRESSED,
              self get +2 AP."
    name: {en:   Overwatch}
  flavour:
     de: >
          Still
            und leise.
     en: Quiet
         and calm.
  # that was Viper

- {name: Bold, kind: attack, id: bold, effect: 'all own OPERATOR gets +(1) AP.'}
- id: long
  kind: attack
  name: Long
  effect: |      # why
        when   attacking,     # always
          ( if ) self gets +1 AP.
  tags: [ "a" ,
     b,   # second
     c ]
"""

AFTER = """\
# The Owls.
cards:
  # her id
  - id: viper          # never change it
    kind: operator     # a card
    name: {en: Viper, de: 'Viper'}
    team: night-owls
    squadpoints: 4

    ap: 4               # VALUEs
    ep: 3               # too
    dp: 6
    mp: 2
    skills:
      # she is good at it
      - name: {en: Overwatch}
        effect: "when attacking, if target is SUPPRESSED,
          self gets +2 AP."
    flavour:
      de: >
        Still
          und leise.
      en: Quiet
        and calm.
    # that was Viper

  - {id: bold, kind: attack, name: Bold, effect: 'all own OPERATOR gets +(1) AP.'}
  - id: long
    kind: attack
    name: Long
    effect: |  # why
      when   attacking,     # always
        ( if ) self gets +1 AP.
    tags: ["a",
      b,   # second
      c]
"""


def formatted(text: str) -> str:
    result = format_file(SourceFile(Path("cards.yaml"), "cards.yaml", text))
    assert isinstance(result, Formatted), result
    return result.text


def test_a_file_as_it_grew() -> None:
    assert formatted(BEFORE) == AFTER
    assert formatted(AFTER) == AFTER


def effect(text: str) -> str:
    """An effect, formatted as the value of a card."""
    page = f"cards:\n  - id: bold\n    effect: {text}\n"
    return formatted(page).partition("effect: ")[2].removesuffix("\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("all own OPERATOR gets +1 AP.", "all own OPERATORs get +1 AP."),
        ("self get  +1 AP and gets -1 EP.", "self gets +1 AP and -1 EP."),
        ("if not(AP of self<3),self gets +1 AP.", "if not AP of self < 3, self gets +1 AP."),
        ("'all own OPERATORs with trait \"it''s\" gets +1 AP.'",
         "'all own OPERATORs with trait \"it''s\" get +1 AP.'"),
        ('"all own OPERATORs with trait \\"x\\" gets +1 AP."',
         '"all own OPERATORs with trait \\"x\\" get +1 AP."'),
        ("self gets +1 AP\n          .", "self gets +1 AP."),
        ("|\n     # first\n\n\n     self get +1 AP.   # one\n     # last",
         "|\n      # first\n\n      self gets +1 AP.  # one\n      # last"),
        ("|2-\n        self get +1 AP.\n       self get +1 EP.",
         "|-\n      self gets +1 AP.\n      self gets +1 EP."),
        (">\n     self get +1 AP.\n\n     self gets +1 EP.",
         ">\n      self gets +1 AP.\n\n      self gets +1 EP."),
        ("self multiplies AP by 2.", "self doubles AP."),
    ],
)  # fmt: skip
def test_sentences_become_canonical_in_every_style(before: str, after: str) -> None:
    assert effect(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "when attcking, self get +1 AP.",
        "all own OPERATOR in RANGE in RANGE get +1 AP.",
        'all own OPERATOR with trait "x" in RANGE get +1 AP.',
        "|\n      self get +1 AP.  # half a\n      sentence",
    ],
)
def test_an_effect_with_mistakes_is_left_as_it_is_while_the_rest_is_formatted(text: str) -> None:
    page = f"cards:\n- effect: {text}\n  id:   bold\n"
    assert formatted(page) == f"cards:\n  - id: bold\n    effect: {text}\n"


def test_comments_stay_in_their_column_and_together() -> None:
    text = (
        "project: Owls\nversion:  0.1.0        # the first\nlanguages: [en,  de]   # the first counts\n"
        "mode: m # x\n"
    )
    assert formatted(text) == (
        "project: Owls\nversion: 0.1.0         # the first\nlanguages: [en, de]    # the first counts\n"
        "mode: m # x\n"
    )


def test_a_comment_that_is_in_the_way_moves_with_its_neighbours() -> None:
    text = "cards:\n  - effect: self gets -1 AP and get +1 EP. \n    id: a   # one\n    kind: b # two\n"
    assert formatted(text).endswith(
        "  - id: a   # one\n    kind: b # two\n    effect: self gets -1 AP and +1 EP.\n"
    )
    longer = "squads:\n  - deck: {a: 1,b: 2,c: 3}  # one\n    item_deck: {x: 1}       # two\n"
    assert formatted(longer).splitlines()[1:] == [
        "  - deck: {a: 1, b: 2, c: 3}  # one",
        "    item_deck: {x: 1}         # two",
    ]


def test_brackets_come_up_to_their_key_and_stay_broken_where_they_were() -> None:
    text = (
        "squads:\n  - id: a\n    deck:\n      {\n        x: 1,\n        y: 2,  # two\n      }\n"
        "    item_deck: {x: 1,\n                y: 2}\n"
    )
    assert formatted(text) == (
        "squads:\n  - id: a\n    deck: {\n      x: 1,\n      y: 2,  # two\n    }\n"
        "    item_deck: {x: 1,\n      y: 2}\n"
    )


def test_keys_of_decks_and_of_what_scenarios_expect_stay_in_the_designers_order() -> None:
    text = (
        "scenarios:\n  - do: [{by: viper, action: move}]\n    name: x\n"
        "    expect: {viper: {status: HIT, ap: 1}, attack: {ap: 1}}\n    field: {red: [], blue: []}\n"
        "squads:\n  - deck: {smoke: 1, ambush: 2}\n    id: a\n"
    )
    assert formatted(text) == (
        "scenarios:\n  - name: x\n    field: {red: [], blue: []}\n    do: [{by: viper, action: move}]\n"
        "    expect: {viper: {status: HIT, ap: 1}, attack: {ap: 1}}\n"
        "squads:\n  - id: a\n    deck: {smoke: 1, ambush: 2}\n"
    )


@pytest.mark.parametrize(
    "entry",
    [
        "- kind: attack  # opforge: ignore[unused-art] all of it\n    id: a\n",
        "- kind: attack\n    id: a  # opforge: ignore[invalid-id] the id alone\n",
        "- kind: attack\n    # opforge: ignore[invalid-id] the id alone\n    id: a\n",
        "- {kind: attack,  # opforge: ignore[invalid-id] this line\n    id: a}\n",
    ],
)
def test_a_comment_that_keeps_findings_back_covers_what_it_covered(entry: str) -> None:
    assert formatted(f"cards:\n  {entry}") == f"cards:\n  {entry}"


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_become_those_of_the_first_line(ends: str) -> None:
    text = f"project:   Owls{ends}mode:  m\nruleset:  r\r\n".replace("\r\n\n", "\r\n")
    assert formatted(text) == f"project: Owls{ends}ruleset: r{ends}mode: m{ends}"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("cards:\n  - id: a\n    id: b\n", ["duplicate-key"]),
        ("cards:\n  - id: a\n   kind: b\n", ["wrong-indentation"]),
        ("cards: &x []\n", ["anchor-not-allowed"]),
        ("cards: []\n---\ncards: []\n", ["several-documents"]),
        ("cards:\n\t- id: a\n", ["tab-in-indentation"]),
    ],
)
def test_a_file_with_mistakes_of_form_is_left_alone(text: str, names: list[str]) -> None:
    result = format_file(SourceFile(Path("x.yaml"), "x.yaml", text))
    assert isinstance(result, Refused)
    assert [finding.name for finding in result.findings] == names


@pytest.mark.parametrize("text", ["", "\n", "# only this\n", "cards:\n"])
def test_a_file_with_little_in_it_stays(text: str) -> None:
    assert formatted(text) == text


def test_a_text_that_ends_the_file_without_a_line_end_does_not_get_one() -> None:
    text = "cards:\n  - text: |\n      Bold"
    assert formatted(text) == "cards:\n  - text: |-\n      Bold\n"


CARD = """\
cards:
  - id: a
    kind: item
    name: A
    flavour:
      en: B
    traits:
      - x
      - y
"""


def page(text: str) -> SourceFile:
    return SourceFile(Path("c.yaml"), "c.yaml", text)


def test_unusual_forms_are_written_as_the_usual_ones() -> None:
    explicit = """\
%YAML 1.2
---
? cards
:
  - ? id
    : a
    ?   kind
    : item
    ? "name"

    : A
    ? flavour
    :   en: B
    ? traits
    : - x
      - y
...  # the end
"""
    for text in (explicit, explicit.replace("\n", "\r\n"), explicit.removesuffix("# the end\n")):
        result = format_file(page(text))
        assert isinstance(result, Formatted)
        end = "# the end\n" if "the end" in text else ""
        assert result.text.replace("\r\n", "\n").replace('"name"', "name") == f"%YAML 1.2\n---\n{CARD}{end}"
        assert format_file(page(result.text)) == result
    braces = format_file(page("cards:\n  - {? id : a, ? tags, name: {? en : A}}\n"))
    assert isinstance(braces, Formatted)
    assert "{id: a, name: {en: A}, tags}" in braces.text


def test_a_question_mark_in_brackets_is_quoted_because_not_every_parser_reads_it() -> None:
    text = """\
cards:
  - name: {en: Any "volunteers"?, de: Wer
        geht?}  # who?
    flavour: Why?
    tags: [why?, "who?", 'what?']
"""
    assert formatted(text) == (
        text.replace('Any "volunteers"?', '"Any \\"volunteers\\"?"')
        .replace("Wer", '"Wer')
        .replace("geht?", 'geht?"')
        .replace("[why?", '["why?"')
    )


def test_a_form_that_is_not_supported_is_named_at_its_place() -> None:
    for text, form, place in (
        ("{cards: []}\n", "`{`", (1, 1)),
        ("cards:\n  - id: a\n    ? name # why\n    : A\n", "`?`", (3, 5)),
        ("? cards\n: - id: a\n    ? |\n      name\n    : A\n", "`?`", (3, 5)),
        ("cards:\n  - tags: [a: b]\n", "`a`", (2, 12)),
    ):
        result = format_file(page(text))
        assert isinstance(result, Refused)
        assert f"does not support {form} here" in result.reason, result
        assert result.place.begin_position == place
