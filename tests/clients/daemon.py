"""A real repland on free ports, for the tests of this folder."""

import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import child  # noqa: E402


class Daemon:
    """Runs while the `with` block does; control, paths, changes, poses are its endpoints. flags: more of them."""

    def __init__(self, binary, *flags):
        sockets = ("--changes", "--paths", "--control", "--poses")
        arguments = [word for name in sockets for word in (name, "tcp://127.0.0.1:*")]
        self._process = child.start([binary, *arguments, *flags], stderr=subprocess.PIPE, text=True)
        ready = dict(pair.split("=", 1) for pair in self._process.stderr.readline().split())
        self.control = ready["control"]
        self.paths = ready["paths"]
        self.changes = ready["changes"]
        self.poses = ready["poses"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Stop it; twice is fine."""
        if self._process.returncode is None:
            self._process.terminate()
            self._process.communicate()
