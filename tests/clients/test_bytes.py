#!/usr/bin/python3
"""The bytes of clients/README.md, sent by a bare socket to a real daemon: what comes is what the page says.

usage: test_bytes.py BUILD_DIRECTORY
"""

import os
import re
import sys
import unittest

import zmq

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.abspath("build/release")
REPLAND = os.path.join(BUILD, "bin", "repland")
if not os.path.exists(REPLAND):
    print("skipped: there is no", REPLAND)
    sys.exit(77)

from daemon import PATIENCE_S, Daemon  # noqa: E402

PATIENCE_MS = int(1000 * PATIENCE_S)


def octets(text):
    """The hex of a block: of each line what stands before two spaces that follow it."""
    words = []
    for line in text.splitlines():
        words += re.match(r"\s*((?:[0-9a-f.]+ ?)*)", line)[1].split()
    return "".join(words)


class Bytes(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(TOP, "clients", "README.md")) as file:
            self.page = file.read()
        self.daemon = Daemon(REPLAND)
        self.addCleanup(self.daemon.stop)
        context = zmq.Context()
        self.socket = context.socket(zmq.DEALER)
        self.addCleanup(context.destroy, linger=0)
        self.socket.connect(self.daemon.control)

    def receive(self):
        self.assertTrue(self.socket.poll(PATIENCE_MS), "nothing came")
        return self.socket.recv().hex()

    def reply(self, answers):
        """The next reply; what comes of the watch goes into answers."""
        while not (frame := self.receive()).startswith("12"):
            answers.append(frame)
        return frame

    def play(self):
        """The page from its beginning to its end. Returns what the watch told."""
        told = []
        blocks = re.findall(r"```(send|come)\n(.*?)```", self.page, re.S)
        self.assertEqual([kind for kind, _ in blocks], ["send", "come"] * 4)
        for kind, text in blocks:
            if kind == "send":
                self.socket.send(bytes.fromhex(octets(text)))
            else:
                self.assertRegex(self.reply(told), f"^{octets(text)}$")
            if kind == "come" and "watching" in text:  # its first answer, before the wall
                while not [frame for frame in told if frame.startswith("08011a")]:
                    told.append(self.receive())
        return told

    def test_what_comes_is_what_the_page_says(self):
        told = self.play()
        while not [frame for frame in told if frame.startswith("08011a") and "2002" in frame]:
            told.append(self.receive())
        first = next(frame for frame in told if frame.startswith("08011a"))
        self.assertIn("7851820111" + 17 * "00", first)  # start and steps
        self.assertIn("690000000000003140", first)  # cost: 17

    def test_credit_is_granted_by_the_bytes_of_the_page(self):
        told = self.play()
        credit = re.search(r"\*\*5\. Grant credit\*\* before it is spent: `([0-9a-f ]+)`", self.page)[1]
        wall = octets(re.findall(r"```send\n(.*?)```", self.page, re.S)[3])
        self.socket.send(bytes.fromhex(credit.replace(" ", "")))
        for number in range(5, 30):  # a version each: the wall goes and comes, and the watch tells of it
            again, before = wall.replace("090400000000000000", f"09{number:02x}00000000000000").replace("5800", f"580{number % 2}"), len(told)
            self.socket.send(bytes.fromhex(again))
            self.reply(told)
            while len(told) == before:
                told.append(self.receive())
            if len(told) > 16:
                return
        self.fail(f"{len(told)} messages came, 16 without more credit")


if __name__ == "__main__":
    unittest.main()
