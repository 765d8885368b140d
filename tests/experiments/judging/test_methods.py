"""What is shown is what the writer was given: every text is written again from the shown bytes and public terms."""

import json
from dataclasses import replace

import pytest

from dpspin import plan as plans
from dpspin.curator.noise import SeededBits
from dpspin.decoder import template
from dpspin.errors import UsageError
from dpspin.language_model import LanguageModel
from dpspin_experiments.baselines import methods as names
from dpspin_experiments.baselines import references
from dpspin_experiments.baselines.comparison import outputs, private
from dpspin_experiments.baselines.documents import Document
from dpspin_experiments.judging import methods
from dpspin_experiments.judging.exhibit import Exhibit


def again(item, setting):
    """The text of an item from its object alone; no record can get here."""
    seen = item.exhibit.tree()
    if item.method in {names.PLAN, names.WITHOUT_NOISE}:
        return template.summary(plans.decode(item.exhibit.visible, "plan"))
    if "units" in seen:
        units = [Document((each["text"],), tuple(each["categories"])) for each in seen["units"]]
        text = references.template(units, setting) if item.method == names.TEMPLATE else references.extractive(units)
    elif item.method == names.CLUSTERING:
        text = references.of_clusters([references.Cluster(each["size"], each["terms"]) for each in seen["groups"]])
    elif item.method == names.URANIA:
        lines = [f"A group of about {each['noisy_size']:,}: {', '.join(each['keywords'])}." for each in seen["groups"]]
        text = "\n".join(lines or ["No group is large enough to be described."]) + "\n"
    else:
        baseline = next(each for each in private(setting) if each.name == item.method)
        text = baseline.text({baseline.cells.index(each["label"]): each["noisy_count"] for each in seen["entries"]})
    return f"{seen['stamp']}\n\n{text}"


def strangers(items, setting):
    """Methods whose text says something that does not follow from what is shown."""
    return {item.method for item in items if again(item, setting) != item.exhibit.text}


def test_every_text_follows_from_what_is_shown(items, setting):
    assert strangers(items, setting) == set()


def test_a_planted_fact_from_the_records_is_found(items, setting, records):
    planted = [
        item._replace(exhibit=replace(item.exhibit, text=f"{item.exhibit.text}{len(records)} records were read.\n"))
        for item in items
    ]
    assert strangers(planted, setting) == set(names.METHODS)


def test_every_method_is_there_noisy_ones_once_a_seed(items):
    assert {item.method for item in items} == set(names.METHODS)
    noisy = [(item.method, item.seed) for item in items if item.noisy]
    assert sorted(noisy) == sorted((name, seed) for name in list(names.METHODS)[5:] for seed in (0, 1))
    assert all(item.seed == 0 for item in items if not item.noisy)


def test_seeds_give_other_releases_and_the_same_seed_the_same(items, setting, records):
    first = [item.exhibit.id for item in items if item.noisy]
    assert len(set(first)) == len(first)
    assert [item.exhibit.id for item in methods.items(setting, records, b"j", 2)] == [item.exhibit.id for item in items]


def test_every_object_and_text_bears_a_stamp(items):
    for item in items:
        stamp = item.exhibit.tree()["stamp"]
        assert stamp.startswith("NON-PRIVATE")
        assert item.exhibit.text.startswith(stamp)


def test_the_plan_is_shown_as_it_is_released(setting, records):
    found = {each.name: each for each in outputs(setting, records, SeededBits(b"x"))}
    shown = methods.exhibit(found[names.PLAN], plans.SEEDED)
    assert plans.encode(plans.decode(shown.visible, "plan")) == shown.visible
    assert json.loads(shown.visible)["plan_id"] == found[names.PLAN].seen["plan_id"]


def test_real_records_are_refused_before_they_are_read(setting):
    real = setting.deployment.model_copy(
        update={"corpus": setting.deployment.corpus.model_copy(update={"synthetic": False})}
    )
    with pytest.raises(UsageError, match="not declared synthetic"):
        next(methods.items(replace(setting, deployment=real), None, b"j", 1))


def test_other_writers_are_given_the_object_alone(items):
    given = []
    found = methods.rewritten(items, {names.PLAN: lambda visible: given.append(visible) or "said"})
    plans_ = [item for item in items if item.method == names.PLAN]
    assert given == [item.exhibit.visible for item in plans_]
    assert [item.exhibit for item in found if item.method == names.PLAN] == [
        Exhibit(item.exhibit.visible, "said") for item in plans_
    ]
    assert [item for item in found if item.method != names.PLAN] == [i for i in items if i.method != names.PLAN]


def test_a_deployment_that_declares_a_model_asks_no_server_here(items, setting, records, monkeypatch):
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("a socket was opened"))
    model = LanguageModel.model_validate(
        {
            "base_url": "http://127.0.0.1:9/v1",
            "model": "m",
            "temperature": "0",
            "prompt": {"version": "1", "sha256": "0" * 64},
        }
    )
    decoder = setting.deployment.decoder.model_copy(update={"backend": "llm", "llm": model})
    declared = replace(setting, deployment=setting.deployment.model_copy(update={"decoder": decoder}))
    assert list(methods.items(declared, records, b"j", 2)) == items
