#!/usr/bin/python3
"""A world becomes other windows, and a client that was built before windows had numbers keeps an equal copy all the same.

The old client knows the wire by itself, not by our schema: field numbers as they were, everything else is passed over. Beside it one
mirror follows by deltas, and gets rows but once.
"""

import random

import zmq
from mirror import Mirror, cell_hash
from story import Story, tell
from replan import replan_pb2 as pb  # found by way of the story
from repland import Line, connect

WORLD, SIDE = "marsh", 40
rng = random.Random(14)


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """A message as the wire has it: [(number, value)], lengths as bytes."""
    found, at = [], 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = bytes(data[at:at + size]), at + size
        else:
            size = 8 if key & 7 == 1 else 4
            value, at = int.from_bytes(data[at:at + size], "little"), at + size
        found.append((key >> 3, value))
    return found


def one(message, number, default=0):
    return next((value for key, value in message if key == number), default)


class Old:
    """As clients were: a watch of the map without `follows`, and what is published, by field numbers of then."""

    def __init__(self, story):
        self.control = connect(zmq.Context.instance(), zmq.DEALER, story.control)
        self.paths = connect(zmq.Context.instance(), zmq.SUB, story.paths)
        self.paths.subscribe(f"delta/{WORLD}/")
        self.width, self.cells, self.version, self.is_whole, self.snapshots = 0, bytearray(), 0, False, 0
        watch = pb.Watch(world=WORLD, map=True, credit=60000)  # bytes as of before: none of them is new
        self.control.send(pb.Request(id=1, watch=watch).SerializeToString())

    def take(self, chunk):
        if one(chunk, 7):
            geometry = fields(one(chunk, 9))
            self.width = one(geometry, 1)
            self.cells, self.version = bytearray(self.width * one(geometry, 2)), one(chunk, 3)
            self.snapshots += 1
        assert one(chunk, 3) == self.version
        at = one(chunk, 4) * self.width
        data = one(chunk, 6, b"")
        self.cells[at:at + len(data)] = data
        self.is_whole = bool(one(chunk, 8))

    def rewrite(self, delta):
        assert one(delta, 3) == self.version + 1, "a hole"
        assert not one(delta, 14), "it cannot know what this is"
        self.version += 1
        x, y, width, height = (one(delta, number) for number in (4, 5, 6, 7))
        data, fill = one(delta, 9, None), bytes([one(delta, 8)]) * width
        for row in range(height):
            at = (y + row) * self.width + x
            self.cells[at:at + width] = fill if data is None else data[row * width:(row + 1) * width]
        cells, values = one(delta, 10, b""), one(delta, 11, b"")
        for i in range(0, len(cells), 4):
            self.cells[int.from_bytes(cells[i:i + 4], "little")] = values[i // 4 if len(values) > 1 else 0]

    def follow(self, version):
        """Until a head says this version with a hash. Returns the hash."""
        while True:
            news = fields(self.control.recv_multipart()[-1])
            for kind, body in news:
                if kind == 4:
                    head = fields(body)
                    if one(head, 3) == version and one(head, 7):
                        return one(head, 7)
                elif kind == 5:
                    self.rewrite(fields(body))
                elif kind == 6:
                    self.take(fields(body))

    def hash(self):
        total = 0
        for index, byte in enumerate(self.cells):
            total ^= cell_hash(index, byte)
        return total

    def named(self, count):
        """The next published deltas that only name their rectangle: (version, width, height)."""
        found = []
        while len(found) < count:
            delta = fields(self.paths.recv_multipart()[1])
            if one(delta, 12):
                found.append((one(delta, 3), one(delta, 6), one(delta, 7)))
        return found


class Follower:
    def __init__(self, story):
        self.line = Line(zmq.Context.instance(), story.control)
        self.mirror, self.snapshots = Mirror(), 0
        self.line.do(watch=pb.Watch(world=WORLD, map=True, follows=True, credit=60000))

    def follow(self, version):
        while True:
            while not self.line.flow:
                self.line.do(get_stats=pb.GetStats())
            news = self.line.flow.pop(0)
            self.snapshots += news.WhichOneof("body") == "chunk" and news.chunk.first
            head = self.mirror.take(news)
            if head is not None and head.version == version and head.hash:
                return head


def shift(client, info):
    width, height = rng.choice(((SIDE, SIDE), (SIDE, SIDE), (30, 45), (50, 35)))
    kind = rng.randrange(3)
    if kind == 0:
        return client.resize(WORLD, rng.randrange(-4, 5), rng.randrange(-4, 5), width, height, fill=2)
    origin = [info.geometry.origin_x + rng.uniform(-0.3, 0.3), info.geometry.origin_y + rng.uniform(-0.3, 0.3)]
    data = bytes(rng.randrange(4) for _ in range(width * height)) if kind == 1 else None
    return client.resize(WORLD, width=width, height=height, origin=origin, data=data, fill=None if data else 3)


with Story() as story:
    client = story.client()
    client.create_world(WORLD, SIDE, SIDE, resolution=0.1)
    old, follower = Old(story), Follower(story)
    version, windows = 1, []
    old.follow(version)
    while not old.paths.poll(100):  # a subscription takes effect some time later; from the first delta on none is missed
        version = client.fill_rect(WORLD, 0, 0, 1, 1, version % 2).version
    for step in range(60):
        info, = client.worlds()
        if step % 3 == 0:
            version = shift(client, info).version
            info, = client.worlds()
            windows.append((version, info.geometry.width, info.geometry.height))
        elif step % 3 == 1:
            version = client.fill_rect(WORLD, rng.randrange(20), rng.randrange(20), 9, 7, rng.randrange(5)).version
        else:
            x, y = info.geometry.origin_x + rng.uniform(0, 3), info.geometry.origin_y + rng.uniform(0, 3)
            version = client.put_disc(WORLD, step % 4, x, y, 0.35, 0).version
        head = follower.follow(version)
        assert old.follow(version) == head.hash == old.hash() == follower.mirror.hash(), step
        assert head.window == info.window
    assert follower.snapshots == 1, follower.snapshots
    tell(f"{len(windows)} windows: the old client is equal by hash, with {old.snapshots} snapshots; who follows had one")
    assert old.named(len(windows)) == windows
    tell("on delta/ each window was a name over all of it")
    since = pb.DeltasSince(world=WORLD, epoch=info.head.epoch, version=windows[-1][0] - 1)
    assert follower.line.ask(deltas_since=since).status == pb.GONE
    since.follows = True
    assert follower.line.do(deltas_since=since).deltas.deltas
