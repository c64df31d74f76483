# The progress of a call: for a function of the caller, or on standard error; and what it will take.

import json
import sys
import warnings
from decimal import Decimal
from time import monotonic

from ._kt_enum import Cancelled

# The seconds without an event after which the progress is told all the same.
SILENCE = 0.15

UNITS = {"years": 31_557_600, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}


# Returns what a call asks every moment, or None, and its interest in events. It is asked with the
# newest event, which is JSON, or None, and with False at the end.
def watch(progress, cancel, is_limited):
    if progress not in (None, True, False) and not callable(progress):
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
            at = json.loads(event or '{"event": "working"}')
            at.setdefault("elapsed_s", monotonic() - began)
            for key in {"found", "nodes"} & set(at):
                # Decimals are not limited in their digits, as texts of integers are.
                at[key] = int(Decimal(at[key]))
            show(at)
            told = monotonic()

    is_foretold = progress is not False and not is_limited
    return (ask if show or cancel is not None else None), 2 if is_foretold else int(bool(show))


# Warns of a count that is expected to take more than a minute, or a time that is not known.
def foretell(question, seconds):
    if seconds is None or seconds > UNITS["minutes"]:
        time = "a time that cannot be foretold" if seconds is None else duration(seconds)
        said = f"the count of the {question} takes {time}; max_time= and cancel= end it, and "
        warnings.warn(said + "progress=False turns this warning off", RuntimeWarning, stacklevel=3)


# Returns a time in words.
def duration(seconds):
    if seconds > 1e6 * UNITS["years"]:
        return "more than a million years"
    unit = next(unit for unit in UNITS if seconds >= UNITS[unit] or unit == "seconds")
    return f"{float(f'{seconds / UNITS[unit]:.2g}'):,.0f} {unit}"


# Returns what shows a report: a bar of tqdm if it is installed, otherwise a line.
def bar():
    try:
        from tqdm import tqdm
    except ImportError:
        return line
    bar = tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}{postfix}")

    def show(at):
        if at is None:
            return bar.close()
        bar.set_postfix_str(said(at), refresh=False)
        bar.update(max(at.get("percent") or 0, bar.n) - bar.n)
        bar.refresh()

    return show


# Shows a report on a line that is written again and again.
def line(at):
    text = "\n" if at is None else f"\r{at.get('percent') or 0:5.1f} %  {said(at):50}"
    sys.stderr.write(text)
    sys.stderr.flush()


# Returns the phase, the tours found and the time left, as far as they are known, in words.
def said(at):
    said = []
    if at.get("building"):
        said += ["states: round {round} of {rounds}, {states:,}".format(**at["building"])]
    elif at.get("back"):
        said += ["tracing tours back: step {step} of {steps}".format(**at["back"])]
    elif at.get("units"):
        said += ["units: {done:,} of {units:,}".format(**at), f"{Decimal(at.get('found', 0)):,} tours"]
    if at.get("left_s") is not None:
        said += [f"{duration(at['left_s'])} left"]
    return ", ".join(said)
