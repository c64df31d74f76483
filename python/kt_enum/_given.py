"""What calls are given, in the few forms that the library reads: texts, names, pairs of names."""

import operator
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from ._kt_enum import Tour
from ._progress import watch as watch


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
    """Return the text of a puzzle, or its steps with the names of their squares."""
    if isinstance(given, Mapping):
        return None, [(step, name(square)) for step, square in given.items()]
    return text(given, lambda rows: "\n".join(tour(list(row)) for row in rows)), []


def graph(given):
    """Return the text of a graph, or its edges and its vertices by their names."""
    if isinstance(given, (str, PathLike)):
        return text(given), [], []
    vertices = ()
    if hasattr(given, "edges") and hasattr(given, "nodes"):
        if given.is_directed():
            raise ValueError("the graph is directed: its edges have to lead both ways")
        given, vertices = given.edges(), given.nodes()
    return None, [(str(one), str(other)) for one, other in given], list(map(str, vertices))


def several(given):
    """Return whether one thing is given, and a list of it or of the things."""
    is_one = not hasattr(given, "__iter__")
    return is_one, [given] if is_one else list(given)


def numbers(given):
    """Return whether one number is given, and the bytes of each."""
    is_one, given = several(given)
    return is_one, list(map(to_bytes, given))


def to_bytes(number):
    """Return the bytes of the number of a tour."""
    if isinstance(number, bool):
        raise TypeError(f"{number} is no number: tours are numbered from 1")
    number = operator.index(number)
    if number < 0:
        raise ValueError(f"{number} is negative: tours are numbered from 1")
    return number.to_bytes((number.bit_length() + 7) // 8, "little")


def parts(given):
    """Return the texts of the parts of a count, and their time."""
    given = list(given)
    return [part.text for part in given], sum(part.elapsed for part in given)
