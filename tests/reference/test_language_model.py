"""How a model is asked: what may be declared, what is refused, and that no key can stand in a file."""

import pytest

from dpspin import canonical, deployment
from dpspin.errors import UsageError
from dpspin.language_model import LanguageModel, is_address
from dpspin.settings import validated

MODEL = {
    "base_url": "http://127.0.0.1:8080/v1", "model": "small", "temperature": "0",
    "prompt": {"version": "1", "sha256": "c" * 64},
}  # fmt: skip


def declared(tree, changes=None, **decoder):
    """The decoder's part of a deployment with a model."""
    tree["decoder"] |= {"backend": "llm", "contract_mode": "structured", "llm": MODEL | (changes or {})} | decoder
    return deployment.load(canonical.dumps(tree), "demo.yaml").decoder


def complaint(tree, changes=None, **decoder):
    with pytest.raises(UsageError) as caught:
        declared(tree, changes, **decoder)
    return str(caught.value).removeprefix("demo.yaml: ")


def test_a_model_is_declared_with_few_words(tree):
    model = declared(tree).llm
    assert (model.model, model.seed, model.retries, model.key_variable) == ("small", None, 3, "OPENAI_API_KEY")
    assert declared(tree, {"key_variable": None}).llm.key_variable is None


def test_deployments_without_a_model_keep_their_bytes_and_need_no_field(tree):
    assert deployment.load(canonical.dumps(tree), "demo.yaml").decoder.llm is None


REFUSED = [
    ({}, {"llm": None}, "decoder.llm: missing; say which model is asked, or write backend: template"),
    ({}, {"backend": "template"}, "decoder.llm: without effect; remove it, or write backend: llm"),
    ({"base_url": "http://me:hush@a/v1"}, {}, "decoder.llm.base_url: not an http or https URL without user and query"),
    ({"base_url": "a/v1"}, {}, "decoder.llm.base_url: not an http or https URL without user and query"),
    ({"model": "sm\u200ball"}, {}, "decoder.llm.model: holds a hidden character"),
    ({"temperature": "2.5"}, {}, 'decoder.llm.temperature: cannot use "2.5"; write a number up to 2'),
    ({"temperature": 0}, {}, "decoder.llm.temperature: cannot use 0; write an exact decimal"),
    ({"seed": -1}, {}, "decoder.llm.seed: cannot use -1; write a whole number from 0 on"),
    ({"key": "sk-hush"}, {}, "decoder.llm.key: unknown field; remove it or correct its name"),
    ({"key_variable": "sk-hush"}, {}, 'decoder.llm.key_variable: cannot use "sk-hush"; write the name of an environ'),
    ({"prompt": {"version": "2", "sha256": "c" * 64}}, {}, 'decoder.llm.prompt.version: cannot use "2"; write "1"'),
    ({"prompt": {"version": "1", "sha256": "c"}}, {}, 'decoder.llm.prompt.sha256: cannot use "c"; write 64'),
    ({"retries": 11}, {}, "decoder.llm.retries: cannot use 11; write a whole number up to 10"),
    ({"response_format": "json_schema"}, {"contract_mode": "legacy_text"}, "decoder.llm.response_format: without eff"),
]


@pytest.mark.parametrize(("changes", "decoder", "text"), REFUSED)
def test_what_cannot_be_used_is_named(tree, changes, decoder, text):
    assert complaint(tree, changes, **decoder).startswith(text)


def test_a_url_that_may_hold_a_key_is_never_quoted(tree):
    assert "hush" not in complaint(tree, {"base_url": "http://me:hush@a/v1"})
    assert "hush" not in complaint(tree, {"base_url": "http://a/v1?key=hush"})


@pytest.mark.parametrize("url", ["https://api.example.com/v1", "http://127.0.0.1:8080/v1", "http://[::1]:8080/v1/"])
def test_addresses_of_servers(url):
    assert is_address(url)
    assert validated(LanguageModel, MODEL | {"base_url": url}, "m").base_url == url


@pytest.mark.parametrize(
    "url", ["", "a", "ftp://a", "http://", "http://a:b/v1", "http://a b", "http://a/é", "http://a\\b"]
)
def test_other_texts_are_none(url):
    assert not is_address(url)
