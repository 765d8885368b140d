"""Summaries by a language model: a writer is given one object and nothing else, and every text is kept.

A plan is written under the contract: by the loop of a release, with its prompts, its verifier and its fallback
(docs/decoder.md).  Other objects have no contract: there the model writes freely, as the paper's baselines do.
"""

from collections.abc import Callable

from dpspin import canonical
from dpspin import plan as plans
from dpspin.decoder import loop
from dpspin.decoder import prompts as contract
from dpspin.decoder.attempts import Attempt, Prompt
from dpspin.deployment import Decoder as Declared
from dpspin.errors import NoAnswerError
from dpspin_experiments.judging import prompts
from dpspin_experiments.judging.asking import ATTEMPTS
from dpspin_experiments.judging.exhibit import AUDIENCE
from dpspin_experiments.judging.methods import Write
from dpspin_experiments.judging.scoring import Judge, Keep, Kept

SCHEMA = "dpspin-judge-text/1"


class Texts:
    """Texts that are written once and read back afterwards, so that what was judged stays what it was."""

    def __init__(self, model: Judge, kept: Kept, keep: Keep) -> None:
        self._model, self._kept, self._keep = model, kept, keep
        self.fallbacks = 0
        """Plans of which no draft met the contract, stored ones included: their text is the fallback's."""

    def freely(self, visible: bytes) -> str:
        """A text of an object without a contract.

        Raises:
            NoAnswerError: where the server gives no text in a few attempts.
        """
        messages = prompts.of_summary(visible)
        return self._once({"messages": list(messages)}, lambda: (self._asked(messages), False))

    def under(self, declared: Declared) -> Write:
        """A writer of plans, as a release of this deployment's contract mode and attempts writes them.

        The writer raises `NoAnswerError` where no attempt had any answer.
        """

        def _write(visible: bytes) -> str:
            named = {
                "plan": canonical.digest(visible), "template": contract.template_of(declared.contract_mode).sha256,
                "mode": declared.contract_mode, "attempts": declared.max_attempts,
            }  # fmt: skip
            return self._once(named, lambda: self._looped(visible, declared))

        return _write

    def _asked(self, messages: prompts.Messages) -> str:
        for seed in range(ATTEMPTS):
            try:
                return self._model.answerer(messages, None, seed).encode(errors="replace").decode()
            except NoAnswerError:
                continue
        raise NoAnswerError()

    def _looped(self, visible: bytes, declared: Declared) -> tuple[str, bool]:
        def _draft(prompt: Prompt, attempts: tuple[Attempt, ...]) -> str:
            told = [message._asdict() for message in contract.messages(prompt, attempts)]
            schema = contract.schema(prompt.plan) if prompt.mode == "structured" else None
            return self._model.answerer(told, schema, prompt.number - 1)

        plan = plans.decode(visible, "plan.json")
        found = loop.write(plan, _draft, declared.max_attempts, declared.contract_mode)
        if all(attempt.verdict == loop.NO_TEXT for attempt in found.attempts):
            raise NoAnswerError()
        return found.summary, found.fell_back

    def _once(self, named: dict[str, object], write: Callable[[], tuple[str, bool]]) -> str:
        whole = {**named, "writer": self._model.declared}
        key = canonical.digest(canonical.dumps(whole))[:32]
        tree = self._kept(key)
        if not (isinstance(tree, dict) and tree.get("schema") == SCHEMA):
            text, fell_back = write()
            tree = {"schema": SCHEMA, "audience": AUDIENCE, **whole, "text": text, "fell_back": fell_back}
            self._keep(key, tree)
        self.fallbacks += bool(tree["fell_back"])
        return str(tree["text"])
