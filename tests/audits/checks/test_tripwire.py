"""The tripwire bites: each planted writer does one thing that none may do, or one that any may."""

from itertools import islice

import pytest

from dpspin import pipeline
from dpspin.corpus import embedded
from dpspin.curator.noise import SeededBits
from dpspin.errors import SubjectError
from dpspin_audits.checks import tripwire


@pytest.fixture(scope="module")
def plan():
    known = embedded.files()
    setting = pipeline.load(known["deployment.yaml"], "d", known.__getitem__)
    return pipeline.release(setting, islice(embedded.corpus(), 50), SeededBits(b"t"), None).bundle["plan.json"]


@pytest.fixture
def planted(tmp_path):
    """A writer with a body, as a module of its own; what it reads lies beside it."""
    (tmp_path / "notes.txt").write_text("seen")

    def plant(body, before=""):
        lines = [f"HERE = {str(tmp_path)!r}", before, "def decoder(prompt, attempts):"]
        (tmp_path / "planted.py").write_text("\n".join([*lines, *(f"    {line}" for line in body.splitlines())]) + "\n")
        return "planted:decoder", (tmp_path,)

    return plant


BAD = {
    "opens a file": ("return open(HERE + '/notes.txt').read()", "", "open"),
    "opens a file when imported": ("return TEXT", "TEXT = open(HERE + '/notes.txt').read()", "open"),
    "opens a file by descriptor": ("import os\nreturn str(os.open(HERE + '/notes.txt', os.O_RDONLY))", "", "open"),
    "writes a file": ("open(HERE + '/planted.pyc', 'w').close()\nreturn 'x'", "", "open"),
    "writes by descriptor": (
        "import os\nos.close(os.open(HERE + '/planted.pyc', os.O_WRONLY | os.O_CREAT))\nreturn 'x'", "", "open"
    ),
    "hides its error": (
        "try:\n    open(HERE + '/notes.txt')\nexcept BaseException:\n    pass\nreturn 'x'", "", "open"
    ),
    "reads the embedded corpus's weights": (
        "from importlib.resources import files\n"
        "return (files('dpspin') / 'deployments/synthetic-complaints/weights.json').read_text()[:9]", "", "open",
    ),
    "lists a folder": ("import os\nreturn str(os.listdir('/'))", "", "os.listdir"),
    "imports the curator": ("return 'x'", "import dpspin.curator.noise", "import"),
    "imports the corpus late": ("import dpspin.corpus.synthetic\nreturn 'x'", "", "import"),
    "imports the accounting": ("from dpspin.accounting import ledger\nreturn 'x'", "", "import"),
    "opens a socket": ("import socket\nsocket.socket().close()\nreturn 'x'", "", "socket.__new__"),
    "starts a process": ("import subprocess\nsubprocess.run(['true'])\nreturn 'x'", "", "subprocess.Popen"),
    "runs a shell": ("import os\nos.system('true')\nreturn 'x'", "", "os.system"),
    "removes a file": ("import os\nos.remove(HERE + '/notes.txt')\nreturn 'x'", "", "os.remove"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_planted_breach_is_seen(planted, plan, name):
    body, before, event = BAD[name]
    writer, more = planted(body, before)
    assert event in {breach.event for breach in tripwire.watch(writer, plan, more=more).breaches}


@pytest.mark.parametrize("body", [
    "return prompt.task", "print('noise')\nreturn 'x'", "import time\ntime.time()\nreturn 'x'",
    "import os\nreturn str(sorted(set(os.environ) - {'LC_CTYPE'}))", "raise ValueError",
])  # fmt: skip
def test_what_a_writer_may_do_is_no_breach(planted, plan, body):
    writer, more = planted(body)
    found = tripwire.check(writer, plan, more=more)
    assert (found.status, found.figures) == ("pass", {"runs": 2, "breaches": 0}), found


@pytest.mark.parametrize("body", [
    "import time\nreturn str(int(time.time()) // 10**7)", "import time\nreturn str(time.monotonic_ns() // 10**16)",
    "import datetime\nreturn str(datetime.datetime.now().year)", "return str(hash('a'))",
    "import random\nreturn str(random.random())",
])  # fmt: skip
def test_a_clock_or_chance_in_the_text_is_a_finding_where_the_text_is_to_be_fixed(planted, plan, body):
    writer, more = planted(body)
    found = tripwire.check(writer, plan, more=more)
    assert (found.status, found.reason) == ("fail", "two runs wrote different texts")


def test_a_writer_that_uses_chance_may_write_another_text(planted, plan):
    writer, more = planted("import random\nreturn str(random.random())")
    assert tripwire.check(writer, plan, deterministic=False, more=more).status == "pass"


def test_a_breach_makes_the_check_fail_with_what_was_seen(planted, plan):
    writer, more = planted("return open(HERE + '/notes.txt').read()")
    found = tripwire.check(writer, plan, more=more)
    assert (found.id, found.status) == ("tripwire", "fail")
    assert found.reason.startswith("open: ")
    assert "notes.txt" in found.reason


def test_a_package_may_read_its_own_data_and_no_other(tmp_path, plan):
    for name, other in (("mine", "mine"), ("theirs", "mine")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        (folder / "words.txt").write_text("words")
        body = f"def decoder(p, a): return (files('{other}') / 'words.txt').read_text()\n"
        (folder / "writer.py").write_text(f"from importlib.resources import files\n{body}")
    assert tripwire.watch("mine.writer:decoder", plan, more=(tmp_path,)) == (("words",), ())
    assert tripwire.watch("theirs.writer:decoder", plan, more=(tmp_path,)).breaches


def test_an_interpreter_that_ends_early_is_an_error_and_no_pass(planted, plan):
    writer, more = planted("import os\nos._exit(0)")
    with pytest.raises(SubjectError, match="ended without an answer"):
        tripwire.watch(writer, plan, more=more)
    assert tripwire.check(writer, plan, more=more).status == "error"
    assert tripwire.check("planted:nothing", plan, more=more).status == "error"
