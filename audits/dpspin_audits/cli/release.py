"""`dpspin release`: read, charge, release; constants on the screen, whatever the records are."""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import click
import platformdirs

from dpspin import canonical, pipeline
from dpspin.accounting import ledger
from dpspin.corpus import embedded, jsonl, scoring
from dpspin.curator.noise import Bits, SeededBits, SystemBits
from dpspin.decoder import backend
from dpspin.deployment import Deployment
from dpspin.errors import DpspinError, ImpossibleError, UsageError
from dpspin_audits.cli.inputs import EMBEDDED, Seed, open_corpus, setting_of
from dpspin_audits.files import Staging, check_free


def state_folder() -> Path:
    """Where ledgers live: $DPSPIN_STATE, else the platform's folder for user state."""
    return Path(os.environ.get("DPSPIN_STATE") or platformdirs.user_state_path("dpspin", appauthor=False))


@contextmanager
def _records(path: Path | None, deployment: Deployment) -> Iterator[Iterable[jsonl.Record]]:
    """Records of a corpus whose framing has been checked to the end, or of the embedded corpus."""
    if path is None:
        yield embedded.corpus(deployment)
        return
    with open_corpus(path) as stream:
        jsonl.validate(stream, str(path))
        yield jsonl.Lines(stream, str(path), jsonl.fields_of(deployment))


@contextmanager
def _silent() -> Iterator[None]:
    """After records have been read, no message may depend on them: anything unforeseen becomes one constant."""
    try:
        yield
    except DpspinError:
        raise
    except Exception:
        raise ImpossibleError("the release failed after its charge; nothing was written and the charge stays") from None


@click.command()
@click.argument("deployment", required=False, type=click.Path(path_type=Path))
@click.option("--corpus", type=click.Path(path_type=Path), help="Records as JSON Lines, plain or gzip.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="New folder for the release bundle.")
@click.option("--curator-out", type=click.Path(path_type=Path), help="New folder for the exact sketch (mode 0700).")
@click.option("--seed", type=Seed(), help="Reproducible noise; only for a corpus declared synthetic.")
def release(
    deployment: Path | None, corpus: Path | None, out: Path, curator_out: Path | None, seed: bytes | None
) -> None:
    """Release a plan of the protected half of CORPUS under DEPLOYMENT, and a summary of the plan.

    The framing of the corpus is checked first, then the population's ledger is charged, then records are read.  The
    charge is never refunded; a universe that was built from protected records is charged too, once.  Without --corpus,
    a deployment declared synthetic is released on the embedded corpus.
    """
    setting = setting_of(deployment)
    if corpus is None and not setting.deployment.corpus.synthetic:
        raise UsageError("--corpus", "missing", "name the corpus that this deployment is released on")
    if seed is not None and not setting.deployment.corpus.synthetic:
        raise UsageError("--seed", "refused: corpus.synthetic is false", "release without a seed")
    backend.check_ready(setting.deployment.decoder)
    scoring.check(setting.weights)
    bits: Bits = SystemBits() if seed is None else SeededBits(seed)
    check_free(out)
    with ExitStack() as open_things:
        bundle = open_things.enter_context(Staging(out))
        curator = None
        if curator_out is not None:
            check_free(curator_out)
            curator = open_things.enter_context(Staging(curator_out, 0o700))
        records = open_things.enter_context(_records(corpus, setting.deployment))
        sha256 = canonical.digest(setting.deployment_bytes)
        charged = ledger.charge(state_folder(), setting.deployment, sha256, str(deployment or EMBEDDED))
        setting = replace(setting, universe_charge=charged.universe.id if charged.universe else None)
        with _silent():
            released = pipeline.release(setting, records, bits, charged.release.id)
        bundle.put(released.bundle)
        if curator is not None:
            curator.put(pipeline.curator_files(released, setting))
            curator.publish()
        bundle.publish()
    under = f"charge {charged.release.id} of population {setting.deployment.population}"
    built = f", its universe under {charged.universe.id}" if charged.universe else ""
    click.echo(f"released to {out} under {under}{built}")
