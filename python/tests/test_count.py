"""Counts and their errors. Expected values are published: tests/golden says where."""

import copy
import json
import pickle
import time
import warnings
from datetime import timedelta

import kt_enum
import pytest


def test_published_counts_of_knights_boards_are_returned(golden):
    counted = 0
    for rows, cols, what, start, value, _source in golden("counts.tsv"):
        tours, number = what.split()[:2]
        if int(rows) * int(cols) > 36 or what.endswith("non-reentrant"):
            continue
        options = {"from_": start} if start else {"classes": number == "classes"}
        count = kt_enum.count(rows=int(rows), cols=int(cols), tours=tours, memory="1G", **options)
        assert getattr(count, number) == int(value), (rows, cols, what, start)
        counted += 1
    assert counted > 30


def test_published_counts_of_other_boards_are_returned(golden):
    counted = 0
    for rows, cols, piece, wrap, tours, undirected, _source in golden("any-board.tsv"):
        if int(rows) * int(cols) > 16:
            continue
        options = {"piece": piece, "wrap": wrap, "tours": tours, "memory": "1G"}
        count = kt_enum.count(rows=int(rows), cols=int(cols), **options)
        assert count.undirected == int(undirected), (rows, cols, piece, wrap, tours)
        counted += 1
    assert counted > 10


def test_a_count_says_what_it_is():
    count = kt_enum.count(6, tours="closed", classes=True, engine="walk", threads=2)
    assert (count.directed, count.undirected, count.classes) == (19724, 9862, 1245)
    assert (int(count), count.engine, count.units_resumed) == (9862, "walk", 0)
    assert count.question == "closed tours of 6x6" and count.elapsed > 0
    assert len(count.fingerprint) == 64 and count.units > 0
    assert repr(count) == "<closed tours of 6x6: 19724 directed, 9862 undirected>"
    assert int(kt_enum.count(5)) == 1728


def test_a_count_is_a_number():
    count = kt_enum.count(6)
    assert count == 6637920 and count + 1 == 6637921 and int(count) == 6637920
    assert f"{count:,}" == "6,637,920" and str(count) == "6637920" and count > 10**6
    assert {count: "open"}[6637920] == "open" and hash(count) == hash(6637920)
    assert (count.directed, count.undirected) == (6637920, 3318960)
    assert repr(count) == "<open tours of 6x6: 6637920 directed, 3318960 undirected>"
    closed = kt_enum.count(6, closed=True)
    assert closed == 9862 == closed.undirected and closed.directed == 19724
    assert sum([closed, closed]) == 19724 and json.dumps([closed]) == "[9862]"
    assert copy.deepcopy(closed).fingerprint == closed.fingerprint


def test_a_fingerprint_does_not_depend_on_the_threads_and_depends_on_the_split():
    one = kt_enum.count(5, engine="walk", split_depth=3, threads=1)
    two = kt_enum.count(5, engine="walk", split_depth=3, threads=2, memo="off")
    other = kt_enum.count(5, engine="walk", split_depth=2, memo="64K")
    assert one.fingerprint == two.fingerprint != other.fingerprint
    assert one.directed == other.directed == 1728


def test_fixed_ends_are_counted():
    from_corner = kt_enum.count(5, from_="a1").directed
    assert from_corner == 304
    assert from_corner == sum(
        kt_enum.count(5, from_="a1", to=(row, col)).directed
        for row in range(5)
        for col in range(5)
        if (row, col) != (0, 0)
    )
    assert kt_enum.count(5, from_="all", to=None).directed == 1728


def test_engines_and_cuts_agree():
    options = [{"engine": engine} for engine in ("auto", "walk", "frontier")]
    options += [{"engine": "frontier", "cut": "18:6"}, {"engine": "frontier", "cut": "middle:4"}]
    assert {kt_enum.count(6, tours="closed", memory="1G", **each).undirected for each in options} == {9862}
    assert kt_enum.count(4, piece="king", engine="subsets").undirected == 171592


def test_a_board_without_tours_has_none():
    assert kt_enum.count(3, tours="closed", classes=True).classes == 0
    apart = kt_enum.count(graph=[(1, 2), (3, 4)], classes=True)
    assert (apart.directed, apart.classes, apart.units) == (0, 0, 0)
    assert pickle.loads(pickle.dumps(apart)).undirected == 0


def test_counts_of_any_size_are_whole_numbers_of_python():
    count = kt_enum.count(rows=3, cols=100, tours="closed", memory="1G")
    text = str(count.undirected)
    assert len(text) > 40 and count.directed == 2 * count.undirected
    assert text in repr(count)


def test_counts_are_pickled():
    count = kt_enum.count(6, tours="closed", classes=True)
    again = pickle.loads(pickle.dumps(count))
    assert (again.undirected, again.classes, again.elapsed) == (9862, 1245, count.elapsed)
    assert again == count and count.text.startswith("# kt-enum units")


def test_progress_is_told_to_a_function_and_its_exception_ends_the_count():
    told = []
    kt_enum.count(6, engine="walk", memo="off", split_depth=4, progress=told.append)
    told = [at for at in told if at["event"] == "progress"]
    assert told and {"percent", "done", "units", "found", "elapsed_s", "left_s"} <= set(told[-1])
    assert 0 <= told[-1]["done"] <= told[-1]["units"]

    def refuse(at):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        kt_enum.count(7, engine="walk", memo="off", memory="1G", progress=refuse)


def test_a_slow_function_is_told_the_newest_progress():
    told = []

    def tell(at):
        told.append(at["elapsed_s"])
        if len(told) == 3:
            raise LookupError
        time.sleep(1)

    with pytest.raises(LookupError):
        kt_enum.count(progress=tell, **LONG)
    # Reports come ten times per second.
    assert told[1] - told[0] > 0.5 and told[2] - told[1] > 0.5


def test_progress_has_numbers_of_any_size():
    from kt_enum import _progress

    told = []
    ask, _ = _progress.watch(told.append, None, False)
    ask(json.dumps({"event": "progress", "found": "1" + "0" * 5000}))
    ask(False)
    assert [at["found"] for at in told] == [10**5000]


@pytest.mark.parametrize("is_installed", [True, False])
def test_progress_is_shown_with_and_without_tqdm(is_installed, monkeypatch, capsys):
    if is_installed:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setitem(__import__("sys").modules, "tqdm", None)
    kt_enum.count(6, engine="walk", memo="off", split_depth=4, progress=True)
    assert "tours" in capsys.readouterr().err
    kt_enum.count(5, progress=False)
    assert capsys.readouterr().err == ""


def test_a_limit_on_time_is_undecided():
    with pytest.raises(kt_enum.Undecided, match="nothing is saved, for there is no checkpoint"):
        kt_enum.count(7, engine="walk", memo="off", memory="1G", max_time=timedelta(0))


def stop_at_some(at):
    if at.get("done", 0) > 10:
        raise KeyboardInterrupt


# Half a second of one thread, and half a minute: a count of 6x6 can be over before it is looked at.
SHORT = {"rows": 5, "cols": 8, "engine": "walk", "memo": "off", "split_depth": 6, "memory": "1G", "threads": 1}
LONG, SHORT = {**SHORT, "cols": 9}, {**SHORT, "start": "a1"}


def test_a_stopped_count_resumes_from_its_checkpoint(tmp_path):
    checkpoint = tmp_path / "run.kt"
    with pytest.raises(KeyboardInterrupt):
        kt_enum.count(progress=stop_at_some, checkpoint=checkpoint, **SHORT)
    assert checkpoint.exists()
    count = kt_enum.count(checkpoint=checkpoint, **SHORT)
    assert count.units_resumed > 10
    anew = kt_enum.count(**SHORT)
    assert (count.directed, count.fingerprint) == (anew.directed, anew.fingerprint)
    assert not checkpoint.exists()


def test_a_checkpoint_is_kept_by_a_limit_on_time_and_from_another_question(tmp_path):
    checkpoint = tmp_path / "run.kt"
    with pytest.raises(kt_enum.Undecided, match="the state is saved in .*run.kt: the same call resumes"):
        kt_enum.count(max_time=0.1, checkpoint=checkpoint, **LONG)
    with pytest.raises(ValueError, match="give this one up with fresh=True"):
        kt_enum.count(checkpoint=checkpoint, **SHORT)
    with pytest.raises(kt_enum.Undecided):
        kt_enum.count(max_time=0, checkpoint=checkpoint, **LONG)


def test_a_file_that_is_no_checkpoint_is_left_as_it_is(tmp_path):
    file = tmp_path / "letter"
    file.write_text("dear all")
    for fresh in (False, True):
        with pytest.raises(OSError, match="name another checkpoint$"):
            kt_enum.count(5, checkpoint=file, fresh=fresh)
    assert file.read_text() == "dear all"


WRONG = [
    ({}, ValueError, "which board?"),
    ({"size": 8, "rows": 3, "cols": 3}, ValueError, "give a size, or rows and cols together"),
    ({"rows": 3}, ValueError, "give a size, or rows and cols together"),
    ({"size": 0}, ValueError, "rows and columns go from 1 to 10000"),
    ({"size": -3}, ValueError, "size: -3 is below 1"),
    ({"size": (3, 2**70)}, ValueError, 'size: write 8, "6x8" or'),
    ({"rows": -1, "cols": 3}, ValueError, "rows: -1 is out of range"),
    ({"size": 6, "threads": -1}, ValueError, "threads: -1 is out of range"),
    ({"size": 6, "memory": -1}, ValueError, "memory: write a size as 2G"),
    ({"size": 6, "max_time": timedelta(seconds=-1)}, ValueError, "max_time: give a number of seconds from 0 on"),
    ({"size": 6, "tours": "\ud800"}, ValueError, "tours: .* surrogates not allowed"),
    ({"size": 6, "checkpoint": ""}, ValueError, "path of a checkpoint .* is empty: name a file"),
    ({"size": "8y8"}, ValueError, 'size: write 8, "6x8" or'),
    ({"size": 3.5}, TypeError, "size: give a number"),
    ({"size": 6, "piece": "kin"}, ValueError, "piece: `kin` is not a piece"),
    ({"size": 6, "wrap": "ball"}, ValueError, "wrap: `ball` is none of none, cylinder, torus, moebius"),
    ({"size": 6, "without": "z9"}, ValueError, "without: square z9 is not on the 6x6 board"),
    ({"size": 6, "tours": "all"}, ValueError, "tours: `all` is none of open, closed"),
    ({"size": 6, "from_": "k1"}, ValueError, "square k1 is not on the 6x6 board"),
    ({"size": 6, "tours": "closed", "from_": "a1"}, ValueError, "closed tours have no ends"),
    ({"size": 6, "engine": "fast"}, ValueError, "engine: `fast` is none of auto, walk"),
    ({"size": 6, "cut": "1"}, ValueError, "cut: write CLASS:Q"),
    ({"size": 6, "cut": "18:2:6"}, ValueError, "earlier version"),
    ({"size": 6, "cut": "18:6", "split_depth": 3}, ValueError, "give one"),
    ({"size": 6, "threads": 0}, ValueError, "threads: 0 is none of 1 to 1024"),
    ({"size": 6, "threads": "two"}, TypeError, "threads: "),
    ({"size": 6, "memory": "lots"}, ValueError, "memory: write a size as 2G"),
    ({"size": 6, "memory": 1.5}, TypeError, "memory: give a number of bytes"),
    ({"size": 8, "memory": "1K"}, ValueError, "give more memory="),
    ({"size": 6, "max_time": "soon"}, TypeError, "max_time: give a number of seconds"),
    ({"size": 6, "max_time": -1}, ValueError, "max_time: "),
    ({"size": 12, "engine": "frontier"}, ValueError, "too wide: the engine"),
    ({"size": 6, "classes": True, "from_": "a1"}, ValueError, "no end of the tours is fixed"),
    ({"size": 6, "colour": "red"}, TypeError, "count.. got an unexpected keyword argument 'colour'"),
    ({"n": 6}, TypeError, "keyword argument 'n': did you mean 'size'"),
    ({"size": 6, "thraeds": 2}, TypeError, "keyword argument 'thraeds': did you mean 'threads'"),
    ({"size": 6, "progress": "yes"}, TypeError, "progress: give True, False or a function"),
    ({"size": 6, "progress": 1}, TypeError, "progress: give True, False or a function"),
    ({"size": 6, "threads": True}, TypeError, "threads: True is a truth value"),
    ({"rows": True, "cols": 3}, TypeError, "rows: True is a truth value"),
    ({"size": True}, TypeError, "size: give a number"),
    ({"size": 6, "classes": 1}, TypeError, "classes: "),
    ({"size": 6, "tours": "closed", "closed": False}, ValueError, "give one of them"),
    ({"size": 6, "start": "a1", "from_": "a1"}, ValueError, "start and from_ are the same"),
    ({"size": 6, "piece": (1, "x")}, ValueError, "piece: `1,x` is not a piece"),
    ({"size": 6, "piece": 3}, TypeError, "piece: a piece is a name, or a step .*; 3 is none"),
    ({"board": 6}, TypeError, "a board is a drawing .*; 6 is none"),
    ({"board": [6]}, TypeError, "a board is a drawing .*; 6 is none"),
    ({"board": [[0, 1], [1, 0]]}, ValueError, "`0` is neither a square"),
    ({"graph": 5}, TypeError, "a graph is a list of edges, .*; 5 is none"),
    ({"size": 6, "closed": "yes"}, TypeError, "closed: give True or False"),
    ({"size": 6, "timeout": 3}, TypeError, "'timeout': did you mean 'max_time'"),
    ({"size": 6, "Threads": 3}, TypeError, "'Threads': did you mean 'threads'"),
    ({"size": 6, "memory": True}, TypeError, "memory: give a number of bytes"),
    ({"size": 6, "graph": [(1, 2)]}, ValueError, "three ways to give a board"),
    ({"graph": [(1, 2)], "piece": "king"}, ValueError, "a graph has its own edges"),
]


@pytest.mark.parametrize(("call", "name"), [
    (kt_enum.random, "seed"), (kt_enum.random, "count"), (kt_enum.tours, "limit"),
    (kt_enum.puzzle, "clues"), (kt_enum.estimate, "probes"), (kt_enum.find, "max_moves"),
])
def test_numbers_that_are_out_of_range_are_named(call, name):
    for number in (-1, 2**64):
        with pytest.raises(ValueError, match=f"{name}: {number} is out of range"):
            call(6, **{name: number})
    with pytest.raises(TypeError, match=f"{name}: True is a truth value"):
        call(6, **{name: True})


def test_what_looks_right_is_right_for_every_function():
    ring = {"board": [[".", ".", "."], ".#.", "..."], "piece": [(0, 1)]}
    names = ["a1", "a2", "a3", "b3", "c3", "c2", "c1", "b1"]
    assert kt_enum.Tour(names, **ring).closed and kt_enum.check(names, **ring) == ["closed"]
    assert kt_enum.find(start="a1", to="b1", **ring) == kt_enum.Tour(names, cycle=False, **ring)
    assert kt_enum.is_unique(kt_enum.Puzzle({1: "a1", 2: "a2"}, closed=True, **ring))
    assert kt_enum.solve({1: "a1", 2: "a2"}, closed=True, **ring).verdict == "unique"
    assert list(kt_enum.tours(closed=True, **ring)) == list(kt_enum.nth([1], closed=True, **ring))
    some = {"size": 5, "memory": "1.5G"}
    shards = kt_enum.shards(5, piece=(2, 1), of=2)
    assert kt_enum.merge(shard.run(memory="1.5G") for shard in shards) == 1728
    assert kt_enum.rank(kt_enum.random(seed=1, **some), memory="0.5G") > 0
    assert kt_enum.estimate(probes=10, **some)["engine"]


def test_what_looks_right_is_right():
    assert kt_enum.count(5, piece=(1, 2)) == kt_enum.count(5, piece=[2, 1]) == 1728
    assert kt_enum.count(4, piece=[(0, 1), (1, 1)]).undirected == 171592
    assert kt_enum.count(5, memory="2.5G", threads=1) == 1728
    assert kt_enum.count(board=["...", ".#.", "..."], piece="wazir", closed=True) == 1
    assert kt_enum.count([6, 6], closed=True) == 9862
    assert kt_enum.count(5, start="a1", to="e5") == kt_enum.count(5, from_=[0, 0], to=(4, 4))


@pytest.mark.parametrize(("options", "kind", "words"), WRONG)
def test_what_is_wrong_is_refused_with_its_name_and_value(options, kind, words):
    with pytest.raises(kind, match=words):
        kt_enum.count(options.pop("size", None), **options)


def test_a_count_leaves_nothing_behind(tmp_path):
    kt_enum.count("6x7", closed=True, checkpoint=tmp_path / "run.kt", checkpoint_interval=0, memory="1G")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(kt_enum.Undecided):
        kt_enum.count(8, max_time=0.5, memory="1G", progress=False)
    assert list(tmp_path.iterdir()) == []


def test_a_long_count_is_warned_of_unless_progress_is_false():
    from kt_enum import _progress

    def stop(at):
        if said:
            raise LookupError

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with pytest.raises(LookupError):
            kt_enum.count("7x8", engine="walk", split_depth=4, memo="off", memory="1G", progress=stop)
    assert said[0].filename == __file__ and said[0].category is RuntimeWarning
    assert str(said[0].message).startswith("the count of the open tours of 7x8 takes ")
    assert str(said[0].message).endswith("progress=False turns this warning off")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        long = {"engine": "walk", "split_depth": 4, "memo": "off", "memory": "1G"}
        with pytest.raises(kt_enum.Undecided):
            kt_enum.count("7x8", max_time=1, progress=False, **long)
        kt_enum.count(6)
    # Nothing is forecast where nobody is warned.
    assert [_progress.watch(progress, None, False)[1] for progress in (None, False)] == [2, 0]


def test_a_time_of_more_than_a_minute_is_warned_of_and_so_is_one_that_is_not_known():
    from kt_enum import _progress

    with pytest.warns(RuntimeWarning, match="the count of the tours takes 1m 30s; max_time= and"):
        _progress.foretell("tours", 90.0, "1m 30s")
    with pytest.warns(RuntimeWarning, match="takes a time that cannot be foretold"):
        _progress.foretell("tours", None, None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _progress.foretell("tours", 50.0, "50 s")


def until(found):
    """Return the progress of a call up to the first that a condition holds for, which ends the call."""
    told = []

    def tell(at):
        told.append(at)
        if found(at):
            raise LookupError

    return told, tell


def test_a_bar_says_the_phase_and_moves_in_each(capsys):
    told, tell = until(lambda at: at.get("building", {}).get("round", 0) > 1)
    with pytest.raises(LookupError):
        kt_enum.count(7, memory="1G", max_time=300, progress=tell)
    [*_, before_units] = told
    assert 0 < before_units["bar"]["percent"] < 100 and before_units["left_s"] > 0
    said = ", ".join(before_units["bar"]["said"])
    assert "round " in said and " slices, " in said and said.count(" states") == 1
    told, tell = until(lambda at: at["event"] == "back")
    with pytest.raises(LookupError):
        kt_enum.random(6, count=6000, memory="1G", max_time=300, progress=tell)
    assert told[-1]["bar"]["said"][0].startswith("tracing back: round 1 of ")
    assert 0 <= told[-1]["bar"]["percent"] <= 100


def test_an_estimate_has_one_time_of_the_engine_that_counts():
    estimate = kt_enum.estimate(8, within=2, threads=2, memory="4G")
    of_states = estimate["frontier"] or {}
    assert estimate["engine"] == "frontier" == kt_enum.count(5, engine="frontier").engine
    for bound in ("time_s", "time_low_s", "time_high_s"):
        assert estimate[bound] == of_states.get(bound)
    unknown = kt_enum.estimate(30, within=1)
    assert unknown["directed"] is None and unknown["time_s"] is None
    assert kt_enum.estimate(6, closed=True, engine="walk", within=1)["engine"] == "walk"


def test_a_count_is_estimated():
    # Bounds may miss: a number of probes gives the same ones at any speed, a time does not.
    estimate = kt_enum.estimate(6, probes=20_000, threads=2, seed=1)
    assert estimate["directed_low"] < 6_637_920 < estimate["directed_high"]
    assert kt_enum.estimate(6, engine="frontier", within=1)["frontier"]["states"] > 1
    with pytest.raises(TypeError, match="estimate"):
        kt_enum.estimate(8, checkpoint="x")
    with pytest.raises(TypeError, match="unexpected keyword argument 'max_time'"):
        kt_enum.estimate(6, max_time=1)
