"""The watched side, in this process where it leaves no trace, else in one of its own."""

import datetime
import json
import subprocess
import sys
import time

from dpspin_audits import watched

HOOK = """
import sys
sys.path[:] = {path!r}
from dpspin_audits import watched
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
