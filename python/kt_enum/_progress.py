"""The progress of a call: for a function of the caller, or on standard error."""

import json
import sys
from decimal import Decimal


def watch(progress):
    """Return what is called with each report of a call, which is JSON, and with None at its end."""
    show = bar() if progress is True else lambda at: at and progress(at)

    def tell(text):
        at = json.loads(text or "null")
        for key in {"found", "nodes"} & set(at or ()):
            # Decimals are not limited in their digits, as texts of integers are.
            at[key] = int(Decimal(at[key]))
        show(at)

    return tell


def bar():
    """Return what shows a report: a bar of tqdm if it is installed, otherwise a line."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return line
    bar = tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}{postfix}")

    def show(at):
        if at is None:
            return bar.close()
        bar.set_postfix_str(said(at), refresh=False)
        bar.update((at["percent"] or 0) - bar.n)

    return show


def line(at):
    """Show a report on a line that is written again and again."""
    text = "\n" if at is None else f"\r{at['percent'] or 0:5.1f} %  {said(at):50}"
    sys.stderr.write(text)
    sys.stderr.flush()


def said(at):
    """Return the tours found and the time left, as far as they are known, in words."""
    said = {"found": "{:,} tours", "left_s": "{:.0f} s left"}
    return ", ".join(said[key].format(Decimal(at[key])) for key in said if at.get(key) is not None)
