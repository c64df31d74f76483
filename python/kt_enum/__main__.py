"""The program kt-enum, as a command of the package."""

import signal
import sys

from ._kt_enum import program


def main() -> int:
    """Run the program with the arguments of the process, and return its exit code."""
    # The program hears the signal itself: Python would raise an exception after it has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return program(["kt-enum", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
