"""What came of playing scenarios."""

from __future__ import annotations

from msgspec import Struct

from toolkit.data.model import Scenario
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.report import LeftOut
from toolkit.engine.explaining.origins import Origins
from toolkit.project.scenarios.coverage import Coverage
from toolkit.source import Span

Value = str | int | bool | None


class Failure(Struct, frozen=True):
    """One thing that is not as expected: ``what`` (``bishop.hitcounter``, ``refused``, ``step 2``).

    ``span`` is where it is said in the scenario; ``sentence`` says in a line why, where there is more to say.
    """

    what: str
    expected: Value
    got: Value
    span: Span
    sentence: str = ""


class Result(Struct, frozen=True):
    """A scenario that was played.

    ``refused`` is the id of the rule that refused a step, whether that was expected or not. ``trace`` are
    lines that show how the numbers came about; ``notes`` tell of answers that nobody asked for.
    """

    scenario: Scenario
    failures: tuple[Failure, ...] = ()
    refused: str | None = None
    trace: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all is as expected."""
        return not self.failures


class TestRun(Struct, frozen=True):
    """All scenarios that were played, and the errors for which others were not.

    ``left_out`` are the errors that are only counted, by file. ``unplayed`` are the names of files of which
    nothing was played, because they have errors. ``coverage`` is what was reached of each project, with what
    its effects are called; empty where nobody asked.
    """

    __test__ = False  # pytest takes classes of this name for tests

    results: tuple[Result, ...]
    findings: tuple[Diagnostic, ...]
    unplayed: tuple[str, ...] = ()
    coverage: tuple[tuple[Coverage, Origins], ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def passed(self) -> int:
        """How many scenarios passed."""
        return sum(result.passed for result in self.results)

    @property
    def failed(self) -> int:
        """How many scenarios did not."""
        return len(self.results) - self.passed

    @property
    def exit_status(self) -> int:
        """0 if all passed and every file could be played, else 1."""
        return 1 if self.failed or self.findings else 0
