"""New projects: the small starter or the whole shipped set, on request with a copy of the templates."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import Literal

from toolkit.data.project_files import TEMPLATES
from toolkit.data.yaml.entry_edits import format_texts, format_words
from toolkit.data.yaml.nodes import Mapping, Node
from toolkit.data.yaml.nodes import Sequence as Listing
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.render.fetch import DEFAULT_THEME, THEMES_FOLDER
from toolkit.resources import cards_folder, starter_folder, templates_folder
from toolkit.source import Edit, SourceFile
from toolkit.source.edits import apply
from toolkit.source.paths import PROJECT_FILE
from toolkit.source.writing import refused_link
from toolkit.source.yaml_scalars import format_scalar
from toolkit.vocabulary import PRINTED

Example = Literal["small", "full"]

_COPIED_SUFFIXES = (".jinja", ".css", ".svg")
"""The files of templates that are copied; fonts stay the shipped ones."""

_YAMLLINT = Path(".yamllint")
"""The settings of yamllint that fit what the formatter writes, a file of each new project."""


def make_project(
    folder: str | os.PathLike[str],
    example: Example = "small",
    theme: str | None = None,
    *,
    with_templates: bool = False,
    languages: Sequence[str] = (),
) -> str | None:
    """Make a project in a folder that is new or empty; return a sentence if it is neither.

    ``languages`` are those of ``PRINTED`` that it has, the default one first; without any, all of them.
    ``with_templates`` copies those of the theme: the classic ones, and those of the rules reference, into
    ``templates``, those of another theme into ``templates/themes``. A project that exists gets those that it
    lacks. Raises ``OSError`` with the folder as its file; what was written until then is removed.
    """
    folder = Path(folder)
    if with_templates and not languages and (folder / PROJECT_FILE).is_file():
        return add_templates(folder, theme or _shipped_theme_of(folder))
    unknown_language = next((language for language in languages if language not in PRINTED), None)
    if unknown_language is not None:
        return (
            f"The cards to start with are written in {' and '.join(PRINTED)}, not in "
            f"`{unknown_language}`. Make the project without it, "
            "then add it to `languages` in opforge.yaml."
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        return f"{folder} exists and is not an empty folder; nothing was written."
    refused = refused_link(folder / PROJECT_FILE)
    if refused:
        return refused
    new_folders = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        _write_project(folder, example, theme, languages)
        if with_templates:
            copy_templates(folder, theme or DEFAULT_THEME)
    except BaseException as error:
        _empty_folder(folder)
        for path in new_folders:
            with suppress(OSError):
                path.rmdir()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(folder)) from error
        raise
    return None


def _write_project(folder: Path, example: Example, theme: str | None, languages: Sequence[str]) -> None:
    """Write the files of a new project, without templates."""
    _copy(starter_folder() if example == "small" else cards_folder(), folder)
    _copy(starter_folder(), folder, lambda name: name == _YAMLLINT)  # which the shipped set does not have
    if languages:
        _keep_languages(folder, languages)
    if theme is not None:
        _set_theme(folder / PROJECT_FILE, theme)


def copy_templates(folder: Path, theme: str) -> None:
    """Copy the templates of a shipped theme into a new project."""
    _copy(*_template_folders(folder, theme), _is_copied)


def add_templates(folder: Path, theme: str) -> str | None:
    """Copy those templates of a shipped theme that a project does not have.

    Return a sentence if a link would redirect one. Raises ``OSError`` as ``make_project`` does.
    """
    source, target = _template_folders(folder, theme)
    missing = missing_templates(folder, theme)
    refused = next(filter(None, (refused_link(target / name) for name in sorted(missing))), None)
    if refused:
        return refused
    try:
        _copy(source, target, missing.__contains__)
    except BaseException as error:
        for name in missing:
            with suppress(OSError):
                (target / name).unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(folder)) from error
        raise
    return None


def missing_templates(folder: Path, theme: str | None = None) -> set[Path]:
    """Return the names of the templates of a shipped theme, by default its own, that a project lacks."""
    source, target = _template_folders(folder, theme or _shipped_theme_of(folder))
    return {name for name in _names_in(source, _is_copied) if not os.path.lexists(target / name)}


def _template_folders(folder: Path, theme: str) -> tuple[Path, Path]:
    """Return the folder of a shipped theme, and that of its copy in a project."""
    theme_path = Path() if theme == DEFAULT_THEME else Path(THEMES_FOLDER, theme)
    return templates_folder() / theme_path, folder / TEMPLATES / theme_path


def _is_copied(name: Path) -> bool:
    return name.suffix in _COPIED_SUFFIXES and name.parts[0] != THEMES_FOLDER


def _shipped_theme_of(folder: Path) -> str:
    """Return the theme that a project names, if it is a shipped one, else the classic one."""
    path = folder / PROJECT_FILE
    root = parse_tree(SourceFile(path, path.name, path.read_text(encoding="utf-8", errors="replace"))).root
    theme = root.scalar("theme") if isinstance(root, Mapping) else None
    shipped_themes = {path.name for path in (templates_folder() / THEMES_FOLDER).iterdir()}
    return theme.text if theme is not None and theme.text in shipped_themes else DEFAULT_THEME


def _empty_folder(folder: Path) -> None:
    """Empty the folder, but keep it: it may be the current folder."""
    if not folder.is_dir():
        return
    for path in list(folder.iterdir()):
        if path.is_dir():
            rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _copy(source: Path, target: Path, is_wanted: Callable[[Path], bool] = lambda _name: True) -> None:
    """Copy the files of a folder, by name, into one that is made."""
    for name in _names_in(source, is_wanted):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes((source / name).read_bytes())


def _names_in(source: Path, is_wanted: Callable[[Path], bool]) -> Iterator[Path]:
    """Yield the names of wanted files below a folder, in order."""
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source)
        if path.is_file() and is_wanted(name):
            yield name


def _keep_languages(folder: Path, languages: Sequence[str]) -> None:
    """Leave only some languages in the texts of a project; a text in one language names none."""
    for path in sorted(folder.rglob("*.yaml")):
        file = SourceFile(path, path.name, path.read_text(encoding="utf-8"))
        root = parse_tree(file).root
        edits = [edit for texts in _texts_below(root) for edit in _without_others(texts, languages)]
        if path.name == PROJECT_FILE and isinstance(root, Mapping):
            node = root.nodes["languages"]
            edits.append(Edit(node.start, node.end, format_words(languages)))
        path.write_text(apply(file.text, edits), encoding="utf-8", newline="")


def _texts_below(node: Node | None) -> Iterator[Mapping]:
    """Yield the mappings below a node whose keys are languages."""
    if isinstance(node, Mapping) and node.nodes and node.nodes.keys() <= set(PRINTED):
        yield node
    elif isinstance(node, (Mapping, Listing)):
        children = node.nodes.values() if isinstance(node, Mapping) else node.items
        for child in children:
            yield from _texts_below(child)


def _without_others(texts: Mapping, languages: Sequence[str]) -> Iterator[Edit]:
    """Yield the edit that leaves only some languages in a text, if it has others."""
    new_texts = {language: str(texts.value[language]) for language in languages if language in texts.nodes}
    if len(new_texts) == len(texts.nodes):
        return
    first_text = format_scalar(next(iter(new_texts.values())), in_flow=True)
    end_of_key = len(texts.file.text[: texts.start].rstrip())  # the text may begin on the next line
    yield Edit(end_of_key, texts.end, f" {first_text if len(languages) == 1 else format_texts(new_texts)}")


def _set_theme(project_file: Path, theme: str) -> None:
    """Name the theme in the project file, where it stands or as its last line."""
    text, line = project_file.read_text(encoding="utf-8"), f"theme: {theme}"
    new_text, replaced_count = re.subn(r"^theme:.*", line, text, count=1, flags=re.MULTILINE)
    project_file.write_text(new_text if replaced_count else f"{text.rstrip()}\n{line}\n", encoding="utf-8")
