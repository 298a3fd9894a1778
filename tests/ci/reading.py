"""Reading YAML of other programs as YAML 1.2, where ``on`` is a word."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from jsonschema.validators import validator_for

from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.source import SourceFile

ROOT = Path(__file__).parents[2]
SCHEMAS = Path(__file__).parent / "schemas"
PAGE = ROOT / "toolkit" / "help" / "how-to" / "check-in-ci.md"
PULL_REQUESTS = PAGE.with_name("pull-requests.md")
_FILE = re.compile(r"^```yaml file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read_yaml(text: str, name: str) -> Any:
    """What a YAML text means."""
    tree = parse_tree(SourceFile(Path(name), name, text))
    assert tree.root is not None
    assert not tree.findings, tree.findings
    return tree.root.value


def read_file(name: str) -> Any:
    """What a YAML file of the repository means."""
    return read_yaml((ROOT / name).read_text(encoding="utf-8"), name)


def files_of_the_page(page: Path = PAGE) -> dict[str, Any]:
    """What the files mean that a how-to page lets its readers save."""
    text = page.read_text(encoding="utf-8")
    return {name: read_yaml(body, name) for name, body in _FILE.findall(text)}


def wrong_by(schema: str, value: Any) -> list[str]:
    """What a schema has against a value."""
    known = json.loads((SCHEMAS / schema).read_text(encoding="utf-8"))
    return [error.message for error in validator_for(known)(known).iter_errors(value)]
