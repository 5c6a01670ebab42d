#!/usr/bin/python3
"""Bad input through the real sockets of a real repland: one row a case.

After each row a good request gets the right answer, the refusal names what it is about, and the
counter rose. Rows of one kind stand in one table; what cannot be said in a row is a function.

usage: test_hostile.py REPLAND PYTHON_DIRECTORY
"""

import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import traceback

BINARY, PYTHON = sys.argv[1:3]
sys.path[:0] = [PYTHON, os.path.dirname(os.path.abspath(__file__))]

import zmq  # noqa: E402
from replan import replan_pb2 as pb  # noqa: E402
from repland import PATIENCE_MS, PATIENCE_S, Line, RawSubscriber, Repland, connect, publisher  # noqa: E402

NAN, INFINITY = float("nan"), float("inf")
LONG = "x" * 33


def change(**fields):
    return pb.Change(**{"world": "scrap", **fields})


def square(**fields):
    return change(**{"x": 1, "y": 1, "width": 2, "height": 2, "data": bytes(4), **fields})


def world(**fields):
    names = ("width", "height", "resolution", "origin_x", "origin_yaw", "frame_id")
    geometry = {"width": 4, "height": 4, "resolution": 1.0}
    geometry.update({name: fields.pop(name) for name in names if name in fields})
    return {"create_world": pb.CreateWorld(**{"world": "new", **fields}, geometry=pb.Geometry(**geometry))}


def pose(**fields):
    return pb.Pose(**{"world": "scrap", "agent": "orc", "x": 1.0, "y": 1.0, **fields})


def goal(**fields):
    return pb.Goal(**{"world": "scrap", "agent": "orc", "x": [1.0], "y": [1.0], **fields})


def apply(body, **fields):
    return {"apply": pb.Apply(change=body, **fields)}


PAIR = {"from_x": [1.5], "from_y": [1.5], "to_x": [9.5], "to_y": [9.5]}

# What is asked | fields of the request | status | words of the sentence
REQUESTS = [
    ("no body", {}, pb.INVALID, "body"),
    ("a deadline beyond an hour", {"deadline_ms": 3600001, "list_worlds": {}}, pb.INVALID, "deadline_ms 3600000"),
    ("a world of 65536 x 65536", world(width=65536, height=65536), pb.INVALID, "width 16384"),
    ("a world of 16384 x 16384", world(width=16384, height=16384), pb.INVALID, "267911424"),
    ("a world without width", world(width=0), pb.INVALID, "width"),
    ("a world without geometry", {"create_world": pb.CreateWorld(world="new")}, pb.INVALID, "geometry"),
    ("resolution 0", world(resolution=0.0), pb.INVALID, "resolution"),
    ("resolution -1", world(resolution=-1.0), pb.INVALID, "resolution -1"),
    ("resolution NaN", world(resolution=NAN), pb.INVALID, "resolution nan"),
    ("resolution inf", world(resolution=INFINITY), pb.INVALID, "resolution inf"),
    ("an origin of NaN", world(origin_x=NAN), pb.INVALID, "origin_x"),
    ("a yaw of inf", world(origin_yaw=-INFINITY), pb.INVALID, "origin_yaw"),
    ("a frame_id of 65", world(frame_id="f" * 65), pb.INVALID, "frame_id 64"),
    ("data shorter than the world", world(data=bytes(15)), pb.INVALID, "data 15 16"),
    ("a fill beyond a byte", world(fill=256), pb.INVALID, "fill 256"),
    ("6 neighbours", world(neighbors=6), pb.INVALID, "neighbors 6"),
    ("a torus of height 2", world(wraps=True, height=2), pb.INVALID, "height 3"),
    ("a profile of nobody", world(profile="lava"), pb.INVALID, "profile"),
    ("a world that is there", world(world="arena"), pb.EXISTS, "arena"),
    ("a world's name of 33", world(world=LONG), pb.INVALID, "world 32"),
    ("a name with a slash", world(world="a/b"), pb.INVALID, "world 0x2f"),
    ("a name with an escape", world(world="\x1b[2J"), pb.INVALID, "world 0x1b"),
    ("no name", world(world=""), pb.INVALID, "world empty"),
    ("a world of nobody", apply(square(world="nowhere")), pb.UNKNOWN, "nowhere"),
    ("a cell outside", apply(change(cells=[0, 256], values=b"\1")), pb.INVALID, "cells[1] 256"),
    ("a rectangle over the edge", apply(square(x=15)), pb.INVALID, "outside 16 x 16"),
    ("a corner near 2^32", apply(square(x=2**32 - 1)), pb.INVALID, "x 16384"),
    ("data shorter than its rectangle", apply(square(data=bytes(3))), pb.INVALID, "data 3 4"),
    ("values that do not fit the cells", apply(change(cells=[1, 2, 3], values=b"\1\2")), pb.INVALID, "values 2 3"),
    ("a change of nothing", apply(change()), pb.INVALID, "empty"),
    ("no change at all", {"apply": pb.Apply()}, pb.INVALID, "change"),
    ("a wait of 7", apply(square(), wait=7), pb.INVALID, "wait 7"),
    ("durable without a journal", apply(square(), wait=pb.DURABLE), pb.UNSUPPORTED, "wait"),
    ("a sequence without a publisher", apply(square(sequence=3)), pb.INVALID, "publisher"),
    ("a sequence of 0", apply(square(publisher="p", incarnation=1)), pb.INVALID, "sequence"),
    ("a repair of the future", apply(square(publisher="p", incarnation=1, sequence=1, repairs_through=2)),
     pb.INVALID, "repairs_through 2"),
    ("an agent in no world", {"open_agent": pb.OpenAgent(world="nowhere", agent="orc")}, pb.UNKNOWN, "nowhere"),
    ("a planner of nobody", {"open_agent": pb.OpenAgent(world="scrap", agent="o", planner="magic")},
     pb.UNKNOWN, "planner magic"),
    ("an agent that is open", {"open_agent": pb.OpenAgent(world="arena", agent="scout")}, pb.EXISTS, "scout"),
    ("an agent's name of 33", {"open_agent": pb.OpenAgent(world="scrap", agent=LONG)}, pb.INVALID, "agent 32"),
    ("a pose of another agent inside", {"open_agent": pb.OpenAgent(world="scrap", agent="o", pose=pose())},
     pb.INVALID, "pose.agent"),
    ("a closed agent", {"close_agent": pb.CloseAgent(world="scrap", agent="nobody")}, pb.UNKNOWN, "nobody"),
    ("an answer of nobody", {"get_answer": pb.GetAnswer(world="arena", agent="nobody")}, pb.UNKNOWN, "nobody"),
    ("a pose of NaN", {"set_pose": pose(x=NAN)}, pb.INVALID, "pose.x nan"),
    ("a pose of inf", {"set_pose": pose(y=-INFINITY)}, pb.INVALID, "pose.y inf"),
    ("a pose far out", {"set_pose": pose(y=1e10)}, pb.INVALID, "pose.y 1e+09"),
    ("poses without coordinates", {"set_poses": pb.Poses(world="scrap", handles=[1], x=[1.0])}, pb.INVALID, "poses.y"),
    ("a handle of nobody", {"set_poses": pb.Poses(world="scrap", handles=[99999], x=[1.0], y=[1.0])},
     pb.UNKNOWN, "handles[0] 99999"),
    ("the largest handle", {"set_poses": pb.Poses(world="scrap", handles=[2**64 - 1], x=[1.0], y=[1.0])},
     pb.UNKNOWN, f"handles[0] {2**64 - 1}"),
    ("handles of 32 bits", {"set_poses": pb.Poses(world="scrap", handles32=[1], x=[1.0], y=[1.0])},
     pb.INVALID, "poses.handles32 64 poses.handles"),
    ("an order to a handle of 32 bits", {"order": pb.Order(world="scrap", handles32=[1], x=[1.0], y=[1.0])},
     pb.INVALID, "order.handles32 64 order.handles"),
    ("no goal", {"set_goal": goal(x=[], y=[])}, pb.INVALID, "goal.x"),
    ("4097 goals", {"set_goal": goal(x=[1.0] * 4097, y=[1.0] * 4097)}, pb.INVALID, "4096"),
    ("a goal of NaN", {"set_goal": goal(x=[NAN])}, pb.INVALID, "goal.x"),
    ("a goal in half", {"set_goal": goal(y=[])}, pb.INVALID, "goal.y"),
    ("an offset beyond the limit", {"set_goal": goal(offsets=[1000001])}, pb.INVALID, "offsets 1000000"),
    ("a watch of nothing", {"watch": pb.Watch(world="scrap")}, pb.INVALID, "watch"),
    ("a watch of all and some", {"watch": pb.Watch(world="scrap", all=True, agents=["a"])}, pb.INVALID, "all"),
    ("a watch of a world of nobody", {"watch": pb.Watch(world="nowhere", all=True)}, pb.UNKNOWN, "nowhere"),
    ("a watch with too much credit", {"watch": pb.Watch(world="scrap", all=True, credit=65537)}, pb.INVALID,
     "credit 65536"),
    ("credit for no watch", {"credit": pb.Credit(watch=12345, credit=1)}, pb.UNKNOWN, "watch 12345"),
    ("watch 0", {"unwatch": pb.Unwatch(watch=0)}, pb.INVALID, "watch 0"),
    ("the end of no watch", {"unwatch": pb.Unwatch(watch=54321)}, pb.UNKNOWN, "54321"),
    ("deltas of an older epoch", {"deltas_since": pb.DeltasSince(world="scrap", epoch=1, version=1)}, pb.GONE, "version"),
    ("a row below the world", {"get_snapshot": pb.GetSnapshot(world="scrap", first_row=16)}, pb.INVALID, "first_row 16"),
    ("agents of no world", {"list_agents": pb.ListAgents(world="nowhere")}, pb.UNKNOWN, 'no world "nowhere"'),
    ("shapes from 2^64 - 1 on, of no name", {"list_shapes": pb.ListShapes(**{"from": 2**64 - 1})}, pb.INVALID,
     "list_shapes.world"),
    ("a row of 2^32 - 1", {"get_snapshot": pb.GetSnapshot(world="scrap", first_row=2**32 - 1)}, pb.INVALID, "first_row"),
    ("forgiveness for nobody", {"forgive": pb.Forgive(world="scrap", publisher="nobody")}, pb.UNKNOWN, "nobody"),
    ("a probe over the edge", {"ask_probe": pb.AskProbe(change=square(x=15), **PAIR)}, pb.INVALID, "change outside 16 x 16"),
    ("a probe of a cell outside", {"ask_probe": pb.AskProbe(change=change(cells=[256], values=b"\0"), **PAIR)}, pb.INVALID,
     "cells[0] 256"),
    ("after nothing", {"after": pb.After(world="scrap"), "list_worlds": {}}, pb.INVALID, "after"),
    ("after both", {"after": pb.After(world="scrap", version=1, publisher="p", sequence=1), "list_worlds": {}},
     pb.INVALID, "after"),
    ("after a world of nobody", {"after": pb.After(world="nowhere", version=1), "list_worlds": {}}, pb.UNKNOWN, "nowhere"),
    ("after what never comes", {"after": pb.After(world="scrap", version=10**9), "deadline_ms": 20, "list_worlds": {}},
     pb.TIMEOUT, "deadline_ms"),
]

GOOD_CHANGE = square().SerializeToString()

# What is published | socket | frames | words of the notice | counter
PUBLISHED = [
    ("garbage on changes", "changes", [b"change/scrap/", b"\xff\xff\xff"], "change 3 bytes", "frames.malformed"),
    ("no body on changes", "changes", [b"change/scrap/", b""], "change empty", "changes.refused"),
    ("a topic alone", "changes", [b"change/scrap/"], "2 frames", "frames.malformed"),
    ("1000 parts on changes", "changes", [b"change/scrap/"] + [GOOD_CHANGE] * 999, "2 frames", "frames.malformed"),
    ("a topic without its end", "changes", [b"change/scrap", GOOD_CHANGE], "topic", "changes.refused"),
    ("a topic with an agent too many", "changes", [b"change/scrap/orc/", GOOD_CHANGE], "topic", "changes.refused"),
    ("a topic of 129", "changes", [b"change/" + b"w" * 121 + b"/", GOOD_CHANGE], "topic 128", "changes.refused"),
    ("a world's name of 33 in a topic", "changes", [b"change/" + LONG.encode() + b"/", GOOD_CHANGE],
     "topic.world 32", "changes.refused"),
    ("NUL in a topic", "changes", [b"change/sc\0ap/", GOOD_CHANGE], "topic.world 0x00", "changes.refused"),
    ("another world in topic and body", "changes", [b"change/arena/", GOOD_CHANGE], "change.world arena", "changes.refused"),
    ("a published world of nobody", "changes", [b"change/nowhere/", square(world="nowhere").SerializeToString()],
     "nowhere", "changes.refused"),
    ("a published cell outside", "changes", [b"change/scrap/", change(cells=[999], values=b"\0").SerializeToString()],
     "cells[0] 999", "changes.refused"),
    ("garbage on poses", "poses", [b"pose/scrap/orc/", b"\xff"], "pose 1 bytes", "frames.malformed"),
    ("1000 parts on poses", "poses", [b"pose/scrap/orc/"] + [b"x"] * 999, "2 frames", "frames.malformed"),
    ("1000 empty parts on poses", "poses", [b"goal/scrap/orc/"] + [b""] * 999, "2 frames", "frames.malformed"),
    ("a published pose of NaN", "poses", [b"pose/scrap/orc/", pose(x=NAN).SerializeToString()], "pose.x nan",
     "poses.refused"),
    ("a pose for nobody", "poses", [b"pose/scrap/", pose().SerializeToString()], "topic agent", "poses.refused"),
    ("another agent in topic and body", "poses", [b"pose/scrap/elf/", pose().SerializeToString()], "pose.agent elf",
     "poses.refused"),
    ("an agent's name of 33 in a topic", "poses", [b"goal/scrap/" + LONG.encode() + b"/", goal().SerializeToString()],
     "topic.agent 32", "poses.refused"),
    ("a pose in a world of nobody", "poses", [b"pose/nowhere/orc/", b"\x19" + bytes(8)], "nowhere", "poses.refused"),
    ("a goal of nothing", "poses", [b"goal/scrap/orc/", b""], "goal.x", "poses.refused"),
    ("a batch of nobody", "poses",
     [b"poses/scrap/", pb.Poses(world="scrap", handles=[77777], x=[1.0], y=[1.0]).SerializeToString()],
     "handles[0] 77777", "poses.refused"),
    ("a batch of handles of 32 bits", "poses",
     [b"poses/scrap/", pb.Poses(world="scrap", handles32=[1], x=[1.0], y=[1.0]).SerializeToString()],
     "handles32 64", "poses.refused"),
    ("a batch of nothing", "poses", [b"poses/scrap/", b""], "poses.handles", "poses.refused"),
]


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def field(number, body):
    return varint(number << 3 | 2) + varint(len(body)) + body


# Frames on control that are no request at all; a reply comes with id 0 | words
RAW = [
    ("an empty frame", [b""], "body"),
    ("an empty frame behind an empty one", [b"", b""], "body"),
    ("garbage on control", [b"\xff\xff\xff\xff"], "4 bytes"),
    ("a length beyond the frame", [b"\x52\xff\xff\xff\xff\x0f"], "Request"),
    ("field number 0", [b"\x02\x01\x00"], "Request"),
    ("a varint without end", [b"\x10" + b"\xff" * 30], "Request"),
    ("nesting where a change should be", [field(10, field(1, field(1, b"\xff" * 8) * 9))], ""),
    ("5 million empty names", [field(19, field(1, b"scrap") + b"\x1a\x00" * 5000000)], "Request"),
    ("a million empty poses in one", [field(14, b"\x22\x00" * 1000000)], "Request"),
    ("19 MiB of noise", [b"\x7f" * (19 << 20)], "Request"),
]


class Fort:
    """The daemon, with a good client's agent in the world `arena`, and everything to attack it."""

    def __init__(self):
        self.daemon = Repland(BINARY)
        self.context = zmq.Context()
        self.good = self.line()
        self.bad = self.line()
        self.good.do(create_world=pb.CreateWorld(world="arena", geometry=pb.Geometry(width=20, height=10, resolution=1)))
        self.good.do(create_world=pb.CreateWorld(world="scrap", geometry=pb.Geometry(width=16, height=16, resolution=1)))
        self.good.do(open_agent=pb.OpenAgent(world="arena", agent="scout", pose=pb.Pose(x=1.5, y=4.5),
                                             goal=pb.Goal(x=[18.5], y=[4.5]), policy=pb.Policy(lease_s=3600)))
        self.sockets = {"changes": publisher(self.context, self.daemon.endpoint["changes"], 1),
                        "poses": publisher(self.context, self.daemon.endpoint["poses"], 3)}
        self.notices = connect(self.context, zmq.SUB, self.daemon.endpoint["paths"])
        self.notices.subscribe(b"status/")
        while not self.notices.poll(20):  # until the subscription has arrived
            self.sockets["changes"].send_multipart([b"change/!/", b""])
        self.sockets["changes"].send_multipart([b"change/scrap/", b"", b""])  # and what comes before this one's
        while "2 frames" not in pb.Notice.FromString(self.notices.recv_multipart()[1]).sentence:
            pass

    def line(self):
        return Line(self.context, self.daemon.endpoint["control"])

    def check_good(self):
        """A good request still gets the right answer."""
        answer = self.good.do(get_answer=pb.GetAnswer(world="arena", agent="scout")).answer
        assert (answer.outcome, answer.cost, answer.version) == (pb.FOUND, 17.0, 1), answer
        assert answer.start == 4 * 20 + 1 and answer.steps == bytes(17), answer

    def scrap_version(self):
        worlds = self.good.do(list_worlds=pb.ListWorlds()).worlds.worlds
        return next(world.head.version for world in worlds if world.world == "scrap")

    def close(self):
        code = self.daemon.stop()
        self.context.destroy(linger=0)
        return code


def check_words(sentence, words):
    for word in words.split():
        assert word in sentence, f"no {word!r} in: {sentence}"
    assert all(" " <= sign <= "~" for sign in sentence), repr(sentence)


def refused_request(fort, fields, status, words):
    before = fort.scrap_version()
    reply = fort.bad.ask(**fields)
    assert reply.status == status, f"{pb.Status.Name(reply.status)}: {reply.sentence}"
    assert reply.WhichOneof("body") is None, reply
    check_words(reply.sentence, words)
    assert fort.scrap_version() == before


def refused_bytes(fort, frames, words):
    fort.bad.socket.send_multipart(frames)
    reply = fort.bad.reply()
    assert reply.status != pb.OK and reply.id == 0, reply
    check_words(reply.sentence, words)


def refused_publication(fort, socket_name, frames, words):
    before = fort.scrap_version()
    fort.sockets[socket_name].send_multipart(frames)
    topic, body = fort.notices.recv_multipart()
    notice = pb.Notice.FromString(body)
    assert topic in (b"status/scrap/", b"status/arena/", b"status/-/"), topic
    check_words(notice.sentence, words)
    assert fort.scrap_version() == before


# ---- what does not fit into a row


def an_apply_cut_at_each_byte(fort):
    whole = pb.Request(id=7, apply=pb.Apply(change=square())).SerializeToString()
    before = fort.scrap_version()
    for length in range(len(whole)):
        refused_bytes_any_id(fort, whole[:length])
    assert fort.scrap_version() == before


def refused_bytes_any_id(fort, body):
    fort.bad.socket.send(body)
    reply = fort.bad.reply()
    assert reply.status == pb.INVALID, reply
    check_words(reply.sentence, "request")


def a_change_cut_at_each_byte(fort):
    before = fort.scrap_version()
    for length in range(len(GOOD_CHANGE)):
        fort.sockets["changes"].send_multipart([b"change/scrap/", GOOD_CHANGE[:length]])
        check_words(pb.Notice.FromString(fort.notices.recv_multipart()[1]).sentence, "change")
    assert fort.scrap_version() == before


def an_apply_bent_at_each_byte(fort):
    """Each bit of it in turn: some of these are good changes to scrap; each gets one reply."""
    whole = pb.Request(id=0, apply=pb.Apply(change=square())).SerializeToString()
    count = 0
    for place in range(len(whole)):
        for bit in range(8):
            bent = bytearray(whole)
            bent[place] ^= 1 << bit
            request = pb.Request()
            try:
                request.ParseFromString(bytes(bent))
            except Exception:  # what protobuf's own reader refuses
                request = None
            if request is not None and request.WhichOneof("body") == "credit":
                continue
            fort.bad.socket.send(bytes(bent))
            count += fort.bad.reply().status != pb.OK
    assert count > len(whole), count


def control_of_1000_parts(fort):
    fort.bad.socket.send_multipart([b""] * 1000)
    check_words(pb.Notice.FromString(fort.notices.recv_multipart()[1]).sentence, "control 7 255")


def a_routing_frame_of_256(fort):
    fort.bad.socket.send_multipart([b"r" * 256, pb.Request(list_worlds={}).SerializeToString()])
    check_words(pb.Notice.FromString(fort.notices.recv_multipart()[1]).sentence, "control 255")


def a_frame_beyond_20_mib(fort):
    """libzmq cuts the line at the limit; a new one serves."""
    line = fort.line()
    events = line.socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
    line.socket.send(b"\x7f" * ((20 << 20) + 1))
    assert events.poll(PATIENCE_MS)
    line.socket.disable_monitor()
    line.close()


def a_repeated_sequence(fort):
    numbered = square(publisher="twice", incarnation=1, sequence=1)
    first = fort.bad.do(**apply(numbered)).applied.version
    assert fort.bad.do(**apply(numbered)).applied.version == first
    assert fort.scrap_version() == first


def a_stale_sequence(fort):
    fort.bad.do(**apply(square(publisher="late", incarnation=2, sequence=5)))
    assert pb.Notice.FromString(fort.notices.recv_multipart()[1]).gap
    refused_request(fort, apply(square(publisher="late", incarnation=2, sequence=3)), pb.LATE, "sequence 3")
    refused_request(fort, apply(square(publisher="late", incarnation=1, sequence=9)), pb.LATE, "sequence 9")


def a_stale_sequence_published(fort):
    late = square(publisher="late", incarnation=2, sequence=2).SerializeToString()
    refused_publication(fort, "changes", [b"change/scrap/", late], "sequence 2")


def credit_that_overflows(fort):
    watch = fort.bad.do(watch=pb.Watch(world="scrap", all=True, credit=65536)).watching.watch
    refused_request(fort, {"credit": pb.Credit(watch=watch, credit=65536)}, pb.LIMIT, "credit 65536")
    refused_request(fort, {"credit": pb.Credit(watch=watch, credit=2**32 - 1)}, pb.INVALID, "credit 65536")
    fort.bad.do(unwatch=pb.Unwatch(watch=watch))


def the_credit_of_another(fort):
    watch = fort.good.do(watch=pb.Watch(world="scrap", all=True)).watching.watch
    refused_request(fort, {"credit": pb.Credit(watch=watch, credit=1)}, pb.UNKNOWN, "watch")
    refused_request(fort, {"unwatch": pb.Unwatch(watch=watch)}, pb.UNKNOWN, "watch")
    fort.good.do(unwatch=pb.Unwatch(watch=watch))


def a_window_of_100(fort):
    """More requests that wait than one client may have: the rest is refused, unapplied. What they wait for comes only then."""
    after = pb.After(world="scrap", version=fort.scrap_version() + 1)
    for number in range(100):
        request = pb.Request(id=10**6 + number, deadline_ms=PATIENCE_MS, after=after, **apply(square()))
        fort.bad.socket.send(request.SerializeToString())
    refused = [fort.bad.reply() for _ in range(36)]
    assert all(reply.status == pb.LIMIT for reply in refused), refused
    check_words(refused[0].sentence, "64")
    fort.good.do(**apply(square()))
    waited = [fort.bad.reply() for _ in range(64)]
    assert all(reply.status == pb.OK for reply in waited), waited
    assert fort.scrap_version() == after.version + 64


def raw_garbage(fort):
    for name in fort.daemon.endpoint:
        host, port = fort.daemon.endpoint[name].rsplit("/", 1)[1].split(":")
        with socket.create_connection((host, int(port))) as line:
            line.sendall(random.Random(name).randbytes(4096))


def held_handshakes(fort):
    """Half a greeting on many connections, which stay until the next case is over."""
    host, port = fort.daemon.endpoint["control"].rsplit("/", 1)[1].split(":")
    fort.held = [socket.create_connection((host, int(port))) for _ in range(50)]
    for line in fort.held:
        line.sendall(b"\xff" + bytes(8) + b"\x7f\x03")


def a_greeting_without_end(fort):
    """A whole greeting, then a frame that says it has 2^63 bytes."""
    host, port = fort.daemon.endpoint["changes"].rsplit("/", 1)[1].split(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(48))
        line.sendall(b"\x06" + struct.pack(">Q", 2**63 - 1) + b"x" * 1000)
        line.settimeout(PATIENCE_MS / 1000)
        try:
            while line.recv(4096):
                pass
        except ConnectionResetError:
            pass


def unsubscriptions_made_up(fort):
    """They end nothing that others subscribed to, and do not count."""
    before = fort.good.stats()["paths.subscriptions"]
    listener = connect(fort.context, zmq.SUB, fort.daemon.endpoint["paths"])
    listener.subscribe(b"path/scrap/teller/")
    while fort.good.stats()["paths.subscriptions"] != before + 1:
        pass  # until it was heard, too: what is published before that is not for it
    liar = RawSubscriber(fort.daemon.endpoint["paths"])
    for _ in range(200):
        liar.send(b"\x00path/scrap/teller/")
    liar.send(b"\x01path/scrap/liar/")
    while fort.good.stats()["paths.subscriptions"] != before + 2:
        pass  # until the lies were heard
    fort.sockets["poses"].send_multipart([b"goal/scrap/teller/", goal(agent="teller").SerializeToString()])
    fort.sockets["poses"].send_multipart([b"pose/scrap/teller/", pose(agent="teller", x=5.0).SerializeToString()])
    assert listener.recv_multipart()[0] == b"path/scrap/teller/"
    liar.close()
    listener.close()
    while fort.good.stats()["paths.subscriptions"] != before:
        pass  # who leaves takes them along


def a_subscription_of_a_kilobyte(fort):
    subscriber = connect(fort.context, zmq.SUB, fort.daemon.endpoint["paths"])
    events = subscriber.get_monitor_socket(zmq.EVENT_DISCONNECTED)
    subscriber.subscribe(b"path/" + b"x" * 1024)
    assert events.poll(PATIENCE_MS)
    subscriber.disable_monitor()
    subscriber.close()


def a_watch_that_is_never_read(fort):
    """64 KiB a delta for a peer with all credit there is; the others go on."""
    fort.good.do(create_world=pb.CreateWorld(world="flood", geometry=pb.Geometry(width=256, height=256, resolution=1)))
    deaf = fort.line()
    deaf.socket.setsockopt(zmq.RCVHWM, 1)
    deaf.socket.disconnect(fort.daemon.endpoint["control"])
    deaf.socket.connect(fort.daemon.endpoint["control"])
    deaf.do(watch=pb.Watch(world="flood", map=True, credit=65536))
    for number in range(200):
        body = pb.Change(world="flood", width=256, height=256, data=bytes([number % 9]) * 65536)
        fort.good.do(**apply(body))
        if number % 50 == 0:
            fort.check_good()
    deaf.close()
    fort.good.do(remove_world=pb.RemoveWorld(world="flood"))


def replies_that_are_never_read(fort):
    """400 of 64 KiB: so much is kept for it, of the rest it is told that it must read."""
    fort.good.do(create_world=pb.CreateWorld(world="flood", geometry=pb.Geometry(width=1024, height=64, resolution=1)))
    deaf = fort.line()
    deaf.socket.setsockopt(zmq.RCVHWM, 1)
    deaf.socket.disconnect(fort.daemon.endpoint["control"])
    deaf.socket.connect(fort.daemon.endpoint["control"])
    taken, dropped = (fort.good.stats()[name] for name in ("requests.taken", "replies.dropped"))
    for number in range(400):
        request = pb.Request(id=1000000 + number, get_snapshot=pb.GetSnapshot(world="flood"))
        deaf.socket.send(request.SerializeToString())
    while fort.good.stats()["requests.taken"] < taken + 400 or fort.good.stats()["replies.dropped"] == dropped:
        fort.check_good()  # a request that was taken may stand in line before its reply is made
    while fort.good.stats()["control.unsent_bytes"] == 0:
        fort.check_good()
    assert fort.good.stats()["control.unsent_bytes"] <= 4 << 20, fort.good.stats()
    replies = [deaf.reply() for _ in range(400)]
    assert len({reply.id for reply in replies}) == 400
    assert {reply.status for reply in replies} == {pb.OK, pb.LIMIT}
    assert all("did not read" in reply.sentence for reply in replies if reply.status == pb.LIMIT)
    deaf.close()
    fort.good.do(remove_world=pb.RemoveWorld(world="flood"))


def long_changes_sent_at_once(fort, requests):
    """Send them over a line of its own. Returns the replies to what was refused, and how often others
    were heard while something stood in line."""
    before = fort.good.stats()
    greedy = fort.line()
    for request in requests:
        greedy.socket.send(request)
    heard, waiting = 0, [0]
    while len(greedy.flow) < len(requests):
        waiting.append(fort.good.stats()["line.bytes"])
        fort.check_good()
        heard += waiting[-1] > 0 and fort.good.stats()["line.bytes"] > 0
        while greedy.socket.poll(0):
            greedy.flow.append(greedy.reply())
    assert max(waiting) <= 16 << 20, max(waiting)
    assert len({reply.id for reply in greedy.flow}) == len(requests)
    applied = sum(reply.WhichOneof("body") == "applied" for reply in greedy.flow)
    assert fort.good.stats()["changes.applied"] == before["changes.applied"] + applied, applied
    greedy.close()
    return [reply for reply in greedy.flow if reply.status == pb.LIMIT], heard


def long_changes_of_one_peer(fort):
    """A peer sends 20 changes of 3.5 MB, then 1500 poses that wait behind them: it is refused what
    is too much, and all others are heard while its first changes are in work. A peer that is given
    little of the processor may send no faster than the daemon takes in, so it tries again."""
    fort.good.do(create_world=pb.CreateWorld(world="flood", geometry=pb.Geometry(width=2048, height=2048, resolution=1)))
    cells = [place * 7919 % (1 << 22) for place in range(700000)]  # each for itself, which takes long
    body = apply(pb.Change(world="flood", cells=cells, values=b"\2" * len(cells)))
    bodies = [body] * 20 + [{"set_pose": pose(world="flood")}] * 1500
    requests = [pb.Request(id=2000000 + number, **body).SerializeToString() for number, body in enumerate(bodies)]
    refused = heard = 0
    for _ in range(60):
        more, times = long_changes_sent_at_once(fort, requests)
        refused, heard = refused or more, heard + times
        if refused and heard:
            break
    assert heard, "all waited for the long ones"
    check_words(refused[0].sentence, "limit 16777216 67108864")
    fort.good.do(remove_world=pb.RemoveWorld(world="flood"))


def requests_that_wait_with_many_bytes(fort):
    """10 requests of 4 MiB that wait for what comes later: so many bytes are kept for it."""
    body = pb.Change(world="scrap", cells=[1], values=b"\2", data=bytes(4 << 20), width=2048, height=2048)
    greedy = fort.line()
    for number in range(10):
        request = pb.Request(id=3000000 + number, after=pb.After(world="scrap", version=10**9), **apply(body))
        greedy.socket.send(request.SerializeToString())
    replies = [greedy.reply() for _ in range(7)]  # the other three wait, and go with the line
    assert all(reply.status == pb.LIMIT for reply in replies), [reply.sentence for reply in replies]
    check_words(replies[0].sentence, "limit 16777216 67108864")
    greedy.close()


def a_client_that_dies_in_the_middle(fort):
    """It leaves a watch and a request that waits; both go with it."""
    line = fort.line()
    line.do(watch=pb.Watch(world="scrap", all=True, credit=100))
    waiting = pb.Request(id=1, after=pb.After(world="scrap", version=10**9), list_worlds={})
    line.socket.send(waiting.SerializeToString())
    assert fort.good.stats()["watches.open"] == 1
    line.close()
    heads = fort.line()
    heads.do(watch=pb.Watch(world="scrap", all=True, credit=100))
    for _ in range(50):
        heads.next("head")  # one a second at least: with each the dead one is tried
        if fort.good.stats()["watches.open"] == 1:
            break
    assert fort.good.stats()["watches.open"] == 1
    heads.close()


# What | the function | counter that rises, "" when none can
STORIES = [
    ("an Apply cut at each byte", an_apply_cut_at_each_byte, "requests.refused"),
    ("a Change cut at each byte", a_change_cut_at_each_byte, "changes.refused"),
    ("an Apply with each bit bent", an_apply_bent_at_each_byte, "requests.refused"),
    ("1000 parts on control", control_of_1000_parts, "frames.malformed"),
    ("a routing frame of 256", a_routing_frame_of_256, "frames.malformed"),
    ("a frame beyond 20 MiB", a_frame_beyond_20_mib, ""),
    ("a repeated sequence", a_repeated_sequence, "changes.repeated"),
    ("a stale sequence", a_stale_sequence, "changes.late"),
    ("a stale sequence published", a_stale_sequence_published, "changes.late"),
    ("credit that overflows", credit_that_overflows, "requests.refused"),
    ("the credit of another", the_credit_of_another, "requests.refused"),
    ("a window of 100", a_window_of_100, "requests.refused"),
    ("raw garbage on every socket", raw_garbage, ""),
    ("50 held handshakes", held_handshakes, ""),
    ("a greeting and a frame without end", a_greeting_without_end, ""),
    ("a subscription of a kilobyte", a_subscription_of_a_kilobyte, ""),
    ("unsubscriptions made up", unsubscriptions_made_up, "answers.said"),
    ("a watch that is never read", a_watch_that_is_never_read, ""),
    ("replies that are never read", replies_that_are_never_read, "replies.dropped"),
    ("long changes of one peer", long_changes_of_one_peer, "requests.refused"),
    ("requests that wait with many bytes", requests_that_wait_with_many_bytes, "requests.refused"),
    ("a client that dies in the middle", a_client_that_dies_in_the_middle, ""),
]

# What | flags, {} names the file | the file | words on stderr; the exit code is 2
STARTS = [
    ("an unknown key", ["--config", "{}"], "control: tcp://127.0.0.1:*\nplaner: lpa\n", "{} planer line 2"),
    ("an unknown key in a map", ["--config", "{}"], "maps:\n  - file: x.map\n    nmae: y\n", "{} nmae line 3"),
    ("a map without a file", ["--config", "{}"], "maps:\n  - name: y\n", "{} file"),
    ("a list for a word", ["--config", "{}"], "planner: [a, b]\n", "{} planner line 1"),
    ("a level of nobody", ["--config", "{}"], "log: loud\n", "log loud debug"),
    ("YAML that is none", ["--config", "{}"], "control: \"tcp\n", "{}"),
    ("an endpoint of 300", ["--config", "{}"], "control: " + "e" * 300 + "\n", "{} control"),
    ("no such file", ["--config", "/nowhere/replan.yaml"], "", "/nowhere/replan.yaml"),
    ("a map cut in its rows", ["--map", "{}"], "type octile\nheight 4\nwidth 4\nmap\n....\n..", "{}"),
    ("a map cut in its head", ["--map", "{}"], "type octile\nheight 4\n", "{}"),
    ("a map of 65536 x 65536", ["--map", "{}"], "type octile\nheight 65536\nwidth 65536\nmap\n", "{} 65536"),
    ("a map with a bad name", ["--map", "{}=a b"], "type octile\nheight 1\nwidth 1\nmap\n.\n", "{} name 0x20"),
    ("no such map", ["--map", "/nowhere/a.map"], "", "/nowhere/a.map"),
    ("an unknown flag", ["--frobnicate"], "", "frobnicate"),
    ("a word too many", ["now"], "", "now"),
    ("a flag without its value", ["--control"], "", "control"),
    ("an unknown planner", ["--planner", "magic"], "", "magic planner lists"),
    ("a port beyond the last", ["--poses", "tcp://127.0.0.1:99999"], "", "--poses 99999 65535"),
    ("a half worker", ["--config", "{}"], "workers: 1.5\n", "{} workers 1.5"),
    ("an endpoint that is none", ["--control", "carrier-pigeon"], "", "carrier-pigeon"),
    ("an unknown level", ["--log", "loud"], "", "loud"),
]


def refused_start(flags, text, words):
    with tempfile.NamedTemporaryFile("w", suffix=".file") as file:
        file.write(text)
        file.flush()
        flags = [flag.replace("{}", file.name) for flag in flags]
        loopback = [w for name in ("changes", "paths", "poses") for w in (f"--{name}", "tcp://127.0.0.1:*")]
        if "--control" not in flags:
            loopback += ["--control", "tcp://127.0.0.1:*"]
        done = subprocess.run([BINARY, *loopback, *flags], capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode == 2, f"exit {done.returncode}: {done.stderr}"
        check_words(done.stderr.replace("\n", " "), words.replace("{}", file.name))
        assert "event=ready" not in done.stderr, "it was ready before it refused"


def cases(fort):
    """Every case as (name, function, counter)."""
    for name, fields, status, words in REQUESTS:
        counter = "requests.timed_out" if status == pb.TIMEOUT else "requests.refused"
        yield name, lambda f=fields, s=status, w=words: refused_request(fort, f, s, w), counter
    for name, frames, words in RAW:
        yield name, lambda f=frames, w=words: refused_bytes(fort, f, w), "requests.refused"
    for name, socket_name, frames, words, counter in PUBLISHED:
        yield name, lambda n=socket_name, f=frames, w=words: refused_publication(fort, n, f, w), counter
    for name, story, counter in STORIES:
        yield name, lambda s=story: s(fort), counter


def main():
    failed = 0
    count = 0
    fort = Fort()
    for name, act, counter in cases(fort):
        count += 1
        try:
            before = fort.good.stats()
            act()
            fort.check_good()
            assert counter == "" or fort.good.stats()[counter] > before[counter], f"{counter} did not rise"
        except Exception:
            failed += 1
            print(f"FAILED: {name}")
            traceback.print_exc(limit=4)
            if fort.daemon.process.poll() is not None:
                print(fort.daemon.log()[-4000:])
                print(f"the daemon ended with {fort.daemon.process.returncode}")
                return 1
    code = fort.close()
    if code != 0 or "ERROR" in fort.daemon.log():
        print(f"FAILED: the end: exit {code}\n{fort.daemon.log()[-4000:]}")
        failed += 1
    for name, flags, text, words in STARTS:
        count += 1
        try:
            refused_start(flags, text, words)
        except Exception:
            failed += 1
            print(f"FAILED: {name}")
            traceback.print_exc(limit=2)
    print(f"hostile: {count} cases, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
