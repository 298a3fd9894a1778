"""stale-text and missing-text-for: a hand-written rules text must say which effect it was written for."""

from __future__ import annotations

from toolkit.diagnostics import Diagnostic, Fix
from toolkit.dsl.fingerprint import fingerprint
from toolkit.dsl.tree import Effect
from toolkit.effects.sources import EffectSource

NAMES = ("stale-text", "missing-text-for")


def check_hand_written(source: EffectSource, effect: Effect) -> list[Diagnostic]:
    """Whether ``text_for`` is the fingerprint of the effect; the finding tells the right one."""
    if source.text is None:
        return []
    right = fingerprint(effect)
    if source.text_for is None:
        return [
            Diagnostic(
                "missing-text-for",
                "This text replaces the generated one and does not say which effect it was written for.",
                source.text.span,
                f"Add `text_for: {right}` beside it, once it says what the effect does.",
                card=source.entry.id,
            )
        ]
    if source.text_for.value == right:
        return []
    span = source.text_for.span
    return [
        Diagnostic(
            "stale-text",
            "The effect has changed since this text was written for it.",
            span,
            f"Read the text again; when it says what the effect does, write `text_for: {right}`.",
            card=source.entry.id,
            fix=Fix(span, right),
        )
    ]
