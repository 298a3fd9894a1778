"""What is published: the page on PyPI, the metadata, and that the tools for packages have nothing to say."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests.thoroughness import THOROUGH
from toolkit.diagnostics.help_pages import WEB_ADDRESS

ROOT = Path(__file__).parent.parent.parent
SETTINGS = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
SOURCE = re.findall(r'^Source = "(.+)"$', SETTINGS, re.MULTILINE)[0]
TOOLS = ("build", "twine", "check_wheel_contents", "pyroma", "validate_pyproject")


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The hook that makes the page; hatchling is there only where packages are built."""
    interface = SimpleNamespace(MetadataHookInterface=object)
    monkeypatch.setitem(sys.modules, "hatchling.metadata.plugin.interface", interface)
    from tests.packaging import pypi_readme

    return pypi_readme


def test_the_page_is_for_whoever_installs_it_and_its_links_work(hook: ModuleType) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = hook.pypi_readme(readme, SOURCE, "v0.1.0")
    assert page.startswith("# opforge\n\n```sh\npip install opforge ")
    assert "\npy -m pip install opforge" in page
    assert ".venv" not in page
    assert "<!--" not in page
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert len(links) > 40
    for link in links:
        place, _, path = link.partition("/v0.1.0/")
        assert place in (f"{SOURCE}/blob", f"{SOURCE}/raw"), link
        assert (ROOT / path.partition("#")[0]).exists(), link


def test_the_addresses_are_one_and_lead_to_files() -> None:
    assert WEB_ADDRESS == SOURCE
    for path in re.findall(rf'^\w+ = "{re.escape(SOURCE)}/\w+/main/(.+)"$', SETTINGS, re.MULTILINE):
        assert (ROOT / path).exists(), path


def test_the_licences_are_those_of_the_notices() -> None:
    notices = (ROOT / "toolkit" / "help" / "notices.md").read_text(encoding="utf-8")
    shipped = notices.partition("## Shipped")[2].partition("## Used")[0]
    expression = re.findall(r'^license = "(.+?)"', SETTINGS, re.MULTILINE)[0]
    names = {"MIT": "MIT", "OFL-1.1": "SIL Open Font License 1.1", "BSD-3-Clause": "BSD-3-Clause"}
    assert {*expression.split(" AND ")} == {*names, "LicenseRef-SWOP-TR003"}
    assert all(name in shipped for name in (*names.values(), "TR 003"))
    files = SETTINGS.partition("license-files = [")[2].partition("]")[0]
    paths = re.findall(r'"(.+?)"', files)
    assert len(paths) >= 5
    assert [path for path in paths if not (ROOT / path).is_file()] == []


def tool(*command: str, folder: Path = ROOT) -> str:
    """What a tool prints; it must succeed."""
    ran = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


@pytest.mark.skipif(
    not THOROUGH or not all(map(find_spec, TOOLS)), reason="needs pip install -e '.[thorough]', and a minute"
)
def test_the_tools_for_packages_have_nothing_to_say(tmp_path: Path) -> None:
    tool("build", "--no-isolation", "-o", str(tmp_path))
    (sdist,), (wheel,) = tmp_path.glob("*.tar.gz"), tmp_path.glob("*.whl")
    tool("twine", "check", "--strict", str(sdist), str(wheel))
    tool("check_wheel_contents", "--config", str(ROOT / "pyproject.toml"), str(wheel))
    tool("validate_pyproject", "pyproject.toml")
    assert "Final rating: 10/10" in tool("pyroma", str(sdist))
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [name for name in tracked.stdout.splitlines() if name not in names] == []
    with zipfile.ZipFile(wheel) as package:
        assert {name.partition("/")[0] for name in package.namelist()} == {
            "toolkit",
            "opforge-0.1.0.dist-info",
        }
        assert "toolkit/__init__.pyi" in package.namelist()
