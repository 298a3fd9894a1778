"""``opforge fmt``: what it writes, what it leaves alone, and that nothing gets lost."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from toolkit.apps.cli import run

PROJECT = "project: Owls\nlanguages: [en]\n"
LOOSE = "teams:\n- name:  Owls  # who?\n  id: owls\n"
TIGHT = "teams:\n  - id: owls\n    name: Owls  # who?\n"
BROKEN = "teams:\n  - id: [owls\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one file to be formatted, one that is right, and one that cannot be read."""
    for name, text in (("opforge", PROJECT), ("loose", LOOSE), ("tight", TIGHT)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def texts(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(project.iterdir())}


def test_files_are_formatted_and_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fmt"]) == 0
    assert (project / "loose.yaml").read_text() == TIGHT
    assert capsys.readouterr().out == "Formatted loose.yaml\n1 file formatted, 2 files already formatted.\n"
    assert run(["fmt"]) == 0
    assert capsys.readouterr().out == "3 files already formatted.\n"


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_check_and_diff_write_nothing(project: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = texts(project)
    assert run(["fmt", option]) == 1
    assert texts(project) == before
    out = capsys.readouterr().out
    if option == "--check":
        assert out == "Would format loose.yaml\n1 file would be formatted, 2 files already formatted.\n"
    else:
        assert out.startswith("--- loose.yaml\n+++ loose.yaml\n@@")
        assert "-- name:  Owls  # who?\n" in out
    assert run(["fmt", option, "tight.yaml"]) == 0


def test_only_what_lies_below_the_path_is_formatted(project: Path) -> None:
    (project / "more").mkdir()
    (project / "more" / "deep.yaml").write_text(LOOSE)
    assert run(["fmt", "more"]) == 0
    assert (project / "more" / "deep.yaml").read_text() == TIGHT
    assert (project / "loose.yaml").read_text() == LOOSE


def test_a_file_with_mistakes_is_left_alone_and_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "broken.yaml").write_text(BROKEN)
    (project / "latin.yaml").write_bytes("teams: # ä\n".encode("latin-1"))
    assert run(["fmt"]) == 1
    reported = capsys.readouterr()
    assert reported.out.endswith("1 file formatted, 2 files already formatted, 2 files skipped.\n")
    assert "error[unmatched-bracket]" in reported.err
    assert "error[wrong-encoding]" in reported.err
    assert (project / "broken.yaml").read_text() == BROKEN


def test_mark_mode_link_and_line_ends_stay(project: Path) -> None:
    target = project / "there" / "real.yaml"
    target.parent.mkdir()
    target.write_bytes(b"\xef\xbb\xbf" + LOOSE.replace("\n", "\r\n").encode())
    target.chmod(0o640)
    (project / "link.yaml").symlink_to(target)
    assert run(["fmt"]) == 0
    assert (project / "link.yaml").is_symlink()
    assert target.read_bytes() == b"\xef\xbb\xbf" + TIGHT.replace("\n", "\r\n").encode()
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_link_that_leads_out_of_the_project_is_never_written(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "cards.yaml"
    outside.write_text(LOOSE)
    (project / "link.yaml").symlink_to(outside)
    assert run(["fmt"]) == 0
    assert outside.read_text() == LOOSE


def test_a_read_only_file_stays_and_is_reported(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "loose.yaml").chmod(0o444)
    assert run(["fmt"]) == 2
    reported = capsys.readouterr()
    assert "loose.yaml is read-only; it was not changed." in reported.err
    assert "Formatted" not in reported.out
    assert (project / "loose.yaml").read_text() == LOOSE


def test_a_file_that_changes_in_the_meantime_is_left_alone(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from toolkit import api

    def save(change: object) -> str | None:
        (project / "loose.yaml").write_text("teams: []\n")
        return real(change)  # type: ignore[arg-type]

    real = api.save
    monkeypatch.setattr(api, "save", save)
    assert run(["fmt"]) == 2
    assert "has changed in the meantime" in capsys.readouterr().err
    assert (project / "loose.yaml").read_text() == "teams: []\n"


def test_ctrl_c_leaves_every_file_whole(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "other.yaml").write_text(LOOSE.replace("owls", "foxes"))
    replace, calls = os.replace, []

    def interrupted(source: str, target: str) -> None:
        calls.append(target)
        if len(calls) == 2:
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr(os, "replace", interrupted)
    assert run(["fmt"]) == 130
    assert sorted(texts(project)) == ["loose.yaml", "opforge.yaml", "other.yaml", "tight.yaml"]
    assert (project / "loose.yaml").read_text() == TIGHT
    assert (project / "other.yaml").read_text() == LOOSE.replace("owls", "foxes")


@pytest.mark.parametrize(
    ("text", "out", "status"),
    [
        (LOOSE.encode(), TIGHT.encode(), 0),
        (b"\xef\xbb\xbf" + LOOSE.encode(), b"\xef\xbb\xbf" + TIGHT.encode(), 0),
        (b"", b"", 0),
        ("teams: # 😀".encode(), "teams: # 😀\n".encode(), 0),
        (BROKEN.encode(), b"", 1),
    ],
)
def test_standard_input_is_printed_formatted(
    text: bytes,
    out: bytes,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert run(["fmt", "-", "--stdin-filename", "cards.yaml"]) == status
    reported = capsysbinary.readouterr()
    assert reported.out == out
    assert (b"cards.yaml:2:" in reported.err) == (status == 1)


def test_a_path_in_no_project_is_passed_over_when_asked_for(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "workflow.yaml"
    outside.write_text(LOOSE)
    assert run(["fmt", "--in-projects", str(outside)]) == 0
    assert run(["fmt", "--in-projects", str(outside), "loose.yaml"]) == 0
    assert outside.read_text() == LOOSE
    assert (project / "loose.yaml").read_text() == TIGHT


@pytest.mark.parametrize(
    "arguments", [["none.yaml"], ["-", "loose.yaml"], ["--stdin-filename", "x.yaml"], ["/"]]
)
def test_wrong_use(project: Path, arguments: list[str]) -> None:
    before = texts(project)
    assert run(["fmt", *arguments]) == 2
    assert texts(project) == before


def test_many_mistakes_are_counted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "torn.yaml").write_text("teams:\n" + "  - {id: a, id: b}\n" * 300, encoding="utf-8")
    assert run(["fmt", "torn.yaml"]) == 1
    err = capsys.readouterr().err
    assert err.count("error[") == 200
    assert "100 more findings are not listed: 100 in torn.yaml." in err
