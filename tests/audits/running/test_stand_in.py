"""The stand-in: one path, one answer, and everything asked is kept."""

import json
import socket
import urllib.error
import urllib.request

import pytest

from dpspin.decoder.endpoint import Endpoint
from dpspin_audits.running import stand_in

ASK = [{"role": "user", "content": "who?"}]


def test_the_client_gets_the_answer_and_the_question_is_kept():
    with stand_in.answering("Yes.\n") as server:
        assert [Endpoint(server.url, "m", key_variable=None).answer(ASK) for _ in range(2)] == ["Yes.\n"] * 2
    assert [json.loads(request.body)["messages"] for request in server.asked] == [ASK, ASK]
    assert {request.line for request in server.asked} == {f"POST {stand_in.PATH} HTTP/1.1"}
    assert ("content-type", "application/json") in server.asked[0].headers
    assert server.url == f"http://{server.address[0]}:{server.address[1]}/v1"


def test_answers_come_in_turn():
    with stand_in.answering("One.", "Two.") as server:
        asks = Endpoint(server.url, "m", key_variable=None)
        assert [asks.answer(ASK) for _ in range(3)] == ["One.", "Two.", "One."]


STRANGE = {
    b"BREW n=4242\r\n\r\n": "BREW n=4242", b"GET /n HTTP/1.1\r\n\r\n": "GET /n HTTP/1.1", b"4242": "4242",
    b"POST /n HTTP/1.1\r\nContent-Length: -5\r\n\r\n": "POST /n HTTP/1.1",
    b"\xff\x00\r\n": "\xff\x00",
}  # fmt: skip


@pytest.mark.parametrize("sent", STRANGE)
def test_whatever_is_sent_is_kept(sent):
    with stand_in.answering("Yes.") as server, socket.create_connection(server.address) as connection:
        connection.sendall(sent)
    assert [request.line for request in server.asked] == [STRANGE[sent]]


def test_other_paths_are_not_known_and_the_end_is_an_end():
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with stand_in.answering("Yes.") as server, pytest.raises(urllib.error.HTTPError) as caught:
        opener.open(server.url + "/models", data=b"{}")
    caught.value.close()
    with pytest.raises(urllib.error.URLError):
        opener.open(server.url + "/chat/completions", data=b"{}")
