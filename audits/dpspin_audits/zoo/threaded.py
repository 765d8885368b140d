"""Correct: four threads score records and add to one total each, whoever comes first.

Style: concurrency; integer sums do not depend on the order.
"""

from concurrent.futures import ThreadPoolExecutor

from dpspin import kernel
from dpspin_audits.subject import Record, Records
from dpspin_audits.zoo.steps import Steps

THREADS = 4


class Threaded(Steps):
    """Splits units among workers."""

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch, as the sum of four."""
        units = self.units(records)
        with ThreadPoolExecutor(THREADS) as pool:
            parts = pool.map(self._total, (units[number::THREADS] for number in range(THREADS)))
            return kernel.add(list(parts), self.width)

    def _total(self, units: list[list[Record]]) -> list[int]:
        return kernel.add([self.aggregate(unit) for unit in units], self.width)


subject = Threaded
