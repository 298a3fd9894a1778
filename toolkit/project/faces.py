"""The faces of a project's cards: rules text in a language, pictures, theme, and the check of their fit.

Jinja and the fit check are imported only to draw, not for rules texts: they take 0.13 s.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from toolkit.data.checks.references import BY_TEAM
from toolkit.data.looks import Look, shipped_looks
from toolkit.data.model import Card, Keyword, Objective, Options, Project, Skill, Team, Text, rules_span
from toolkit.data.schemas.look_schema import LOOKS
from toolkit.diagnostics import Diagnostic
from toolkit.press.layout_check import card_size_of
from toolkit.project.pipeline import Workspace
from toolkit.render.face import Back, Face, Imprint, Kind, RulesText, Stat, pile_of
from toolkit.render.fetch import DEFAULT_THEME, Roots, list_themes
from toolkit.render.renderer import Progress, no_progress
from toolkit.render.sizes import Size
from toolkit.render.tones import tones
from toolkit.source import ScalarText, Span
from toolkit.source.paths import named_alike
from toolkit.vocabulary import STATS
from toolkit.vocabulary.nearest import did_you_mean
from toolkit.wording.badge import Badge, badge_of
from toolkit.wording.card_text import (
    CardEffect,
    CardRules,
    KeywordRules,
    OwnKeyword,
    card_rules,
    keyword_line,
)
from toolkit.wording.languages import word_in
from toolkit.wording.text import Names, Paragraph, names_in, runs

if TYPE_CHECKING:
    from toolkit.render.pages import FaceOptions


def rules_of(
    workspace: Workspace, card: Card | Objective, language: str, style: str | None = None
) -> tuple[CardRules, ...]:
    """Return the rules text of a card's KEYWORDs, then of its SKILLs or effect.

    A part has its hand-written text, else the generated one, followed by its text-only rules. Effects with
    errors have no text. ``style`` is ``full`` or ``short``, by default as printed.
    """
    return tuple(rules_by_part(workspace, card, language, style).values())


def rules_by_part(
    workspace: Workspace, card: Card | Objective, language: str, style: str | None = None
) -> dict[str, CardRules]:
    """Return the rules text by part: ``keywords``, ``skill 1`` …, ``effect``; ``style`` as for ``rules_of``.

    A hand-written text for the whole card is the only part, ``text``.
    """
    is_short = (style or workspace.cards.project.look.text_style) == "short"
    texts_only = {card_part: _hand_written(text, language) for card_part, text in card.texts_only.items()}
    if card.text is not None and card.text.is_in(language):
        paragraphs = chain(_hand_written(card.text, language), *texts_only.values())
        return {"text": CardRules("", tuple(paragraphs))}
    keywords = card.keywords if isinstance(card, Card) else ()
    line = keyword_line(keywords, language, names_in(workspace.cards), keyword_rules_of(workspace))
    rules = {"keywords": CardRules("", (line,))} if line else {}
    paragraphs_by_part = _effect_paragraphs(workspace, card, language, is_short)
    for card_part, bearer in card.parts.items():
        if card_part in paragraphs_by_part or card_part in texts_only:
            skill_name = bearer.name if isinstance(bearer, Skill) else None
            name = skill_name.in_language(language).value if skill_name else ""
            paragraphs_of_part = (*paragraphs_by_part.get(card_part, ()), *texts_only.get(card_part, ()))
            rules[card_part] = CardRules(name, paragraphs_of_part)
    return rules


def _effect_paragraphs(
    workspace: Workspace, card: Card | Objective, language: str, is_short: bool
) -> dict[str, tuple[Paragraph, ...]]:
    """Return the rules texts of effects without errors, hand-written or else generated, by part.

    In a language without generated rules text there are only the hand-written ones.
    """
    sound_effects = [effect for effect in workspace.effects_of(card.id) if effect.sound]
    effects = [CardEffect("", effect.tree, effect.source.role) for effect in sound_effects]
    names, keyword_rules = names_in(workspace.cards), keyword_rules_of(workspace)
    keywords = card.keywords if isinstance(card, Card) else ()
    generated = card_rules(effects, language, names, keyword_rules, keywords, is_short)
    paragraphs_by_part: dict[str, tuple[Paragraph, ...]] = {}
    for number, effect in enumerate(sound_effects):
        text = effect.source.text
        if text is not None and text.is_in(language):
            paragraphs_by_part[effect.source.part] = _hand_written(text, language)
        elif generated is not None:
            paragraphs_by_part[effect.source.part] = generated[number].paragraphs
    return paragraphs_by_part


def _is_all_hand_written(workspace: Workspace, card: Card | Objective, language: str) -> bool:
    """Whether all rules text of a card was written by the designer."""
    if card.text is not None and card.text.is_in(language):
        return True  # it stands for the whole card
    texts = [effect.source.text for effect in workspace.effects_of(card.id)]
    return all(text is not None and text.is_in(language) for text in texts)


def _hand_written(text: Text, language: str) -> tuple[Paragraph, ...]:
    """Return a paragraph for each line of a text that is not blank, with its icons but no linked names."""
    lines = text.in_language(language).value.strip().split("\n")
    return tuple(runs(line.strip(), Names(), language) for line in lines if line.strip())


def keyword_rules_of(workspace: Workspace) -> KeywordRules:
    """Return what reminders depend on: the ruleset, and the project's own KEYWORDs and MARKERs."""
    name = workspace.cards.project.ruleset or ""
    ruleset, suppression = workspace.cards.rulesets.get(name), workspace.effects.get((name, "suppression"))
    options = ruleset.options if ruleset else Options()
    return KeywordRules(
        suppression.tree if suppression else None,
        options.stacking == "stepwise",
        {keyword.id: _own_keyword(workspace, keyword) for keyword in workspace.cards.keywords.values()},
        {marker.id: _by_language(workspace, marker.reminder) for marker in workspace.cards.markers.values()},
        options.rounding,
    )


def _own_keyword(workspace: Workspace, keyword: Keyword) -> OwnKeyword:
    """Return the explanation of a KEYWORD of the project; without its effect if that has errors."""
    own_effect = workspace.effects.get((keyword.id, "effect"))
    return OwnKeyword(
        own_effect.tree if own_effect and own_effect.sound else None,
        _by_language(workspace, keyword.reminder),
        _by_language(workspace, keyword.text_only),
    )


def _by_language(workspace: Workspace, text: Text | None) -> dict[str, str]:
    codes = workspace.cards.project.languages if text is not None else ()
    return {code: text.in_language(code).value.strip() for code in codes if text and text.is_in(code)}


def faces(
    workspace: Workspace, language: str, ids: Collection[str] = (), kinds: Collection[str] = ()
) -> Iterator[Face]:
    """Yield the faces of the cards in file order, OBJECTIVEs last; ``ids`` and ``kinds`` select some."""
    for entry in workspace.cards.printed_entries():
        if (not ids or entry.id in ids) and (not kinds or _kind(entry) in kinds):
            face = _face(workspace, entry, language)
            other_languages = [code for code in workspace.cards.project.languages if code != language]
            # reminders are printed in all languages or in none
            translations = (_face(workspace, entry, code) for code in other_languages if face.has_reminders)
            without_places = (replace(translation, places={}) for translation in translations)
            yield replace(face, translations=tuple(without_places))


def _kind(entry: Card | Objective) -> Kind:
    return entry.kind if isinstance(entry, Card) else "objective"  # type: ignore[return-value]  # as the schema


def _face(workspace: Workspace, entry: Card | Objective, language: str) -> Face:
    """Return the face of a card in one language, which is made once: several products of a run print it."""
    known_faces = workspace._faces
    if (entry, language) not in known_faces:
        known_faces[entry, language] = _make_face(workspace, entry, language)
    return known_faces[entry, language]


def _make_face(workspace: Workspace, entry: Card | Objective, language: str) -> Face:
    """Return the face of a card in one language; that of an OBJECTIVE has a value and no stats."""
    kind, imprint = _kind(entry), Imprint(*entry.imprint)
    cards = workspace.cards
    face = Face(
        id=entry.id,
        kind=kind,
        name=entry.name.in_language(language).value,
        lang=language,
        kind_label=kind.upper(),
        skills=tuple(
            RulesText(card_rules.name or None, card_rules.paragraphs)
            for card_rules in rules_of(workspace, entry, language)
        ),
        flavour=entry.flavour.in_language(language).value if entry.flavour else None,
        art=picture_file(workspace, entry.art),
        focus=entry.crop.focus,
        zoom=entry.crop.zoom,
        imprint=imprint if imprint != Imprint() else None,
        set_symbol=picture_file(workspace, cards.project.set_symbols.get(imprint.set or "")),
        hyphenated=tuple(
            dict.fromkeys(word for text in _texts(entry) for word in text.soft_hyphens(language))
        ),
        quantity=entry.quantity,
        by_hand=_is_all_hand_written(workspace, entry, language),
        places=_places(entry, language),
    )
    if isinstance(entry, Objective):
        return replace(face, value=entry.value, back=_back(workspace, entry, None))
    team, names = cards.teams.get(entry.team) if entry.team else None, names_in(cards)
    is_operator = kind == "operator"
    return replace(
        face,
        squadpoints=entry.squadpoints if is_operator else None,
        team_name=team.name.in_language(language).value if team else None,
        team_logo=picture_file(workspace, team.logo) if team else None,
        team_colours=team_colours(workspace, team),
        traits=tuple(names.name("trait", trait, language) for trait in entry.traits),
        stats=tuple(
            Stat(name.lower(), value)
            for name, value in entry.stats.items()
            if is_operator and (value or STATS[name].required)
        ),
        badge=_badge(workspace, entry, language),
        back=_back(workspace, entry, team),
    )


def _badge(workspace: Workspace, card: Card, language: str) -> Badge | None:
    """Return the badge with what the card changes; None if its effect has errors.

    It is a conditional one if a text-only rule says more than the badge can.
    """
    sound_effect = next(
        (parsed_effect for parsed_effect in workspace.effects_of(card.id) if parsed_effect.sound), None
    )
    if sound_effect is None:
        return None
    enemy = word_in(workspace.cards.project, language, "badge-enemy")
    badge = badge_of(sound_effect.tree, sound_effect.source.role, enemy)
    return badge._replace(conditional=True) if badge and card.texts_only else badge


def _texts(entry: Card | Objective) -> Iterator[Text]:
    """Yield the texts of a card as they are written."""
    parts = entry.parts.values()
    name_texts = (bearer.name for bearer in (entry, *parts))
    hand_written = (bearer.text for bearer in (entry, *parts))
    yield from filter(None, (*name_texts, *hand_written, *entry.texts_only.values(), entry.flavour))


def _back(workspace: Workspace, entry: Card | Objective, team: Team | None) -> Back | None:
    """Return the chosen back: the card's own, its TEAM's, or the project's for its kind or pile."""
    kind = _kind(entry)
    pile = pile_of(kind)
    backs = workspace.cards.project.backs
    back_of_team = team.back if team else None
    written = entry.back or back_of_team or backs.get(kind) or backs.get(pile)
    if written is not None and written.value == BY_TEAM and team is not None:
        return Back(pile, logo=picture_file(workspace, team.logo), colours=team_colours(workspace, team))
    picture = picture_file(workspace, written)
    return Back(pile, picture) if picture else None


def team_colours(workspace: Workspace, team: Team | None) -> tuple[str, str] | None:
    """Return the colours of a TEAM: those of the look, where a second one is derived, else its own."""
    if team is None:
        return None
    colours_of_look = workspace.cards.project.look.team_colours(team.id)
    if colours_of_look is not None:
        ground, *_ = colours_of_look
        return ground, tones(*colours_of_look).line
    if not team.colours:
        return None
    ground, *further_colours = team.colours
    return ground, next(iter(further_colours), ground)


def picture_file(workspace: Workspace, path: ScalarText | None) -> Path | None:
    """Return the file of a picture if it exists; a missing one is a finding elsewhere."""
    name = os.path.normpath(path.value).replace(os.sep, "/") if path is not None else ""
    return named_alike(workspace.root / name) if name in workspace.cards.pictures else None


def _places(entry: Card | Objective, language: str) -> dict[str, Span]:
    """Return where the parts of a face are written; of several rules texts the longest."""
    places = {"card": entry.id_span, "name": entry.name.in_language(language).span}
    if entry.flavour:
        places["flavour"] = entry.flavour.in_language(language).span
    if entry.art:
        places["art"] = entry.art.span
    imprint_spans = [
        entry.span_of(key) for key in ("artist", "set", "number", "version") if key in entry.node.nodes
    ]
    if imprint_spans:
        places["imprint"], *_ = imprint_spans
    skills = entry.skills if isinstance(entry, Card) else ()
    optional_spans = [
        *(skill.rules_span(language) for skill in skills),
        None if skills else rules_span(entry, language),
    ]
    rules_spans = [span for span in optional_spans if span is not None]
    if rules_spans:
        places["rules"] = max(rules_spans, key=lambda span: span.end - span.start)
    if isinstance(entry, Card) and entry.team:
        places["team"] = entry.span_of("team")
    return places


def face_options_of(workspace: Workspace, low_ink: bool = False, look: str | None = None) -> FaceOptions:
    """Return the options of faces that the project sets; ``look`` is a shipped one in place of its own."""
    from toolkit.render.pages import FaceOptions

    project = workspace.cards.project
    return FaceOptions(project.type_floor, low_ink, _look(project, look))


def _look(project: Project, name: str | None) -> Look:
    return project.look if name is None else shipped_looks()[name]


def roots_of(workspace: Workspace, theme: str | None = None, look: str | None = None) -> Roots:
    """Return the folders of the project's templates, in its own theme and look unless others are given.

    The classic theme replaces one that does not exist, which is a finding elsewhere.
    """
    project = workspace.cards.project
    wanted_theme, shown_look = theme or project.theme, _look(project, look)
    written_fonts = {purpose: font.value for purpose, font in project.fonts.items()}
    written_fonts |= dict(shown_look.fonts)  # by role; those that are shipped are no files of the project
    font_names = {purpose: os.path.normpath(font) for purpose, font in written_fonts.items()}
    fonts = tuple(
        (purpose, Path(name))
        for purpose, name in sorted(font_names.items())
        if name in workspace.cards.pictures
    )
    theme = wanted_theme if wanted_theme in list_themes(workspace.root) else DEFAULT_THEME
    return Roots(workspace.root, theme=theme, fonts=fonts, icons=shown_look.icons)


def unknown_theme(project: Path, theme: str | None) -> str | None:
    """Return an error message if the project does not have the theme."""
    known_themes = list_themes(project)
    if theme is None or theme in known_themes:
        return None
    hint = did_you_mean(theme, known_themes)
    return f"There is no theme {theme!r}.{hint} There are {', '.join(known_themes)}."


def unknown_look(look: str | None) -> str | None:
    """Return an error message if there is no such shipped look."""
    if look is None or look in LOOKS:
        return None
    return f"There is no look {look!r}.{did_you_mean(look, LOOKS)} There are {', '.join(LOOKS)}."


def fit_findings(
    workspace: Workspace, theme: str | None = None, look: str | None = None
) -> list[Diagnostic] | str:
    """Return the findings of printing all cards in all languages, each once, or the message of a failure."""
    faces_by_size: dict[Size, list[Face]] = {}
    for language in workspace.cards.project.languages:
        for size, faces_of_size in by_size(workspace, language).items():
            faces_by_size.setdefault(size, []).extend(faces_of_size)
    return fit_of(workspace, faces_by_size, theme=theme, look=look, are_all=True)


def by_size(workspace: Workspace, language: str, ids: Collection[str] = ()) -> dict[Size, list[Face]]:
    """Return the faces of cards by the size in which they are printed."""
    faces_by_size: dict[Size, list[Face]] = {}
    project = workspace.cards.project
    for face in faces(workspace, language, ids):
        size = card_size_of(project.card_sizes.get(face.kind, project.card_size))
        faces_by_size.setdefault(size, []).append(face)
    return faces_by_size


def fit_of(
    workspace: Workspace,
    faces: Mapping[Size, Sequence[Face]],
    progress: Progress = no_progress,
    *,
    theme: str | None = None,
    look: str | None = None,
    are_all: bool = False,
) -> list[Diagnostic] | str:
    """Return the findings of printing these faces, each once, or the message of a failure.

    If these ``are_all`` faces of the project, cached results of others are dropped.
    """
    from toolkit.render.checks.fit_check import check_fit, without_duplicates

    findings: list[Diagnostic] = []
    roots, face_options = roots_of(workspace, theme, look), face_options_of(workspace, look=look)
    for size, faces_of_size in faces.items():
        findings_or_failure = check_fit(faces_of_size, size, roots, face_options, progress, are_all=are_all)
        if isinstance(findings_or_failure, str):
            return findings_or_failure
        findings += findings_or_failure
    return list(without_duplicates(findings))
