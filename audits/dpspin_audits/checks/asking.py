"""tripwire, for a writer that asks a language model: it may connect to its server and do nothing else beyond the plan.

The audit asks no model.  A server of this machine stands in: it gives an answer that is refused, then the template's
words, so that a question with the verifier's reasons is seen too.  The deployment's settings are those of the release
but for the address and the key, of which none is sent.  The writer is watched like any other, its connections to that
one address excepted.  What it sends there must be what the record says it was asked, and nothing more: another path,
header or field, a field given twice, and bytes that are no request are findings.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpspin import plan as plans
from dpspin.decoder import backend, loop, template
from dpspin.decoder.attempts import Attempt, Mode, Prompt, Question
from dpspin.decoder.endpoint import response_format
from dpspin.errors import UsageError
from dpspin.language_model import LanguageModel
from dpspin_audits.checks import tripwire
from dpspin_audits.checks.check import Check
from dpspin_audits.running import stand_in
from dpspin_audits.running.stand_in import Request

REFUSED = "no"
"""An answer that no verifier takes."""
LINE = f"POST {stand_in.PATH} HTTP/1.1"
BODY = frozenset({"model", "messages", "temperature", "seed", "max_tokens", "response_format"})
HEADERS = {
    "host": r"127\.0\.0\.1:\d{1,5}", "accept": r"application/json|\*/\*", "accept-encoding": r"[a-z, ]{1,40}",
    "connection": "keep-alive|close", "content-type": "application/json", "content-length": r"\d{1,9}",
    "user-agent": r"[A-Za-z-]{1,20}(/[A-Za-z]{1,20})?[/ ][0-9.]{1,20}", "x-stainless-raw-response": "stream|true",
}  # fmt: skip
"""Headers that say nothing but how a client speaks, and their values; the version of a client is not looked at."""


def check(writer: str, plan: bytes, mode: Mode, model: LanguageModel, more: tuple[Path, ...] = ()) -> Check:
    """The verdict on a writer that asks.

    Args:
        writer: `module:attribute` of a function from settings to a writer and what makes its questions.
        plan: bytes of plan.json.
        mode: form of its drafts.
        model: how a model is asked, as declared.
        more: folders that modules may come from, beside those of this interpreter.
    """
    try:
        read = plans.decode(plan, "plan.json")
    except UsageError as error:
        return Check(tripwire.ID, "error", "exact_on_hit", "There is no plan to ask about.", {}, str(error), "mend it")
    drafts = (REFUSED, template.decoder(Prompt(1, mode, "", read), ()))
    with stand_in.answering(*drafts) as server:
        plain = model.model_dump(mode="json", exclude={"temperature"}) | {"temperature": model.temperature.text}
        settings = plain | {"base_url": server.url, "key_variable": None}
        asking = tripwire.Asking(writer, settings, server.address, len(drafts))
        found = tripwire.check(asking, plan, mode, more=more)
    if found.status != "pass":
        return found
    strange = _strange(server.asked, questions(read, mode, model, drafts), len(tripwire.SHIFTS))
    if strange is not None:
        return Check(
            tripwire.ID, "fail", "exact_on_hit", "The writer asks something else than the record says.", found.figures,
            strange, "send what is on record and nothing more",
        )  # fmt: skip
    return replace(
        found,
        summary="The writer connected to its server alone, and asked what is on record; a stand-in answered.",
        figures={**found.figures, "requests": len(server.asked)},
    )


def questions(plan: plans.SemanticPlan, mode: Mode, model: LanguageModel, drafts: Sequence[str]) -> list[Question]:
    """What the pipeline records where a model gives these drafts."""
    asked: list[Question] = []

    def _ask(prompt: Prompt, attempts: tuple[Attempt, ...]) -> Question:
        asked.append(backend.question(model, prompt, attempts))
        return asked[-1]

    loop.write(plan, lambda prompt, _: drafts[prompt.number - 1], len(drafts), mode, _ask)
    return asked


def _strange(asked: Sequence[Request], recorded: Sequence[Question], runs: int) -> str | None:
    """The first request that is not on record, in words; or that there are more or fewer."""
    for number, request in enumerate(asked):
        what = difference(request, recorded[number % len(recorded)])
        if what is not None:
            return what
    if len(asked) != runs * len(recorded):
        return f"{len(asked)} requests in {runs} runs of {len(recorded)} attempts"
    return None


def difference(request: Request, recorded: Question) -> str | None:
    """What a request holds that is not on record, or holds otherwise."""
    names = [name for name, _ in request.headers]
    odd = [n for n, value in request.headers if n not in HEADERS or not re.fullmatch(HEADERS[n], value, re.ASCII)]
    if request.line != LINE:
        return f"{request.line!a:.80} in place of a question"
    if odd or len(set(names)) < len(names):
        return f"headers {sorted(odd or names)!a:.80}"
    try:
        asked: Any = json.loads(request.body, object_pairs_hook=_once)
    except ValueError:
        return "a request that is no JSON"
    if not isinstance(asked, Mapping) or set(asked) - BODY:
        return f"fields {sorted(set(asked) - BODY)!a:.80}"
    expected = recorded.tree() | {
        "temperature": float(recorded.temperature),
        "response_format": None if recorded.schema is None else response_format(recorded.schema),
    }
    return next((f"{name} differs from the record" for name in sorted(BODY) if asked.get(name) != expected[name]), None)


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object; one that gives a field twice is like no other."""
    found = dict(pairs)
    return found if len(found) == len(pairs) else {"a field twice": None}
