"""The scripts of the page have the types that their comments say, where TypeScript is installed.

``npm ci --prefix tests/preview/types`` installs it, as CI does. The page does not need it.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import toolkit.apps.preview

FOLDER = Path(__file__).parent / "types"
COMPILER = FOLDER / "node_modules" / "typescript" / "bin" / "tsc"
SCRIPTS = Path(toolkit.apps.preview.__file__).parent / "static"


@pytest.mark.skipif(not COMPILER.is_file() or shutil.which("node") is None, reason="TypeScript is not there")
def test_the_types_of_the_page_are_right() -> None:
    ran = subprocess.run(
        ["node", str(COMPILER), "-p", str(FOLDER)], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "")


def test_every_script_is_checked() -> None:
    scripts = sorted(SCRIPTS.glob("*.js"))
    assert len(scripts) > 10
    assert [
        path.name for path in scripts if not path.read_text(encoding="utf-8").startswith("// @ts-check")
    ] == []


def test_no_place_of_download_is_kept() -> None:
    assert "resolved" not in (FOLDER / "package-lock.json").read_text(encoding="utf-8")
