"""What calls are given, in the few forms that the library reads: texts, names, pairs of names."""

import operator
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from ._kt_enum import Tour


def text(given, join=None):
    """Return a text, the content of the file that a path names, or what is joined to a text."""
    if isinstance(given, (str, Tour)):
        return str(given)
    if isinstance(given, PathLike):
        return Path(given).read_text("utf-8", "replace")
    if join is None:
        raise TypeError(f"{type(given)} is neither a text nor a path")
    return join(given)


def name(square):
    """Return the name of a square or of a vertex, and a dot for a square to fill."""
    if square is None:
        return "."
    return ",".join(map(str, square)) if isinstance(square, tuple) else str(square)


def names(squares):
    """Return the names of squares: of a text with commas between them, or of any iterable."""
    return squares.split(",") if isinstance(squares, str) else list(map(name, squares))


def tour(given):
    """Return the text of tours."""
    return text(given, lambda squares: " ".join(map(name, squares)))


def puzzle(given):
    """Return the steps of a puzzle with their squares, or its text."""
    if isinstance(given, Mapping):
        return [(step, name(square)) for step, square in given.items()]
    return text(given, lambda rows: "\n".join(tour(list(row)) for row in rows))


def graph(given):
    """Return the text of a graph, or its edges and its vertices by their names."""
    return text(given, edges)


def edges(graph):
    """Return the edges and the vertices of a graph of networkx, or edges alone."""
    vertices = ()
    if hasattr(graph, "edges") and hasattr(graph, "nodes"):
        if graph.is_directed():
            raise ValueError("the graph is directed: its edges have to lead both ways")
        graph, vertices = graph.edges(), graph.nodes()
    return [(str(one), str(other)) for one, other in graph], list(map(str, vertices))


def number(given):
    """Return the bytes of the number of a tour."""
    given = operator.index(given)
    if given < 0:
        raise ValueError(f"{given} is negative: tours are numbered from 1")
    return given.to_bytes((given.bit_length() + 7) // 8, "little")
