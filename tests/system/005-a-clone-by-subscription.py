#!/usr/bin/python3
"""Somebody keeps a copy of a map by what is published, which may be lost, and asks for the rest."""

import random

import zmq
from mirror import Mirror
from story import Story, tell
from replan import replan_pb2 as pb  # found by way of the story
from repland import Line, connect

WORLD, SIDE = "marsh", 400
rng = random.Random(5)


class Clone:
    """Version n + 1 after n; whatever does not fit is asked for."""

    def __init__(self, story):
        self.line = Line(zmq.Context.instance(), story.control)
        self.paths = story.paths
        self.mirror, self.epoch, self.asked, self.named = Mirror(), 0, [], None
        self.subscribe()

    def subscribe(self):
        self.socket = connect(zmq.Context.instance(), zmq.SUB, self.paths)
        self.socket.subscribe(f"head/{WORLD}/")
        self.socket.subscribe(f"delta/{WORLD}/")

    def catch_up(self):
        since = pb.DeltasSince(world=WORLD, epoch=self.epoch, version=self.mirror.version)
        reply = self.line.ask(deltas_since=since)
        self.asked.append(pb.Status.Name(reply.status))
        if reply.status == pb.GONE:
            self.take_snapshot()
        for packed in reply.deltas.deltas:
            self.mirror.take_delta(pb.Delta.FromString(packed))

    def take_snapshot(self):
        chunk = None
        while chunk is None or not chunk.last:
            row = 0 if chunk is None else chunk.first_row + chunk.rows
            ask = pb.GetSnapshot(world=WORLD, first_row=row)
            chunk = self.line.do(get_snapshot=ask).chunk
            self.mirror.take_chunk(chunk)
        self.epoch = chunk.epoch

    def follow(self, version):
        """Take what is published until a head says this version. Returns that head."""
        while True:
            topic, body = self.socket.recv_multipart()
            if topic == f"head/{WORLD}/".encode():
                head = pb.Head.FromString(body)
                if head.epoch != self.epoch or head.version > self.mirror.version:
                    self.catch_up()
                if head.version == version and head.hash != 0:
                    return head
                continue
            delta = pb.Delta.FromString(body)
            if delta.only_names:
                self.named = delta
            if delta.version == self.mirror.version + 1 and not delta.only_names:
                self.mirror.take_delta(delta)
            elif delta.version > self.mirror.version:
                self.catch_up()


def expect_equal(clone, version):
    head = clone.follow(version)
    assert clone.mirror.version == head.version == version
    assert clone.mirror.hash() == head.hash


with Story() as story:
    client = story.client()
    client.create_world(WORLD, SIDE, SIDE)
    tell("the world has a past, and somebody subscribes")
    client.fill_rect(WORLD, 10, 10, 50, 60, 0)
    clone = Clone(story)
    expect_equal(clone, 2)
    assert clone.asked == ["GONE"], clone.asked

    tell("changes come: they are taken as they are published")
    version = 2
    for _ in range(30):
        cell = (rng.randrange(SIDE), rng.randrange(SIDE))
        version = client.set_cells(WORLD, [cell], rng.randrange(9)).version
    expect_equal(clone, version)

    tell("one too large to be published names its rectangle, and is asked for")
    body = pb.Change(world=WORLD, x=20, y=30, width=300, height=300, data=rng.randbytes(300 * 300))
    version = client.apply(body).version
    clone.asked.clear()
    expect_equal(clone, version)
    named = clone.named
    assert (named.x, named.y, named.width, named.height) == (20, 30, 300, 300), named
    assert clone.asked == ["OK"], clone.asked

    tell("so does one of many single cells")
    cells = [(rng.randrange(50, 250), rng.randrange(100, 350)) for _ in range(20000)]
    version = client.set_cells(WORLD, cells, 3).version
    expect_equal(clone, version)
    named = clone.named
    for x, y in cells:
        assert 0 <= x - named.x < named.width and 0 <= y - named.y < named.height, named

    tell("the subscription breaks, changes are missed")
    clone.socket.close()
    for _ in range(10):
        version = client.fill_rect(WORLD, rng.randrange(300), 7, 9, 9, 2).version
    clone.subscribe()
    expect_equal(clone, version)

    tell("the world is resized: the deltas do not reach over that")
    version = client.resize(WORLD, -10, 5, SIDE + 30, SIDE).version
    clone.asked.clear()
    expect_equal(clone, version)
    assert "GONE" in clone.asked and clone.mirror.width == SIDE + 30, clone.asked
    clone.socket.close()
    clone.line.close()
    story.expect_end()
