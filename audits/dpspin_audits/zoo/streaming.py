"""Correct: the corpus is read in several passes, each for the users whose ids fall into one of seven parts.

Style: generators; memory does not grow with the number of users.
Deployment: unit user, mechanism top_l, adjacency replacement.
"""

from collections.abc import Iterator
from zlib import crc32

from dpspin import kernel
from dpspin_audits.subject import Record, Records
from dpspin_audits.zoo.steps import Steps

PASSES = 7


class Streaming(Steps):
    """Trades time for memory."""

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch, part after part."""
        total = [0] * self.width
        for number in range(PASSES):
            held: dict[str, list[int]] = {}
            for key, record in self._part(records, number):
                held[key] = kernel.add([held.get(key, [0] * self.width), self.share(record)], self.width)
            while held:
                total = kernel.absorb(total, held.popitem()[1], self.bound)
        return total

    def _part(self, records: Records, number: int) -> Iterator[tuple[str, Record]]:
        for record in records:
            key = self.unit_key(record)
            if key is not None and crc32(key.encode(errors="surrogatepass")) % PASSES == number:
                yield key, record


subject = Streaming
