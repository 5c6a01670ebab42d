#!/usr/bin/python3
"""replan.spawn(): a daemon that ends with the program.

usage: test_spawn.py BUILD_DIRECTORY
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.abspath("build/release")
BIN, PYTHON = os.path.join(BUILD, "bin"), os.path.join(BUILD, "python")
if not os.path.exists(os.path.join(BIN, "repland")):
    print("skipped: there is no", os.path.join(BIN, "repland"))
    sys.exit(77)
sys.path.insert(0, PYTHON)

import replan  # noqa: E402
from daemon import PATIENCE_S  # noqa: E402

THREE_LINES = """import replan
client = replan.spawn()
client.create_world("arena", 64, 64)
print(client.open_agent("arena", "scout", (1.5, 1.5), (60.5, 60.5)).answer())
"""
THAT_IS_KILLED = """import os, replan
client = replan.spawn()
print(client.process.pid, flush=True)
os.kill(os.getpid(), 9)
"""


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Spawn(unittest.TestCase):
    def run_program(self, text):
        return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=PATIENCE_S,
                              env={**os.environ, "PYTHONPATH": PYTHON})

    def assert_ends(self, pid):
        deadline = time.monotonic() + PATIENCE_S
        while is_running(pid):
            self.assertLess(time.monotonic(), deadline, "the daemon runs on")
            time.sleep(0.01)

    def test_a_first_path_takes_three_lines(self):
        done = self.run_program(THREE_LINES)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "scout: found (request) at version 1, cost 83.44, 60 cells: (1, 1) (60, 60)\n")

    def test_the_daemon_ends_with_a_program_that_is_killed(self):
        done = self.run_program(THAT_IS_KILLED)
        self.assertEqual(done.returncode, -signal.SIGKILL)
        self.assert_ends(int(done.stdout))

    def test_others_may_connect_and_closing_ends_it(self):
        with tempfile.TemporaryDirectory() as folder:
            with replan.spawn(["--state", os.path.join(folder, "state")], strict=True) as client:
                client.create_world("arena", 4, 4)
                with replan.Client(client.endpoints["control"], timeout_s=PATIENCE_S) as other:
                    self.assertEqual([world.name for world in other.worlds()], ["arena"])
                pid, log = client.process.pid, client._folder
            self.assert_ends(pid)
            self.assertFalse(os.path.exists(log))
            client.close()
            with replan.spawn(["--state", os.path.join(folder, "state")]) as client:
                self.assertEqual([world.name for world in client.worlds()], ["arena"])

    def test_a_daemon_of_another_thread_outlives_it(self):
        found = []
        thread = threading.Thread(target=lambda: found.append(replan.spawn()))
        thread.start()
        thread.join()
        with found[0] as client:
            self.assertEqual(client.worlds(), [])
            self.assertTrue(is_running(client.process.pid))

    def test_the_view_opens_beside_and_ends_with_the_client(self):
        with tempfile.TemporaryDirectory() as folder:
            tmux = os.path.join(folder, "tmux")
            with open(tmux, "w") as file:  # it notes what it is told, and starts something that stays
                file.write(f'#!/bin/sh\necho "$@" >{folder}/told\nsleep 1000 >/dev/null 2>&1 &\necho $!\n')
            os.chmod(tmux, 0o755)
            before = dict(os.environ)
            os.environ.update(TMUX="/tmp/socket,1,0", PATH=folder + ":" + os.environ["PATH"])
            try:
                with replan.spawn(view=True) as client:
                    with open(os.path.join(folder, "told")) as file:
                        told = file.read().split()
                    self.assertEqual(told[-4:], [os.path.realpath(os.path.join(BIN, "replan")), "view", "-c",
                                                 client.endpoints["control"]])
                    process = client._end_view.__closure__[0].cell_contents
                    self.assertTrue(is_running(process))
                self.assert_ends(process)
                for name in ("TMUX", "DISPLAY", "WAYLAND_DISPLAY"):
                    os.environ.pop(name, None)
                with self.assertRaisesRegex(replan.ReplanError, "view needs another terminal"):
                    replan.spawn(view=True)
            finally:
                os.environ.clear()
                os.environ.update(before)

    def test_what_does_not_start_says_why(self):
        for sentence, act in (
                ("does not start: No such file", lambda: replan.spawn(binary="/nowhere/repland")),
                ("the daemon did not start: .*--thunder", lambda: replan.spawn(["--thunder"])),
                (r"flags\[0\] is 5, it must be a string", lambda: replan.spawn([5])),
                ("flags is 'x', it must be a list", lambda: replan.spawn("x")),
                ("view is 'x', it must be True or False", lambda: replan.spawn(view="x")),
                ("binary is 5", lambda: replan.spawn(binary=5)), ("timeout_s is -1", lambda: replan.spawn(timeout_s=-1))):
            with self.assertRaisesRegex(replan.ReplanError, sentence):
                act()


if __name__ == "__main__":
    unittest.main()
