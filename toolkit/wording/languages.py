"""The languages of rules text. A new one is a module that builds a ``Language``, and a line here."""

from __future__ import annotations

from msgspec import Struct

from toolkit.vocabulary.nearest import nearest
from toolkit.wording.de import GERMAN
from toolkit.wording.en import ENGLISH
from toolkit.wording.language import Language

LANGUAGES: dict[str, Language] = {language.code: language for language in (ENGLISH, GERMAN)}
"""All languages by code."""


class UnknownLanguage(Struct, frozen=True):
    """A language in which no rules text can be written; ``meant`` is the nearest that there is, if any."""

    code: str
    known: tuple[str, ...]
    meant: str | None = None

    @property
    def message(self) -> str:
        """One sentence in a designer's words."""
        hint = f" Did you mean `{self.meant}`?" if self.meant else ""
        return f"There is no rules text in the language `{self.code}`.{hint}"

    @property
    def next_step(self) -> str:
        """What to do about it."""
        known = ", ".join(f"`{code}`" for code in self.known)
        return f"Use one of {known}, or write the text by hand (`text:`)."


def find_language(code: str) -> Language | UnknownLanguage:
    """The language with that code, or the error value that says which there are."""
    known = tuple(LANGUAGES)
    return LANGUAGES.get(code) or UnknownLanguage(code, known, nearest(code, known))
