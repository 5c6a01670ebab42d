#!/usr/bin/python3
"""A handle names one agent for ever: whoever keeps it too long is refused, and moves nobody else."""

import shutil
import tempfile
import time

import zmq

from story import PATIENCE_S, Story, tell

import replan
from repland import connect, publisher
from replan import replan_pb2 as pb

SIDE = 64
GOAL = (60.5, 60.5)


def refuses(client, handle, world="arena"):
    """Each request that names agents by handle refuses this one, by its number."""
    there = {"world": world, "handles": [handle], "x": [33.5], "y": [44.5]}
    for body in ({"set_poses": pb.Poses(**there)}, {"order": pb.Order(**there)}):
        try:
            client.request(**body)
        except replan.ReplanError as error:
            assert error.status == "UNKNOWN" and str(handle) in error.sentence, error
        else:
            raise AssertionError(f"{body} was taken")


def stands(agent, x, y):
    answer = agent.answer()
    assert answer.path[0] == (x, y) and answer.path[-1] == (60, 60), answer


class Publisher:
    """It goes on for ever under the handle that it got once, and listens to what is refused."""

    def __init__(self, story):
        context = zmq.Context.instance()
        self.out = publisher(context, story.poses, subscriptions=1)
        self.status = connect(context, zmq.SUB, story.paths)
        self.status.subscribe("status/arena/")

    def say(self, *handles):
        """Publish until it is told on status that some were left out; a subscription may come late."""
        poses = pb.Poses(handles=handles, x=[33.5] * len(handles), y=[44.5] * len(handles))
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            self.out.send_multipart([b"poses/arena/", poses.SerializeToString()])
            if self.status.poll(20):
                return pb.Notice.FromString(self.status.recv_multipart()[1]).sentence
        raise AssertionError("nothing was told on status")

    def close(self):
        self.out.close()
        self.status.close()


def live(folder):
    """Returns the handles of a robot that stays, and of those that are gone."""
    gone = []
    with Story("--state", folder) as story:
        client = story.client()
        client.create_world("arena", SIDE, SIDE)
        stays = client.open_agent("arena", "stays", start=(20.5, 20.5), goal=GOAL, lease_s=0)

        tell("an agent is closed, and another one opened")
        first = client.open_agent("arena", "first", start=(1.5, 1.5), goal=GOAL)
        gone.append(first.handle)
        first.close()
        other = client.open_agent("arena", "other", start=(10.5, 10.5), goal=GOAL, lease_s=0)
        refuses(client, first.handle)
        stands(other, 10, 10)

        tell("a lease ends, and who was silent goes on by publishing")
        silent = client.open_agent("arena", "silent", start=(1.5, 1.5), goal=GOAL, lease_s=1)
        gone.append(silent.handle)
        while any(world.head.agents == 3 for world in client.worlds()):
            pass
        third = client.open_agent("arena", "third", start=(11.5, 11.5), goal=GOAL, lease_s=0)
        robot = Publisher(story)
        sentence = robot.say(silent.handle)
        assert str(silent.handle) in sentence, sentence
        assert client.stats()["poses.refused"] >= 1
        stands(third, 11, 11)

        tell("of a batch that names one who is gone, the others are moved")
        robot.say(first.handle, third.handle)
        stands(third, 33, 44)
        robot.close()

        tell("a world is made anew, and its agents with it")
        client.create_world("hall", SIDE, SIDE)
        before = client.open_agent("hall", "guest", start=(1.5, 1.5), goal=GOAL)
        client.remove_world("hall")
        client.create_world("hall", SIDE, SIDE)
        after = client.open_agent("hall", "guest", start=(5.5, 5.5), goal=GOAL)
        refuses(client, before.handle, "hall")
        refuses(client, after.handle, "arena")
        stands(after, 5, 5)
        story.expect_end()
    return stays.handle, gone


folder = tempfile.mkdtemp(prefix="replan-names-")
try:
    kept, gone = live(folder)
    with Story("--state", folder) as story:
        client = story.client()
        tell("after a restart with a state, handles are what they were, and the gone are gone")
        client.request(set_poses=pb.Poses(world="arena", handles=[kept], x=[22.5], y=[22.5]))
        stands(client.agent("arena", "stays"), 22, 22)
        for handle in gone:
            refuses(client, handle)
        fresh = client.open_agent("arena", "fresh", start=(3.5, 3.5), goal=GOAL)
        assert fresh.handle not in (kept, *gone), fresh.handle
        gone.append(fresh.handle)
        story.expect_end()
    with Story() as story:
        client = story.client()
        tell("after a restart without one, nobody gets a handle that was ever given")
        client.create_world("arena", SIDE, SIDE)
        agents = [client.open_agent("arena", f"a{i}", start=(3.5, 3.5), goal=GOAL) for i in range(8)]
        for handle in (kept, *gone):
            refuses(client, handle)
        robot = Publisher(story)
        robot.say(*gone)
        robot.close()
        for agent in agents:
            stands(agent, 3, 3)
        story.expect_end()
finally:
    shutil.rmtree(folder)
