"""What each part of the report says before its tables and figures: words for readers outside the field."""

from dpspin_audits.report.case import to_section
from dpspin_audits.report.prose import Text, code, power, text


def _emphasised(words: str) -> Text:
    return tuple(piece._replace(role="em") for piece in text(words))


def view(unit: str, *, charged: bool = False) -> dict[str, Text]:
    """The paragraphs by name.

    Args:
        unit: the protected unit.
        charged: whether the themes were built from protected records.
    """
    return _opening() | _measurements(unit) | _objects(charged=charged) | _closing()


def _opening() -> dict[str, Text]:
    return {
        "checks": text(
            "The verdict is the worst result among the required checks; a finding of any other check counts as well. "
            "A check that did not run is never counted as passing. ",
            _emphasised("Strength"),
            " says what kind of evidence stands behind a result; the kinds are explained below the table.",
        ),
        "claim": text(
            " The claim is about the plan and whatever is computed from it; it says nothing about an object that no "
            "charge covers (", to_section("ledger"), ").",
        ),
        "accounting": text(
            _emphasised("Claimed"), " is what the deployment promises. ", _emphasised("Accounted"),
            " is what the formula gives for the stated mechanism, computed exactly: it is about the mechanism, not "
            "about the code. ", _emphasised("Measured"), " is a lower bound that no computation can undercut. The ",
            _emphasised("second opinion"), " is another accountant’s figure.",
        ),
        "curve": text(
            "One mechanism keeps many pairs (ε, δ) at once; the curve shows the least δ for each ε. A claim is one "
            "point: it holds where it stands on the curve or above it."
        ),
        "certificates": text(
            "A certificate shows a noise scale to be enough by whole-number arithmetic that rounds outward. This "
            "report was not written before the checker had accepted it; ",
            code("dpspin account check certificate.json"), " checks it again, and so does ", code("certcheck.py"),
            " or, for admission, ", code("admission_check.py"), ", with nothing but Python.",
        ),
        "budget": text(
            "Releases over one population add up; a charge is written before records are read and is never refunded. "
            "Releases that this audit did not see are not in the figure."
        ),
    }  # fmt: skip


def _measurements(unit: str) -> dict[str, Text]:
    return {
        "measure": text(
            f"All runs use generated pairs of corpora that differ in one {unit}; no ledger is charged. A fair coin "
            "chooses the corpus, the implementation releases, and a rule fixed beforehand guesses which one it was, "
            "or abstains. If a promise (ε, δ) holds, right guesses can outnumber wrong ones by at most the factor ",
            power("e", "ε"), ", apart from a share δ of the runs; ", _emphasised("against"),
            " is the promise that a rule was held to: the claim, or what the stated law promises beyond it. A loss of "
            "at least the value under ", _emphasised("detectable"),
            " would have been found with 90\u00a0% probability; a smaller excess may have gone unseen.",
        ),
        "tradeoff": text(
            "Whoever tries to tell two corpora apart makes two kinds of errors: a false alarm calls the unit present "
            "when it is not, a miss overlooks it. A claim says how small both can be at once."
        ),
        "capital": text(
            "The same runs as they came: a bettor stakes a part of a wealth of 1 on each guess, at odds that are fair "
            "or worse for him while the promise holds. To multiply it by 1/α, he then needs luck of probability α at "
            "most; so a bettor who does so refutes the promise, whenever it happens (Ville 1939)."
        ),
        "unmeasured": text("No statistical test ran, so nothing here speaks for or against the claim."),
    }  # fmt: skip


def _objects(*, charged: bool) -> dict[str, Text]:
    earlier = " The themes crossed it before, under a charge of their own." if charged else ""
    return {
        "plan": text("No release belongs to this audit, or none could be read; neither plan nor summary is shown."),
        "ledger": text(
            "Everything that a reader or the decoder can see, in order. Each object is public, or covered by a charge, "
            "or computed from objects above it. Anything else is a finding."
        ),
        "unlisted": text("No release belongs to this audit, or none could be read; no object is listed."),
        "pipeline": text(
            "Only what crosses the wall can be seen by others. The plan crosses it once, with noise; all that comes "
            f"later is computed from the plan and from public files, and costs nothing more.{earlier}"
        ),
        "transcript": text(
            "The transcript holds every text that the writer got and gave, in order: prompts, drafts as they came, and "
            "the reasons for refusals. Public files and the plan stand beside it in the release folder. A long part "
            "that repeats an earlier text is named in italics instead of shown again."
        ),
        "conformance": text(
            "Every step without chance, from the text of a record to the plan, has vectors: inputs with the outputs "
            "that the reference gives. Agreement ties the code to the stated mechanism on these inputs, and on no "
            "others."
        ),
        "proofs": text(
            "What ties the audited code to the stated mechanism are the checks of ", to_section("checks"),
            ", the vectors of ", to_section("conformance"), " and the measurements of ", to_section("measure"),
            ": evidence, and not proof.",
        ),
    }  # fmt: skip


def _closing() -> dict[str, Text]:
    return {
        "utility": text("No bounds were computed for this deployment."),
        "hazards": text(
            "The publication “Guidelines for Evaluating Differential Privacy Guarantees” names what can undo a "
            "guarantee. ", _emphasised("Assessed"), " means that checks of this report bear on a hazard and gives "
            "their worst result; ", _emphasised("in part"), " means that checks like these cannot answer the whole "
            "question, or that one of them gave no answer. It is not a statement of conformity, and NIST has not seen "
            "it.",
        ),
        "registry": text(
            "The Differential Privacy Deployments Registry collects what deployers say about their deployments. What "
            "the evidence says is filled in; ", _emphasised("declared"), " means that the deployer says so and no "
            "check answered. The registry has not seen this entry.",
        ),
        "assume": text("The claim rests on these, and no check of this report can show them."),
        "repro": text(
            "These lines repeat the audit with the same pairs, rules and coins. Its counts come again where the "
            "implementation takes its random bits from the audit; noise that it draws by itself, as for a release, is "
            "new each time."
        ),
    }  # fmt: skip
