"""Workbooks as people and strangers make them: far cells, merges, hidden parts, what a cell shows."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.styles import PatternFill

from toolkit.editing.tables.table_reader import Book, read_book

HEADER = ["id", "kind", "name", "number"]


def saved(book: Workbook, folder: Path) -> Path:
    path = folder / "cards.xlsx"
    book.save(path)
    return path


def sheet_with(*rows: list[object]) -> Workbook:
    book = Workbook()
    book.active.title = "item"
    for row in (HEADER, *rows):
        book.active.append(row)
    return book


def read(path: Path) -> Book:
    book = read_book(path)
    assert isinstance(book, Book), book
    return book


def rewritten(path: Path, old: bytes, new: bytes, renamed: str = "") -> Path:
    """Replace bytes in a sheet's part, which may get another name."""
    content = io.BytesIO()
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            inside = before.read(name)
            if name == "xl/worksheets/sheet1.xml":
                assert old in inside
                inside, name = inside.replace(old, new), renamed or name
            elif renamed:
                inside = inside.replace(b"worksheets/sheet1.xml", renamed.removeprefix("xl/").encode())
            after.writestr(name, inside)
    path.write_bytes(content.getvalue())
    return path


def test_a_merge_over_a_whole_sheet_in_a_part_of_any_name_is_only_told(tmp_path: Path) -> None:
    path = saved(sheet_with(["a1", "item", "Alpha", 7]), tmp_path)
    merge = b'<mergeCells count="1"><mergeCell ref="A1:XFD100"/></mergeCells><pageMargins'
    book = read(rewritten(path, b"<pageMargins", merge, "xl/strange.bin"))
    assert [problem.place for problem in book.problems] == ["cards.xlsx#item!A1:XFD100"]
    assert [dict(row.cells)["id"] for row in book.sheets[0].rows] == ["a1"]


@pytest.mark.parametrize("cell", ["NZ20000", "A20003", "XFD1"])
def test_cells_far_apart_are_too_much(cell: str, tmp_path: Path) -> None:
    book = sheet_with(["a1", "item", "Alpha", 7])
    book.active["A20000"] = "x"
    book.active[cell] = "x"
    refused = read_book(saved(book, tmp_path))
    if cell == "NZ20000":  # within both limits
        assert isinstance(refused, Book)
        return
    assert refused == "cards.xlsx#item has more than 20,000 rows or 400 columns; split it."


def test_empty_cells_with_a_format_do_not_count(tmp_path: Path) -> None:
    book = sheet_with(["a1", "item", "Alpha", 7])
    for column in range(1, 1_025):
        book.active.cell(1, column).fill = PatternFill("solid", fgColor="ffff00")
    book.active.cell(1_048_576, 3).fill = PatternFill("solid", fgColor="ffff00")
    (row,) = read(saved(book, tmp_path)).sheets[0].rows
    assert dict(row.cells) == {"id": "a1", "kind": "item", "name": "Alpha", "number": "7"}


def test_what_is_hidden_is_read_and_told(tmp_path: Path) -> None:
    book = sheet_with(["a1", "item", "Alpha", 1], ["a2", "item", "Beta", 2], ["a3", "item", "Gamma", 3])
    book.active.row_dimensions[3].hidden = True
    book.active.column_dimensions["D"].hidden = True
    old = book.create_sheet("old")
    old.append(HEADER)
    old.append(["z9", "item", "Zeta", 1])
    old.sheet_state = "hidden"
    found = read(saved(book, tmp_path))
    assert sum(len(sheet.rows) for sheet in found.sheets) == 4
    told = [(problem.place, problem.message, problem.serious) for problem in found.problems]
    assert told == [
        ("cards.xlsx#item!A3", "1 row is hidden (3); it was read.", False),
        ("cards.xlsx#item!D1", "1 column is hidden (D); it was read.", False),
        ("cards.xlsx#old", "This sheet is hidden; it was read.", False),
    ]


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (7, "000", "007"),
        (1.1, "0.00", "1.10"),
        (0.5, "0%", "50%"),
        (-3, "00", "-03"),
        (4.0, "General", "4"),
        (12, '"No. "0', "No. 12"),
        (3, "0", "3"),
        ("x_x000D_y", "General", "xy"),
        (True, "General", "true"),
    ],
)
def test_a_text_is_what_the_cell_shows(value: object, form: str, shown: str, tmp_path: Path) -> None:
    book = sheet_with(["a1", "item", "Alpha", value])
    book.active["D2"].number_format = form
    found = read(saved(book, tmp_path))
    assert found.sheets[0].rows[0].cells["number"] == shown
    assert found.problems == ()


def test_a_format_that_is_not_written_out_is_told(tmp_path: Path) -> None:
    book = sheet_with(["a1", "item", "Alpha", 1234.5])
    book.active["D2"].number_format = "# ?/?"
    (problem,) = read(saved(book, tmp_path)).problems
    assert (problem.place, problem.name, problem.serious) == ("cards.xlsx#item!D2", "wrong-cell", False)


def test_error_cells_are_no_names(tmp_path: Path) -> None:
    book = sheet_with(["a1", "item", "#REF!", 1], ["a2", "item", "#N/A", 1])
    found = read(saved(book, tmp_path))
    assert [problem.place for problem in found.problems] == ["cards.xlsx#item!C2", "cards.xlsx#item!C3"]
    assert [row.cells["name"] for row in found.sheets[0].rows] == ["", ""]
    (tmp_path / "t.csv").write_text("id,name\na1,#NV\n", encoding="utf-8")
    (problem,) = read(tmp_path / "t.csv").problems
    assert (problem.place, problem.message) == ("t.csv:2", "A cell has the error `#NV`.")


@pytest.mark.parametrize(
    ("text", "headers"),
    [
        ("sep=;\nid;name\na;b,c\n", ["id", "name"]),
        ('id;kind;"note, own, mine"\na;item;x\n', ["id", "kind", "note, own, mine"]),
        ('"note\n(mine)";id\nx;a\n', ["note\n(mine)", "id"]),
        ("id|name\na|b\n", ["id", "name"]),
        ("id\tname\na\tb, c, d\n", ["id", "name"]),
        ('id,effect\na,"x; y; z"\n', ["id", "effect"]),
        ("id\na\n", ["id"]),
    ],
)
def test_the_delimiter_is_the_one_with_which_rows_fit(text: str, headers: list[str], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text, encoding="utf-8", newline="")
    (sheet,) = read(tmp_path / "t.csv").sheets
    assert list(sheet.headers) == headers


@pytest.mark.parametrize("name", ["a.xls", "a.ods", "a.numbers", "a.doc"])
def test_other_files_are_named(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"x")
    refused = read_book(tmp_path / name)
    assert isinstance(refused, str)
    assert ".csv or .xlsx" in refused
