"""The watched side, in this process where it leaves no trace, else in one of its own."""

import datetime
import json
import subprocess
import sys
import time

from dpspin_audits.running import watched

HOOK = """
import sys
sys.path[:] = {path!r}
from dpspin_audits.running import watched
watched.KEPT = {kept}
events = []
watched.watch(events)
for name in ("open", "import", "os.anything", "exec", "compile"):
    sys.audit(name, "what", b"bytes", 3, "cut")
seen = [event for event in events if "what" in event or len(event) == 1]
import json
print(json.dumps(seen))
"""


def run(kept):
    source = HOOK.format(path=sys.path, kept=kept)
    return json.loads(subprocess.run([sys.executable, "-c", source], capture_output=True, check=True).stdout)


def test_events_that_reach_beyond_the_process_are_kept_with_what_they_are_about():
    assert run(100)[:3] == [[name, "what", "bytes", "3"] for name in ("open", "import", "os.anything")]


def test_too_many_events_are_an_event():
    assert run(2) == [["open", "what", "bytes", "3"], ["import", "what", "bytes", "3"], ["too many events"]]


def test_clocks_are_moved(monkeypatch):
    for name in ("time", "monotonic", "perf_counter", "time_ns", "monotonic_ns", "perf_counter_ns"):
        monkeypatch.setattr(time, name, getattr(time, name))
    monkeypatch.setattr(datetime, "datetime", datetime.datetime)
    before, own = time.time(), datetime.datetime.now()
    watched.shift(10**6)
    assert 0 <= time.time() - before - 10**6 < 1000
    assert abs((datetime.datetime.now() - own).total_seconds() - 10**6) < 1000
    assert time.time_ns() // 10**9 - before > 10**6 - 2


FROZEN = """
import datetime, os, sys, time
sys.path[:] = {path!r}
from dpspin_audits.running import watched
watched.freeze()
before = time.time()
child = os.fork()
if child == 0:
    os._exit(os.getpid() == watched.NUMBER)
print(time.time() > before, time.monotonic_ns() > 10**18, datetime.datetime.now().year, os.waitpid(child, 0)[1])
print(os.getpid(), time.time(), datetime.datetime.utcnow())
"""


def test_frozen_clocks_go_on_alike_in_all_processes_and_a_child_has_its_own_number():
    source = FROZEN.format(path=sys.path)
    runs = [subprocess.run([sys.executable, "-c", source], capture_output=True, check=True).stdout for _ in range(2)]
    assert runs[0] == runs[1]
    assert runs[0].startswith(b"True True 2033 0\n")
