"""Knight's tours and other Hamiltonian paths: counted, listed, drawn, found; puzzles solved and made.

>>> import kt_enum
>>> kt_enum.count(6).directed
6637920
"""

from collections import namedtuple

from ._kt_enum import (
    Count,
    Part,
    Puzzle,
    Shard,
    Tour,
    TourList,
    Tours,
    Undecided,
    __version__,
    check,
    count,
    estimate,
    find,
    hint,
    is_unique,
    merge,
    nth,
    puzzle,
    random,
    rank,
    read,
    shards,
    solve,
    tours,
)


class Solved(namedtuple("Solved", "verdict solutions reason complete")):
    """The answer to a puzzle: its verdict, solutions, the reason why there is none, and whether the
    solutions are all."""

    __slots__ = ()


__all__ = [
    "Count",
    "Part",
    "Puzzle",
    "Shard",
    "Solved",
    "Tour",
    "TourList",
    "Tours",
    "Undecided",
    "__version__",
    "check",
    "count",
    "estimate",
    "find",
    "hint",
    "is_unique",
    "merge",
    "nth",
    "puzzle",
    "random",
    "rank",
    "read",
    "shards",
    "solve",
    "tours",
]
