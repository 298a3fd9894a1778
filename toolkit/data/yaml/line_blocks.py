"""Which lines of a YAML file belong to a line above them, judged by the lines alone.

So it also works for what is half typed, or what the parser refuses.
"""

from __future__ import annotations

from collections.abc import Sequence


def indent_of(line: str) -> int:
    """Return the number of spaces at the beginning of a line."""
    return len(line) - len(line.lstrip(" "))


def is_comment(line: str) -> bool:
    """Whether a line has nothing but a comment."""
    return line.lstrip().startswith("#")


def belongs_to(line: str, header: str) -> bool:
    """Whether a line belongs to one above it: it is indented deeper, or is in the list under its key.

    The items of a list may be indented as the key above them.
    """
    depth = indent_of(line) - indent_of(header)
    return depth > 0 or (depth == 0 and _is_item(line) and not _is_item(header))


def last_lines(lines: Sequence[str]) -> list[int]:
    """Return for each line the last one that belongs to it; of a blank line or a comment it is itself.

    Comments at the end belong to it only if they are indented deeper than it is.
    """
    ends = list(range(len(lines)))
    open_headers: list[int] = []
    last_content = 0
    for number, line in enumerate([*lines, ""]):
        is_end = number == len(lines)
        if not is_end and (not line.strip() or is_comment(line)):
            continue
        end = last_content  # of the innermost block; those around it may have more comments, never fewer
        while open_headers and (is_end or not belongs_to(line, lines[open_headers[-1]])):
            header = open_headers.pop()
            if header < last_content:
                ends[header] = end = _with_comments(lines, indent_of(lines[header]), end)
        open_headers.append(number)
        last_content = number
    return ends


def _with_comments(lines: Sequence[str], indent: int, end: int) -> int:
    """Return the last of the comments that follow a line and are indented deeper; that line without any."""
    while end + 1 < len(lines) and is_comment(lines[end + 1]) and indent_of(lines[end + 1]) > indent:
        end += 1
    return end


def _is_item(line: str) -> bool:
    words = line.lstrip(" ")
    return words == "-" or words.startswith("- ")
