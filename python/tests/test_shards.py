"""Shards of a count in other processes, and parts put together."""

import os
import pickle
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import kt_enum
import pytest

CLOSED = {"size": 6, "tours": "closed"}


def run(shard):
    return shard.run(threads=1, memory="1G")


@pytest.mark.parametrize("options", [
    {"engine": "walk", "split_depth": 3},
    {"engine": "frontier"},
    {"engine": "frontier", "by": "remainder"},
])
def test_parts_of_processes_make_the_count_of_one(options):
    shards = kt_enum.shards(of=3, **CLOSED, **options)
    assert [(shard.index, shard.of) for shard in shards] == [(0, 3), (1, 3), (2, 3)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        parts = list(pool.map(run, shards))
    merged = kt_enum.merge(reversed(parts))
    options.pop("by", None)
    whole = kt_enum.count(**CLOSED, **options, memory="1G")
    assert (merged.undirected, merged.fingerprint) == (9862, whole.fingerprint)
    assert sum(part.directed for part in parts) == whole.directed
    assert merged.elapsed == pytest.approx(sum(part.elapsed for part in parts))


def test_shards_and_parts_are_pickled():
    [shard, _] = kt_enum.shards(of=2, **CLOSED, engine="walk")
    again = pickle.loads(pickle.dumps(shard))
    assert again == shard and "shard 0 of 2 of the closed tours of 6x6" in repr(shard)
    part = shard.run()
    other = pickle.loads(pickle.dumps(part))
    assert other == part and (part.index, part.of) == (0, 2) and "part 0 of 2" in repr(other)
    with pytest.raises(ValueError):
        shard._replace(text="[]").run()


def test_parts_that_are_missing_doubled_foreign_or_changed_are_refused():
    parts = [shard.run() for shard in kt_enum.shards(of=2, **CLOSED, engine="walk")]
    others = [shard.run() for shard in kt_enum.shards(5, engine="walk", of=2)]
    with pytest.raises(ValueError, match="1 of 2 shards missing: 1"):
        kt_enum.merge(parts[:1])
    with pytest.raises(ValueError, match="shard 0/2 is given twice"):
        kt_enum.merge(parts + parts[:1])
    with pytest.raises(ValueError, match="part 0 and part 1 are parts of different runs"):
        kt_enum.merge([parts[0], others[1]])
    with pytest.raises(ValueError, match="there is no part"):
        kt_enum.merge([])
    changed = [part._replace(text=part.text.replace("\t", "\t1", 1)) for part in parts]
    with pytest.raises(ValueError, match="are not those that its checksum was made of"):
        kt_enum.merge(changed)
    for wrong in (["part"], parts[0], kt_enum.shards(5, of=1)):
        with pytest.raises(TypeError, match="is no part"):
            kt_enum.merge(wrong)


def test_shards_say_what_they_cost_and_share_what_is_prepared(tmp_path):
    question = {"size": "6x8", "tours": "closed", "engine": "frontier"}
    few, many = (kt_enum.shards(of=of, **question) for of in (4, 10_000))
    # Most of the many have no unit: the forecast is of those that have one.
    assert all(shard.forecast > 0 for shard in few + many[:1])
    # A shard of a search has its part of the units, and a long one is forecast without counting it.
    walks = [kt_enum.shards("6x8", engine="walk", split_depth=5, of=of)[0].forecast for of in (4, 40_000)]
    assert 0 < walks[1] < walks[0]
    folder = tmp_path / "new" / "prepared"
    assert kt_enum.prepare(few[1], folder, memory="1G", threads=2) is True
    parts = [shard.run(prepared=folder, threads=1, memory="1G") for shard in few]
    # Published: the table of tests/golden/counts.tsv.
    assert kt_enum.merge(parts) == 55488142 == kt_enum.count(**question, memory="1G")
    with pytest.raises(ValueError, match="prepared for another count"):
        kt_enum.prepare(kt_enum.shards("5x8", tours="closed", engine="frontier", of=2)[0], folder)
    assert kt_enum.prepare(kt_enum.shards(5, engine="walk", of=2)[0], tmp_path / "walk") is False
    with pytest.raises(TypeError, match="is no shard"):
        kt_enum.prepare("6x8", folder)
    with pytest.raises(ValueError, match="how many shards"):
        kt_enum.shards(6)


def test_wrong_shards_are_refused():
    with pytest.raises(TypeError, match=r"run\(\) takes 1 positional argument"):
        kt_enum.shards(5, of=2)[0].run(5)
    with pytest.raises(TypeError, match="merge takes a list of what Shard.run returns; 3 is none"):
        kt_enum.merge(3)
    with pytest.raises(ValueError, match="is not a shard"):
        kt_enum.shards(6, of=0)
    with pytest.raises(ValueError, match="the units of walk share no states"):
        kt_enum.shards(6, engine="walk", by="group", of=2)
    with pytest.raises(ValueError, match="of: -1 is out of range"):
        kt_enum.shards(6, of=-1)
    with pytest.raises(TypeError, match="memo"):
        kt_enum.shards(6, memo="off", of=2)
    with pytest.raises(TypeError, match="threads"):
        kt_enum.shards(6, threads=1, of=2)


def test_a_stopped_shard_resumes_from_its_checkpoint(tmp_path):
    options = {"engine": "walk", "split_depth": 5, "memory": "1G"}
    file = tmp_path / "shard.kt"
    [shard, other] = kt_enum.shards("5x7", engine="walk", split_depth=5, of=2)
    with pytest.raises(kt_enum.Undecided, match="the same call resumes"):
        shard.run(checkpoint=file, max_time=0)
    assert file.exists()
    part = shard.run(checkpoint=file, memory="1G")
    assert not file.exists()
    assert kt_enum.merge([part, other.run()]).directed == kt_enum.count("5x7", **options).directed


def run_or_die(shard, marks):
    """Kills its own process once, in the middle of shard 5."""
    mark = os.path.join(marks, "killed")
    if shard.index == 5 and not os.path.exists(mark):
        open(mark, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return run(shard)


def test_dask_counts_with_a_worker_killed_on_the_way(tmp_path):
    distributed = pytest.importorskip("distributed")
    question = {"size": "6x8", "tours": "closed"}
    shards = kt_enum.shards(of=8, **question)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=None
    )
    with cluster, distributed.Client(cluster) as client:
        parts = client.gather(client.map(run_or_die, shards, marks=str(tmp_path), pure=False))
    assert (tmp_path / "killed").exists()
    merged = kt_enum.merge(parts)
    whole = kt_enum.count(**question, memory="1G")
    assert (merged.undirected, merged.fingerprint) == (whole.undirected, whole.fingerprint)
    # Published: the table of tests/golden/counts.tsv.
    assert merged.undirected == 55488142
