#!/usr/bin/env python3
"""Runs a command on a terminal of a given width and prints the lines that it shows at the end.

    watch.py COLUMNS SECONDS COMMAND...

After SECONDS with a bar on the terminal it types Ctrl-C; with 0 the command ends by itself, or with
the Ctrl-D that it asks for. The screen
behaves like that of a terminal: a character in the last column stays there until the next character,
which appears in the next line.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time


class Screen:
    def __init__(self, columns):
        self.columns, self.lines, self.row, self.column = columns, [""], 0, 0
        self.has_colours = False

    def write(self, text):
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|.", text, re.DOTALL):
            line = self.lines[self.row]
            if part == "\r":
                self.column = 0
            elif part == "\n":
                self.down()
            elif part == "\x1b[K":
                self.lines[self.row] = line[: self.column]
            elif part == "\x1b[2K":
                self.lines[self.row] = ""
            elif re.fullmatch(r"\x1b\[\d*A", part):
                self.row = max(0, self.row - int(part[2:-1] or 1))
            elif part.startswith("\x1b"):
                self.has_colours |= part.endswith("m")
            else:
                if self.column == self.columns:
                    self.down()
                    self.column, line = 0, self.lines[self.row]
                self.lines[self.row] = line.ljust(self.column)[: self.column] + part + line[self.column + 1 :]
                self.column += 1

    def down(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")


def watch(columns, seconds, command):
    child, terminal = pty.fork()
    if child == 0:
        # Before the command starts: the parent could be late.
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execvp(command[0], command)
    screen, seen = Screen(columns), None
    while True:
        is_drawing = bool(select.select([terminal], [], [], 0.02)[0])
        if is_drawing:
            try:
                portion = os.read(terminal, 1 << 16)
            except OSError:
                break
            if not portion:
                break
            screen.write(portion.decode(errors="replace"))
        if not is_drawing and any("Ctrl-D" in line for line in screen.lines):
            os.write(terminal, b"\x04")
        # The time starts with the bar, because a slow machine needs longer to show it. While the bar
        # is redrawn, only a part of it or nothing is visible.
        bars = [line for line in screen.lines if line.startswith("[")]
        if seen is None and bars:
            seen = time.monotonic()
        if bars and not is_drawing and seconds > 0 and time.monotonic() - seen >= seconds:
            print(*bars, sep="\n")
            os.write(terminal, b"\x03")
            seconds = 0
    print(*(line for line in screen.lines if line), sep="\n")
    if screen.has_colours:
        print("(in colours)")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


sys.exit(watch(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]))
