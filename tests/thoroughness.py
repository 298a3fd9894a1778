"""How many examples the tests look at: a twentieth of those written, or all with OPFORGE_TESTS=thorough."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings

T = TypeVar("T")

THOROUGH = os.environ.get("OPFORGE_TESTS") == "thorough"
HYPOTHESIS_DEFAULT = 100


def share(number: int) -> int:
    """How many of so many random or sampled cases are looked at in this run, at least three."""
    return number if THOROUGH else max(number // 20, min(number, 3))


def some(every: Sequence[T], *chosen: int) -> Sequence[T]:
    """All of them in a thorough run, else those with these numbers."""
    return every if THOROUGH else [every[number] for number in chosen]


def examples(number: int, **options: Any) -> settings:
    """The settings of a law that is tried with so many examples in a thorough run."""
    return settings(max_examples=share(number), **options)


def load_profile() -> None:
    """Make this run's number of examples the default, and judge no test by its time on a busy machine.

    A quick run always looks at the same examples, so that nobody's change is red by chance; a thorough one
    looks at others each time.

    Hypothesis also tries the numbers and texts that it reads in the modules of the package. Which these are
    depends on what was imported before, and with it which examples there are; and to read all modules takes
    2 s of each process on a clean checkout. Only a thorough run does it.
    """
    name = "thorough" if THOROUGH else "quick"
    slow = [HealthCheck.too_slow]
    settings.register_profile(
        name,
        max_examples=share(HYPOTHESIS_DEFAULT),
        deadline=None,
        derandomize=not THOROUGH,
        suppress_health_check=slow,
    )
    settings.load_profile(name)
    if not THOROUGH:
        with suppress(ImportError, AttributeError):  # private: where it differs, runs are only slower
            _read_no_numbers_in_modules()
            _know_the_characters_of_utf_8()


def _read_no_numbers_in_modules() -> None:
    from hypothesis.internal.conjecture import providers

    none = providers._local_constants
    providers._get_local_constants = lambda: none


def _know_the_characters_of_utf_8() -> None:
    """On a clean checkout each process would try them all, which takes 0.8 s."""
    from hypothesis.internal import charmap
    from hypothesis.internal.intervalsets import IntervalSet

    intervals_of = charmap.intervals_from_codec
    if intervals_of.__annotations__.get("return") == tuple[IntervalSet, IntervalSet]:
        surrogates = 0xD800, 0xDFFF
        encodable = IntervalSet([(0, surrogates[0] - 1), (surrogates[1] + 1, sys.maxunicode)])
        utf_8 = encodable, IntervalSet([])
        charmap.intervals_from_codec = lambda codec: utf_8 if codec == "utf-8" else intervals_of(codec)
