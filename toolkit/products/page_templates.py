"""The environment of pages in HTML that products make from templates of their own."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def page_environment(folder: Path) -> Environment:
    """Return the environment of the templates in a product's folder, which escape their values."""
    return Environment(
        autoescape=True,
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
