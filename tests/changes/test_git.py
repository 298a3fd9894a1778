"""Reading older revisions from repositories that strangers have prepared."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from shutil import copytree

import pytest

from tests.thoroughness import THOROUGH
from toolkit.products.changes import git as reading
from toolkit.products.changes.baseline_project import baseline_project
from toolkit.project.output import Refusal

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

SMALL = Path(__file__).parent.parent / "projects" / "small"


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    settings = ("user.name=Ada", "user.email=ada@example.org", "commit.gpgsign=false", "core.fsmonitor=false")
    words = [word for setting in (*settings, "protocol.file.allow=always") for word in ("-c", setting)]
    done = subprocess.run(
        ["git", "-C", str(folder), *words, *arguments], input=stdin, capture_output=True, check=True
    )
    return done.stdout.decode().strip()


def commit(folder: Path) -> str:
    git(folder, "add", "-f", ".")
    git(folder, "commit", "-q", "-m", "state")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with a project in ``cards``, of which each test has a copy."""
    top = tmp_path_factory.mktemp("committed")
    copytree(SMALL, top / "cards")
    git(top, "init", "-q", "--template=")
    commit(top)
    return top


@pytest.fixture
def checkout(committed: Path, tmp_path: Path) -> Path:
    return copytree(committed, tmp_path / "checkout")


def read(project: Path, revision: str = "HEAD") -> dict[str, str] | Refusal:
    """The files of an older version: contents, and for links where they lead."""
    with baseline_project(project, revision) as found:
        if isinstance(found, Refusal):
            return found
        return {
            path.relative_to(found).as_posix(): f"-> {os.readlink(path)}"
            if path.is_symlink()
            else path.read_text()
            for path in sorted(found.rglob("*"))
            if path.is_symlink() or path.is_file()
        }


def commands(marker: Path) -> str:
    """A configuration that names a command for all that git can be made to run."""
    return f"""
[core]
    fsmonitor = touch {marker}
    sshCommand = touch {marker}
    pager = touch {marker}
    hooksPath = {marker.parent}
    alternateRefsCommand = touch {marker}
[filter "evil"]
    smudge = touch {marker}; cat
    process = touch {marker}
[diff]
    external = touch {marker}
[diff "evil"]
    textconv = touch {marker}; cat
[tar "tar"]
    command = touch {marker}; cat
[alias]
    rev-parse = !touch {marker}
    ls-tree = !touch {marker}
    cat-file = !touch {marker}
[protocol "ext"]
    allow = always
[extensions]
    partialClone = origin
[remote "origin"]
    promisor = true
    url = ext::touch {marker}
"""


def arm(data: Path, marker: Path) -> None:
    """Let a repository run commands wherever it can."""
    text = (data / "config").read_text().replace("repositoryformatversion = 0", "repositoryformatversion = 1")
    (data / "config").write_text(text + commands(marker))
    (data / "info").mkdir(exist_ok=True)
    (data / "info" / "attributes").write_text("* filter=evil diff=evil\n")


def forget_blobs(data: Path) -> None:
    """Take the contents of files away, so that git would have to fetch them."""
    for path in [path for path in (data / "objects").glob("??/*") if path.is_file()]:
        if git(data, "cat-file", "-t", path.parent.name + path.name) == "blob":
            path.unlink()


def test_a_repository_in_the_tree_is_not_obeyed(checkout: Path, tmp_path: Path) -> None:
    project = checkout / "cards"
    before = read(project)
    copytree(SMALL, tmp_path / "evil")
    (tmp_path / "evil" / "cards.yaml").write_text("cards: []\n")
    git(tmp_path, "init", "-q", "evil")
    commit(tmp_path / "evil")
    for name in ("HEAD", "config", "objects", "refs"):
        source = tmp_path / "evil" / ".git" / name
        (copytree if source.is_dir() else shutil.copy)(source, project / name)
    git(project, f"--git-dir={project}", "config", "core.worktree", str(project))
    arm(project, tmp_path / "ran")
    assert read(project) == before
    assert not (tmp_path / "ran").exists()


def test_the_configuration_of_the_checkout_itself_runs_nothing(checkout: Path, tmp_path: Path) -> None:
    before = read(checkout / "cards")
    arm(checkout / ".git", tmp_path / "ran")
    assert read(checkout / "cards") == before
    assert not (tmp_path / "ran").exists()


def test_what_a_partial_clone_lacks_is_not_fetched(checkout: Path, tmp_path: Path) -> None:
    forget_blobs(checkout / ".git")
    arm(checkout / ".git", tmp_path / "ran")
    found = read(checkout / "cards")
    assert isinstance(found, Refusal)
    assert found.message.startswith("This clone is partial")
    assert not (tmp_path / "ran").exists()


def test_a_revision_that_no_file_could_be_called(checkout: Path) -> None:
    found = read(checkout / "cards", "x" * 5000)
    assert isinstance(found, Refusal)
    assert found.cause == "request"


def test_objects_that_are_missing(checkout: Path) -> None:
    forget_blobs(checkout / ".git")
    found = read(checkout / "cards")
    assert isinstance(found, Refusal)
    assert "git fsck" in found.message


def test_a_git_file_that_points_into_the_checkout_is_not_followed(checkout: Path) -> None:
    project = checkout / "cards"
    (checkout / ".git").rename(checkout / "evil")
    (checkout / ".git").write_text("gitdir: ./evil\n")
    found = read(project)
    assert isinstance(found, Refusal)
    assert "points to a repository inside of the checkout" in found.message


@pytest.mark.parametrize("planted", ["gitdir: ../evil\n", "gitdir: ./evil\n"])
def test_nor_is_one_below_the_checkout(checkout: Path, planted: str) -> None:
    git(checkout, "init", "-q", "--bare", "evil")
    git(checkout, "init", "-q", "--bare", "cards/evil")
    (checkout / "cards" / ".git").write_text(planted)
    found = read(checkout / "cards")
    assert isinstance(found, Refusal)
    assert "points to a repository inside of the checkout" in found.message


def test_worktrees_and_submodules_are_read(checkout: Path, tmp_path: Path) -> None:
    before = read(checkout / "cards")
    git(checkout, "worktree", "add", "-q", str(tmp_path / "worktree"), "HEAD")
    assert read(tmp_path / "worktree" / "cards") == before
    git(tmp_path, "init", "-q", "outer")
    git(tmp_path / "outer", "submodule", "--quiet", "add", str(checkout), "inner")
    assert (tmp_path / "outer" / "inner" / ".git").is_file()
    assert read(tmp_path / "outer" / "inner" / "cards") == before


def tree(folder: Path, *entries: tuple[str, str, str]) -> str:
    """A tree object with entries as they are given (mode, name, object), which git itself would not write."""
    raw = b"".join(f"{mode} {name}".encode() + b"\0" + bytes.fromhex(at) for mode, name, at in entries)
    return git(folder, "hash-object", "-t", "tree", "--literally", "-w", "--stdin", stdin=raw)


def test_names_and_links_of_a_tree_stay_inside(checkout: Path) -> None:
    def blob(text: str) -> str:
        return git(checkout, "hash-object", "-w", "--stdin", stdin=text.encode())

    evil = blob("cards: []\n")
    below = tree(checkout, ("100644", "passwd.yaml", evil))
    cards = tree(
        checkout,
        ("100644", "../../out.yaml", evil),
        ("100644", "..", evil),
        ("40000", ".GIT", below),
        ("100755", "a.yaml", evil),
        ("120000", "absolute", blob("/etc")),
        ("40000", "absolute", below),
        ("120000", "good.yaml", blob("a.yaml")),
        ("120000", "hosts", blob("../../hosts")),
        ("100644", "opforge.yaml", blob("project: P\n")),
        ("160000", "submodule", git(checkout, "rev-parse", "HEAD")),
        ("100644", "x", evil),
        ("40000", "x", below),
    )
    made = git(checkout, "commit-tree", tree(checkout, ("40000", "cards", cards)), "-m", "evil")
    assert read(checkout / "cards", made) == {
        "a.yaml": "cards: []\n",
        "absolute/passwd.yaml": "cards: []\n",
        "good.yaml": "-> a.yaml",
        "opforge.yaml": "project: P\n",
        "x": "cards: []\n",
    }


def test_a_tree_that_repeats_itself_is_not_unfolded(checkout: Path) -> None:
    inner = git(checkout, "rev-parse", "HEAD:cards")
    for _ in range(12 if THOROUGH else 8):
        inner = tree(checkout, *(("40000", f"d{number}", inner) for number in range(9)))
    made = git(checkout, "commit-tree", tree(checkout, ("40000", "cards", inner)), "-m", "bomb")
    found = read(checkout / "cards", made)
    assert isinstance(found, Refusal)
    assert "more than 100,000 files" in found.message


def test_of_a_large_file_only_the_size_is_copied(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "cards" / "large.yaml").write_text("# " + "x" * 5000)
    commit(checkout)
    monkeypatch.setattr(reading, "_MAX_FILE_BYTES", 4096)
    found = read(checkout / "cards")
    assert isinstance(found, dict)
    assert found["large.yaml"] == "\0" * 5002
    monkeypatch.setattr(reading, "_MAX_BYTES", 5000)
    refused = read(checkout / "cards")
    assert isinstance(refused, Refusal)
    assert "holds more than" in refused.message


@pytest.mark.parametrize(
    "revision", ["--help", "-h", "--git-dir=/tmp", "-", "HEAD:cards", "HEAD..HEAD", "^HEAD"]
)
def test_what_is_no_revision(checkout: Path, revision: str) -> None:
    found = read(checkout / "cards", revision)
    assert isinstance(found, Refusal)
    assert "no git revision" in found.message


def test_a_git_in_the_current_folder_is_not_run(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = checkout / "git"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    monkeypatch.chdir(checkout)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    read(checkout / "cards")
    assert not (tmp_path / "ran").exists()


def test_the_environment_leads_to_no_other_repository(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read(checkout / "cards")
    git(tmp_path, "init", "-q", "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "other" / ".git" / "objects"))
    assert read(checkout / "cards") == before


def test_the_revisions_to_choose_from(checkout: Path, tmp_path: Path) -> None:
    git(checkout, "branch", "-m", "trunk")
    git(checkout, "tag", "printed")
    name = os.fsencode(checkout / ".git" / "refs" / "tags") + b"/\xff"
    with open(name, "wb") as file:  # git allows such names
        file.write(git(checkout, "rev-parse", "HEAD").encode())
    assert sorted(reading.revisions(checkout / "cards")) == ["HEAD", "printed", "trunk"]
    assert reading.revisions(tmp_path) == []
    git(tmp_path, "init", "-q", "empty")
    assert reading.revisions(tmp_path / "empty") == []


def test_a_tree_of_very_many_folders_in_each_other_is_read_as_far_as_a_path_goes(checkout: Path) -> None:
    blob = git(checkout, "hash-object", "-w", "--stdin", stdin=b"cards: []\n")
    inner = git(checkout, "mktree", stdin=f"100644 blob {blob}\tdeep.yaml\n".encode())
    for _ in range(1_500 if THOROUGH else 100):
        inner = git(checkout, "mktree", stdin=f"040000 tree {inner}\td\n".encode())
    cards = git(checkout, "ls-tree", "HEAD:cards") + f"\n040000 tree {inner}\td\n"
    tree = git(checkout, "mktree", stdin=cards.encode())
    top = git(checkout, "mktree", stdin=f"040000 tree {tree}\tcards\n".encode())
    revision = git(checkout, "commit-tree", top, "-m", "deep")
    files = read(checkout / "cards", revision)
    assert not isinstance(files, Refusal)
    assert "opforge.yaml" in files
    assert not any(name.endswith("deep.yaml") for name in files)


def test_a_git_file_that_names_no_place_is_refused(tmp_path: Path) -> None:
    project = copytree(SMALL, tmp_path / "cards")
    (project / ".git").write_bytes(b"gitdir: a\0b\n")
    refused = read(project)
    assert isinstance(refused, Refusal)
    assert refused.message.endswith(".git does not say where the repository is.")
