"""The settings of the project file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from toolkit.data.languages import language_findings, misspelt_languages, unprinted_languages
from toolkit.data.model import TYPE_FLOOR, Project, Text
from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.schema import acceptance
from toolkit.data.tree import parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.source import ScalarText, SourceFile


def read_project(root: Path, file: SourceFile) -> tuple[Project, list[Diagnostic]]:
    """The settings as far as they can be used, and what is wrong with them."""
    tree = parse_tree(file)
    findings = tree.findings
    node = tree.root
    if not isinstance(node, Mapping):
        if not findings:
            findings.append(_no_settings(file, node is None or node.value is None))
        return Project(root, file, languages_known=False), findings
    if not acceptance("project")(node.value):
        # loaded only where there is something to explain: a clean project starts faster without
        from toolkit.data.check_entry import check_entry

        findings += check_entry(node, "project", None).findings
    listed = _listed_languages(node)
    findings += misspelt_languages([item for item in listed if not _has_finding(item, findings)])
    findings += unprinted_languages([item for item in listed if not _has_finding(item, findings)])
    languages = tuple(dict.fromkeys(item.text for item in listed))
    known = bool(languages) and not _has_finding(node.nodes["languages"], findings)
    keys = ("version", "card_size", "paper", "author", "theme")
    settings = {key: word for key in keys if (word := _word(node, key, findings))}
    sizes = {kind: size.value for kind, size in _texts(node, "card_sizes", findings)}
    project = Project(
        root,
        file,
        node,
        _word(node, "project", findings) or "",
        languages=languages or ("en",),
        languages_known=known or ("languages" not in node.nodes and tree.cut is None),
        ruleset=_word(node, "ruleset", findings),
        mode=_word(node, "mode", findings),
        card_sizes=sizes,
        backs=dict(_texts(node, "backs", findings)),
        layouts=tuple(_layouts(node, findings)),
        type_floor=_number(node, "type_floor", findings) or TYPE_FLOOR,
        traits=_traits(node, languages if known else (), findings),
        **settings,
    )
    return project, findings


def _no_settings(file: SourceFile, empty: bool) -> Diagnostic:
    span = file.span(0, min(1, len(file.text)))
    step = "Write a line such as `project: My cards`."
    if empty:
        return Diagnostic("empty-file", f"{file.name} has no content.", span, step)
    return Diagnostic("wrong-type", "The project file has keys with values.", span, step)


def _listed_languages(node: Mapping) -> list[Scalar]:
    """The languages as they stand there; none if one of them is no word."""
    words = [item for item in node.words("languages") if isinstance(item.value, str)]
    return [word for word in words if word.text] if len(words) == len(node.items("languages")) else []


def _word(node: Mapping, key: str, findings: list[Diagnostic]) -> str | None:
    """A setting as written, unless a finding stands at it."""
    value = node.scalar(key)
    usable = (
        value is not None and value.value is not None and value.text and not _has_finding(value, findings)
    )
    return value.text if value is not None and usable else None


def _texts(node: Mapping, key: str, findings: list[Diagnostic]) -> Iterator[tuple[str, ScalarText]]:
    """The texts of a mapping of settings by key, but for those at which a finding stands."""
    inner = node.mapping(key)
    if inner is None:
        return
    for name, value in inner.nodes.items():
        broken = _has_finding(value, findings) or _has_finding(inner.keys[name], findings)
        if isinstance(value, Scalar) and isinstance(value.value, str) and not broken:
            yield name, value.as_text()


def _layouts(node: Mapping, findings: list[Diagnostic]) -> Iterator[ScalarText]:
    """The ids of layouts: one, or a list of them."""
    value = node.nodes.get("layout")
    for item in value.items if isinstance(value, Sequence) else (value,):
        if isinstance(item, Scalar) and isinstance(item.value, str) and not _has_finding(item, findings):
            yield item.as_text()


def _number(node: Mapping, key: str, findings: list[Diagnostic]) -> float | None:
    """A setting that is a number, unless a finding stands at it."""
    value = node.scalar(key)
    if value is None or not isinstance(value.value, (int, float)) or _has_finding(value, findings):
        return None
    return float(value.value)


def _traits(node: Mapping, languages: tuple[str, ...], findings: list[Diagnostic]) -> dict[str, Text]:
    """How traits are printed; a name that is missing in a language is a finding."""
    inner = node.mapping("traits")
    if inner is None or _has_finding(inner, findings):
        return {}
    for trait, name in inner.nodes.items():
        if isinstance(name, Mapping) and languages:
            findings += language_findings(name, languages, trait, None)
    return {trait: Text(name) for trait, name in inner.nodes.items() if isinstance(name, (Scalar, Mapping))}


def _has_finding(value: Node, findings: list[Diagnostic]) -> bool:
    """Whether a finding stands at a value."""
    return any(value.start <= finding.span.start <= value.end for finding in findings)
