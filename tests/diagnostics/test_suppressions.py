"""Suppressions: where a comment may stand, what it covers, and what is told of it."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.thoroughness import examples
from toolkit import api
from toolkit.data.yaml.suppression_comments import suppressions_in
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import NEVER_SUPPRESSED
from toolkit.diagnostics.report import Report
from toolkit.diagnostics.suppressions import filter_suppressed
from toolkit.project.checks import CheckRequest
from toolkit.source import SourceFile

SMALL = Path(__file__).parent.parent / "projects" / "small"
NAME = "ep-when-attacking"
ABOUT = {*NEVER_SUPPRESSED, NAME, "adds-nothing", "comment-not-allowed", "unknown-stat", "wrong-indentation"}
"""What these tests look at: what else may be odd about their cards is the matter of others."""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copytree(SMALL, tmp_path / "small")


def check(project: Path, text: str, today: str = "2026-06-01") -> Report:
    """Check the project with a file more, twice: what is remembered must say the same."""
    (project / "more.yaml").write_bytes(text.encode())
    request = CheckRequest([(project, None)], today, only=ABOUT)
    first, second = api.check(request), api.check(request)
    assert isinstance(first, Report)
    assert isinstance(second, Report)
    assert [places(first), first.suppressed] == [places(second), second.suppressed]
    return first


def places(report: Report) -> list[str]:
    """The findings with their lines."""
    return [f"{finding.name} {finding.span.begin_position.line}" for finding in report.findings]


def card(effect: str, above: str = "", behind: str = "") -> str:
    """A file with two cards that have the same mistake; the first has comments."""
    return f"""\
cards:
  {above or "# nothing"}
  - id: dash{behind}
    kind: attack
    name: {{en: Dash, de: Spurt}}
    effect: {effect}
  - id: sprint
    kind: attack
    name: {{en: Sprint, de: Sprint}}
    effect: when attacking, self gets +3 EP.
"""


ONE = "when attacking, self gets +1 EP."
WHY = f"# opforge: ignore[{NAME}] it is meant as a joke"


def test_without_a_comment_both_cards_are_told(project: Path) -> None:
    report = check(project, card(ONE))
    assert places(report) == [f"{NAME} 6", f"{NAME} 10"]
    assert report.suppressed == 0


@pytest.mark.parametrize(
    "text",
    [
        card(ONE, above=WHY),
        card(ONE, above=f"{WHY}\n  # another remark\n"),
        card(ONE, behind=f"  {WHY}"),
        card(f"{ONE}  {WHY}"),
        card(f"'{ONE}'   {WHY}"),
        card(f"|  {WHY}\n      {ONE}"),
        card(f">  {WHY}\n      {ONE}"),
        card(f"|\n      {ONE}  {WHY}"),
        card(f"|\n      {WHY}\n      {ONE}"),
        card(f"|\n      when attacking,\n      self gets +1 EP.  {WHY}"),
        card(f"|\n      {WHY}\n      when attacking,\n      self gets +1 EP."),
        card(f"|\n      when attacking,  {WHY}\n      self\n      gets +1 EP."),
        card(f"|\n      when attacking,\n      self gets +1 EP\n      and +2 AP.  {WHY}"),
        card(ONE).replace("    effect:", f"    {WHY}\n    effect:", 1),
        card(ONE, above=WHY).replace("\n", "\r\n"),
        "cards:\n- id: dash\n  kind: attack\n  name: {en: D, de: D}\n"
        f"  effect: {ONE}  {WHY}\n- {{id: two, kind: attack, name: 'x', effect: '{ONE}'}}\n",
    ],
)
def test_a_comment_keeps_the_finding_of_its_place_back_and_no_other(project: Path, text: str) -> None:
    report = check(project, text)
    assert [finding.name for finding in report.findings] == [NAME]
    assert report.suppressed == 1
    assert report.findings[0].card in ("sprint", "two")


def test_a_comment_above_a_section_covers_all_of_it(project: Path) -> None:
    for indent in ("  ", ""):
        text = card(ONE).replace("  # nothing\n", "").replace("\n  ", f"\n{indent}")
        report = check(project, f"# opforge: ignore[{NAME}] an old set\n{text}")
        assert (places(report), report.suppressed) == ([], 2)


def test_a_sentence_beside_the_comment_is_told(project: Path) -> None:
    report = check(project, card(f"|\n      {ONE}  {WHY}\n      when attacking, self gets +2 EP."))
    assert places(report) == [f"{NAME} 8", f"{NAME} 12"]
    assert report.suppressed == 1


def test_an_error_may_be_kept_back_but_the_effect_is_still_not_read(project: Path) -> None:
    report = check(project, card("self gets +1 XP.  # opforge: ignore[unknown-stat] an idea"))
    assert places(report) == [f"{NAME} 10"]
    assert report.exit_status() == 0
    assert ("dash", "effect") not in api.open_project(project).effects


@pytest.mark.parametrize(
    "text",
    [
        card(f'"{ONE} {WHY}"'),
        card(f">\n      {ONE} {WHY}"),
        card(f">\n      {WHY}\n      {ONE}"),
    ],
)
def test_a_comment_that_would_swallow_the_effect_is_a_finding(project: Path, text: str) -> None:
    report = check(project, text)
    assert "comment-not-allowed" in [finding.name for finding in report.findings]
    assert report.suppressed == 0


def test_in_a_text_it_is_no_comment(project: Path) -> None:
    text = card(ONE).replace("    effect:", f"    flavour: |\n      Fast. {WHY}\n    effect:", 1)
    report = check(project, text)
    assert report.suppressed == 0
    assert [finding.name for finding in report.findings] == [NAME, NAME]


@pytest.mark.parametrize(
    ("comment", "name", "words"),
    [
        ("# opforge: ignore", "broken-suppression", "# opforge: ignore"),
        ("# opforge ignore[a] b", "broken-suppression", "# opforge ignore[a] b"),
        ("# opforge: ingore[a] b", "broken-suppression", "# opforge: ingore[a] b"),
        ("# Opforge: ignore[a] b", "broken-suppression", "# Opforge: ignore[a] b"),
        ("# opforge: ignore[] no", "broken-suppression", "[]"),
        ("# opforge: ignore[ , ] no", "broken-suppression", "[ , ]"),
        (f"# opforge: ignore[{NAME}] until: 31.1.2027 no", "broken-suppression", "until: 31.1.2027 no"),
        (f"# opforge: ignore[{NAME}] until 2027-01-31", "broken-suppression", "until 2027-01-31"),
        (f"# opforge: ignore[{NAME}] until: 2027-02-30 no", "broken-suppression", "until: 2027-02-30 no"),
        (f"# opforge: ignore[{NAME}, fixes-met] no", "unknown-finding", "fixes-met"),
        (f"# opforge: ignore[{NAME}, unused-suppression] no", "unknown-finding", "unused-suppression"),
        (f"# opforge: ignore[{NAME}]", "missing-reason", f"# opforge: ignore[{NAME}]"),
        (f"# opforge: ignore[{NAME}] until: 2027-01-31", "missing-reason", None),
        (f"# opforge: ignore[{NAME},fixes-meet] no", "unused-suppression", "fixes-meet"),
        ("# opforge: ignore[fixes-meet] no", "unused-suppression", "fixes-meet"),
        (f"# opforge: ignore[{NAME}] until: 2026-05-31 no", "expired-suppression", None),
    ],
)
def test_what_is_wrong_with_a_comment_is_told(
    project: Path, comment: str, name: str, words: str | None
) -> None:
    report = check(project, card(ONE, above=comment))
    (finding,) = [finding for finding in report.findings if finding.name != NAME]
    assert finding.name == name
    assert finding.span.text == (comment if words is None else words)
    assert finding.next_step


def test_a_suppression_holds_on_its_last_day(project: Path) -> None:
    text = card(ONE, above=f"# opforge: ignore[{NAME}] until: 2027-01-31 soon")
    for today, names in (("2027-01-31", [NAME]), ("2027-02-01", ["expired-suppression", NAME, NAME])):
        report = check(project, text, today)
        assert [finding.name for finding in report.findings] == names


def test_several_names(project: Path) -> None:
    text = card(f"{ONE} self gets +0 EP.", above=f"# opforge: ignore[{NAME}, adds-nothing] both")
    report = check(project, text)
    assert (places(report), report.suppressed) == ([f"{NAME} 10"], 2)


def test_what_another_error_may_hide_is_not_unused(project: Path) -> None:
    unused = "# opforge: ignore[fixes-meet] for later"
    assert "unused-suppression" not in str(places(check(project, card("self gets +1 XP.", above=unused))))
    assert "unused-suppression 2" in places(check(project, card(ONE, above=unused)))
    other = project / "other.yaml"
    broken = card("self gets +1 XP.").replace("dash", "trot").replace("sprint", "canter")
    other.write_text(broken, encoding="utf-8")
    assert "unused-suppression" not in str(places(check(project, card(ONE, above=unused))))
    never = "# opforge: ignore[ap-when-attacked] for later"
    assert "unused-suppression 2" in places(check(project, card(ONE, above=never)))
    other.unlink()
    printed = "# opforge: ignore[text-overflow] long"
    assert "unused-suppression" not in str(places(check(project, card(ONE, above=printed))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (card(ONE, above="# opforge: ignore[fixes-meet] no"), card(ONE).replace("  # nothing\n", "")),
        (card(f"{ONE}  # opforge: ignore[fixes-meet] no"), card(ONE)),
        (
            card(ONE, above="# opforge: ignore[fixes-meet] no").replace("\n", "\r\n"),
            card(ONE).replace("  # nothing\n", "").replace("\n", "\r\n"),
        ),
    ],
)
def test_the_fix_of_an_unused_suppression_takes_the_comment_away(
    project: Path, text: str, expected: str
) -> None:
    (finding,) = [one for one in check(project, text).findings if one.name == "unused-suppression"]
    assert finding.fix is not None
    span = finding.fix.span
    mended = text[: span.start] + finding.fix.replacement + text[span.end :]
    assert mended == expected
    assert [finding.name for finding in check(project, mended).findings] == [NAME, NAME]


def test_what_is_wrong_with_a_comment_hides_no_other_comment(project: Path) -> None:
    report = check(project, card(ONE, above="# opforge: ignore[fixes-meet, fixes-met] no"))
    assert places(report)[:2] == ["unused-suppression 2", "unknown-finding 2"]


def test_the_project_file_may_have_comments(project: Path) -> None:
    settings = project / "opforge.yaml"
    text = settings.read_text("utf-8") + "colour: red  # opforge: ignore[unknown-key] for our own scripts\n"
    settings.write_text(text, encoding="utf-8")
    report = api.check(CheckRequest([(project, None)], "2026-06-01"))
    assert isinstance(report, Report)
    assert (report.findings, report.suppressed) == ((), 1)


def test_a_torn_file_suppresses_nothing_behind_the_tear(project: Path) -> None:
    report = check(project, "cards:\n  - id: x\n   kind: attack  # opforge: ignore[wrong-indentation] no\n")
    assert places(report) == ["wrong-indentation 3"]


def test_only_the_chosen_card_and_names_are_counted(project: Path) -> None:
    (project / "more.yaml").write_text(card(ONE, above=WHY), encoding="utf-8")
    for request, suppressed in (
        (CheckRequest([(project, None)], "2026-06-01", cards=["dash"]), 1),
        (CheckRequest([(project, None)], "2026-06-01", cards=["sprint"]), 0),
        (CheckRequest([(project, None)], "2026-06-01", only=["fixes-meet"]), 0),
        (CheckRequest([(project, project / "cards.yaml")], "2026-06-01"), 0),
    ):
        report = api.check(request)
        assert isinstance(report, Report)
        assert report.suppressed == suppressed
        assert "unused-suppression" not in str(places(report))


pieces = st.sampled_from(
    ["# opforge: ignore[", "a", "]", ",", "until:", " 2027-01-31", "\n", "  ", "- ", "effect: ", "|", ">",
     "'", '"', "x: ", "[", "{", "}", "#", "🐍", "\t", "self gets +1 AP.", "cards:\n", "\r\n"]
)  # fmt: skip


@examples(150)
@given(st.lists(pieces, max_size=25).map("".join))
def test_no_text_breaks_it(text: str) -> None:
    file = SourceFile(Path("/x.yaml"), "x.yaml", text)
    suppressions, findings = suppressions_in(file)
    for suppression in suppressions:
        assert suppression.span.text.startswith("#")
        assert 0 <= suppression.covers.start <= suppression.covers.end <= len(text)
    assert all(finding.span.text or not text for finding in findings)
    there = [Diagnostic("unknown-stat", "", file.span(0, 0))]
    filtered = filter_suppressed(there, suppressions, "2026-06-01")
    assert len(filtered.suppressed) + len(filtered.reported) >= 1


def test_a_suppressed_error_does_not_hide_an_unused_suppression(project: Path) -> None:
    both = "self gets +1 XP.  # opforge: ignore[unknown-stat, fixes-meet] an idea"
    report = check(project, card(both))
    assert places(report) == ["unused-suppression 6", f"{NAME} 10"]
    assert report.findings[0].span.text == "fixes-meet"
    assert report.suppressed == 1


def test_a_suppressed_error_in_one_sentence_does_not_hide_an_unused_suppression_in_another(
    project: Path,
) -> None:
    effect = f"""|
      self gets +1 XP.  # opforge: ignore[unknown-stat] an idea
      {ONE}  # opforge: ignore[adds-nothing] nothing to suppress"""
    assert "unused-suppression 8" in places(check(project, card(effect)))


stretches = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda ends: (min(ends), max(ends)))


@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from("ab")), max_size=8),
    st.lists(st.tuples(stretches, st.sampled_from(["a", "b", "a, b"])), max_size=8),
)
def test_what_is_suppressed_is_what_one_of_the_suppressions_covers(
    found: list[tuple[int, str]], written: list[tuple[tuple[int, int], str]]
) -> None:
    names = {"a": "ap-when-attacked", "b": "fixes-meet"}
    comments = [", ".join(names[one] for one in listed.split(", ")) for _, listed in written]
    text = "0123456789\n" + "".join(f"# opforge: ignore[{listed}] x\n" for listed in comments)
    file = SourceFile(Path("/x.yaml"), "x.yaml", text)
    suppressions = [
        replace(one, covers=file.span(*covers))
        for one, (covers, _) in zip(suppressions_in(file)[0], written, strict=True)
    ]
    findings = [Diagnostic(names[name], "", file.span(at, at)) for at, name in found]
    filtered = filter_suppressed(findings, suppressions, "2026-06-01")
    for finding in findings:
        at = finding.span.start
        covered = any(
            one.covers.start <= at <= one.covers.end and finding.name in {name.text for name in one.names}
            for one in suppressions
        )
        assert (finding in filtered.suppressed) == covered
    unused = [one.span for one in filtered.reported if one.name == "unused-suppression"]
    assert unused == [
        name
        for one in suppressions
        for name in one.names
        if not any(
            finding.name == name.text and one.covers.start <= finding.span.start <= one.covers.end
            for finding in findings
        )
    ]
