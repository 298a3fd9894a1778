"""The set-up on the how-to page in a real Neovim, where there is one that is new enough."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from toolkit.diagnostics.help_pages import other_page, uri_of_finding

SCRIPT = Path(__file__).with_name("neovim.lua")


def is_new_enough() -> bool:
    if shutil.which("nvim") is None:
        return False
    told = subprocess.run(
        ["nvim", "--version"], capture_output=True, text=True, timeout=60, check=False
    ).stdout
    version = re.match(r"NVIM v(\d+)\.(\d+)", told)
    return version is not None and (int(version[1]), int(version[2])) >= (0, 11)


@pytest.mark.skipif(not is_new_enough(), reason="there is no Neovim 0.11 or later")
def test_what_the_page_says_works_in_neovim(project: Path, tmp_path: Path) -> None:
    set_up, folds_and_links, _ = re.findall(r"```lua\n(.*?)```", other_page("editor") or "", re.DOTALL)
    command = json.dumps([sys.executable, "-m", "toolkit"])[1:-1]
    assert '"opforge", "lsp"' in set_up
    init = tmp_path / "init.lua"
    init.write_text(
        set_up.replace('"opforge", "lsp"', f'{command}, "lsp"') + folds_and_links, encoding="utf-8"
    )
    done = subprocess.run(
        ["nvim", "--headless", "--clean", "-u", init, "-c", f"luafile {SCRIPT}"],
        cwd=project,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, (os.getcwd(), os.environ.get("PYTHONPATH")))),
        },
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=110,
        check=False,
    )
    assert done.stdout.startswith("{"), done.stdout + done.stderr
    shown = json.loads(done.stdout)
    assert {"step 5 · add", "Viper 🐍 · Night Owls"} <= set(shown["hints"])
    assert shown["fold"] == [2, 20]
    assert shown["page"] == uri_of_finding("adds-nothing")
    assert shown["findings"] == ["unknown-stat"]
    assert shown["about"] == uri_of_finding("unknown-stat")
    assert sorted(shown["offered"]) == ["adds-nothing", "unknown-stat"]
    assert shown["untidy"] == 1, "only the entry under the cursor is formatted"
    assert not (project / "new.yaml").exists()
