"""``opforge check [PATH…]`` without options: what runs after each change, and mostly finds nothing.

Then nothing is needed of click, whose import takes as long as all else of a second check. Whatever takes more
than that is left to the command as click knows it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolkit.cli.streams import write

if TYPE_CHECKING:
    from toolkit.data.project_files import Target


def plain_check(arguments: Sequence[str]) -> int | None:
    """The exit status of such a check; None where it is another command, or wrong use."""
    if arguments[:1] != ["check"] or any(word.startswith("-") for word in arguments):
        return None
    targets = [_target(path) for path in arguments[1:] or (None,)]
    known = list(dict.fromkeys(target for target in targets if target is not None))
    if None in targets:
        return None
    import time

    from toolkit import api
    from toolkit.project.checks import CheckWish, Refusal

    report = api.check(CheckWish(known, time.strftime("%Y-%m-%d")))
    if isinstance(report, Refusal):
        return None
    if report.findings or os.environ.get("GITHUB_ACTIONS"):
        from toolkit.cli.outputs import chosen_outputs, tell

        return tell(report, chosen_outputs(None, (), counted=False))
    from toolkit.diagnostics.reporters import as_text

    write(sys.stdout, as_text(report))
    return 0


def _target(path: str | None) -> Target | None:
    """The project of a PATH with what is meant of it, or the nearest project; None if there is none."""
    from toolkit.data.project_files import target_of

    if path is not None and not os.path.exists(path):
        return None
    target = target_of(None if path is None else Path(path))
    return None if isinstance(target, str) else target
