"""Files are read as UTF-8, and what cannot be read is a problem with a place."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.source import ReadProblem, SourceFile, read_file, shown_name
from toolkit.source.reading import FORBIDDEN, LARGEST_FILE, decode_source


def problem(data: bytes) -> ReadProblem:
    found = decode_source(data, Path("a.yaml"), "a.yaml")
    assert isinstance(found, ReadProblem)
    return found


def test_a_bom_is_taken_off_and_line_ends_stay(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes("\ufeffä: b\r\nc\n".encode())
    read = read_file(tmp_path / "a.yaml")
    assert isinstance(read, SourceFile)
    assert read.text == "ä: b\r\nc\n"


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        ("name: Gew\xe4hr".encode("latin-1"), 1, 10),
        (b"\xef\xbb\xbfa: b\n\xc3\xa4\xff", 2, 2),
        (b"a: \xe2\x82", 1, 4),
        (b"\xed\xa0\x80", 1, 1),
    ],
)
def test_a_wrong_encoding_is_told_at_the_byte(data: bytes, line: int, column: int) -> None:
    found = problem(data)
    assert found.name == "wrong-encoding"
    assert found.span.begin_position == (line, column)
    assert found.span.text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_called_by_its_name(encoding: str) -> None:
    found = problem("cards: []\n".encode(encoding))
    assert found.name == "wrong-encoding"
    assert "UTF-16" in found.message


@pytest.mark.parametrize(
    ("text", "column", "code"), [("a: \x00b", 4, "U+0000"), ("a\x1b", 2, "U+001B"), ("ab\ufeff", 3, "U+FEFF")]
)
def test_control_characters_are_told_at_their_place(text: str, column: int, code: str) -> None:
    found = problem(text.encode())
    assert found.name == "control-character"
    assert found.span.begin_position == (1, column)
    assert code in found.message


@pytest.mark.parametrize(
    "text", ["\t\n\r", "\x85\xa0\u2028", "\ud7ff\ue000\ufefe\uff00\ufffd", "\U00010000\U0010ffff"]
)
def test_ordinary_characters_are_none(text: str) -> None:
    assert isinstance(decode_source(text.encode(), Path("a"), "a"), SourceFile)


def test_files_that_cannot_be_read_are_problems(tmp_path: Path) -> None:
    (tmp_path / "large.yaml").write_bytes(b" " * (LARGEST_FILE + 1))
    (tmp_path / "just.yaml").write_bytes(b" " * LARGEST_FILE)
    assert isinstance(read_file(tmp_path / "just.yaml"), SourceFile)
    for name, finding in (
        ("large.yaml", "file-too-large"),
        ("missing.yaml", "unreadable-file"),
        (".", "unreadable-file"),
        ("a\0b", "unreadable-file"),
    ):
        read = read_file(tmp_path / name)
        assert isinstance(read, ReadProblem)
        assert (read.name, read.span.begin_position) == (finding, (1, 1))
        assert read.message.endswith(".")


def test_names_are_relative_and_can_be_printed(tmp_path: Path) -> None:
    assert shown_name(tmp_path / "a" / "b.yaml", tmp_path) == "a/b.yaml"
    assert shown_name(tmp_path / "b.yaml", tmp_path / "a") == "../b.yaml"
    assert shown_name(tmp_path / "a\nb\udcff.yaml", tmp_path) == "a?b?.yaml"


@given(st.binary(max_size=200))
def test_any_bytes_are_a_file_or_a_problem_inside_it(data: bytes) -> None:
    read = decode_source(data, Path("a"), "a")
    if isinstance(read, ReadProblem):
        assert 0 <= read.span.start <= read.span.end <= len(read.span.file.text)
        assert read.next_step


def test_what_is_forbidden_is_not_printable() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    assert not any(sign.isprintable() for sign in re.findall(FORBIDDEN, everything))
