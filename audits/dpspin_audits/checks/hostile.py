"""Unusual records: whatever a file of records may hold, and few programs expect."""

from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.subject import Record

LONG = 200_000
TEXTS = {
    "no text at all": "",
    "blank text": " \t\n ",
    "infinity": "inf",
    "not a number": "NaN",
    "a number too large": "-1e999",
    "a very long text": "word " * (LONG // 5),
    "control characters": "\x00\x07\x1b[31m\u202e\ufeff\u2028",
    "characters beyond the first plane": "\U0001f525\U0010fffd",
    "half a character": "\ud800",
    "markup and templates": "<script>{0}%s%n${x}`$(x)`';--\\",
}
IDS = {
    "empty id": "",
    "blank id": " ",
    "an id that looks like a number": "NaN",
    "an id with line ends": "a\r\nb\x00",
    "half a character in an id": "\udfff",
    "a very long id": "9" * LONG,
}


def records(maker: Maker, other: Record, token: str = "") -> dict[str, Record]:
    """Unusual records by name.

    Args:
        maker: knows the names of fields.
        other: a record of the corpus that they will stand in.
        token: stands in every text and id, where that leaves it unusual.
    """
    d = maker.setting.deployment
    name = next(maker.identifiers(f"unusual-{token}"))
    ordinary = maker.record(name, f"{maker.probes.single[0].text} {token}", name)
    found = {name: {**ordinary, d.corpus.text_field: text + token} for name, text in TEXTS.items()}
    found |= {name: {**ordinary, d.corpus.id_field: text + token} for name, text in IDS.items()}
    found["the id of another record"] = {**ordinary, d.corpus.id_field: other[d.corpus.id_field]}
    if d.user is not None:
        found |= {f"{name} of a user": {**ordinary, d.user.id_field: text + token} for name, text in IDS.items()}
    for missing in ordinary:
        found[f"without {missing}"] = {name: text for name, text in ordinary.items() if name != missing}
    return {**found, "a field too many": {**ordinary, "unknown": token}, "no field": {}}
