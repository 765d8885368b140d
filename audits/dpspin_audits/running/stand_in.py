"""A server of this machine that stands in for a language model's: the audit asks nobody else (docs/decoder.md).

It knows one path and gives its answers in turn, so that whoever asks it can be watched: what is asked leaves the
audited process by the same client and the same socket as it would in earnest.  Whatever else is sent to it is kept too.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from threading import Thread
from typing import NamedTuple

HOST = "127.0.0.1"
PATH = "/v1/chat/completions"
LARGEST = 2**26
PATIENCE = 5
"""Seconds for whoever is connected to send something."""


class Request(NamedTuple):
    """What one request, or whatever came in the place of one, consists of."""

    line: str
    """The first line, such as "POST /v1/chat/completions HTTP/1.1"."""
    headers: tuple[tuple[str, str], ...]
    """Names in lower case, and values, in their order; none where the line is of no use."""
    body: bytes


class StandIn(NamedTuple):
    """A running server."""

    url: str
    address: tuple[str, int]
    asked: list[Request]
    """In the order in which they came."""


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # at the end, what has been sent is read
    timeout = 0
    is_drained = False

    def handle_timeout(self) -> None:
        """Nobody waits any more."""
        self.is_drained = True

    def handle_error(self, *_: object) -> None:
        """A client that breaks off is watched elsewhere; nothing is printed."""


@contextmanager
def answering(*texts: str) -> Iterator[StandIn]:
    """A server that answers with these texts in turn, over and over, until the block ends."""
    asked: list[Request] = []
    bodies = cycle([_completion(text) for text in texts])

    class _Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = PATIENCE

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length") or ""
            body = self.rfile.read(min(int(length), LARGEST) if length.isdecimal() else 0)
            told = tuple((name.lower(), value) for name, value in self.headers.items())
            asked.append(Request(self.requestline, told, body))
            answer = next(bodies) if self.path == PATH else b"{}"
            self.send_response(200 if self.path == PATH else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def send_error(self, *_: object) -> None:
            """Of a line that is no request to post something: it is kept, and not answered."""
            raw: bytes = getattr(self, "raw_requestline", b"")
            asked.append(Request(raw.decode("latin-1").rstrip(), (), b""))
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    with _Server((HOST, 0), _Handler) as server:
        port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield StandIn(f"http://{HOST}:{port}/v1", (HOST, port), asked)
        finally:
            server.shutdown()
            thread.join()
            while not server.is_drained:
                server.handle_request()


def _completion(text: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return json.dumps({"id": "0", "object": "chat.completion", "created": 0, "model": "", "choices": [choice]}).encode()
