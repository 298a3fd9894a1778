"""Generated functions as they are written, and what each of them is for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Writer:
    """The source of many functions; their names are counted up. ``build`` compiles them all at once.

    ``put`` tells where a function goes once there is one.
    """

    lines: list[str] = field(default_factory=list)
    _wanted: list[tuple[str, Callable[[Any], None]]] = field(default_factory=list)

    def function(self, parameters: str, body: Sequence[str], put: Callable[[Any], None]) -> None:
        """One more function; ``body`` is indented once already."""
        name = f"f{len(self._wanted)}"
        self.lines += [f"def {name}({parameters}):", *body]
        self._wanted.append((name, put))

    @property
    def source(self) -> str:
        """The whole source."""
        return "\n".join([*self.lines, ""])

    def build(self, namespace: dict[str, Any]) -> None:
        """Run the source once in a namespace and hand every function to where it is wanted."""
        exec(compile(self.source, "<cards>", "exec"), namespace)
        for name, put in self._wanted:
            put(namespace[name])
