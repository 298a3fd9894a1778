"""``python -m tests.help_pages``: write the references and the TextMate grammar from the program's words."""

from pathlib import Path

import toolkit
from tests.help_pages import textmate
from tests.help_pages.files import files_page, words_page
from tests.help_pages.page import language_page
from tests.help_pages.python import python_page
from tests.help_pages.subjects import FOLDER, subject_page

REFERENCE = Path(toolkit.__file__).parent / "help" / "reference"

if __name__ == "__main__":
    pages = {"language": language_page, "files": files_page, "words": words_page, "python": python_page}
    for name, page in pages.items():
        (REFERENCE / f"{name}.md").write_text(page(), encoding="utf-8")
    for subject in FOLDER.glob("*.md"):
        subject.write_text(subject_page(subject.read_text(encoding="utf-8")), encoding="utf-8")
    textmate.FILE.parent.mkdir(exist_ok=True)
    textmate.FILE.write_text(textmate.as_json(), encoding="utf-8")
