"""What a language model is asked: a fixed public template, and the plan as quoted data (docs/decoder.md).

The template never changes with the plan; the plan stands in one JSON object, whose texts have every bracket, control
and format character escaped, so that no label can close its quotes, forge a turn of the conversation or hide a word.
Of earlier attempts a prompt has the verifier's reasons alone: neither drafts nor words that the plan does not have.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from dpspin import canonical
from dpspin.decoder import claims_file, template
from dpspin.decoder.attempts import Attempt, Message, Mode, Prompt
from dpspin.decoder.claims import parameters
from dpspin.decoder.verdict import Violation
from dpspin.plan import SemanticPlan, shown_mass, shown_support

VERSION = "1"
FIRST_OF_PLAN = 9
"""From this step of the verifier on, reasons are in words of the plan: they may be told."""
MOST_REASONS = 20
MARKUP = frozenset("<>[]{}|`\\")
"""Escaped in texts, beside what cannot be printed: marks of chat templates, of markup and of escapes."""


class Template(NamedTuple):
    """The words around the plan."""

    text: str
    sha256: str
    """Of its UTF-8 bytes."""


@cache
def template_of(mode: Mode) -> Template:
    """The template of a contract mode."""
    data = (files("dpspin.decoder") / f"prompt_{mode}.txt").read_bytes()
    return Template(data.decode(), canonical.digest(data))


def messages(prompt: Prompt, attempts: tuple[Attempt, ...]) -> tuple[Message, ...]:
    """The conversation of one attempt, from the first word: template, then data."""
    asked = {
        "attempt": prompt.number,
        "plan": _plan(prompt.plan, prompt.mode),
        "rejected": [_rejection(attempt) for attempt in attempts],
    }
    return Message("system", template_of(prompt.mode).text), Message("user", quoted(asked))


def quoted(value: object) -> str:
    """JSON in which a text holds nothing but printable characters without a function."""
    if isinstance(value, str):
        return '"' + "".join(map(_escaped, value)) + '"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{quoted(name)}: {quoted(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(quoted, value)) + "]"
    return json.dumps(value)


def _escaped(character: str) -> str:
    if character.isprintable() and character not in MARKUP and character != '"':
        return character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _plan(plan: SemanticPlan, mode: Mode) -> dict[str, object]:
    """The plan as a writer needs it: released atoms alone, with values as texts show them."""
    terms, values = plan.terms, parameters(plan.terms)
    structured = mode == "structured"
    named: dict[int, object] = {atom.index: atom.index if structured else atom.label for atom in plan.atoms}
    themes = [
        ({"index": atom.index} if structured else {})
        | {
            "label": atom.label,
            "mass": shown_mass(plan, atom).replace(",", "" if structured else ","),
            "support": shown_support(plan, atom).replace(",", "" if structured else ","),
            "bin": terms.bins[atom.bin],
            "rank": atom.rank,
        }
        for atom in plan.atoms
    ]
    held = [atom.bin for atom in plan.atoms]
    told: dict[str, object] = {
        "themes": themes,
        "count": len(held),
        "count_by_bin": {terms.bins[bin_]: held.count(bin_) for bin_ in sorted(set(held), reverse=True)},
        "comparisons": [[named[pair.left], named[pair.right]] for pair in template.links(plan)],
        "parameters": {name: values[name] for name in ("denominator", "epsilon", "delta")},
        "public_text": dict(sorted(terms.public_text.items())),
    }
    return told if structured else told | {"stamp": terms.stamp}


def _rejection(attempt: Attempt) -> dict[str, object]:
    """Why an attempt was refused, each reason once."""
    reasons = list(dict.fromkeys(map(_reason, attempt.verdict.violations)))[:MOST_REASONS]
    return {"attempt": attempt.number, "reasons": [dict(reason) for reason in reasons]}


def _reason(violation: Violation) -> tuple[tuple[str, object], ...]:
    """A reason in public words: those of the draft are left out."""
    told: tuple[tuple[str, object], ...] = (("step", violation.step), ("rule", violation.rule))
    if violation.step >= FIRST_OF_PLAN:
        told += (("claim", violation.claim), ("found", violation.found))
    return told


def schema(plan: SemanticPlan) -> dict[str, Any]:
    """JSON Schema of an answer in structured mode: the published one, with this plan's own names and no others.

    It is made of what OpenAI's strict mode and grammars of local servers know: no reference, no default, every schema
    with a type, every field required, and of several forms no two that begin with the same field and value.
    """
    terms = plan.terms
    atom, bin_ = {"type": "integer", "enum": [atom.index for atom in plan.atoms]}, _one_of(terms.bins)
    whole, shown = {"type": "integer"}, parameters(terms)
    forms = [
        _form("count", value=whole, bin={"anyOf": [{"type": "null"}, bin_]}),
        _form("parameter", name=_one_of(sorted(shown)), value=_one_of(sorted(set(shown.values())))),
    ]
    if plan.atoms:
        forms += [
            _form("mass", atom=atom, value=_decimal(terms.mass_digits)),
            _form("support", atom=atom, value=_decimal(terms.support_digits)),
            _form("bin", atom=atom, value=bin_),
            _form("rank", atom=atom, value=whole),
            _form("comparison", left=atom, right=atom),
        ]
    if terms.public_text:
        forms.append(_form("public_text", id=_one_of(sorted(terms.public_text))))
    claims = {"type": "array", "items": {"anyOf": forms}}
    return _closed(schema=_one_of([claims_file.SCHEMA]), claims=claims)


def _form(kind: str, **fields: Mapping[str, object]) -> dict[str, Any]:
    return _closed(kind=_one_of([kind]), **fields)


def _one_of(words: Sequence[str]) -> dict[str, object]:
    return {"type": "string", "enum": list(words)}


def _closed(**fields: Mapping[str, object]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _decimal(digits: int) -> dict[str, str]:
    fraction = f"\\.[0-9]{{{digits}}}" if digits else ""
    return {"type": "string", "pattern": f"^-?[0-9]{{1,15}}{fraction}$"}
