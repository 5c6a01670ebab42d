#!/usr/bin/python3
"""A world comes from a map_server's YAML, through repland and through replan ctl; it is changed, written, and comes back."""

import math
import os
import shutil
import signal
import subprocess
import tempfile

from story import BINARY, PYTHON, tell  # noqa: F401  (finds the clients)

import replan
from repland import Repland

REPLAN = os.path.join(os.path.dirname(BINARY), "replan")
YAML = """image: "hall #1.pgm"
resolution: 0.05
origin: [-10.0, 2.5, 1.57]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""
# From the top: a wall with a door, and a corner that nobody has seen.
PICTURE = b"P5\n6 4\n255\n" + bytes([254, 254, 254, 254, 205, 205,
                                    0, 0, 254, 0, 0, 205,
                                    254, 254, 254, 254, 254, 254,
                                    254, 254, 254, 254, 254, 254])
CELLS = bytes([0] * 12 + [254, 254, 0, 254, 254, 255] + [0] * 4 + [255] * 2)

folder = tempfile.mkdtemp(prefix="replan-story-")
path = os.path.join(folder, "hall.yaml")
tape = os.path.join(folder, "tape")


def ctl(daemon, *words, code=0):
    done = subprocess.run([REPLAN, "ctl", "--control", daemon.endpoint["control"], *words], capture_output=True, text=True)
    assert done.returncode == code, (words, done)
    return done


def is_the_hall(client, name):
    info = next(world for world in client.worlds() if world.world == name)
    frame = info.geometry
    assert (frame.width, frame.height, frame.resolution) == (6, 4, 0.05), frame
    assert (frame.origin_x, frame.origin_y, frame.origin_yaw) == (-10.0, 2.5, 1.57), frame
    assert info.profile == "costmap", info
    return info


try:
    with open(path, "w") as file:
        file.write(YAML)
    with open(os.path.join(folder, "hall #1.pgm"), "wb") as file:
        file.write(PICTURE)

    tell("repland opens it as a costmap in the map's frame, its last row first")
    arguments = ("--state", os.path.join(folder, "state"), "--map", path)
    daemon = Repland(BINARY, *arguments)
    client = daemon.client()
    is_the_hall(client, "hall")
    assert client.snapshot("hall")[-1] == CELLS

    tell("replan ctl makes the same world of the same file, and another one when it is told so")
    ctl(daemon, "create", "twin", "--map", path)
    assert is_the_hall(client, "twin").head.hash == is_the_hall(client, "hall").head.hash
    ctl(daemon, "create", "mine", "--map", path, "--resolution", "2", "--profile", "factor", "--neighbors", "4")
    mine = next(world for world in client.worlds() if world.world == "mine")
    assert (mine.profile, mine.geometry.resolution, mine.geometry.origin_yaw) == ("factor", 2.0, 1.57)
    assert "--map and --fill" in ctl(daemon, "create", "no", "--map", path, "--fill", "1", code=2).stderr

    tell("an agent goes through the door, in metres of a frame that is turned")

    def metres(x, y):
        x, y = 0.05 * (x + 0.5), 0.05 * (y + 0.5)
        return (-10.0 + x * math.cos(1.57) - y * math.sin(1.57), 2.5 + x * math.sin(1.57) + y * math.cos(1.57))

    robot = client.open_agent("hall", "robot", start=metres(0, 0), goal=metres(0, 3))
    assert (2, 2) in robot.answer().path

    tell("the door is shut; the world is written as a YAML, and made anew of that")
    client.fill_rect("hall", x=2, y=2, width=1, height=1, byte=254)
    ctl(daemon, "snapshot", "hall", "--output", os.path.join(folder, "now.yaml"))
    ctl(daemon, "create", "now", "--map", os.path.join(folder, "now.yaml"))
    assert is_the_hall(client, "now").head.hash == is_the_hall(client, "hall").head.hash

    tell("it is written as a .map and a .png, with a word on the cells that nobody has seen; else as its bytes")
    shut = CELLS[:14] + b"\xfe" + CELLS[15:]
    said = ctl(daemon, "snapshot", "hall", "--output", os.path.join(folder, "now.map")).stderr
    assert "3 cells are written as the nearest" in said, said
    with open(os.path.join(folder, "now.map")) as file:
        assert file.read() == "type octile\nheight 4\nwidth 6\nmap\n......\n......\n@@@@@.\n......\n"
    assert ctl(daemon, "snapshot", "hall", "--output", os.path.join(folder, "now.png")).stderr == ""
    ctl(daemon, "snapshot", "hall", "--output", os.path.join(folder, "now.raw"))
    with open(os.path.join(folder, "now.raw"), "rb") as file:
        assert file.read() == shut
    client.create_world("own", 2, 1, profiles=[replan.profile("land", factors=bytes([0] + [3] * 255), unit=3)],
                        profile="land")
    said = ctl(daemon, "snapshot", "own", "--output", os.path.join(folder, "own.png"), code=2).stderr
    assert '"land" of its own' in said, said

    tell("the daemon is killed: the hall is there again, as it became, where it was")
    daemon.process.send_signal(signal.SIGKILL)
    daemon.process.wait()
    client.close()
    daemon = Repland(BINARY, *arguments)
    client = daemon.client()
    is_the_hall(client, "hall")
    assert client.snapshot("hall")[-1] == shut
    client.close()
    daemon.stop()

    if "REPLAN_TEST_WORKERS" not in os.environ:  # a daemon with workers is not recorded
        tell("a tape with the map on it says the same when it is played")
        daemon = Repland(BINARY, "--map", path, "--record", tape)
        client = daemon.client()
        client.fill_rect("hall", x=2, y=2, width=1, height=1, byte=254)
        client.close()
        daemon.stop()
        played = subprocess.run([BINARY, "--replay", tape], capture_output=True, text=True)
        assert played.returncode == 0, played

    tell("what no world can be is refused by name")
    with open(path, "w") as file:
        file.write(YAML.replace("0.05", "1e9"))
    refused = subprocess.run([BINARY, "--map", path], capture_output=True, text=True)
    assert refused.returncode == 2 and "geometry.resolution is 1e+09" in refused.stderr, refused
finally:
    shutil.rmtree(folder)
