"""The text on a terminal: as much of xterm as ncurses makes use of, without colours."""

import pty
import re
import unittest

_SEQUENCE = re.compile(r"\x1b(?:\[([?>]?)([0-9;]*)([@-~])|[()].|[=>78M])")


def open_terminal():
    """Both ends of a terminal. A bare chroot has none: the test is skipped, and says so."""
    try:
        return pty.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"no terminal can be opened here: {error}") from error


class Screen:
    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.x = self.y = 0
        self._rest, self._last = "", " "

    def text(self):
        return "\n".join("".join(row) for row in self.cells)

    def feed(self, drawn):
        """drawn: what a program wrote, as text; a sequence may be cut anywhere."""
        drawn = self._rest + drawn
        at = 0
        while at < len(drawn):
            if drawn[at] != "\x1b":
                self._put(drawn[at])
                at += 1
                continue
            sequence = _SEQUENCE.match(drawn, at)
            if sequence is None:
                break  # the rest of it comes later
            if sequence[3] and not sequence[1]:
                self._obey(sequence[3], [int(number or 0) for number in sequence[2].split(";")])
            at = sequence.end()
        self._rest = drawn[at:]
        assert len(self._rest) < 32, f"no sequence of a terminal: {self._rest!r}"

    def _put(self, letter):
        if letter == "\r":
            self.x = 0
        elif letter == "\n":
            self.y = min(self.y + 1, self.rows - 1)
        elif letter == "\b":
            self.x = max(self.x - 1, 0)
        elif letter >= " ":
            if self.x == self.columns:
                self.x, self.y = 0, min(self.y + 1, self.rows - 1)
            self.cells[self.y][self.x] = self._last = letter
            self.x += 1

    def _obey(self, kind, numbers):
        count = max(numbers[0], 1)
        row = self.cells[self.y]
        if kind in "Hf":
            self.y, self.x = count - 1, max(numbers[1] if len(numbers) > 1 else 1, 1) - 1
        elif kind == "d":
            self.y = count - 1
        elif kind in "G`":
            self.x = count - 1
        elif kind in "AB":
            self.y = min(max(self.y + (count if kind == "B" else -count), 0), self.rows - 1)
        elif kind in "CD":
            self.x = min(max(self.x + (count if kind == "C" else -count), 0), self.columns - 1)
        elif kind == "X":
            row[self.x:self.x + count] = " " * len(row[self.x:self.x + count])
        elif kind == "P":
            row[self.x:] = row[self.x + count:] + [" "] * min(count, self.columns - self.x)
        elif kind == "@":
            row[self.x:] = ([" "] * count + row[self.x:])[:self.columns - self.x]
        elif kind == "b":
            for _ in range(count):
                self._put(self._last)
        elif kind == "K":
            first, end = ((self.x, self.columns), (0, self.x + 1), (0, self.columns))[numbers[0]]
            row[first:end] = " " * (end - first)
        elif kind == "J":
            if numbers[0] != 2:
                self._obey("K", numbers)
            first, end = ((self.y + 1, self.rows), (0, self.y), (0, self.rows))[numbers[0]]
            for y in range(first, end):
                self.cells[y] = [" "] * self.columns
