#!/usr/bin/python3
"""A world comes from a map file, is changed, and the daemon is killed at once: the change is there when it is back."""

import os
import shutil
import signal
import tempfile

from story import BINARY, PYTHON, tell  # noqa: F401  (finds the clients)

from repland import Repland

SIDE = 1500  # it takes some rounds of the loop to write it down

folder = tempfile.mkdtemp(prefix="replan-story-")
try:
    path = os.path.join(folder, "plain.map")
    with open(path, "w") as file:
        file.write(f"type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n" + ("." * SIDE + "\n") * SIDE)
    arguments = ("--state", os.path.join(folder, "state"), "--map", path)
    tell("a map is opened, a wall of one cell acknowledged, and the daemon killed")
    daemon = Repland(BINARY, *arguments)
    client = daemon.client()
    client.write_rect("plain", 7, 0, 1, 1, bytes([0]))
    daemon.process.send_signal(signal.SIGKILL)
    daemon.process.wait()
    client.close()

    tell("it comes back: the map is as it became")
    daemon = Repland(BINARY, *arguments)
    client = daemon.client()
    cells = client.snapshot("plain")[-1]
    assert cells[7] == 0 and cells[8] == 1
    client.close()
    daemon.stop()
finally:
    shutil.rmtree(folder)
