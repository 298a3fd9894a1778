"""``python -m tests.help_pages``: write the references that are made from the program anew."""

from pathlib import Path

import toolkit
from tests.help_pages.files import files_page
from tests.help_pages.page import language_page

REFERENCE = Path(toolkit.__file__).parent / "help" / "reference"

if __name__ == "__main__":
    for name, page in (("language", language_page), ("files", files_page)):
        (REFERENCE / f"{name}.md").write_text(page(), encoding="utf-8")
