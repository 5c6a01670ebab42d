#!/usr/bin/python3
"""A robot has a routing id of its own, begins anew, and counts its requests from 1 again: nothing is lost
silently, and nobody hears what was meant for another."""

import time

import zmq

from story import PATIENCE_S, Story, tell

from replan import replan_pb2 as pb
from repland import PATIENCE_MS

SIDE = 32
NAME = b"robot-7"


class Robot:
    """One life of it; `life` 0 is a client that knows nothing of lives."""

    def __init__(self, story, life):
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.ROUTING_ID, NAME)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.setsockopt(zmq.RCVTIMEO, PATIENCE_MS)
        self.socket.connect(story.control)
        self.life = life
        self.flow = []

    def send(self, number, **body):
        self.socket.send(pb.Request(id=number, life=self.life, **body).SerializeToString())

    def receive(self):
        return pb.ToClient.FromString(self.socket.recv_multipart()[-1])

    def ask(self, number, **body):
        self.send(number, **body)
        while True:
            news = self.receive()
            if news.HasField("reply"):
                assert news.reply.id == number, news
                return news.reply
            self.flow.append(news)

    def close(self):
        self.socket.close()


def wall(x, y):
    return pb.Apply(change=pb.Change(world="arena", x=x, y=y, width=1, height=1, fill=0))


def is_there(client, x, y):
    return client.snapshot("arena")[1][y * SIDE + x] == 0


def lives(story, client):
    tell("two lives of one client, each with ids from 1: both are done")
    for life in (11, 12):
        robot = Robot(story, life)
        reply = robot.ask(1, apply=wall(life, 1))
        assert reply.status == pb.OK and reply.applied.version == life - 9, reply
        assert robot.ask(1, apply=wall(life, 1)) == reply, "a repeat gets the same reply"
        other = robot.ask(1, apply=wall(life, 2))
        assert other.status == pb.INVALID and "request.id" in other.sentence, other
        assert is_there(client, life, 1) and not is_there(client, life, 2)
        robot.close()

    tell("two that know nothing of lives: the second is refused, and what is asked is asked anew")
    for turn in range(2):
        robot = Robot(story, 0)
        reply = robot.ask(2, apply=wall(20 + turn, 3))
        assert reply.status == (pb.OK, pb.INVALID)[turn], reply
        assert is_there(client, 20 + turn, 3) == (turn == 0)
        assert robot.ask(2, list_worlds=pb.ListWorlds()).worlds.worlds[0].world == "arena"
        robot.close()


def watches(story, client):
    tell("the first still watches, when another one comes by its name: that is over, and is told")
    first = Robot(story, 21)
    watch = first.ask(1, watch=pb.Watch(world="arena", all=True, credit=1000)).watching.watch
    second = Robot(story, 22)
    second.ask(1, list_worlds=pb.ListWorlds())
    assert second.flow, "the end of the watch comes before the reply"
    assert second.flow[-1].HasField("ended") and second.flow[-1].watch == watch, second.flow
    assert "another connection" in second.flow[-1].ended.sentence, second.flow
    client.fill_rect("arena", x=9, y=9, width=1, height=1, byte=0, wait="settled")
    assert not second.socket.poll(1500), "heads went on coming"
    assert second.ask(2, credit=pb.Credit(watch=watch, credit=5)).status == pb.UNKNOWN
    first.close()

    tell("so it is where the first gave no credit, or has none left, whether it still lives or is gone")
    for number, (credit, lives_on) in enumerate([(0, True), (0, False), (1, True), (1, False)]):
        first = Robot(story, 40 + number)
        watch = first.ask(1, watch=pb.Watch(world="arena", all=True, credit=credit)).watching.watch
        for _ in range(credit):
            assert first.receive().watch == watch
        if not lives_on:
            first.close()
        third = Robot(story, 50 + number)
        third.ask(1, list_worlds=pb.ListWorlds())
        assert [news.watch for news in third.flow if news.HasField("ended")] == [watch] or not lives_on, third.flow
        assert client.stats()["watches.open"] == 0
        first.close()
        third.close()
    second.close()
    second = Robot(story, 22)

    tell("one that says nothing does not go on hearing what the one before watched")
    second.ask(4, watch=pb.Watch(world="arena", all=True, credit=1000))
    second.close()
    silent = Robot(story, 24)
    deadline = time.monotonic() + PATIENCE_S
    while client.stats()["watches.open"] != 0:
        assert time.monotonic() < deadline, "its watch is open"
    said = []
    while silent.socket.poll(500):
        said.append(silent.receive().WhichOneof("body"))
    assert said[-1:] in ([], ["ended"]), said
    silent.close()
    second = Robot(story, 22)

    tell("a watch of its own goes on, and ends with its life on the same line")
    mine = second.ask(3, watch=pb.Watch(world="arena", all=True, credit=1000)).watching.watch
    assert second.receive().watch == mine
    second.life = 23
    second.flow.clear()
    second.ask(1, list_worlds=pb.ListWorlds())
    assert second.flow[-1].HasField("ended") and second.flow[-1].watch == mine, second.flow
    assert client.stats()["watches.open"] == 0
    second.close()


def waits(story, client):
    tell("what the first waits for is done, and told to nobody")
    first = Robot(story, 31)
    version = client.worlds()[0].head.version
    after = pb.After(world="arena", version=version + 1)
    first.send(1, after=after, apply=wall(25, 25))
    first.send(2, after=after, get_snapshot=pb.GetSnapshot(world="arena"))
    first.ask(3, list_worlds=pb.ListWorlds())
    second = Robot(story, 32)
    assert second.ask(1, list_worlds=pb.ListWorlds()).HasField("worlds")
    client.fill_rect("arena", x=8, y=8, width=1, height=1, byte=0)
    while client.worlds()[0].head.version < version + 2:
        pass
    assert is_there(client, 25, 25)
    assert second.ask(2, list_worlds=pb.ListWorlds()).HasField("worlds") and not second.flow
    second.close()
    first.close()


with Story() as story:
    client = story.client()
    client.create_world("arena", SIDE, SIDE)
    client.open_agent("arena", "scout", start=(1.5, 1.5), goal=(30.5, 30.5), lease_s=0)
    lives(story, client)
    watches(story, client)
    waits(story, client)
    story.expect_end()
