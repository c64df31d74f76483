"""Knight's tours and other Hamiltonian paths: counted, listed, drawn, found; puzzles solved and made.

>>> import kt_enum
>>> kt_enum.count(6)
<open tours of 6x6: 6637920 directed, 3318960 undirected>
"""

import atexit

_CLASSES = ["Cancelled", "Count", "Part", "Puzzle", "Shard", "Solved", "Tour", "TourList", "Tours", "Undecided"]
_FUNCTIONS = ["check", "count", "estimate", "find", "hint", "is_unique", "merge", "nth", "prepare"]
_FUNCTIONS += ["puzzle", "random", "rank", "read", "shards", "solve", "tours"]
__all__ = ["__version__"] + _CLASSES + _FUNCTIONS


# What a thread loads while the interpreter ends would begin calls that nobody ends, which crash it. So
# the end waits for what is being loaded, and nothing is loaded after that.
_phases = set()


@atexit.register
def _end():
    _phases.add("ended")
    if "used" in _phases:
        from ._kt_enum import end

        end()


# The command of the package starts in a fraction of the time without what only a program in Python
# needs, so everything is loaded when it is first asked for.
def __getattr__(name):
    # What is being loaded asks for private names, and goes on while the interpreter ends.
    if name not in __all__:
        raise AttributeError(f"module 'kt_enum' has no attribute '{name}'")
    _phases.add("used")
    if "ended" in _phases:
        raise SystemExit("the interpreter is ending")
    from . import _types

    return globals().setdefault(name, getattr(_types, name, None) or _types.public(name))


def __dir__():
    return __all__
