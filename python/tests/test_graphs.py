"""Graphs whose vertices are any objects: counted as they are, and given back as they went in."""

import pickle
import xml.etree.ElementTree as xml

import kt_enum
import pytest

networkx = pytest.importorskip("networkx")


def by_hand(graph, closed):
    """Return the directed Hamiltonian paths or cycles of a graph, by trying all ways."""
    nodes = list(graph.nodes())

    def ways(path, left):
        if not left:
            return 1 if not closed or path[0] in graph[path[-1]] else 0
        return sum(ways([*path, node], left - {node}) for node in graph[path[-1]] if node in left)

    starts = nodes[:1] if closed else nodes
    return sum(ways([start], frozenset(nodes) - {start}) for start in starts)


class Place:
    """A vertex that is equal to itself alone."""


def of_objects():
    return networkx.relabel_nodes(networkx.cycle_graph(6), {node: Place() for node in range(6)})


GRAPHS = {
    "tuples": lambda: networkx.grid_2d_graph(3, 3),
    "bits": lambda: networkx.hypercube_graph(3),
    "edges": lambda: networkx.line_graph(networkx.complete_graph(4)),
    "products": lambda: networkx.cartesian_product(networkx.path_graph(["a b", "c"]), networkx.cycle_graph(4)),
    "numbers below zero": lambda: networkx.relabel_nodes(networkx.wheel_graph(7), lambda node: node - 3),
    "names with blanks": lambda: networkx.relabel_nodes(networkx.ladder_graph(4), lambda node: f"room {node}"),
    "numbers": networkx.cubical_graph,
    "fractions": lambda: networkx.relabel_nodes(networkx.complete_graph(5), lambda node: node / 2 - 1),
    "sets": lambda: networkx.relabel_nodes(networkx.octahedral_graph(), lambda node: frozenset([node])),
    "objects": of_objects,
    "words and numbers alike": lambda: networkx.relabel_nodes(networkx.cycle_graph(4), {0: "1", 2: "all"}),
    "parallel edges": lambda: networkx.MultiGraph([(1, 2), (2, 1), (2, 3), (3, 1), (3, 4), (4, 1)]),
    "both ways": lambda: networkx.grid_2d_graph(2, 4).to_directed(),
}


@pytest.mark.parametrize("kind", GRAPHS)
def test_vertices_of_any_kind_are_counted_and_given_back(kind):
    graph = GRAPHS[kind]()
    simple = networkx.Graph(graph)
    given = {id(node) for node in graph.nodes()}
    for closed in (False, True):
        expected = by_hand(simple, closed)
        for form in (graph, graph.edges, graph.edges()):
            count = kt_enum.count(graph=form, closed=closed, threads=1, memory="200M")
            assert (count.undirected if closed else count.directed) * (2 if closed else 1) == expected
        found = kt_enum.find(graph=graph, closed=closed)
        assert (found is None) == (expected == 0)
        if found is None:
            continue
        first = next(kt_enum.tours(graph=graph, closed=closed))
        drawn = kt_enum.random(graph=graph, closed=closed, seed=1)
        for tour in (found, first, drawn, kt_enum.nth([1], graph=graph, closed=closed)[0]):
            assert {id(node) for node in tour.names} == given
            assert all(other in simple[node] for node, other in zip(tour.names, tour.names[1:]))
            assert kt_enum.check(list(tour), graph=graph) in (["open"], ["closed"])
        assert kt_enum.rank(drawn) == kt_enum.rank(kt_enum.Tour(list(drawn), graph=graph, cycle=closed))


def test_a_start_and_an_end_are_given_as_vertices():
    grid = networkx.grid_2d_graph(3, 3)
    tour = kt_enum.find(graph=grid, start=(0, 0), to=(2, 2))
    assert (tour[0], tour[-1]) == ((0, 0), (2, 2))
    assert kt_enum.find(graph=grid, to=(2, 2))[-1] == (2, 2)
    listed = list(kt_enum.tours(graph=grid, start=(0, 0), to=(2, 2)))
    assert kt_enum.count(graph=grid, start=(0, 0), to=(2, 2)) == len(listed) == 2
    with pytest.raises(ValueError, match=r"start: \(9, 9\) is no vertex of the graph"):
        kt_enum.count(graph=grid, start=(9, 9))
    for node in (-1, -2):
        assert kt_enum.find(graph=[(-1, -2), (-2, -3), (-3, -1)], start=node)[0] == node


def test_a_graph_whose_edges_lead_one_way_is_refused():
    with pytest.raises(ValueError, match="directed: no edge leads back from 2 to 1"):
        kt_enum.count(graph=networkx.DiGraph([(1, 2)]))


def test_a_matrix_is_a_graph():
    cycle = networkx.cycle_graph(5)
    numpy = pytest.importorskip("numpy")
    matrix = numpy.array([[int(other in cycle[node]) for other in range(5)] for node in range(5)])
    for given in (matrix, matrix.tolist(), matrix.astype(bool)):
        assert kt_enum.count(graph=given, closed=True) == 1
        assert sorted(kt_enum.find(graph=given)) == list(range(5))
    assert kt_enum.count(graph=[[0, 1], [1, 0]]) == 2 and kt_enum.count(graph=[[0, 0], [0, 0]]) == 0
    assert kt_enum.count(graph=numpy.array([[1, 2], [2, 3]])) == 2
    matrix[0, 3] = 1
    with pytest.raises(ValueError, match="a matrix of a graph has 0 and 1 alone, the same above"):
        kt_enum.count(graph=matrix)


def test_tours_of_graphs_are_pickled_with_their_vertices():
    grid = networkx.grid_2d_graph(3, 4)
    tours = kt_enum.random(graph=grid, count=5, seed=1)
    puzzle = kt_enum.Puzzle({1: (0, 0), 12: (2, 0)}, graph=grid)
    again, other, made = pickle.loads(pickle.dumps((tours, tours[0], puzzle)))
    assert again == tours and other == tours[0] and other.names == tours[0].names
    assert made == puzzle and made.clues == {1: (0, 0), 12: (2, 0)} and hash(made) == hash(puzzle)
    renamed = networkx.relabel_nodes(grid, lambda node: (node, "x"))
    assert kt_enum.find(graph=grid) != kt_enum.find(graph=renamed)


def test_a_puzzle_of_a_graph_is_told_by_vertices():
    cube = networkx.hypercube_graph(3)
    puzzle = kt_enum.puzzle(graph=cube, seed=1)
    assert all(puzzle.solution[step - 1] is vertex for step, vertex in puzzle.clues.items())
    assert kt_enum.is_unique(puzzle.clues, graph=cube)
    [solution] = kt_enum.solve(puzzle.clues, graph=cube).solutions
    assert solution == puzzle.solution and {id(node) for node in solution} == set(map(id, cube))


def test_a_tour_is_a_graph_of_networkx():
    cube = networkx.hypercube_graph(3)
    cycle = kt_enum.find(graph=cube, closed=True).to_networkx()
    assert set(cycle) == set(cube) and networkx.is_isomorphic(cycle, networkx.cycle_graph(8))
    assert all(cube.has_edge(*edge) for edge in cycle.edges())
    path = kt_enum.find(graph=cube, start=(0, 0, 0)).to_networkx()
    assert list(path)[0] == (0, 0, 0) and path.number_of_edges() >= 7
    board = kt_enum.nth(1, 5).to_networkx()
    assert set(board) == {f"{col}{row}" for col in "abcde" for row in range(1, 6)}


def test_a_tour_of_a_graph_is_drawn_on_a_circle_or_on_its_places():
    wheel = networkx.wheel_graph(7)
    tour = kt_enum.find(graph=wheel, closed=True)
    for pos in (None, networkx.circular_layout(wheel)):
        picture = xml.fromstring(tour.svg(pos=pos, title="<wheel>"))
        texts = [text for text in picture.itertext() if text.isdigit()]
        circles = [one for one in picture.iter() if one.tag.endswith("circle")]
        assert {str(step) for step in range(1, 8)} <= set(texts) and len(circles) == 7
        places = [(float(one.get("cx")), float(one.get("cy"))) for one in circles]
        assert len(set(places)) == 7 and "<wheel>" in "".join(picture.itertext())
        assert any(one.tag.endswith("polygon") for one in picture.iter())
    line = kt_enum.find(graph=[("a", "b"), ("b", "c")])
    assert "polyline" in line._repr_svg_()
    with pytest.raises(ValueError, match="pos: give each vertex two numbers"):
        tour.svg(pos={0: (1, 2)})
    with pytest.raises(ValueError, match="not finite"):
        tour.svg(pos=pos | {0: (1, float("nan"))})
    with pytest.raises(ValueError, match="pos: squares have their own places"):
        kt_enum.nth(1, 5).svg(pos={})


def test_a_puzzle_of_a_graph_is_drawn_on_a_circle_or_on_its_places():
    cube = networkx.hypercube_graph(3)
    puzzle = kt_enum.puzzle(graph=cube, seed=1)
    given = {str(step) for step in puzzle.clues}
    for pos in (None, networkx.spring_layout(cube, seed=1)):
        for answer, numbers in ((False, given), (True, {str(step) for step in range(1, 9)})):
            picture = xml.fromstring(puzzle.svg(pos=pos, answer=answer, title="<cube>"))
            assert {text for text in picture.itertext() if text.isdigit()} == numbers
            assert "<cube>" in "".join(picture.itertext()) and "(0, 0, 0)" in "".join(picture.itertext())
            circles = [one for one in picture.iter() if one.tag.endswith("circle")]
            assert len({(one.get("cx"), one.get("cy")) for one in circles}) == 8
            [edges] = [one.get("d") for one in picture.iter() if one.tag.endswith("path")]
            assert edges.count("M") == cube.number_of_edges()
            assert any(one.tag.endswith("polyline") for one in picture.iter()) == answer
    # The picture of a puzzle does not give its solution away.
    assert puzzle._repr_svg_() == kt_enum.Puzzle(puzzle.clues, graph=cube)._repr_svg_() == puzzle.svg()
    with pytest.raises(ValueError, match="pos: give each vertex two numbers"):
        puzzle.svg(pos={})
    with pytest.raises(ValueError, match="pos: squares have their own places"):
        kt_enum.puzzle(5, seed=1).svg(pos={})
