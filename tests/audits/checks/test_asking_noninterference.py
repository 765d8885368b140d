"""noninterference of a release whose writer is a language model: what it is asked follows from the noisy plan alone."""

from dataclasses import replace

import pytest

from dpspin import pipeline, transcript
from dpspin.decoder import backend, prompts
from dpspin.decoder.attempts import Prompt
from dpspin.language_model import LanguageModel
from dpspin.plan import decode
from dpspin.settings import validated
from dpspin_audits.checks import noninterference
from dpspin_audits.pairs import probes
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.reference_subject import ReferenceSubject


@pytest.fixture(autouse=True)
def cheaper():
    """Texts are written anew for each plan: what is asked is what is tested."""


@pytest.fixture(scope="module", params=["structured", "legacy_text"])
def asking(request, setting_of):
    """The small deployment with a model that nobody can reach."""
    setting, mode = setting_of(), request.param
    tree = {
        "base_url": "https://192.0.2.1/v1", "model": "small", "temperature": "0",
        "prompt": {"version": "1", "sha256": prompts.template_of(mode).sha256},
    }  # fmt: skip
    terms = {"backend": "llm", "contract_mode": mode, "llm": validated(LanguageModel, tree, "m")}
    decoder = setting.deployment.decoder.model_copy(update=terms)
    return replace(setting, deployment=setting.deployment.model_copy(update={"decoder": decoder}))


@pytest.fixture(scope="module")
def asked(asking):
    return Maker(asking, probes.search(asking))


class Context(ReferenceSubject):
    """A model that is told how many records there are, as context."""

    def release_with(self, records, noise):
        own = self.setting
        decoder = own.deployment.decoder
        told = decoder.llm.model_copy(update={"model": f"small ({len(records)} records)"})
        decoder = decoder.model_copy(update={"llm": told})
        self.setting = replace(own, deployment=own.deployment.model_copy(update={"decoder": decoder}))
        try:
            return super().release_with(records, noise)
        finally:
            self.setting = own


def test_what_the_model_is_asked_follows_from_the_noisy_plan(asking, asked):
    found = noninterference.check(ReferenceSubject(asking), asked)
    assert (found.status, "injected" in found.figures["coupled_by"]) == ("pass", True)


def test_a_model_that_is_told_more_is_a_finding(asking, asked):
    found = noninterference.check(Context(asking), asked)
    assert (found.status, found.location and found.location.file) == ("fail", "transcript.jsonl"), found


def test_a_subject_never_asks_a_server(asking, monkeypatch):
    monkeypatch.setattr(backend.Endpoint, "answer", lambda *_: pytest.fail("an audit asked a server"))
    files = ReferenceSubject(asking).release(())
    assert backend.STAND_IN in files["transcript.jsonl"].decode()
    with pytest.raises(pytest.fail.Exception, match="asked a server"):
        backend.of(asking.deployment.decoder).decoder(
            replace(_prompt(files), question=backend.question(asking.deployment.decoder.llm, _prompt(files), ())), ()
        )


def _prompt(files):
    return Prompt(1, "structured", "", decode(files["plan.json"], "plan.json"))


def test_what_was_released_by_a_stand_in_is_computed_again(asking):
    files = ReferenceSubject(asking).release(())
    read = _prompt(files).plan
    rows = [{"name": "prompt-1", "text": ""}]
    kept = transcript.decode(files["transcript.jsonl"], "t")
    assert pipeline.publish_again(read, asking, None, kept) == files
    assert pipeline.publish_again(read, asking, None, rows) != files
