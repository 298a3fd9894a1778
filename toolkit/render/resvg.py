"""Drawing SVG with resvg in a process that is stopped if it takes too long, and started again if it dies.

The metadata of packages are imported only where a version is needed: they take 20 ms of every sheet.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import time
from functools import cache
from importlib import util
from pathlib import Path
from threading import Lock, Timer

from toolkit.render import resvg_worker

SECONDS = 20.0
"""Limit for one drawing. A card's page with several large blurs takes about one second."""


_PATIENCE = 5 * SECONDS
"""Seconds that drawings may take in vain, so that hundreds of endless ones do not take hours."""

_REGAINED = 0.1
"""The part of all time by which patience grows again."""


class DrawingFailed(Exception):
    """A drawing was not drawn; the message says why, as a phrase after "The drawing"."""


class Impatient(DrawingFailed):
    """A drawing was not tried, because others took too much time."""


@cache
def version() -> str:
    """Return the version of the package, which pins that of resvg. It is part of the keys of caches."""
    from importlib import metadata

    return metadata.version("resvg_py")


class _Worker:
    """The process. It is started by the first drawing and ends with this process."""

    def __init__(self) -> None:
        """Start no process yet: most projects have no drawing for it."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._wasted_seconds = 0.0
        """Seconds that drawings took in vain; they are forgotten little by little."""
        self._counted_at = 0.0

    def draw(self, request: bytes) -> bytes:
        """Return the answer to a request.

        Raises ``OSError`` if the process dies or is stopped, and ``Impatient`` after too many that were.
        """
        with self._lock:
            begin = time.monotonic()
            regained = (begin - self._counted_at) * _REGAINED
            self._wasted_seconds = max(self._wasted_seconds - regained, 0.0)
            self._counted_at = begin
            if self._wasted_seconds >= _PATIENCE:
                raise Impatient("is not drawn, because others took too much time")
            if self._process is not None and self._process.poll() is not None:  # it died between drawings
                self.close()
            process = self._process = self._process or self._start()
            assert process.stdin is not None
            assert process.stdout is not None
            timer = Timer(SECONDS, process.kill)
            timer.daemon = True
            timer.start()
            try:
                process.stdin.write(len(request).to_bytes(4, "big") + request)
                process.stdin.flush()
                length = int.from_bytes(process.stdout.read(4), "big")
                answer = process.stdout.read(length)
                if not answer or len(answer) < length:
                    raise OSError("the process ended")
            except OSError:
                self._process = None
                self._wasted_seconds += time.monotonic() - begin
                _end(process)
                raise
            finally:
                timer.cancel()
            return answer

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)

    def _start(self) -> subprocess.Popen[bytes]:
        """Start a worker, which sees no installed package but the one in the folder that it is given."""
        package = util.find_spec("resvg_py")
        if package is None or package.origin is None:
            raise DrawingFailed("needs the package resvg-py, which is not installed")
        command = [sys.executable, "-I", "-S", resvg_worker.__file__, str(Path(package.origin).parent.parent)]
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop the process of a worker and close what led to it."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # what was not yet sent to a dead process
                continue


_WORKER = _Worker()
atexit.register(_WORKER.close)


def draw(svg: bytes, side: tuple[str, int], fonts: tuple[Path, ...], family: str) -> bytes:
    """Return a drawing as PNG whose ``side``, ``width`` or ``height``, has so many pixels.

    It must be UTF-8 and refer to nothing outside itself, because resvg would read any file of this computer.
    Raises ``DrawingFailed``. The same drawing and fonts give the same bytes.
    """
    families = ("font", "serif", "sans_serif", "cursive", "fantasy", "monospace")
    side_name, pixels = side
    request = {
        "svg_string": svg.decode(),
        side_name: pixels,
        "dpi": 96,
        "skip_system_fonts": True,
        "font_files": [str(path) for path in fonts],
        "languages": ["en"],
        **{f"{name}_family": family for name in families},
    }
    try:
        answer = _WORKER.draw(json.dumps(request).encode())
    except OSError as error:
        raise DrawingFailed("takes too much time or memory to draw") from error
    is_drawn, content = answer.startswith(b"+"), answer[1:]
    if not is_drawn:  # the content is the message of an error
        raise DrawingFailed(f"cannot be drawn ({content.decode('utf-8', 'replace')})")
    return content
