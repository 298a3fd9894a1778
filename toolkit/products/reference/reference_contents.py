"""The contents of the rules reference: the rules of a project, as far as its chosen cards use them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import FIELD_POSITIONS, Mode, Options, Ruleset
from toolkit.dsl import tree
from toolkit.dsl.tree import walk
from toolkit.play.playable_game import victory_sentences
from toolkit.project.faces import keyword_rules_of
from toolkit.project.pipeline import ParsedEffect, Workspace
from toolkit.render.face import KINDS, Face
from toolkit.vocabulary import ACTIONS, COUNTERS, FORMS, LAYERS, STATS, STATUSES, STEPS, Role
from toolkit.wording.card_text import keywords, own_word, reminder_for, rules_text
from toolkit.wording.language import Keyword, keyword_of
from toolkit.wording.languages import LANGUAGES, Words, word_of, words_in
from toolkit.wording.normalise import blocks
from toolkit.wording.text import Paragraph, Run, names_in, plain, runs


class Line(Struct, frozen=True):
    """A sentence with a ``label`` before it; ``made`` if its text comes from the ruleset or the mode."""

    words: Paragraph
    made: bool = False
    label: str = ""


class Topic(Struct, frozen=True):
    """A title with its sentences: for a step, an ACTION, a phase, a status, an icon.

    ``sign`` is its number, icon or status; ``aside`` a short text beside the title; ``short`` a shorter form
    for reference cards, if there is one.
    """

    title: str
    lines: tuple[Line, ...]
    sign: str = ""
    aside: str = ""
    short: tuple[Line, ...] = ()


class Reference(Struct, frozen=True):
    """The reference of a project.

    ``setup`` is how a GAME begins and ends; ``columns`` is the number of FIELDPOSITIONs of a player;
    ``explained`` are words of the rules and of the chosen cards, ``reading`` explains phrases of cards.
    """

    language: str
    words: Words
    project: str
    mode: str
    steps: tuple[Topic, ...]
    layers: tuple[str, ...]
    layer_notes: tuple[Line, ...]
    actions: tuple[Topic, ...]
    phases: tuple[Topic, ...]
    columns: int
    statuses: tuple[Topic, ...]
    keywords: tuple[Topic, ...]
    durations: tuple[Topic, ...]
    icons: tuple[Topic, ...]
    counters: tuple[Topic, ...]
    kinds: tuple[Topic, ...]
    explained: tuple[Topic, ...]
    setup: tuple[Topic, ...]
    reading: tuple[Line, ...]


_HAND_LIMIT, _SQUADPOINTS, _STRATEGIES = 8, 30, 3
"""Numbers of the rules where the project has no mode that sets others."""

_DURATIONS: tuple[tree.DurationName, ...] = ("ATTACK", "TURN", "ROUND", "own TURN", "FIELD", "permanently")
_EXPLAINED = sorted({form.keyword or "" for form in FORMS.values()} - {"", "PERFORMANCE", "CRITICAL"})
_EXPLAINED += ["DAMAGE", "advances"]
"""Keywords that have an entry beside PERFORMANCE; SUPPRESSED and CRITICAL are explained in their steps."""


_RULES_WORDS: tuple[str, ...] = ("value", "critical", "reached", "captured", "skill", "field", "savezone")
_RULES_WORDS += ("discardzone", "team", "game")
"""Words that the rules use themselves."""
_CARD_WORDS: tuple[str, ...] = ("any", "adjacent", "opposite", "hits", "trait", "attached", "target")
_CARD_WORDS += ("retreats", "enters", "swaps", "reroll", "random")
"""Words that are explained if a chosen card has them."""


def build_reference(workspace: Workspace, faces: Sequence[Face], language: str) -> Reference:
    """Return the reference for some cards, with the ruleset and the mode of the project."""
    return _ReferenceBuilder(
        workspace, faces, language, words_in(workspace.cards.project, language)
    ).reference()


def what_is_needed(workspace: Workspace, faces: Sequence[Face], language: str) -> Line | None:
    """Return the sentence on dice and counters for a GAME with these cards; None without a mode."""
    builder = _ReferenceBuilder(workspace, faces, language, words_in(workspace.cards.project, language))
    return builder.needed() if builder.mode else None


class _ReferenceBuilder(Struct, frozen=True):
    """Builds one reference."""

    workspace: Workspace
    faces: Sequence[Face]
    language: str
    words: Words

    @property
    def ruleset(self) -> Ruleset | None:
        cards = self.workspace.cards
        return cards.rulesets.get(cards.project.ruleset or "")

    @property
    def mode(self) -> Mode | None:
        cards = self.workspace.cards
        return cards.modes.get(cards.project.mode or "")

    @property
    def options(self) -> Options:
        return self.ruleset.options if self.ruleset else Options()

    def reference(self) -> Reference:
        """Return the whole reference."""
        project = self.workspace.cards.project
        return Reference(
            language=self.language,
            words=self.words,
            project=f"{project.name} {project.version}".strip(),
            mode=self.mode.name.in_language(self.language).value if self.mode else "",
            steps=tuple(self._steps()),
            layers=tuple(self.say(f"layer-{layer}") for layer in LAYERS),
            layer_notes=tuple(self._layer_notes()),
            actions=tuple(self._actions()),
            phases=tuple(self._phases()),
            columns=self.mode.field_positions if self.mode else FIELD_POSITIONS,
            statuses=tuple(self._statuses()),
            keywords=tuple(self._keywords()),
            durations=tuple(self._durations()),
            icons=tuple(self._icons()),
            counters=tuple(self._counters()),
            kinds=tuple(self._kinds()),
            explained=tuple(self._explained()),
            reading=tuple(self._reading()),
            setup=tuple(self._setup()),
        )

    def say(self, key: str, **numbers: object) -> str:
        return self.words.say(key, **numbers)

    def line(self, key: str, label: str = "", **numbers: object) -> Line:
        return Line(self.words.said(self.say(key, **numbers)), label=label)

    @property
    def _prints_short_texts(self) -> bool:
        return self.workspace.cards.project.look.text_style == "short"

    def _reading(self) -> Iterator[Line]:
        """Yield how phrases of cards are read; of short texts only if they are printed."""
        for phrase in ("field", "choice", "either"):
            yield self.line(f"reading-{phrase}")
        if self._prints_short_texts:
            yield self.line("reading-occasion")
            yield self.line("reading-unsaid")

    def _effect_lines(self, entry: str | None, effect_part: str) -> Iterator[Line]:
        """Yield the printed text of an effect of the ruleset or the mode; nothing if it is not readable."""
        compiled = self.workspace.effects.get((entry or "", effect_part))
        for words in self._words(compiled) if compiled and compiled.sound else ():
            yield Line(words, made=True)

    def _words(self, compiled: ParsedEffect) -> tuple[Paragraph, ...]:
        """Return the hand-written text of an effect, else the generated one.

        In a language that opforge does not write, that is the text of ``_written_language``.
        """
        project, text = self.workspace.cards.project, compiled.source.text
        hand_written = project.words.get(self.language, {}).get(word_of(compiled.source.part))
        if text is not None and text.is_in(self.language):
            hand_written = text.in_language(self.language)
        if hand_written is not None:
            return tuple(self.words.said(line) for line in hand_written.value.splitlines())
        rounding = self.options.rounding
        role, language = compiled.source.role, self._written_language
        return rules_text(compiled.tree, role, language, rounding=rounding) or ()

    @property
    def _written_language(self) -> str:
        """The language of the reference if opforge writes rules in it, else the project's first such one."""
        languages = (self.language, *self.workspace.cards.project.languages, *LANGUAGES)
        return next(language for language in languages if language in LANGUAGES)

    def _steps(self) -> Iterator[Topic]:
        """Yield the steps of MODIFY, each in full and in short, and the comparison after them."""
        project = self.workspace.cards.project
        suppression = tuple(self._effect_lines(project.ruleset, "suppression")) or (self.line("step-1-none"),)
        teamwork = tuple(self._effect_lines(project.mode, "teamwork")) or (self.line("step-3-none"),)
        windows = [self.line(f"step-5-{label}", label=label) for label in "abc"]
        windows_short = [self.line(f"step-5-{label}-short", label=label) for label in "abc"]
        texts: tuple[tuple[tuple[Line, ...], tuple[Line, ...]], ...] = (
            (suppression, ()),
            ((self.line("step-2-text"),), (self.line("step-2-short"),)),
            ((self.line("step-3-text"), *teamwork), (self.line("step-3-short"), *teamwork)),
            ((self.line("step-4-text"),), (self.line("step-4-short"),)),
            (
                (*windows, self.line("step-5-note")),
                (*windows_short, self.line("step-5-note-short")),
            ),
            (
                (self.line("step-6-text"), self.line(f"step-6-critical-{self.options.stacking}")),
                (self.line(f"step-6-short-{self.options.stacking}"),),
            ),
        )
        for number, (lines, short) in enumerate(texts[: len(STEPS)], 1):
            yield Topic(self.say(f"step-{number}"), lines, str(number), short=short)
        yield Topic(self.say("result"), (self.line("result-text"),), short=(self.line("result-short"),))

    def _layer_notes(self) -> Iterator[Line]:
        yield self.line(f"stacking-{self.options.stacking}")
        yield self.line(f"rounding-{self.options.rounding}")
        yield self.line("floor", floor=self.options.floor)

    def _actions(self) -> Iterator[Topic]:
        """Yield the ACTIONs of the ruleset, with its limits and modifications."""
        actions = self.ruleset.actions if self.ruleset else {}
        for name in ACTIONS:
            action = actions.get(name.lower())
            if action is None:
                continue
            ruleset_lines = tuple(
                self._effect_lines(self.workspace.cards.project.ruleset, f"action {action.id}")
            )
            standard_line = self.line(f"action-{action.id}")
            if action.id == "move":
                counters = self.line(f"counters-{self.options.swap_counters}")
                swap = self.line("action-move-swap", swap_mp=self.options.swap_mp)
                swap_line = Line((*swap.words, *self.words.said(" "), *counters.words))
                lines = [*ruleset_lines, standard_line, swap_line, self.line("action-move-advance")]
            else:
                lines = [standard_line, *ruleset_lines]
            lines_with_words = tuple(line for line in lines if line.words)
            yield Topic(name, lines_with_words, name.lower(), self._limit(action.limit))

    def _limit(self, limit: int | None) -> str:
        if limit is None:
            return self.say("limit-unlimited")
        return self.say("limit", limit=limit) if limit else self.say("limit-0")

    def _phases(self) -> Iterator[Topic]:
        """Yield the phases of a ROUND with the hand limit of the mode, or of the rules without a mode."""
        mode = self.mode
        limit = mode.hand_limit if mode else _HAND_LIMIT
        for number in (1, 2, 3, 4):
            line = self.line(f"phase-{number}-text", hand_limit=limit)
            yield Topic(self.say(f"phase-{number}"), (line,), str(number))

    def _statuses(self) -> Iterator[Topic]:
        for status in STATUSES:
            if status != "SUPPRESSED":  # explained in step 1
                yield Topic(status, (self.line(f"status-{status}"),), status)

    def _trees(self) -> Iterator[tuple[tree.Effect, Role]]:
        """Yield the effects of the chosen cards."""
        for face in self.faces:
            for compiled in self.workspace.effects_of(face.id):
                if compiled.sound:
                    yield compiled.tree, compiled.source.role

    def _keywords(self) -> Iterator[Topic]:
        """Yield PERFORMANCE, and the keywords on the chosen cards, those of the project last."""
        sentences = [block for effect, role in self._trees() for block in blocks(effect, role)]
        used_keywords = {keyword for block in sentences for keyword in keywords(block)}
        cards = [self.workspace.cards.cards.get(face.id) for face in self.faces]
        used_keywords |= {keyword_of(name) for card in cards if card for name in card.keywords}
        yield self._performance()
        for keyword in _EXPLAINED:
            if keyword in used_keywords:
                yield self._keyword(keyword, ())
        nodes = (node for effect, _ in self._trees() for node in walk(effect))
        if any(isinstance(node, tree.Gets) and node.what.text == "RANGE" for node in nodes):
            yield Topic("RANGE", (self.line("range-changed"),))
        names, rules = names_in(self.workspace.cards), keyword_rules_of(self.workspace)
        for keyword in sorted(keyword for keyword in used_keywords if '"' in keyword):
            _, _, quoted_id = keyword.partition(" ")  # such as KEYWORD "smoke", or MARKER "marked"
            title, text = own_word(keyword, self.language, names, rules)
            text_lines = [Line(runs(text, names, self.language))] if text else []
            lines = (*text_lines, *self._marker(quoted_id.strip('"')))
            if lines:
                yield Topic(title, lines)

    def _marker(self, marker_id: str) -> Iterator[Line]:
        """Yield what a marker is, where it lies, and whether it goes when its OPERATOR falls (H-2)."""
        marker = self.workspace.cards.markers.get(marker_id)
        if marker is not None:
            yield self.line(f"marker-{marker.bearer}")
        if marker is not None and marker.bearer == "operator":
            yield self.line("counters-stays" if marker.stays else "counters-goes")

    def _performance(self) -> Topic:
        """Return how PERFORMANCE is fulfilled, by the rules and by effects of the mode."""
        effect_lines: list[Line] = []
        if self.mode is not None:
            for number in range(1, len(self.mode.performance) + 1):
                effect_lines += self._effect_lines(self.mode.id, f"performance {number}")
        return self._keyword("PERFORMANCE", (self.line("performance-when"), *effect_lines))

    def _keyword(self, keyword: Keyword, more_lines: Iterable[Line]) -> Topic:
        """Return the topic of a keyword: the reminder text of cards, without parentheses and the keyword."""
        title, _, text = self.say(f"reminder-{keyword.lower()}").partition(": ")
        text = text[:1].upper() + text[1:]
        return Topic(title, (*more_lines, Line(self.words.said(text))))

    def _durations(self) -> Iterator[Topic]:
        """Yield the durations that the chosen cards and the ACTIONs of the ruleset use."""
        ruleset_effects = self.workspace.effects_of(self.ruleset.id) if self.ruleset else ()
        trees = [effect for effect, _ in self._trees()]
        trees += [effect.tree for effect in ruleset_effects if effect.source.part.startswith("action ")]
        used_durations = {
            node.name for effect in trees for node in walk(effect) if isinstance(node, tree.Duration)
        }
        for name in _DURATIONS:
            if name in used_durations:
                yield Topic(self.say(f"duration-{name}"), (self.line(f"duration-{name}-text"),))

    def _icons(self) -> Iterator[Topic]:
        """Yield the icons of all stats, and other icons on the chosen cards."""
        skills = [skill for face in self.faces for skill in face.skills]
        text_runs = [run for skill in skills for paragraph in skill.paragraphs for run in paragraph]
        used_icons = {run.icon for run in text_runs if run.icon} | {stat.lower() for stat in STATS}
        if any(face.squadpoints is not None for face in self.faces):
            used_icons.add("squadpoints")
        squadpoints = self.mode.squad_squadpoints if self.mode else _SQUADPOINTS
        icons = (*STATS, "SQUADPOINTS", "ATTACK-D6", "DEFENCE-D6")
        for icon in map(str.lower, icons):
            if icon in used_icons:
                line = Line(self.words.said(self.say(f"icon-{icon}-text", squadpoints=squadpoints)))
                yield Topic(self.say(f"icon-{icon}"), (line,), icon)
        badges = [face.badge for face in self.faces if face.badge]
        if any(badge.conditional for badge in badges):
            yield self._topic(self.say("badge-star"), "badge-star-text")
        if any(badge.text.endswith("X") for badge in badges):
            yield self._topic(self.say("badge-count"), "badge-count-text")

    def _counters(self) -> Iterator[Topic]:
        """Yield the counters of every GAME: what each says, when it is laid and when it is taken away."""
        for icon in map(str.lower, COUNTERS):
            yield replace(self._topic(self.say(f"icon-{icon}"), f"icon-{icon}-text"), sign=icon)
        yield replace(
            self._topic(self.say("counters-exhausted"), "counters-exhausted-text"), sign="exhausted"
        )
        suppressed = self._suppressed()
        if suppressed:
            text = self.words.said(self.say("counters-suppressed-text", when=suppressed))
            yield Topic(self.say("counters-suppressed"), (Line(text),), "suppressed")
        yield replace(self._topic(self.say("counters-bonus"), "counters-bonus-text"), sign="bonus")
        first_player = self._topic(self.say("counter-first-player"), "counters-first-player-text")
        yield replace(first_player, sign="first-player")

    def _suppressed(self) -> str:
        """Return the sentence that says when an OPERATOR is SUPPRESSED; empty if nobody ever is."""
        if self.ruleset is None or self.ruleset.suppression is None:
            return ""
        reminder = reminder_for("SUPPRESSED", (), keyword_rules_of(self.workspace))
        return LANGUAGES[self._written_language].reminder(reminder).strip("()")

    def _explained(self) -> Iterator[Topic]:
        """Yield the words of the rules, and those words of the chosen cards that need an explanation.

        The latter are found by their titles, of which each part may stand in a printed text.
        """
        for key in _RULES_WORDS:
            yield self._topic(self.say(f"word-{key}"), f"word-{key}-text")
        texts = "\n".join(plain(skill.paragraphs) for face in self.faces for skill in face.skills)
        traits = ", ".join(sorted({trait for face in self.faces for trait in face.traits}))
        for key in _CARD_WORDS:
            title = self.say(f"word-{key}")
            forms = "|".join(re.escape(form) for form in title.split(", "))
            if re.search(rf"\b(?:{forms})", texts, re.IGNORECASE):
                yield self._topic(title, f"word-{key}-text", traits=traits)

    def _kinds(self) -> Iterator[Topic]:
        """Yield what each kind of the chosen cards is."""
        labels = {face.kind: face.kind_label for face in self.faces}
        strategies = self.mode.strategy_positions if self.mode else _STRATEGIES
        for kind in KINDS:
            if kind in labels:
                line = self.line(f"kind-{kind}", strategy_positions=strategies)
                yield Topic(labels[kind], (line,), kind)

    def _setup(self) -> Iterator[Topic]:
        """Yield how a GAME in the project's mode begins and ends (RULES.md §8)."""
        mode = self.mode
        if mode is None:
            return
        squad_key = "setup-squad" if mode.squad_copies == 1 else "setup-squad-copies"
        item_deck_key = "setup-item-deck" if mode.item_deck_maximum else "setup-item-deck-0"
        deck_numbers = {
            "minimum": mode.deck_minimum,
            "maximum": mode.deck_maximum,
            "copies": mode.deck_copies,
        }
        yield self._topic(
            "SQUAD",
            squad_key,
            operators=mode.squad_operators,
            squadpoints=mode.squad_squadpoints,
            copies=mode.squad_copies,
        )
        yield self._topic("DECK", "setup-deck", **deck_numbers)
        yield self._topic("ITEMDECK", item_deck_key, maximum=mode.item_deck_maximum)
        hand_numbers = {"number": mode.starting_hand, "limit": mode.hand_limit}
        yield self._topic(self.say("setup-hand"), "setup-hand-text", **hand_numbers)
        yield self._topic("FIELD", "setup-field", number=mode.field_positions, save_zone=mode.save_zone)
        if mode.objectives:
            objective_lines = (self.line("setup-objectives-text"), Line(self._objectives(mode)))
            yield Topic(self.say("setup-objectives"), objective_lines)
        yield self._topic(self.say("setup-begins"), "setup-begins-text")
        victory_lines = [
            Line(self.words.said(text), comes_from_mode)
            for text, comes_from_mode in victory_sentences(mode, self.words)
        ]
        yield Topic(self.say("setup-end"), tuple(victory_lines))
        yield Topic(self.say("setup-needed"), (self.needed(),))

    def _topic(self, title: str, key: str, **numbers: object) -> Topic:
        return Topic(title, (Line(self.words.said(self.say(key, **numbers))),))

    def _objectives(self, mode: Mode) -> Paragraph:
        """Return the OBJECTIVEs by FIELDPOSITION, with their values."""
        text_runs: list[Run] = []
        for number, name in enumerate(mode.objectives[: mode.field_positions], 1):
            objective = self.workspace.cards.objectives.get(name)
            if objective is not None:
                objective_name = objective.name.in_language(self.language).value
                separator = " · " if text_runs else ""
                text_runs += [Run("text", f"{separator}{number} "), Run("keyword", objective_name)]
                text_runs.append(Run("text", f" ({objective.value})"))
        return tuple(text_runs)

    def needed(self) -> Line:
        """Return the sentence on dice and counters of both players."""
        positions = self.mode.field_positions if self.mode else 0
        nodes = (node for effect, _ in self._trees() for node in walk(effect))
        extra_dice = [node.count for node in nodes if isinstance(node, tree.RollsExtra)]
        dp_values = [card.stats.get("DP", 0) for card in self.workspace.cards.cards.values()]
        objective_values = [objective.value for objective in self.workspace.cards.objectives.values()]
        die = "D6" if max([*dp_values, *objective_values], default=0) <= 6 else "D10"
        dice = 1 + max(extra_dice, default=0)
        return self.line("setup-needed-text", dice=dice, number=4 * positions, die=die)
