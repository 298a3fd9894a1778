"""A text that counts in place of a file of a project: what an editor pipes in for an open file."""

from __future__ import annotations

from pathlib import Path

from toolkit.data.project_files import Folder
from toolkit.source import shown_name
from toolkit.source.paths import PROJECT_FILE
from toolkit.source.reading import content

_ENDINGS = (".yaml", ".yml")


def put_in_place(folder: Folder, root: Path, path: Path, data: bytes) -> str | None:
    """Let bytes count in place of a file of the project in ``root``; the file need not exist yet.

    ``path`` is absolute. A sentence if a file there would not belong to the project.
    """
    relative = path.relative_to(root)
    if not path.name.endswith(_ENDINGS) or any(part.startswith(".") for part in relative.parts):
        name = shown_name(path)
        return f"{name} is not a card file: its name must end in .yaml, and no part may begin with a dot."
    folder.files[path] = content(data, path, shown_name(path))
    paths = folder.found.yaml_files
    if path not in paths:
        paths.append(path)
        paths.sort(key=lambda each: (each != root / PROJECT_FILE, each.parts))
        folder.found.names.add(relative.as_posix())
    return None
