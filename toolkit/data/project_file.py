"""The settings of the project file.

What explains mistakes is imported only where a mistake is met: jsonschema takes 40 ms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from toolkit.data.checks.project_languages import language_findings, misspelt_languages
from toolkit.data.decode import cut_texts
from toolkit.data.looks import read_look
from toolkit.data.model import TYPE_FLOOR, Box, Counters, MatSettings, Project, Stack, Text
from toolkit.data.schema import acceptance
from toolkit.data.schemas.parts import LANGUAGE_PATTERN
from toolkit.data.yaml.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.yaml.yaml_tree import Tree, parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import prevents_use
from toolkit.diagnostics.selection import CheckSettings
from toolkit.source import ScalarText, SourceFile


def read_project(root: Path, file: SourceFile) -> tuple[Project, list[Diagnostic]]:
    """Return the usable settings of a project file, and what is wrong with it."""
    tree = parse_tree(file)
    node, findings = tree.root, tree.findings
    if not isinstance(node, Mapping):
        if not findings:
            empty = node is None or node.value is None
            message = f"{file.name} has no content." if empty else "The project file has keys with values."
            span, step = file.span(0, min(1, len(file.text))), "Write a line such as `project: My cards`."
            findings.append(Diagnostic("empty-file" if empty else "wrong-type", message, span, step))
        return Project(root, file, languages_known=False, is_sound=False), findings
    if not acceptance("project")(node.value):
        from toolkit.data.checks.schema_findings import check_entry

        findings += check_entry(node, "project", None).findings
    return _Settings(node, findings).project(root, tree), findings


class _Settings:
    """Reads the settings of a project file; values with a finding are ignored. Adds to ``findings``."""

    def __init__(self, node: Mapping, findings: list[Diagnostic]) -> None:
        self.node = node
        self.findings = findings

    def project(self, root: Path, tree: Tree) -> Project:
        """Return the usable settings."""
        node = self.node
        for key in ("project", "author"):
            self.findings += cut_texts(node.nodes.get(key), None)
        listed = self._languages()
        self.findings += misspelt_languages([item for item in listed if self._is_fine(item)])
        # what is no code at all is dropped: languages become names of folders
        codes = [item.text for item in listed if re.search(LANGUAGE_PATTERN, item.text)]
        languages = tuple(dict.fromkeys(codes))
        are_known = bool(languages) and self._is_fine(node.nodes["languages"])
        keys = ("version", "card_size", "paper", "author", "theme")
        counters = self._table("counters")
        if "values" in counters:
            counters["values"] = tuple(counters["values"])
        floor = node.scalar("type_floor")
        size = floor.value if floor is not None and self._is_fine(floor) else None
        return Project(
            root,
            tree.file,
            node,
            self._word("project") or "",
            languages=languages or ("en",),
            languages_known=are_known or ("languages" not in node.nodes and tree.cut is None),
            is_sound=not any(prevents_use(finding.name) for finding in self.findings),
            ruleset=self._word("ruleset"),
            mode=self._word("mode"),
            first_game=self._first_game(),
            card_sizes={kind: size.value for kind, size in self._texts("card_sizes")},
            backs=dict(self._texts("backs")),
            set_symbols=dict(self._texts("set_symbols")),
            fonts=dict(self._texts("fonts")),
            look=read_look(node.nodes.get("look"), self._is_fine),
            layouts=tuple(self._layouts()),
            type_floor=float(size) if isinstance(size, (int, float)) else TYPE_FLOOR,
            traits=self._traits(languages if are_known else ()),
            words=self._printed_words(),
            counters=Counters(**counters),
            tuckbox=Stack(**self._table("tuckbox")),
            mat=MatSettings(**self._table("mat")),
            box=self._box(),
            checks=self._checks(),
            **{key: word for key in keys if (word := self._word(key))},
        )

    def _is_fine(self, value: Node) -> bool:
        return not any(value.start <= finding.span.start <= value.end for finding in self.findings)

    def _languages(self) -> list[Scalar]:
        """Return the languages as written; none if one of them is not a string."""
        words = [item for item in self.node.words("languages") if isinstance(item.value, str)]
        if len(words) < len(self.node.items("languages")):
            return []
        return [word for word in words if word.text]

    def _first_game(self) -> tuple[str, ...]:
        """Return the ids of the recommended pair; none if there is a finding about it."""
        listed = self.node.nodes.get("first_game")
        ids = tuple(word.text for word in self.node.words("first_game"))
        return ids if listed is not None and self._is_fine(listed) else ()

    def _word(self, key: str) -> str | None:
        """Return the text of a key; None if it is absent or empty, or has a finding."""
        value = self.node.scalar(key)
        if value is None or value.value is None or not value.text or not self._is_fine(value):
            return None
        return value.text

    def _checks(self) -> CheckSettings:
        """Return what is chosen for the check, and report what is wrong with it."""
        node = self.node.mapping("checks")
        if node is None:
            return CheckSettings()
        from toolkit.data.check_settings import read_checks

        settings, findings = read_checks(node)
        self.findings += findings
        return settings

    def _texts(self, key: str) -> Iterator[tuple[str, ScalarText]]:
        """Yield the texts below a key by their names, without those with a finding."""
        inner = self.node.mapping(key)
        for name, value in inner.nodes.items() if inner is not None else ():
            fine = inner is not None and self._is_fine(value) and self._is_fine(inner.keys[name])
            if isinstance(value, Scalar) and isinstance(value.value, str) and fine:
                yield name, value.as_text()

    def _table(self, key: str) -> dict[str, Any]:
        """Return the plain values of a mapping; none if one of them has a finding."""
        inner = self.node.mapping(key)
        return dict(inner.value) if inner is not None and self._is_fine(inner) else {}

    def _box(self) -> Box:
        """Return what is printed on the box; what has a finding is as if it were not written."""
        settings = self.node.mapping("box")
        fine = {key: node for key, node in settings.nodes.items() if self._is_fine(node)} if settings else {}
        keys = ("players", "time", "age")
        numbers: dict[str, Any] = {key: fine[key].value for key in keys if key in fine}
        if "time" in numbers:
            minutes = numbers["time"]
            numbers["time"] = tuple(sorted(minutes) if isinstance(minutes, list) else [minutes])
        art = fine.get("art")
        return Box(**numbers, art=art.as_text() if isinstance(art, Scalar) else None)

    def _layouts(self) -> Iterator[ScalarText]:
        """Yield the ids of layouts: one, or a list of them."""
        value = self.node.nodes.get("layout")
        for item in value.items if isinstance(value, Sequence) else (value,):
            if isinstance(item, Scalar) and isinstance(item.value, str) and self._is_fine(item):
                yield item.as_text()

    def _printed_words(self) -> dict[str, dict[str, ScalarText]]:
        """Return the project's replacements for what opforge itself prints, by language and key."""
        inner = self.node.mapping("words")
        words_by_language: dict[str, dict[str, ScalarText]] = {}
        for language, words in inner.nodes.items() if inner is not None else ():
            self.findings += cut_texts(words, None)
            language_nodes = words.nodes if isinstance(words, Mapping) else {}
            words_by_language[language] = {
                key: value.as_text()
                for key, value in language_nodes.items()
                if isinstance(value, Scalar) and isinstance(value.value, str) and self._is_fine(value)
            }
        return words_by_language

    def _traits(self, languages: tuple[str, ...]) -> dict[str, Text]:
        """Return the printed names of traits, and report names that lack a language."""
        inner = self.node.mapping("traits")
        for name in inner.nodes.values() if inner is not None else ():
            self.findings += cut_texts(name, None)
        if inner is None or not self._is_fine(inner):
            return {}
        for trait, name in inner.nodes.items():
            if isinstance(name, Mapping) and languages:
                self.findings += language_findings(name, languages, trait, None)
        return {trait: Text(name) for trait, name in inner.nodes.items() if not isinstance(name, Sequence)}
