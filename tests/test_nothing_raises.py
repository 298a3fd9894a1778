"""No file makes any stage raise: random bytes, text and YAML, and the shipped set torn anywhere."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.thoroughness import THOROUGH, examples
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.report import make_report
from toolkit.diagnostics.reporters import as_concise, as_json, as_text
from toolkit.project.faces import faces
from toolkit.project.pipeline import Cache, open_project
from toolkit.resources import cards_folder

WORDS = (
    "cards",
    "teams",
    "objectives",
    "modes",
    "rulesets",
    "squads",
    "scenarios",
    "layouts",
    "id",
    "kind",
    "name",
    "team",
    "ap",
    "ep",
    "dp",
    "mp",
    "squadpoints",
    "effect",
    "skills",
    "traits",
    "art",
    "flavour",
    "quantity",
    "text",
    "text_for",
    "operator",
    "attack",
    "defence",
    "viper",
    "en",
    "de",
    "1",
    "-3",
    "9999",
    "~",
    "true",
    "0x1F",
    "1e9",
    "'a'",
    '"b"',
    "when",
    "attacking,",
    "self",
    "gets",
    "+2",
    "AP.",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "-",
    "?",
    "|",
    ">",
    "|2-",
    "&",
    "*",
    "!",
    "!!str",
    "<<:",
    "#",
    "é",
    "🎯",
    "\\",
    "\t",
)

lines = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
yamlish = st.lists(st.tuples(st.integers(0, 6), lines), max_size=30).map(
    lambda rows: "\n".join(" " * (2 * depth) + ("- " if depth % 2 else "") + row for depth, row in rows)
)
SHIPPED = sorted(cards_folder().rglob("*.yaml"))
torn = examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "opforge.yaml").write_text("project: Torn\nlanguages: [en, de]\n", encoding="utf-8")
    return tmp_path


def answer(root: Path, content: bytes, name: str = "cards.yaml") -> None:
    """Everything that commands do with a project, but printing."""
    (root / name).write_bytes(content)
    workspace = open_project(root)
    for finding in workspace.findings:
        assert finding.name in CATALOGUE
        assert finding.message.strip()
        assert 0 <= finding.span.start <= finding.span.end <= len(finding.span.file.text)
    report = make_report(workspace.findings, 1, 1)
    assert as_text(report)
    assert as_json(report)
    assert as_concise(report)
    for language in ("en", "de"):
        list(faces(workspace, language))
    for effect in workspace.effects.values():
        assert effect.objects or not effect.sound


@given(st.binary(max_size=400))
@torn
def test_random_bytes(project: Path, content: bytes) -> None:
    answer(project, content)


@given(st.text(max_size=400))
@torn
def test_random_text(project: Path, content: str) -> None:
    answer(project, content.encode("utf-8", "surrogatepass"))


@given(yamlish)
@torn
def test_random_yaml(project: Path, content: str) -> None:
    answer(project, content.encode())


@given(yamlish)
@torn
def test_random_project_file(project: Path, content: str) -> None:
    answer(project, content.encode(), "opforge.yaml")


@pytest.fixture(scope="module")
def shipped() -> Cache:
    """What was read of the shipped set before."""
    return Cache()


@pytest.mark.parametrize("path", SHIPPED[:: 1 if THOROUGH else 3], ids=lambda path: path.name)
def test_a_shipped_file_cut_off_or_stirred(path: Path, shipped: Cache) -> None:
    """Cut at random places, and with characters replaced, a file gives findings and nothing else."""
    text = path.read_text(encoding="utf-8")
    chance = random.Random(path.name)
    for _ in range(25 if THOROUGH else 1):
        cut = chance.randrange(len(text))
        stirred = (
            text[:cut] + chance.choice("\"'|>:-#{}[],&*!%@`\t\n x0") + text[cut + chance.choice((0, 1, 40)) :]
        )
        for broken in (text[:cut], stirred):
            workspace = open_project(cards_folder(), overlay={path: broken}, cache=shipped)
            assert as_text(make_report(workspace.findings, 1, 1))
