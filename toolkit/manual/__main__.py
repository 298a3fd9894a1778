"""``python -m toolkit.manual``: write the language reference anew."""

from pathlib import Path

from toolkit.manual.page import language_page

PAGE = Path(__file__).resolve().parent.parent / "help" / "reference" / "language.md"

if __name__ == "__main__":
    PAGE.write_text(language_page(), encoding="utf-8")
