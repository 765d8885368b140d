"""The endpoint: an answer or none, whatever a server does, over real sockets; and the key leaves no trace."""

import json
import logging
import os
import pickle
import socket
import subprocess
import sys
import traceback

import openai_server as o
import pytest

from dpspin.decoder import endpoint
from dpspin.decoder.endpoint import Endpoint
from dpspin.errors import NoAnswerError, UsageError

KEY = "sk-test/4242-do-not-show"
ASK = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"}]
SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}


@pytest.fixture(autouse=True)
def key(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def at(server, **settings):
    """The endpoint of a server; nothing waits for long."""
    return Endpoint(**({"base_url": server.url, "model": "small", "backoff": 0.001, "timeout": 5.0} | settings))


def test_a_good_answer_comes_back_as_it_is():
    with o.serve(o.good("Dry skin ranks first.\n")) as server:
        assert at(server).answer(ASK) == "Dry skin ranks first.\n"
    assert [asked.body for asked in server.requests] == [{"model": "small", "messages": ASK, "temperature": 0.0}]
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_settings_are_handed_on_and_nothing_about_this_machine_is():
    with o.serve(o.good("yes")) as server:
        at(server, temperature=0.5, seed=7, max_tokens=9).answer(ASK, SCHEMA)
        at(server, temperature=None, json_schema=False).answer(ASK, SCHEMA)
    first, second = server.requests
    named = {"name": "answer", "strict": True, "schema": SCHEMA}
    assert first.body == {
        "model": "small", "messages": ASK, "temperature": 0.5, "seed": 7, "max_tokens": 9,
        "response_format": {"type": "json_schema", "json_schema": named},
    }  # fmt: skip
    assert second.body == {"model": "small", "messages": ASK}
    assert set(first.headers) == {
        "host", "accept", "accept-encoding", "connection", "user-agent", "content-type", "content-length",
        "authorization", "x-stainless-raw-response",
    }  # fmt: skip
    assert first.headers["user-agent"].startswith("OpenAI/Python")


def test_every_question_is_a_conversation_of_its_own():
    cookie = o.raw(o.completion("yes"), Set_Cookie="remember=me")
    with o.serve(cookie) as server:
        for question in ("one", "two"):
            at(server).answer([{"role": "user", "content": question}])
    assert [[message["content"] for message in prompt] for prompt in server.prompts] == [["one"], ["two"]]
    assert not [asked for asked in server.requests if "cookie" in asked.headers]


@pytest.mark.parametrize("busy", [o.rate_limiting(), o.failing(500), o.failing(503)], ids=["429", "500", "503"])
def test_a_busy_server_is_asked_again(busy):
    with o.serve(busy, busy, o.good("yes")) as server:
        assert at(server, retries=2).answer(ASK) == "yes"
    assert len(server.requests) == 3
    assert len({str(asked.body) for asked in server.requests}) == 1


def test_requests_after_the_first_are_bounded():
    with o.serve(o.rate_limiting()) as server, pytest.raises(NoAnswerError):
        at(server, retries=2).answer(ASK)
    assert len(server.requests) == 3


def test_a_refused_schema_is_left_out_each_time_anew():
    with o.serve(o.refusing_schema("yes")) as server:
        assert [at(server, retries=0).answer(ASK, SCHEMA) for _ in range(2)] == ["yes", "yes"]
    assert ["response_format" in asked.body for asked in server.requests] == [True, False] * 2


NO_ANSWERS = {
    "broken": o.broken("yes" * 999), "unauthorised": o.refusing(401), "forbidden": o.refusing(403),
    "no such model": o.refusing(404, "model not found"), "bad request": o.refusing(400), "huge": o.huge(2**21),
    "huge in chunks": o.huge(2**21, length=False), "compressed": o.compressed(2**10), "bytes": o.invalid_utf8(),
    "surrogate": o.lone_surrogate(), "tools": o.tool_calls(), "empty": o.empty(), "blank": o.raw(o.completion(" \n")),
    "truncated": o.truncated("Dry skin ranks first."), "other status": o.raw(o.completion("yes"), 302),
    "refusal": o.raw(o.completion(None, refusal="no")),
    "tools and text": o.raw(o.completion("yes", tool_calls=[{"id": "1"}])),
    "function and text": o.raw(o.completion("yes", function_call={"name": "f"})),
    "the key": lambda handler, asked: handler.reply(o.completion(str(asked.headers))),
    "the key, escaped": o.good(json.dumps(KEY.replace("/", "\\/"))), **o.misshapen(),
}  # fmt: skip


@pytest.mark.parametrize("behaviour", NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_whatever_else_a_server_does_is_no_answer(behaviour):
    with o.serve(behaviour) as server, pytest.raises(NoAnswerError, match=r"^the language model's server: no usable"):
        at(server).answer(ASK)
    assert len(server.requests) == 1


def test_redirects_are_refused():
    with o.serve(o.good("elsewhere")) as other, o.serve(o.redirecting(f"{other.url}/chat/completions")) as server:
        with pytest.raises(NoAnswerError):
            at(server).answer(ASK)
        assert (len(server.requests), len(other.requests)) == (1, 0)


LATE = {
    "late": o.slow(3, "yes"), "slow body": o.trickling("yes", 0.02),
    "slow header": o.trickling("yes", 0.02, header=True),
}  # fmt: skip
"""Whoever waits for them gets an answer, after three seconds or more."""


@pytest.mark.parametrize("behaviour", LATE.values(), ids=LATE)
def test_the_deadline_holds_whatever_a_server_does(behaviour):
    with o.serve(behaviour) as server, pytest.raises(NoAnswerError):
        at(server, deadline=0.3, timeout=60.0).answer(ASK)


def test_a_slow_answer_in_time_is_an_answer():
    with o.serve(o.trickling("yes", 0.001), o.trickling("yes", 0.001, header=True), o.slow(0.3, "yes")) as server:
        assert [at(server).answer(ASK) for _ in range(3)] == ["yes"] * 3


def test_waiting_for_a_busy_server_ends_with_the_deadline():
    with o.serve(o.rate_limiting()) as server, pytest.raises(NoAnswerError):
        at(server, deadline=2.0, backoff=3600.0).answer(ASK)
    assert len(server.requests) == 1


def test_a_step_that_takes_too_long_is_no_answer():
    with o.serve(o.slow(3, "yes")) as server, pytest.raises(NoAnswerError):
        at(server, timeout=0.2).answer(ASK)


def test_nobody_listens():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(NoAnswerError):
            Endpoint(url, "small", timeout=2.0, deadline=5.0).answer(ASK)


def test_a_wrong_path_is_no_answer():
    with o.serve(o.good("yes")) as server, pytest.raises(NoAnswerError):
        at(server, base_url=server.url + "/other").answer(ASK)


URLS = [
    "", "ftp://a/v1", "http://", "file:///etc/passwd", "http://a\n/v1", "http://me:secret@a/v1", "http://[::1/v1",
    "http://a/v1?key=secret", "http://a/v1#secret", "http://a b/v1", "http://a:port/v1", "http://a:99999/v1",
    "http://a:0/v1", "http://a..b/v1", f"http://{'a' * 64}/v1",
]  # fmt: skip


@pytest.mark.parametrize("url", URLS, ids=ascii)
def test_unusable_urls_are_refused_and_not_quoted(url):
    with pytest.raises(UsageError) as caught:
        Endpoint(url, "small").check()
    assert (caught.value.place, caught.value.problem.split(" URL")[0]) == ("base URL", "not an http or https")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("value", [None, "", "two words", "line\nend", "schlüssel", "a" * 5000])
def test_a_missing_or_broken_key_is_named_by_its_variable(monkeypatch, value):
    monkeypatch.delenv("OPENAI_API_KEY")
    if value is not None:
        monkeypatch.setenv("SERVER_KEY", value)
    with o.serve(o.good("yes")) as server, pytest.raises(UsageError) as caught:
        at(server, key_variable="SERVER_KEY").answer(ASK)
    assert caught.value.place == "environment variable SERVER_KEY"
    assert not value or value not in str(caught.value)
    assert not server.requests


def test_without_a_variable_no_key_is_sent():
    with o.serve(o.good("yes")) as server:
        assert at(server, key_variable=None).answer(ASK) == "yes"
    assert "authorization" not in server.requests[0].headers


def test_a_missing_client_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(UsageError, match=r'run pip install "dpspin\[llm\]"'):
        Endpoint("http://a/v1", "small").check()


@pytest.mark.parametrize("behaviour", [o.good("yes"), o.refusing(401, f"wrong key {KEY}"), o.failing(), o.broken("a")])
def test_the_key_is_in_no_log_and_no_error(behaviour, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2", "httpx", "httpcore"):
        caplog.set_level(logging.DEBUG, name)
    error = None
    with o.serve(behaviour) as server:
        try:
            at(server, retries=1).answer(ASK)
        except NoAnswerError as caught:
            error = caught
    assert caplog.records, "nothing was logged, so nothing was tested"
    seen = caplog.text + "".join(capfd.readouterr()) + repr(at(server)) + repr([r.__dict__ for r in caplog.records])
    if error is not None:
        assert (error.__cause__, error.__context__) == (None, None)
        seen += repr(error) + "".join(traceback.format_exception(error)) + repr(pickle.dumps(error))
    assert KEY not in seen


def test_a_key_that_is_no_secret_may_be_a_word_of_an_answer(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with o.serve(o.good("none")) as server:
        assert at(server).answer(ASK) == "none"


def test_no_variable_of_the_client_opens_its_log():
    code = "import sys; from dpspin.decoder.endpoint import Endpoint as E\n"
    code += "print(E(sys.argv[1], 'm', retries=1, backoff=0.0).answer([{'role': 'user', 'content': '?'}]))"
    with o.serve(o.failing(), o.good("yes")) as server:
        run = subprocess.run(
            [sys.executable, "-c", code, server.url], capture_output=True, text=True, check=False,
            env=os.environ | {"OPENAI_LOG": "debug"},
        )  # fmt: skip
    assert (run.returncode, run.stdout, run.stderr) == (0, "yes\n", "")


def test_the_client_is_imported_only_for_a_question():
    code = "import sys, dpspin.decoder.endpoint as e; e.Endpoint('http://a/v1', 'm'); sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_client_would_describe_this_machine():
    from openai import OpenAI

    described = OpenAI(api_key="a").platform_headers()
    assert {"X-Stainless-OS", "X-Stainless-Arch"} <= set(described), "endpoint._client_type has become needless"
    assert endpoint._client_type(sys.modules["openai"])(api_key="a").platform_headers() == {}
