"""`checks` of a project, and the options of a command that beat it: what is reported, how severe it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thoroughness import examples
from toolkit import api
from toolkit.apps.cli import run
from toolkit.data.check_settings import MAX_NAMES
from toolkit.diagnostics.catalogue import CATALOGUE, NEVER_SUPPRESSED
from toolkit.diagnostics.report import Report
from toolkit.diagnostics.reporters import as_data, summary
from toolkit.diagnostics.selection import GROUPS, CheckSettings, choices_of, group_of, matches
from toolkit.project.check_cache import ResultCache
from toolkit.project.checks import CheckRequest

SMALL = Path(__file__).parent.parent / "projects" / "small"
DAY = "2026-06-01"
EP, ZERO = "ep-when-attacking", "adds-nothing"
CARDS = """\
cards:
  - id: dash
    kind: attack
    name: {en: Dash, de: Spurt}
    effect: when attacking, self gets +1 EP. self gets +0 AP.
"""
"""A card with a warning of the game and an error."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    folder = copytree(SMALL, tmp_path / "small")
    (folder / "drafts").mkdir()
    for path in ("more.yaml", "drafts/idea.yaml"):
        text = CARDS if path == "more.yaml" else CARDS.replace("dash", "idea").replace("AP", "DP")
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def check(project: Path, checks: str = "", path: str | None = None, **options: Any) -> Report:
    """Check with these lines below `checks`, twice: what is remembered must say the same."""
    text = (SMALL / "opforge.yaml").read_text(encoding="utf-8")
    lines = "".join(f"  {line}\n" for line in checks.splitlines())
    (project / "opforge.yaml").write_text(text + (f"checks:\n{lines}" if lines else ""), encoding="utf-8")
    request = CheckRequest([(project, project / path if path else None)], DAY, **options)
    first, second = api.check(request), api.check(request)
    assert isinstance(first, Report)
    assert isinstance(second, Report)
    assert as_data(first) == as_data(second)
    return first


def reported(report: Report) -> list[str]:
    """The findings with their files and severities."""
    return [
        f"{finding['severity']} {finding['name']} {Path(finding['file']).parent.name}"
        for finding in as_data(report)["findings"]
        if finding["name"] in (EP, ZERO)
    ]


HERE, DRAFT = "small", "drafts"
CALM = [f"warning {ZERO} {DRAFT}", f"warning {ZERO} {HERE}"]
ALL = [f"{severity} {name} {where}" for where in (DRAFT, HERE) for severity, name in
       (("warning", EP), ("error", ZERO))]  # fmt: skip


@pytest.mark.parametrize(
    ("checks", "options", "expected", "off"),
    [
        ("", {}, ALL, ()),
        (f"ignore: [{EP}]", {}, [f"error {ZERO} {DRAFT}", f"error {ZERO} {HERE}"], (EP,)),
        ("select: [game]", {}, [f"warning {EP} {DRAFT}", f"warning {EP} {HERE}"], ("all but game",)),
        ("severity: {errors: warning, game: off}", {}, CALM,
         ("errors (only warns)", "game")),
        (f"severity: {{all: off, {ZERO}: warning}}", {}, CALM, ("all", f"{ZERO} (only warns)")),
        ("exclude: [drafts]", {}, ALL[2:], ("everything in drafts",)),
        ("exclude: [drafts/**]", {"path": "drafts/idea.yaml"}, ALL[:2], ()),
        (f"per-path:\n  drafts/**: {{ignore: [{EP}, errors]}}", {}, ALL[2:],
         ("errors in drafts/**", f"{EP} in drafts/**")),
        (f"ignore: [all]\nper-path:\n  '*.yaml': {{severity: {{{EP}: error}}}}", {},
         [f"error {EP} {DRAFT}", f"error {EP} {HERE}"], ("all",)),
        # options win
        (f"ignore: [{EP}]", {"select": ["game"]}, [f"warning {EP} {DRAFT}", f"warning {EP} {HERE}"],
         ("all but game",)),
        ("severity: {all: off}", {"severity": {EP: "error"}}, [f"error {EP} {DRAFT}", f"error {EP} {HERE}"],
         ("all",)),
        ("select: [style]\nexclude: [drafts]", {"isolated": True}, ALL, ()),
        ("", {"ignore": [EP], "level": "error"}, [f"error {ZERO} {DRAFT}", f"error {ZERO} {HERE}"], (EP,)),
        (f"severity: {{{ZERO}: warning}}", {"level": "error"}, [], (f"{ZERO} (only warns)",)),
    ],
)  # fmt: skip
def test_what_is_chosen_is_reported_and_the_summary_names_what_is_off(
    project: Path, checks: str, options: dict[str, Any], expected: list[str], off: tuple[str, ...]
) -> None:
    report = check(project, checks, **options)
    assert sorted(reported(report)) == sorted(expected)
    assert report.off == off
    assert report.errors == sum(line.startswith("error") for line in expected)
    assert report.exit_status() == bool(report.errors)
    assert [note in summary(report) for note in off] == [True] * len(off)
    assert as_data(report)["summary"].get("off", []) == list(off)


def test_a_file_without_reports_is_not_counted_but_its_cards_are_there(project: Path) -> None:
    assert check(project).files - check(project, "exclude: [drafts]").files == 1
    assert "idea" in api.open_project(project).cards.cards


def test_a_comment_and_an_entry_of_the_baseline_are_not_unused_because_the_finding_is_off(
    project: Path,
) -> None:
    comment = f"# opforge: ignore[{EP}] meant so\n"
    (project / "more.yaml").write_text(f"{comment}{CARDS}", encoding="utf-8")
    report = check(project, f"ignore: [{EP}]")
    assert "unused-suppression" not in report.names
    assert report.suppressed == 0


@pytest.mark.parametrize(
    ("checks", "name", "words"),
    [
        ("ignore: [mising-picture]", "unknown-finding", "mising-picture"),
        ("select: [stile]", "unknown-finding", "stile"),
        ("severity: {no-such: error}", "unknown-finding", "no-such"),
        ("ignore: [unused-suppression]", "unknown-finding", "unused-suppression"),
        ("exclude: [draft/**]", "unused-pattern", "draft/**"),
        ("per-path: {old: {ignore: [game]}}", "unused-pattern", "old"),
        (f"select: [{EP}]\nignore: [{EP}]", "contradictory-checks", EP),
        ("select: [game]\nseverity: {game: off}", "contradictory-checks", "game"),
        ("per-path: {drafts: {ignore: [game], severity: {game: error}}}", "contradictory-checks", "game"),
    ],
)
def test_what_is_wrong_with_checks_is_reported_whatever_they_switch_off(
    project: Path, checks: str, name: str, words: str
) -> None:
    for more in ("", "\nseverity: {all: off}" if "severity" not in checks else ""):
        wrong = [finding for finding in check(project, checks + more).findings if finding.name == name]
        assert [finding.span.text for finding in wrong] == [words]
        assert wrong[0].next_step


def test_with_too_many_patterns_nothing_of_checks_counts(project: Path) -> None:
    patterns = ", ".join(f"drafts/{number}*" for number in range(MAX_NAMES - 1))
    assert check(project, f"ignore: [errors]\nexclude: [{patterns}]").names["too-many-items"] == 0
    report = check(project, f"ignore: [errors]\nexclude: [{patterns}, more]")
    assert [finding.span.text for finding in report.findings if finding.name == "too-many-items"] == ["more"]
    assert report.off == ()
    assert sorted(reported(report)) == sorted(ALL)


def test_a_severity_may_be_chosen_for_what_cannot_be_switched_off(project: Path) -> None:
    report = check(project, "exclude: [old]\nseverity: {unused-pattern: error}")
    assert as_data(report)["findings"][-1]["severity"] == "error"


def test_a_finding_with_an_edit_is_remembered_with_it(project: Path) -> None:
    (project / "more.yaml").write_text(CARDS.replace("kind: attack", "kind: atack"), encoding="utf-8")
    report = check(project)
    remembered = ResultCache(project).load()
    assert remembered is not None
    fixed = [finding for finding in remembered.findings if finding.fix]
    assert [(finding.name, finding.fix.replacement) for finding in fixed if finding.fix] == [
        (finding.name, finding.fix.replacement) for finding in report.findings if finding.fix
    ]
    assert len(fixed) == 1


def test_a_comment_for_the_whole_file(project: Path) -> None:
    whole = f"# opforge: ignore-file[{EP}] an old set\n"
    (project / "more.yaml").write_text(f"{CARDS}{whole}", encoding="utf-8")
    report = check(project)
    assert reported(report) == [line for line in reported(check(project)) if f"{EP} {HERE}" not in line]
    assert report.suppressed == 1
    for comment, name in ((whole.replace(" an old set", ""), "missing-reason"),
                          (f"# opforge: ignore-file[{EP}] until: 2026-01-01 soon\n", "expired-suppression"),
                          ("# opforge: ignore-file[fixes-meet] no\n", "unused-suppression"),
                          ("# opforge: ignore-files[fixes-meet] no\n", "broken-suppression")):  # fmt: skip
        sound = "" if name == "unused-suppression" else "self gets +0 AP."
        text = CARDS.replace("self gets +0 AP.", sound)
        (project / "drafts" / "idea.yaml").write_text(
            "teams: []\n" if not sound else CARDS.replace("dash", "i")
        )
        (project / "more.yaml").write_text(f"{text}{comment}", encoding="utf-8")
        assert name in check(project).names, name


def test_to_select_nothing_is_a_mistake(project: Path) -> None:
    assert "empty-list" in [finding.name for finding in check(project, "select: []").findings]


def test_the_command(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(project), "--exit-zero"]) == 0
    assert run(["check", str(project), "--no-cache", "--ignore", f"{EP},errors"]) == 0
    assert f"Off: errors; {EP}." in capsys.readouterr().out
    assert run(["check", str(project), "--severity", "errors=warning", "--select", EP, "--strict"]) == 1
    for wrong in (
        ["--severity", "x"],
        ["--severity", "errors=loud"],
        ["--select", "errrors"],
        ["--ignore", ","],
    ):
        assert run(["check", str(project), *wrong]) == 2
    assert "Did you mean 'errors'?" in capsys.readouterr().err
    check(project, "exclude: [drafts]")
    assert run(["check", str(project), "--show-files"]) == 0
    assert {Path(line).name for line in capsys.readouterr().out.splitlines()} == {
        file.name for file in project.glob("*.yaml")
    }


def test_what_is_in_force_and_from_where(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    lines = (SMALL / "opforge.yaml").read_text(encoding="utf-8").count("\n")
    check(
        project, f"ignore: [{EP}]\nseverity: {{{ZERO}: warning}}\nper-path:\n  drafts: {{ignore: [{ZERO}]}}"
    )
    assert run(["explain", "checks"]) == 0
    told = capsys.readouterr().out
    assert f"- `{EP}`: off (opforge.yaml:{lines + 2})\n" in told
    assert f"- `{ZERO}`: warning instead of error (opforge.yaml:{lines + 3})\n" in told
    assert f"- `{ZERO}` in `drafts`: off (opforge.yaml:{lines + 5})\n" in told
    assert "# Choose what is checked" in told


def test_the_list_of_findings(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["findings", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["name"] for finding in listed] == list(CATALOGUE)
    assert {finding["group"] for finding in listed} == GROUPS.keys() - {"all"}
    assert {finding["severity"] for finding in listed if finding["group"] == "errors"} == {"error"}
    assert all(finding["page"].endswith(f"findings/{finding['name']}.md") for finding in listed)
    assert run(["findings"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(listed)


# laws

NAMES = ("missing-picture", EP, ZERO, "unused-art", "unused-suppression")
words = st.sampled_from([*NAMES, *GROUPS])
lists = st.lists(st.tuples(words, st.just("x")), max_size=3)
levels = st.dictionaries(
    st.tuples(words, st.just("x")), st.sampled_from(["error", "warning", "off"]), max_size=3
)


@examples(200)
@given(lists, lists, levels, st.sampled_from(NAMES))
def test_options_decide_whatever_the_project_chose(
    select: list[tuple[str, str]], ignore: list[tuple[str, str]], severity: Any, name: str
) -> None:
    project = choices_of(select, ignore, severity)
    option = "the command line"
    for options, expected in (
        (choices_of(ignore=[(name, option)]), "off"),
        (choices_of(severity={(name, option): "error"}), "error"),
        (choices_of(severity={("all", option): "warning"}), "warning"),
    ):
        assert CheckSettings((*project, *options)).decided(name, "a.yaml")[0] == expected
    decided, _ = CheckSettings(tuple(project)).decided(name, "a.yaml")
    assert name not in NEVER_SUPPRESSED or decided != "off"
    named = [level for (key, _), level in severity.items() if key == name]
    if named and not {(name, "x")} & {*select, *ignore} and name not in NEVER_SUPPRESSED:
        assert decided == named[0], "a name beats groups"
    if (name, "x") in ignore and name not in NEVER_SUPPRESSED:
        assert decided == "off"
    assert group_of(name) in GROUPS


@examples(300)
@given(
    st.lists(st.sampled_from(["a", "b", "*", "?", "**", "a*b", "*.c"]), min_size=1, max_size=4),
    st.lists(st.sampled_from(["a", "b", "ab", "a.c", "axb", "aab"]), min_size=1, max_size=4),
)
def test_a_pattern_matches_what_its_expression_matches(parts: list[str], folders: list[str]) -> None:
    signs = {"**": "(?:[^/]+/)*", "*": "[^/]*", "?": "[^/]"}
    body = "".join(
        signs["**"] if part == "**" else "".join(signs.get(sign, re.escape(sign)) for sign in part) + "/"
        for part in parts
    )
    anywhere = "(?:[^/]+/)*" if len(parts) == 1 else ""
    expected = re.fullmatch(f"{anywhere}{body}(?:[^/]+/)*", "/".join(folders) + "/") is not None
    assert matches("/".join(parts), "/".join(folders)) == expected


def test_a_pattern_of_many_stars_is_no_matter_of_hours() -> None:
    assert not matches("*a" * 200 + "b", "a" * 5000)
    assert not matches("**/a/" * 200 + "b", "a/" * 2000 + "c")
