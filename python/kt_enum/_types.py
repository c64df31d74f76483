"""What calls return: plain data, which can be compared and pickled."""

from collections import namedtuple
from collections.abc import Sequence
from html import escape

from ._given import again, digits
from ._keywords import public
from ._kt_enum import Cancelled, Puzzle, Site as Site, Tour, Tours, Undecided, __version__, run as run_text, unpacked


# Returns a page with the pictures of some tours, and how many there are.
def grid(tours, words="", most=12):
    if len(tours) > most:
        words += f" {most} of {len(tours)} tours"
    cell = '<div style="width:11em">'
    cells = "".join(f"{cell}{tour._repr_svg_() or escape(str(tour))}</div>" for tour in tours[:most])
    return f'<div>{escape(words)}</div><div style="display:flex;flex-wrap:wrap;gap:1em">{cells}</div>'


class Count(int):
    """The number of tours of a question, exactly: a whole number of any size, with more about it.

    >>> count = kt_enum.count(6, tours="closed", classes=True)
    >>> count == 9862, count.undirected, count.directed, count.classes
    (True, 9862, 19724, 1245)

    The number is that of the tables: `directed` for open tours, which counts sequences of squares, and
    `undirected` for closed ones, which counts a tour and its reverse once. `fingerprint` digests the
    counts of all `units` of work: it is the same for any number of threads, shards and resumes.
    `elapsed` are seconds, and `text` is the file of units that `kt-enum audit` and `report` read.
    """

    def __new__(cls, fields):
        is_closed = fields["question"].startswith("closed")
        count = super().__new__(cls, fields["undirected" if is_closed else "directed"])
        vars(count).update(fields)
        return count

    def __reduce__(self):
        return Count, (vars(self),)

    def __str__(self):
        return digits(self)

    def __repr__(self):
        directed, undirected = digits(self.directed), digits(self.undirected)
        return f"<{self.question}: {directed} directed, {undirected} undirected>"


# Returns the count of what the library has counted.
def counted(*values):
    names = "directed undirected classes units units_resumed engine fingerprint elapsed question text"
    return Count(dict(zip(names.split(), sum(values, ()))))


class Shard(namedtuple("Shard", "index of question forecast text")):
    """One of the shards of a count. It can be pickled, and `run` counts it anywhere.

    `forecast` are the seconds of one thread that it is expected to take where nothing is prepared,
    or None where they are not known.
    """

    def run(self, **options):
        return run_text(self.text, **options)

    run = public("run", run)

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

    def __init__(self, site, is_cycle, squares, width, numbers):
        self._of, self._shape, self._numbers = (site, is_cycle), (squares, width), numbers

    def __len__(self):
        return len(self._numbers) // (self._shape[0] * self._shape[1])

    def __getitem__(self, place):
        size = self._shape[0] * self._shape[1]
        if isinstance(place, slice):
            places = [one * size for one in range(*place.indices(len(self)))]
            numbers = b"".join(self._numbers[one : one + size] for one in places)
            return TourList(*self._of, *self._shape, numbers)
        place = range(len(self))[place] * size
        return unpacked(*self._of, self._numbers[place : place + size])

    def __eq__(self, other):
        return vars(self) == vars(other) if isinstance(other, TourList) else NotImplemented

    def __array__(self, dtype=None, copy=None):
        import numpy

        if copy is False:
            raise ValueError("the numbers of tours are always copied")
        squares, width = self._shape
        numbers = numpy.frombuffer(self._numbers, numpy.uint8).reshape(-1, squares, width)
        # The lowest byte of a number comes first.
        numbers = sum(numbers[..., byte].astype(numpy.int64) << 8 * byte for byte in range(width))
        return numbers.astype(dtype or numpy.int64)

    def squares(self):
        """Return the rows and the columns of the squares, from 0, as an array of numpy: k x n x 2."""
        import numpy

        numbers, places = numpy.asarray(self), numpy.empty((self._shape[0], 2), numpy.int64)
        for tour in self[:1]:
            places[numbers[0]] = tour.squares
        return places[numbers]

    def _repr_html_(self):
        return grid(self)

    def __repr__(self):
        return f"<{len(self)} tours of {self._of[0]!r}>"


for kept in (Count, Part, Shard, Solved, TourList, again, unpacked):
    kept.__module__ = "kt_enum"
