"""`dpspin attest`: keys, signing what an audit found, and verifying it elsewhere."""

import datetime
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError, printable
from dpspin_audits import bundle, files
from dpspin_audits.attest import (
    attestation,
    envelope,
    evidence_file,
    keys,
    outcome,
    policy,
    predicates,
    subjects,
    validity,
    verify,
)
from dpspin_audits.attest.attestation import Attestation
from dpspin_audits.attest.parts import Evidence
from dpspin_audits.cli import attest_files
from dpspin_audits.cli.attest_files import Given
from dpspin_audits.formats.signatures import beside
from dpspin_audits.report.render import render

EXIT: Mapping[str, int] = {"PASSED": 0, "FAILED": 1, "WARNED": 3}
"""Exit code of `verify` for what an attestation says, where no policy decides."""
LARGEST_PROOFS = 2**24
A_FILE = click.Path(path_type=Path)


class Day(click.ParamType[datetime.date]):
    """A day of UTC."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime.date:
        """From text to a day."""
        if isinstance(value, datetime.date):
            return value
        try:
            return validity.day(value, str(param.opts[0] if param else ""))
        except UsageError as error:
            self.fail(f"{error.problem}; {error.remedy}", param, ctx)


def today() -> datetime.date:
    """The day, in UTC: the only clock of this command."""
    return datetime.datetime.now(datetime.UTC).date()


@click.group()
def attest() -> None:
    """Sign what an audit found, and verify such a statement elsewhere."""


@attest.command()
@click.option("-o", "--output", "path", required=True, type=A_FILE, help="Private key to write; beside it, its .pub.")
@click.option("--passphrase", is_flag=True, help="Ask for a passphrase that encrypts it.")
def keygen(path: Path, passphrase: bool) -> None:
    """Make an Ed25519 key: a private one that its owner alone can read, and a public one to hand out.

    Nothing is ever overwritten.  The passphrase may stand in the environment as DPSPIN_PASSPHRASE.
    """
    attest_files.check_free(path)
    made = keys.generate(attest_files.passphrase(passphrase))
    public = attest_files.write_pair(path, made)
    click.echo(f"wrote {path} and {public}\nkey {made.keyid}")


@attest.command()
@click.argument("evidence", type=A_FILE)
@click.option("--key", "secret", required=True, type=A_FILE, help="Private key.")
@click.option("-o", "--output", type=A_FILE, help="Attestation to write (default: beside it, evidence.intoto.jsonl).")
@click.option("--valid-days", type=int, help="Days for which you answer, the first one included.")
@click.option("--not-after", type=Day(), help="Last such day, instead.")
@click.option("--not-before", type=Day(), help="First such day (default: today, UTC).")
@click.option("--bundle", "folder", type=A_FILE, help="Results or release whose files must be those that were judged.")
@click.option("--report", type=A_FILE, help="HTML report of this evidence.")
@click.option("--proofs", type=A_FILE, help="Certificate of proofs that the audit cited, if not the shipped one.")
@click.option("--implementation", type=A_FILE, help="File that holds the implementation; default: its address.")
@click.option("--verifier", metavar="URI", default=predicates.VERIFIER, show_default=True, help="Who audited.")
def sign(
    evidence: Path, secret: Path, output: Path | None, valid_days: int | None, not_after: datetime.date | None,
    not_before: datetime.date | None, folder: Path | None, report: Path | None, proofs: Path | None,
    implementation: Path | None, verifier: str,
) -> None:  # fmt: skip
    """Sign what EVIDENCE says: guarantee, test result and verification summary, in one file.

    The result is that of the evidence.  A finding is signed as FAILED, a missing answer as WARNED; noise from a seed or
    from outside is never signed as PASSED, nor is a finding that somebody waived.  Evidence whose parts do not belong
    together is refused.
    """
    named, output = Given(evidence, report, proofs, implementation), output or beside(evidence)
    _check_output(output, [secret, *(path for path in named if path)])
    period = validity.declared(not_before or today(), not_after, valid_days)
    data = attest_files.bounded(evidence, evidence_file.LARGEST)
    found = evidence_file.opened(data, str(evidence))
    given = subjects.Given(
        canonical.digest(data),
        None if report is None else _report(report, data),
        None if proofs is None else attest_files.bounded(proofs, LARGEST_PROOFS),
        None if implementation is None else attest_files.digest(implementation),
    )
    if folder is not None:
        _check_bundle(folder, found, given)
    terms = predicates.Terms(period, _uri(verifier))
    signed = attestation.sign(found, given, terms, attest_files.signer(secret))
    files.write(output, signed)
    click.echo(f"wrote {output}\nresult {outcome.result(found)}, valid from {period.not_before} to {period.not_after}")


def _check_output(output: Path, inputs: list[Path]) -> None:
    if any(path.exists() and output.exists() and path.samefile(output) for path in inputs):
        raise UsageError(str(output), "is one of the files that are read", "name another file")


def _uri(text: str) -> str:
    if not text.isascii() or not text.isprintable() or " " in text or ":" not in text:
        raise UsageError("--verifier", f"{text!a:.80} is no URI", "write such as https://example.org/audits")
    return text


def _report(path: Path, data: bytes) -> str:
    """The digest of a report, which must be the one that follows from the evidence."""
    page = render(data).encode()
    if attest_files.digest(path) != canonical.digest(page):
        raise IntegrityError(
            str(path), "the report of this evidence, as this version makes it", "other bytes",
            "make it again with `dpspin report build`",
        )  # fmt: skip
    return canonical.digest(page)


def _check_bundle(folder: Path, found: Evidence, given: subjects.Given) -> None:
    """The files must be those that the audit judged, byte for byte, and no others."""
    place, held = str(attest_files.release_of(folder)), attest_files.release_files(folder)
    if not found.exposures:
        raise IntegrityError(place, "evidence that judged a bundle", "none", "audit it: dpspin audit --bundle")
    rows = bundle.exposures(files.read_folder(attest_files.release_of(folder)))
    seen = [(row.name, row.sha256) for row in found.exposures]
    for row in rows:
        if (row["name"], row["sha256"]) not in seen:
            raise IntegrityError(f"{place}: {row['name']}", "as the audit saw it", "another", verify.RESTORE)
    signed, results = subjects.of(found, given), {one.name for one in subjects.of(found, given)}
    verify.compared(signed, [*held, *attest_files.result_files(folder, results)], place)


@attest.command(name="verify")
@click.argument("path", metavar="FILE", type=A_FILE)
@click.option("--pub", required=True, type=A_FILE, help="Public key of the signer.")
@click.option("--bundle", "folder", type=A_FILE, help="Results or release to compare.")
@click.option("--evidence", type=A_FILE, help="Evidence to compare.")
@click.option("--report", type=A_FILE, help="Report to compare.")
@click.option("--proofs", type=A_FILE, help="Certificate of proofs to compare.")
@click.option("--implementation", type=A_FILE, help="Implementation to compare.")
@click.option("--policy", "rules", type=A_FILE, help="What you demand (dpspin schema policy).")
@click.option("--at", "day", type=Day(), help="Day for which to verify, for archives (default: today, UTC).")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def check(
    path: Path, pub: Path, folder: Path | None, evidence: Path | None, report: Path | None, proofs: Path | None,
    implementation: Path | None, rules: Path | None, day: datetime.date | None, as_json: bool,
) -> int:  # fmt: skip
    """Verify the attestation FILE: signatures, files, validity, then your policy.

    The exit code is 5 when anything does not hold, and names it.  If all holds, it is 0 where a policy accepts what was
    signed; without a policy 0 stands for PASSED, 1 for FAILED and 3 for WARNED.
    """
    accepted = None if rules is None else policy.load(files.read(rules), str(rules))
    key = keys.checker(attest_files.bounded(pub, keys.LARGEST), str(pub))
    found = attestation.opened(attest_files.bounded(path, envelope.LARGEST), key, str(path))
    same = _compared(found, folder, Given(evidence, report, proofs, implementation))
    when = day or today()
    found.guarantee.validity.check(when, str(path))
    if accepted is not None:
        policy.enforce(accepted, policy.Seen(found, same, when), str(rules))
    tree = _tree(found, same, rules)
    click.echo(canonical.dumps(tree).decode() if as_json else _shown(tree, str(path)), nl=not as_json)
    return EXIT[found.guarantee.result] if accepted is None else 0


def _compared(found: Attestation, folder: Path | None, given: Given) -> tuple[str, ...]:
    signed = found.guarantee.subjects
    code = next((one for one in signed if one.name == subjects.IMPLEMENTATION), None)
    if given.implementation and code and code.annotations.get("digestOf") != "file":
        raise IntegrityError(
            str(given.implementation), "an implementation signed by its file", "one signed by its address",
            "sign with --implementation",
        )  # fmt: skip
    held, release = list(given.digests()), None
    if folder is not None:
        release = str(attest_files.release_of(folder))
        held += attest_files.release_files(folder)
        held += attest_files.result_files(folder, {one.name for one in signed})
    return verify.compared(signed, held, release)


def _tree(found: Attestation, same: tuple[str, ...], rules: Path | None) -> dict[str, Any]:
    said = found.said.guarantee
    return {
        "key": found.keyid,
        "result": found.guarantee.result,
        "deployment": {"name": said.deployment.name, "population": said.deployment.population},
        "claim": {
            "unit": said.protects.unit,
            "adjacency": said.protects.adjacency,
            "epsilon": said.loss.epsilon.given.text,
            "delta": said.loss.delta.given.text,
        },
        "validity": found.guarantee.validity.tree(),
        "subjects": [{**one.tree(), "compared": one.name in same} for one in found.guarantee.subjects],
        "policy": None if rules is None else str(rules),
        "notAssessed": [row.model_dump() for row in said.not_assessed],
    }


def _shown(tree: dict[str, Any], place: str) -> str:
    claim, period, about = tree["claim"], tree["validity"], tree["deployment"]
    names = {flag: [row["name"] for row in tree["subjects"] if row["compared"] is flag] for flag in (True, False)}
    rows = {
        "signed by": f"key {tree['key']}",
        "result": tree["result"],
        "deployment": f"{about['name']}, of {about['population']}",
        "claim": f"epsilon {claim['epsilon']}, delta {claim['delta']}; unit {claim['unit']}, {claim['adjacency']}",
        "valid": f"{period['notBefore']} to {period['notAfter']}",
        "compared": ", ".join(names[True]) or "nothing",
        "not compared": ", ".join(names[False]) or "nothing",
        "not assessed": f"{len(tree['notAssessed'])} things, listed in the statement (--json)",
        "policy": f"{tree['policy']}: accepted" if tree["policy"] else "none",
    }
    return "\n".join(
        [
            f"{printable(place)}: every signature holds",
            *(f"  {name:13}{printable(str(said))}" for name, said in rows.items()),
        ]
    )
