"""What calls return: plain data, which can be compared and pickled."""

from collections import namedtuple
from collections.abc import Sequence

from ._given import digits
from ._keywords import words
from ._kt_enum import guarded, run, unpacked
from ._pictures import grid


class Count(int):
    """The number of tours of a question, exactly: a whole number of any size, with more about it.

    >>> count = kt_enum.count(6, tours="closed", classes=True)
    >>> count == 9862, count + 1, f"{count:,}"
    (True, 9863, '9,862')
    >>> count.undirected, count.directed, count.classes
    (9862, 19724, 1245)

    The number is that of the tables: `directed` for open tours and `undirected` for closed ones.
    `directed` counts sequences of squares, `undirected` counts a tour and its reverse once.
    `fingerprint` digests the counts of all `units` of work: it is the same for any number of threads,
    shards and resumes. `elapsed` are seconds, and `text` is the file of units that `kt-enum audit` and
    `kt-enum report` read.
    """

    _FIELDS = "directed undirected classes units units_resumed engine fingerprint elapsed question text"

    def __new__(cls, is_closed, *fields):
        """Make the count of closed tours, or of open ones, with all its fields."""
        count = super().__new__(cls, fields[1] if is_closed else fields[0])
        vars(count).update(zip(cls._FIELDS.split(), fields))
        return count

    def __getnewargs__(self):
        return self.question.startswith("closed"), *map(vars(self).get, self._FIELDS.split())

    def __str__(self):
        return digits(self)

    def __repr__(self):
        directed, undirected = digits(self.directed), digits(self.undirected)
        return f"<{self.question}: {directed} directed, {undirected} undirected>"


class Shard(namedtuple("Shard", "index of question forecast text")):
    """One of the shards of a count. It can be pickled, and `run` counts it anywhere.

    `forecast` are the seconds of one thread that it is expected to take at most, or None.
    """

    def run(
        self, *, prepared=None, threads=None, memory=None, disk=None, max_time=None, checkpoint=None,
        fresh=False, checkpoint_interval=30, progress=None, cancel=None,
    ):
        """Count the shard, and return the part of the count.

        >>> parts = [shard.run(threads=1) for shard in kt_enum.shards(6, tours="closed", of=4)]
        >>> kt_enum.merge(parts) == 9862
        True

        Processes that share a machine share its cores: give each its number of threads.
        """
        options = {name: value for name, value in locals().items() if name != "self"}
        return guarded(run, self.text, **options)

    run.__doc__ = words("run", run.__doc__)

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
    the solutions are all. Notebooks draw up to 12 solutions."""

    def _repr_html_(self):
        return grid(self.solutions, self.verdict)


class TourList(Sequence):
    """Many tours of one board in little memory: a sequence, which makes a tour when it is asked for.

    >>> tours = kt_enum.random(6, tours="closed", count=1000, seed=1)
    >>> len(tours), tours[0] == kt_enum.random(6, tours="closed", seed=1)
    (1000, True)

    Notebooks draw up to 12 of them. `numpy.asarray` makes an array with a row for each tour: the
    numbers of its squares, from 0, in the order of the tour. On a board without holes, the square in
    row r and column c has the number r * cols + c.
    """

    def __init__(self, site, is_cycle, squares, width, portion, portions):
        self._of, self._shape = (site, is_cycle), (squares, width)
        self._portion, self._portions = portion, portions

    def __len__(self):
        return sum(map(len, self._portions)) // (self._shape[0] * self._shape[1])

    def __getitem__(self, place):
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        portion, place = divmod(range(len(self))[place], self._portion)
        size = self._shape[0] * self._shape[1]
        return unpacked(*self._of, self._portions[portion][place * size : (place + 1) * size])

    def __eq__(self, other):
        return vars(self) == vars(other) if isinstance(other, TourList) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype=None, copy=None):
        import numpy

        squares, width = self._shape
        numbers = numpy.frombuffer(b"".join(self._portions), numpy.uint8).reshape(-1, squares, width)
        # The lowest byte of a number comes first.
        numbers = sum(numbers[..., byte].astype(numpy.int64) << 8 * byte for byte in range(width))
        return numbers.astype(dtype or numpy.int64)

    def squares(self):
        """Return the rows and the columns of the squares, from 0, as an array of numpy: k x n x 2."""
        import numpy

        numbers = numpy.asarray(self)
        if not len(self):
            return numpy.empty((0, self._shape[0], 2), numpy.int64)
        places = numpy.empty((self._shape[0], 2), numpy.int64)
        places[numbers[0]] = self[0].squares
        return places[numbers]

    def _repr_html_(self):
        return grid(self)

    def __repr__(self):
        return f"<{len(self)} tours of {self._of[0]!r}>"
