"""Renaming an id or a trait everywhere in a project, verified, and with a list of the mentions that stay."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping as LookUp
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Literal

from msgspec import Struct

from toolkit.data.project_files import TEMPLATES, is_picture
from toolkit.data.schemas.parts import ID_PATTERN, is_effect
from toolkit.data.yaml.nodes import Scalar
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.baseline import Baseline, renewed_baseline_text
from toolkit.diagnostics.locations import fingerprint
from toolkit.diagnostics.phrases import shown
from toolkit.editing.fixing.verification import OriginalPlaces, Ranges, only_edited
from toolkit.project.live_project import LiveProject
from toolkit.project.name_references import NameKind, Occurrence
from toolkit.project.output import Change, Refusal, save_all
from toolkit.project.value_at import Place, entries_of, every_scalar, name_of, place_at
from toolkit.source import Edit, SourceFile, Span
from toolkit.source.edits import apply, rewritten
from toolkit.source.paths import is_below, named_alike, read_regular
from toolkit.source.yaml_scalars import resolve_plain
from toolkit.vocabulary.nearest import nearest

_TRAIT = re.compile(r"[^\W_][\w -]*(?<! )")
_MAX_BYTES = 8_000_000
"""Drawings and templates up to this size are searched for names of pictures."""

Edits = dict[Path, list[Edit]]
"""Edits by file."""


Where = Literal["comment", "text", "picture", "effect"]


class UnchangedMention(Struct, frozen=True):
    """A mention of the old word that is not changed, and where it is: in a comment, in a text, in the name of
    a picture, or in an effect whose name it cannot be shown to be.
    """

    span: Span
    where: Where


class Rename(Struct, frozen=True):
    """A planned rename: edits by file, and the old and new paths of pictures.

    ``unchanged_mentions`` stay as they are; ``fingerprints`` are those of findings before and after.
    """

    old: str
    new: str
    kind: NameKind
    edits: Edits
    changes: tuple[Change, ...] = ()
    pictures: tuple[tuple[Path, Path], ...] = ()
    unchanged_mentions: tuple[UnchangedMention, ...] = ()
    fingerprints: dict[str, str] = {}

    @property
    def places(self) -> int:
        """The number of places that are changed."""
        return sum(map(len, self.edits.values()))


def kind_of_name(project: LiveProject, word: str, kind: NameKind | None = None) -> NameKind | Refusal:
    """Return whether a word is an id or a trait; a refusal if it is neither, or both."""
    occurrences = [occurrence for occurrence in project.occurrences() if kind in (None, occurrence.kind)]
    defining_kinds = {
        occurrence.kind for occurrence in occurrences if occurrence.defines and occurrence.word == word
    }
    if len(defining_kinds) == 1:
        return defining_kinds.pop()
    if defining_kinds:
        return Refusal(f"{shown(word)!r} is both an id and a trait; add --id or --trait.")
    kind_text = kind or "id or trait"
    problem = _unread_problem(project, word)
    if problem:
        return Refusal(problem)
    use = next((occurrence for occurrence in occurrences if occurrence.word == word), None)
    suggestion = nearest(word, {occurrence.word for occurrence in occurrences if occurrence.defines})
    hint = f" Did you mean {suggestion!r}?" if suggestion else ""
    if use is not None:
        return Refusal(f"{_place(use.span)} names {shown(word)!r}, but nothing has that {use.kind}.{hint}")
    return Refusal(f"There is no {kind_text} {shown(word)!r} in {project.root.name}.{hint}")


def plan_rename(
    project: LiveProject, kind: NameKind, old: str, new: str, *, with_pictures: bool = False
) -> Rename | Refusal:
    """Plan to rename an id or trait, or return why that is refused. Nothing is written.

    The plan is verified: read with its edits, the project is the same but for the name, and has no new
    finding. The ``text_for`` of hand-written texts is updated. ``with_pictures`` also renames pictures of
    that name that only the renamed entry uses.
    """
    problem = _name_problem(project, kind, old, new) or _unread_problem(project, old)
    if problem:
        return Refusal(problem)
    edits: Edits = {}
    for occurrence, edit in _edits_of_names(project, {(kind, old): new}):
        if edit is None:
            return Refusal(f"`{old}` cannot be replaced in {_place(occurrence.span)}.")
        edits.setdefault(occurrence.span.file.path, []).append(edit)
    try:
        renamed = _read_with(project, edits)
        stale_text_edits = _stale_texts(project, renamed, edits)
        if stale_text_edits:
            for path, edit in stale_text_edits:
                edits[path].append(edit)
            renamed = _read_with(project, edits)
        pictures = _pictures(project, old, new, edits) if with_pictures and kind == "id" else ()
    except ValueError:  # edits that overlap
        return Refusal(f"`{old}` cannot be replaced; choose another name.")
    if isinstance(pictures, str):
        return Refusal(pictures)
    problem = _proof_failure(project, renamed, (kind, old, new), edits)
    if problem:
        return Refusal(problem)
    files = project.cards.files
    changes = tuple(
        [Change(file, apply(file.text, edits[file.path])) for file in files if file.path in edits]
    )
    left = tuple([mention for file in files for mention in _mentions_left(project, file, old, edits)])
    fingerprints = _fingerprints(project, renamed, old, new)
    return Rename(old, new, kind, edits, changes, pictures, left, fingerprints)


def renamed_texts(project: LiveProject, names: LookUp[tuple[NameKind, str], str]) -> dict[Path, str]:
    """Return the texts of all files with new names for some ids and traits.

    They are not verified: this is for comparing, not for writing.
    """
    edits: Edits = {}
    for occurrence, edit in _edits_of_names(project, names):
        if edit is not None:
            edits.setdefault(occurrence.span.file.path, []).append(edit)
    texts = {}
    for file in project.cards.files:
        with suppress(ValueError):  # edits that overlap
            texts[file.path] = apply(file.text, edits.get(file.path, ()))
    return texts


def _edits_of_names(
    project: LiveProject, names: LookUp[tuple[NameKind, str], str]
) -> Iterator[tuple[Occurrence, Edit | None]]:
    """Yield the occurrences of ids and traits with new names, each with its edit; None if it has none."""
    for occurrence in project.occurrences():
        new = names.get((occurrence.kind, occurrence.word))
        if new is not None and new != occurrence.word:
            yield occurrence, rewritten(occurrence.scalar, occurrence.start, occurrence.end, new)


def write_rename(rename: Rename, other_changes: tuple[Change, ...] = ()) -> list[str]:
    """Write all files of a rename and other changes, or nothing; return sentences that say why not."""
    copies: list[Path] = []
    is_written = False
    try:
        for old, new in rename.pictures:
            with new.open("xb") as file:  # renaming would replace a file that appeared meanwhile
                copies.append(new)
                file.write(old.read_bytes())
            shutil.copystat(old, new)
        problems = save_all((*rename.changes, *other_changes))
        is_written = not problems
    except OSError as error:
        problems = [f"{error.filename} cannot be written: {error.strerror or error}."]
    finally:  # of each picture one file stays, the old one also if an interruption ends this
        superfluous = [old for old, _ in rename.pictures] if is_written else copies
        for path in superfluous:
            with suppress(OSError):
                path.unlink()
    return problems


def renewed_baseline(project: LiveProject, rename: Rename, baseline: Baseline) -> Change | None:
    """Return the change that updates a baseline for a renamed entry; None if it does not contain it.

    Findings of print stay as they are: they are not part of a check, so their new fingerprints are unknown.
    """
    text = renewed_baseline_text(baseline, project.root, (rename.old, rename.new), rename.fingerprints)
    unchanged_text = renewed_baseline_text(baseline, project.root, ("", ""), {})
    if text == unchanged_text:  # the file itself may be written in another form
        return None
    first_entry, *_ = baseline.entries
    return Change(first_entry.span.file, text)


def _place(span: Span) -> str:
    return f"{span.file.name}:{span.begin_position.line}"


def _path_of(scalar: Scalar) -> str:
    """Return the path that a scalar names, normalized."""
    return os.path.normpath(scalar.text).replace(os.sep, "/")


def _whole_word(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(text)}(?![\w-])")


def _name_problem(project: LiveProject, kind: NameKind, old: str, new: str) -> str | None:
    """Return a sentence if the new name is not valid, or taken."""
    if kind == "trait":
        if not _TRAIT.fullmatch(new):
            return f"`{shown(new)}` cannot be a trait here: write letters, digits, spaces and hyphens."
    elif not re.search(ID_PATTERN, new):
        return f"`{shown(new)}` is not an id: use lower-case letters, digits and single hyphens."
    if not isinstance(resolve_plain(new), str):
        return f"`{new}` would be read as a number or as null; use a word."
    # renaming a trait to another existing one would merge the two, which cannot be undone
    new_occurrences = [
        occurrence
        for occurrence in project.occurrences()
        if occurrence.word == new and occurrence.kind == kind and new != old
    ]
    definition = next((occurrence for occurrence in new_occurrences if occurrence.defines), None)
    if definition is not None:
        return f"The {kind} `{new}` is already used in {_place(definition.span)}."
    mention = next(iter(new_occurrences), None)
    if mention is not None:
        return f"{_place(mention.span)} already names `{new}`, though nothing has that {kind}."
    return None


def _unread_problem(project: LiveProject, old: str) -> str | None:
    """Return a sentence if a file that cannot be read completely may use the name in its unread part."""
    entries_by_path = {file.path: entries for file, _, entries in project.trees()}
    for file in project.cards.files:
        if file.path not in entries_by_path:
            return f"{file.name} cannot be read; fix it first."
        entries = entries_by_path[file.path]
        # the project file has no entries
        unread_from = parse_tree(file).cut if entries is None else entries.cut
        if unread_from is not None and _whole_word(old).search(file.text, unread_from):
            return f"{file.name} cannot be read completely; fix it first."
    return None


def _read_with(project: LiveProject, edits: Edits) -> LiveProject:
    """Return the project as it would be after edits. Raises ``ValueError`` if two overlap."""
    texts = {file.path: apply(file.text, edits.get(file.path, ())) for file in project.cards.files}
    edited_project = project.copy()
    edited_project.read(texts)
    return edited_project


def _stale_texts(project: LiveProject, renamed: LiveProject, edits: Edits) -> list[tuple[Path, Edit]]:
    """Return the edits that update each ``text_for`` that matched its effect before, and now does not."""
    stale_before = {
        (finding_before.span.file.path, finding_before.span.start)
        for finding_before in project.current.findings
        if finding_before.name == "stale-text"
    }
    updates = []
    for finding in renamed.current.findings:
        if finding.name == "stale-text" and finding.fix is not None:
            path = finding.span.file.path
            original_places = OriginalPlaces(edits.get(path, []))
            start, _ = original_places.place(finding.span.start, finding.span.end)
            if (path, start) not in stale_before:
                start_of_fix, end_of_fix, text = finding.fix.edit
                updates.append((path, Edit(*original_places.place(start_of_fix, end_of_fix), text)))
    return updates


def _proof_failure(
    project: LiveProject, renamed: LiveProject, names: tuple[NameKind, str, str], edits: Edits
) -> str | None:
    """Return a sentence if the project is not the same but for the name, or has a new finding."""
    kind, old, new = names
    expected_counts = Counter(
        (finding_before.name, finding_before.span.file.path, finding_before.card)
        for finding_before in project.current.findings
    )
    for finding in renamed.current.findings:
        key = (finding.name, finding.span.file.path, old if finding.card == new else finding.card)
        expected_counts[key] -= 1
        if expected_counts[key] < 0:
            return f"{_place(finding.span)} would get a new finding: {finding.message}"
    for file in project.cards.files:
        if file.path in edits and not only_edited(file, edits[file.path]):
            return f"{file.name} would not mean the same afterwards; choose another name."

    def named(occurrence: Occurrence) -> tuple[NameKind, str, Path, bool]:
        word = new if (occurrence.kind, occurrence.word) == (kind, old) else occurrence.word
        return occurrence.kind, word, occurrence.span.file.path, occurrence.defines

    if list(map(named, project.occurrences())) != list(map(named, renamed.occurrences())):
        return f"`{new}` would not be read as the {kind} everywhere; choose another name."
    return None


def _fingerprints(project_before: LiveProject, renamed: LiveProject, old: str, new: str) -> dict[str, str]:
    """Return the new fingerprints of findings by their old ones, where they differ."""
    root = project_before.root

    def grouped(project: LiveProject) -> dict[tuple[str, Path, str | None], list[Diagnostic]]:
        """Return the findings by what a rename leaves as it is: name, file, and card (by its old id)."""
        groups: dict[tuple[str, Path, str | None], list[Diagnostic]] = {}
        for finding in project.current.findings:
            card = old if finding.card == new else finding.card
            groups.setdefault((finding.name, finding.span.file.path, card), []).append(finding)
        return groups

    groups_after = grouped(renamed)
    new_by_old = {}
    for key, findings_before in grouped(project_before).items():
        # a group has no new finding (``_proof_failure``), but may have fewer
        for finding_before, finding_after in zip(findings_before, groups_after.get(key, ()), strict=False):
            new_by_old[fingerprint(finding_before, root)] = fingerprint(finding_after, root)
    return {old_print: new_print for old_print, new_print in new_by_old.items() if old_print != new_print}


# what is left


def _mentions_left(
    project: LiveProject, file: SourceFile, old: str, edits: Edits
) -> Iterator[UnchangedMention]:
    """Yield the mentions of an old name in a file that are not edited.

    The same word in another sense, as a word of the language or another name, is no mention.
    """
    spans = [match.span() for match in _whole_word(old).finditer(file.text)]
    edited = Ranges((edit.start, edit.end) for edit in edits.get(file.path, ()))
    for start, end in spans:
        if edited.overlap(start, end):
            continue
        where = _where(file, start, end, place_at(project.tree(file), start))
        if where is not None:
            yield UnchangedMention(file.span(start, end), where)


def _where(file: SourceFile, start: int, end: int, value_place: Place | None) -> Where | None:
    """Return what a mention is; None if it is a word of the language or another name."""
    if value_place is None or end > value_place.scalar.end:
        return "comment"
    scalar, schema = value_place.scalar, value_place.schema
    if schema is None:
        return None
    if is_effect(schema):
        line_before = file.text[max(file.text.rfind("\n", 0, start) + 1, scalar.start) : start]
        if scalar.style == "|" and "#" in line_before:
            return "comment"
        # in quotes stands a name; a backslash ends it where the effect itself is in double quotes
        is_name = file.text[start - 1] == '"' and file.text[end : end + 1] in '"\\'
        return "effect" if is_name else None
    is_free_text = schema.get("x-finding") == "empty-text"
    if not is_free_text:
        return None
    return "picture" if is_picture(scalar.text) else "text"


# pictures


def _pictures(project: LiveProject, old: str, new: str, edits: Edits) -> tuple[tuple[Path, Path], ...] | str:
    """Return old and new paths of the pictures that have an entry's name and only it uses, and add edits.

    Return a sentence if a file has the new name already.
    """
    moves = []
    for path, picture_scalars in _pictures_of(project, old).items():
        source = named_alike(project.root / path)
        if PurePosixPath(path).stem != old or path not in project.cards.pictures:
            continue
        unlinked_path = os.path.join(os.path.realpath(project.root), *path.split("/"))
        is_link = os.path.realpath(source) != unlinked_path
        has_other_uses = not is_link and _use_count(project, path) > len(picture_scalars)
        if is_link or has_other_uses:
            continue
        target = source.with_name(new + source.suffix)
        if os.path.lexists(target):
            return f"There is already a file {target.name} in {target.parent}; nothing was changed."
        for scalar in picture_scalars:
            name_start = len(scalar.text) - len(source.name)
            edit = rewritten(scalar.as_text(), name_start, name_start + len(old), new)
            if edit is None:
                return f"`{old}` cannot be replaced in {_place(scalar.span)}."
            edits.setdefault(scalar.file.path, []).append(edit)
        moves.append((source, target))
    return tuple(moves)


def _pictures_of(project: LiveProject, entry_id: str) -> dict[str, list[Scalar]]:
    """Return the pictures of the entries with an id: by path, the scalars that name them."""
    scalars_by_path: dict[str, list[Scalar]] = {}
    for file, root, _ in project.trees():
        if file is project.cards.project.file:
            continue
        for section, entry in entries_of(root):
            name = name_of(section, entry)
            if section == "scenarios" or name is None or name.text != entry_id:
                continue
            for scalar in filter(_is_picture, every_scalar(entry)):
                scalars_by_path.setdefault(_path_of(scalar), []).append(scalar)
    return scalars_by_path


def _is_picture(scalar: Scalar) -> bool:
    return isinstance(scalar.value, str) and is_picture(scalar.text)


def _use_count(project: LiveProject, path: str) -> int:
    """Return the number of uses of a picture: in card files, and by its name in templates and drawings."""
    name = PurePosixPath(path).name.encode()
    use_count = 0
    for _, root, _ in project.trees():
        use_count += sum(_path_of(scalar) == path for scalar in filter(_is_picture, every_scalar(root)))
    for other_path in project.cards.pictures:
        may_name_pictures = is_below(other_path, TEMPLATES) or other_path.lower().endswith((".svg", ".css"))
        if other_path == path or not may_name_pictures:
            continue
        with suppress(OSError):
            if name in read_regular(project.root / other_path, _MAX_BYTES):
                use_count += 1
    return use_count
