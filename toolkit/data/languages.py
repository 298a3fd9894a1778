"""Whether a printed text is there in every language of the project."""

from __future__ import annotations

from toolkit.data.nodes import Mapping
from toolkit.data.quoting import shown
from toolkit.diagnostics import Diagnostic, Fix
from toolkit.vocabulary.nearest import nearest


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
        meant = nearest(name, missing)
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
                fix=Fix(written.span, meant) if meant else None,
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
