"""Tours: listed, found, read, checked, drawn and numbered."""

import pickle
import random
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import kt_enum
import pytest

OF_3X4 = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3"


def test_all_tours_are_listed_once():
    listed = list(kt_enum.tours(6, tours="closed"))
    assert len(listed) == len(set(listed)) == 9862
    assert all(tour.closed and tour.names[0] == "a1" for tour in listed)
    assert sum(1 for _ in kt_enum.tours(6, tours="closed", classes=True)) == 1245
    assert sum(1 for _ in kt_enum.tours(5)) == 1728


def test_a_list_has_ends_a_limit_and_a_beginning():
    listed = list(kt_enum.tours("3x4", from_="a1"))
    assert [str(tour) for tour in listed] == ["a1 c2 a3 b1 d2 b3 c1 d3 b2 d1 c3 a2", OF_3X4]
    assert list(kt_enum.tours("3x4", from_="a1", limit=1)) == listed[:1]
    assert list(kt_enum.tours("3x4", from_="a1", after=listed[0])) == listed[1:]
    assert all(tour.names[-1] == "c3" for tour in kt_enum.tours(5, to="c3"))
    assert {tour.names[0] for tour in kt_enum.tours(6, tours="closed", from_="c2")} == {"c2"}
    assert list(kt_enum.tours(3, tours="closed")) == []
    by_other_order = list(kt_enum.tours("3x4", from_="a1", order="linear"))
    assert sorted(map(str, by_other_order)) == sorted(map(str, listed))
    assert sum(1 for _ in kt_enum.tours(graph=[(1, 2), (2, 3)])) == 2


def test_wrong_lists_are_refused():
    with pytest.raises(ValueError, match="closed tours end where they start"):
        kt_enum.tours(6, tours="closed", to="a1")
    with pytest.raises(ValueError, match="order linear is for a knight on a whole rectangle"):
        kt_enum.tours(4, piece="king", order="linear")
    with pytest.raises(ValueError, match="order: "):
        kt_enum.tours(4, order="sideways")
    with pytest.raises(ValueError, match="after: no tour of this list"):
        kt_enum.tours(5, after=kt_enum.Tour(OF_3X4))
    with pytest.raises(TypeError):
        kt_enum.tours(5, after=OF_3X4)


def test_a_tour_is_made_from_texts_and_squares():
    tour = kt_enum.Tour(OF_3X4)
    assert kt_enum.Tour(OF_3X4.split(), "3x4") == tour == kt_enum.Tour(tour.squares)
    assert kt_enum.Tour(iter(OF_3X4.split())) == tour
    assert kt_enum.Tour(tour.grid()) == tour
    assert (tour.board, tour.closed, len(tour)) == ("3x4", False, 12)
    assert tour.squares[:2] == [(0, 0), (1, 2)] and tour.names[:2] == ["a1", "c2"]
    assert str(tour) == OF_3X4 and repr(tour) == f"<tour of 3x4: {OF_3X4}>"
    assert pickle.loads(pickle.dumps(tour)) == tour and len({tour, kt_enum.Tour(OF_3X4)}) == 1


def test_squares_that_are_no_tour_are_refused():
    for squares, why in [
        ("a1 b1", "step 1 from a1 to b1 is not a knight's move"),
        ("a1 c2 a1", "a1, square 3 of the sequence, was visited before"),
        (["a1", "z9"], "z9"),
        ([(0, 0), (9, 9)], "not on the 3x4 board"),
        ("", "there is no tour"),
        (f"{OF_3X4}\n{OF_3X4}", "these are 2 tours"),
    ]:
        with pytest.raises(ValueError, match=why):
            kt_enum.Tour(squares, "3x4")


def test_tours_are_read_and_checked_in_many_forms(tmp_path):
    [grid] = kt_enum.read(" 3  6  9 12\n 8 11  2  5\n 1  4  7 10\n")
    assert str(grid) == OF_3X4
    closed = str(next(kt_enum.tours(6, tours="closed")))
    file = tmp_path / "tours"
    file.write_text(f"{OF_3X4}\n{closed}\na1 b1\n")
    verdicts = kt_enum.check(file)
    assert verdicts[:2] == ["open", "closed"] and verdicts[2].startswith("wrong: line 3: ")
    with pytest.raises(ValueError, match="line 3: "):
        kt_enum.read(file)
    assert kt_enum.check(kt_enum.Tour(OF_3X4)) == ["open"]
    assert kt_enum.check(["a1", "b1"], "3x4") == [
        "wrong: line 1: step 1 from a1 to b1 is not a knight's move"
    ]
    kings = str(next(kt_enum.tours(3, piece="king")))
    assert kt_enum.check(kings, 3, piece="king")[0] in ("open", "closed")
    assert kt_enum.check(["1", "2", "3"], graph=[(1, 2), (2, 3)]) == ["open"]
    with pytest.raises(TypeError, match="check"):
        kt_enum.check(OF_3X4, sise=3)


def test_signs_of_a_grid_mean_what_the_call_says():
    grid, king = "1 2\n3 0", {"piece": "king"}
    assert kt_enum.check(grid, hole="0", **king) == ["closed"] == kt_enum.check("1 2\n3 *", hole="*", **king)
    assert kt_enum.check("1 2\n3 *", blank="*", **king)[0].startswith("wrong: line 1: unfinished")
    assert kt_enum.read(grid, hole="0", **king) == [kt_enum.Tour(grid, hole="0", **king)]
    assert kt_enum.Tour(grid, hole="0", **king).board == "2x2 piece=king without=b1"
    assert len(kt_enum.Tour(grid, **king)) == 4
    with pytest.raises(ValueError, match="`0` cannot be both"):
        kt_enum.read(grid, hole="0", blank="0")


def test_a_text_that_may_be_meant_as_a_path_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my tours").write_text(OF_3X4)
    assert kt_enum.check(Path("my tours")) == ["open"] and kt_enum.check("") == []
    for read, given in [
        *((read, given) for read in (kt_enum.check, kt_enum.read, kt_enum.Tour) for given in ("my tours", "nothing.txt")),
        (kt_enum.solve, "nothing.txt"),
        (lambda text: kt_enum.count(graph=text), "nothing.txt"),
        (lambda text: kt_enum.count(graph=text), "my tours"),
        (lambda text: kt_enum.count(board=text), "nothing.txt"),
    ]:
        with pytest.raises(ValueError, match=f"give pathlib.Path.'{given}'"):
            read(given)
    (tmp_path / "5x5").write_text("")
    assert kt_enum.count(board="5x5").directed == 1728 and kt_enum.count(graph="A_").directed == 2


def test_tours_are_checked_on_their_own_boards():
    graph = next(kt_enum.tours(graph=[("x", "y"), ("y", "z")]))
    boards = [{"piece": "king"}, {"wrap": "torus", "piece": "wazir"}, {"piece": "wazir", "without": "b2"}]
    tours = [next(kt_enum.tours(3, **board)) for board in boards] + [graph]
    assert [kt_enum.check(tour) for tour in tours] == [["closed" if tour.closed else "open"] for tour in tours]
    assert kt_enum.check(tours) == kt_enum.check(iter(tours)) == sum(map(kt_enum.check, tours), [])
    assert kt_enum.read(tours) == tours and kt_enum.Tour(graph) == graph
    assert kt_enum.check(kt_enum.nth([1, 2], 5)) == ["open", "open"]
    closed = kt_enum.nth(1, 6, tours="closed")
    cut = kt_enum.Tour(closed, cycle=False)
    assert kt_enum.Tour(cut) == cut != closed and kt_enum.check([cut, closed]) == ["closed"] * 2
    assert kt_enum.check(tours[0], 3)[0].startswith("wrong: line 1: step ")
    with pytest.raises(TypeError, match="some of these are tours"):
        kt_enum.check([closed, "a1"])
    with pytest.raises(ValueError, match="cycle: no move joins the ends"):
        kt_enum.Tour(OF_3X4, cycle=True)


def test_a_tour_is_drawn():
    closed = kt_enum.nth(1, 6, tours="closed")
    picture = xml.fromstring(closed.svg(numbers=True, title="<one>"))
    assert picture.tag.endswith("svg") and "<one>" in "".join(picture.itertext())
    assert "polygon" in closed._repr_svg_() and "polyline" in kt_enum.Tour(OF_3X4)._repr_svg_()
    assert "polyline" in kt_enum.Tour(str(closed), cycle=False).svg()
    graph = next(kt_enum.tours(graph=[(1, 2), (2, 3)]))
    with pytest.raises(ValueError, match="take names"):
        graph.squares


def test_a_tour_is_a_sequence_of_names():
    tour = kt_enum.Tour(OF_3X4)
    assert list(tour) == tour.names == OF_3X4.split() and len(tour) == 12
    assert (tour[0], tour[-1], tour[:2]) == ("a1", "d3", ["a1", "c2"]) and "c2" in tour
    assert list(reversed(tour)) == tour.names[::-1] and random.Random(1).choice(tour) in tour.names
    with pytest.raises(IndexError):
        tour[12]


def test_closed_tours_along_the_same_cycle_are_known():
    tour, other = kt_enum.nth([1, 2], 6, closed=True)
    names = tour.names
    turned = [kt_enum.Tour(names[at:] + names[:at], 6) for at in (0, 1, 20, 35)]
    turned += [kt_enum.Tour(one.names[::-1], 6) for one in turned]
    assert all(tour.same_cycle(one) and one.same_cycle(tour) for one in turned)
    assert not any(other.same_cycle(one) for one in turned) and len(set(turned)) == 8
    assert not kt_enum.Tour(OF_3X4).same_cycle(kt_enum.Tour(OF_3X4))


def test_many_tours_are_one_array_of_numpy():
    numpy = pytest.importorskip("numpy")
    tours = kt_enum.nth([5, 1, 7], "5x6")
    array = numpy.asarray(tours)
    assert (numpy.asarray(tours[1:3]) == array[1:3]).all() and (tours[:2].squares() == tours.squares()[:2]).all()
    assert array.shape == (3, 30) and array[0].tolist() == [row * 6 + col for row, col in tours[0].squares]
    assert tours.squares().tolist() == [[list(square) for square in tour.squares] for tour in tours]
    assert numpy.asarray(kt_enum.random(20, count=0)).shape == (0, 400)
    assert kt_enum.random(5, count=0).squares().shape == (0, 25, 2)
    graph = kt_enum.nth([1, 2], graph=[(1, 2), (2, 3), (3, 1)])
    assert sorted(numpy.asarray(graph)[0]) == [0, 1, 2]
    long = next(kt_enum.tours("2x150", piece="wazir"))
    assert numpy.asarray(kt_enum.nth([1], "2x150", piece="wazir")).max() == 299 == len(long) - 1
    holed = kt_enum.nth([1], "4x3", without="b4")
    assert holed.squares().tolist()[0] == [list(square) for square in holed[0].squares]


def test_lists_of_tours_are_drawn_up_to_twelve():
    many = kt_enum.random(6, closed=True, count=40, seed=1)
    page = many._repr_html_()
    assert page.count("<svg") == 12 and "12 of 40 tours" in page
    assert kt_enum.nth([1, 2], 5)._repr_html_().count("<svg") == 2
    solved = kt_enum.solve(". . . .\n. . . .\n1 . . .")
    assert solved._repr_html_().count("<svg") == 2 and "several" in solved._repr_html_()


def test_a_tour_is_found_between_two_ends():
    tour = kt_enum.find(8, start="a1", to="h7")
    assert (tour[0], tour[-1]) == ("a1", "h7")
    assert kt_enum.find(8, to="h7")[-1] == "h7" and kt_enum.find(8, start="c3")[0] == "c3"
    assert kt_enum.find(8, start="a1", to="c3") is kt_enum.find(8, start="a1", to="a1") is None
    assert len(kt_enum.find(1, start="a1", to="a1")) == 1
    with pytest.raises(ValueError, match="leave out to"):
        kt_enum.find(8, closed=True, to="h7")


def test_one_tour_is_found_on_boards_of_any_size():
    tour = kt_enum.find(30, tours="closed", from_="c7")
    assert tour.closed and len(set(tour.squares)) == 900 and tour.names[0] == "c7"
    assert kt_enum.find(4) is None
    assert kt_enum.find(8, strategy="warnsdorff").names[0] == "a1"
    torus = kt_enum.find(6, piece="camel", wrap="torus")
    assert torus is None or len(torus) == 36
    star = [("x", leaf) for leaf in "abc"]
    assert kt_enum.find(graph=star) is None
    path = kt_enum.find(graph=[(2, 1), (2, 3), (3, 4)])
    assert path.names in ([1, 2, 3, 4], [4, 3, 2, 1])
    assert kt_enum.find(graph=[(2, 1), (2, 3), (3, 4)], from_=4).names == [4, 3, 2, 1]
    with pytest.raises(kt_enum.Undecided, match="found by blind"):
        kt_enum.find(20, strategy="blind", max_moves=1000)
    with pytest.raises(kt_enum.Undecided):
        kt_enum.find(20, strategy="blind", max_time=0)
    with pytest.raises(ValueError, match="strategy: `luck` is not a strategy"):
        kt_enum.find(8, strategy="luck")


@pytest.mark.parametrize("strategy", ["auto", "pruned", "warnsdorff"])
def test_no_tour_is_found_only_where_none_is_counted(strategy):
    missing = [None, *(f"{column}{row}" for column in "abc" for row in "1234")]
    found = []
    for options in [{}, {"piece": "wazir"}, {"piece": "ferz"}, {"wrap": "cylinder"}]:
        for without in missing:
            board = {"size": "4x3", "without": without, **options}
            tour = kt_enum.find(**board, strategy=strategy)
            assert (tour is None) == (kt_enum.count(**board).directed == 0), board
            found.append(tour is not None and tour.names[0] not in ("a1", "b1"))
    assert any(found)
    board = {"size": 4, "piece": "wazir", "without": "a3"}
    assert kt_enum.find(**board, from_="all") is not None and kt_enum.find(**board, from_="a1") is None


def test_a_tour_that_no_heuristic_finds_is_the_first_by_number():
    graph = Path(__file__).resolve().parents[2] / "tests/golden/graphs/hanoi6.txt"
    tour = kt_enum.find(graph=graph, tours="closed")
    assert tour.closed and len(set(tour.names)) == 729


def test_tours_have_numbers_and_numbers_have_tours():
    count = kt_enum.count("5x6", tours="open").undirected
    assert count == 18_784
    some = kt_enum.nth([1, count, 77], "5x6")
    assert kt_enum.rank(some) == [1, count, 77] and len(some) == 3
    assert kt_enum.nth(77, "5x6") == some[2] == some[-1]
    assert kt_enum.rank(some[2]) == 77 and kt_enum.rank([]) == []
    turned = kt_enum.Tour(some[2].names[::-1], "5x6", cycle=False)
    assert kt_enum.rank(turned) == 77
    assert list(some) == [some[0], some[1], some[2]] and list(some[1:]) == [some[1], some[2]]
    assert list(some[::-2]) == [some[2], some[0]] and repr(some) == "<3 tours of 5x6>"
    assert repr(some[1:]) == "<2 tours of 5x6>" and some[1:] == kt_enum.nth([count, 77], "5x6")
    with pytest.raises(IndexError):
        some[3]
    with pytest.raises(TypeError):
        some["one"]


def test_the_numbers_of_all_closed_tours_are_all_numbers():
    tours = list(kt_enum.tours(6, tours="closed"))
    assert sorted(kt_enum.rank(tours)) == list(range(1, 9863))
    assert kt_enum.rank(tours[0]) == kt_enum.rank(tours[0], tours="closed")
    assert kt_enum.rank(tours[0], tours="open") > 0


def test_tours_of_both_kinds_are_ranked_as_one_kind_or_refused():
    closed = next(kt_enum.tours(6, tours="closed"))
    both = [kt_enum.Tour(closed, cycle=False), closed]
    with pytest.raises(ValueError, match="closed tours and open ones have numbers of their own"):
        kt_enum.rank(both)
    for kind in ("open", "closed"):
        assert kt_enum.rank(both, tours=kind) == [kt_enum.rank(closed, tours=kind)] * 2


def test_lists_of_the_same_tours_are_equal():
    one, again = kt_enum.nth([1, 2], 5), kt_enum.nth([1, 2], 5)
    assert one == again != kt_enum.nth([1, 3], 5) and one != kt_enum.nth([1, 2], 6)


def test_wrong_numbers_and_tours_are_refused():
    with pytest.raises(ValueError, match="there is no tour number 9,863: the numbers are 1 to 9,862"):
        kt_enum.nth(9863, 6, tours="closed")
    with pytest.raises(ValueError, match="there is no tour number 0"):
        kt_enum.nth(0, 6)
    with pytest.raises(ValueError, match="there are no closed tours of 3x3: every move"):
        kt_enum.nth(1, 3, tours="closed")
    with pytest.raises(ValueError, match="from a1 to d3 is not among the closed tours of 3x4"):
        kt_enum.rank(kt_enum.Tour(OF_3X4), tours="closed")
    with pytest.raises(ValueError, match="from a1 to d3 is not among the open tours of 3x4 from b2"):
        kt_enum.rank(kt_enum.Tour(OF_3X4), from_="b2")
    with pytest.raises(ValueError, match="a tour of 5x5 .* is not among the open tours of 3x4"):
        kt_enum.rank([kt_enum.Tour(OF_3X4), kt_enum.nth(1, 5)])
    with pytest.raises(TypeError):
        kt_enum.rank([OF_3X4])


def test_tours_are_drawn_at_random():
    one = kt_enum.random(6, tours="closed", seed=1)
    assert kt_enum.rank(one) in range(1, 9863)
    many = kt_enum.random(6, tours="closed", count=3000, seed=1)
    assert many[0] == one and len(set(many)) > 2000
    assert len(kt_enum.random(5, count=0)) == 0 == len(kt_enum.random(20, count=0))
    assert isinstance(kt_enum.random(5), kt_enum.Tour)
    assert kt_enum.random(5, from_="a1", to="e5", seed=2).names[-1] == "e5"
    with pytest.raises(ValueError, match="there are no open tours of 4x4"):
        kt_enum.random(4)


def test_an_index_keeps_the_tables(tmp_path):
    first = kt_enum.random(6, seed=3, index=tmp_path / "index", memory="1G")
    assert any((tmp_path / "index").iterdir())
    assert kt_enum.random(6, seed=3, index=tmp_path / "index", memory="1G") == first
    again = kt_enum.random(6, seed=3, index=tmp_path / "index", memory="1G", fresh=True)
    assert again == first
    with pytest.raises(ValueError, match="name another index, or give this one up with fresh=True"):
        kt_enum.nth(1, 5, index=tmp_path / "index")


def test_an_index_that_is_in_use_is_not_waited_for(tmp_path):
    options = {"seed": 1, "index": tmp_path / "index", "memory": "1G"}
    said = []

    def ask(at):
        if not said:
            with pytest.raises(OSError) as refused:
                kt_enum.random(6, **options)
            said.append(str(refused.value))

    kt_enum.random(6, progress=ask, **options)
    assert "is held by pid" in said[0] and said[0].endswith("; name another index")


def test_tables_that_do_not_fit_are_an_error_of_memory():
    with pytest.raises(MemoryError, match="give more memory="):
        kt_enum.nth(1, "3x1200", memory="100M", threads=2)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux tells the memory")
def test_many_random_tours_take_little_memory(python):
    code = """
import kt_enum, pickle
tours = kt_enum.random(6, count=10_000, seed=1)
assert len(tours) == 10_000 and len(tours[9_999]) == 36
# A byte per square.
assert len(pickle.dumps(tours)) < 10_000 * 36 + 1_000
[most] = [line for line in open("/proc/self/status") if line.startswith("VmHWM:")]
print(int(most.split()[1]) < 100_000)
"""
    assert python(code) == "True\n"
