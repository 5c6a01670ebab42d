#!/usr/bin/python3
"""The daemon is killed without a word, again and again: what it acknowledged is there when it is back."""

import os
import random
import shutil
import signal
import tempfile

import zmq

from story import BINARY, PYTHON, tell  # noqa: F401  (finds the clients)

from repland import Line, Repland
from replan import replan_pb2 as pb

SIDE = 64
WINDOW = 48
FIRST_ID = 1000000  # of changes; below are the ids of other requests


def send(line, number, place, byte):
    change = pb.Change(world="arena", publisher="scanner", incarnation=1, sequence=number, cells=[place],
                       values=bytes([byte]))
    line.socket.send(pb.Request(id=FIRST_ID + number, apply=pb.Apply(change=change)).SerializeToString())


def pipeline(line, wanted, most):
    """Send changes in a pipeline until `most` are acknowledged. Returns these, and those that are on the way."""
    sent, done = {}, {}
    wanted = iter(wanted)
    while len(done) < most:
        while len(sent) < WINDOW:
            number, place, byte = next(wanted)
            send(line, number, place, byte)
            sent[number] = (place, byte)
        take_reply(line, sent, done)
    return done, sent


def take_reply(line, sent, done):
    reply = line.reply()
    assert reply.status == pb.OK, reply.sentence
    done[reply.id - FIRST_ID] = sent.pop(reply.id - FIRST_ID)


def take_the_rest(line, sent, done):
    """What was acknowledged before it died is still to be read."""
    line.socket.setsockopt(zmq.RCVTIMEO, 300)
    try:
        while True:
            take_reply(line, sent, done)
    except zmq.Again:
        pass


def live(context, folder, durability):
    world, number, handle, epoch = {}, 0, None, 0
    for life in range(4):
        daemon = Repland(BINARY, "--state", folder, "--durability", durability)
        line = Line(context, daemon.endpoint["control"])
        client = daemon.client()
        if life == 0:
            client.create_world("arena", SIDE, SIDE)
            handle = client.open_agent("arena", "scout", start=(1.5, 1.5), goal=(60.5, 60.5)).handle
        info = client.worlds()[0]
        assert info.head.epoch > epoch, "an answer of the life before is not of this one"
        epoch = info.head.epoch
        cells = client.snapshot("arena")[-1]
        for place, byte in world.items():
            assert cells[place] == byte, f"cell {place} of life {life}"
        poses = pb.Poses(world="arena", handles=[handle], x=[2.5 + life], y=[2.5], pose_seq=life + 1)
        line.do(set_poses=poses)
        answer = line.do(get_answer=pb.GetAnswer(world="arena", agent="scout")).answer
        assert answer.outcome == pb.FOUND and answer.pose_seq == life + 1

        tell(f"{durability}: life {life}: {len(world)} cells are as they were; more are written, then it is killed")
        wanted = [(number + i, random.randrange(2, SIDE * SIDE), random.randrange(1, 3)) for i in range(1, 1500)]
        number += 1500
        done, sent = pipeline(line, wanted, random.randrange(100, 1400))
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait()
        take_the_rest(line, sent, done)
        world.update(done[i] for i in sorted(done))
        for place, _ in sent.values():
            world.pop(place, None)  # nobody promised
        line.close()
        client.close()


random.seed(5)  # the daemon dies at other moments all the same
for word in ("process", "disk"):
    folder = tempfile.mkdtemp(prefix="replan-story-")
    context = zmq.Context()
    try:
        live(context, os.path.join(folder, "state"), word)
    finally:
        context.destroy(linger=0)
        shutil.rmtree(folder)
