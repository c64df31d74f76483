# The progress of a call: for a function of the caller, or on standard error; and what it will take.

import json
import sys
import warnings
from decimal import Decimal
from time import monotonic

from ._kt_enum import Cancelled

# The seconds without an event after which the progress is told all the same, and what it is then.
SILENCE = 0.15
WORKING = '{"event": "working", "bar": {"percent": 0, "said": ["working"]}}'


# Returns what a call asks every moment, or None, and its interest in events. It is asked with the
# newest event, which is JSON, or None, and with False at the end.
def watch(progress, cancel, is_limited):
    if not isinstance(progress, (bool, type(None))) and not callable(progress):
        raise TypeError("progress: give True, False or a function that takes a dictionary")
    if cancel is not None and not hasattr(cancel, "is_set"):
        raise TypeError("cancel: give an object that has is_set(), such as threading.Event")
    show = bar() if progress is True else progress or None
    began = told = monotonic()

    def ask(event):
        nonlocal told
        if event is False:
            return show(None) if progress is True else None
        if cancel is not None and cancel.is_set():
            raise Cancelled("cancelled")
        if show and (event or monotonic() - told >= SILENCE):
            at = json.loads(event or WORKING)
            at.setdefault("elapsed_s", monotonic() - began)
            for key in {"found", "nodes"} & set(at):
                # Decimals are not limited in their digits, as texts of integers are.
                at[key] = int(Decimal(at[key]))
            show(at)
            told = monotonic()

    is_foretold = progress is not False and not is_limited
    return (ask if show or cancel is not None else None), 2 if is_foretold else int(bool(show))


# Warns of a count that is expected to take more than a minute: some seconds, which are a time in words
# too, or a time that is not known.
def foretell(question, seconds, time):
    if seconds is None or seconds > 60:
        said = f"the count of the {question} takes {time or 'a time that cannot be foretold'}; "
        said += "max_time= and cancel= end it, and progress=False turns this warning off"
        warnings.warn(said, RuntimeWarning, stacklevel=3)


# Returns what shows a report: a bar of tqdm if it is installed, otherwise a line.
def bar():
    try:
        from tqdm import tqdm
    except ImportError:
        return line
    bar = tqdm(total=100, bar_format="{bar:20} {elapsed} {desc}")

    def show(at):
        if at is None:
            return bar.close()
        bar.set_description_str(", ".join(at["bar"]["said"]), refresh=False)
        bar.update(max((at["bar"]["percent"] or 0) - bar.n, 0))
        bar.refresh()

    return show


# Shows a report on a line that is written again and again.
def line(at):
    sys.stderr.write("\n" if at is None else f"\r{', '.join(at['bar']['said']):70}")
    sys.stderr.flush()
