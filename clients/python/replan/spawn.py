"""A daemon of one's own, which ends with the program."""

from __future__ import annotations

import atexit
import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence

from . import arguments
from .client import Client
from .errors import NoDaemon, ReplanError

_SOCKETS = ("control", "changes", "paths", "poses")
_START_S = 20.0
_END_S = 5.0
_PR_SET_PDEATHSIG = 1


class SpawnedClient(Client):
    """A Client of a daemon that ends with it. endpoints: of its sockets, by name, for other programs."""

    def __init__(self, process: subprocess.Popen[bytes], folder: str, endpoints: dict[str, str], timeout_s: float,
                 strict: bool) -> None:
        self.process, self.endpoints = process, endpoints
        self._folder = folder
        self._end_view: Callable[[], None] | None = None
        try:
            super().__init__(endpoints["control"], timeout_s, strict=strict)
        except ReplanError:
            self._end()
            raise
        atexit.register(self.close)

    def close(self) -> None:
        """End the daemon too. A second time does nothing."""
        super().close()
        atexit.unregister(self.close)
        self._end()

    def _end(self) -> None:
        if self._end_view is not None:
            self._end_view()
            self._end_view = None
        end(self.process)
        shutil.rmtree(self._folder, ignore_errors=True)


def spawn(flags: Sequence[str] = (), *, binary: str | None = None, timeout_s: float = 5.0, strict: bool = False,
          view: bool = False) -> SpawnedClient:
    """Start a daemon on free ports of this machine, and return a Client of it. It ends with the client, or with the program.

    flags: of repland, as ["--state", "folder"]; those of its sockets are taken.
    binary: repland; None: $REPLAND, one that was built beside this package, or one in $PATH.
    timeout_s, strict: as of Client.
    view: show its first world by `replan view`, in a pane of tmux or a window of the desktop; that ends with the client too.
    """
    words = [arguments.text(f"flags[{i}]", flag) for i, flag in enumerate(arguments.entries("flags", flags))]
    timeout_s = arguments.real("timeout_s", timeout_s, 0)
    command = [_find(binary), *words]
    terminal = _find_terminal() if arguments.truth("view", view) else []
    for name in _SOCKETS:
        command += [f"--{name}", "tcp://127.0.0.1:*"]
    folder = tempfile.mkdtemp(prefix="replan-")
    log = os.path.join(folder, "log")
    try:
        with open(log, "wb") as file:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, preexec_fn=_with_parent())
    except OSError as error:
        shutil.rmtree(folder)
        raise NoDaemon(f"{command[0]} does not start: {error.strerror}") from None
    try:
        endpoints = _await_ready(process, log)
    except NoDaemon:
        end(process)
        shutil.rmtree(folder)
        raise
    client = SpawnedClient(process, folder, endpoints, timeout_s, strict)
    if view:
        try:
            client._end_view = _open_view(terminal, os.path.join(os.path.dirname(command[0]), "replan"), endpoints["control"])
        except ReplanError:
            client.close()
            raise
    return client


def _find_terminal() -> list[str]:
    """What opens another terminal for a command that follows."""
    if os.environ.get("TMUX") and shutil.which("tmux"):
        return ["tmux", "split-window", "-d", "-P", "-F", "#{pane_pid}"]
    if (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) and shutil.which("x-terminal-emulator"):
        return ["x-terminal-emulator", "-e"]
    raise ReplanError("UNSUPPORTED", "view needs another terminal: run the program in tmux, or on a desktop with "
                      "x-terminal-emulator; `replan view -c` with endpoints[\"control\"] shows the daemon anywhere")


def _open_view(terminal: list[str], replan: str, control: str) -> Callable[[], None]:
    """Returns what ends it."""
    if not os.access(replan, os.X_OK):
        found = shutil.which("replan")
        if found is None:
            raise ReplanError("UNSUPPORTED", f"view: there is no replan beside {os.path.dirname(replan)}/repland, nor in $PATH")
        replan = found
    command = [*terminal, replan, "view", "-c", control]
    try:
        if terminal[0] != "tmux":
            window = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return lambda: end(window)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_START_S)
        pane = int(done.stdout)
        return lambda: _end_pane(pane)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise ReplanError("UNSUPPORTED", f"view: {terminal[0]} opens no terminal") from None


def _end_pane(process: int) -> None:
    try:
        os.kill(process, signal.SIGTERM)
    except ProcessLookupError:
        pass


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask it to end, then make it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _find(binary: str | None) -> str:
    if binary is not None:
        return arguments.text("binary", binary)
    here = os.path.dirname(os.path.abspath(__file__))
    beside = os.path.join(here, "..", "..", "bin", "repland")
    found = os.environ.get("REPLAND") or (beside if os.access(beside, os.X_OK) else shutil.which("repland"))
    if not found:
        raise NoDaemon("there is no repland in $PATH, beside this package or in $REPLAND; without one, replan.local plans in "
                       "this process")
    return os.path.normpath(found)


def _await_ready(process: subprocess.Popen[bytes], log: str) -> dict[str, str]:
    """The endpoints that its line event=ready tells."""
    deadline = time.monotonic() + _START_S
    while True:
        is_running = process.poll() is None
        with open(log, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines(keepends=True)
        for line in lines:
            if "event=ready" in line and line.endswith("\n"):
                told = dict(word.split("=", 1) for word in line.split() if "=" in word)
                return {name: told[name] for name in _SOCKETS}
        if not is_running or time.monotonic() > deadline:
            about = "; ".join(line.strip() for line in lines[-3:]) if lines else f"it ended with {process.returncode}"
            raise NoDaemon(f"the daemon did not start: {about}")
        time.sleep(0.005)


def _with_parent() -> Callable[[], object] | None:
    """For the child: SIGTERM when the program ends, however it does. What the system waits for is the end of the thread
    that starts the child, so only the main thread does it; a daemon of another one ends with atexit."""
    if threading.current_thread() is not threading.main_thread():
        return None
    library = ctypes.CDLL(None)  # loaded here: the child only calls
    return lambda: library.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
