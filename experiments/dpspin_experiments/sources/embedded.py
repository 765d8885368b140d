"""The embedded synthetic complaints as a data set: the one source that is always there, and that may be seeded."""

from dpspin.corpus import synthetic
from dpspin.corpus.dictionary import SEPARATOR
from dpspin_experiments.dataset import Entry
from dpspin_experiments.sources.gathering import Gathered, gather

PLACE = "the embedded corpus"


def read(records: int) -> Gathered:
    """The first so many complaints of invented people."""
    return gather(((_entry(tree), (tree["product"],)) for tree in synthetic.records(records)), PLACE)


def _entry(tree: dict[str, str]) -> Entry:
    label = SEPARATOR.join(part for name in synthetic.LABEL_FIELDS if (part := tree[name]))
    return Entry(tree["id"], tree["user"], tree["text"], label, None)
