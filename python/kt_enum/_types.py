"""What calls return: plain data, which can be compared and pickled."""

from collections import namedtuple
from collections.abc import Sequence

from ._given import digits
from ._kt_enum import run, unpacked


class Count(
    namedtuple(
        "Count",
        "directed undirected classes units units_resumed engine fingerprint elapsed question text",
    )
):
    """The number of tours of a question, exactly.

    >>> count = kt_enum.count(6, tours="closed", classes=True)
    >>> count.undirected, count.directed, count.classes
    (9862, 19724, 1245)
    >>> int(count)
    9862

    `directed` counts sequences of squares, `undirected` counts a tour and its reverse once.
    `fingerprint` digests the counts of all `units` of work: it is the same for any number of threads,
    shards and resumes. `elapsed` are seconds, and `text` is the file of units that `kt-enum audit` and
    `kt-enum report` read.
    """

    def __int__(self):
        return self.undirected if self.question.startswith("closed") else self.directed

    def __repr__(self):
        directed, undirected = digits(self.directed), digits(self.undirected)
        return f"<{self.question}: directed={directed}, undirected={undirected}>"


class Shard(namedtuple("Shard", "index of question text")):
    """One of the shards of a count. It can be pickled, and `run` counts it anywhere."""

    def run(self, **options):
        """Count the shard, and return the part of the count.

        >>> parts = [shard.run(threads=1) for shard in kt_enum.shards(4, 6, tours="closed")]
        >>> kt_enum.merge(parts).undirected
        9862

        `threads`, `memory`, `disk`, `max_time`, `checkpoint`, `fresh`, `checkpoint_interval` and
        `progress` are those of `count`. Processes that share a machine share its cores: give each its
        number of threads.
        """
        return run(self.text, **options)

    def __repr__(self):
        return f"<shard {self.index} of {self.of} of the {self.question}>"


class Part(namedtuple("Part", "index of directed elapsed text")):
    """The counted units of a shard. It can be pickled; `merge` makes a count of all parts.

    `text` is the file that `kt-enum shard` writes: named `part-I-of-N`, `kt-enum merge` reads it.
    """

    def __repr__(self):
        return f"<part {self.index} of {self.of}: directed={digits(self.directed)}>"


class Solved(namedtuple("Solved", "verdict solutions reason complete")):
    """The answer to a puzzle: its verdict, some solutions, the reason why there is none, and whether
    the solutions are all."""


class TourList(Sequence):
    """Many tours of one board in little memory: a sequence, which makes a tour when it is asked for."""

    def __init__(self, board, is_cycle, size, portion, portions):
        self._of = board, is_cycle
        self._size, self._portion, self._portions = size, portion, portions

    def __len__(self):
        return sum(map(len, self._portions)) // self._size

    def __getitem__(self, place):
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        portion, place = divmod(range(len(self))[place], self._portion)
        begin = place * self._size
        return unpacked(*self._of, self._portions[portion][begin : begin + self._size])

    def __eq__(self, other):
        return vars(self) == vars(other) if isinstance(other, TourList) else NotImplemented

    __hash__ = None

    def __repr__(self):
        return f"<{len(self)} tours of {self._of[0]}>"
