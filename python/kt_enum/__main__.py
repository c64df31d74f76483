"""The program kt-enum, as a command of the package."""

import sys

# Of the module signal, which takes half as long as all else here to load.
from _signal import SIG_DFL, SIGINT, signal

from ._kt_enum import program


def main() -> int:
    """Run the program with the arguments of the process, and return its exit code."""
    # The program hears the signal itself: Python would raise an exception after it has ended.
    signal(SIGINT, SIG_DFL)
    return program(["kt-enum", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
