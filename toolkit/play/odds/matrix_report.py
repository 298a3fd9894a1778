"""The odds of all pairs as a table of text, CSV, HTML or JSON."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from fractions import Fraction
from html import escape
from io import StringIO
from typing import Any

from toolkit.diagnostics.escaping import json_text
from toolkit.play.odds.matrix import Matrix
from toolkit.play.odds.measures import Goal
from toolkit.play.odds.odds_report import GOAL_WORDS, measures_data

_CELL = 6
"""The width of a column of the text, in characters."""


def matrix_text(matrix: Matrix, width: int = 100) -> str:
    """Return the matrix as text: rows attack, columns are attacked, as many columns as fit beside each
    other."""
    return "\n".join(_text_lines(matrix, width)) + "\n"


def _text_lines(matrix: Matrix, width: int) -> Iterator[str]:
    yield f"Rows attack, columns are attacked: {GOAL_WORDS[matrix.goal]}, exact, with open hands"
    names = [f"{number:>2} {name}" for number, name in enumerate(matrix.operators, 1)]
    name_width = max(map(len, names)) + 2
    block = max(1, (width - name_width) // _CELL - 1)
    for begin in range(0, len(matrix.operators), block):
        targets = matrix.operators[begin : begin + block]
        yield ""
        numbers = [f"{number:>{_CELL}}" for number in range(begin + 1, begin + 1 + len(targets))]
        yield f"{'':<{name_width}}{''.join(numbers)}{'mean':>{_CELL}}"
        for name, attacker in zip(names, matrix.operators, strict=True):
            cells = [f"{_cell(matrix, attacker, target):>{_CELL}}" for target in targets]
            row_mean = _shown(matrix.goal, matrix.row_mean(attacker))
            yield f"{name:<{name_width}}{''.join(cells)}{row_mean:>{_CELL}}"
        means = [f"{_shown(matrix.goal, matrix.column_mean(target)):>{_CELL}}" for target in targets]
        yield f"{'   mean':<{name_width}}{''.join(means)}"
    if matrix.not_played:
        yield f"note: text-only rules are not played: {', '.join(matrix.not_played)}."


def _cell(matrix: Matrix, attacker: str, target: str) -> str:
    value = matrix.value(attacker, target)
    return str(matrix.cells[attacker, target]) if value is None else _shown(matrix.goal, value)


def _shown(goal: Goal, value: Fraction | None) -> str:
    if value is None:
        return "-"
    return f"{float(value):.2f}" if goal == "damage" else f"{float(value) * 100:.0f}%"


def matrix_csv(matrix: Matrix) -> str:
    """Return the matrix as CSV: numbers with four decimals, or the rule that forbids the attack."""
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(["attacker", *matrix.operators])
    for attacker in matrix.operators:
        values = [(matrix.value(attacker, target), target) for target in matrix.operators]
        cells = [
            matrix.cells[attacker, target] if value is None else f"{float(value):.4f}"
            for value, target in values
        ]
        writer.writerow([attacker, *cells])
    return written.getvalue()


def matrix_json(matrix: Matrix) -> str:
    """Return the matrix as JSON, version 1, with fractions in lowest terms."""
    rows: dict[str, dict[str, Any]] = {}
    for (attacker, target), cell in matrix.cells.items():
        value = {"refused": cell} if isinstance(cell, str) else measures_data(cell)
        rows.setdefault(attacker, {})[target] = value
    return json_text(
        {"version": 1, "goal": matrix.goal, "matrix": rows, "not_played": list(matrix.not_played)}
    )


_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --hue: 220 90% 45%; --paper: #fff; --ink: #111 }}
@media (prefers-color-scheme: dark) {{ :root {{ --hue: 35 95% 55%; --paper: #14161a; --ink: #eee }} }}
body {{ font: 14px/1.4 system-ui, sans-serif; background: var(--paper); color: var(--ink); margin: 1rem }}
div {{ overflow: auto; max-height: 95vh }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
th, td {{ padding: .25em .4em; text-align: right; white-space: nowrap }}
thead th {{ position: sticky; top: 0; background: var(--paper); writing-mode: vertical-rl; text-align: left }}
tbody th {{ position: sticky; left: 0; background: var(--paper); text-align: left; font-weight: 600 }}
td {{ background: hsl(var(--hue) / var(--heat, 0)) }}
</style>
<h1>{title}</h1>
<p>{caption}</p>
<div><table>
<thead><tr><td></td>{head}</tr></thead>
<tbody>
{body}
</tbody>
</table></div>
</html>
"""
MOST_HEAT = 60
"""The opacity of the colour behind the greatest number, in percent: text must stay legible on it."""


def matrix_html(matrix: Matrix) -> str:
    """Return the matrix as one HTML page without scripts: a table with coloured cells."""
    values = [matrix.value(*pair) for pair in matrix.cells]
    most = max([value for value in values if value is not None], default=Fraction(0)) or Fraction(1)
    head = "".join(f"<th scope=col>{escape(target)}</th>" for target in (*matrix.operators, "mean"))
    rows = []
    for attacker in matrix.operators:
        cells = [_html_cell(matrix, attacker, target, most) for target in matrix.operators]
        row_mean = f"<td>{_shown(matrix.goal, matrix.row_mean(attacker))}</td>"
        rows.append(f"<tr><th scope=row>{escape(attacker)}</th>{''.join(cells)}{row_mean}</tr>")
    means = [f"<td>{_shown(matrix.goal, matrix.column_mean(target))}</td>" for target in matrix.operators]
    rows.append(f"<tr><th scope=row>mean</th>{''.join(means)}<td></td></tr>")
    words = GOAL_WORDS[matrix.goal]
    return _PAGE.format(
        title=f"{words[0].upper()}{words[1:]}",
        caption="Rows attack, columns are attacked. Exact, with open hands.",
        head=head,
        body="\n".join(rows),
    )


def _html_cell(matrix: Matrix, attacker: str, target: str, most: Fraction) -> str:
    value = matrix.value(attacker, target)
    if value is None:
        return f"<td>{escape(str(matrix.cells[attacker, target]))}</td>"
    heat = round(value / most * MOST_HEAT)
    return f'<td style="--heat:{heat}%">{_shown(matrix.goal, value)}</td>'


FORMATS = {"text": matrix_text, "json": matrix_json, "csv": matrix_csv, "html": matrix_html}
