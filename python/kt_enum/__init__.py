"""Knight's tours and other Hamiltonian paths: counted, listed, drawn, found; puzzles solved and made.

>>> import kt_enum
>>> kt_enum.count(6)
<open tours of 6x6: 6637920 directed, 3318960 undirected>
"""

import _thread
import atexit
import sys

_CLASSES = "Cancelled Count Part Puzzle Shard Solved Tour TourList Tours Undecided".split()
_FUNCTIONS = "check count estimate find hint is_unique merge nth prepare puzzle random rank read shards solve tours"
__all__ = ["__version__"] + _CLASSES + _FUNCTIONS.split()
# What pickles name beside the classes, so that they too load it under the lock.
_PICKLED = ["Site", "again", "unpacked"]


# A thread that imports while the interpreter ends crashes it, because the locks of imports are freed by
# then, and what it imports would begin calls that nobody stops. So the end waits for the imports of this
# package, at most half a minute because a fork may have left the lock without its thread, and refuses
# later ones.
_loading = _thread.RLock()
_ended = []


@atexit.register
def _end():
    is_free = _loading.acquire(timeout=30)
    _ended.append(True)
    if is_free:
        _loading.release()
    # A pickle of an earlier version loads parts of the package without the lock.
    if end := getattr(sys.modules.get("kt_enum._kt_enum"), "end", None):
        end()


# The command of the package starts in a fraction of the time without what only a program in Python
# needs, so everything is loaded when it is first asked for.
def __getattr__(name):
    # What is being loaded asks for private names, and goes on while the interpreter ends.
    if name not in __all__ + _PICKLED:
        raise AttributeError(f"module 'kt_enum' has no attribute '{name}'")
    with _loading:
        if _ended:
            raise SystemExit("the interpreter is ending")
        from . import _types

        return globals().setdefault(name, getattr(_types, name, None) or _types.public(name))


def __dir__():
    return __all__
