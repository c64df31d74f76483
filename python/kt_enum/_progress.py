"""The progress of a call on standard error: a bar of tqdm if it is installed, otherwise a line."""

import sys


def watch(progress):
    """Return what is called with each report of a call, and with None at its end."""
    return Bar() if progress is True else lambda at: at and progress(at)


class Bar:
    """Shows the percentage of a call, the time left, and the tours found."""

    def __init__(self):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._bar = None
        else:
            self._bar = tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}{postfix}")
        self._line = ""

    def __call__(self, at):
        if at is None:
            return self._close()
        percent = at.get("percent") or 0.0
        left, found = at.get("left_s"), at.get("found")
        said = [] if found is None else [f"{found:,} tours"]
        if left is not None:
            said.append(f"{left:.0f} s left")
        if self._bar is None:
            self._show(f"{percent:5.1f} %  {'  '.join(said)}")
        else:
            self._bar.set_postfix_str(", ".join(said), refresh=False)
            self._bar.update(percent - self._bar.n)

    def _show(self, line):
        sys.stderr.write("\r" + line.ljust(len(self._line)))
        sys.stderr.flush()
        self._line = line

    def _close(self):
        if self._bar is not None:
            self._bar.close()
        elif self._line:
            sys.stderr.write("\n")
