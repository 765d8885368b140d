"""Which writer a deployment declares, and how one is asked that needs words for it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from dpspin.decoder import prompts, template
from dpspin.decoder.attempts import Asker, Attempt, Decoder, Prompt, Question
from dpspin.decoder.endpoint import Endpoint
from dpspin.deployment import Decoder as Declared
from dpspin.errors import ImpossibleError, IntegrityError, NoAnswerError
from dpspin.language_model import LanguageModel
from dpspin.settings import validated

STAND_IN = "the template, in place of the model"
MODEL = "the model"


class Backend(NamedTuple):
    """A writer, and what makes the questions that it is asked; None where it needs none."""

    decoder: Decoder
    ask: Asker | None = None


def of(declared: Declared, *, stand_in: bool = False) -> Backend:
    """The writer of a deployment.

    Args:
        declared: who writes.
        stand_in: for audits, which ask no server: the template answers in place of a language model, and every
            recorded question says so.
    """
    if declared.llm is None:
        return Backend(template.decoder)
    ask = _asker(declared.llm, STAND_IN if stand_in else MODEL)
    return Backend(template.decoder if stand_in else _writer(declared.llm), ask)


def replaying(declared: Declared, drafts: Sequence[str], *, stand_in: bool) -> Backend:
    """A writer that gives the drafts of a record again, so that everything else can be computed anew."""

    def _again(prompt: Prompt, _: tuple[Attempt, ...]) -> str:
        if prompt.number > len(drafts) or not drafts[prompt.number - 1]:
            raise NoAnswerError()
        return drafts[prompt.number - 1]

    model = declared.llm
    return Backend(_again, None if model is None else _asker(model, STAND_IN if stand_in else MODEL))


def watched(settings: Mapping[str, Any]) -> Backend:
    """A language model's writer from its settings as plain data, for an interpreter that is given no deployment."""
    model = validated(LanguageModel, dict(settings), "settings")
    return Backend(_writer(model), _asker(model, MODEL))


def check(declared: Declared, place: str) -> None:
    """Refuse a template of prompts that is not the installed one.

    Raises:
        IntegrityError: naming both digests.
    """
    model = declared.llm
    if model is None:
        return
    found = prompts.template_of(declared.contract_mode)
    if model.prompt.sha256 != found.sha256:
        raise IntegrityError(
            f"{place}: decoder.llm.prompt.sha256", model.prompt.sha256,
            f"{found.sha256} for version {prompts.VERSION}, {declared.contract_mode}",
            "read the installed template and declare its digest, or install the version that has yours",
        )  # fmt: skip


def check_ready(declared: Declared) -> None:
    """Refuse, before anything is charged, a release whose model could not be asked at all.

    Raises:
        UsageError: without the client or the key.
    """
    if declared.llm is not None:
        endpoint_of(declared.llm).check()


def endpoint_of(model: LanguageModel) -> Endpoint:
    """Where a declared model is asked."""
    return Endpoint(
        base_url=model.base_url,
        model=model.model,
        temperature=float(model.temperature),
        seed=model.seed,
        timeout=float(model.timeout),
        retries=model.retries,
        deadline=float(model.deadline),
        max_tokens=model.max_tokens,
        json_schema=model.response_format == "json_schema",
        key_variable=model.key_variable,
    )


def _writer(model: LanguageModel) -> Decoder:
    endpoint = endpoint_of(model)

    def _answer(prompt: Prompt, _: tuple[Attempt, ...]) -> str:
        question = prompt.question
        if question is None:
            raise ImpossibleError("a language model was given no question")
        told = [message._asdict() for message in question.messages]
        return replace(endpoint, seed=question.seed).answer(told, question.schema)

    return _answer


def _asker(model: LanguageModel, who: str) -> Asker:
    return lambda prompt, attempts: question(model, prompt, attempts)._replace(answered_by=who)


def question(model: LanguageModel, prompt: Prompt, attempts: tuple[Attempt, ...]) -> Question:
    """What a model is asked in one attempt: of the plan, of verdicts and of public settings."""
    has_schema = prompt.mode == "structured" and model.response_format == "json_schema"
    return Question(
        answered_by=MODEL,
        model=model.model,
        temperature=model.temperature.text,
        seed=None if model.seed is None else model.seed + prompt.number - 1,
        max_tokens=model.max_tokens,
        template=prompts.template_of(prompt.mode).sha256,
        messages=prompts.messages(prompt, attempts),
        schema=prompts.schema(prompt.plan) if has_schema else None,
    )
