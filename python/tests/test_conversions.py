"""What boards, squares and numbers are converted from and to."""

import sys

import kt_enum
import pytest


def test_a_board_is_given_in_many_ways():
    sizes = [(6, {}), ("6", {}), ("6x6", {}), ((6, 6), {}), (None, {"rows": 6, "cols": 6})]
    sizes += [(None, {"board": "6x6"}), (None, {"board": "\n".join(["." * 6] * 6)})]
    assert {kt_enum.count(size, tours="closed", **rest).undirected for size, rest in sizes} == {9862}


def test_integers_of_numpy_are_integers():
    numpy = pytest.importorskip("numpy")
    size, sides = numpy.int64(6), numpy.array([5, 6])
    assert kt_enum.count(size, tours="closed", threads=numpy.int32(2)).undirected == 9862
    assert kt_enum.nth(numpy.uint8(3), tuple(sides)) == kt_enum.nth(3, "5x6")
    tours = kt_enum.nth(numpy.arange(1, 5), "5x6")
    assert len(tours) == 4
    with pytest.raises(ValueError, match="copied"):
        tours.__array__(copy=False)
    pandas = pytest.importorskip("pandas")
    assert kt_enum.check(pandas.DataFrame(tours[0].array())) == ["open"]
    assert kt_enum.count(range(3, 5)) == 16
    tour = kt_enum.Tour(numpy.array(kt_enum.nth(3, "5x6").squares), "5x6")
    assert tour == kt_enum.nth(3, "5x6")


def test_a_tour_is_an_array_of_numpy():
    pytest.importorskip("numpy")
    array = kt_enum.Tour("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3").array()
    assert array.tolist() == [[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]


def test_an_array_of_a_tour_is_that_tour():
    numpy = pytest.importorskip("numpy")
    holed = {"size": "4x3", "without": "b4"}
    for tour in [kt_enum.nth(5, "3x4"), kt_enum.nth(1, 6, tours="closed"), kt_enum.find(**holed)]:
        assert kt_enum.Tour(tour.array()) == tour
    for wazir in kt_enum.tours("3x2", piece="wazir"):
        assert kt_enum.Tour(wazir.array(), piece="wazir", cycle=False) == kt_enum.Tour(wazir, cycle=False)
        squares = numpy.array(wazir.squares)
        assert kt_enum.Tour(squares, piece="wazir", cycle=False) == kt_enum.Tour(wazir, cycle=False)


def test_numpy_is_needed_for_arrays_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    tour = kt_enum.nth(1, 5)
    assert len(tour.squares) == 25
    with pytest.raises(ImportError):
        tour.array()


def test_a_graph_is_edges_in_any_iterable():
    cycle = [(number, (number + 1) % 5) for number in range(5)]
    for edges in (cycle, tuple(cycle), iter(cycle), (edge for edge in cycle), set(cycle)):
        assert kt_enum.count(graph=edges, tours="closed").undirected == 1
    named = [("a", "b"), ("b", "c"), ("c", "a")]
    assert kt_enum.count(graph=named, from_="a").directed == 2
    assert sorted(next(kt_enum.tours(graph=named)).names) == ["a", "b", "c"]
    assert kt_enum.count(graph=[(1, 2, "x"), (2, 3, "y"), (2, 1, "z")]).directed == 2


def test_vertices_are_told_apart_as_python_does():
    assert kt_enum.count(graph=[(1, 2), (2.0, 3)]).directed == 2
    assert kt_enum.count(graph=[(1, 2), ("1", 3)]) == 0
    assert kt_enum.count(graph=[(1, 2), ("1", 2)]) == 2


def test_a_graph_is_a_dictionary_of_neighbours():
    triangle = {"ab": ["bc", "cd"], "bc": ["ab", "cd"], "cd": ["ab", "bc"]}
    assert kt_enum.count(graph=triangle, closed=True) == 1 and kt_enum.count(graph={**triangle, 0: []}) == 0
    with pytest.raises(ValueError, match="directed: no edge leads back from 2 to 1"):
        kt_enum.count(graph={1: [2], 2: []})


def test_a_graph_is_a_table_of_pandas():
    pandas, networkx = pytest.importorskip("pandas"), pytest.importorskip("networkx")
    grid = networkx.grid_2d_graph(2, 3)
    for table in (networkx.to_pandas_adjacency(grid), networkx.to_pandas_edgelist(grid)):
        assert kt_enum.count(graph=table) == kt_enum.count(graph=grid) == 16
        assert set(kt_enum.find(graph=table)) == set(grid)
    assert kt_enum.count(graph=pandas.DataFrame([[0, 1], [1, 2]], columns=["from", "to"])) == 2


def test_rows_that_may_be_edges_or_neighbours_are_refused():
    hexagon = [[1, 5], [0, 2], [1, 3], [2, 4], [3, 5], [4, 0]]
    petersen = [[1, 4, 5], [0, 2, 6], [1, 3, 7], [2, 4, 8], [0, 3, 9], [0, 7, 8], [1, 8, 9], [2, 5, 9], [3, 5, 6], [4, 6, 7]]
    for rows in (hexagon, petersen, [[one + 1 for one in row] for row in petersen]):
        with pytest.raises(ValueError, match="these rows may be edges or neighbours of vertices"):
            kt_enum.count(graph=rows)
    assert kt_enum.count(graph=dict(enumerate(hexagon)), closed=True) == 1
    assert kt_enum.count(graph=dict(enumerate(petersen))) == 240
    # A triangle is the same either way.
    assert kt_enum.count(graph=[[1, 2], [2, 0], [0, 1]], closed=True) == 1
    assert kt_enum.count(graph=["ab", "bc"]) == 2
    with pytest.raises(TypeError, match="a graph is a list of edges"):
        kt_enum.count(graph=["source", "target"])


def test_a_graph_of_networkx_is_a_graph_with_its_lonely_nodes():
    networkx = pytest.importorskip("networkx")
    assert kt_enum.count(graph=networkx.petersen_graph(), tours="closed").undirected == 0
    assert kt_enum.count(graph=networkx.complete_graph(5), tours="closed").undirected == 12
    lonely = networkx.cycle_graph(4)
    lonely.add_node(9)
    assert kt_enum.count(graph=lonely).undirected == 0
    with pytest.raises(ValueError, match="directed"):
        kt_enum.count(graph=networkx.DiGraph([(1, 2)]))
    two_ways = networkx.petersen_graph().to_directed()
    assert kt_enum.count(graph=two_ways) == kt_enum.count(graph=networkx.petersen_graph()) == 240


def test_a_graph_is_read_from_a_text_or_a_file(tmp_path):
    assert kt_enum.count(graph="Bw", tours="closed").undirected == 1
    file = tmp_path / "triangle"
    file.write_text("3 2\n1 2\n1 3\n")
    assert kt_enum.count(graph=file, graph_format="header").undirected == 1
    with pytest.raises(ValueError, match="the format is not sure"):
        kt_enum.count(graph=file)
    with pytest.raises(ValueError, match="joins a vertex to itself"):
        kt_enum.count(graph=[(1, 1)])
    with pytest.raises(OSError):
        kt_enum.count(graph=tmp_path / "nothing")
    with pytest.raises(TypeError):
        kt_enum.count(graph=3)


def test_a_drawing_is_a_text_or_a_file(tmp_path):
    plain = "#..#\n....\n...."
    count = kt_enum.count(board=plain, piece="king").undirected
    assert count > 0
    assert count == kt_enum.count("3x4", without="a3,d3", piece="king").undirected
    assert count == kt_enum.count("3x4", without=[(2, 0), "d3"], piece="king").undirected
    file = tmp_path / "board"
    file.write_text(plain)
    assert kt_enum.count(board=file, piece="king").undirected == count
    assert kt_enum.count(board=str(kt_enum.nth(1, board=plain, piece="king").board)).undirected == count


def test_a_drawing_that_is_wrong_is_refused_with_its_line():
    with pytest.raises(ValueError, match="line 1: `\u25a1` is neither a square"):
        kt_enum.count(board="\u25a1\u25a1")
    with pytest.raises(ValueError, match="line 2: a row of 2 where the first row .* has 3"):
        kt_enum.count(board="...\n..")
    with pytest.raises(ValueError, match="these are 2 boards"):
        kt_enum.count(board="...\n\n...")


def test_numbers_beyond_the_digits_that_python_converts_are_exact(python):
    code = """
import sys, kt_enum
count = kt_enum.count("3x1900", tours="closed", memory="1G")
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(640)
directed = count.directed
try:
    kt_enum.nth(directed, "3x10", tours="closed")
except ValueError as error:
    print(error)
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
units = [line.split("\\t") for line in count.text.splitlines() if not line.startswith("#")]
sys.set_int_max_str_digits(640) if hasattr(sys, "set_int_max_str_digits") else None
part = kt_enum.Part(0, 1, directed, 0.0, "")
assert len(repr(count)) > 1280 and str(part) == repr(part) and len(str(part)) > 640
try:
    kt_enum.nth(-directed, 5)
except ValueError as error:
    assert "is negative" in str(error)
sys.set_int_max_str_digits(0) if hasattr(sys, "set_int_max_str_digits") else None
print(len(str(directed)) > 640, directed == sum(int(found) for _, found in units))
"""
    refusal, exact = python(code).splitlines()
    assert refusal.endswith("the numbers are 1 to 16") and exact == "True True"
    with pytest.raises(ValueError, match="-3 is negative"):
        kt_enum.nth(-3, 5)
    with pytest.raises(TypeError):
        kt_enum.nth(1.5, 5)
    for numbers in (True, [1, True]):
        with pytest.raises(TypeError, match="True is no number"):
            kt_enum.nth(numbers, 5)
