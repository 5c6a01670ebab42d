"""A real repland on ports of its own, for the tests of this folder."""

import os
import signal
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import child  # noqa: E402
from claim import claim_port  # noqa: E402
from patience import PATIENCE_S  # noqa: E402, F401  (for the tests)

SOCKETS = ("changes", "paths", "control", "poses")


class Daemon:
    """Runs while the `with` block does; control, paths, changes, poses are its endpoints. flags: more of them."""

    def __init__(self, binary, *flags):
        self._binary, self._flags = binary, flags
        self._ports = {name: claim_port() for name in SOCKETS}
        self._start({name: f"tcp://127.0.0.1:{port.number}" for name, port in self._ports.items()})

    def _start(self, endpoints):
        arguments = [word for name in SOCKETS for word in (f"--{name}", endpoints[name])]
        self._process = child.start([self._binary, *arguments, *self._flags], stderr=subprocess.PIPE, text=True)
        ready = {}
        while "control" not in ready:  # lines before tell of a state that is taken up
            line = self._process.stderr.readline()
            assert line, "the daemon did not start"
            ready = dict(pair.split("=", 1) for pair in line.split() if "=" in pair)
        self.control = ready["control"]
        self.paths = ready["paths"]
        self.changes = ready["changes"]
        self.poses = ready["poses"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def kill(self):
        """As by kill -9: nothing is said."""
        self._process.kill()
        self._process.communicate()

    def start_again(self):
        """After kill() or stop(), at the same endpoints."""
        self._start({name: getattr(self, name) for name in SOCKETS})

    def pause(self):
        """It does nothing any more when this returns."""
        self._process.send_signal(signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)

    def go_on(self):
        self._process.send_signal(signal.SIGCONT)

    def stop(self):
        """Stop it; twice is fine."""
        if self._process.returncode is None:
            self._process.terminate()
            self._process.communicate()
