"""Knight's tours and other Hamiltonian paths: counted, listed, drawn, found; puzzles solved and made.

>>> import kt_enum
>>> kt_enum.count(6).directed
6637920
"""

from ._kt_enum import Puzzle, Tour, Tours, Undecided, __version__
from ._kt_enum import check, count, estimate, find, hint, is_unique, merge, nth
from ._kt_enum import puzzle, random, rank, read, shards, solve, tours
from ._types import Count, Part, Shard, Solved, TourList

__all__ = """
    Count Part Puzzle Shard Solved Tour TourList Tours Undecided __version__ check count estimate find
    hint is_unique merge nth puzzle random rank read shards solve tours
""".split()
