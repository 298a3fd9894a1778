"""README.md as the page of the package on PyPI: for whoever installs it, and with links that work there.

hatchling runs this when it builds (``[tool.hatch.metadata.hooks.custom]`` in ``pyproject.toml``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_FROM_SOURCE = re.compile(r"<!-- from source -->\n.*?<!-- end -->\n\n?", re.DOTALL)
_LINK = re.compile(r"(!?)\[([^\]\n]*)\]\((?![a-z]+:|#)([^)\s]+)\)")


class PypiReadme(MetadataHookInterface):
    """Adds the page to the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme."""
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = pypi_readme(readme, metadata["urls"]["Source"], f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def pypi_readme(readme: str, source: str, tag: str) -> str:
    """Return the README without what concerns only its source, with links to this version on the web."""

    def absolute(link: re.Match[str]) -> str:
        is_picture, label, path = link.groups()
        view = "raw" if is_picture else "blob"
        return f"{is_picture}[{label}]({source}/{view}/{tag}/{path})"

    return _LINK.sub(absolute, _FROM_SOURCE.sub("", readme))
