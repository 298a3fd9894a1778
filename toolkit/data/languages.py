"""Whether a printed text is there in every language of the project."""

from __future__ import annotations

from toolkit.data.nodes import Mapping
from toolkit.data.quoting import shown
from toolkit.diagnostics import Diagnostic, correction
from toolkit.vocabulary.nearest import nearest

_NAMES = {"german": "de", "spanish": "es", "dutch": "nl", "polish": "pl", "swedish": "sv", "chinese": "zh"}
"""Names of languages that do not begin like their code."""


def language_findings(
    node: Mapping, languages: tuple[str, ...], key: str, card: str | None
) -> list[Diagnostic]:
    """Languages that are missing in a text by language, and such as the project does not have.

    A wrong language beside a missing one is one mistake if they look alike.
    """
    findings = []
    missing = [language for language in languages if language not in node.nodes]
    for name, written in node.keys.items():
        if name in languages:
            continue
        meant = _spelt_out(name, missing) or nearest(name, missing)
        if meant:
            missing.remove(meant)
        findings.append(
            Diagnostic(
                "unknown-language",
                f"The project has no language `{shown(name)}`.",
                written.span,
                f"Did you mean `{meant}`?"
                if meant
                else "Remove it, or add it to the languages of the project.",
                card=card,
                fix=correction(written.span, meant),
            )
        )
    findings += [
        Diagnostic(
            "missing-language",
            f"`{shown(key)}` has no text in `{language}`.",
            node.span,
            f"Add `{language}: …`; every language of the project is printed.",
            card=card,
        )
        for language in missing
    ]
    return findings


def _spelt_out(name: str, missing: list[str]) -> str | None:
    """The missing language that a name such as ``english``, ``deutsch`` or ``en_GB`` means."""
    code = _NAMES.get(name.lower(), name[:2].lower() if len(name) > 3 else "")
    return code if code in missing else None
