"""Whatever a scenario file says, it ends with results or findings: no input makes a stage raise."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.thoroughness import examples
from toolkit.play.scenarios.reports import as_json, as_junit, as_text
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.project.pipeline import Cache, open_project

PROJECT = Path(__file__).parent / "project"
PATH = PROJECT / "scenario.yaml"
TEXTS = [file.read_text(encoding="utf-8") for file in sorted((PROJECT / "scenarios").glob("*.yaml"))]
SCENARIOS = [f"scenarios:\n  - {part}" for text in TEXTS for part in text.split("\n  - name")[1:]]
WORD = re.compile(r"[A-Za-z0-9_.~-]+")
WORDS = sorted({word for text in TEXTS for word in WORD.findall(re.sub("#.*", "", text))})
CACHE = Cache()


@st.composite
def scenario_texts(draw: st.DrawFn) -> str:
    """A scenario of the tests with some of its words replaced by others."""
    text = draw(st.sampled_from(SCENARIOS)).replace("  - :", "  - name:")
    for _ in range(draw(st.integers(1, 6))):
        places = list(WORD.finditer(text))
        place = draw(st.sampled_from(places))
        text = text[: place.start()] + draw(st.sampled_from(WORDS)) + text[place.end() :]
    return text


@examples(400)
@given(scenario_texts())
def test_a_changed_scenario_is_played_or_told_of(text: str) -> None:
    workspace = open_project(PROJECT, {PATH: text}, CACHE)
    run = run_scenarios(workspace, [PATH])
    assert run.results or run.findings
    for finding in run.findings:
        assert finding.next_step
        assert 0 <= finding.span.start <= finding.span.end <= len(finding.span.file.text)
    assert as_text(run)
    assert as_json(run)
    assert as_junit(run, Path.cwd())
    assert run.exit_status == (0 if run.passed and not run.failed and not run.findings else 1)
