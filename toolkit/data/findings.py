"""The findings of reading and loading: severity and title by name."""

from __future__ import annotations

from toolkit.diagnostics import Severity

FINDINGS: dict[str, tuple[Severity, str]] = {
    # reading a file
    "wrong-encoding": ("error", "A file is not saved as UTF-8"),
    "control-character": ("error", "An invisible control character"),
    "unreadable-file": ("error", "A file cannot be read"),
    "file-too-large": ("error", "A file is too large"),
    "empty-file": ("error", "A file without content"),
    "link-outside-project": ("warning", "A link that leads out of the project"),
    "missing-project-file": ("error", "There is no opforge.yaml"),
    # YAML
    "yaml-syntax": ("error", "The file cannot be read as YAML"),
    "tab-in-indentation": ("error", "A tab where spaces belong"),
    "wrong-indentation": ("error", "A line is indented too much or too little"),
    "missing-colon": ("error", "A key without a colon"),
    "unclosed-text": ("error", "A text in quotes that is not closed"),
    "broken-quotes": ("error", "Text behind the closing quotation mark"),
    "unmatched-bracket": ("error", "A bracket or brace that is not closed, or closes nothing"),
    "missing-space": ("error", "No space behind a dash or colon"),
    "merge-conflict": ("error", "A merge conflict left in the file"),
    "text-needs-quotes": ("error", "A text that YAML cannot take without quotes"),
    "unquoted-comma": ("error", "A comma that splits a text inside braces"),
    "unknown-escape": ("error", "A backslash that means nothing"),
    "alias-not-allowed": ("error", "An alias in a card file"),
    "anchor-not-allowed": ("error", "An anchor in a card file"),
    "tag-not-allowed": ("error", "A tag in a card file"),
    "merge-key-not-allowed": ("error", "A merge key in a card file"),
    "key-not-text": ("error", "A key that is not a word"),
    "duplicate-key": ("error", "A key that is given twice"),
    "several-documents": ("error", "More than one YAML document in a file"),
    "too-deep": ("error", "Too many levels of lists and mappings"),
    "too-many-values": ("error", "Too many values in one file"),
    # entries
    "unknown-key": ("error", "A key that does not exist"),
    "missing-key": ("error", "A required key is missing"),
    "empty-value": ("error", "A key without a value"),
    "wrong-type": ("error", "A value of the wrong sort"),
    "out-of-range": ("error", "A number that is too small or too large"),
    "unknown-kind": ("error", "A kind of card that does not exist"),
    "unknown-value": ("error", "A word that is not among the possible ones"),
    "invalid-id": ("error", "An id that is not in kebab-case"),
    "invalid-trait": ("error", "A trait that an effect could not name"),
    "invalid-colour": ("error", "A colour that is not #rrggbb"),
    "empty-text": ("error", "A text without any letter"),
    "empty-effect": ("error", "An effect without a sentence"),
    "empty-list": ("error", "A list that must have an item"),
    "too-many-items": ("error", "A list with too many items"),
    "repeated-value": ("error", "The same word twice in one list"),
    "missing-language": ("error", "A text is missing in a language of the project"),
    "unknown-language": ("error", "A language that the project does not have"),
    "swallowed-by-comment": ("error", "A comment swallows the end of an effect"),
    # references between entries
    "duplicate-id": ("error", "An id that is used twice"),
    "unknown-team": ("error", "A TEAM that does not exist"),
    "unknown-card": ("error", "A card that does not exist"),
    "unknown-objective": ("error", "An OBJECTIVE that does not exist"),
    "unknown-mode": ("error", "A game mode that does not exist"),
    "unknown-ruleset": ("error", "A ruleset that does not exist"),
    "wrong-kind": ("error", "An entry of the wrong kind"),
    "objective-count": ("warning", "Not as many OBJECTIVEs as FIELDPOSITIONs"),
    "art-outside-project": ("error", "A picture outside the project folder"),
    "missing-picture": ("warning", "A picture that does not exist"),
}
"""By name: severity, and a title of one line."""
