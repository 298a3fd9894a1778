"""A file in its canonical form, as the few edits that lead there."""

from __future__ import annotations

from difflib import SequenceMatcher

from toolkit.project.formatting import Refused, format_file
from toolkit.source import Edit, SourceFile


def tidied(file: SourceFile) -> list[Edit] | str:
    """The edits line by line; a sentence if the file is left as it is."""
    formatted = format_file(file)
    if isinstance(formatted, Refused):
        return formatted.reason
    before, after = file.text.splitlines(keepends=True), formatted.text.splitlines(keepends=True)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        Edit(starts[begin], starts[end], "".join(after[new_begin:new_end]))
        for kind, begin, end, new_begin, new_end in matcher.get_opcodes()
        if kind != "equal"
    ]
