"""How a language model is asked, as declared before data: everything about it but the key (docs/decoder.md)."""

from collections.abc import Iterator
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, WithJsonSchema

from dpspin.settings import NonNegative, Sha256, Strict, spelt

VARIABLE = r"[A-Z][A-Z0-9_]{0,99}"
Variable = Annotated[
    str,
    spelt(VARIABLE, 'write the name of an environment variable, such as "OPENAI_API_KEY"'),
    WithJsonSchema({"type": "string", "pattern": f"^{VARIABLE}$"}),
]
LONGEST_URL = 500


class PromptTemplate(Strict):
    """The public words around the plan, by version and digest."""

    version: Literal["1"]
    """Version of the template and of the layout of the plan in it."""
    sha256: Sha256
    """SHA-256 of the template of the contract mode, in hexadecimal."""


class LanguageModel(Strict):
    """A model behind an OpenAI-compatible server, and how it is asked."""

    base_url: str = Field(min_length=1, max_length=LONGEST_URL)
    """Address of the server up to and with the version, such as http://127.0.0.1:8080/v1; it sees the plan alone."""
    model: str = Field(min_length=1, max_length=200)
    """Name of the model, as the server knows it."""
    prompt: PromptTemplate
    """The template of the prompts."""
    temperature: NonNegative
    """Of sampling; "0" where the same prompt should give the same answer."""
    seed: int | None = Field(default=None, ge=0, lt=2**31)
    """Of the server's sampling in the first attempt; each further attempt takes the next number."""
    max_tokens: int | None = Field(default=None, ge=1, le=10**6)
    """Most tokens of an answer; left to the server where it is not set."""
    response_format: Literal["json_schema", "none"] = "json_schema"
    """Whether the server is asked to keep to the schema of claims; only in the structured mode."""
    timeout: int = Field(default=60, ge=1, le=3600)
    """Seconds for one step of a request."""
    retries: int = Field(default=3, ge=0, le=10)
    """Further requests of an attempt after 429 or 5xx."""
    deadline: int = Field(default=300, ge=1, le=86400)
    """Seconds for one attempt, further requests and waits included."""
    key_variable: Variable | None = "OPENAI_API_KEY"
    """Environment variable that holds the server's key; null where it wants none.  No file ever holds the key."""


def is_address(url: str) -> bool:
    """Whether a text is an http or https URL without blanks, user, query and fragment: those may hold a key."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")  # as resolvers take it: no part is empty or too long
        known = parts.scheme in {"http", "https"} and bool(host) and parts.port != 0
    except ValueError:
        return False
    return known and url.isascii() and url.isprintable() and not set(url) & set(' @?#"\\')


def contradictions(backend: str, model: LanguageModel | None, mode: str) -> Iterator[tuple[bool, str, str, str]]:
    """Rules that bind several fields: (broken, field, what is wrong, what to write).  No URL is quoted."""
    asked = backend == "llm"
    yield asked and model is None, "decoder.llm", "missing", "say which model is asked, or write backend: template"
    yield not asked and model is not None, "decoder.llm", "without effect", "remove it, or write backend: llm"
    if model is not None:
        yield (
            not is_address(model.base_url), "decoder.llm.base_url", "not an http or https URL without user and query",
            'write one such as "http://127.0.0.1:8080/v1"; a key is in the environment',
        )  # fmt: skip
        yield (
            not model.model.isprintable(), "decoder.llm.model", "holds a hidden character", "write the model's name",
        )  # fmt: skip
        yield (
            model.temperature > 2, "decoder.llm.temperature", f'cannot use "{model.temperature.text}"',
            "write a number up to 2",
        )  # fmt: skip
        yield (
            mode != "structured" and "response_format" in model.model_fields_set, "decoder.llm.response_format",
            "without effect", "remove it, or write contract_mode: structured",
        )  # fmt: skip
