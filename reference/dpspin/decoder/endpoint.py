"""A question to a language model behind an OpenAI-compatible server (extra `llm`).

The client: docs/decisions/0008-openai-client.md.  Whatever a server does, a caller learns one of two things: the
answer's text, or that there was none.  Every question is a conversation of its own: a new client, no cookies, no
memory.  Nothing but the endpoint is asked: redirects are refused.  The key is read from the environment when a question
is asked, and is kept nowhere else.
"""

import json
import logging
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from dpspin.errors import NoAnswerError, UsageError
from dpspin.language_model import is_address

BUSY = 429
BROKEN = 500
"""Statuses that may pass: this one, and all from here on."""
WITHOUT_SCHEMA = (400, 404, 415, 422, 501)
"""Statuses after which the same question is asked once more without a response format; a constant, not a memory."""
UNSAID = ("X-Stainless-Async", "X-Stainless-Retry-Count", "X-Stainless-Read-Timeout")
"""Headers of the client that say how it is used; they are not sent."""
KEY = r"[!-~]{1,4096}"
SECRET = 8
"""Characters from which on a key is taken to be secret; local servers are often given "none" or "EMPTY"."""
VARIABLE = "OPENAI_API_KEY"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked and how; everything here is public.  The key is not: it stays in the environment."""

    base_url: str
    """Up to and with the version, such as https://api.openai.com/v1 or http://127.0.0.1:8080/v1."""
    model: str
    """Name of the model, as the server knows it."""
    temperature: float | None = 0.0
    """Of sampling; None leaves it to the server."""
    seed: int | None = None
    """Of the server's sampling, where it knows one."""
    timeout: float = 60.0
    """Seconds for one step of one request: to connect, to send, to the next bytes of the answer."""
    retries: int = 3
    """Further requests after 429 or 5xx."""
    backoff: float = 0.5
    """Seconds before the first further request; doubled each time."""
    deadline: float = 300.0
    """Seconds for one answer, further requests and waits included."""
    max_bytes: int = 2**20
    """Most bytes of a response's body; a longer one is no answer."""
    max_tokens: int | None = None
    """Most tokens of an answer; None leaves it to the server."""
    json_schema: bool = True
    """Whether a schema is handed on as a response format; where the server refuses it, the question goes without."""
    key_variable: str | None = VARIABLE
    """Environment variable that holds the key; None sends no key."""

    def check(self) -> None:
        """Refuse what could never give an answer, before anything is asked.

        Raises:
            UsageError: for an unusable URL, a missing key or a missing client.
        """
        if not is_address(self.base_url):
            raise UsageError(
                "base URL", "not an http or https URL without user and query",
                'write one such as "http://127.0.0.1:8080/v1"; a key is in the environment',
            )  # fmt: skip
        self.key()
        _client_module()

    def answer(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None = None) -> str:
        """The text of one answer.

        Args:
            messages: `role` and `content` of each, in order.
            schema: JSON Schema of the answer, handed on as a response format where `json_schema` says so.

        Raises:
            NoAnswerError: in every other case; its text is constant.
            UsageError: as `check`.
        """
        self.check()
        body = self._body(messages, schema)
        ends = time.monotonic() + self.deadline
        answers: SimpleQueue[str | None] = SimpleQueue()
        ask = Thread(target=lambda: answers.put(_asked(self, body, ends)), daemon=True)
        ask.start()  # a thread, because a resolver or a server that trickles headers heeds no time limit of a read
        try:
            text = answers.get(timeout=self.deadline)
        except Empty:
            text = None
        if text is None:
            raise NoAnswerError()
        return text

    def key(self) -> str:
        """The key, or an empty text where none is wanted.

        Raises:
            UsageError: where the environment holds none; the message never quotes it.
        """
        if self.key_variable is None:
            return ""
        key = os.environ.get(self.key_variable, "")
        if not re.fullmatch(KEY, key, re.ASCII):
            raise UsageError(
                f"environment variable {self.key_variable}", "holds no key" if key else "not set",
                "set it to the server's key, or declare that none is needed",
            )  # fmt: skip
        return key

    def repeats_key(self, text: str) -> bool:
        """Whether a text of the server holds the key that it was sent, with or without backslashes of JSON.

        Such a text is no answer: answers are recorded and published.  A key that is written otherwise is not seen.
        """
        key = self.key()
        return len(key) >= SECRET and key.replace("\\", "") in text.replace("\\", "")

    def _body(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None) -> dict[str, Any]:
        """The request: a function of the arguments and of public settings."""
        body: dict[str, Any] = {"model": self.model, "messages": [dict(message) for message in messages]}
        chosen = {"temperature": self.temperature, "seed": self.seed, "max_tokens": self.max_tokens}
        body |= {name: value for name, value in chosen.items() if value is not None}
        if schema is not None and self.json_schema:
            body["response_format"] = response_format(schema)
        return body


def response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """How a server is asked to keep to a JSON Schema."""
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": dict(schema)}}


def _client_module() -> Any:
    """The client, without the log that its variable OPENAI_LOG asks for: that would show what the server does."""
    is_new = "openai" not in sys.modules
    try:
        module = import_module("openai")
    except ImportError as error:
        raise UsageError("decoder", "the openai client is not installed", 'run pip install "dpspin[llm]"') from error
    if is_new:
        logging.getLogger("openai").setLevel(logging.NOTSET)
    return module


def _asked(endpoint: Endpoint, body: dict[str, Any], ends: float) -> str | None:
    """Ask until there is an answer, a refusal or no time left; nothing that goes wrong leaves this function."""
    turn = 0
    try:
        while turn <= endpoint.retries and time.monotonic() < ends:
            status, data = _posted(endpoint, body, ends)
            if data is not None:
                text = _content(data)
                return None if text is None or endpoint.repeats_key(text) else text
            if status in WITHOUT_SCHEMA and "response_format" in body:
                body = {name: value for name, value in body.items() if name != "response_format"}
                continue
            if status != BUSY and status < BROKEN:
                return None
            time.sleep(max(0.0, min(endpoint.backoff * 2**turn, ends - time.monotonic())))
            turn += 1
    except Exception:
        return None
    return None


def _posted(endpoint: Endpoint, body: dict[str, Any], ends: float) -> tuple[int, bytes | None]:
    """One request by a client of its own: status, and the body where the status is 2xx.

    Other bodies are not read: they may be endless, and what they say is no answer.
    """
    openai = _client_module()
    seen: list[int] = []

    def _look(response: Any) -> None:
        seen.append(response.status_code)
        compressed = response.headers.get("content-encoding", "identity") != "identity"
        if not response.is_success or compressed:  # a few compressed bytes may be very many
            raise NoAnswerError()

    http = openai.DefaultHttpx2Client(follow_redirects=False, event_hooks={"response": [_look]})
    key, omitted = endpoint.key(), openai.Omit()
    unsaid = dict.fromkeys(UNSAID if key else (*UNSAID, "Authorization"), omitted)
    try:
        with _client_type(openai)(
            api_key=key or "none", base_url=endpoint.base_url, max_retries=0, http_client=http
        ) as client:
            asked = client.chat.completions.with_streaming_response.create(
                **body, timeout=min(endpoint.timeout, ends - time.monotonic()),
                extra_headers={"Accept-Encoding": "identity", **unsaid},
            )  # fmt: skip
            with asked as response:
                return response.status_code, _bounded(response.iter_bytes(), endpoint.max_bytes, ends)
    except NoAnswerError:
        return seen[-1], None


def _client_type(openai: Any) -> Any:
    """The client without its description of this machine: to make it, it would start a process and read files."""
    return type("OpenAI", (openai.OpenAI,), {"platform_headers": lambda _: {}})


def _bounded(chunks: Iterator[bytes], most: int, ends: float) -> bytes:
    """What a server sends, as long as it is neither too long nor too late."""
    data = b""
    for chunk in chunks:
        data += chunk
        if len(data) > most or time.monotonic() > ends:
            raise NoAnswerError()
    return data


def _content(data: bytes) -> str | None:
    """The text of a complete answer; None for tool calls, refusals, truncated and empty answers, and other bytes."""
    choice = json.loads(data.decode())["choices"][0]
    message, text = choice["message"], choice["message"]["content"]
    is_call = message.get("tool_calls") or message.get("function_call")
    if choice.get("finish_reason") not in {"stop", None} or is_call or not isinstance(text, str) or not text.strip():
        return None
    return text.encode().decode()  # raises for a lone surrogate
