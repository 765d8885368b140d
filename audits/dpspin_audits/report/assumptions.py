"""Section 12: what the claim rests on and no check can see, and what was accepted besides."""

from collections.abc import Iterator

from dpspin_audits.report import built
from dpspin_audits.report.case import Case, to_section
from dpspin_audits.report.checks import accepted
from dpspin_audits.report.numerals import number
from dpspin_audits.report.prose import Text, code, label, text

PROVENANCE = {
    "public": "are public knowledge, fixed without the records",
    "auxiliary": "were built from auxiliary text, disjoint from the records",
    "charged": "were built from the records, under a charge of their own",
}
ASSUMED, NOT_ASSESSED, DECLARED = "Assumed.", "Not assessed.", "Declared."


def _aside(words: str) -> Text:
    """A remark in another voice."""
    return tuple(piece._replace(role="em") if piece.role == "text" else piece for piece in text(words))


def view(case: Case) -> tuple[Text, ...]:
    """What the claim rests on and no check can see."""
    date = _aside(f"Declared, {case.deployment.text('declared_at')}.")
    generated = [text("No record describes a person: the corpus is generated. ", date)]
    first = generated if case.deployment.flag("synthetic") else []
    return *first, *_choices(case, date), *_people(case), *MACHINE


def _choices(case: Case, date: Text) -> Iterator[Text]:
    """What was chosen, and from what."""
    deployment = case.deployment
    origin = PROVENANCE.get(deployment.text("provenance"), "are of unknown origin")
    note = deployment.text("provenance_note")
    remark = text(" (", label(note.rstrip(".")), ")") if note else ()
    yield text(
        "ε, the mass bound, bins, margin and the decision to publish were chosen before anyone saw the records or "
        "experiments on the same population. ", date,
    )  # fmt: skip
    yield text(f"The {deployment.count('universe_size'):,} themes {origin}", remark, ". ", _aside(DECLARED))
    if case.built:
        own = built.loss(case.built.epsilon, case.built.delta)
        yield text(
            "Building the themes from the records cost no more than ", own, " under the claim’s unit and adjacency, "
            "whatever made them, and nothing else of it was shown to anyone. ",
            _aside("Declared; cannot be tested from here."),
        )  # fmt: skip
    denominator = number(deployment.number("public_denominator"))
    yield text("The denominator ", denominator, " is a constant, not the number of records. ", _aside(DECLARED))
    writer = code(deployment.text("decoder"))
    yield text(
        "No model was trained on the records: neither the writer (", writer, ") nor what scores a record’s text. ",
        _aside("Declared; cannot be tested from here."),
    )  # fmt: skip
    if deployment.has("scored_by"):
        yield text(
            "Texts are scored by a function of the deployer’s own, ", code(deployment.text("scored_by")),
            ". Its file is pinned by a digest; what it imports and reads is not, and is not built from the records. ",
            _aside(DECLARED),
        )  # fmt: skip
    if delta := case.losses.delta:
        small = text("δ\u00a0=\u00a0", number(delta), " is far below one divided by the number of ")
        yield text(small, f"{case.losses.unit}s. ", _aside("The number is not public; the deployer has to see to it."))


def _people(case: Case) -> Iterator[Text]:
    """Who is outside the claim."""
    if case.deployment.text("provenance") == "auxiliary":
        yield text("People in the auxiliary text have no guarantee, however many of them a theme stands for.")
    things = "records" if case.losses.unit == "record" else "user ids"
    yield text(
        "People who are named in others’ records are not covered, and someone with several ", things,
        " is covered less (", to_section("claim"), ").",
    )  # fmt: skip
    yield text(
        "This audit ran on generated records and charged nothing; an audit on the records themselves would be a "
        "release of its own."
    )


MACHINE = (
    text("The operating system’s random generator is unpredictable. ", _aside(ASSUMED)),
    text("Running time, memory, swap and logs of the curator’s machine stay inside. ", _aside(NOT_ASSESSED)),
    text("The curator keeps the records, and nobody else reads them. ", _aside(ASSUMED)),
    text("No record makes the release run out of time or memory. ", _aside(ASSUMED)),
)


def waivers(case: Case) -> tuple[Text, ...]:
    """What was accepted; that nothing was is said as well."""
    return accepted(case) or (text("None: no finding was waived, and no baseline of known findings was used."),)
