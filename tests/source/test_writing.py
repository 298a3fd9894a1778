"""Output files are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolkit.source.writing import write_atomically


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    target = tmp_path / "sheet.pdf"
    write_atomically(target, b"one")
    write_atomically(target, b"two")
    assert target.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["sheet.pdf"]


def test_an_interrupted_run_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "sheet.pdf"
    target.write_bytes(b"old")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(target, b"new")
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["sheet.pdf"]


def test_a_folder_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="none"):
        write_atomically(tmp_path / "none" / "sheet.pdf", b"")


@pytest.mark.skipif(os.name == "nt", reason="modes are not kept there")
def test_the_file_has_an_ordinary_mode(tmp_path: Path) -> None:
    plain, target = tmp_path / "plain", tmp_path / "sheet.pdf"
    plain.write_bytes(b"")
    write_atomically(target, b"")
    assert target.stat().st_mode == plain.stat().st_mode
    target.chmod(0o640)
    write_atomically(target, b"again")
    assert target.stat().st_mode & 0o777 == 0o640
