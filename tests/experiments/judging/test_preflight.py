"""A server that cannot be used is named before the first question."""

import contextlib
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from dpspin.decoder.endpoint import Endpoint
from dpspin.errors import UsageError
from dpspin_experiments.judging import preflight


@pytest.fixture(autouse=True)
def direct(monkeypatch):
    monkeypatch.setattr(preflight, "getproxies", dict)


@contextlib.contextmanager
def listing(status, body, seen=None):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            if seen is not None:
                seen.append((self.path, self.headers.get("Authorization")))
            self.send_response(status)
            self.send_header("Location", "http://127.0.0.1:9/v1/models")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}/v1"
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


MODELS = json.dumps({"data": [{"id": name} for name in ("large", "small")]}).encode()


def test_a_model_that_the_server_does_not_have_is_named_with_those_it_has():
    with listing(200, MODELS) as url:
        preflight.check(Endpoint(url, "small", key_variable=None))
        with pytest.raises(UsageError, match=r"--model tiny: the server has large, small; name one of them"):
            preflight.check(Endpoint(url, "tiny", key_variable=None))


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_said_without_quoting_it(status, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "sk-secret")
    with listing(status, b"sk-secret") as url, pytest.raises(UsageError, match="set JUDGE_KEY") as raised:
        preflight.check(Endpoint(url, "small", key_variable="JUDGE_KEY"))
    assert "sk-secret" not in str(raised.value)


def test_the_key_goes_to_the_server_and_no_redirect_is_followed(monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "sk-secret")
    seen = []
    with listing(302, b"", seen) as url:
        preflight.check(Endpoint(url, "small", key_variable="JUDGE_KEY"))
    assert seen == [("/v1/models", "Bearer sk-secret")]


@pytest.mark.parametrize(
    ("status", "body"), [(404, b""), (501, b""), (200, b"no list"), (200, b"[]"), (200, b'{"data": [3]}')]
)
def test_a_server_without_a_list_is_not_refused(status, body):
    with listing(status, body) as url:
        preflight.check(Endpoint(url, "small", key_variable=None))


def test_an_address_where_nothing_listens_is_named():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        with pytest.raises(UsageError, match=r"cannot be reached \(Connection refused\); start the server"):
            preflight.check(Endpoint(url, "small", key_variable=None))


def test_a_missing_key_is_named(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="OPENAI_API_KEY: not set"):
        preflight.check(Endpoint("http://127.0.0.1:9/v1", "small"))


def test_behind_a_proxy_nothing_is_tried(monkeypatch):
    monkeypatch.setattr(preflight, "getproxies", lambda: {"http": "http://proxy.invalid"})
    preflight.check(Endpoint("http://127.0.0.1:9/v1", "small", key_variable=None))


def test_a_proxy_for_everything_is_a_proxy(monkeypatch):
    monkeypatch.setattr(preflight, "getproxies", lambda: {"all": "http://192.0.2.1:3128"})
    with listing(200, MODELS, seen := []) as url:
        preflight.check(Endpoint(url, "tiny", key_variable=None))
    assert not seen


def test_a_list_that_repeats_the_key_or_has_long_names_is_not_quoted(monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "sk-secret-4242")
    body = json.dumps({"data": [{"id": name} for name in ("Bearer sk-secret-4242", "b" * 999, "\x1b[2J")]}).encode()
    with listing(200, body) as url, pytest.raises(UsageError) as raised:
        preflight.check(Endpoint(url, "small", key_variable="JUDGE_KEY"))
    shown = str(raised.value)
    assert ("secret" in shown, "b" * 60 in shown, "b" * 61 in shown, "\x1b" in shown) == (False, True, False, False)
    assert "and 1 more" in shown
