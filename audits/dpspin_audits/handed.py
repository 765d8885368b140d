"""Records as they are handed to a subject: copies of its own, looked at again afterwards.

A subject that changes what it is given could make one check see what another one left behind.
"""

from collections.abc import Callable
from typing import TypeVar

from dpspin.errors import SubjectError
from dpspin_audits.subject import Records

Result = TypeVar("Result")


class RecordsChanged(SubjectError):
    """A subject changed the records that it was given."""


def copies(records: Records) -> list[dict[str, str]]:
    """The same records in objects of their own."""
    return [dict(record) for record in records]


def hand(records: Records, what: str, call: Callable[[Records], Result]) -> Result:
    """What a subject returns for records.

    Args:
        records: none of them can be changed by the call.
        what: what is called, for messages.
        call: the subject's.

    Raises:
        SubjectError: when the call raises; nothing of what the records hold is repeated.
        RecordsChanged: when the call changes its records.
    """
    own = copies(records)
    try:
        result = call(own)
    except SubjectError:
        raise
    except (Exception, SystemExit) as error:
        raise SubjectError("the subject", f"{what} raised {type(error).__name__}") from error
    if own != list(records):
        raise RecordsChanged("the subject", f"{what} changed the records that it was given")
    return result
