"""Reading a table that is published at an address, which only the user names on the command line.

Published sheets redirect to where they are stored; it is followed to ``https`` only. What comes is bounded in
size and time, and then decoded and bounded as a file is.
"""

from __future__ import annotations

import time
from http.client import HTTPException
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from toolkit.editing.tables.table_reader import MAX_BYTES, Book, read_content

_SECONDS = 60
"""The limit of time for the whole table."""

_WAIT = 15
"""Seconds without an answer after which a server is given up."""

_MAX_REDIRECTS = 5
_BLOCK = 1 << 16


class _SafeRedirects(HTTPRedirectHandler):
    """Follows redirects to ``https`` addresses only, and few of them."""

    max_redirections = _MAX_REDIRECTS

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> Request | None:
        """Return the request for the new address; raises ``URLError`` for one without ``https``."""
        if urlsplit(newurl).scheme != "https":
            raise URLError("it leads to an address without https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch_book(address: str) -> Book | str:
    """Read the tables of a published sheet, or return a sentence why they cannot be read.

    Places name the host only: the rest of the address may be a secret.
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return "This is not an address that can be read."
    if parts.scheme != "https":
        return "Only an address that begins with https:// is read."
    if not host or parts.username is not None or parts.password is not None:
        return "The address needs a host, and no user or password."
    try:
        kind, content = _fetch(build_opener(_SafeRedirects), address)
    except HTTPError as error:
        return f"{host} answers {error.code} {error.reason}: is the sheet published?"
    except URLError as error:
        return f"{host} cannot be read: {error.reason}."
    except TimeoutError:
        return f"{host} does not answer in time."
    except (OSError, HTTPException, ValueError) as error:
        return f"{host} cannot be read: {error}."
    if len(content) > MAX_BYTES:
        return f"The table of {host} is larger than {MAX_BYTES // 1_000_000} MB."
    if kind == "text/html" or content[:512].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return f"{host} sends a web page, not a table: publish the sheet as CSV, and use that address."
    return read_content(host, ".xlsx" if content.startswith(b"PK") else ".csv", content)


def _fetch(opener: OpenerDirector, address: str) -> tuple[str, bytes]:
    """Return the media type and the content at an address, of which at most a little too much is read."""
    deadline = time.monotonic() + _SECONDS
    request = Request(address, headers={"User-Agent": "opforge", "Accept": "text/csv, */*;q=0.5"})
    with opener.open(request, timeout=_WAIT) as answer:
        content = b""
        while block := answer.read1(_BLOCK):
            content += block
            if len(content) > MAX_BYTES:
                break
            if time.monotonic() > deadline:
                raise TimeoutError
        return answer.headers.get_content_type(), content
