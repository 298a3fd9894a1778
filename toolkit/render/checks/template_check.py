"""unused-template, unreadable-picture: templates, blocks and icons of the project that are not printed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import get_args

from jinja2 import Environment, TemplateSyntaxError
from jinja2.nodes import Block, Const, Extends, Getattr, Name, Node, Output, Template, TemplateData

from toolkit.data.print_sizes import Shape
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import shown
from toolkit.render.checks.print_findings import line_span, read_source
from toolkit.render.environment import name_problem
from toolkit.render.face import KINDS, template_of
from toolkit.render.fetch import THEMES_FOLDER, Roots
from toolkit.render.ornaments import load_icons
from toolkit.source import SourceFile, shown_name
from toolkit.vocabulary.nearest import nearest


def unused_templates(roots: Roots) -> Iterator[Diagnostic]:
    """Yield templates of the project that have no shipped name and that no other template mentions."""
    own_templates = _templates_in(roots, roots.overrides)
    shipped = {_within_theme(name) for name in _templates_in(roots, roots.templates)}
    shipped |= {template_of(kind, shape) for kind in KINDS for shape in get_args(Shape)}
    texts = {name: read_source(path).text for name, path in own_templates.items()}
    for name, path in own_templates.items():
        if name_problem(name) is not None:  # reported as such
            continue
        mention = re.compile(rf"(?<![\w.-]){re.escape(_within_theme(name))}(?![\w-])")
        is_mentioned = any(mention.search(text) for other, text in texts.items() if other != name)
        if _within_theme(name) not in shipped and not is_mentioned:
            meant = _similar_template(name, sorted(shipped))
            hint = f" Did you mean {meant}?" if meant else ""
            yield Diagnostic(
                "unused-template",
                f"The template {name} is not used: no shipped template has that name.{hint}",
                line_span(path, 1),
                f"Rename it to {meant}." if meant else "Include it in another template, or delete it.",
            )


def unusable_names(roots: Roots) -> Iterator[Diagnostic]:
    """Yield templates of the project whose names no template may have."""
    for name, path in _templates_in(roots, roots.overrides).items():
        problem = name_problem(name)
        if problem is not None:
            yield Diagnostic(
                "template-error",
                f"The template {shown(name)} cannot be used: {problem}.",
                line_span(path, 1),
                "Rename the file, and change its name where other templates include it.",
            )


def unusable_icons(roots: Roots) -> Iterator[Diagnostic]:
    """Yield icons of the project that cannot be used; shipped ones of the same names are printed instead."""
    _, unusable = load_icons(roots)
    for path, reason in unusable.items():
        if roots.is_own(path):
            yield Diagnostic(
                "unreadable-picture",
                f"The icon {path.relative_to(roots.overrides).as_posix()} cannot be used: it {reason}.",
                SourceFile(path, shown_name(path), "").span(0, 0),  # not read: it may lie anywhere
                "Save it as a plain SVG drawing in that folder.",
            )


def _templates_in(roots: Roots, folder: Path) -> dict[str, Path]:
    """Return the templates of a folder by their names in other templates."""
    files = (path for path in roots.files(folder) if path.suffix == ".jinja")
    return {path.relative_to(folder).as_posix(): path for path in files}


def _within_theme(name: str) -> str:
    """Return the name of a template without the folder of its theme."""
    match name.split("/", 2):
        case [folder, _theme, name_in_theme] if folder == THEMES_FOLDER:
            return name_in_theme
    return name


def _similar_template(name: str, shipped: list[str]) -> str | None:
    """Return the shipped name that was probably meant, by its stem or by its whole name."""
    by_stem = {_stem(template): template for template in shipped}
    _, _, file_name = name.rpartition("/")
    stem = nearest(_stem(file_name), by_stem)
    return by_stem[stem] if stem else nearest(name, shipped)


def _stem(template: str) -> str:
    """Return the name of a template without all of its suffixes, such as ``.html.jinja``."""
    return template.partition(".")[0]


_PARSER = Environment(trim_blocks=True, lstrip_blocks=True)  # only parses: nothing is rendered


def unprinted_parts(roots: Roots) -> Iterator[Diagnostic]:
    """Yield blocks that no extended template has, and content outside of blocks.

    Templates that extend one whose name is computed are skipped.
    """
    for path in roots.files(roots.overrides):
        if path.suffix != ".jinja":
            continue
        name = path.relative_to(roots.overrides).as_posix()
        if name.startswith(f"{THEMES_FOLDER}/"):
            continue  # what it extends depends on the theme that is printed
        tree = _parsed(path)
        parent = _parent(tree) if tree else None
        blocks = _blocks(parent, roots) if parent else None
        if tree is None or parent is None or blocks is None:  # it extends none, or one that is not known
            continue
        dots = tree.find_all(Getattr)  # `{{ self.NAME() }}` prints a block of the template's own
        called = {dot.attr for dot in dots if isinstance(dot.node, Name) and dot.node.name == "self"}
        is_below_extends = False  # what stands above it is printed
        for node in tree.body:
            if isinstance(node, Block) and node.name not in blocks | called:
                yield _unknown_block(path, name, node, parent, blocks)
            line = _first_printed_line(node) if is_below_extends else 0
            if line:
                yield _content_outside(path, name, line)
            is_below_extends = is_below_extends or isinstance(node, Extends)


def _unknown_block(path: Path, name: str, block: Block, parent: str, blocks: Collection[str]) -> Diagnostic:
    """Return the finding of a block that the extended ``parent``, which has ``blocks``, does not print."""
    meant = nearest(block.name, sorted(blocks))
    hint = f" Did you mean `{meant}`?" if meant else ""
    names = ", ".join(f"`{block_name}`" for block_name in sorted(blocks))
    return Diagnostic(
        "unused-template",
        f"The block `{block.name}` of {name} is not printed: {parent} has no block with that name.{hint}",
        line_span(path, block.lineno),
        f"It has {names}." if names else "It has no blocks.",
    )


def _content_outside(path: Path, name: str, line: int) -> Diagnostic:
    return Diagnostic(
        "unused-template",
        f"Content outside of the blocks of {name} is not printed.",
        line_span(path, line),
        "A template that extends another one fills its blocks: move the content into a block.",
    )


def _first_printed_line(body_node: Node) -> int:
    """Return the line of the first content that would be printed; 0 if there is none, such as for `set`."""
    for node in body_node.nodes if isinstance(body_node, Output) else ():
        if not isinstance(node, TemplateData):
            return node.lineno
        if node.data.strip():
            blank_text = node.data[: len(node.data) - len(node.data.lstrip())]
            return node.lineno + blank_text.count("\n")
    return 0


def _blocks(name: str, roots: Roots) -> set[str] | None:
    """Return all blocks of a template and of those that it extends; None if that cannot be determined."""
    block_names: set[str] = set()
    seen_paths: set[Path] = set()
    extended_name: str | None = name
    while extended_name:
        file_name = extended_name.removeprefix("shipped/")
        folders = roots.folders if file_name == extended_name else roots.shipped
        path = next((folder / file_name for folder in folders if roots.has(folder, file_name)), None)
        tree = _parsed(path) if path and path not in seen_paths else None
        if path is None or tree is None:
            return None
        seen_paths.add(path)
        block_names |= {block.name for block in tree.find_all(Block)}
        extends = list(tree.find_all(Extends))
        extended_name = _parent(tree)
        if extends and extended_name is None:  # the name is computed
            return None
    return block_names


def _parsed(path: Path) -> Template | None:
    """Return the syntax tree of a template; None if it cannot be read or has none."""
    try:
        return _tree_of(path.read_text(encoding="utf-8"))
    except (TemplateSyntaxError, UnicodeDecodeError, OSError):  # reported where it is rendered
        return None


@lru_cache(maxsize=100)
def _tree_of(text: str) -> Template:
    """Return the tree of a template. Many extend the same one, and parsing it takes 4 ms."""
    return _PARSER.parse(text)


def _parent(tree: Template) -> str | None:
    """Return the name of the extended template; None without one, or if it is computed."""
    match [extends.template for extends in tree.body if isinstance(extends, Extends)]:
        case [Const(value=name)]:
            return str(name)
    return None
