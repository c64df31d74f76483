"""The public functions: their signatures, and the words about each of their keywords.

The compiled functions take any keywords. What they are called with is checked here, so a misspelt
keyword is refused with the name of the nearest one, and help, completion, the stubs and the reference
page all show what this table says.
"""

from . import _kt_enum

# The default that a signature shows, and the words. None stands for what is not given.
KEYWORDS = {
    "size": (None, 'The board: 8, "6x8" or (6, 8), rows first.'),
    "number": (..., "The number of a tour, from 1 on, or several numbers."),
    "tour": (..., "A tour, or several tours of one board."),
    "text": (..., "A text, a `pathlib.Path` of a file, squares, an array of numpy, or tours."),
    "puzzle": (..., "A `Puzzle`, a text, a path, rows of numbers, or a dictionary of steps and squares."),
    "shard": (..., "Any shard of the count."),
    "folder": (..., "A folder, which is made if it is missing."),
    "parts": (..., "What `Shard.run` has returned for each shard, in any order."),
    "of": (..., "The number of shards."),
    "rows": (None, "The number of rows, in place of `size`, together with `cols`."),
    "cols": (None, "The number of columns."),
    "board": (None, 'A drawing ("..#" a line for each row), a description ("8x8 piece=king") or a path.'),
    "graph": (None, "Edges, a graph of networkx, a matrix of 0 and 1, the text of a graph file, or its path."),
    "graph_format": (None, "The format of a graph file that could be read in two ways."),
    "piece": (None, 'A piece by name, or its steps, as "2,1". Default: "knight".'),
    "wrap": (None, 'Joined edges: "none", "cylinder", "torus" or "moebius". Default: "none".'),
    "without": (None, "Squares that the board lacks: names, or rows and columns from 0."),
    "tours": (None, '"open" or "closed". Default: "open".'),
    "closed": (None, 'True is short for `tours="closed"`, False for `tours="open"`.'),
    "start": (None, "The square or vertex on which tours start. Default: any."),
    "from_": (None, "The same as `start`."),
    "to": (None, "The square or vertex on which open tours end. Default: any."),
    "classes": (False, "True for classes of tours up to the symmetries of the board."),
    "engine": (None, '"walk", "edges", "frontier" or "subsets". Default: the fastest that fits.'),
    "split_depth": (None, "The moves of a search after which its units begin. Default: chosen."),
    "cut": (None, 'The units of the frontier, as "C:S:Q". Default: chosen.'),
    "memo": (None, 'Bytes of the transposition table of each thread, also as "64M", or "off".'),
    "threads": (None, "Worker threads, from 1 to 4096. Default: all cores."),
    "memory": (None, 'The most bytes of memory, also as "2G". Default: a part of what is free.'),
    "disk": (None, 'The most bytes of disk, also as "2G". Default: half of what is free.'),
    "max_time": (None, "The most seconds, or a `timedelta`. Default: no limit."),
    "checkpoint": (None, "A file that keeps the state, so that the same call resumes. Default: none."),
    "fresh": (False, "True to start over and discard what was kept."),
    "checkpoint_interval": (30, "The most seconds of finished work that a crash may cost."),
    "prepared": (None, "A folder in which `prepare` has computed what the shards need."),
    "progress": (None, "True for a bar, a function that gets a dictionary, False for no warning either."),
    "cancel": (None, "An object whose `is_set()` becomes true to end the call, as `threading.Event`."),
    "by": (None, 'The rule that assigns units: "remainder" or "group". Default: chosen.'),
    "probes": (100_000, "The most random probes."),
    "within": (None, "The seconds within which the estimate ends, or a `timedelta`. Default: chosen."),
    "seed": (None, "A whole number: the same seed gives the same result on every machine."),
    "count": (None, "The number of tours. Default: one, which is returned by itself."),
    "index": (None, "A folder that keeps the tables, so that later calls start at once. Default: none."),
    "limit": (None, "The most tours or solutions. Default: all tours, or 2 solutions."),
    "order": (None, 'The order of moves: "row-major", "linear", "report" or steps. Default: "row-major".'),
    "after": (None, "The tour before the first one. Default: none."),
    "strategy": (None, '"auto", "blind", "pruned", "h1a", "warnsdorff", "roth", "h2" or "pohl". Default: "auto".'),
    "max_moves": (None, "The most moves that the search tries. Default: that of the strategy."),
    "max_backtracks": (None, "The most moves that it takes back. Default: that of the strategy."),
    "clues": (None, "The number of steps that are given. Default: as few as an order of removal allows."),
    "symmetric": (False, "True for squares with steps that a half turn maps onto each other."),
    "ends": (None, 'The ends of the tour: "any", "shown" or "hidden". Default: "any".'),
    "cycle": (None, "True for a tour that is meant as a cycle. Default: wherever a move joins its ends."),
    "solution": (None, "The solution, if it is known."),
    "difficulty": (None, "The words about how hard it is, if they are known."),
}
BOARD = "rows cols board graph graph_format piece wrap without "
QUESTION = BOARD + "tours closed start from_ to "
ENGINE = "engine split_depth cut "
LIMITS = "threads memory disk max_time "
RUN = LIMITS + "checkpoint fresh checkpoint_interval "
LONG = "progress cancel"
NUMBERED = "index " + LIMITS + "fresh " + LONG
SOLVE = BOARD + "tours closed threads max_time " + LONG
# The positional arguments and the keywords of each.
FUNCTIONS = {
    "count": ("size", QUESTION + ENGINE + "memo classes " + RUN + LONG),
    "shards": ("size", "of " + QUESTION + ENGINE + "by max_time " + LONG),
    "prepare": ("shard folder", LIMITS + "fresh checkpoint_interval " + LONG),
    "merge": ("parts", "max_time " + LONG),
    "estimate": ("size", QUESTION + ENGINE + "memo threads memory disk probes within seed " + LONG),
    "tours": ("size", QUESTION + "classes limit order after cancel"),
    "find": ("size", QUESTION + "strategy order max_moves max_backtracks max_time " + LONG),
    "random": ("size", QUESTION + "count seed " + NUMBERED),
    "nth": ("number size", QUESTION + NUMBERED),
    "rank": ("tour", "tours closed start from_ to " + NUMBERED),
    "read": ("text size", BOARD),
    "check": ("text size", BOARD),
    "solve": ("puzzle size", "limit " + SOLVE),
    "is_unique": ("puzzle size", SOLVE),
    "hint": ("puzzle size", SOLVE),
    "puzzle": ("size", "clues symmetric ends seed " + SOLVE),
}
OTHERS = {
    "Tour": ("squares size", "cycle " + BOARD),
    "Puzzle": ("given size", "solution difficulty tours closed " + BOARD),
    "run": ("", "prepared " + RUN + LONG),
}
MEANT = {"n": "size", "width": "cols", "height": "rows", "columns": "cols", "timeout": "max_time"}
MEANT.update({"kind": "tours", "end": "to", "workers": "threads", "jobs": "threads", "k": "limit"})
RAISES = {
    "ValueError": "something that was given is wrong; the words say what would be right.",
    "TypeError": "something is of another type, or there is no such keyword.",
    "OSError": "a file cannot be read or written.",
    "MemoryError": "the memory does not suffice.",
    "Undecided": "`max_time` or another limit was reached first; a checkpoint is kept.",
    "Cancelled": "`cancel` was set, which is heard within 0.3 seconds.",
}


def check(name, options):
    """Refuse keywords that a function does not know."""
    words = (FUNCTIONS.get(name) or OTHERS[name])
    for option in options or ():
        if option not in (known := " ".join(words).split()):
            from difflib import get_close_matches

            nearest = get_close_matches(option, known, 1, 0.5) or [MEANT.get(option)]
            meant = f": did you mean '{nearest[0]}'?" if nearest[0] in known else f": it has {', '.join(known)}"
            raise TypeError(f"{name}() got an unexpected keyword argument '{option}'{meant}")


def raised(keywords):
    """Return the words about what a function with some keywords raises."""
    kinds = ["ValueError", "TypeError"]
    kinds += ["OSError", "MemoryError"] if "memory" in keywords else []
    kinds += ["Undecided"] if {"max_time", "within"} & keywords else []
    kinds += ["Cancelled"] if "cancel" in keywords else []
    return "\n".join(f"    {kind}: {RAISES[kind]}" for kind in kinds)


def words(name, doc):
    """Return a docstring with the words about all keywords."""
    names = " ".join(FUNCTIONS.get(name) or OTHERS[name]).split()

    def line(keyword):
        default, said = KEYWORDS[keyword]
        default = f" Default: {default}." if default not in (None, ...) else ""
        return f"    {keyword}: {said}{default}"

    lines = "\n".join(map(line, names))
    return f"{doc.strip()}\n\nArguments:\n{lines}\n\nRaises:\n{raised(set(names))}\n"


def public(name):
    """Return the public function of a name."""
    from inspect import Parameter, Signature

    function = getattr(_kt_enum, name)
    positional, keywords = (names.split() for names in FUNCTIONS[name])

    def call(*args, **options):
        check(name, options)
        return _kt_enum.guarded(function, *args, **options)

    def parameter(keyword, kind):
        default = KEYWORDS[keyword][0]
        return Parameter(keyword, kind, default=Parameter.empty if default is ... else default)

    named = [parameter(keyword, Parameter.POSITIONAL_OR_KEYWORD) for keyword in positional]
    named += [parameter(keyword, Parameter.KEYWORD_ONLY) for keyword in keywords]
    call.__signature__ = Signature(named)
    call.__name__ = call.__qualname__ = name
    call.__module__ = "kt_enum"
    call.__doc__ = words(name, function.__doc__)
    return call
