"""The least that an audit needs: three requests.  Without `sample`, every run of an audit is a whole release."""

import json
import sys

from subject import Deployment

for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        result = {"protocol": "DPSP/1", "name": "first", "offers": []}
    elif asked["op"] == "configure":
        mine = Deployment(asked["deployment"], asked["files"])  # yours
        result = {"claim": mine.claim()}
    elif asked["op"] == "release":
        result = {"files": mine.release(asked["records"])}
    else:
        result = {}
    print(json.dumps({"id": asked["id"], "result": result}), flush=True)  # noqa: T201 - the answer
