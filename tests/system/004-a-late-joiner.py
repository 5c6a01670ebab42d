#!/usr/bin/python3
"""Somebody joins late and slowly, mirrors the map while it changes, and ends with the same hash."""

import random

import zmq
from mirror import Mirror
from story import Story, tell
from replan import replan_pb2 as pb  # found by way of the story
from repland import Line

def churn(writer, rng):
    x, y = rng.randrange(340), rng.randrange(340)
    width, height = rng.randrange(1, 44), rng.randrange(1, 44)
    body = pb.Change(world="marsh", x=x, y=y, width=width, height=height)
    if rng.random() < 0.5:
        body.fill = rng.randrange(10)
    else:
        body.data = rng.randbytes(width * height)
    body.cells.extend(rng.randrange(384 * 384) for _ in range(5))
    body.values = rng.randbytes(rng.choice((1, 5)))
    writer.do(apply=pb.Apply(change=body))


with Story() as story:
    rng = random.Random(4)
    writer = Line(zmq.Context.instance(), story.control)
    writer.do(create_world=pb.CreateWorld(
        world="marsh", geometry=pb.Geometry(width=384, height=384, resolution=1)))
    tell("the world has a past")
    for _ in range(50):
        churn(writer, rng)

    tell("a late joiner takes the map row by row, while it changes")
    joiner = Line(zmq.Context.instance(), story.control)
    mirror = Mirror()
    watch = joiner.do(watch=pb.Watch(world="marsh", map=True, credit=1)).watching.watch
    for _ in range(60):
        mirror.take(joiner.flow.pop(0) if joiner.flow else joiner.receive())
        churn(writer, rng)
        joiner.do(credit=pb.Credit(watch=watch, credit=1))

    tell("it catches up, and is equal")
    joiner.do(credit=pb.Credit(watch=watch, credit=1000))
    head = None
    while head is None or head.version < 111:
        head = mirror.take(joiner.flow.pop(0) if joiner.flow else joiner.receive()) or head
    assert mirror.is_whole and mirror.version == head.version == 111
    assert mirror.hash() == head.hash
    writer.close()
    joiner.close()
    story.expect_end()
