"""Correct: shares go into a table, and a query groups, clips and adds them in whole numbers.

Style: SQL, whose integer division rounds down.
Deployment: unit user, missing own_unit.
"""

import sqlite3
from contextlib import closing

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps

QUERY = """
    WITH totals AS (SELECT unit, SUM(share) AS total FROM shares GROUP BY unit),
         users AS (SELECT unit, atom, SUM(share) AS mass FROM shares GROUP BY unit, atom)
    SELECT atom, SUM(CASE WHEN total > :bound THEN mass * :bound / total ELSE mass END)
    FROM users JOIN totals USING (unit) GROUP BY atom
"""


class InSql(Steps):
    """A data warehouse in memory; ids are bytes, so that nothing is folded."""

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch."""
        with closing(sqlite3.connect(":memory:")) as base:
            base.execute("CREATE TABLE shares (unit BLOB, atom INTEGER, share INTEGER)")
            for record in records:
                key = self.unit_key(record)
                if key is not None:
                    unit = key.encode(errors="surrogatepass")
                    rows = [(unit, atom, share) for atom, share in enumerate(self.share(record))]
                    base.executemany("INSERT INTO shares VALUES (?, ?, ?)", rows)
            masses = dict(base.execute(QUERY, {"bound": self.bound}))
        return [masses.get(atom, 0) for atom in range(self.width)]


subject = InSql
