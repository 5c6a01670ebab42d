"""What the stories share: a daemon of their own, and a voice.

usage of each story: NNN-name.py REPLAND PYTHON_DIRECTORY
"""

import os
import sys
import time

BINARY, PYTHON = sys.argv[1:3]
_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [PYTHON, os.path.join(_HERE, "..", "hostile")]

from repland import PATIENCE_S, Repland  # noqa: E402, F401

LINGERS_S = 30  # no machine is that slow to end a process that waits for nobody


def tell(line):
    print(f"- {line}", flush=True)


class Story:
    """A daemon with these arguments besides its endpoints."""

    def __init__(self, *arguments):
        self._arguments = arguments

    def __enter__(self):
        self._daemon = Repland(BINARY, *self._arguments)
        self._clients = []
        self.control = self._daemon.endpoint["control"]
        self.paths = self._daemon.endpoint["paths"]
        self.poses = self._daemon.endpoint["poses"]
        return self

    def client(self):
        self._clients.append(self._daemon.client())
        return self._clients[-1]

    def expect_end(self):
        """SIGTERM ends the daemon, with 0 and a line that says so."""
        started = time.monotonic()
        code = self._daemon.stop()
        took = time.monotonic() - started
        log = self._daemon.log()
        assert code == 0, f"exit {code}: {log}"
        assert took < LINGERS_S, f"{took} s"
        assert "event=stop" in log, log

    def __exit__(self, kind, *_):
        if self._daemon.process.poll() is None:
            self._daemon.process.kill()
        if kind is not None:
            print(self._daemon.log())
        for client in self._clients:
            client.close()
