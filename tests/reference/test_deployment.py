"""The deployment file: every field is described, needed and typed, and what is not built is refused, never ignored."""

import copy
import json
import pickle
from fractions import Fraction
from operator import attrgetter
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from dpspin import deployment
from dpspin.corpus import embedded
from dpspin.errors import UsageError
from dpspin.settings import Exact

JARGON = ("Input should", "pydantic", "validation", "Traceback", "tuple", "dictionary", "NoneType", "Value error")
OPTIONAL = {("universe", "note")}
FREE = ("decoder", "public_text")


def load(tree):
    return deployment.load(json.dumps(tree).encode(), "demo.yaml")


def get(tree, path):
    for step in path:
        tree = tree[step]
    return tree


def put(tree, path, value):
    get(tree, path[:-1])[path[-1]] = value
    return tree


def paths(value, path=()):
    """Every path below a value, groups and leaves."""
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, step)
            yield from paths(inner, (*path, step))


def complaint(data, error=UsageError):
    """The message for a file that is refused: one line that begins with the file and speaks plainly."""
    with pytest.raises(error) as caught:
        deployment.load(data if isinstance(data, bytes) else json.dumps(data).encode(), "demo.yaml")
    assert type(caught.value) is error
    text = str(caught.value)
    assert text.startswith("demo.yaml: ")
    assert text.isprintable()
    assert caught.value.remedy
    assert not [word for word in JARGON if word in text]
    return text


def dotted(path):
    return ".".join(map(str, path))


def test_a_valid_file_loads_with_exact_numbers(tree):
    demo = load(tree)
    assert demo.mechanism.epsilon == Fraction(1, 2)
    assert demo.mechanism.epsilon.text == "0.5"
    assert demo.budget.delta == Fraction(1, 10**6)
    assert demo.plan.bins[2].from_ == Fraction(1, 3)
    assert load(tree) == demo
    carried = pickle.loads(pickle.dumps(demo))  # as to the workers of an audit
    assert carried == demo
    assert carried.mechanism.epsilon.text == "0.5"
    put(tree, ("mechanism", "epsilon"), "0.50")
    assert load(tree).mechanism.epsilon.text == "0.50"


def test_every_field_is_needed(tree):
    for path in paths(tree):
        if isinstance(path[-1], int) or path[: len(FREE)] == FREE != path or path in OPTIONAL:
            continue
        broken = copy.deepcopy(tree)
        del get(broken, path[:-1])[path[-1]]
        assert complaint(broken).startswith(f"demo.yaml: {dotted(path)}: missing; add it"), path


@pytest.mark.parametrize("wrong", [None, True, 7, "?", [], {}, ["x"], {"x": "y"}])
def test_every_field_refuses_another_type(tree, wrong):
    for path in paths(tree):
        if type(get(tree, path)) is type(wrong):
            continue
        text = complaint(put(copy.deepcopy(tree), path, wrong))
        assert text.startswith(f"demo.yaml: {dotted(path)}"), (path, text)
        assert "cannot use" in text or "missing" in text or "unknown" in text


def test_numbers_outside_quotes_are_refused_everywhere(tree):
    for path in paths(tree):
        marked = json.dumps(put(copy.deepcopy(tree), path, "MARK")).replace('"MARK"', "1e-6")
        text = complaint(marked.encode())
        assert text.startswith(f"demo.yaml: line 1: {dotted(path)}: cannot use '1e-6' outside quotes; put it in quotes")


def test_unknown_and_duplicate_keys_are_refused_in_every_group(tree):
    for path in [(), *paths(tree)]:
        group = get(tree, path)
        if isinstance(group, dict) and path != FREE:
            broken = copy.deepcopy(tree)
            get(broken, path)["colour"] = "red"
            wanted = f"demo.yaml: {dotted((*path, 'colour'))}: unknown field; remove it or correct its name"
            assert complaint(broken) == wanted
        if isinstance(group, dict):
            key = next(iter(group))
            text = json.dumps(put({"": tree}, ("", *path), {"MARK": 1, **group})[""])
            text = text.replace('"MARK": 1', f'"{key}": {json.dumps(group[key])}')
            tree = copy.deepcopy(tree) if not path else put(tree, path, group)
            found = complaint(text.encode())
            assert found == f"demo.yaml: line 1: {dotted((*path, key))}: a key that stands twice; write each key once"


RANGES = [
    ("schema", "dpspin-deployment/2"), ("name", "a b"), ("name", ""), ("name", "x" * 101), ("population", "../x"),
    ("declared_at", "2026-02-30"), ("declared_at", "20260131"), ("declared_at", "2026-1-31"), ("declared_at", "soon"),
    ("unit", "person"), ("adjacency", "swap"), ("corpus.text_field", ""), ("corpus.split.key", "short"),
    ("corpus.selection_key", "short"), ("corpus.split.auxiliary_share", "1"), ("corpus.split.auxiliary_share", "0"),
    ("corpus.sampling_rate", "1.5"), ("corpus.sampling_rate", "0"), ("universe.file", "a/b"), ("universe.file", ".."),
    ("universe.sha256", "A" * 64), ("universe.sha256", "a" * 63), ("universe.provenance", "private"),
    ("assignment.rule", "lable"), ("assignment.rule", "a:b:c"), ("assignment.max_atoms", 0),
    ("assignment.weights.file", "/etc/weights"), ("mass_bound", "0"), ("mass_bound", "-1"), ("mechanism.kind", "none"),
    ("mechanism.epsilon", "0"), ("mechanism.epsilon", "-1"), ("mechanism.epsilon", "1e-7"),
    ("mechanism.epsilon", "1048577"), ("mechanism.delta", "1e-9"), ("mechanism.delta", "-0"), ("plan.size", 0),
    ("plan.public_denominator", "0"), ("plan.public_denominator", "1/3"), ("plan.bins.0.from", "0.01"),
    ("plan.bins.0.name", "below noise floor"), ("plan.margin", "-1"), ("plan.noise_beta", "1"),
    ("plan.noise_beta", "0"),
    ("plan.display.mass_digits", 7), ("plan.display.support_digits", -1), ("decoder.backend", "human"),
    ("decoder.contract_mode", "none"), ("decoder.max_attempts", 0), ("decoder.max_attempts", 101),
    ("budget.epsilon", "0"), ("budget.delta", "1"),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), RANGES)
def test_values_out_of_range_name_field_value_and_remedy(tree, field, value):
    path = tuple(int(step) if step.isdecimal() else step for step in field.split("."))
    text = complaint(put(tree, path, value))
    assert text.startswith("demo.yaml: plan.bins" if value == "below noise floor" else f"demo.yaml: {field}: ")
    assert json.dumps(value)[:60] in text
    assert "; write " in text or "; remove " in text


def test_rules_that_bind_several_fields(tree):
    same = put(copy.deepcopy(tree), ("corpus", "selection_key"), "split-key-1")
    assert complaint(same) == "demo.yaml: corpus.selection_key: equal to corpus.split.key; write another key"
    assert "user: without effect; remove it" in complaint({**tree, "user": {"id_field": "u"}})
    assert "user: missing; say what a user is" in complaint({**tree, "unit": "user"})
    down = put(copy.deepcopy(tree), ("plan", "bins", 2, "from"), "0.05")
    assert complaint(down) == "demo.yaml: plan.bins: cuts do not ascend; order the bins by their cuts"
    twice = put(copy.deepcopy(tree), ("plan", "bins", 2, "name"), "low")
    assert complaint(twice) == "demo.yaml: plan.bins: a name stands twice; give every bin its own name"
    assert 'plan.public_denominator: cannot use "1/3"; write a multiple of 2^-20' in complaint(
        put(copy.deepcopy(tree), ("plan", "public_denominator"), "1/3")
    )
    assert load(put(copy.deepcopy(tree), ("plan", "public_denominator"), "1/1048576"))


LLM = {
    "base_url": "http://127.0.0.1:8080/v1", "model": "small", "temperature": "0",
    "prompt": {"version": "1", "sha256": "c" * 64},
}  # fmt: skip


def test_a_writer_of_claims_needs_a_contract_of_claims(tree):
    put(tree, ("decoder", "backend"), "structured")
    text = 'decoder.contract_mode: cannot use "legacy_text"; write structured: this writer gives claims, not text'
    assert complaint(tree) == f"demo.yaml: {text}"
    for backend in ("structured", "template"):
        put(tree, ("decoder", "backend"), backend)
        assert load(put(tree, ("decoder", "contract_mode"), "structured")).decoder.backend == backend


@pytest.mark.parametrize(
    "changes",
    [
        {"unit": "user", "user": {"id_field": "u", "on_missing_user": "own_unit"}, "mass_bound": "2.50"},
        {"adjacency": "replacement", "mass_bound": "1/3"},
        {"corpus.sampling_rate": "0.5"},
        {"mechanism": {"kind": "gaussian", "epsilon": "1", "delta": "1e-6", "calibration": "classical"}},
        {"mechanism": {"kind": "private_top_l", "epsilon": "1", "delta": "0", "em_mode": "paper",
                       "selection_share": "1/2", "values": "laplace"}},
    ],
)  # fmt: skip
def test_every_mechanism_unit_and_adjacency_loads_as_written(tree, changes):
    for field, value in changes.items():
        put(tree, tuple(field.split(".")), value)
    loaded = load(tree)
    for field, value in changes.items():
        found = attrgetter(field)(loaded)
        parts = value.items() if isinstance(value, dict) else [(None, value)]
        for name, written in parts:
            read = found if name is None else getattr(found, name)
            assert getattr(read, "text", read) == written


def properties(schema):
    for name, model in {"Deployment": schema, **schema["$defs"]}.items():
        for field, inner in model.get("properties", {}).items():
            yield f"{name}.{field}", inner


def test_the_schema_describes_every_field_and_accepts_the_file(tree):
    schema = deployment.Deployment.model_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    found = dict(properties(schema))
    assert len(found) > 60
    assert not [name for name, inner in found.items() if len(inner.get("description", "")) < 2]
    jsonschema.validate(tree, schema)


def test_the_schema_refuses_other_types_and_missing_and_unknown_fields(tree):
    valid = jsonschema.Draft202012Validator(deployment.Deployment.model_json_schema()).is_valid
    assert not valid({**tree, "colour": "red"})
    for path in paths(tree):
        for wrong in (None, 7.5, [0], {"x": 1}):
            assert not valid(put(copy.deepcopy(tree), path, wrong)), path
        if not isinstance(path[-1], int) and path[:2] != FREE and path not in OPTIONAL:
            broken = copy.deepcopy(tree)
            del get(broken, path[:-1])[path[-1]]
            assert not valid(broken), path


def test_every_documented_value_is_reachable(tree):
    """No member of a closed list is only documented: each loads."""
    schema = deployment.Deployment.model_json_schema()
    for field in ("unit", "adjacency", "universe.provenance", "decoder.backend", "decoder.contract_mode"):
        path = tuple(field.split("."))
        model = {"universe": "UniverseFile", "decoder": "Decoder"}.get(path[0])
        for value in (schema["$defs"][model] if model else schema)["properties"][path[-1]]["enum"]:
            broken = put(copy.deepcopy(tree), path, value)
            if value == "user":
                broken["user"] = {"id_field": "u"}
            if value == "structured":
                broken["decoder"]["contract_mode"] = "structured"
            if value == "llm":
                broken["decoder"]["llm"] = LLM
            if value == "charged":
                broken["universe"]["charge"] = {"epsilon": "0.5", "delta": "0"}
            assert attrgetter(field)(load(broken)) == value
    assert isinstance(load(tree).mass_bound, Exact)


PAGE = Path(__file__).parents[2] / "docs" / "deployment.md"
GAUSSIAN = {"kind": "gaussian", "epsilon": "1", "delta": "1e-6", "calibration": "analytic"}
TOP_L = {
    "kind": "private_top_l", "epsilon": "1", "delta": "0", "em_mode": "tight", "selection_share": "1/2",
    "values": "laplace",
}  # fmt: skip
WITH = {
    "": {},
    "gaussian": {"mechanism": GAUSSIAN},
    "private_top_l": {"mechanism": TOP_L},
    "private_top_l, gaussian values": {"mechanism": TOP_L | {"values": "gaussian"}},
    "llm": {
        "decoder": {
            "backend": "llm",
            "contract_mode": "structured",
            "max_attempts": 1,
            "public_text": {},
            "llm": LLM,
        }
    },
    "user": {"unit": "user", "user": {"id_field": "user", "on_missing_user": "drop"}},
    "charged": {
        "universe": {
            "file": "universe.json",
            "sha256": "d" * 64,
            "provenance": "charged",
            "charge": {"epsilon": "0.5", "delta": "1e-7"},
        }
    },
}
REFUSALS = [row.strip("| ").split(" | ", 3) for row in PAGE.read_text().splitlines() if row.startswith("| `")]


@pytest.mark.parametrize(("field", "written", "setting", "answer"), REFUSALS)
def test_the_page_lists_what_is_answered(field, written, setting, answer):
    tree = YAML(typ="safe").load(embedded.files()["deployment.yaml"]) | copy.deepcopy(WITH[setting.strip()])
    path = tuple(int(step) if step.isdecimal() else step for step in field.strip("`").split("."))
    put(tree, path, json.loads(written.strip("`")))
    with pytest.raises(UsageError) as refusal:
        deployment.load(json.dumps(tree).encode(), "deployment.yaml")
    assert str(refusal.value) == f"deployment.yaml: {answer}"


def test_the_page_has_every_group_of_fields(tree):
    assert {row[0].strip("`").split(".")[0] for row in REFUSALS} >= set(tree) - {"name"}
