"""Card projects for tests: the one of LANGUAGE.md in short, and ways to change and load it."""

from __future__ import annotations

from pathlib import Path

from toolkit.data.loading import load_project
from toolkit.data.model import CardSet
from toolkit.diagnostics import Diagnostic

SETTINGS = """\
project: Night Exercise
version: 0.1.0
languages: [en, de]
ruleset: core
mode: skirmish
card_size: poker
paper: a4
"""

CARDS = """\
cards:
  - id: viper
    kind: operator
    name: Viper
    team: night-owls
    squadpoints: 4
    ap: 4
    ep: 3
    dp: 6
    mp: 2
    traits: [sniper]
    skills:
      - name: {en: Overwatch, de: Feuerschutz}
        effect: when attacking, if target is SUPPRESSED, self gets +2 AP.
    flavour: {en: Quiet., de: Still.}
    quantity: 1
  - id: aimed-shot
    kind: attack
    name: {en: Aimed shot, de: Gezielter Schuss}
    effect: |
      when attacking, self gets +2 AP.
      self gets -1 EP.
    tags: [starter]
  - {id: scope, kind: item, name: Scope, effect: self gets +1 AP.}
  - {id: hard-cover, kind: defence, name: Cover, effect: "when attacked, self gets +2 EP.", quantity: 0}
"""

PLAY = """\
teams:
  - {id: night-owls, name: {en: Night Owls, de: Nachteulen}, colours: ["#1d2b3a", "#e8c547"]}
objectives:
  - {id: radio-mast, name: {en: Radio mast, de: Funkmast}, value: 4}
rulesets:
  - id: core
    options: {stacking: layered, rounding: down, floor: 0, swap_counters: with_operator, swap_mp: 4}
    suppression: when attacking, if DP of self - HITCOUNTER of self < DP VALUE of self, self halves AP.
    actions:                       # self performs the ACTION, target is the OPERATOR it chooses
      attack: {limit: unlimited}
      move: {limit: 2, effect: self gets -1 EP and -3 DP until end of TURN.}
      medic: {limit: 1, effect: target gets +3 DP while on the FIELD.}
      evade: {limit: unlimited, effect: self gets +1 EP for each MP of self until end of TURN.}
      reload: {limit: 1, effect: owner draws 1 card.}
modes:
  - id: skirmish
    name: {en: Skirmish, de: Scharmützel}
    field_positions: 4
    save_zone: 3
    strategy_positions: 3
    objectives: [radio-mast, radio-mast, radio-mast, radio-mast]
    teamwork: when attacking, self gets +1 AP. when attacked, self gets +1 EP.
    squad: {operators: 1, squadpoints: 30, copies: 1}
    deck: {minimum: 5, maximum: 40, copies: 3}
    item_deck: {maximum: 5}
    starting_hand: 4
    hand_limit: 8
    max_rounds: 12
    performance: []
    victory: {objectives_captured: 2, operators_out_or_hit: all}
    tie_break: [objectives_captured, operators_on_field]
squads:
  - id: owls-at-dusk
    name: {en: Owls at dusk, de: Eulen im Zwielicht}
    operators: [viper]
    deck: {aimed-shot: 2, hard-cover: 3}
    item_deck: {scope: 1}
"""

SCENARIOS = """\
# viper AP 4, MP 2; hawk MP 2, both of TEAM night-owls
scenarios:
  - name: a suppressed sniper still doubles her VALUE
    mode: skirmish                       # optional, also ruleset:
    options: {stacking: layered}         # optional rulings for this scenario
    field:                               # left to right; ~ is an empty FIELDPOSITION
      blue: [viper, viper, ~, ~]
      red: [viper, ~, viper, ~]
    turn: blue
    state:                               # by OPERATOR; only what differs from fresh
      viper: {hitcounter: 1}
      red.viper: {ep: -1}                # a stat here is a lasting modification
    hands: {blue: [aimed-shot], red: [hard-cover]}
    strategies: {blue: [aimed-shot]}
    decks: {blue: [aimed-shot]}
    item_decks: {blue: [scope]}
    save_zone: {blue: [viper]}
    strict: true
    do:
      - {action: attack, by: viper, on: viper, attack_card: aimed-shot, dice: [6, 2], critical: [double]}
      - {action: move, by: viper, swap: viper, reroll: [1], performance: draw, either: first}
      - {action: medic, by: viper, performance: {item: scope, to: viper}, either: [first, second]}
      - {action: play, card: aimed-shot, by: blue, choose: [viper], late_attack_card: aimed-shot}
      - {action: end-turn}
    expect:
      attack: {ap: 7, ep: 6, damage: 1, critical: true}
      viper: {hitcounter: 1, status: NORMAL, position: 1, objective: REACHED, attached: ~}
      blue: {hand: 0}
      refused: A-2
"""


def write(root: Path, files: dict[str, str]) -> Path:
    """Write files below a folder; a project file is added unless there is one."""
    for name, text in {"opforge.yaml": SETTINGS, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return root


def load(root: Path, **files: str) -> tuple[CardSet, list[Diagnostic]]:
    """Load the project of LANGUAGE.md with some files replaced (``cards``, ``play``, ``opforge``)."""
    texts = {"cards": CARDS, "play": PLAY} | files
    return load_project(write(root, {f"{name}.yaml": text for name, text in texts.items()}))


def told(findings: list[Diagnostic]) -> list[tuple[str, str]]:
    """Names of findings with what they underline."""
    return [(finding.name, finding.span.text) for finding in findings]
