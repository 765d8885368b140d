"""A local server of chat completions for tests: real sockets, one behaviour a request, everything asked is kept.

`with openai_server.serve(good("text"), failing(500), good("other")) as server:` answers the first three requests in
turn and all later ones like the third; `server.url` is the base URL, `server.requests` what was asked.
"""

import contextlib
import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PATH = "/v1/chat/completions"


@dataclass(frozen=True)
class Asked:
    """One request."""

    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: dict[str, Any]


@dataclass
class Server:
    """A running server."""

    url: str
    port: int
    requests: list[Asked] = field(default_factory=list)

    @property
    def prompts(self) -> list[list[dict[str, str]]]:
        """Messages of every request."""
        return [asked.body["messages"] for asked in self.requests]


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.path, headers, json.loads(body))
        with self.server.lock:
            place = len(self.server.told.requests)
            self.server.told.requests.append(asked)
        behaviours = self.server.behaviours
        with contextlib.suppress(OSError):  # the client has gone
            if self.path != PATH:
                return refusing(404)(self, asked)
            return behaviours[min(place, len(behaviours) - 1)](self, asked)

    def reply(self, data: bytes, status: int = 200, **headers: str) -> None:
        """A whole response."""
        self.send_response(status)
        sent = {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}
        for name, value in sent.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nothing: tests read `requests`."""


class _Http(ThreadingHTTPServer):
    """Silent about clients that leave."""

    def handle_error(self, *_: object) -> None:
        pass


Behaviour = Callable[[Handler, Asked], None]


@contextlib.contextmanager
def serve(*behaviours: Behaviour) -> Iterator[Server]:
    """A server on a free port of this machine, until the block ends."""
    http = _Http(("127.0.0.1", 0), Handler)
    http.daemon_threads, http.block_on_close = True, False
    port = http.server_address[1]
    http.told = Server(f"http://127.0.0.1:{port}/v1", port)
    http.behaviours, http.lock = behaviours, threading.Lock()
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield http.told
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def completion(content: object, finish_reason: object = "stop", **message: object) -> bytes:
    """The body of a chat completion."""
    said = {"role": "assistant", "content": content, **message}
    choice = {"index": 0, "message": said, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    tree = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}
    return json.dumps(tree).encode()


def good(text: str | Callable[[list[dict[str, str]]], str]) -> Behaviour:
    """A whole answer: a text, or a function of the messages."""

    def _answer(handler: Handler, asked: Asked) -> None:
        handler.reply(completion(text if isinstance(text, str) else text(asked.body["messages"])))

    return _answer


def raw(data: bytes, status: int = 200, **headers: str) -> Behaviour:
    """Any bytes."""
    return lambda handler, _: handler.reply(data, status, **headers)


def slow(seconds: float, text: str) -> Behaviour:
    """A good answer, late."""

    def _answer(handler: Handler, _: Asked) -> None:
        time.sleep(seconds)
        handler.reply(completion(text))

    return _answer


def trickling(text: str, seconds: float, header: bool = False) -> Behaviour:
    """A good answer whose header or body comes a byte at a time."""

    def _answer(handler: Handler, _: Asked) -> None:
        body = completion(text)
        start = b"HTTP/1.1 200 OK\r\nX-Slow: %s\r\nContent-Length: %d\r\n\r\n" % (b"a" * len(body), len(body))
        quick, trickled, rest = (b"", start, body) if header else (start, body, b"")
        handler.wfile.write(quick)
        for place in range(len(trickled)):
            handler.wfile.write(trickled[place : place + 1])
            time.sleep(seconds)
        handler.wfile.write(rest)

    return _answer


def broken(text: str) -> Behaviour:
    """A response that ends in the middle of its body."""

    def _answer(handler: Handler, _: Asked) -> None:
        body = completion(text)
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[: len(body) // 2])
        handler.close_connection = True

    return _answer


def refusing(status: int, message: str = "no") -> Behaviour:
    """A 4xx with an error in the usual form."""
    return raw(json.dumps({"error": {"message": message, "type": "invalid_request_error"}}).encode(), status)


def failing(status: int = 500) -> Behaviour:
    """A 5xx with no JSON in it."""
    return raw(b"<html>broken</html>", status, Content_Type="text/html")


def rate_limiting() -> Behaviour:
    """429."""
    return refusing(429, "slow down")


def refusing_schema(text: str) -> Behaviour:
    """400 where a response format is asked for, a good answer where none is."""

    def _answer(handler: Handler, asked: Asked) -> None:
        (refusing(400, "response_format is not supported") if "response_format" in asked.body else good(text))(
            handler, asked
        )

    return _answer


def huge(size: int, length: bool = True) -> Behaviour:
    """An answer of so many characters; without `length` in chunks."""

    def _answer(handler: Handler, asked: Asked) -> None:
        body = completion("a" * size)
        if length:
            return handler.reply(body)
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for start in range(0, len(body), 65536):
            part = body[start : start + 65536]
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        handler.wfile.write(b"0\r\n\r\n")
        return None

    return _answer


def compressed(size: int) -> Behaviour:
    """Few bytes that are many."""
    return raw(gzip.compress(completion("a" * size)), Content_Encoding="gzip")


def redirecting(url: str) -> Behaviour:
    """Elsewhere, with method and body."""
    return raw(b"", 307, Location=url)


def invalid_utf8() -> Behaviour:
    """Bytes inside the text that are no UTF-8."""
    return raw(completion("MARK").replace(b"MARK", b"\xff\xfe dry"))


def lone_surrogate() -> Behaviour:
    """An escape that no UTF-8 can hold."""
    return raw(completion("MARK").replace(b"MARK", b"\\ud800"))


def tool_calls() -> Behaviour:
    """A call of a tool that nobody offered."""
    call = {"id": "1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "/etc/passwd"}'}}
    return raw(completion(None, "tool_calls", tool_calls=[call]))


def empty() -> Behaviour:
    """An answer without text."""
    return raw(completion(""))


def truncated(text: str) -> Behaviour:
    """An answer that the server cut off."""
    return raw(completion(text, "length"))


def misshapen() -> dict[str, Behaviour]:
    """JSON, and not, that is no chat completion."""
    bodies = {
        "no JSON": b"hello", "nothing": b"", "a list": b"[]", "no choices": b'{"choices": []}', "null": b"null",
        "text of numbers": b'{"choices": [{"message": {"content": 5}, "finish_reason": "stop"}]}',
        "deep": b'{"choices":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "event stream": b'data: {"choices": []}\n\ndata: [DONE]\n\n',
    }  # fmt: skip
    return {name: raw(body) for name, body in bodies.items()}
