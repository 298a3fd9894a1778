"""Who may ask the preview, and what everybody else gets."""

from __future__ import annotations

import asyncio
import http.client
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.preview.conftest import Preview
from toolkit.apps.preview.application import application
from toolkit.apps.preview.responses import MAX_BODY_BYTES, ApiError, error_response, json_response, read_json
from toolkit.apps.preview.security import CONTENT_POLICY, Guard
from toolkit.apps.preview.session import Session
from toolkit.resources import starter_folder

OWN = "http://127.0.0.1:8017"


class Sent(Struct):
    number: int


class Probe:
    """An application behind the guard that remembers what it saw."""

    def __init__(self) -> None:
        self.port, self.token, self.generation = 8017, "t" * 43, "run-1"
        self.seen: list[str] = []

        async def show(request: Request) -> Response:
            self.seen.append(request.url.path)
            if request.method == "POST":
                sent = await read_json(request, Sent)
                return json_response(request, {"number": sent.number})
            return json_response(request, {})

        async def refuse(_request: Request, error: Exception) -> Response:
            assert isinstance(error, ApiError)
            return error_response(error.status, error.data)

        every = Route("/{path:path}", show, methods=["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
        app = Starlette(routes=[every], exception_handlers={ApiError: refuse})
        self.client = TestClient(Guard(app, self), base_url=OWN)

    def ask(self, method: str, path: str, **more: Any) -> Any:
        return self.client.request(method, path, **more)

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@pytest.fixture
def probe() -> Probe:
    return Probe()


def test_the_own_page_is_answered(probe: Probe) -> None:
    assert probe.ask("GET", "/").status_code == 200
    assert probe.ask("GET", "/api/state", headers=probe.bearer).json() == {
        "version": 1,
        "generation": "run-1",
    }
    of_page = {**probe.bearer, "Origin": OWN, "Sec-Fetch-Site": "same-origin"}
    assert probe.ask("POST", "/api/bench", headers=of_page, json={"number": 3}).json()["number"] == 3
    local = {**of_page, "Host": "localhost:8017", "Origin": "http://localhost:8017"}
    assert probe.ask("POST", "/api/bench", headers=local, json={"number": 3}).status_code == 200
    linked = probe.ask("GET", "/", headers={"Sec-Fetch-Site": "cross-site"})
    assert linked.status_code == 200, "the page is reached from a file or a link"


WRONG_HOSTS = (
    *("127.0.0.1", "localhost", "127.0.0.1:8018", "127.0.0.1:80170", "127.0.0.1:8017.", "127.0.0.1:"),
    *("evil.example:8017", "127.0.0.1.evil.example:8017", "evil.example", "127.0.0.1:8017@evil.example"),
    *("[::1]:8017", "0.0.0.0:8017", "127.1:8017", "2130706433:8017", "", "127.0.0.1:8017, evil.example"),
)
FOREIGN = (
    "http://evil.example",
    "null",
    "https://127.0.0.1:8017",
    "http://127.0.0.1:8018",
    "http://[::1]:8017",
)


@pytest.mark.parametrize("path", ["/", "/api/state", "/events", "/face/0123.png"])
def test_a_rebound_name_reads_nothing(probe: Probe, path: str) -> None:
    for host in WRONG_HOSTS:
        refused = probe.ask("GET", path, headers={**probe.bearer, "Host": host})
        assert refused.status_code == 403, host
        assert "own machine" in refused.json()["error"], host
        assert probe.seen == [], host


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("GET", "/api/state"), ("POST", "/api/bench")])
def test_another_page_reads_nothing(probe: Probe, origin: str, method: str, path: str) -> None:
    headers = {**probe.bearer, "Origin": origin, "Content-Type": "application/json"}
    assert probe.ask(method, path, headers=headers).status_code == 403
    assert probe.seen == []


def test_an_origin_of_the_other_name_of_this_machine_is_another_page(probe: Probe) -> None:
    headers = {**probe.bearer, "Origin": "http://localhost:8017"}
    assert probe.ask("GET", "/api/state", headers=headers).status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "Same-Origin"])
@pytest.mark.parametrize("path", ["/api/state", "/events", "/static/main.js", "/face/0123.png"])
def test_what_a_browser_says_of_another_site_is_refused(probe: Probe, site: str, path: str) -> None:
    assert probe.ask("GET", path, headers={**probe.bearer, "Sec-Fetch-Site": site}).status_code == 403
    assert probe.seen == []


@pytest.mark.parametrize("path", ["/api/state", "/api/card/viper", "/api", "/api/", "/events"])
def test_a_thief_with_the_right_host_and_origin_and_no_token(probe: Probe, path: str) -> None:
    token = probe.token
    thieves = ("", "Bearer", "Bearer ", f"Bearer {token[:-1]}", f"Bearer {token}x", f"Basic {token}", token)
    for given in thieves:
        headers = {"Origin": OWN, "Sec-Fetch-Site": "same-origin", "Authorization": given}
        assert probe.ask("GET", path, headers=headers).status_code == 401, given
    assert probe.ask("GET", f"{path}?token={token}").status_code == 401
    assert probe.ask("GET", path, headers={"Cookie": f"token={token}"}).status_code == 401
    twice = [("Authorization", "Bearer x"), ("Authorization", f"Bearer {token}")]
    assert probe.ask("GET", path, headers=twice).status_code == 401
    assert probe.seen == []


def test_what_is_posted_needs_origin_token_and_type(probe: Probe) -> None:
    json_type = {"Content-Type": "application/json"}
    own = {**probe.bearer, "Origin": OWN}
    assert probe.ask("POST", "/", headers={**json_type, "Origin": OWN}).status_code == 401
    assert probe.ask("POST", "/api/bench", headers={**probe.bearer, **json_type}).status_code == 403
    for wrong in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "",
        "application/jsonx",
    ):
        refused = probe.ask("POST", "/api/bench", headers={**own, "Content-Type": wrong}, content="{}")
        assert refused.status_code == 400, wrong
    assert probe.seen == []


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "x" * 99])
def test_other_methods_are_refused(probe: Probe, method: str) -> None:
    refused = probe.ask(method, "/api/state", headers={**probe.bearer, "Origin": OWN})
    assert refused.status_code == 405
    assert "access-control-allow-origin" not in refused.headers
    assert probe.seen == []


def test_a_body_is_bounded_whether_its_length_is_said_or_not(probe: Probe) -> None:
    own = {**probe.bearer, "Origin": OWN, "Content-Type": "application/json"}
    said = probe.ask("POST", "/api/bench", headers=own, content=b" " * (MAX_BODY_BYTES + 1))
    assert said.status_code == 413
    assert probe.seen == []

    def pieces() -> Iterator[bytes]:
        yield from [b" " * 65536] * 1000

    assert probe.ask("POST", "/api/bench", headers=own, content=pieces()).status_code == 413


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"number": "3"}', b'{"number": 1e999}', b"\xff\xfe", b"[" * 100_000, b"{}"]
)
def test_a_body_that_is_something_else_is_refused_with_a_sentence(probe: Probe, body: bytes) -> None:
    own = {**probe.bearer, "Origin": OWN, "Content-Type": "application/json"}
    refused = probe.ask("POST", "/api/bench", headers=own, content=body)
    assert refused.status_code == 400
    assert refused.json()["error"].startswith("The body is not what this address expects")


# the application itself


@pytest.fixture(scope="module")
def page() -> Iterator[TestClient]:
    """A page that only looks."""
    session = Session(starter_folder())
    session.port = 8017
    with TestClient(application(session), base_url=OWN) as client:
        client.headers["Authorization"] = f"Bearer {session.token}"
        yield client


HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


def test_every_answer_has_the_headers_that_protect_it(page: TestClient) -> None:
    assert CONTENT_POLICY == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    wrong = {"Authorization": "Bearer x"}
    answers = {
        "no-cache": [page.get("/"), page.get("/static/main.js")],
        "no-store": [
            *(page.get("/api/state"), page.get("/api/cards"), page.get("/api/card/nothing"), page.get("/x")),
            *(page.get("/api/state", headers=wrong), page.get("/", headers={"Host": "evil.example"})),
        ],
    }
    for cached, found in answers.items():
        for one in found:
            assert {name: one.headers.get(name) for name in HEADERS} == HEADERS, one.url
            assert one.headers["cache-control"] == cached, one.url
            assert "server" not in one.headers
            assert not [name for name in one.headers if name.startswith("access-control")]


def test_the_page_is_public_and_holds_no_data(page: TestClient) -> None:
    found = page.get("/", headers={"Authorization": ""})
    assert found.status_code == 200
    assert "text/html" in found.headers["content-type"]
    card = page.get("/api/cards").json()["cards"]
    assert card == [] or card[0]["id"] not in found.text
    again = page.get("/", headers={"If-None-Match": found.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/api/card/nothing", "/api/explain/nothing", "/api/nothing", "/static/nothing.js"]
)
def test_an_address_of_nothing_is_answered_with_a_sentence(page: TestClient, path: str) -> None:
    found = page.get(path)
    assert found.status_code == 404
    assert found.json()["error"].endswith(".")


def test_an_id_with_markup_is_json_and_nothing_else(page: TestClient) -> None:
    found = page.get("/api/card/%3Cscript%3Ealert(1)%3C%2Fscript%3E")
    assert found.status_code == 404
    assert found.headers["content-type"] == "application/json"


RAW_PATHS = (
    *(
        "/static/../session.py",
        "/static/%2e%2e/session.py",
        "/static/..%2fsession.py",
        "/static/..%5csession.py",
    ),
    *("/static//etc/passwd", "/static/%2fetc%2fpasswd", "//etc/passwd", "/../../../../etc/passwd"),
    *(
        "/static/main.js%00.css",
        "/static/.",
        "/static/",
        "/api/card/..%2f..%2fopforge.yaml",
        "/face/..%2f..%2fx.png",
    ),
    *("/static/fonts/../index.html", "/sheet/../../etc/passwd/1.png"),
)


def test_no_path_leads_out_and_no_raw_request_gets_past_the_guard(running: Preview) -> None:
    def ask(path: str, **headers: str) -> tuple[int, bytes]:
        with closing(http.client.HTTPConnection("127.0.0.1", running.port, timeout=10)) as connection:
            connection.request("GET", path, headers={"Authorization": f"Bearer {running.token}", **headers})
            with connection.getresponse() as found:
                return found.status, found.read()

    assert ask("/api/state")[0] == 200
    for path in RAW_PATHS:
        status, body = ask(path)
        assert status == 404, path
        assert b"root:" not in body, path
        assert b"import" not in body, path
    assert ask("http://evil.example/api/state", Host="evil.example")[0] == 403
    assert ask("/api/state", Host=f"evil.example:{running.port}")[0] == 403
    assert ask("/api/state", Authorization="")[0] == 401
    assert not [line for line in running.log if "Traceback" in line]


def test_digests_are_keyed_with_the_token() -> None:
    async def digests() -> list[str]:
        one, other = Session(Path("x"), token="a" * 43), Session(Path("x"), token="b" * 43)
        return [
            one.keyed_digest(b"face"),
            one.keyed_digest(b"face"),
            other.keyed_digest(b"face"),
            one.keyed_digest(b"fa", b"ce"),
        ]

    first, again, other, parts = asyncio.run(digests())
    assert first == again
    assert len({first, other, parts}) == 3
    assert len(first) == 32


@pytest.mark.parametrize(
    "path",
    [
        *(f"/sheet/x/{'9' * 5000}.png", "/sheet/x/-1.png", "/sheet/x/x.png", f"/{'a' * 9000}"),
        *("/static/", "/events/", "/api/cards/"),
    ],
)
def test_any_address_is_answered_with_a_sentence(page: TestClient, path: str) -> None:
    found = page.get(path, follow_redirects=False)
    assert found.status_code == 404
    assert found.json()["error"].endswith(".")


def test_a_mistake_of_the_program_is_an_error_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "search", None)
    session = Session(starter_folder())
    session.port = 8017
    with TestClient(application(session), base_url=OWN, raise_server_exceptions=False) as client:
        found = client.get("/api/search?q=x", headers={"Authorization": f"Bearer {session.token}"})
    assert found.status_code == 500
    assert "terminal" in found.json()["error"]


def test_a_body_that_breaks_off_is_no_mistake_of_the_program(
    make_preview: Callable[..., Preview], tmp_path: Path
) -> None:
    shutil.copytree(starter_folder(), tmp_path / "starter")
    preview = make_preview(tmp_path / "starter")
    port = int(preview.origin.rpartition(":")[2])
    head = f"POST /api/try HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {preview.origin}\r\n"
    head += f"Authorization: Bearer {preview.token}\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", port)) as broken:
        broken.sendall(f'{head}Content-Length: 500\r\n\r\n{{"tries"'.encode())
        broken.shutdown(socket.SHUT_WR)
        broken.recv(1000)
    with socket.create_connection(("127.0.0.1", port)) as whole:  # after the other one has been answered
        whole.sendall(f'{head}Connection: close\r\nContent-Length: 12\r\n\r\n{{"tries":[]}}'.encode())
        assert b"200 OK" in whole.recv(100)
    preview.stop()
    assert "Traceback" not in "".join(preview.log)
