# Written by scripts/python-reference.
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from os import PathLike
from typing import Any, Literal, NamedTuple, Protocol, SupportsIndex, Union, final, overload

from typing_extensions import Self, TypeAlias

__all__ = [
    "__version__",
    "Cancelled",
    "Count",
    "Part",
    "Puzzle",
    "Shard",
    "Solved",
    "Tour",
    "TourList",
    "Tours",
    "Undecided",
    "check",
    "count",
    "estimate",
    "find",
    "hint",
    "is_unique",
    "merge",
    "nth",
    "prepare",
    "puzzle",
    "random",
    "rank",
    "read",
    "shards",
    "solve",
    "tours",
]

__version__: str

_Size: TypeAlias = Union[SupportsIndex, str, Sequence[SupportsIndex], None]
_Square: TypeAlias = Union[str, tuple[SupportsIndex, SupportsIndex]]
_Path: TypeAlias = Union[str, PathLike[str]]
_Text: TypeAlias = Union[str, PathLike[str]]
_Squares: TypeAlias = Union[_Text, Tour, Iterable[Any]]
_Given: TypeAlias = Union[Puzzle, _Text, Mapping[int, Any], Iterable[Iterable[object]]]
_Time: TypeAlias = Union[float, timedelta, None]
_Bytes: TypeAlias = Union[SupportsIndex, str, None]
_Progress: TypeAlias = Union[bool, Callable[[dict[str, Any]], object], None]
_Kind: TypeAlias = Literal["open", "closed"]

class _Event(Protocol):
    def is_set(self) -> bool: ...

class Undecided(Exception):
    """A limit came before there was an answer."""

class Cancelled(Undecided):
    """`cancel` was set before there was an answer."""

@final
class Tour:
    """A tour: every square of its board once, each a move from the last.

    >>> tour = kt_enum.Tour("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
    >>> tour.squares[:2], tour.names[:2], tour.closed
    ([(0, 0), (1, 2)], ['a1', 'c2'], False)
    >>> print(tour.grid(), end="")
     3  6  9 12
     8 11  2  5
     1  4  7 10

    It is made from a text in any usual form, or from squares: names, or rows and columns from 0.
    An array of numpy is read as `array` writes it. `ValueError` says what is wrong with squares
    that are no tour. Notebooks draw it.

    Arguments:
        squares: A text, a path, squares, an array of numpy, or a tour.
        size: The board: 8, "6x8" or (6, 8), rows first.
        cycle: True for a tour that is meant as a cycle. Default: wherever a move joins its ends.
        blank: Signs that are squares to fill, such as "X0". Default: those of the text.
        hole: Signs that are holes, such as "X0". Default: those of the text.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
    """
    def __new__(
        cls,
        squares: _Squares,
        size: _Size = None,
        *,
        cycle: bool | None = None,
        blank: str | None = None,
        hole: str | None = None,
        rows: SupportsIndex | None = None,
        cols: SupportsIndex | None = None,
        board: _Text | Iterable[str] | None = None,
        graph: Any = None,
        graph_format: str | None = None,
        piece: str | Iterable[Any] | None = None,
        wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
        without: str | Iterable[_Square] | None = None,
    ) -> Self: ...
    @property
    def squares(self) -> list[tuple[int, int]]:
        """The squares in order, as rows and columns from 0."""
    @property
    def names(self) -> list[Any]:
        """The names of the squares in order. Vertices of a graph are the objects that were given."""
    @property
    def closed(self) -> bool:
        """True if a move leads from the last square to the first."""
    @property
    def board(self) -> str:
        """The description of the board."""
    def same_cycle(self, other: Tour) -> bool:
        """True if the other tour goes through the same moves, wherever each begins and whichever way
        it goes. Both have to be closed.
        """
    def to_networkx(self) -> Any:
        """The tour as a graph of networkx: the names of its squares, joined by its moves."""
    def grid(self) -> str:
        """The board with the number of each square, the top row first."""
    def array(self) -> Any:
        """The numbers of the squares as an array of numpy, by row and column from a1; 0 for a hole."""
    def svg(
        self,
        *,
        numbers: bool = False,
        title: str | None = None,
        pos: Mapping[Any, Any] | None = None,
    ) -> str:
        """The tour as an SVG picture: with `numbers` on the squares, and a `title`. The vertices of a
        graph are on a circle, or on the places that `pos` has for them, as networkx has it.
        """
    def _repr_svg_(self) -> str | None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> Any: ...
    @overload
    def __getitem__(self, key: slice, /) -> list[Any]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> Any: ...

@final
class Tours(Iterator[Tour]):
    """An iterator of tours.

    The search is a cursor that moves on when a tour is asked for, so that breaking off leaves
    nothing behind: no thread and no memory.
    """
    def __iter__(self) -> Self: ...
    def __next__(self) -> Tour: ...

class TourList(Sequence[Tour]):
    """Many tours of one board in little memory: a sequence, which makes a tour when it is asked for.

    >>> tours = kt_enum.random(6, tours="closed", count=1000, seed=1)
    >>> len(tours), tours[0] == kt_enum.random(6, tours="closed", seed=1)
    (1000, True)

    Notebooks draw up to 12 of them. `numpy.asarray` makes an array with a row for each tour: the
    numbers of its squares, from 0, in the order of the tour. On a board without holes, the square in
    row r and column c has the number r * cols + c.
    """
    def __init__(
        self, site: Any, is_cycle: bool, squares: int, width: int, numbers: bytes
    ) -> None: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: int) -> Tour: ...
    @overload
    def __getitem__(self, place: slice) -> TourList: ...
    def __eq__(self, other: object) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any: ...
    def squares(self) -> Any:
        """Return the rows and the columns of the squares, from 0, as an array of numpy: k x n x 2."""
    def _repr_html_(self) -> str: ...

@final
class Puzzle:
    """A puzzle: a board with some steps given.

    >>> puzzle = kt_enum.Puzzle("3 . . 12\\n. . . .\\n1 . . .")
    >>> puzzle.clues
    {1: 'a1', 3: 'a3', 12: 'd3'}
    >>> kt_enum.is_unique(puzzle)
    True

    It is made from a text in any usual form, from rows of numbers with None or "." on the squares
    to fill, or from a dictionary of steps and squares if the board is given. Notebooks draw it.

    Arguments:
        given: A text, a path, rows of numbers, or a dictionary of steps and squares.
        size: The board: 8, "6x8" or (6, 8), rows first.
        solution: The solution, if it is known.
        difficulty: The words about how hard it is, if they are known.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        blank: Signs that are squares to fill, such as "X0". Default: those of the text.
        hole: Signs that are holes, such as "X0". Default: those of the text.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
    """
    def __new__(
        cls,
        given: _Text | Mapping[int, Any] | Iterable[Iterable[object]],
        size: _Size = None,
        *,
        solution: Tour | None = None,
        difficulty: str | None = None,
        tours: _Kind | None = None,
        closed: bool | None = None,
        blank: str | None = None,
        hole: str | None = None,
        rows: SupportsIndex | None = None,
        cols: SupportsIndex | None = None,
        board: _Text | Iterable[str] | None = None,
        graph: Any = None,
        graph_format: str | None = None,
        piece: str | Iterable[Any] | None = None,
        wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
        without: str | Iterable[_Square] | None = None,
    ) -> Self: ...
    @property
    def board(self) -> str:
        """The description of the board."""
    @property
    def closed(self) -> bool:
        """True if the solutions are closed tours."""
    @property
    def clues(self) -> dict[int, Any]:
        """The steps that are given, with the names of their squares."""
    @property
    def solution(self) -> Tour | None:
        """The solution, if the puzzle was made from it."""
    @property
    def difficulty(self) -> str | None:
        """How hard a puzzle that was made is, in words."""
    def svg(
        self,
        *,
        answer: bool = False,
        title: str | None = None,
        pos: Mapping[Any, Any] | None = None,
    ) -> str:
        """The puzzle as an SVG picture with a `title`, or its `answer`, which is looked for if it is
        not known. The vertices of a graph are on a circle, or on the places that `pos` has for them.
        """
    def _repr_svg_(self) -> str | None: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> Any: ...

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
    directed: int
    undirected: int
    classes: int | None
    units: int
    units_resumed: int
    engine: str
    fingerprint: str
    elapsed: float
    question: str
    text: str
    def __new__(cls, fields: dict[str, Any]) -> Self: ...
    def __reduce__(self) -> Any: ...

class _SolvedFields(NamedTuple):
    verdict: Literal["none", "unique", "several", "undecided"]
    solutions: list[Tour]
    reason: str | None
    complete: bool

class Solved(_SolvedFields):
    """The answer to a puzzle: its verdict, some solutions, the reason why there is none, and whether
    the solutions are all. Notebooks draw up to 12 solutions.
    """
    def _repr_html_(self) -> str: ...

class _ShardFields(NamedTuple):
    index: int  # type: ignore[assignment]
    of: int
    question: str
    forecast: float | None
    text: str

class Shard(_ShardFields):
    """One of the shards of a count. It can be pickled, and `run` counts it anywhere.

    `forecast` are the seconds of one thread that it is expected to take where nothing is prepared,
    or None where they are not known.
    """
    def run(
        self,
        *,
        prepared: _Path | None = None,
        threads: SupportsIndex | None = None,
        memory: _Bytes = None,
        disk: _Bytes = None,
        max_time: _Time = None,
        checkpoint: _Path | None = None,
        fresh: bool = False,
        checkpoint_interval: _Time = 30,
        progress: _Progress = None,
        cancel: _Event | None = None,
    ) -> Part:
        """Count the shard, and return the part of the count.

        >>> parts = [shard.run(threads=1) for shard in kt_enum.shards(6, tours="closed", of=4)]
        >>> kt_enum.merge(parts) == 9862
        True

        Processes that share a machine share its cores: give each its number of threads.

        Arguments:
            prepared: A folder in which `prepare` has computed what the shards need.
            threads: Worker threads, from 1 to 1024. Default: all cores.
            memory: The most bytes of memory, also as "2G". Default: a part of what is free.
            disk: The most bytes of disk, also as "2G". Default: half of what is free.
            max_time: The most seconds, or a `timedelta`. Default: no limit.
            checkpoint: A file that keeps the state, so that the same call resumes. Default: none.
            fresh: True to start over and discard what was kept. Default: False.
            checkpoint_interval: The most seconds of finished work that a crash may cost. Default: 30.
            progress: True for a bar, a function that gets a dictionary, False for no warning either.
            cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

        Raises:
            ValueError: something that was given is wrong; the words say what would be right.
            TypeError: something is of another type, or there is no such keyword.
            OSError: a file cannot be read or written.
            MemoryError: the memory does not suffice.
            Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
            Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
        """

class _PartFields(NamedTuple):
    index: int  # type: ignore[assignment]
    of: int
    directed: int
    elapsed: float
    text: str

class Part(_PartFields):
    """The counted units of a shard. It can be pickled; `merge` makes a count of all parts.

    `text` is the file that `kt-enum shard` writes: named `part-I-of-N`, `kt-enum merge` reads it.
    """

def check(
    text: _Squares,
    size: _Size = None,
    *,
    blank: str | None = None,
    hole: str | None = None,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
) -> list[str]:
    """Say of each tour of a text, of a file or of some squares whether it is one.

    >>> kt_enum.check("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
    ['open']
    >>> kt_enum.check(["a1", "b1"], "3x4")
    ["wrong: line 1: step 1 from a1 to b1 is not a knight's move"]

    A verdict is "open", "closed" (a move joins the ends) or begins with "wrong: ". Tours may be
    given too: they are of their own boards, unless one is given.

    Arguments:
        text: A text, a `pathlib.Path` of a file, squares, an array of numpy, or tours.
        size: The board: 8, "6x8" or (6, 8), rows first.
        blank: Signs that are squares to fill, such as "X0". Default: those of the text.
        hole: Signs that are holes, such as "X0". Default: those of the text.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
    """

def count(
    size: _Size = None,
    *,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    start: Any = None,
    from_: Any = None,
    to: Any = None,
    engine: Literal["auto", "walk", "frontier", "subsets"] | None = None,
    split_depth: SupportsIndex | None = None,
    cut: str | None = None,
    memo: _Bytes = None,
    classes: bool = False,
    threads: SupportsIndex | None = None,
    memory: _Bytes = None,
    disk: _Bytes = None,
    max_time: _Time = None,
    checkpoint: _Path | None = None,
    fresh: bool = False,
    checkpoint_interval: _Time = 30,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> Count:
    """Count the tours of a board, exactly and on all cores.

    >>> kt_enum.count(6).directed
    6637920
    >>> kt_enum.count(rows=3, cols=10, tours="closed").undirected
    16
    >>> kt_enum.count(4, piece="king", tours="closed").undirected
    2830
    >>> kt_enum.count(graph=[(1, 2), (2, 3), (3, 1)], tours="closed").undirected
    1

    The board is a `size` (8, "6x8" or (6, 8)), `rows` and `cols`, a drawing or description `board`,
    or a `graph`: edges, a graph of networkx, the text of a graph file, or a path of one. With
    `checkpoint`, the same call resumes after Ctrl-C, `max_time` or a crash. `progress` is True for
    a bar, or a function that gets a dictionary about ten times per second, with the fields of
    `kt-enum --progress json`.

    Arguments:
        size: The board: 8, "6x8" or (6, 8), rows first.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        start: The square or vertex on which tours start. Default: any.
        from_: The same as `start`.
        to: The square or vertex on which open tours end. Default: any.
        engine: "walk", "frontier" or "subsets". Default: the fastest that fits.
        split_depth: The moves of a search after which its units begin. Default: chosen.
        cut: The units of the frontier, as "30:4" or "middle:8". Default: chosen.
        memo: Bytes of the transposition table of each thread, also as "64M", or "off".
        classes: True for classes of tours up to the symmetries of the board. Default: False.
        threads: Worker threads, from 1 to 1024. Default: all cores.
        memory: The most bytes of memory, also as "2G". Default: a part of what is free.
        disk: The most bytes of disk, also as "2G". Default: half of what is free.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        checkpoint: A file that keeps the state, so that the same call resumes. Default: none.
        fresh: True to start over and discard what was kept. Default: False.
        checkpoint_interval: The most seconds of finished work that a crash may cost. Default: 30.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        MemoryError: the memory does not suffice.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """

def estimate(
    size: _Size = None,
    *,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    start: Any = None,
    from_: Any = None,
    to: Any = None,
    engine: Literal["auto", "walk", "frontier", "subsets"] | None = None,
    split_depth: SupportsIndex | None = None,
    cut: str | None = None,
    memo: _Bytes = None,
    threads: SupportsIndex | None = None,
    memory: _Bytes = None,
    disk: _Bytes = None,
    probes: SupportsIndex = 100000,
    within: _Time = None,
    seed: SupportsIndex | None = None,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> dict[str, Any]:
    """Estimate how large a count is and how long it will take.

    >>> estimate = kt_enum.estimate(6, probes=20_000, seed=1)
    >>> estimate["directed_low"] < 6_637_920 < estimate["directed_high"]
    True

    The dictionary has the fields of `kt-enum estimate --json`. `time_s` are the seconds of the
    `engine` that `count` would take with the same arguments, or None where they are not known.
    `directed` is None where no probe has found a tour.

    Arguments:
        size: The board: 8, "6x8" or (6, 8), rows first.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        start: The square or vertex on which tours start. Default: any.
        from_: The same as `start`.
        to: The square or vertex on which open tours end. Default: any.
        engine: "walk", "frontier" or "subsets". Default: the fastest that fits.
        split_depth: The moves of a search after which its units begin. Default: chosen.
        cut: The units of the frontier, as "30:4" or "middle:8". Default: chosen.
        memo: Bytes of the transposition table of each thread, also as "64M", or "off".
        threads: Worker threads, from 1 to 1024. Default: all cores.
        memory: The most bytes of memory, also as "2G". Default: a part of what is free.
        disk: The most bytes of disk, also as "2G". Default: half of what is free.
        probes: The most random probes. Default: 100000.
        within: The seconds within which the estimate ends, or a `timedelta`. Default: chosen.
        seed: A whole number: the same seed gives the same result on every machine.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        MemoryError: the memory does not suffice.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """

def find(
    size: _Size = None,
    *,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    start: Any = None,
    from_: Any = None,
    to: Any = None,
    strategy: str | None = None,
    order: str | None = None,
    max_moves: SupportsIndex | None = None,
    max_backtracks: SupportsIndex | None = None,
    max_time: _Time = None,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> Tour | None:
    """Find one tour of a board, which may be large.

    >>> tour = kt_enum.find(30, tours="closed", from_="c7")
    >>> tour.closed, len(tour), tour.names[0]
    (True, 900, 'c7')
    >>> kt_enum.find(4) is None
    True

    Without `from_` the tour starts on the first square, or on another if no tour starts there.
    `None` if there is no tour, or none from `from_`; `Undecided` is raised if the search ends at a
    limit before that is known. The usual strategy, "auto", always answers on a whole rectangle with
    a knight.

    Arguments:
        size: The board: 8, "6x8" or (6, 8), rows first.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        start: The square or vertex on which tours start. Default: any.
        from_: The same as `start`.
        to: The square or vertex on which open tours end. Default: any.
        strategy: "auto", "blind", "pruned", "h1a", "warnsdorff", "roth", "h2" or "pohl". Default: "auto".
        order: The order of moves: "row-major", "linear", "report" or steps. Default: "row-major".
        max_moves: The most moves that the search tries. Default: that of the strategy.
        max_backtracks: The most moves that it takes back. Default: that of the strategy.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """

def hint(
    puzzle: _Given,
    size: _Size = None,
    *,
    blank: str | None = None,
    hole: str | None = None,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    threads: SupportsIndex | None = None,
    max_time: _Time = None,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> str | None:
    """Return the next step that follows in a puzzle and why, in words; `None` if none does.

    >>> kt_enum.hint("3 . . 12\\n. . . .\\n1 . . .")
    '2 goes on c2: no other square fits between 1 on a1 and 3 on a3'

    `Undecided` is raised if `max_time` is over first.

    Arguments:
        puzzle: A `Puzzle`, a text, a path, rows of numbers, or a dictionary of steps and squares.
        size: The board: 8, "6x8" or (6, 8), rows first.
        blank: Signs that are squares to fill, such as "X0". Default: those of the text.
        hole: Signs that are holes, such as "X0". Default: those of the text.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        threads: Worker threads, from 1 to 1024. Default: all cores.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """

@overload
def is_unique(
    puzzle: Sequence[Puzzle],
    size: _Size = None,
    *,
    blank: str | None = None,
    hole: str | None = None,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    threads: SupportsIndex | None = None,
    max_time: _Time = None,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> list[bool]:
    """Say whether a puzzle has exactly one solution, or each of a list of puzzles.

    >>> texts = "1 . 7\\n. . .\\n. . .", "3 . . 12\\n. . . .\\n1 . . ."
    >>> kt_enum.is_unique([kt_enum.Puzzle(text) for text in texts])
    [False, True]

    `Undecided` is raised if `max_time` is over first.

    Arguments:
        puzzle: A `Puzzle`, a text, a path, rows of numbers, or a dictionary of steps and squares.
        size: The board: 8, "6x8" or (6, 8), rows first.
        blank: Signs that are squares to fill, such as "X0". Default: those of the text.
        hole: Signs that are holes, such as "X0". Default: those of the text.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        threads: Worker threads, from 1 to 1024. Default: all cores.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """
@overload
def is_unique(
    puzzle: _Given,
    size: _Size = None,
    *,
    blank: str | None = None,
    hole: str | None = None,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    threads: SupportsIndex | None = None,
    max_time: _Time = None,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> bool: ...

def merge(
    parts: Iterable[Part],
    *,
    max_time: _Time = None,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> Count:
    """Put the parts of a count together, in any order.

    `ValueError` is raised if a part is missing, given twice, of another count, or wrong.

    Arguments:
        parts: What `Shard.run` has returned for each shard, in any order.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """

@overload
def nth(
    number: SupportsIndex,
    size: _Size = None,
    *,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    start: Any = None,
    from_: Any = None,
    to: Any = None,
    index: _Path | None = None,
    threads: SupportsIndex | None = None,
    memory: _Bytes = None,
    disk: _Bytes = None,
    max_time: _Time = None,
    fresh: bool = False,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> Tour:
    """Return the tour with a number from 1 to the count, or a sequence of tours for several numbers.

    >>> tour = kt_enum.nth(4711, 6, tours="closed")
    >>> kt_enum.rank(tour)
    4711
    >>> len(kt_enum.nth(range(1, 101), 6))
    100

    An open tour and its reverse share one number unless an end is fixed; a closed tour has one
    number, whatever its start and direction. Many tours at once cost little more than one.

    Arguments:
        number: The number of a tour, from 1 on, or several numbers.
        size: The board: 8, "6x8" or (6, 8), rows first.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        start: The square or vertex on which tours start. Default: any.
        from_: The same as `start`.
        to: The square or vertex on which open tours end. Default: any.
        index: A folder that keeps the tables, so that later calls start at once. Default: none.
        threads: Worker threads, from 1 to 1024. Default: all cores.
        memory: The most bytes of memory, also as "2G". Default: a part of what is free.
        disk: The most bytes of disk, also as "2G". Default: half of what is free.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        fresh: True to start over and discard what was kept. Default: False.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        MemoryError: the memory does not suffice.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """
@overload
def nth(
    number: Iterable[SupportsIndex],
    size: _Size = None,
    *,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    start: Any = None,
    from_: Any = None,
    to: Any = None,
    index: _Path | None = None,
    threads: SupportsIndex | None = None,
    memory: _Bytes = None,
    disk: _Bytes = None,
    max_time: _Time = None,
    fresh: bool = False,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> TourList: ...

def prepare(
    shard: Shard,
    folder: _Path,
    *,
    threads: SupportsIndex | None = None,
    memory: _Bytes = None,
    disk: _Bytes = None,
    max_time: _Time = None,
    fresh: bool = False,
    checkpoint_interval: _Time = 30,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> bool:
    """Compute once, in a folder, what all shards of a count need before their units.

    >>> import tempfile
    >>> shards = kt_enum.shards(6, tours="closed", engine="frontier", of=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     prepared = kt_enum.prepare(shards[0], folder)
    ...     parts = [shard.run(prepared=folder) for shard in shards]
    >>> prepared, kt_enum.merge(parts) == 9862
    (True, True)

    Any shard of the count will do. The folder has to be one that all workers can read. Returns
    False where nothing precedes the units, so that the shards can begin at once.

    Arguments:
        shard: Any shard of the count.
        folder: A folder, which is made if it is missing.
        threads: Worker threads, from 1 to 1024. Default: all cores.
        memory: The most bytes of memory, also as "2G". Default: a part of what is free.
        disk: The most bytes of disk, also as "2G". Default: half of what is free.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        fresh: True to start over and discard what was kept. Default: False.
        checkpoint_interval: The most seconds of finished work that a crash may cost. Default: 30.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        MemoryError: the memory does not suffice.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """

def puzzle(
    size: _Size = None,
    *,
    clues: SupportsIndex | None = None,
    difficulty: Literal["gentle", "easy", "medium", "hard"] | None = None,
    symmetric: bool | Literal["half-turn", "quarter-turn", "left-right", "top-bottom", "diagonal", "anti-diagonal"] = False,
    pattern: _Text | Iterable[str] | None = None,
    ends: Literal["any", "shown", "hidden"] | None = None,
    seed: SupportsIndex | None = None,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    threads: SupportsIndex | None = None,
    max_time: _Time = None,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> Puzzle:
    """Make a puzzle that has exactly one solution.

    >>> puzzle = kt_enum.puzzle(6, tours="closed", seed=1)
    >>> kt_enum.is_unique(puzzle), puzzle.solution.closed
    (True, True)

    It has as few numbers as an order of removal allows, or `clues` of them; `symmetric` keeps
    squares that a half turn maps onto each other; `ends` is "any", "shown" or "hidden". The
    `difficulty` is that of the hardest technique that the puzzle needs: "gentle" if the next number
    has one place or a short gap one way, "easy" if distances leave one square or one number,
    "medium" if a square needs its two exits or a region would be cut off, "hard" if something has to
    be assumed. A `seed` makes the same puzzle again.

    Arguments:
        size: The board: 8, "6x8" or (6, 8), rows first.
        clues: The number of steps that are given. Default: as few as an order of removal allows.
        difficulty: The grade: "gentle", "easy", "medium" or "hard". Default: any.
        symmetric: True for steps on squares that a half turn keeps, or "quarter-turn", "left-right", "top-bottom", "diagonal" or "anti-diagonal". Default: False.
        pattern: A drawing of the squares with a step: "." without one, "#" a hole, any other sign with one.
        ends: The ends of the tour: "any", "shown" or "hidden". Default: "any".
        seed: A whole number: the same seed gives the same result on every machine.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        threads: Worker threads, from 1 to 1024. Default: all cores.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """

@overload
def random(
    size: _Size = None,
    *,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    start: Any = None,
    from_: Any = None,
    to: Any = None,
    count: None = None,
    seed: SupportsIndex | None = None,
    index: _Path | None = None,
    threads: SupportsIndex | None = None,
    memory: _Bytes = None,
    disk: _Bytes = None,
    max_time: _Time = None,
    fresh: bool = False,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> Tour:
    """Draw tours at random, all equally likely.

    >>> tour = kt_enum.random(6, tours="closed", seed=1)
    >>> tour == kt_enum.random(6, tours="closed", seed=1)
    True
    >>> len(kt_enum.random(6, count=1000, seed=7))
    1000

    A tour, or a sequence of tours if `count` is given. A `seed` draws the same tours on every
    machine. With `index`, the tables are kept in a folder, and later calls for the same board start
    at once.

    Arguments:
        size: The board: 8, "6x8" or (6, 8), rows first.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        start: The square or vertex on which tours start. Default: any.
        from_: The same as `start`.
        to: The square or vertex on which open tours end. Default: any.
        count: The number of tours. Default: one, which is returned by itself.
        seed: A whole number: the same seed gives the same result on every machine.
        index: A folder that keeps the tables, so that later calls start at once. Default: none.
        threads: Worker threads, from 1 to 1024. Default: all cores.
        memory: The most bytes of memory, also as "2G". Default: a part of what is free.
        disk: The most bytes of disk, also as "2G". Default: half of what is free.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        fresh: True to start over and discard what was kept. Default: False.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        MemoryError: the memory does not suffice.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """
@overload
def random(
    size: _Size = None,
    *,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    start: Any = None,
    from_: Any = None,
    to: Any = None,
    count: SupportsIndex,
    seed: SupportsIndex | None = None,
    index: _Path | None = None,
    threads: SupportsIndex | None = None,
    memory: _Bytes = None,
    disk: _Bytes = None,
    max_time: _Time = None,
    fresh: bool = False,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> TourList: ...

@overload
def rank(
    tour: Tour,
    *,
    tours: _Kind | None = None,
    closed: bool | None = None,
    start: Any = None,
    from_: Any = None,
    to: Any = None,
    index: _Path | None = None,
    threads: SupportsIndex | None = None,
    memory: _Bytes = None,
    disk: _Bytes = None,
    max_time: _Time = None,
    fresh: bool = False,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> int:
    """Return the number of a tour, or a list of the numbers of several tours of one board.

    >>> kt_enum.rank(kt_enum.nth([5, 3, 8], "5x6"))
    [5, 3, 8]

    `tours` says whether tours are numbered as open or as closed ones; without it, as they are all
    meant. `ValueError` is raised for a tour that is none of the question.

    Arguments:
        tour: A tour, or several tours of one board.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        start: The square or vertex on which tours start. Default: any.
        from_: The same as `start`.
        to: The square or vertex on which open tours end. Default: any.
        index: A folder that keeps the tables, so that later calls start at once. Default: none.
        threads: Worker threads, from 1 to 1024. Default: all cores.
        memory: The most bytes of memory, also as "2G". Default: a part of what is free.
        disk: The most bytes of disk, also as "2G". Default: half of what is free.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        fresh: True to start over and discard what was kept. Default: False.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        MemoryError: the memory does not suffice.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """
@overload
def rank(
    tour: Iterable[Tour],
    *,
    tours: _Kind | None = None,
    closed: bool | None = None,
    start: Any = None,
    from_: Any = None,
    to: Any = None,
    index: _Path | None = None,
    threads: SupportsIndex | None = None,
    memory: _Bytes = None,
    disk: _Bytes = None,
    max_time: _Time = None,
    fresh: bool = False,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> list[int]: ...

def read(
    text: _Squares,
    size: _Size = None,
    *,
    blank: str | None = None,
    hole: str | None = None,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
) -> list[Tour]:
    """Read the tours of a text or of the file that a path names, in all the forms that people write.

    >>> [tour] = kt_enum.read("1. Na1 2. Nc2 3. Na3 4. Nb1 5. Nd2 6. Nb3 "
    ...                       "7. Nc1 8. Na2 9. Nc3 10. Nd1 11. Nb2 12. Nd3")
    >>> tour.board
    '3x4'

    The board is that of the text, unless it is given. `ValueError` names the first line that is
    wrong.

    Arguments:
        text: A text, a `pathlib.Path` of a file, squares, an array of numpy, or tours.
        size: The board: 8, "6x8" or (6, 8), rows first.
        blank: Signs that are squares to fill, such as "X0". Default: those of the text.
        hole: Signs that are holes, such as "X0". Default: those of the text.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
    """

def shards(
    size: _Size = None,
    *,
    of: SupportsIndex | None,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    start: Any = None,
    from_: Any = None,
    to: Any = None,
    engine: Literal["auto", "walk", "frontier", "subsets"] | None = None,
    split_depth: SupportsIndex | None = None,
    cut: str | None = None,
    by: Literal["remainder", "group"] | None = None,
    max_time: _Time = None,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> list[Shard]:
    """Divide a count into shards, which other processes and machines can run.

    >>> shards = kt_enum.shards(6, tours="closed", of=2)
    >>> [shard.index for shard in shards]
    [0, 1]
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor() as pool:
    ...     parts = list(pool.map(kt_enum.Shard.run, shards))
    >>> kt_enum.merge(parts) == 9862
    True

    The `forecast` of a shard is its expected processor time in seconds, or None where it is not
    known: some are counted for a few seconds, and the others are about as much work. Every shard computes the
    states that its own units need, so all shards together take longer than one count, and the more
    of them the longer, unless `prepare` has computed these states once.

    Arguments:
        size: The board: 8, "6x8" or (6, 8), rows first.
        of: The number of shards.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        start: The square or vertex on which tours start. Default: any.
        from_: The same as `start`.
        to: The square or vertex on which open tours end. Default: any.
        engine: "walk", "frontier" or "subsets". Default: the fastest that fits.
        split_depth: The moves of a search after which its units begin. Default: chosen.
        cut: The units of the frontier, as "30:4" or "middle:8". Default: chosen.
        by: The rule that assigns units: "remainder" or "group". Default: chosen.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """

def solve(
    puzzle: _Given,
    size: _Size = None,
    *,
    limit: SupportsIndex | None = None,
    blank: str | None = None,
    hole: str | None = None,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    threads: SupportsIndex | None = None,
    max_time: _Time = None,
    progress: _Progress = None,
    cancel: _Event | None = None,
) -> Solved:
    """Solve a puzzle: decide whether it has no solution, exactly one, or several.

    >>> solved = kt_enum.solve("3 . . 12\\n. . . .\\n1 . . .")
    >>> solved.verdict, len(solved.solutions), solved.complete
    ('unique', 1, True)
    >>> kt_enum.solve("1 2 .\\n. . .\\n. . .").verdict
    'none'

    `solutions` has up to `limit` solutions, and `complete` says that there are no others. The
    verdict is "none", "unique", "several", or "undecided" if a limit came first; `reason` says why
    there is none.

    Arguments:
        puzzle: A `Puzzle`, a text, a path, rows of numbers, or a dictionary of steps and squares.
        size: The board: 8, "6x8" or (6, 8), rows first.
        limit: The most tours or solutions. Default: all tours, or 2 solutions.
        blank: Signs that are squares to fill, such as "X0". Default: those of the text.
        hole: Signs that are holes, such as "X0". Default: those of the text.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        threads: Worker threads, from 1 to 1024. Default: all cores.
        max_time: The most seconds, or a `timedelta`. Default: no limit.
        progress: True for a bar, a function that gets a dictionary, False for no warning either.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        Undecided: `max_time` or another limit was reached first and the result cannot say so; a `checkpoint` that was named is kept.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """

def tours(
    size: _Size = None,
    *,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    board: _Text | Iterable[str] | None = None,
    graph: Any = None,
    graph_format: str | None = None,
    piece: str | Iterable[Any] | None = None,
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None = None,
    without: str | Iterable[_Square] | None = None,
    tours: _Kind | None = None,
    closed: bool | None = None,
    start: Any = None,
    from_: Any = None,
    to: Any = None,
    classes: bool = False,
    limit: SupportsIndex | None = None,
    order: str | None = None,
    after: Tour | None = None,
    cancel: _Event | None = None,
) -> Tours:
    """List the tours of a board lazily, in the order of plain backtracking.

    >>> sum(1 for _ in kt_enum.tours(5))
    1728
    >>> first = next(kt_enum.tours("3x4", from_="a1"))
    >>> print(first)
    a1 c2 a3 b1 d2 b3 c1 d3 b2 d1 c3 a2

    Closed tours begin on `from_`, or on the first square. `classes` lists one tour of each class,
    the first; `limit` is the most tours; `after` is the tour before the first; `order` is the order
    in which moves are tried.

    Arguments:
        size: The board: 8, "6x8" or (6, 8), rows first.
        rows: The number of rows, in place of `size`, together with `cols`.
        cols: The number of columns.
        board: A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.
        graph: Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path.
        graph_format: The format of a graph file that could be read in two ways.
        piece: A piece by name, or its step or steps, as (1, 2) or "1,2". Default: "knight".
        wrap: Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".
        without: Squares that the board lacks: names, or rows and columns from 0.
        tours: "open" or "closed". Default: "open".
        closed: True is short for `tours="closed"`, False for `tours="open"`.
        start: The square or vertex on which tours start. Default: any.
        from_: The same as `start`.
        to: The square or vertex on which open tours end. Default: any.
        classes: True for classes of tours up to the symmetries of the board. Default: False.
        limit: The most tours or solutions. Default: all tours, or 2 solutions.
        order: The order of moves: "row-major", "linear", "report" or steps. Default: "row-major".
        after: The tour before the first one. Default: none.
        cancel: An object whose `is_set()` becomes true to end the call, as `threading.Event`.

    Raises:
        ValueError: something that was given is wrong; the words say what would be right.
        TypeError: something is of another type, or there is no such keyword.
        OSError: a file cannot be read or written.
        Cancelled: `cancel` was set, which is heard within 0.3 seconds, and within a few on boards of hundreds of squares.
    """
