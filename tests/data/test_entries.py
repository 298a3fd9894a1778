"""What is wrong with an entry: one finding for one mistake, at the exact word, with the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.data.projects import CARDS, PLAY, SCENARIOS, SETTINGS, load, told, write
from toolkit.data.loading import Cache, load_project
from toolkit.diagnostics import Diagnostic, Fix
from toolkit.diagnostics.catalogue import CATALOGUE, severity_of
from toolkit.project.pipeline import open_project

FILES = {"cards": CARDS, "play": PLAY, "scenarios": SCENARIOS, "opforge": SETTINGS}


READ: Cache = {}
"""What was read of the files below, which stay as they are."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of the language page."""
    return write(tmp_path_factory.mktemp("page"), {f"{name}.yaml": text for name, text in FILES.items()})


def changed(root: Path, old: str, new: str) -> list[Diagnostic]:
    """The findings after one change of the project of the language page."""
    (name,) = [name for name, text in FILES.items() if old in text]
    assert FILES[name].count(old) == 1, "the change is at one place"
    return load_project(root, overlay={root / f"{name}.yaml": FILES[name].replace(old, new)}, cache=READ)[1]


COMMENT = "# SUPPRESSED, self gets +2 AP."
SKILL = "        effect: when attacking, if"
LIST = "      - name: {en: Overwatch, de: Feuerschutz}"
SKILLS = f"    skills:\n{LIST}\n        effect: when attacking, if target is SUPPRESSED, self gets +2 AP.\n"
LONG = "self gets +1 AP, and then some more of it." * 3
COLOURS = 'colours: ["#1d2b3a", "#e8c547"]'
NUMBERS = "    team: night-owls\n    squadpoints: 4\n    ap: 4\n    ep: 3\n    dp: 6\n    mp: 2\n"
OBJECTIVES = "objectives: [radio-mast, radio-mast, radio-mast, radio-mast]"
# what is replaced, by what; the finding, what it underlines, a word of its message or next step
CASES = [
    ("name: Viper", "nmae: Viper", "unknown-key", "nmae", "`name`"),
    ("kind: operator", "knid: operator", "unknown-key", "knid", "`kind`"),
    ("    name: Viper\n", "", "missing-key", "viper", "`name`"),
    ("    kind: operator\n", "", "missing-key", "viper", "`kind`"),
    ("    squadpoints: 4\n", "", "missing-key", "viper", "`squadpoints`"),
    ("  - id: viper\n    kind", "  - kind", "missing-key", "kind", "`id`"),
    ("quantity: 1", "quantitiy: 1", "unknown-key", "quantitiy", "`quantity`"),
    ("quantity: 1", "name_: Viper", "unknown-key", "name_", "already exists"),
    ("quantity: 1", "zzz: 1", "unknown-key", "zzz", "Remove it"),
    ("quantity: 1", "effect: x.", "unknown-key", "effect", "SKILL"),
    ("tags: [starter]", "ap: 4", "unknown-key", "ap", "OPERATORs"),
    ("kind: operator", "kind: oprator", "unknown-kind", "oprator", "`operator`"),
    ("kind: operator", "kind: unit", "unknown-kind", "unit", "Choose one"),
    ("ap: 4", "ap: 21", "out-of-range", "21", "0 to 20"),
    ("ap: 4", "ap: -1", "out-of-range", "-1", "0 to 20"),
    ("ap: 4", 'ap: "4"', "wrong-type", '"4"', "quotation marks"),
    ("ap: 4", "ap: four", "wrong-type", "four", "whole number from 0 to 20"),
    ("ap: 4", "ap: 4.0", "wrong-type", "4.0", "whole number"),
    ("ap: 4", "ap: true", "wrong-type", "true", "whole number"),
    ("ap: 4", "ap:", "empty-value", "ap", "no value"),
    ("ap: 4", "ap: ~", "empty-value", "~", "no value"),
    ("ap: 4", "ap: [4]", "wrong-type", "[4]", "a list"),
    ("ap: 4", "ap: 4\n    ap: 5", "duplicate-key", "ap", "twice"),
    ("effect: self gets +1 AP.}", "effect: [self gets +1 AP.]}", "wrong-type", "[self gets +1 AP.]", "a `|`"),
    ("name: Viper", "name: 12", "wrong-type", "12", '"12"'),
    ("name: Viper", "name: ''", "empty-text", "''", "empty"),
    ("name: Viper", "name: {}", "empty-text", "{}", "empty"),
    ("name: Viper", "name: {en: Viper}", "missing-language", "{en: Viper}", "`de`"),
    ("name: Viper", "name: {en: V, ed: W}", "unknown-language", "ed", "`de`"),
    ("name: Viper", "name: {en: V, de: W, fr: X}", "unknown-language", "fr", "languages"),
    ("name: Viper", "name: {en: Aim, move, de: W}", "unquoted-comma", "move", "quotes"),
    ("name: Viper", "name: {en: V, ger: W}", "unknown-language", "ger", "`de`"),
    ("name: Viper", "name: {en: V, de: W, quantity: 3}", "unknown-language", "quantity", "Indent `quantity`"),
    ("name: Viper", "name: {en: V, de: W, tags: [a]}", "unknown-language", "tags", "not a language"),
    ("name: Viper", "name: {en: V, de: W, art: a.svg}", "unknown-language", "art", "not a language"),
    ("name: Viper", "name: {en: V, de W}", "missing-colon", "de", "`de: …`"),
    ("name: Viper", "name: {en: V, de luxe, de: W}", "unquoted-comma", "de luxe", "in quotes"),
    ("squadpoints: 4", "cost: 4", "unknown-key", "cost", "Did you mean `squadpoints`?"),
    ("squadpoints: 4", "worth: 4", "unknown-key", "worth", "`squadpoints`, which is missing"),
    ("quantity: 1", "count: 1", "unknown-key", "count", "Did you mean `quantity`?"),
    ("quantity: 1", "Anzahl: 1", "unknown-key", "Anzahl", "Did you mean `quantity`?"),
    ("quantity: 1", "cost: 1", "unknown-key", "cost", "`squadpoints` already exists"),
    ("    dp: 6", "    health: 6", "unknown-key", "health", "Did you mean `dp`?"),
    ("    dp: 6\n    mp", "    hp: 6\n    mp", "unknown-key", "hp", "Did you mean `dp`?"),
    ("    mp: 2", "    speed: 2", "unknown-key", "speed", "Did you mean `mp`?"),
    ("kind: operator", "type: operator", "unknown-key", "type", "Did you mean `kind`?"),
    ("team: night", "faction: night", "unknown-key", "faction", "Did you mean `team`?"),
    ("flavour: {", "description: {", "unknown-key", "description", "Did you mean `flavour`?"),
    ("flavour: {", "flavor: {", "unknown-key", "flavor", "Did you mean `flavour`?"),
    ("skills:", "abilities:", "unknown-key", "abilities", "Did you mean `skills`?"),
    ("name: Scope, effect", "name: Scope, ability", "unknown-key", "ability", "Did you mean `effect`?"),
    ("name: Viper", "title: Viper", "unknown-key", "title", "Did you mean `name`?"),
    (COLOURS, COLOURS.replace("colours", "colors"), "unknown-key", "colors", "Did you mean `colours`?"),
    ("{minimum: 5,", "{min: 5,", "unknown-key", "min", "Did you mean `minimum`?"),
    ("max_rounds: 12", "rounds: 12", "unknown-key", "rounds", "Did you mean `max_rounds`?"),
    ("teams:\n", "Fraktionen:\n", "unknown-key", "Fraktionen", "Did you mean `teams`?"),
    ("name: Viper", "name: {en: V, de: 5}", "wrong-type", "5", '"5"'),
    ("name: Viper", "name: {en: V, de: Halt, wer da}", "unquoted-comma", "wer da", '"…"'),
    ("id: viper", "id: Viper", "invalid-id", "Viper", "`viper`"),
    ("team: night-owls", "team: Night Owls", "invalid-id", "Night Owls", "`night-owls`"),
    ("team: night-owls", "team: night-owl", "unknown-team", "night-owl", "`night-owls`"),
    ("team: night-owls", "team: scope", "wrong-kind", "scope", "an ITEM card"),
    ("traits: [sniper]", "traits: sniper", "wrong-type", "sniper", "[sniper]"),
    ("traits: [sniper]", "traits: [sniper, sniper]", "repeated-value", "sniper", "twice"),
    ("traits: [sniper]", "traits: ['a\"b']", "invalid-trait", "'a\"b'", "quotation"),
    (LIST, "        name: X", "wrong-type", "name", "put `- `"),
    (SKILL, "        efect: when attacking, if", "unknown-key", "efect", "effect"),
    ("effect: self gets +1 AP.", "effect: ''", "empty-effect", "''", "empty"),
    ("effect: self gets +1 AP.", "effect: ", "empty-effect", "effect", "no value"),
    ("effect: self gets +1 AP.", "effect: if x, self.", "unquoted-comma", "self.", "quotes"),
    ("target is SUPPRESSED, self", "target is # SUPPRESSED, self", "swallowed-by-comment", COMMENT, ""),
    ("+2 AP.\n    fl", "+2 AP. # then +1 EP\n    fl", "swallowed-by-comment", "# then +1 EP", "#"),
    ('"#e8c547"', "red", "invalid-colour", "red", "#1d2b3a"),
    ("value: 4", "value: high", "wrong-type", "high", "whole number"),
    ("stacking: layered, rounding", "stacking: layerd, rounding", "unknown-value", "layerd", "`layered`"),
    ("{limit: unlimited}", "{limit: unlimted}", "unknown-value", "unlimted", "`unlimited`"),
    ("attack: {limit: unlimited}", "atack: {limit: unlimited}", "unknown-key", "atack", "`attack`"),
    ("operators_out_or_hit: all", "operators_out_or_hit: any", "unknown-value", "any", "`all`"),
    ("max_rounds: 12", "max_rounds: 0", "out-of-range", "0", "1 to 99"),
    ("tie_break: [objectives_captured", "tie_break: [captured", "unknown-value", "captured", "captured"),
    ("minimum: 5", "minimum: 41", "out-of-range", "41", "no DECK"),
    ("save_zone: 3\n", "save_zones: 3\n", "unknown-key", "save_zones", "`save_zone`"),
    ("field_positions: 4", "field_positions: 5", "objective-count", "objectives", "5 FIELDPOSITIONs"),
    ("operators: [viper]", "operators: [vipr]", "unknown-card", "vipr", "`viper`"),
    ("operators: [viper]", "operators: [scope]", "wrong-kind", "scope", "an OPERATOR"),
    ("operators: [viper]", "operators: []", "empty-list", "[]", "one item.Write an item."),
    ("deck: {aimed-shot: 2", "deck: {Aimed_Shot: 2", "invalid-id", "Aimed_Shot", "`aimed-shot`"),
    ("deck: {aimed-shot: 2", "deck: {aimed-shoot: 2", "unknown-card", "aimed-shoot", "`aimed-shot`"),
    ("deck: {aimed-shot: 2, hard", "deck: {viper: 2, hard", "wrong-kind", "viper", "DECK"),
    ("deck: {aimed-shot: 2, hard", "deck: {aimed-shot: 0, hard", "out-of-range", "0", "1 to 99"),
    ("deck: {aimed-shot: 2, hard", "deck: {scope: 2, hard", "wrong-kind", "scope", "`item_deck:`"),
    ("item_deck: {scope: 1}", "item_deck: {aimed-shot: 1}", "wrong-kind", "aimed-shot", "to `deck:`"),
    ("item_deck: {scope: 1}", "item_deck: {aimed-shot: 1}", "wrong-kind", "aimed-shot", "an ITEM card"),
    ("mode: skirmish\ncard", "mode: skirmsh\ncard", "unknown-mode", "skirmsh", "`skirmish`"),
    ("ruleset: core", "ruleset: cora", "unknown-ruleset", "cora", "`core`"),
    ("card_size: poker", "card_size: pokr", "unknown-value", "pokr", "`poker`"),
    ("card_size: poker", "card_size: 63x88", "unknown-value", "63x88", "`63x88mm`"),
    ("paper: a4", "paper: A5", "unknown-value", "A5", "`a4`"),
    ("paper: a4", "papr: a4", "unknown-key", "papr", "`paper`"),
    ("paper: a4", "cards: []", "unknown-key", "cards", "another YAML file"),
    ("languages: [en, de]", "languages: []", "empty-list", "[]", "empty"),
    ("project: Night Exercise\n", "", "missing-key", "version", "`project`"),
    ("scenarios:", "scenario:", "unknown-key", "scenario", "`scenarios`"),
    ("squads:\n", "squads: 5\nteam:\n", "unknown-key", "team", ""),
    ("on: viper", "target: viper", "unknown-key", "target", "on"),
    ("action: medic", "action: heal", "unknown-value", "heal", "`medic`"),
    ("status: NORMAL", "status: HITT", "unknown-value", "HITT", "`HIT`"),
    ("dice: [6, 2]", "dice: [6, 7]", "out-of-range", "7", "1 to 6"),
    (SKILLS, "    skills: x does.\n", "wrong-type", "x does.", "[{effect: x does.}]"),
    (SKILLS, "    skills: when y, x.\n", "wrong-type", "when y, x.", '[{effect: "when y, x."}]'),
    (SKILLS, f"    skills: {LONG}\n", "wrong-type", LONG, '[{effect: "…"}]'),
    (SKILLS, "    skills: [x does.]\n", "wrong-type", "x does.", "{effect: x does.}"),
    (COLOURS, "colours: red", "wrong-type", "red", "each item must be a colour"),
    (COLOURS, "colours: '#fff'", "wrong-type", "'#fff'", '["#fff"]'),
    ("traits: [sniper]", "traits: sniper, scout", "wrong-type", "sniper, scout", "[sniper, scout]"),
    ("performance: []", "performance: when x, y.", "wrong-type", "when x, y.", '["when x, y."]'),
    ("  - {id: scope", "cards:\n  - {id: scope", "duplicate-key", "cards", "below the first `cards`"),
    ("paper: a4", "paper: a4\npaper: a4", "duplicate-key", "paper", "in this file twice"),
    ("name: Viper", "name: &X", "anchor-not-allowed", "&X", "anchor"),
    ("name: Viper", "name: !X", "tag-not-allowed", "!X", "tag"),
    ("name: Viper", "name: !!str 5", "tag-not-allowed", "!!str", "tag"),
    ("  - id: viper", "  -id: viper", "missing-space", "-", "space"),
    ("languages: [en, de]", "languages: [en, en]", "repeated-value", "en", "twice"),
    ("languages: [en, de]", "languages: [en, d3]", "unknown-value", "d3", "`de`"),
    ("languages: [en, de]", "languages: [en, dee]", "unknown-language", "dee", "`de`"),
    ("languages: [en, de]", "languages: [en, ger]", "unknown-language", "ger", "`de`"),
    ("languages: [en, de]", "languages: [en, de, xx]", "unknown-language", "xx", "ISO 639-1"),
    ("{en: Aimed shot", "{en:Aimed", "missing-space", ":", "`en`"),
    ("de: Gezielter", "de:Gezielter", "missing-space", ":", "`de`"),
    ("deck: {aimed-shot: 2", "deck: {aimed-shot:2", "missing-space", ":", "`aimed-shot`"),
    ("squad: {operators: 1", "squad: {operators:1", "missing-space", ":", "`operators`"),
    ("{en: Aimed shot,", "{en: Aimed, hold:fire now,", "unquoted-comma", "hold:fire now", "`en`"),
    ("{en: Aimed shot,", "{en: Aimed, en:hanced shot,", "unquoted-comma", "en:hanced shot", "`en`"),
    ("project: Night", "name: Night", "unknown-key", "name", "`project`"),
    ("{en: Aimed shot", "{english: Aimed shot", "unknown-language", "english", "`en`"),
    ("de: Gezielter", "german: Gezielter", "unknown-language", "german", "`de`"),
    ("de: Gezielter", "de_AT: Gezielter", "unknown-language", "de_AT", "`de`"),
    ("    name: Viper", "    // best\n    name: Viper", "foreign-syntax", "//", "begins with `#`"),
    ("    name: Viper", "    /* best */\n    name: Viper", "foreign-syntax", "/*", "begins with `#`"),
    ("    name: Viper", "-- best: of all\n    name: Viper", "foreign-syntax", "--", "begins with `#`"),
    ("    name: Viper", "    <!-- best -->\n    name: Viper", "foreign-syntax", "<!--", "begins with `#`"),
    ("  - id: viper", "  // best\n  - id: viper", "foreign-syntax", "//", "Write `#` instead"),
    ("  - {id: scope", "// x: y, {z\n  - {id: scope", "foreign-syntax", "//", "Write `#` instead"),
    ("    ap: 4", "    ap: 4 // strong", "foreign-syntax", "//", "begins with `#`"),
    ("    ap: 4", "    ap: 4 /* strong */", "foreign-syntax", "/*", "begins with `#`"),
    ("kind: operator", "kind: operator -- best", "foreign-syntax", "--", "begins with `#`"),
    ("team: night-owls", "team: night-owls // best", "foreign-syntax", "//", "begins with `#`"),
    ("cards:\n  - id: v", "```yaml\ncards:\n  - id: v", "foreign-syntax", "```yaml", "Remove this line."),
    (NUMBERS, "", "missing-key", "viper", "no `team`, `squadpoints`, `ap`, `ep`, `dp` or `mp`."),
    ("name: Viper", "name: [X] shot", "text-needs-quotes", "[", '"[X] shot"'),
    ("name: Viper", "name: {X} shot # best", "text-needs-quotes", "{", 'Write "{X} shot".'),
    ("{en: Aimed shot", "{en: [A] shot", "text-needs-quotes", "[", '"[A] shot"'),
    ("{en: Aimed shot", "{en: @Aimed shot", "text-needs-quotes", "@", 'Write "@Aimed shot".'),
    ("name: Viper", "name: #1 shot", "empty-text", "name", '`#` begins a comment'),
    ("name: Viper", "name: #1 shot", "empty-text", "name", '"#1 shot"'),
    ("    name: Viper", "  \u00a0 name: Viper", "wrong-indentation", "\u00a0", "no-break space (U+00A0)"),
    ("    name: Viper", "    \u00a0name: Viper", "wrong-indentation", "\u00a0", "remove it"),
    ("    name: Viper", "    name:\u2003Viper", "wrong-indentation", "\u2003", "em space"),
    ("  - id: aimed", "  -\u00a0id: aimed", "wrong-indentation", "\u00a0", "no-break space"),
    ("      move: {", "      moves: {", "unknown-key", "moves", "`actions` has no key `moves`."),
    ("limit: 1, effect: t", "limits: 1, effect: t", "unknown-key", "limits", "A MEDIC has no key"),
    (OBJECTIVES, "objectives: [radio-mast]", "objective-count", "objectives", "and 1 OBJECTIVE."),
    ("languages: [en, de]", "languages: []", "empty-list", "[]", "a list with at least one item"),
    ("kind: operator", "kind: unit", "unknown-kind", "unit", "`unit` is not possible here; `kind` must be"),
    ("+2 AP.\n    fl", "+2 AP. # TODO\n    fl", "swallowed-by-comment", "# TODO", "its own line"),
    ("+2 AP.\n    fl", "+2 AP.\t#TODO\n    fl", "swallowed-by-comment", "#TODO", "its own line"),
    ("+1 EP.\n    squad", "+1 EP. # 2?\n    squad", "swallowed-by-comment", "# 2?", "its own line"),
    ("performance: []", "performance:\n      - x. # y", "swallowed-by-comment", "# y", "its own line"),
    ("self halves AP.", "self halves AP. # M-1", "swallowed-by-comment", "# M-1", "its own line"),
    ("draws 1 card.}", "draws 1 card. # A-5\n        }", "swallowed-by-comment", "# A-5", "its own line"),
    ("    tags: [starter]", "    art: play.yaml", "not-a-picture", "play.yaml", ".webp or .gif"),
    ("    tags: [starter]", "    art: art/viper.psd", "not-a-picture", "art/viper.psd", "art/viper.svg"),
    ("squad: {operators: 1", "squad: {operators: 2", "squad-size", "operators", "1 OPERATOR, "),
    ("operators: [viper]", "operators: [viper, cobra]", "squad-size", "cobra", "Remove 1 OPERATOR"),
    ("squadpoints: 30", "squadpoints: 3", "squad-too-dear", "operators", "costs 4 SQUADPOINTS"),
    ("aimed-shot: 2,", "aimed-shot: 4,", "too-many-copies", "4", "`aimed-shot` is 4 times"),
    ("minimum: 5", "minimum: 6", "deck-size", "deck", "at least 6"),
    ("minimum: 5, maximum: 40", "minimum: 1, maximum: 4", "deck-size", "deck", "Remove 1"),
    ("    deck: {aimed-shot: 2, hard-cover: 3}\n", "", "deck-size", "owls-at-dusk", "0 cards"),
    ("maximum: 5}", "maximum: 0}", "deck-size", "item_deck", "1 card, "),
    ("    tags: [starter]", "    tags: ' '", "wrong-type", "' '", "a list, but this is an empty text."),
    ("deck: {aimed-shot", "dekc: {aimed-shot", "unknown-key", "dekc", "`deck`"),
    ("squad: {operators: 1", "squad: {operator: 1", "unknown-key", "operator", "`operators`"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "name", "underlined", "said"), CASES)
def test_a_mistake_is_told_at_the_word_with_the_way_out(
    root: Path, old: str, new: str, name: str, underlined: str, said: str
) -> None:
    findings = changed(root, old, new)
    finding = next(finding for finding in findings if finding.name == name)
    assert finding.span.text == underlined
    assert said in finding.message + finding.next_step
    assert finding.name in CATALOGUE
    assert finding.message.endswith(".")
    assert finding.next_step
    several = {"squads:\n", "action: medic", "operators: [viper]"}
    if old not in several and name not in {"invalid-id"}:
        assert told(findings) == [(name, underlined)], "one mistake is told once"
    if finding.fix is not None:
        assert_fix_removes_its_finding_and_adds_none(finding.fix, root, findings)


def assert_fix_removes_its_finding_and_adds_none(fix: Fix, root: Path, before: list[Diagnostic]) -> None:
    file = fix.span.file
    text = file.text[: fix.span.start] + fix.replacement + file.text[fix.span.end :]
    found = load_project(root, overlay={file.path: text}, cache=READ)[1]
    after = [(finding.name, finding.message) for finding in found]
    assert set(after) < {(finding.name, finding.message) for finding in before}


def test_a_finding_names_its_entry(root: Path) -> None:
    for old, new in (("ap: 4", "ap: x"), ("ap: 4", "ap: 4\n    ap: 5"), ("name: Viper", "name: {en: V}")):
        assert {finding.card for finding in changed(root, old, new)} == {"viper"}


def test_a_remark_behind_quotes_or_a_brace_or_inside_a_block_is_only_a_remark(root: Path) -> None:
    sentence = "self gets +2 AP."
    assert changed(root, "if target is SUPPRESSED, self gets +2 AP.", f"{sentence} # x") != []
    old = "        effect: when attacking, if target is SUPPRESSED, self gets +2 AP.\n"
    block = f"# x\n          {sentence}"
    for text in (f'"{sentence}" # x', f"'{sentence}'   # x", f"| {block}", f"> {block}"):
        assert changed(root, old, f"        effect: {text}\n") == []
    assert changed(root, "self gets +1 AP.}", "self gets +1 AP.} # x") == []


def test_an_effect_is_still_checked_with_a_remark_behind_its_full_stop(tmp_path: Path) -> None:
    cards = CARDS.replace("self gets +1 AP.}", "self gets +1 AP. # x\n    }")
    assert "scope" in load(tmp_path, cards=cards)[0].cards
    cards = CARDS.replace("self gets +1 AP.}", "self gets # +1 AP.\n    }")
    assert "scope" not in load(tmp_path, cards=cards)[0].cards


def test_a_comment_in_place_of_a_value_is_underlined_in_a_list(tmp_path: Path) -> None:
    text = "teams:\n  - id: cats\n    name: Cats\n    colours:\n      - #fff\n"
    (finding,) = load(tmp_path, more=text)[1]
    assert (finding.name, finding.span.text) == ("empty-value", "#fff")
    text = "teams:\n  - id: cats\n    name: Cats\n    colours: #fff\n"
    (finding,) = load(tmp_path, more=text)[1]
    assert finding.next_step.endswith('["#fff"].')


def test_a_section_of_entries_without_a_space_behind_the_dash(tmp_path: Path) -> None:
    (finding,) = load(tmp_path, more="teams:\n  -id: cats\n  name: Cats\n")[1]
    assert (finding.name, finding.span.text) == ("missing-space", "-")


def test_a_no_break_space_inside_a_text_is_a_part_of_it(tmp_path: Path) -> None:
    cards = CARDS.replace("{en: Quiet., de: Still.}", "|\n      \u00a0Quiet.\n      5\u00a0m: no.")
    card_set, findings = load(tmp_path, cards=cards)
    assert findings == []
    flavour = card_set.cards["viper"].flavour
    assert flavour is not None
    assert flavour.in_language("en").value == "\u00a0Quiet.\n5\u00a0m: no.\n"


def test_a_long_text_is_quoted_in_part(root: Path) -> None:
    (finding,) = changed(root, "ap: 4", "ap: " + "x" * 500)
    assert len(finding.message) < 140


@pytest.mark.parametrize("value", ["5", "[]", "text", "~", "[5, ~, [], text]"])
def test_sections_and_entries_of_the_wrong_sort(tmp_path: Path, value: str) -> None:
    findings = load(tmp_path, odd=f"layouts: {value}\n")[1]
    expected = {"5": 1, "[]": 0, "text": 1, "~": 1, "[5, ~, [], text]": 4}[value]
    assert len(findings) == expected
    assert {finding.name for finding in findings} <= {"wrong-type", "empty-value"}


@pytest.mark.parametrize("text", ["- id: a\n", "text\n", "5\n"])
def test_a_file_without_sections_is_told_which_there_are(tmp_path: Path, text: str) -> None:
    (finding,) = load(tmp_path, odd=text)[1]
    assert finding.name == "wrong-type"
    assert "`cards:`" in finding.next_step


OPERATOR = """\
cards:
  - id: viper
    kind: operator
    name: Viper
    team: {team}
    squadpoints: 4
    ap: {ap}
    ep: 3
    dp: 6
    mp: 2
    skills:
      - effect: {effect}
teams: [{{id: owls, name: Owls}}]
"""
ATTACK = "cards:\n  - {{{id}kind: {kind}, name: N, quantity: {number}, effect: '{effect}'}}\n"
PLAYED = """\
modes:
  - id: m
    name: M
    max_rounds: {rounds}
    teamwork: {effect}
    performance: ['{draw}']
rulesets:
  - id: r
    options: {{floor: {rounds}}}
    suppression: {effect}
    actions: {{move: {{limit: 1, effect: '{effect}'}}}}
"""


FINE: dict[str, object] = {
    "team": "owls",
    "ap": 4,
    "id": "id: a, ",
    "kind": "attack",
    "number": 1,
    "rounds": 3,
    "draw": "when self CAPTURES the OBJECTIVE, owner fulfils PERFORMANCE.",
    "effect": "self gets +1 AP until end of TURN.",
}


@pytest.mark.parametrize(
    ("text", "broken", "wrong"),
    [
        (OPERATOR, {"ap": 77}, {"effect": "self gets +1 XP."}),
        (OPERATOR, {"team": "[a]"}, {"effect": "self gets +0 AP."}),
        (ATTACK, {"number": "x"}, {"effect": "self gats +1 AP."}),
        (ATTACK, {"kind": "atack"}, {"effect": "self gets +1 XP."}),
        (ATTACK, {"id": ""}, {"effect": "self gets +1 XP."}),
        (PLAYED, {"rounds": "x"}, {"effect": "self gets +1 XP."}),
        (PLAYED, {"rounds": "x"}, {"draw": "when self CAPTURES the OBJECTIVE, owner fulfils PERFORMANC."}),
    ],
)
def test_what_is_wrong_with_an_entry_does_not_hide_what_is_wrong_with_its_effects(
    tmp_path: Path, text: str, broken: dict[str, object], wrong: dict[str, object]
) -> None:
    """The errors of an entry are those of its values and those of its effects, whichever else there is."""

    def found(**values: object) -> set[tuple[str, str]]:
        cards = text.format(**FINE | values)
        root = write(tmp_path, {"cards.yaml": cards, "opforge.yaml": "project: P\nlanguages: [en]\n"})
        findings = open_project(root).findings
        return {(one.name, one.span.text) for one in findings if severity_of(one.name) == "error"}

    of_values, of_effects = found(**broken), found(**wrong)
    assert found() == set()
    assert of_values
    assert of_effects
    assert found(**broken, **wrong) == of_values | of_effects


EMPTY_EFFECTS = """\
cards:
  - id: viper
    kind: operator
    name: Viper
    team: owls
    squadpoints: 4
    ap: 77
    ep: 3
    dp: 6
    mp: 2
    skills:
      - {name: Aim, effect: self gets +1 XP.}
      - name: Blink
        effect:
      - {name: Crawl, effect: self gats +1 AP.}
      - {name: Duck, effect: '  '}
      - {name: Ebb, effect: 5}
      - name: Gust
        effect: self gets +3 XQ. # or 2
  - {id: scope, kind: item, name: Scope, quantity: x, effect: }
  - {id: cover, kind: defence, name: Cover, effect: "when attacked, self gets +2 EP."}
teams: [{id: owls, name: Owls}]
objectives:
  - {id: mast, name: Mast, value: high, effect: target gets +1 AP.}
keywords:
  - {id: hidden, name: 5, effect: }
modes:
  - id: night
    name: Night
    max_rounds: none
    teamwork: when attacking, self gets +1 XP.
    performance:
      -
      - when self becomes HIT, owner draws 1 cord.
rulesets:
  - id: core
    options: {floor: x}
    suppression: self gots +1 AP.
    actions:
      move: {limit: 2, effect: }
      evade: {limit: 2, effect: self gets +1 XR until end of TURN.}
"""


def test_an_empty_effect_is_told_and_the_other_effects_of_its_entry_are_read(tmp_path: Path) -> None:
    root = write(tmp_path, {"cards.yaml": EMPTY_EFFECTS, "opforge.yaml": "project: P\nlanguages: [en]\n"})
    workspace = open_project(root)
    errors = [one for one in workspace.findings if severity_of(one.name) == "error"]
    assert [(one.card, one.name, one.span.text) for one in errors] == [
        ("viper", "out-of-range", "77"),
        ("viper", "empty-effect", "effect"),
        ("viper", "empty-effect", "'  '"),
        ("viper", "wrong-type", "5"),
        ("viper", "swallowed-by-comment", "# or 2"),
        ("scope", "wrong-type", "x"),
        ("scope", "empty-effect", "effect"),
        ("mast", "wrong-type", "high"),
        ("hidden", "wrong-type", "5"),
        ("hidden", "empty-effect", "effect"),
        ("night", "wrong-type", "none"),
        ("night", "empty-effect", ""),
        ("core", "wrong-type", "x"),
        ("core", "empty-effect", "effect"),
        ("viper", "unknown-stat", "XP"),
        ("viper", "unknown-verb", "gats"),
        ("viper", "unknown-stat", "XQ"),
        ("mast", "no-target", "target"),
        ("night", "unknown-stat", "XP"),
        ("night", "unknown-word", "cord"),
        ("core", "unknown-verb", "gots"),
        ("core", "unknown-stat", "XR"),
    ]
    (empty,) = {(one.message, one.next_step) for one in errors if one.span.text == "effect"}
    assert empty == (
        "`effect` has no value; it must be sentences of the effect language.",
        "Write the value, or remove the key if it is not required.",
    )
    assert list(workspace.cards.cards) == ["cover"]
    assert [(one.id, one.kind, [part for part, _ in one.effects]) for one in workspace.cards.broken] == [
        ("viper", "operator", ["skill 1", "skill 3", "skill 6"]),
        ("mast", "objective", ["effect"]),
        ("night", None, ["teamwork", "performance 2"]),
        ("core", None, ["suppression", "action evade"]),
    ]


def test_a_tag_in_an_entry_is_told_before_what_is_wrong_with_its_effects(tmp_path: Path) -> None:
    text = "cards:\n  - {id: a, kind: attack, name: !x A, effect: self gets +1 XP.}\n"
    root = write(tmp_path, {"cards.yaml": text, "opforge.yaml": "project: P\nlanguages: [en]\n"})
    assert [one.name for one in open_project(root).findings] == ["tag-not-allowed"]


def test_an_effect_that_a_comment_cuts_off_leaves_the_next_card_whole(tmp_path: Path) -> None:
    cards = CARDS.replace("SUPPRESSED, self gets +2 AP.", "# SUPPRESSED, self gets +2 AP.")
    card_set, findings = load(tmp_path, cards=cards)
    assert ("swallowed-by-comment", COMMENT) in told(findings)
    assert list(card_set.cards) == ["aimed-shot", "scope", "hard-cover"]


def test_of_a_text_that_a_comma_splits_no_effect_is_read(tmp_path: Path) -> None:
    text = "cards:\n  - {id: a, kind: attack, name: N, effect: self gets +1 XP, until end of TURN.}\n"
    root = write(tmp_path, {"cards.yaml": text, "opforge.yaml": "project: P\nlanguages: [en]\n"})
    assert [one.name for one in open_project(root).findings] == ["unquoted-comma"]


OTHER_SECTION = """\
cards:
  - id: mast
    kind: {kind}
    name: Mast
    {keys}
"""


@pytest.mark.parametrize(
    ("kind", "keys", "told_too"),
    [
        ("objective", "value: 4", []),
        ("Objectives", "value: high", [("wrong-type", "high")]),
        ("objective", "count: 2", [("missing-key", "mast"), ("unknown-key", "count")]),
        ("team", 'colours: ["#fff"]', []),
        ("mode", "max_rounds: 0", [("out-of-range", "0")]),
        ("ruleset", "options: {floor: 0}", []),
        ("squad", "operators: []", [("empty-list", "[]")]),
    ],
)
def test_a_kind_that_is_no_card_is_sent_to_its_own_list(
    tmp_path: Path, kind: str, keys: str, told_too: list[tuple[str, str]]
) -> None:
    findings = load(tmp_path, odd=OTHER_SECTION.format(kind=kind, keys=keys))[1]
    (of_kind,) = [finding for finding in findings if finding.name == "unknown-kind"]
    section = f"{kind.lower().removesuffix('s')}s"
    assert of_kind.span.text == kind
    assert of_kind.next_step == f"Move the entry to a list below `{section}:` and remove `kind`."
    assert "operator" not in of_kind.message
    assert told([finding for finding in findings if finding is not of_kind]) == told_too


KINDLESS = "cards:\n  - id: a\n    name: A\n{kind}    {keys}\n"


@pytest.mark.parametrize("kind", ["", "    kind: hero\n", "    kind: [x]\n", "    kind: 5\n"])
@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ("quantity: x\n    zzz: 1\n    effect: self gets +1 XP.", {"x", "zzz", "XP"}),
        ("ap: x\n    count: 1\n    skills: [{effect: self gets +1 XP.}]", {"x", "count", "XP", "a"}),
        ("colour: red\n    effect: self gets +1 XP.", {"colour", "XP"}),
        ("cost: 4\n    ep: 99\n    effects: 5", {"cost", "99", "effects", "a"}),
    ],
)
def test_a_kind_that_is_wrong_or_missing_hides_nothing_else(
    tmp_path: Path, kind: str, keys: str, found: set[str]
) -> None:
    """An entry with keys that only OPERATORs have lacks, too, what every OPERATOR must have."""
    text = KINDLESS.format(kind=kind, keys=keys)
    root = write(tmp_path, {"cards.yaml": text, "opforge.yaml": "project: P\nlanguages: [en]\n"})
    findings = [one for one in open_project(root).findings if severity_of(one.name) == "error"]
    places = {one.span.text for one in findings if one.name != "no-cards"}
    assert places - {"hero", "[x]", "5", "a"} == found - {"a"}
    missing = [one.message for one in findings if one.name == "missing-key"]
    assert ("`team`" in "".join(missing)) == ("a" in found)
    assert any("kind" in one.message for one in findings)
    assert not any("`kind`" in one.next_step for one in findings if one.name == "unknown-key")


@pytest.mark.parametrize(
    ("begin", "end"), [("```yaml", "```"), ("```", "```"), ("~~~", "~~~"), ("\n```yml ", "```\n")]
)
def test_a_fence_around_a_file_is_one_finding_and_goes_away(tmp_path: Path, begin: str, end: str) -> None:
    (finding,) = load(tmp_path, cards=f"{begin}\n{CARDS}{end}\n")[1]
    line = len(begin.splitlines()) + CARDS.count("\n") + 1
    assert (finding.name, finding.next_step) == ("foreign-syntax", f"Remove this line and line {line}.")
    assert finding.fix is not None
    assert finding.fix.replacement == CARDS
    (of_settings,) = load(tmp_path, opforge=f"```\n{SETTINGS}```\n")[1]
    assert of_settings.name == "foreign-syntax"


@pytest.mark.parametrize(
    "flavour",
    [
        "|\n      Never.\n      // nobody\n      ```\n      -- a general\n",
        ">-\n      // nobody\n      -- a general\n",
        "Never surrender,\n      -- a general\n",
        "Never surrender,\n     // a general,\n      and more\n",
        '"Never surrender,\n // a general\n"\n',
        "'Never surrender,\n    // a general\n\n'\n",
        "Never // nobody\n",
    ],
)
def test_what_may_be_text_is_no_comment_of_another_language(tmp_path: Path, flavour: str) -> None:
    cards = CARDS.replace("{en: Quiet., de: Still.}\n", flavour)
    assert cards != CARDS
    card_set, findings = load(tmp_path, cards=cards)
    assert findings == []
    text = card_set.cards["viper"].flavour
    assert text is not None
    assert "nobody" in text.in_language("en").value or "general" in text.in_language("en").value


def test_a_comment_of_another_language_hides_nothing(tmp_path: Path) -> None:
    cards = CARDS.replace("    ap: 4", "    // strong\n    ap: x")
    assert told(load(tmp_path, cards=cards)[1]) == [("foreign-syntax", "//"), ("wrong-type", "x")]


@pytest.mark.parametrize(
    ("file", "changes", "name", "written", "renamed"),
    [
        ("cards", [("- id: viper", "- id: falcon")], "unknown-card", "viper", "falcon"),
        ("cards", [("- id: aimed-shot", "- id: burst")], "unknown-card", "aimed-shot", "burst"),
        ("cards", [("{id: scope", "{id: visor")], "unknown-card", "scope", "visor"),
        ("play", [("{id: night-owls", "{id: badgers")], "unknown-team", "night-owls", "badgers"),
        ("play", [("{id: radio-mast", "{id: bunker")], "unknown-objective", "radio-mast", "bunker"),
        ("play", [("- id: skirmish", "- id: campaign")], "unknown-mode", "skirmish", "campaign"),
        ("play", [("- id: core", "- id: advanced")], "unknown-ruleset", "core", "advanced"),
    ],
)
def test_an_id_that_is_gone_beside_one_that_nothing_refers_to_was_probably_renamed(
    tmp_path: Path, file: str, changes: list[tuple[str, str]], name: str, written: str, renamed: str
) -> None:
    text = FILES[file]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    findings = [one for one in load(tmp_path, **{file: text})[1] if one.name == name]
    assert {one.span.text for one in findings} == {written}
    for finding in findings:
        assert finding.next_step == f"Renamed to `{renamed}`?"
        assert finding.fix is not None
        assert (finding.fix.replacement, finding.fix.safe) == (renamed, False)


def test_of_several_ids_that_nothing_refers_to_none_is_proposed(tmp_path: Path) -> None:
    cards = (
        CARDS.replace("{id: scope", "{id: visor")
        + "  - {id: rope, kind: item, name: R, effect: self gets +1 AP.}\n"
    )
    (finding,) = load(tmp_path, cards=cards)[1]
    assert (finding.name, finding.span.text) == ("unknown-card", "scope")
    assert finding.next_step.startswith("Define it")


def test_a_card_of_the_kind_of_another_section_is_no_card(tmp_path: Path) -> None:
    mast = "cards:\n  - {id: mast, kind: objective, name: Mast, value: 2}\n"
    cards, findings = load(tmp_path, **FILES, more=mast)
    assert "mast" not in cards.cards
    assert ("unknown-kind", "objective") in told(findings)
