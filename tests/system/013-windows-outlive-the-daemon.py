#!/usr/bin/python3
"""A world rolls on, and the daemon is killed between: what was made for a window of a life before lands where it was meant to.

At the end of each life a cell is chosen in its window, by its metres; later lives write it, by epoch and number. A base may be
half written when a life ends, and the last life has only its log. Another world gets windows with bytes that are long. Windows of a world that was made anew are of nobody.
"""

import os
import random
import shutil
import signal
import tempfile

from story import BINARY, tell

import replan
from repland import Repland
from replan import replan_pb2 as pb

SIDE = 40
LIVES = 6
SHIFTS = 30  # of each life
WIDE, HIGH = 1200, 700


def world(client):
    return next(info for info in client.worlds() if info.world == "w")


def write(client, window, byte):
    """A cell in the middle of a window of a life before."""
    return client.apply(pb.Change(world="w", epoch=window.head.epoch, window=window.window, x=SIDE // 2,
                                  y=SIDE // 2, width=1, height=1, fill=byte))


def middle(info):
    return (info.geometry.origin_x + SIDE / 2 * 0.1, info.geometry.origin_y + SIDE / 2 * 0.1)


def expect(client, window, byte):
    """The byte stands less than a cell from where the window's middle was; or left the window since."""
    info = world(client)
    x, y = middle(window)
    found = [i for i, there in enumerate(client.snapshot("w")[1]) if there == byte]
    for at in found:
        off_x = info.geometry.origin_x + (at % SIDE) * 0.1 - x
        off_y = info.geometry.origin_y + (at // SIDE) * 0.1 - y
        assert abs(off_x) < 0.1 and abs(off_y) < 0.1, f"{off_x}, {off_y}"
    return bool(found)


def roll(client, life):
    """A window that brings so many bytes that they go to the journal in parts. Returns them."""
    data = random.Random(life).randbytes(WIDE * HIGH)
    client.resize("wide", width=WIDE, height=HIGH, origin=(0.03 * life, -0.07 * life), data=data)
    return data


def live(folder):
    past, number, wide = [], 0, b""
    for life in range(LIVES):
        daemon = Repland(BINARY, "--state", folder)
        client = daemon.client()
        if life == 0:
            client.create_world("w", SIDE, SIDE, resolution=0.1, origin=(-10.3, 0.7, 0.0))
            client.create_world("wide", WIDE, HIGH, resolution=0.1, fill=1)
            number = 1
        else:
            assert client.snapshot("wide")[1] == wide, f"life {life}"
        wide = roll(client, life)
        info = world(client)
        assert info.window == number, f"window {info.window}, not {number}"
        written = 0
        for i, window in enumerate(past):
            applied = write(client, window, 100 + i)
            seen = expect(client, window, 100 + i)
            assert seen == (applied.dropped == 0)
            written += seen
        assert written or not past
        tell(f"life {life}: window {number}; of {len(past)} windows of lives before, {written} still lie in it")
        for shift in range(SHIFTS):
            step = 0.03 if shift % 2 else 0.01  # of cells of 0.1
            if shift % 5:
                info = world(client)
                client.resize("w", width=SIDE, height=SIDE, fill=1,
                              origin=(info.geometry.origin_x + step, info.geometry.origin_y - step / 3))
            else:
                client.resize("w", 0, 0, SIDE, SIDE, fill=1)
        number += SHIFTS
        info = world(client)
        assert info.window == number
        past.append(info)
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait()
        client.close()
    return past


def end(folder, past):
    daemon = Repland(BINARY, "--state", folder)
    client = daemon.client()
    first = past[0]
    try:
        write(client, pb.WorldInfo(head=first.head, window=first.window + 1), 1)
        raise AssertionError("the first life never was that window")
    except replan.ReplanError as error:
        assert error.status == "GONE" and error.present.window == 1 + LIVES * SHIFTS, error
    for _ in range(256 - (LIVES - 1) * SHIFTS):
        client.resize("w", 0, 0, SIDE, SIDE)
    for window, is_known in ((past[0], False), (past[1], True)):
        try:
            write(client, window, 1)
            assert is_known
        except replan.ReplanError as error:
            assert error.status == "GONE" and not is_known, error
    tell("after 256 more windows the first one is gone, the second is not")
    client.remove_world("w")
    client.create_world("w", SIDE, SIDE, resolution=0.1)
    try:
        write(client, past[-1], 1)
        raise AssertionError("this is another world")
    except replan.ReplanError as error:
        assert error.status == "GONE" and error.present.window == 1, error
    client.close()
    assert daemon.stop() == 0


folder = tempfile.mkdtemp(prefix="replan-story-")
try:
    end(os.path.join(folder, "state"), live(os.path.join(folder, "state")))
finally:
    shutil.rmtree(folder)
