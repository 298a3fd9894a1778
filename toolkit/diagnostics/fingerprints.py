"""What a finding is known by when its line has moved: in a baseline, and to services that track findings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from toolkit.diagnostics.finding import Diagnostic
from toolkit.diagnostics.places import path_from

_SPACES = re.compile(r"\s+")


def fingerprint(finding: Diagnostic, base: Path) -> str:
    """Sixteen signs for the name, the card and the underlined words.

    Neither line nor message takes part. A finding that is in no card is told by its file (as seen from
    ``base``) and the text of its line. Equal mistakes in one card have equal fingerprints.
    """
    words = _SPACES.sub(" ", finding.span.text).strip()
    if finding.card is not None:
        where = ("card", finding.card)
    else:
        line = finding.span.file.line(finding.span.begin_position.line)
        where = (path_from(base, finding.span.file), _SPACES.sub(" ", line).strip())
    digest = blake2b(digest_size=8)
    for part in (finding.name, *where, words):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def unique_fingerprints(findings: Iterable[Diagnostic], base: Path) -> list[str]:
    """The fingerprints in order; equal ones are told apart by a number: ``…-2`` is the second."""
    seen: Counter[str] = Counter()
    told = []
    for finding in findings:
        sign = fingerprint(finding, base)
        seen[sign] += 1
        told.append(sign if seen[sign] == 1 else f"{sign}-{seen[sign]}")
    return told
