# What calls are given, in the few forms that the library reads: texts, names, pairs of names.

import math
import operator
from collections.abc import Mapping, Sequence, Set
from decimal import Decimal
from os import PathLike, fspath
from os.path import isfile
from pathlib import Path

from ._keywords import check as check
from ._kt_enum import Puzzle, Tour
from ._progress import foretell as foretell, watch as watch


# Returns a text, the content of the file that a path names, or what is joined to a text.
def text(given, join):
    if isinstance(given, str):
        return given
    if isinstance(given, PathLike):
        return Path(given).read_text("utf-8", "replace")
    return join(given)


# Returns the words for what was given in vain, if it may have been meant as a path.
def advice(given):
    is_path = isinstance(given, str) and (len(given.split()) == 1 or isfile(given))
    return f": for a file give pathlib.Path({given!r})" if is_path else ""


# Returns the text of something that a name could be too, or the content of a file.
def no_path(given):
    if isinstance(given, str) and isfile(given):
        raise ValueError(f"`{given}` is a file{advice(given)}")
    return text(given, None)


# Returns the name of a square or of a vertex, and a dot for a square to fill.
def name(square):
    if square is None:
        return "."
    return ",".join(map(str, square)) if isinstance(square, (tuple, list)) else str(square)


# Returns the names of squares: of a text with commas between them, or of any iterable.
def names(squares):
    return squares.split(",") if isinstance(squares, str) else list(map(name, squares))


# Returns the text of a drawing, whose rows may be in a list, each a text or a list of signs.
def drawing(given):
    return text(given, lambda rows: "\n".join(signs(row) for row in listed(rows, DRAWING)))


# Returns the text of a row of a drawing.
def signs(row):
    return row if isinstance(row, str) else "".join(map(str, listed(row, DRAWING)))


DRAWING = "a board is a drawing such as ['...', '.#.'], a description or a path"
PUZZLE = "a puzzle is a Puzzle, a text, a path, rows of numbers, or a dictionary of steps and squares"


# Returns a list of what is given, if it holds several things at all.
def listed(given, what):
    if not hasattr(given, "__iter__"):
        raise TypeError(f"{what}; {given!r} is none")
    return list(given)


# Returns the text of a shard.
def shard(given):
    if not hasattr(given, "forecast"):
        raise TypeError(f"{given!r} is no shard: give one that kt_enum.shards has made")
    return given.text


# Returns tours with their texts, or the text of tours without them.
def tours(given, vertices=None):
    if isinstance(given, (str, PathLike)):
        return [(None, no_path(given))]
    given = given.to_numpy() if hasattr(given, "to_numpy") else given
    if getattr(given, "ndim", 1) == 2 and (given.shape[1] != 2 or is_numbered(given.ravel())):
        # The array of a tour, from row 1 on; a grid is read from its top row on.
        rows = [[number or "#" for number in row] for row in given[::-1].tolist()]
        return [(None, puzzle(rows)[0])]
    given = [given] if isinstance(given, Tour) else list(given)
    are_tours = [isinstance(one, Tour) for one in given]
    if any(are_tours):
        if not all(are_tours):
            raise TypeError("some of these are tours and some are not")
        return [(one, str(one)) for one in given]
    return [(None, line([vertices.get(one, one) for one in given] if vertices else given))]


# Returns whether squares have numbers from 1 on, or 0 for a hole; places have others.
def is_numbered(squares):
    return sorted(filter(None, squares)) == list(range(1, sum(map(bool, squares)) + 1)) != []


# Returns the places of vertices, of which networkx has two numbers or more each.
def places(pos, names):
    try:
        found = [(x, y) for x, y, *_ in (map(float, pos[name]) for name in names)]
        if not all(map(math.isfinite, sum(found, ()))):
            raise ValueError("a place is not finite")
        return found
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"pos: give each vertex two numbers, as networkx does: {error!r}") from error


# Returns the line of a row or of a tour.
def line(squares):
    return " ".join(map(name, squares))


# Returns the text of a puzzle, or its steps with the names of their squares.
def puzzle(given):
    if isinstance(given, Mapping):
        return None, [(step(place), square) for place, square in given.items()]
    return text(given, lambda rows: "\n".join(map(row, listed(rows, PUZZLE)))), []


# Returns a puzzle that was pickled.
def again(site, is_closed, clues, solution, difficulty):
    return Puzzle(clues, board=site, closed=is_closed, solution=solution, difficulty=difficulty)


# Returns the text of a size.
def size(given):
    if isinstance(given, str):
        return given
    sides = given if isinstance(given, Sequence) and len(given) == 2 else (given, given)
    if not all(hasattr(side, "__index__") and not isinstance(side, bool) for side in sides):
        raise TypeError("size: give a number such as 8, \"6x8\" or (6, 8)")
    if min(map(operator.index, sides)) < 0:
        raise ValueError(f"size: {given} is below 1: give a number such as 8, \"6x8\" or (6, 8)")
    return "x".join(map(digits, sides))


# Returns the text of a piece: its name, or its leap of two numbers, or several leaps.
def piece(given):
    if isinstance(given, str):
        return given
    steps = listed(given, "a piece is a name, or a step such as (1, 2), or several of them")
    steps = [steps] if not any(isinstance(step, (tuple, list)) for step in steps) else steps
    return "+".join(",".join(map(str, step)) for step in steps)


# Returns the text of a number of bytes.
def size_of_bytes(given):
    if isinstance(given, str):
        return given
    if hasattr(given, "__index__") and not isinstance(given, bool):
        return digits(given)
    raise TypeError("give a number of bytes, or 2G, 1.5G or 64K")


# Returns the path of a file or a folder to write.
def place(path):
    if not fspath(path):
        raise ValueError("the path of a checkpoint or an index is empty: name a file or a folder")
    return path


# Returns the number of a step.
def step(number):
    if not 0 <= operator.index(number) < 2**32:
        raise ValueError(f"{digits(number)} is not a step: the steps begin with 1")
    return number


# Returns the line of a row of a puzzle, which may be one.
def row(given):
    if not isinstance(given, str):
        return line(listed(given, PUZZLE))
    if len(given.splitlines()) > 1:
        raise ValueError("a row of a puzzle is one line: of several puzzles make a list of Puzzle")
    return given


# Returns the text of a graph, or its edges by the places of vertices, and the vertices.
def graph(given):
    if isinstance(given, (str, PathLike)):
        return no_path(given), [], []
    vertices, edges = parsed(given)
    # Of equal vertices, as 2 and 2.0 are, the first is kept; parallel edges are one.
    vertices = list(dict.fromkeys([*vertices, *(end for edge in edges for end in edge)]))
    places = dict(zip(vertices, range(len(vertices))))
    edges = {frozenset(edge): (places[edge[0]], places[edge[1]]) for edge in edges}
    return None, list(edges.values()), vertices


GRAPH = "a graph is a list of edges, each a pair of vertices"


# Returns the vertices and the edges of a graph.
def parsed(given):
    if hasattr(given, "edges") and hasattr(given, "nodes"):
        edges = [edge[:2] for edge in given.edges()]
        return list(given.nodes()), both_ways(edges) if given.is_directed() else edges
    if isinstance(given, Mapping) and not isinstance(given, Set):
        return list(given), both_ways([(one, other) for one in given for other in given[one]])
    # The names of the rows of a table that is a matrix.
    names = list(getattr(given, "columns", ()))
    names = names if names and list(given.index) == names else None
    for dense in ("toarray", "to_numpy", "tolist"):
        given = getattr(given, dense)() if hasattr(given, dense) else given
    edges = listed(given, GRAPH)
    rows = [list(edge) for edge in edges if hasattr(edge, "__iter__")]
    if any(isinstance(edge, str) and len(edge) != 2 for edge in edges) or len(rows) < len(edges):
        raise TypeError(GRAPH)
    # Two pairs are edges, which are the same graph if they are a matrix too.
    is_square = {len(row) for row in rows} == {len(edges)} and len(edges) != 2 or rows == [[0, 0]] * 2
    if names or is_square and all(isinstance(one, (int, float)) for row in rows for one in row):
        if {one for row in rows for one in row} - {0, 1} or rows != [list(row) for row in zip(*rows)]:
            raise ValueError("a matrix of a graph has 0 and 1 alone, the same above its diagonal as below")
        names = names or range(len(rows))
        return names, [(one, other) for one, row in zip(names, rows) for other, is_edge in zip(names, row) if is_edge]
    if any(len(row) < 2 for row in rows):
        raise TypeError(GRAPH)
    if any(are_neighbours(rows, first) for first in (0, 1)):
        raise ValueError("these rows may be edges or neighbours of vertices: give a dictionary of neighbours, or a Graph")
    return [], [tuple(edge[:2]) for edge in rows]


# Returns edges that lead both ways.
def both_ways(edges):
    known = set(edges)
    for one, other in edges:
        if (other, one) not in known:
            raise ValueError(f"the graph is directed: no edge leads back from {other} to {one}")
    return edges


# Returns whether rows can be the neighbours of vertices that are numbered, and are another graph then.
def are_neighbours(rows, first):
    if not all(isinstance(one, int) for row in rows for one in row):
        return False
    edges = {(place, other) for place, row in enumerate(rows, first) for other in row}
    is_graph = all(place != other and (other, place) in edges for place, other in edges)
    return is_graph and set(map(frozenset, edges)) != {frozenset(row[:2]) for row in rows}


# Returns whether one thing is given, and a list of it or of the things.
def several(given):
    is_one = isinstance(given, Tour) or not hasattr(given, "__iter__")
    return is_one, [given] if is_one else list(given)


# Returns whether one number is given, and the bytes of each.
def numbers(given):
    is_one, given = several(given)
    return is_one, list(map(to_bytes, given))


# Returns the bytes of the number of a tour.
def to_bytes(number):
    if isinstance(number, bool):
        raise TypeError(f"{number} is no number: tours are numbered from 1")
    number = operator.index(number)
    if number < 0:
        raise ValueError(f"{digits(number)} is negative: tours are numbered from 1")
    return number.to_bytes((number.bit_length() + 7) // 8, "little")


# Returns the texts of the parts of a count, and their time.
def parts(given):
    given = listed(given, "merge takes a list of what Shard.run returns")
    if not given:
        raise ValueError("there is no part: merge takes a list of what Shard.run returns")
    for part in given:
        if not hasattr(part, "elapsed"):
            raise TypeError(f"{part!r} is no part: merge takes a list of what Shard.run returns")
    return [part.text for part in given], sum(part.elapsed for part in given)


# Returns all digits of a whole number. Those of a decimal are not limited, as others are.
def digits(number):
    return format(Decimal(operator.index(number)), "f")
