"""The page: same bytes as the golden file, strict templates, sound structure, no active content, honest words."""

import copy
import os
import re
import tomllib
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
from jinja2 import UndefinedError

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError
from dpspin_audits.evidence import schema
from dpspin_audits.report import model, render, tree
from dpspin_audits.report.tree import EMPTY, NAMES

GOLDEN = Path(__file__).parents[2] / "golden"
REGENERATE = "DPSPIN_REGENERATE=1 python -m pytest tests/audits/report/test_render.py"
BANNED = (
    r"private|passed d[p]|dp-complian[t]|\bsafe|secure\b|anonym|guaranteed|certified release|proves that your code|"
    r"no risk|risk-free|zero leakage|privacy score|\bgrade|\b100\s?%|only ε|almost the same|\bproved by test"
)
PRINTED = ("report.html.j2", "cover.html.j2", "blocks.html.j2", "sections.html.j2", "figures.html.j2", "curve.svg.j2")
"""Templates of reports and figures."""
UNREAD = {  # fields of the schema that this version of the report does not print; those of plan.json are not counted
    "deployment.adjacency", "deployment.exponent",
    "deployment.scale", "deployment.unit", "utility.noise_floor",
    "utility.statements.0.id", "checks.0.figures.tests.0.about", "checks.0.figures.tests.0.event",
    "checks.0.figures.tests.0.event.side", "checks.0.figures.tests.0.event.threshold",
    *(f"checks.0.figures.tests.0.bets.{name}" for name in ("alpha", "runs", "wealth")),
}  # fmt: skip
OPTIONAL = {
    "accounting.curve.pure",
    "accounting.measured.bets.0.reached",
    "checks.0.figures.tests.0.bets",
    "checks.0.figures.tests.0.bets.reached",
    "gate", "plan", "certificates", "exposures", "not_assessed", "proofs", "strengths", "summary", "utility",
    "strengths.exact",
    "strengths.exact.pass",
    "strengths.exact_on_hit",
    "strengths.exact_on_hit.not_run",
    "strengths.exact_on_hit.pass",
    "strengths.statistical",
    "strengths.statistical.pass",
    "checks.0.figures.tests",
    "exposures.0.charge",
    "exposures.0.chain",
    "exposures.0.order",
    "exposures.0.role",
    "exposures.0.text",
}  # fmt: skip


@pytest.mark.parametrize("kind", ["pass", "fail", "gaussian-user"])
def test_the_page_equals_the_golden_file(evidence, kind):
    page, golden = render.render(evidence(kind)), GOLDEN / f"report-{kind}.html"
    if os.environ.get("DPSPIN_REGENERATE"):
        golden.write_text(page, encoding="utf-8")
    assert page == golden.read_text(encoding="utf-8"), f"if the change is meant, run: {REGENERATE}"


def test_bytes_and_tree_give_the_same_page(evidence):
    assert render.render(canonical.dumps(evidence())) == render.render(evidence())
    assert render.render(evidence("fail")) != render.render(evidence())


def test_an_undefined_value_is_an_error():
    with pytest.raises(UndefinedError):
        render.environment().from_string("{{ report.nothing }}").render(report={"title": "x"})


def test_a_report_without_one_of_its_values_cannot_be_printed(evidence):
    report = model.view(tree.opened(evidence()), "0" * 64)
    values = {name: getattr(report, name) for name in report.__slots__}
    page = render.environment().get_template("report.html.j2")
    assert page.render(report=values)
    for name in values.keys() - {"digest", "unit"}:  # for other formats
        with pytest.raises(UndefinedError):
            page.render(report={key: value for key, value in values.items() if key != name})


def paths(node, at=()):
    if isinstance(node, dict):
        for key, item in node.items():
            yield (*at, key)
            yield from paths(item, (*at, key))
    elif isinstance(node, list) and node:
        yield from paths(node[0], (*at, 0))


def refusal(evidence):
    """What the report has against evidence, or None."""
    try:
        model.view(tree.opened(evidence), "0" * 64)
    except UsageError as error:
        return str(error)
    return None


def tolerated_in(whole):
    """Fields without which the report can be made; the others are refused by name."""
    tolerated = set()
    for path in paths(whole):
        parent = partial = copy.deepcopy(whole)
        for key in path[:-1]:
            parent = parent[key]
        del parent[path[-1]]
        message = refusal(partial)
        if message is None:
            tolerated.add(".".join(str(key) for key in path))
        assert message is None or str(path[-1]) in message, path
    return tolerated


def test_evidence_without_a_field_is_refused_by_name(evidence):
    whole = evidence("top-l")
    whole["checks"][5]["location"] = {"file": "release/plan.json", "line": 4}
    tolerated = tolerated_in(whole) & tolerated_in(evidence("gaussian-user"))
    assert {name for name in tolerated if not name.startswith("plan.")} == UNREAD | OPTIONAL
    assert not tolerated & {"plan.released", "plan.bins", "plan.public_denominator", "plan.released.0.noisy_mass"}


def test_another_schema_is_refused(evidence):
    with pytest.raises(UsageError, match="dpspin-evidence/2"):
        render.render(evidence() | {"schema": "dpspin-evidence/2"})


class Page(HTMLParser):
    """Elements in order, with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.elements = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def all(self, *tags):
        return [attributes for tag, attributes in self.elements if tag in tags]


def lost(found):
    """References within a page that lead nowhere, and ids that stand twice."""
    ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    links = [attributes.get("href", "") for _, attributes in found.elements]
    named = [name for _, attributes in found.elements for name in attributes.get("aria-labelledby", "").split()]
    return [
        *(f"id {id_} stands twice" for id_ in set(ids) if ids.count(id_) > 1),
        *(f"link to {link} leads nowhere" for link in links if link.startswith("#") and link[1:] not in ids),
        *(f"label {name} does not exist" for name in named if name not in ids),
    ]


def misshapen(page):
    """Drawings without words and tables without heads."""
    for drawing in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        if (
            'role="img"' in drawing
            and not re.search(r'class="g"[^>]*aria-label="\w', drawing)
            and not re.search(r"<title id=.*?>.+</title><desc id=.*?>.+</desc>", drawing)
        ):
            yield "drawing without title and description"
        if 'role="img"' not in drawing and 'aria-hidden="true"' not in drawing:
            yield "drawing without a role"
    for table in re.findall(r"<table.*?</table>", page, re.DOTALL):
        if "<caption" not in table or 'scope="row"' not in table or re.search(r"<th(?![^>]*scope=)[\s>]", table):
            yield "table without caption or scope"


def problems(page):
    """What is wrong with the structure of a page."""
    found = Page(page)
    levels = [int(tag[1]) for tag, _ in found.elements if re.fullmatch("h[1-6]", tag)]
    ordered = levels[0] == 1 and levels.count(1) == 1 and all(b <= a + 1 for a, b in pairwise(levels))
    return [*lost(found), *misshapen(page), *([] if ordered else ["headings out of order"])]


def active(page):
    """What in a page could run or load."""
    found = Page(page)
    wrong = [tag for tag, _ in found.elements if tag in ("script", "iframe", "object", "embed", "img", "form", "base")]
    for tag, attributes in found.elements:
        wrong += [
            f"{tag} {name}" for name in attributes if name.startswith("on") or name in ("src", "srcset", "action")
        ]
        if "href" in attributes and not attributes["href"].startswith(("#", "data:,")):
            wrong.append(f"{tag} to {attributes['href']}")
    wrong += re.findall(r"@import|url\((?!#)", page)
    if found.all("meta")[1].get("http-equiv") != "Content-Security-Policy" or "default-src 'none'" not in page:
        wrong.append("no content security policy")
    return wrong


def test_every_page_is_well_structured(any_evidence):
    assert problems(render.render(any_evidence)) == []


def test_no_page_can_run_or_load_anything(any_evidence):
    assert active(render.render(any_evidence)) == []


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('id="claim"', 'id="checks"', "twice"),
        ('href="#gaps"', 'href="#gap"', "nowhere"),
        ("<h1>", "<h3>", "headings"),
        ("<desc", "<p", "without title"),
        ("<caption", "<p", "caption"),
        ('<th scope="col">', "<th>", "scope"),
    ],
)
def test_the_structure_check_sees_a_planted_fault(evidence, old, new, word):
    page = render.render(evidence())
    assert old in page
    assert any(word in line for line in problems(page.replace(old, new)))


@pytest.mark.parametrize(
    "fault",
    [
        '<img src="https://example.org/x.png">',
        "<script>1</script>",
        '<a href="https://example.org">',
        '<p onclick="">',
        '<p style="background:url(x)">',
    ],
)
def test_the_content_check_sees_a_planted_fault(evidence, fault):
    assert active(render.render(evidence()).replace("<main>", "<main>" + fault))


def visible(page):
    """The words of a page, without the stamp and the mechanism's id, which may hold a banned word.

    Texts of the transcript are others' words, shown as they came; they are left out.
    """
    own = re.sub(r'<details class="seen">.*?</details>', " ", page, flags=re.DOTALL)
    text = re.sub(r"<style.*?</style>|<[^>]*>", " ", own, flags=re.DOTALL)
    return re.sub(r"NON-PRIVATE|private_top_l", "", text)


def banned(words):
    """Phrases that no report says."""
    return re.findall(BANNED, words, re.IGNORECASE)


def strings(tree):
    """Every text of a data file."""
    if isinstance(tree, dict):
        return [text for value in tree.values() for text in strings(value)]
    return [text for value in tree for text in strings(value)] if isinstance(tree, list) else [str(tree)]


def data_texts():
    """What stands in the data files that a report prints, or that explain its checks."""
    report = [files("dpspin_audits.report").joinpath(f"{name}.toml") for name in ("hazards", "registry", "terms")]
    explained = files("dpspin_audits.checks").joinpath("explanations.toml")
    return {file.name: "\n".join(strings(tomllib.loads(file.read_text("utf-8")))) for file in (*report, explained)}


def template_texts():
    """What stands in the templates, whether a page prints it or not."""
    found = (file for file in files("dpspin_templates").iterdir() if file.name in PRINTED)
    return {file.name: re.sub(r"{[{%#].*?[#%}]}|<[^>]*>", " ", file.read_text("utf-8")) for file in found}


def test_no_banned_word_stands_in_a_report(any_evidence):
    assert banned(visible(render.render(any_evidence))) == []


def test_no_banned_word_stands_in_a_data_file_or_template():
    read = data_texts() | template_texts()
    assert read.keys() == {"hazards.toml", "registry.toml", "terms.toml", "explanations.toml", *PRINTED}
    assert all(len(words) > 40 for words in read.values())
    assert {name: found for name, words in read.items() if (found := banned(words.replace("private_top_l", "")))} == {}


@pytest.mark.parametrize(
    "phrase",
    [
        "privately made",
        "a safe release",
        "100 % exact",
        "risk-free",
        "it is anonymous",
        "guaranteed to hold",
        "only ε 1",
    ],
)
def test_the_wording_check_sees_a_planted_phrase(evidence, phrase):
    page = render.render(evidence())
    assert banned(visible(page.replace("<main>", f"<main><p>{phrase}</p>")))
    assert banned(f"{data_texts()['hazards.toml']} {phrase}")


def test_words_of_others_in_the_transcript_are_not_the_reports(evidence):
    tree = evidence()
    tree["exposures"][4] |= {"text": "a private draft", "sha256": canonical.digest(b"a private draft")}
    page = render.render(tree)
    assert "a private draft" in page
    assert banned(visible(page)) == []


def test_a_text_of_another_digest_is_refused(evidence):
    tree = evidence()
    tree["exposures"][4]["text"] += "x"
    with pytest.raises(IntegrityError, match=r"exposures\[4\]: text"):
        render.render(tree)


@pytest.mark.parametrize("section", sorted(EMPTY))
def test_a_missing_section_is_not_assessed(evidence, section):
    tree = evidence("gaussian-user")
    del tree[section]
    page = render.render(tree)
    assert problems(page) == []
    assert ("the evidence has no such section" in page.lower()) == (section in NAMES)
    assert "the evidence has no such section" not in render.render(evidence("gaussian-user")).lower()


def large(evidence, atoms=200, attempts=50):
    """Evidence of a plan of many themes, whose writer was told the plan and all its drafts again each time."""
    tree = evidence()
    labels = [f"Product {at} / issue number {at} / a sub-issue of it" for at in range(atoms)]
    row = tree["plan"]["released"][0]
    tree["plan"]["released"] = [row | {"index": at, "rank": at + 1, "label": name} for at, name in enumerate(labels)]
    tree["deployment"] |= {"universe_size": atoms, "plan_size": atoms, "max_attempts": attempts}
    lines = [f"- {name}: noisy mass {at}.25, normalised support 0.{at:03}, low bin" for at, name in enumerate(labels)]
    tree["summary"] = [{"sentence": line, "supported": True, "claims": ["mass 1.25; low bin"]} for line in lines]
    told, found = "\n".join(labels), tree["exposures"][:3]
    for number in range(1, attempts + 1):
        turn = number % 7
        draft = "\n".join([*lines[turn:], f"Attempt {number} says that {number} complaints rose.", *lines[:turn]])
        reason = {"step": 6, "rule": '"&<>"', "claim": None, "found": f"{number} rose"}
        reasons = canonical.dumps({"violations": [] if number == attempts else [reason] * 9}).decode()
        for name, text in (("prompt", told), ("draft", draft), ("feedback", reasons)):
            digest = canonical.digest(text.encode())
            same = {"role": "post-processing", "charge": "0002", "chain": digest, "sha256": digest, "bytes": len(text)}
            found.append(same | {"order": len(found) + 1, "name": f"{name}-{number}", "text": text})
        told += f"\n{draft}\n{reasons}"
    return tree | {"exposures": found}


def test_a_report_of_many_themes_and_attempts_stays_small(evidence):
    tree = large(evidence)
    page = render.render(tree)
    assert len(page.encode()) < 2_000_000
    assert page.count('<details class="seen">') == 150
    assert problems(page) == []
    told = sum(len(row["text"]) for row in tree["exposures"] if row["text"])
    assert told > 10_000_000  # what the writer got and gave, had it been repeated


def test_hostile_names_are_shown_and_not_obeyed(evidence):
    page = render.render(evidence("fail"))
    assert "<script" not in page
    assert "<b>exe" not in page
    assert "\u202e" not in page
    assert '<span class="ctl">U+202E</span>' in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert page.count("<bdi>") == page.count("</bdi>") > 10


def test_invented_evidence_keeps_to_the_published_schema(any_evidence):
    validator = jsonschema.validators.validator_for(schema())(schema())
    assert list(validator.iter_errors(any_evidence)) == []
    assert list(validator.iter_errors(any_evidence | {"verdict": "great"}))


def test_a_sign_without_a_word_beside_it_is_said(evidence):
    page = render.render(evidence("fail"))
    cover = page.partition("</header>")[0]
    contents = page.partition("<nav")[2].partition("</nav>")[0]
    assert 'role="img" aria-label="pass"' in cover
    assert 'role="img" aria-label="inconclusive"' in cover
    assert 'role="img" aria-label="fail"' in contents
    assert 'aria-hidden="true"' not in contents


def test_nothing_is_said_about_signatures_that_evidence_cannot_know(evidence):
    assert "not signed" not in render.render(evidence())
