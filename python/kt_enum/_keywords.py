# The public functions: their signatures, and the words about each of their keywords, from a table.
#
# The compiled functions take any keywords. What they are called with is checked here, so a misspelt
# keyword is refused with the name of the nearest one, and help, completion, the stubs and the
# reference page all show what the table says.

import json
from configparser import ConfigParser
from inspect import Parameter, Signature
from os.path import dirname, join

from . import _kt_enum

TABLE = ConfigParser(delimiters="=", interpolation=None)
TABLE.optionxform = str  # type: ignore  # Names are what they are, and not lower case.
TABLE.read(join(dirname(__file__), "keywords.ini"), "utf-8")
GROUPS, MEANT, RAISED = TABLE["groups"], TABLE["meant"], TABLE["raised"]


# Replaces the names of groups by what they stand for.
def spread(names):
    return [one for name in names for one in (spread(GROUPS[name].split()) if name in GROUPS else [name])]


WORDS = {name: row.split(" | ") for name, row in TABLE["words"].items()}
DEFAULTS = {name: json.loads(default) for name, (default, _) in WORDS.items() if default != "-"}
ARGUMENTS = {name: [spread(part.split()) for part in row.split("|")] for name, row in TABLE["functions"].items()}


# Refuses keywords that a function does not know.
def check(name, options):
    known = sum(ARGUMENTS[name], [])
    for option in options or ():
        if option not in known:
            from difflib import get_close_matches

            near = [MEANT.get(option), *get_close_matches(option.lower(), known, 1)]
            [nearest, *_] = [each for each in near if each in known] or [None]
            meant = f"did you mean '{nearest}'?" if nearest else f"it has {', '.join(known)}"
            raise TypeError(f"{name}() got an unexpected keyword argument '{option}': {meant}")


# Returns a docstring with the words about all arguments and exceptions.
def words(name, doc):
    lines = [doc.strip(), "", "Arguments:"]
    for each in [each for each in sum(ARGUMENTS[name], []) if each != "self"]:
        default = f" Default: {DEFAULTS[each]}." if DEFAULTS.get(each) is not None else ""
        lines.append(f"    {each}: {WORDS.get(f'{name}.{each}', WORDS[each])[1]}{default}")
    lines += ["", "Raises:"]
    for kind, row in RAISED.items():
        by, when = row.split("| ")
        if not by or set(by.split()) & set(sum(ARGUMENTS[name], [])):
            lines.append(f"    {kind}: {when}")
    return "\n".join(lines) + "\n"


# Gives a function or a class its signature, and its docstring the words about all arguments.
def described(thing, name, doc):
    thing.__module__, thing.__doc__ = "kt_enum", words(name, doc)
    thing.__signature__ = Signature([
        Parameter(each, kind, default=DEFAULTS.get(each, Parameter.empty))
        for kind, names in zip((Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY), ARGUMENTS[name])
        for each in names
    ])
    return thing


# Returns the public function of a name, which another one may carry out.
def public(name, function=None):
    compiled = getattr(_kt_enum, name)

    def call(*args, **options):
        check(name, options)
        return _kt_enum.guarded(function or compiled, *args, **options)

    call.__name__, call.__qualname__ = name, "Shard.run" if name == "run" else name
    return described(call, name, compiled.__doc__)


for made in (_kt_enum.Puzzle, _kt_enum.Tour):
    described(made, made.__name__, made.__doc__)
