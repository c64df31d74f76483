"""The progress of a call on standard error: a bar of tqdm if it is installed, otherwise a line."""

import sys


def watch(progress):
    """Return what is called with each report of a call, and with None at its end."""
    if progress is not True:
        return lambda at: at and progress(at)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return line
    bar = tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}{postfix}")

    def show(at):
        if at is None:
            return bar.close()
        bar.set_postfix_str(said(at), refresh=False)
        bar.update((at.get("percent") or 0) - bar.n)

    return show


def line(at):
    """Show a report on a line that is written again and again."""
    text = "\n" if at is None else f"\r{at.get('percent') or 0:5.1f} %  {said(at):50}"
    sys.stderr.write(text)
    sys.stderr.flush()


def said(at):
    """Return the tours found and the time left, as far as they are known, in words."""
    said = {"found": "{:,} tours", "left_s": "{:.0f} s left"}
    return ", ".join(said[key].format(at[key]) for key in said if at.get(key) is not None)
