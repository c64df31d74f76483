"""Calls that take long, of every function that has them: without what only tests need to load."""

import functools
import os
import pickle
import tempfile
from pathlib import Path

import kt_enum

MEMORY = {"memory": "1G"}


@functools.lru_cache
def a_shard(engine):
    """Return a shard, which is made once for all processes: to forecast what it takes is a matter of seconds."""
    file = Path(os.environ["KT_ENUM_SHARDS"]) / engine
    if not file.exists():
        # Another process never reads a part of it.
        new = Path(tempfile.mktemp(dir=file.parent))
        new.write_bytes(pickle.dumps(kt_enum.shards(8, engine=engine, of=2)[0]))
        new.replace(file)
    return pickle.loads(file.read_bytes())


def prepare(**end):
    """Prepare a count in a folder that is removed."""
    with tempfile.TemporaryDirectory() as folder:
        return kt_enum.prepare(a_shard("frontier"), folder, **MEMORY, **end)


CALLS = {
    "count": lambda **end: kt_enum.count(8, **MEMORY, **end),
    "count by walk": lambda **end: kt_enum.count(8, engine="walk", memo="off", **MEMORY, **end),
    "count of a wide board": lambda **end: kt_enum.count(12, **MEMORY, **end),
    "estimate": lambda **end: kt_enum.estimate(10, **MEMORY, **end),
    "shards": lambda **end: kt_enum.shards(10, of=10, **end),
    "prepare": prepare,
    "run": lambda **end: a_shard("walk").run(**MEMORY, **end),
    "run by the frontier": lambda **end: a_shard("frontier").run(**MEMORY, **end),
    "find": lambda **end: kt_enum.find(20, strategy="blind", max_moves=10**15, **end),
    "find between ends": lambda **end: kt_enum.find("4x62", start="b1", to="c1", **end),
    "random": lambda **end: kt_enum.random(8, **MEMORY, **end),
    "nth": lambda **end: kt_enum.nth(1, 8, **MEMORY, **end),
    "rank": lambda **end: kt_enum.rank(kt_enum.find(8, start="a1"), **MEMORY, **end),
    "solve": lambda **end: kt_enum.solve({}, 8, limit=10**9, **end),
    "is_unique": lambda **end: kt_enum.is_unique([kt_enum.Puzzle({64: "h8"}, 8)] * 10**5, **end),
    "hint": lambda **end: kt_enum.hint({1: "a1", 2: "b3"}, 30, **end),
    "puzzle": lambda **end: kt_enum.puzzle(40, seed=1, **end),
    "puzzle of a grade": lambda **end: kt_enum.puzzle(40, piece="king", difficulty="medium", seed=1, **end),
    "puzzle of a pattern": lambda **end: kt_enum.puzzle(8, pattern=[*["........"] * 7, "XXX....."], seed=1, **end),
}
