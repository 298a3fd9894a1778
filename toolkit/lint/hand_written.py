"""stale-text, missing-text-for and unused-text-for: a hand-written text says which effect it is for."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.data.model import Card, Text
from toolkit.diagnostics import Diagnostic, Fix, correction
from toolkit.dsl.printing import fingerprint
from toolkit.dsl.tree import Effect
from toolkit.effects.sources import EffectSource
from toolkit.source import ScalarText
from toolkit.source.edits import insertion, removal, with_key


def check_hand_written(source: EffectSource, effect: Effect) -> list[Diagnostic]:
    """Whether the ``text_for`` of an effect is its fingerprint; the finding tells the right one."""
    return _check(source.text, source.text_for, effect, source.entry.id)


def check_card_text(card: Card, effects: Sequence[Effect]) -> list[Diagnostic]:
    """The same for the text of a whole OPERATOR, which stands for all his SKILLs together."""
    together = Effect(tuple(sentence for effect in effects for sentence in effect.sentences))
    return _check(card.text, card.text_for, together, card.id)


def _check(text: Text | None, text_for: ScalarText | None, effect: Effect, entry: str) -> list[Diagnostic]:
    if text is None and text_for is None:
        return []
    right = fingerprint(effect)
    if text is None:
        message = "There is no `text` for this `text_for`, so the generated text is printed."
        assert text_for is not None
        whole = with_key(text_for.span, "text_for")
        lines = removal(whole) if whole else None
        fix = Fix(lines, "", safe=False) if lines else None
        return [Diagnostic("unused-text-for", message, text_for.span, "Take it away.", card=entry, fix=fix)]
    if text_for is None:
        message = (
            f"This text does not say which effect it was written for; the current fingerprint is `{right}`."
        )
        step = f"Add `text_for: {right}` once the text matches the effect."
        key = with_key(text.span, "text")
        line = f"text_for: {right}"
        fix = Fix(key.beside(key.start, key.start), insertion(key, line), safe=False) if key else None
        return [Diagnostic("missing-text-for", message, text.span, step, card=entry, fix=fix)]
    if text_for.value == right:
        return []
    message = f"The effect has changed since this text was written for it: its fingerprint is now `{right}`."
    step = f"Read the text again; once it matches the effect, write `text_for: {right}`."
    fix = correction(text_for.span, right, safe=False)
    return [Diagnostic("stale-text", message, text_for.span, step, card=entry, fix=fix)]
