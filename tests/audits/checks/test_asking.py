"""The tripwire of a writer that asks a model: its server and nothing else, and nothing but what is on record."""

import json
import socket
from itertools import islice

import pytest

from dpspin import pipeline
from dpspin.corpus import embedded
from dpspin.curator.noise import SeededBits
from dpspin.decoder import backend, prompts
from dpspin.decoder.attempts import Prompt
from dpspin.decoder.endpoint import response_format
from dpspin.language_model import LanguageModel
from dpspin.plan import decode
from dpspin.settings import validated
from dpspin_audits.checks import asking, tripwire
from dpspin_audits.reference_subject import MODEL
from dpspin_audits.running import stand_in
from dpspin_audits.running.stand_in import Request


@pytest.fixture(scope="module")
def plan():
    known = embedded.files()
    setting = pipeline.load(known["deployment.yaml"], "d", known.__getitem__)
    return pipeline.release(setting, islice(embedded.corpus(), 50), SeededBits(b"t"), None).bundle["plan.json"]


def model(mode="structured", **changes):
    """A model that nobody can reach: the audit never asks it."""
    sha256 = prompts.template_of(mode).sha256
    tree = {"base_url": "https://192.0.2.1/v1", "model": "small", "temperature": "0.5", "seed": 3}
    return validated(LanguageModel, tree | {"prompt": {"version": "1", "sha256": sha256}} | changes, "m")


@pytest.mark.parametrize("mode", ["structured", "legacy_text"])
def test_the_shipped_writer_connects_to_its_server_alone(plan, mode):
    found = asking.check(MODEL, plan, mode, model(mode))
    assert (found.id, found.status, found.figures) == ("tripwire", "pass", {"runs": 2, "breaches": 0, "requests": 4})


@pytest.fixture
def planted(tmp_path):
    """A maker of writers: the shipped one, and a body that runs before it asks."""

    def plant(body, answer="own(prompt, attempts)"):
        lines = [
            "from dpspin.decoder import backend", f"HERE = {str(tmp_path)!r}", "def make(settings):",
            "    own, ask = backend.watched(settings)", "    def decoder(prompt, attempts):",
            *(f"        {line}" for line in body.splitlines()), f"        return {answer}", "    return decoder, ask",
        ]  # fmt: skip
        (tmp_path / "planted.py").write_text("\n".join(lines) + "\n")
        (tmp_path / "notes.txt").write_text("seen")
        return "planted:make", (tmp_path,)

    return plant


def test_what_is_planted_passes_without_a_fault(planted, plan):
    writer, more = planted("pass")
    assert asking.check(writer, plan, "structured", model(), more).status == "pass"


BEYOND = """import socket
def tried(call):
    try:
        call()
    except OSError:
        pass
one, two, three = socket.socket(), socket.socket(type=socket.SOCK_DGRAM), socket.socket()
tried(lambda: one.connect(('127.0.0.1', {port})))
tried(lambda: two.sendto(b'x', ('127.0.0.1', {port})))
tried(lambda: three.bind(('127.0.0.1', 0)))
tried(lambda: socket.getaddrinfo('example.invalid', 443))
for opened in (one, two, three):
    opened.close()
open(HERE + '/notes.txt').close()"""
EVENTS = {"socket.connect", "socket.sendto", "socket.bind", "socket.getaddrinfo", "open"}


def test_whatever_it_opens_beside_its_server_is_a_breach(planted, plan):
    with socket.create_server(("127.0.0.1", 0)) as other, stand_in.answering("x") as server:
        writer, more = planted(BEYOND.replace("{port}", str(other.getsockname()[1])))
        plain = model(base_url=server.url, key_variable=None).model_dump(mode="json", exclude={"temperature"})
        asks = tripwire.Asking(writer, plain | {"temperature": "0"}, server.address)
        found = tripwire.watch(asks, plan, more=more, mode="structured")
    assert (found.texts, {breach.event for breach in found.breaches}) == (("x",), EVENTS)
    assert len(server.asked) == 1, "its own server it may ask"


def test_another_port_is_a_finding(planted, plan):
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = other.getsockname()
        writer, more = planted(f"import socket\ns = socket.socket()\ns.connect({address})\ns.close()")
        found = asking.check(writer, plan, "structured", model(), more)
    assert (found.status, found.summary) == ("fail", "The writer reaches beyond the plan.")
    assert found.reason.startswith("socket.connect: ")
    assert str(address[1]) in found.reason


TUESDAY = """from dataclasses import replace
if prompt.number == 2:
    q = prompt.question
    q = q._replace(messages=(*q.messages, q.messages[0]._replace(content='It is Tuesday.')))
    prompt = replace(prompt, question=q)"""
HEADER = """import httpx2
send = httpx2.Client.send
def more(client, request, **how):
    request.headers['X-N'] = '4242'
    return send(client, request, **how)
httpx2.Client.send = more"""
RAW = """import socket
from urllib.parse import urlsplit
with socket.create_connection(('127.0.0.1', urlsplit(settings['base_url']).port)) as raw:
    raw.sendall(b'n=4242')"""
BESIDE = {
    "a message after a refusal": (TUESDAY, "messages differs from the record"),
    "a header": (HEADER, "headers ['x-n']"),
    "bytes": (RAW, "'n=4242' in place of a question"),
}  # fmt: skip
"""What a writer does beside asking, and what is found."""


@pytest.mark.parametrize("what", BESIDE)
def test_whatever_it_asks_beside_the_record_is_a_finding(planted, plan, what):
    body, reason = BESIDE[what]
    writer, more = planted(body)
    found = asking.check(writer, plan, "structured", model(), more)
    assert (found.status, found.summary) == ("fail", "The writer asks something else than the record says.")
    assert found.reason.startswith(reason)


def test_a_writer_that_asks_nobody_is_a_finding(planted, plan):
    writer, more = planted("pass", "'{}'")
    found = asking.check(writer, plan, "structured", model(), more)
    assert found.reason.startswith("0 requests in 2 runs of 2 attempts")


def test_no_plan_is_an_error_and_no_pass():
    assert asking.check(MODEL, b"", "structured", model()).status == "error"


OTHER = {"temperature": 1, "seed": 4, "model": "large", "max_tokens": 5, "response_format": None}


def test_fields_of_a_request_are_a_closed_list(plan):
    question = backend.question(model(), Prompt(1, "structured", "", decode(plan, "p")), ())
    body = {
        "model": "small", "messages": [message._asdict() for message in question.messages], "temperature": 0.5,
        "seed": 3, "response_format": response_format(question.schema),
    }  # fmt: skip

    def found(sent, *headers):
        data = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
        return asking.difference(Request(asking.LINE, headers, data), question)

    assert found(body) is None
    assert found(body | {"user": "me"}) == "fields ['user']"
    for field, other in OTHER.items():
        assert found(body | {field: other}) == f"{field} differs from the record"
    assert found(b"x") == "a request that is no JSON"
    assert found(b"[]").startswith("fields")
    assert found(body, ("accept", "*/*"), ("user-agent", "OpenAI/Python 3.57.0")) is None
    assert found(body, ("accept", "*/*"), ("accept", "*/*")).startswith("headers")
    assert found(body, ("accept", "n/4242")) == "headers ['accept']"
    assert found(b'{"model": 4242, ' + json.dumps(body).encode()[1:]) == "fields ['a field twice']"
    named = response_format(question.schema)
    named["json_schema"]["name"] = "n4242"
    assert found(body | {"response_format": named}) == "response_format differs from the record"
    query = Request(asking.LINE.replace(" HTTP", "?n=4242 HTTP"), (), json.dumps(body).encode())
    assert asking.difference(query, question).endswith("?n=4242 HTTP/1.1' in place of a question")
