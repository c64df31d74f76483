"""Knight's tours and other Hamiltonian paths: counted, listed, drawn, found; puzzles solved and made.

>>> import kt_enum
>>> kt_enum.count(6).directed
6637920
"""

from . import _kt_enum, _types
from ._kt_enum import *
from ._types import Count, Part, Shard, Solved, TourList

__all__ = ["Count", "Part", "Shard", "Solved", "TourList"]
__all__ += [name for name in _kt_enum.__all__ if name not in ("program", "run", "unpacked")]
