#!/usr/bin/python3
"""A daemon under test ends with its test, also when that fails or is killed.

usage: test_child.py REPLAND PYTHON_DIRECTORY
"""

import os
import signal
import subprocess
import sys
import time

from patience import PATIENCE_S

BINARY, PYTHON = sys.argv[1:3]
TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

STORY = """
import sys
sys.path[:0] = sys.argv[2:]
from repland import Repland
print(Repland(sys.argv[1]).process.pid, flush=True)
"""
CLIENT = """
import sys
sys.path[:0] = sys.argv[2:]
from daemon import Daemon
print(Daemon(sys.argv[1])._process.pid, flush=True)
"""
FAILS = "raise AssertionError('as a test fails')"
HANGS = "sys.stdin.read()"


def is_there(process):
    """It runs; one that has ended may wait for long to be looked after by its new parent."""
    try:
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ends_with(test, is_killed):
    """The daemon that a test starts is gone soon after the test."""
    folders = [PYTHON, os.path.join(TESTS, "hostile"), os.path.join(TESTS, "clients")]
    with subprocess.Popen([sys.executable, "-c", test, BINARY, *folders], stdin=subprocess.PIPE, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        daemon = int(child.stdout.readline())
        if is_killed:
            child.send_signal(signal.SIGKILL)
        child.wait()
    until = time.monotonic() + PATIENCE_S
    while is_there(daemon):
        if time.monotonic() > until:
            os.kill(daemon, signal.SIGKILL)
            return False
        time.sleep(0.01)
    return True


for start in (STORY, CLIENT):
    assert ends_with(start + FAILS, False), f"it outlived a test that failed:{start}"
    assert ends_with(start + HANGS, True), f"it outlived a test that was killed:{start}"
