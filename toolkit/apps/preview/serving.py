"""The server on loopback: its port, its token, one preview for each project, Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import secrets
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from toolkit.apps.preview.application import application
from toolkit.apps.preview.session import Session
from toolkit.apps.preview.snapshot import PreviewOptions
from toolkit.products.changes.baseline_project import baseline_project
from toolkit.project.output import Refusal, cannot_write
from toolkit.resources import cache_folder

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PORTS = range(8017, 8037)
"""Ports that are tried, in order."""
MAX_CONNECTIONS = 100
"""A browser opens six. At the system's own limit asyncio would print thousands of tracebacks a second."""
_HOST = "127.0.0.1"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
"""32 random bytes as ``secrets`` writes them."""
_RUNNING = "running.json"
_STARTING = 5.0
"""Seconds after which a preview that is starting should have a port."""


class PreviewFolder:
    """The folder in the user's cache for the preview of a project: token, lock, redirect.

    Only the user may read it. ``last_port`` is the port of the preview before this one. Raises ``OSError`` if
    it cannot be made so.
    """

    def __init__(self, root: Path) -> None:
        name = blake2b(os.fsencode(root), digest_size=16).hexdigest()
        self.path = cache_folder() / "preview" / name
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = self.path.lstat()
        if hasattr(os, "getuid") and status.st_uid != os.getuid():
            raise OSError(errno.EPERM, "it belongs to another user", os.fspath(self.path))
        self.path.chmod(0o700)
        self.last_port: int | None = None

    def token(self) -> str:
        """Return the token of the project, which is kept from run to run unless others could read it."""
        with suppress(OSError, UnicodeDecodeError):
            handle = os.open(self.path / "token", os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
            with os.fdopen(handle, encoding="ascii") as file:
                kept_token = file.read(100)
                others_read = os.name == "posix" and os.fstat(handle).st_mode & 0o077
            if _TOKEN.fullmatch(kept_token) and not others_read:
                return kept_token
        new_token = secrets.token_urlsafe(32)
        self._write("token", new_token)
        return new_token

    def begin(self) -> int | None:
        """Become the running preview of the project, or return the port of the one that runs already.

        Waits for one that is starting. Raises ``OSError``.
        """
        deadline = time.monotonic() + _STARTING
        while not self._locked():
            port = self._noted_port()
            if port is not None:
                return port
            if time.monotonic() > deadline:
                raise OSError(
                    errno.EBUSY, "another preview of this project is starting", os.fspath(self.path)
                )
            time.sleep(0.05)
        # The noted port is that of a preview that has ended. It goes before this one has a port: by now it
        # may be another user's, who would be sent the token.
        self.last_port = self._noted_port()
        with suppress(FileNotFoundError):
            (self.path / _RUNNING).unlink()
        return None

    def _locked(self) -> bool:
        """Lock the folder until the process ends; False if another process has locked it."""
        handle = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            if sys.platform == "win32":
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            return False
        return True  # the handle stays open: closing it would release the lock

    def note_running(self, port: int) -> None:
        """Write down where this preview runs."""
        self._write(_RUNNING, json.dumps({"port": port, "process": os.getpid()}))

    def _noted_port(self) -> int | None:
        """Return the port that a preview has written down; None if there is none, or nothing sound."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            port = json.loads((self.path / _RUNNING).read_text("ascii"))["port"]
            return port if isinstance(port, int) and 0 < port < 65536 else None
        return None

    def redirect(self, address: str) -> Path:
        """Write a page that redirects to an address, so that the process list does not show the token."""
        page = (
            '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
            f'<meta http-equiv="refresh" content="0; url={address}"><title>opforge preview</title>'
        )
        return self._write("open.html", page)

    def _write(self, name: str, text: str) -> Path:
        """Write a file that only its owner may read, whole, and return its path."""
        path, new_path = self.path / name, self.path / f".{name}.{os.getpid()}"
        with suppress(OSError):
            new_path.unlink()
        handle = os.open(new_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
        os.replace(new_path, path)
        return path


def _address(port: int, token: str) -> str:
    """Return the address of the page, with the token in the fragment, which browsers never send."""
    return f"http://{_HOST}:{port}/#token={token}"


def listen(port: int | None, preferred: int | None) -> socket.socket | str:
    """Return a socket on the loopback interface, or a sentence if no port is free.

    Without a port the preferred one is tried first: a tab of the last run may reconnect to it.
    """
    usual_ports = [preferred, *PORTS] if preferred in PORTS else [*PORTS]
    tried_ports = usual_ports if port is None else [port]
    for number in tried_ports:
        server_socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)  # Windows lets others take a port over
        server_socket.setsockopt(socket.SOL_SOCKET, exclusive or socket.SO_REUSEADDR, 1)
        try:
            server_socket.bind((_HOST, number or 0))
            server_socket.listen(128)
        except OSError:
            server_socket.close()
            continue
        return server_socket
    if port is not None:
        return f"Port {port} is taken by another program; leave --port out to use a free one."
    return f"The ports {PORTS[0]} to {PORTS[-1]} are taken; choose another one with --port."


class _Connection(H11Protocol):
    """A connection that closes an idle one if there are too many: any user of the machine may open some."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            protocols = [protocol for protocol in self.connections if isinstance(protocol, H11Protocol)]
            idle = (
                protocol
                for protocol in protocols
                if protocol is not self and (protocol.cycle is None or protocol.cycle.response_complete)
            )
            closed = next(idle, self)  # without an idle one the new connection is closed
            self.connections.discard(closed)
            closed.transport.abort()


class _Server(uvicorn.Server):
    """A server that ends the event streams before it exits: uvicorn 0.54 waits for open streams for ever."""

    def __init__(self, config: uvicorn.Config, before_exit: Callable[[], object]) -> None:
        super().__init__(config)
        self._before_exit = before_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._before_exit()


def _server_of(session: Session) -> _Server:
    """Return the server of a session, for the running event loop."""
    loop = asyncio.get_running_loop()
    config = uvicorn.Config(
        application(session),
        log_level="error",
        access_log=False,
        server_header=False,
        ws="none",
        http=_Connection,
        loop="asyncio",
        lifespan="on",
        timeout_graceful_shutdown=1,
        backlog=MAX_CONNECTIONS // 2,  # asyncio accepts that many before it closes any
    )
    return _Server(config, lambda: loop.call_soon_threadsafe(session.close))


def start(
    root: Path,
    port: int | None,
    ready: Callable[[str, Path], None],
    log: Callable[[str], None],
    **options: Any,
) -> Refusal | bool:
    """Serve a project until the process is interrupted.

    ``ready`` is called with the address of the page and the file that redirects to it; ``log`` with each line
    of the log; ``options`` are those of ``PreviewOptions``. Returns True after the interrupt; False without
    serving if the project is previewed already, after calling ``ready`` with that address.
    """
    try:
        folder = PreviewFolder(root)
        running_port = folder.begin()
        token = folder.token()
    except OSError as error:
        return cannot_write(Path(error.filename or cache_folder()), error)
    if running_port is not None:
        address = _address(running_port, token)
        ready(address, folder.redirect(address))
        return False
    if options.get("since"):  # a wrong version is refused here, and not first on the page
        with baseline_project(root, options["since"]) as baseline:
            if isinstance(baseline, Refusal):
                return baseline
    server_socket = listen(port, folder.last_port)
    if isinstance(server_socket, str):
        return Refusal(server_socket)

    async def serve() -> None:
        session = Session(root, PreviewOptions(**options), token, log)
        _host, session.port = server_socket.getsockname()
        server = _server_of(session)
        folder.note_running(session.port)
        address = _address(session.port, token)
        ready(address, folder.redirect(address))
        await server.serve([server_socket])

    with suppress(KeyboardInterrupt):  # uvicorn raises the signal again when it has ended
        asyncio.run(serve())
    return True
