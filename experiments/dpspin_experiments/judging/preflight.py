"""What can be found out about a judge's server before the first question: clear complaints instead of silence.

A release never does this: there, whatever a server does ends in one constant message.  An evaluation is no release.
"""

import json
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from dpspin.decoder.endpoint import Endpoint
from dpspin.errors import UsageError

PATIENCE = 10.0
"""Seconds to connect and to list models."""
MOST = 2**20
"""Bytes of a list of models that are read."""
SHOWN, LONGEST = 5, 60
"""Names of models in a complaint, and characters of one."""


def check(endpoint: Endpoint) -> None:
    """Refuse a server that cannot be reached, refuses the key, or lists other models.

    Behind a proxy nothing is tried, and a server without a list of models is not refused for that.

    Raises:
        UsageError: saying which of these it was.
    """
    endpoint.check()
    parts = urlsplit(endpoint.base_url)
    if {parts.scheme, "all"} & set(getproxies()):
        return
    status, data = _listed(endpoint)
    if status in {401, 403}:
        raise UsageError(
            f"--endpoint {endpoint.base_url}", f"the server answers {status}: it does not accept the key",
            f"set {endpoint.key_variable or 'the variable of --key-variable'} to a key of this server",
        )  # fmt: skip
    names = _names(data) if status == 200 else None
    if names and endpoint.model not in names:
        shown = [name[:LONGEST] for name in sorted(names) if not endpoint.repeats_key(name)][:SHOWN]
        more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
        raise UsageError(
            f"--model {endpoint.model}", f"the server has {', '.join(shown) or 'others'}{more}", "name one of them"
        )


def _listed(endpoint: Endpoint) -> tuple[int, bytes]:
    """Status and body of the list of models; no redirect is followed, since the key would go with it."""
    parts, key = urlsplit(endpoint.base_url), endpoint.key()
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=PATIENCE)
    try:
        connection.connect()
    except OSError as error:
        raise UsageError(
            f"--endpoint {endpoint.base_url}", f"cannot be reached ({error.strerror or type(error).__name__})",
            "start the server or correct the address",
        ) from error  # fmt: skip
    try:
        headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        connection.request("GET", f"{parts.path.rstrip('/')}/models", headers=headers)
        response = connection.getresponse()
        return response.status, response.read(MOST)
    except (OSError, HTTPException):
        return 0, b""
    finally:
        connection.close()


def _names(data: bytes) -> set[str] | None:
    """Ids of the models in a list; None where it is not in the usual form."""
    try:
        rows: Any = json.loads(data)["data"]
        return {str(row["id"]) for row in rows}
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
