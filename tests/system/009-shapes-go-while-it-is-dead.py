#!/usr/bin/python3
"""Shapes lie for a time, and the daemon is killed meanwhile: what is over is gone then, the rest is there."""

import os
import random
import shutil
import signal
import tempfile
import time

from story import BINARY, PYTHON, tell  # noqa: F401  (finds the clients)

import replan
from repland import Repland
from replan import replan_pb2 as pb

SIDE = 24
ROCK, MUD = 0, 7
SLACK_S = 0.5  # of this process's clock and the daemon's


def see(client):
    """The bytes of one version, and the scout's answer for that version."""
    while True:
        answer = client.agent("arena", "scout").answer()
        version, cells = client.snapshot("arena")[-2:]
        if answer.version == version:
            return version, cells, answer


class Ground:
    """Each shape lies on a cell of its own: {cell: (byte, when its time is over at the earliest, and at the latest)}."""

    def __init__(self):
        self.shapes, self.version, self.epoch = {}, 0, 0

    def lay(self, client, count):
        for _ in range(count):
            x, y = random.randrange(2, SIDE - 2), random.randrange(SIDE)
            if (x, y) in self.shapes:
                continue
            byte, ttl_s = random.choice((ROCK, ROCK, MUD)), random.choice((0.0, 0.02, 0.1, 0.3, 1.0))
            least = time.time() + ttl_s if ttl_s else float("inf")
            applied = client.put_disc("arena", y * SIDE + x, x + 0.5, y + 0.5, 0.2, byte, ttl_s=ttl_s)
            most = time.time() + ttl_s if ttl_s else float("inf")
            self.shapes[x, y] = (byte, least, most)
            self.version = applied.version

    def check(self, client):
        before = time.time()
        client.worlds()  # a round of the daemon looks at the clock when it has heard what there is: the rounds after it know
        version, cells, answer = see(client)
        after = time.time()
        assert version >= self.version, f"version {version} after {self.version} was acknowledged"
        self.version = version
        for (x, y), (byte, least, most) in list(self.shapes.items()):
            is_there = cells[y * SIDE + x] == byte
            assert is_there or after > least - SLACK_S, f"{x}, {y} went too soon"
            assert not is_there or before < most + SLACK_S, f"{x}, {y} outlived its time"
            if not is_there:
                del self.shapes[x, y]
        assert all(cells[y * SIDE + x] == 1 for x in range(SIDE) for y in range(SIDE) if (x, y) not in self.shapes)
        assert answer.outcome == "found"
        assert not any(cells[y * SIDE + x] == ROCK for x, y in answer.path), "through a rock"

    def settle(self, client):
        """The newest version is true for all, whoever plans, and stays so while shapes go."""
        change = pb.Change(world="arena", cells=[0], values=b"\x01")
        self.version = client.apply(change, wait="settled").version
        head = client.worlds()[0].head
        assert self.version <= head.settled <= head.version, head
        assert head.epoch > self.epoch, "an answer of the life before is not of this one"
        return head


def live(folder):
    ground, handles = Ground(), {}
    for life in range(6):
        daemon = Repland(BINARY, "--state", os.path.join(folder, "state"))
        client = daemon.client()
        if life == 0:
            client.create_world("arena", SIDE, SIDE)
            for name, planner in (("scout", ""), ("archer", "jps")):  # jps knows no mud
                handles[name] = client.open_agent("arena", name, start=(0.5, 12.5), goal=(23.5, 12.5), planner=planner,
                                                  lease_s=0, switch_gain_percent=0, min_interval_ms=0).handle
        tell(f"life {life}: {len(ground.shapes)} shapes were there; more are laid, then it is killed")
        ground.check(client)
        ground.epoch = ground.settle(client).epoch
        for name, handle in handles.items():
            poses = pb.Poses(world="arena", handles=[handle], x=[0.5], y=[6.5 + life], pose_seq=life + 1)
            client.request(set_poses=poses)
            answer = client.agent("arena", name).answer()
            assert answer.outcome == "found" and answer.message.pose_seq == life + 1, f"{name} is another one"
            try:
                client.open_agent("arena", name, start=(0.5, 12.5), goal=(23.5, 12.5))
                raise AssertionError(f"{name} was lost")
            except replan.ReplanError as error:
                assert error.status == "EXISTS", error
        ground.lay(client, 30)
        time.sleep(random.choice((0.0, 0.03, 0.15)))
        ground.check(client)
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait()
        client.close()

    tell("it comes back a last time: when the time of all is over, only those without one are left")
    daemon = Repland(BINARY, "--state", os.path.join(folder, "state"))
    client = daemon.client()
    ground.check(client)
    while any(most != float("inf") for _, _, most in ground.shapes.values()):
        ground.check(client)
    client.remove_shapes("arena")
    ground.shapes.clear()
    ground.check(client)
    ground.epoch -= 1
    ground.settle(client)
    assert see(client)[2].optimal
    client.close()
    assert daemon.stop() == 0


random.seed(9)
folder = tempfile.mkdtemp(prefix="replan-story-")
try:
    live(folder)
finally:
    shutil.rmtree(folder, ignore_errors=True)  # after a failure the daemon still writes there
