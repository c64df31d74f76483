"""Count with the processes of a pool, and check the result against a single process."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import kt_enum


def run(shard: kt_enum.Shard) -> kt_enum.Part:
    """Count a shard on one core."""
    return shard.run(threads=1, memory="1G")


def main() -> None:
    """Count the closed tours of 6x8 by eight shards in two processes."""
    shards = kt_enum.shards("6x8", tours="closed", of=8)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        count = kt_enum.merge(pool.map(run, shards))
    print(count.undirected, "closed tours of 6x8, fingerprint", count.fingerprint[:8])
    assert count.fingerprint == kt_enum.count("6x8", tours="closed", memory="1G").fingerprint


if __name__ == "__main__":
    main()
