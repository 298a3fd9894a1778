"""Tables at an address: a server of its own on the loopback, with its own certificate."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from toolkit.editing.tables import published
from toolkit.editing.tables.published import fetch_book
from toolkit.editing.tables.table_reader import Book

CERTIFICATE = Path(__file__).with_name("localhost.pem")
TABLE = b"id,kind,name\na1,item,Alpha\n"


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        here = f"https://localhost:{self.server.server_address[1]}"
        kind, body, target = "text/csv", TABLE, ""
        match self.path.partition("?")[0]:
            case "/moved":
                target = f"{here}/table"
            case "/plain":
                target = here.replace("https", "http") + "/table"
            case "/round":
                target = f"{here}/round"
            case "/file":
                target = "file:///etc/passwd"
            case "/page":
                kind, body = "text/html; charset=utf-8", b"<!doctype html><p>Sign in"
            case "/large":
                body = b"x" * (published.MAX_BYTES + 10)
            case "/gone":
                self.send_error(404)
                return
        self.send_response(302 if target else 200)
        if target:
            self.send_header("Location", target)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(published, "MAX_BYTES", 100_000)
    monkeypatch.setenv("no_proxy", "localhost")
    running = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    running.socket = context.wrap_socket(running.socket, server_side=True)
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield f"https://localhost:{running.server_address[1]}"
    running.shutdown()
    running.server_close()
    thread.join()


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))


@pytest.mark.parametrize("path", ["/table?key=secret", "/moved"])
@pytest.mark.usefixtures("trusted")
def test_a_published_table_is_read_and_its_places_name_the_host_only(server: str, path: str) -> None:
    book = fetch_book(server + path)
    assert isinstance(book, Book), book
    assert [row.place for row in book.sheets[0].rows] == ["localhost:2"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/plain", "localhost cannot be read: it leads to an address without https."),
        ("/file", "is not allowed"),
        ("/round", "is the sheet published?"),
        ("/page", "localhost sends a web page, not a table: publish the sheet as CSV"),
        ("/large", "is larger than"),
        ("/gone", "localhost answers 404 Not Found: is the sheet published?"),
    ],
)
@pytest.mark.usefixtures("trusted")
def test_what_is_no_table_is_refused(server: str, path: str, said: str) -> None:
    refused = fetch_book(server + path)
    assert isinstance(refused, str)
    assert said in refused


def test_a_server_that_nobody_vouches_for_is_not_read(server: str) -> None:
    refused = fetch_book(f"{server}/table")
    assert isinstance(refused, str)
    assert "CERTIFICATE_VERIFY_FAILED" in refused


@pytest.mark.parametrize(
    "address", ["http://localhost/a", "https://", "https://u:p@localhost/a", "https://[x"]
)
def test_other_addresses_are_not_asked(address: str) -> None:
    assert isinstance(fetch_book(address), str)
