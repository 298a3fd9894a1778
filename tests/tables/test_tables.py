"""Cards out to a table and back: only what differs is written, and nothing wrong ever is."""

from __future__ import annotations

import csv
import html
import io
import json
import zipfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from shutil import copytree, rmtree
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from openpyxl import Workbook, load_workbook

from tests.conftest import read_before
from toolkit.apps.cli import run as run_program
from toolkit.editing.tables.columns import columns_of, join_words, split_words
from toolkit.editing.tables.importing import ImportPlan, ImportRequest, plan_import
from toolkit.editing.tables.rows import Table, table_of
from toolkit.editing.tables.table_formats import FORMATS, escape_formula, unescape_formula
from toolkit.editing.tables.table_reader import Book, Sheet, SheetRow, read_book
from toolkit.project.pipeline import Workspace, open_project
from toolkit.resources import cards_folder

PROJECTS = Path(__file__).parent.parent / "projects"

STYLES = """\
# Cards in all styles of YAML.
cards:
  - id: plain          # a comment behind the id
    kind: attack
    name: {en: Plain, de: "Schlicht"}     # and one here
    effect: when attacking, self gets +2 AP.
    # a comment between two keys
    flavour:
      en: 'It''s plain.'
      de: "Es ist \\"schlicht\\"."
    quantity: 2

  - id: block
    kind: defence
    name: Block
    effect: |
      when attacked, self gets +2 EP.
      self gets -1 AP.
    art: {file: art/viper.svg, focus: [0.5, 0.2]}
    tags:
      - one
      - two
  - {id: flow, kind: attack, name: Flow, effect: "when attacking, self gets +1 AP.", quantity: 1}
  - id: eagle
    kind: operator
    name: Eagle
    team: night-owls
    squadpoints: 3
    ap: 3
    ep: 3
    dp: 5
    mp: 2
    traits: [scout, "two, words"]
    skills:
      - name: {en: High up, de: Hoch oben}
        effect: when attacking, self gets +1 AP.
      - effect: >-
          when attacked,
          self gets +1 EP.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables") / "cards"


@pytest.fixture
def project(folder: Path, cards_read_once: None) -> Path:  # noqa: ARG001
    """Always in the same folder, so that its files are read once."""
    rmtree(folder, ignore_errors=True)
    copytree(PROJECTS / "small", folder)
    (folder / "art").mkdir()
    (folder / "art" / "viper.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 9"/>')
    (folder / "styles.yaml").write_text(STYLES, encoding="utf-8")
    return folder


class Result(NamedTuple):
    output: str


def run(*arguments: str | Path, expected: int = 0) -> Result:
    """What a command prints, on both streams."""
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        status = run_program([str(argument) for argument in arguments])
    assert status == expected, output.getvalue()
    return Result(output.getvalue())


def book_of(table: Table) -> Book:
    headers = dict.fromkeys(table.columns, "t:1")
    rows = tuple(SheetRow(f"t:{number}", row.cells, {}) for number, row in enumerate(table.rows, 2))
    return Book((Sheet("", headers, rows),))


def with_cell(table: Table, id: str, header: str, cell: str) -> Book:
    """The table with one cell changed."""
    headers = dict.fromkeys((*table.columns, header), "t:1")
    rows = [
        SheetRow(f"t:{number}", {**row.cells, header: cell} if row.id == id else row.cells, {})
        for number, row in enumerate(table.rows, 2)
    ]
    return Book((Sheet("", headers, tuple(rows)),))


def update(workspace: Workspace, book: Book, **options: bool) -> ImportPlan:
    return plan_import(workspace, book, ImportRequest(update=True, **options))  # type: ignore[arg-type]


def contents(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(project.rglob("*.yaml"))}


# ------------------------------------------------------------------------------------------ there and back


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_export_and_import_change_no_byte(project: Path, tmp_path: Path, ending: str) -> None:
    before = contents(project)
    table = tmp_path / f"cards{ending}"
    run("export", table, "--project", project)
    assert run("import", table, "--project", project, "--update").output == "Cards: no change.\n"
    assert contents(project) == before


def test_the_shipped_set_comes_back_as_it_is(tmp_path: Path) -> None:
    workspace = open_project(cards_folder())
    for ending in (".csv", ".xlsx"):
        (tmp_path / f"cards{ending}").write_bytes(FORMATS[ending](workspace, ()))
        book = read_book(tmp_path / f"cards{ending}")
        assert isinstance(book, Book)
        plan = update(workspace, book)
        assert (plan.changes, plan.problems, plan.missing) == ((), (), ()), ending


@pytest.mark.parametrize("ending", list(FORMATS))
def test_the_same_cards_give_the_same_bytes(project: Path, ending: str) -> None:
    workspace = open_project(project)
    assert FORMATS[ending](workspace, ()) == FORMATS[ending](workspace, ())


CELLS = st.one_of(
    st.sampled_from(
        ["", "4", "0012", "true", "null", "- x", "a: b", "# x", "[x]", "{x}", "it's", '"', "|", "=1+1"]
    ),
    st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=12),
    st.lists(st.sampled_from(["one", "two words", "Ä: ö", "# three"]), min_size=2, max_size=3).map("\n".join),
)


@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_changed_cell_changes_only_its_value(data: st.DataObject, project: Path) -> None:
    """The row then says what was written into the cell, and all else is as it was; or it is refused.

    Nothing is written, so that all examples may be of one project.
    """
    cache = read_before(project).cache
    workspace = open_project(project, cache=cache)
    table = table_of(workspace)
    row = data.draw(st.sampled_from(table.rows))
    keys = [header for header in row.cells if not header.startswith("#") and header not in ("id", "kind")]
    header, cell = data.draw(st.sampled_from(keys)), data.draw(CELLS).strip()
    plan = update(workspace, with_cell(table, row.id, header, cell))
    if plan.serious:
        return
    overlay = {change.file.path: change.after for change in plan.changes}
    after = open_project(project, overlay, cache)
    found = {one.id: one for one in table_of(after).rows}
    for one in table.rows:
        for name, before in one.cells.items():
            expected = cell if (one.id, name) == (row.id, header) else before
            if not name.startswith("#"):
                now = found[one.id].cells.get(name, "")
                assert (
                    split_words(now) == split_words(expected)
                    if name in ("traits", "tags")
                    else now == expected
                )
    for change in plan.changes:
        for comment in ("# a comment behind the id", "# and one here", "# a comment between two keys"):
            assert (comment in change.after) == (comment in change.file.text)


@pytest.mark.parametrize(
    ("id", "header", "cell", "before", "after"),
    [
        ("plain", "quantity", "3", "    quantity: 2\n", "    quantity: 3\n"),
        ("plain", "quantity", "", "    quantity: 2\n", ""),
        ("plain", "name.en", "Simple", "{en: Plain, de", "{en: Simple, de"),
        ("plain", "name.de", "Ein: Ding", '"Schlicht"', '"Ein: Ding"'),
        ("plain", "flavour.en", "So's this.", "'It''s plain.'", "'So''s this.'"),
        ("block", "tags", "one, three", "tags:\n      - one\n      - two", "tags: [one, three]"),
        ("block", "art", "art/viper.svg", "", ""),
        ("block", "effect", "when attacked, self gets +3 EP.", "+2 EP.\n      self gets -1 AP.", "+3 EP."),
        ("block", "artist", "Jane", "    tags:", "    tags:"),
        ("flow", "quantity", "4", "quantity: 1}", "quantity: 4}"),
        ("flow", "artist", "Doe, Jane", "quantity: 1}", 'quantity: 1, artist: "Doe, Jane"}'),
        ("eagle", "traits", '"two, words"', '[scout, "two, words"]', '["two, words"]'),
        ("eagle", "ap", "4.0", "    ap: 3\n", "    ap: 4\n"),
        ("eagle", "skill2.effect", "when attacked, self gets +2 EP.", "self gets +1 EP.", "self gets +2 EP."),
    ],
)
def test_a_value_is_changed_in_its_own_style(
    project: Path, id: str, header: str, cell: str, before: str, after: str
) -> None:
    workspace = open_project(project)
    plan = update(workspace, with_cell(table_of(workspace), id, header, cell))
    assert [problem for problem in plan.problems if problem.serious] == []
    text = plan.changes[0].after if plan.changes else STYLES
    if header == "artist" and id == "block":
        assert text == STYLES.replace("      - two\n", "      - two\n    artist: Jane\n")
    elif header == "skill2.effect":
        assert "self gets +2 EP." in text
    else:
        assert before in STYLES
        assert text == STYLES.replace(before, after, 1)


def test_a_skill_is_added_and_taken_away(project: Path) -> None:
    workspace = open_project(project)
    table = table_of(workspace)
    book = with_cell(table, "viper", "skill2.effect", "when attacked, self gets +1 EP.")
    plan = update(workspace, book)
    assert [problem for problem in plan.problems if problem.serious] == []
    after = open_project(project, {change.file.path: change.after for change in plan.changes})
    assert len(after.cards.cards["viper"].skills) == 2
    rows = [
        SheetRow("t:1", {"id": "eagle", "skill2.effect": ""}, {}),
    ]
    gone = update(workspace, Book((Sheet("", {"id": "t:1", "skill2.effect": "t:1"}, tuple(rows)),)))
    assert gone.updated == ("eagle",)
    assert gone.changes[0].after == STYLES[: STYLES.index("      - effect: >-")]


# ------------------------------------------------------------------------------------------ new and missing


def table_file(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "table.csv"
    path.write_text(text, encoding=encoding, newline="")
    return path


def test_a_sheet_made_elsewhere_becomes_cards(project: Path, tmp_path: Path) -> None:
    text = (
        "Title;Typ;Kosten;Team;Angriff;ep;dp;mp;Merkmale;Fähigkeit 1;Anzahl\r\n"
        "Öse;OPERATOR;3;night-owls;4;2;5;2;sniper, scout;when attacking, self gets +1 AP.;2\r\n"
    )
    table = table_file(tmp_path, text)
    result = run("import", table, "--project", project, "--map", "Angriff=ap")
    assert "1 added" in result.output
    card = open_project(project).cards.cards["oese"]
    assert (card.stats, card.squadpoints) == ({"AP": 4, "EP": 2, "DP": 5, "MP": 2}, 3)
    assert (card.traits, card.quantity, len(card.skills)) == (("sniper", "scout"), 2, 1)
    written = (project / "cards.yaml").read_text(encoding="utf-8")
    assert "  - id: oese\n    kind: operator\n    name:" in written
    run("fmt", project / "cards.yaml", "--check")


@pytest.mark.parametrize(
    ("renamed", "said"),
    [
        ("Angriff=app", "`app` of --map is not a key of a card. Did you mean `ap`?"),
        (
            "Angriff=strength",
            "`strength` of --map is not a key of a card. Write a key such as `ap` or `name.en`.",
        ),
        ("Angrif=ap", "The table has no column `Angrif`. Write one of its headers."),
    ],
)
def test_a_wrong_map_is_reported(project: Path, tmp_path: Path, renamed: str, said: str) -> None:
    table = table_file(tmp_path, "id,Angriff\nviper,5\n")
    result = run("import", table, "--project", project, "--map", renamed, expected=1)
    assert f": error[unknown-column]: {said}\n" in result.output


def test_a_kind_without_a_file_gets_one(project: Path, tmp_path: Path) -> None:
    text = "id,kind,name.en,name.de,effect\nmug,item,Mug,Becher,self gets +1 EP.\n"
    text += "hat,item,Hat,Hut,self gets +1 DP.\n"
    run("import", table_file(tmp_path, text), "--project", project)
    cards = open_project(project).cards.cards
    assert [cards[id].file.name.rsplit("/", 1)[-1] for id in ("mug", "hat")] == ["item.yaml", "item.yaml"]


def test_missing_rows_are_reported_and_deleted_only_if_told(project: Path, tmp_path: Path) -> None:
    table = table_file(tmp_path, "id,kind\nviper,operator\naimed-shot,attack\n")
    before = contents(project)
    said = " 3 cards without a row were kept: plain, flow, eagle.\n"
    assert said in run("import", table, "--project", project, "--update").output
    table.write_text("id,kind\nviper,operator\naimed-shot,attack\nplain,\nflow,\n", encoding="utf-8")
    said = " 1 card without a row was kept: eagle.\n"
    assert said in run("import", table, "--project", project, "--update").output
    table = table_file(tmp_path, "id,kind\nviper,operator\naimed-shot,attack\n")
    assert contents(project) == before
    run("import", table, "--project", project, "--update", "--delete-missing")
    assert set(open_project(project).cards.cards) == {"viper", "aimed-shot", "high-ground", "block"}


def test_a_dry_run_shows_the_difference_and_writes_nothing(project: Path, tmp_path: Path) -> None:
    before = contents(project)
    table = table_file(tmp_path, "id,ap\nviper,5\n")
    shown = run("import", table, "--project", project, "--update", "--dry-run").output
    assert "-    ap: 4\n+    ap: 5\n" in shown
    assert contents(project) == before


def test_without_update_cards_are_only_added(project: Path, tmp_path: Path) -> None:
    before = contents(project)
    result = run("import", table_file(tmp_path, "id,ap\nviper,5\n"), "--project", project)
    assert "row-exists" in result.output
    assert contents(project) == before


def test_a_row_and_a_card_that_both_changed_are_a_conflict(project: Path, tmp_path: Path) -> None:
    table = tmp_path / "cards.csv"
    run("export", table, "--project", project)
    file = project / "cards.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("ap: 4", "ap: 6"), encoding="utf-8")
    assert "no change" in run("import", table, "--project", project, "--update").output
    was = "viper,operator,Viper,Viper,night-owls,4"
    edited = table.read_text(encoding="utf-8-sig").replace(was, was[:-1] + "5")
    table.write_text(edited, encoding="utf-8-sig")
    assert "row-conflict" in run("import", table, "--project", project, "--update", expected=1).output
    run("import", table, "--project", project, "--update", "--theirs")
    assert (
        open_project(project).cards.cards["viper"].squadpoints,
        open_project(project).cards.cards["viper"].stats["AP"],
    ) == (5, 4)


# ------------------------------------------------------------------------------------------ what is wrong


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('id,ap\nviper,"4,5"\n', "wrong-cell"),
        ("id,ap\nviper,four\n", "wrong-cell"),
        ("id,ap\nviper,4\nviper,5\n", "wrong-cell"),
        ("id,kind\nviper,attack\n", "wrong-cell"),
        ("id,kind\nnew one,attack\n", "wrong-cell"),
        ("id,kind\nnew-one,spell\n", "wrong-cell"),
        ("id,ap\naimed-shot,4\n", "wrong-cell"),
        ("id,ap,ap \nviper,4,5\n", "unknown-column"),
        ("id,squadpoits\nviper,4\n", "unknown-column"),
        ("id,ap\nviper,99999\n", "out-of-range"),
        ("id,effect\naimed-shot,when atacking\n", "error["),
        ("id,team\nviper,nobody\n", "unknown-team"),
        ("id,kind,name.en\nnew-one,attack,New\n", "error["),
    ],
)
def test_a_mistake_is_reported_at_its_row_and_nothing_is_written(
    project: Path, tmp_path: Path, text: str, name: str
) -> None:
    before = contents(project)
    result = run("import", table_file(tmp_path, text), "--project", project, "--update", expected=1)
    assert name in result.output
    assert "table.csv:" in result.output
    assert contents(project) == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,kind\nnew,spell\n", "one of operator, attack, defence, effect, strategy, item, objective into"),
        ("id,mp,ap,ep\nviper,9,9,3\n", "`viper` exists, and its row differs (mp, ap)."),
        ("id,mp,ap,ep,dp,squadpoints\nviper,9,9,9,9,9\n", "and its row differs (mp, ap, ep, dp)."),
    ],
)
def test_words_are_listed_in_the_order_of_the_table(
    project: Path, tmp_path: Path, text: str, words: str
) -> None:
    exit_status = 0 if "differs" in words else 1
    result = run("import", table_file(tmp_path, text), "--project", project, expected=exit_status)
    assert words in result.output


def test_encodings_and_separators(project: Path, tmp_path: Path) -> None:
    for encoding, sign in (("utf-8", ","), ("utf-8-sig", ";"), ("utf-16", "\t"), ("cp1252", ";")):
        table = table_file(tmp_path, f"id{sign}name.de\nviper{sign}Ötter\n", encoding)
        result = run("import", table, "--project", project, "--update", "--dry-run")
        assert "Ötter" in result.output, encoding
        assert ("table-encoding" in result.output) == (encoding == "cp1252")


def test_what_is_no_table_is_refused(project: Path, tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b" " * 70_000_000, compresslevel=1)
    (tmp_path / "text.xlsx").write_text("no spreadsheet")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "bytes.csv").write_bytes(bytes(range(256)))
    (tmp_path / "long.csv").write_text("id\n" + "viper\n" * 30_000)
    for name in (
        "bomb.xlsx",
        "text.xlsx",
        "empty.csv",
        "bytes.csv",
        "long.csv",
        "missing.csv",
        "macros.xlsm",
    ):
        result = run("import", tmp_path / name, "--project", project, expected=2)
        assert "Error: " in result.output, name


def test_a_whole_sheet_that_is_merged_is_read_as_any_other(project: Path, tmp_path: Path) -> None:
    table, huge = tmp_path / "cards.xlsx", tmp_path / "huge.xlsx"
    run("export", table, "--project", project, "--kind", "operator")
    merged = b'<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    with zipfile.ZipFile(table) as before, zipfile.ZipFile(huge, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            if "worksheets/" in name:
                content = content.replace(b"</sheetData>", b"</sheetData>" + merged)
            after.writestr(name, content)
    shown = run("import", huge, "--project", project, expected=1).output
    assert "huge.xlsx#operator!A1:XFD1048576: error[wrong-cell]: Merged cells have one value only." in shown


def test_formulas_dates_and_merged_cells_are_reported_at_their_cell(project: Path, tmp_path: Path) -> None:
    from datetime import date

    table = tmp_path / "cards.xlsx"
    run("export", table, "--project", project, "--kind", "operator")
    book = load_workbook(table)
    sheet = book["operator"]
    by_header = {sheet.cell(1, column).value: column for column in range(1, sheet.max_column + 1)}
    sheet.cell(2, by_header["ap"]).value = "=2+2"
    sheet.cell(3, by_header["flavour.en"]).value = date(2026, 1, 2)
    sheet.merge_cells(start_row=2, end_row=3, start_column=by_header["dp"], end_column=by_header["dp"])
    book.save(table)
    result = run("import", table, "--project", project, "--update", "--format", "json", expected=1)
    data = json.loads(result.output)
    assert [problem["name"] for problem in data["problems"]] == ["wrong-cell"] * 3
    assert {problem["place"].partition("#")[2][:9] for problem in data["problems"]} == {"operator!"}
    assert not data["written"]


@given(st.text(max_size=8))
def test_what_a_program_would_calculate_is_guarded(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text
    assert not escape_formula(text).startswith(("=", "+", "-", "@", "\t", "\r"))


@given(
    st.lists(
        st.text(st.characters(blacklist_characters='"', blacklist_categories=("Cs", "Cc", "Zs"))).filter(bool)
    )
)
def test_words_come_back_from_a_cell(words: list[str]) -> None:
    assert split_words(join_words(words)) == words


def test_formulas_are_text_in_what_is_exported(project: Path, tmp_path: Path) -> None:
    file = project / "styles.yaml"
    file.write_text(STYLES.replace("'It''s plain.'", "=1+1"), encoding="utf-8")
    run("export", tmp_path / "t.xlsx", "--project", project)
    run("export", tmp_path / "t.csv", "--project", project)
    cells = [cell for sheet in load_workbook(tmp_path / "t.xlsx") for row in sheet for cell in row]
    assert [cell.data_type for cell in cells if cell.value == "=1+1"] == ["s"]
    rows = list(csv.reader(io.StringIO((tmp_path / "t.csv").read_text(encoding="utf-8-sig"))))
    assert any("'=1+1" in row for row in rows)
    assert "no change" in run("import", tmp_path / "t.csv", "--project", project, "--update").output


def test_export_keeps_a_file_that_is_there(project: Path, tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("mine")
    run("export", tmp_path / "cards.csv", "--project", project, expected=2)
    assert (tmp_path / "cards.csv").read_text() == "mine"
    run("export", tmp_path / "cards.csv", "--project", project, "--force")
    refused = run("export", tmp_path / "cards.doc", "--project", project, expected=2).output
    assert "cards.doc must end in .csv, .xlsx, .json or .md." in refused


def test_export_says_how_many_cards(project: Path, tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.mkdir()
    (one / "opforge.yaml").write_text("project: One\nlanguages: [en]\n")
    run("new", "attack", "only", "--project", one)
    assert run("export", tmp_path / "one.csv", one).output == f"{tmp_path / 'one.csv'}: 1 card.\n"
    assert run("export", tmp_path / "six.csv", "--project", project).output.endswith(" cards.\n")


@pytest.mark.parametrize("card", [b"{id: h\xe4, kind: attack}", b"{kind: attack, name: Nameless}"])
def test_export_says_that_cards_are_left_out(project: Path, tmp_path: Path, card: bytes) -> None:
    (project / "more.yaml").write_bytes(b"cards:\n  - " + card)
    assert (
        "Cards that cannot be read are left out"
        in run("export", tmp_path / "c.csv", project, expected=1).output
    )


def test_json_and_markdown_say_what_is_printed(project: Path, tmp_path: Path) -> None:
    run("export", tmp_path / "c.json", "--project", project)
    run("export", tmp_path / "c.md", "--project", project)
    cards = {card["id"]: card for card in json.loads((tmp_path / "c.json").read_text())["cards"]}
    assert cards["eagle"]["skills"][0]["name"]["de"] == "Hoch oben"
    assert "+2 AP" in cards["plain"]["printed"]["en"]
    assert "| Viper |" in (tmp_path / "c.md").read_text()


def test_every_key_of_the_schema_has_a_column() -> None:
    from toolkit.data.schemas import card_schema as schemas

    for kind in schemas.KINDS:
        keys = set(schemas.card(kind)["properties"])
        assert {column.path[0] for column in columns_of(kind, ("en",))} == keys


def test_what_is_wrong_in_a_value_is_said_at_its_cell(project: Path, tmp_path: Path) -> None:
    run("export", tmp_path / "all.xlsx", "--project", project)
    book = load_workbook(tmp_path / "all.xlsx")
    places = []
    for kind, id, header, cell in (
        ("operator", "viper", "skill1.effect", "when attacking, self gets +2 APP."),
        ("attack", "aimed-shot", "name.de", None),
    ):
        column = next(one.column_letter for one in book[kind][1] if one.value == header)
        row = next(one.row for one in book[kind]["A"] if one.value == id)
        book[kind][f"{column}{row}"].value = cell
        places.append(f"all.xlsx#{kind}!{column}{row}: error")
    book.save(tmp_path / "all.xlsx")
    said = run("import", tmp_path / "all.xlsx", "--update", "--project", project, expected=1).output
    assert [place in said for place in places] == [True, True], said
    assert "(Column skill1.effect.)" in said


def test_a_sentence_that_names_no_language_is_said_at_its_cell(project: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("id,kind,name,text_only\ntruce,strategy,Truce,Copy it.\n", encoding="utf-8")
    said = run("import", table, "--project", project).output
    assert "t.csv:2: warning[text-in-one-language]: `text_only` names no language" in said
    assert "Give each language a column: `text_only.en`, `text_only.de`." in said
    assert "Cards: 1 added" in said


def test_a_workbook_that_was_not_made_here_is_read(project: Path, tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "attack"
    for row in (
        ["Name (English)", "Effect", "Copies", "#mine"],
        ["Volley", "when attacking, self gets +2 AP.", 3.0, "x"],
    ):
        sheet.append(row)
    book.save(tmp_path / "own.xlsx")
    result = run("import", tmp_path / "own.xlsx", "--project", project, expected=1)
    assert "own.xlsx#attack!A2: error[missing-language]" in result.output
    sheet.insert_cols(2)
    sheet["B1"], sheet["B2"] = "Name (Deutsch)", "Salve"
    book.save(tmp_path / "own.xlsx")
    run("import", tmp_path / "own.xlsx", "--project", project)
    card = open_project(project).cards.cards["volley"]
    assert (card.kind, card.quantity, card.name.in_language("de").value) == ("attack", 3, "Salve")


def test_markdown_of_a_stranger_is_only_text(tmp_path: Path) -> None:
    hostile = "![x](https://a.example/p.png) <img src=x> [a](b) \\| `c` #d"
    text = f"cards:\n  - {{id: a, kind: item, name: {json.dumps(hostile)}, effect: self gets +1 AP.}}\n"
    (tmp_path / "opforge.yaml").write_text(f"project: {json.dumps(hostile)}\n", encoding="utf-8")
    (tmp_path / "cards.yaml").write_text(text, encoding="utf-8")
    run("export", tmp_path / "t.md", "--project", tmp_path)
    shown = MarkdownIt().enable("table").render((tmp_path / "t.md").read_text(encoding="utf-8"))
    assert "<img" not in shown
    assert "<a " not in shown
    assert "<code>" not in shown
    row = shown.partition("<tbody>")[2]
    assert row.count("<td>") == 2
    assert html.escape(hostile) in row
