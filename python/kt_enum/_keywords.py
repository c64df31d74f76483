# The public functions: their signatures, and the words about each of their keywords, from a table.
#
# The compiled functions take any keywords. What they are called with is checked here, so a misspelt
# keyword is refused with the name of the nearest one, and help, completion, the stubs and the
# reference page all show what the table says.

import json
from os.path import dirname, join

from . import _kt_enum

WORDS, DEFAULTS, GROUPS, ARGUMENTS, MEANT, RAISED = {}, {}, {}, {}, {}, {}


# Replaces the names of groups by what they stand for.
def spread(names):
    return [one for name in names for one in (spread(GROUPS[name]) if name in GROUPS else [name])]


with open(join(dirname(__file__), "keywords.txt"), encoding="utf-8") as table:
    for row in (row.rstrip("\n").split(" | ") for row in table if not row.startswith("#")):
        name, middle, last = row[0].rstrip("()?!"), row[1].strip("-"), row[2]
        if middle == "=":
            GROUPS[name] = last.split()
        elif row[0].endswith("()"):
            ARGUMENTS[name] = middle.split(), spread(last.split())
        elif row[0].endswith("?"):
            MEANT[name] = last
        elif row[0].endswith("!"):
            RAISED[name] = set(middle.split()), last
        else:
            WORDS[name] = last
            DEFAULTS.update({name: json.loads(middle)} if middle else {})


# Refuses keywords that a function does not know.
def check(name, options):
    known = sum(ARGUMENTS[name], [])
    for option in options or ():
        if option not in known:
            from difflib import get_close_matches

            [nearest] = get_close_matches(option, known, 1, 0.5) or [MEANT.get(option)]
            meant = f"did you mean '{nearest}'?" if nearest in known else f"it has {', '.join(known)}"
            raise TypeError(f"{name}() got an unexpected keyword argument '{option}': {meant}")


# Returns a docstring with the words about all arguments and exceptions.
def words(name, doc):
    lines = [doc.strip(), "", "Arguments:"]
    for each in [each for each in sum(ARGUMENTS[name], []) if each != "self"]:
        default = f" Default: {DEFAULTS[each]}." if DEFAULTS.get(each) is not None else ""
        lines.append(f"    {each}: {WORDS[each]}{default}")
    lines += ["", "Raises:"]
    for kind, (by, when) in RAISED.items():
        if not by or by & set(ARGUMENTS[name][1]):
            lines.append(f"    {kind}: {when}")
    return "\n".join(lines) + "\n"


# Returns the public function of a name, which another one may carry out.
def public(name, function=None):
    from inspect import Parameter, Signature

    compiled, kinds = getattr(_kt_enum, name), (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    function = function or compiled

    def call(*args, **options):
        check(name, options)
        return _kt_enum.guarded(function, *args, **options)

    call.__signature__ = Signature([
        Parameter(each, kind, default=DEFAULTS.get(each, Parameter.empty))
        for kind, names in zip(kinds, ARGUMENTS[name])
        for each in names
    ])
    call.__name__, call.__qualname__ = name, "Shard.run" if name == "run" else name
    call.__module__ = "kt_enum"
    call.__doc__ = words(name, compiled.__doc__)
    return call
