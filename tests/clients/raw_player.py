#!/usr/bin/python3
"""Plays clients/story.json by a bare socket and bytes: no package of ours, no protobuf. Lines as story_player.py says.

usage: raw_player.py CONTROL

It is what clients/README.md leads to: requests, watches, a mirror, and how they go on after a break.
"""

import collections
import secrets
import struct
import sys
import time

import zmq

PATIENCE_S = 120.0
CREDIT = 256
STATUS = ("OK", "INVALID", "UNKNOWN", "EXISTS", "LIMIT", "LATE", "TIMEOUT", "UNSUPPORTED", "GONE")
OUTCOME = ("none", "found", "no_path", "partial", "start_blocked", "goal_blocked", "outside", "target_lost", "arrived")


class Broken(Exception):
    """The line broke: what was asked may have been done, watches are over."""


class Gone(Exception):
    """The daemon that is there now has no such world."""


# ---- bytes: a key is a field's number and how its value is written: 0 varint, 1 eight bytes, 2 a length and bytes, 5 four bytes

def varint(number):
    octets = bytearray()
    while number > 127:
        octets.append(number & 127 | 128)
        number >>= 7
    return bytes([*octets, number])


def field(number, value):
    """A field: a whole number as a varint, bytes and text with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    octets = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(octets)) + octets


def eight(number, value):
    return varint(number << 3 | 1) + struct.pack("<Q", value)


def fields(octets):
    """The fields of a message: values by number, as often as they come."""
    found, at = collections.defaultdict(list), 0

    def take():
        nonlocal at
        value = shift = 0
        while True:
            byte, at = octets[at], at + 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(octets):
        key = take()
        size = {0: 0, 1: 8, 5: 4}.get(key & 7)
        if size == 0:
            value = take()
        else:
            size = take() if size is None else size
            value, at = octets[at:at + size], at + size
            value = value if key & 7 == 2 else int.from_bytes(value, "little")
        found[key >> 3].append(value)
    return found


def one(found, number, absent=0):
    return found[number][-1] if number in found else absent


# ---- the line

class Line:
    """One socket. breaks: how often the line broke; is_up: a daemon is there."""

    def __init__(self, control):
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.IMMEDIATE, 1)  # nothing is kept for nobody
        self.socket.setsockopt(zmq.HEARTBEAT_IVL, 1000)
        self.socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, 4000)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.monitor = self.socket.get_monitor_socket(zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_SUCCEEDED)
        self.socket.connect(control)
        self.is_up, self.breaks = False, 0
        self.life, self.last_id = secrets.randbits(64) | 1, 0
        self.news = collections.defaultdict(collections.deque)  # by watch: (field number in ToClient, fields)

    def receive(self, seconds):
        """Wait for a message, or for a break. A reply is returned, news of watches are kept."""
        if not self.socket.poll(0):
            zmq.select([self.socket, self.monitor], [], [], seconds)
        while self.monitor.poll(0):
            (event,) = struct.unpack("=H", self.monitor.recv_multipart()[0][:2])
            self.is_up = event == zmq.EVENT_HANDSHAKE_SUCCEEDED
            if not self.is_up:
                self.breaks += 1
                self.news.clear()
        if not self.socket.poll(0):
            return None
        told = fields(self.socket.recv())
        if 2 in told:
            return fields(one(told, 2))
        for number in set(told) - {1}:
            self.news[one(told, 1)].append((number, fields(one(told, number))))
        return None

    def send(self, body, number=0):
        """A request: id, deadline and life before what it asks. Without an id there is no reply."""
        while not self.is_up:
            self.receive(0.1)
        head = eight(1, number) + field(2, int(1000 * PATIENCE_S)) if number else b""
        self.socket.send(head + eight(4, self.life) + body)

    def ask(self, body, number=0):
        """Its reply: a status in words, and the reply's fields. number: an id to ask with again."""
        self.last_id += number == 0
        number, breaks, end = number or self.last_id, self.breaks, time.monotonic() + PATIENCE_S
        self.send(body, number)
        while breaks == self.breaks and time.monotonic() < end:
            reply = self.receive(0.1)
            if reply is not None and one(reply, 1) == number:
                return STATUS[one(reply, 2)], reply
        raise Broken

    def insist(self, body):
        """The same, again after a break: by the same id a change is not made twice."""
        self.last_id += 1
        number = self.last_id
        while True:
            try:
                return self.ask(body, number)
            except Broken:
                pass

    def head(self, world):
        """Epoch and version of a world; None: there is none."""
        _, reply = self.ask(field(13, b""))  # list_worlds
        for info in map(fields, fields(one(reply, 14))[1]):
            if one(info, 1) == world.encode():
                head = fields(one(info, 6))
                return one(head, 2), one(head, 3)
        return None


class Watch:
    """A watch that is asked for again when the line broke."""

    def __init__(self, line, world, body):
        self.line, self.world, self.body = line, world, field(1, world) + body + field(5, CREDIT)
        self.breaks, self.number, self.spent = -1, 0, 0  # of none
        self.heard = 0, 0  # epoch and version
        self.is_told_gone, self.lost = False, []
        while self.breaks != line.breaks:
            self.resume()

    def begin(self):
        status, reply = self.line.ask(field(19, self.body))
        if status != "OK":  # the world went since it was looked at
            raise Broken
        self.number, self.spent, self.breaks = one(fields(one(reply, 13)), 1), 0, self.line.breaks

    def resume(self):
        """Once. Says what was lost."""
        try:
            head = self.line.head(self.world)
            if head is None and not self.is_told_gone:
                self.is_told_gone = True
                self.lost.append(f"there is no world {self.world} any more: its cells and agents are lost")
                raise Gone(self.lost[-1])
            if head is None:
                time.sleep(0.05)
                return
            if self.heard[0] not in (0, head[0]):
                was = f"another epoch of {self.world} began, at version {head[1]}"
                self.lost.append(f"{was}: changes since are lost" if head[1] < self.heard[1] else f"{was}: no change is lost")
            self.begin()
        except Broken:
            pass

    def next(self):
        """Field number in ToClient, and fields, of what comes next; None: nothing came."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if self.breaks != self.line.breaks:
                self.resume()
            elif self.line.news[self.number]:
                kind, told = self.line.news[self.number].popleft()
                self.heard = one(told, 2 if kind != 3 else 3), one(told, 3 if kind != 3 else 4)  # an answer has its agent before
                self.spent += 1
                if 2 * self.spent > CREDIT:  # before it is spent
                    self.line.send(field(20, field(1, self.number) + field(2, self.spent)))
                    self.spent = 0
                return kind, told
            else:
                self.line.receive(0.1)
        return None


class Cells:
    """A copy of a world's cells: a snapshot in chunks, then what each version rewrote."""

    def __init__(self):
        self.width, self.data, self.at, self.is_whole = 0, bytearray(), (0, 0), False

    def take(self, kind, told):
        if kind == 6:
            self.take_chunk(told)
        elif kind == 5:
            self.take_delta(told)

    def take_chunk(self, chunk):
        if one(chunk, 7):
            shape = fields(one(chunk, 9))
            self.width, self.is_whole = one(shape, 1), False
            self.data = bytearray(self.width * one(shape, 2))
        begin, rows = one(chunk, 4) * self.width, one(chunk, 6)
        self.data[begin:begin + len(rows)] = rows
        self.is_whole = self.is_whole or bool(one(chunk, 8))
        self.at = one(chunk, 2), one(chunk, 3)

    def take_delta(self, delta):
        x, y, width, height = (one(delta, number) for number in (4, 5, 6, 7))
        octets = one(delta, 9, bytes([one(delta, 8)]) * (width * height))
        for row in range(height):
            begin = (y + row) * self.width + x
            self.data[begin:begin + width] = octets[row * width:(row + 1) * width]
        values = one(delta, 11, b"")
        for i, (cell,) in enumerate(struct.iter_unpack("<I", one(delta, 10, b""))):
            self.data[cell] = values[i if len(values) > 1 else 0]
        self.at = one(delta, 2), one(delta, 3)


# ---- the story

class Player:
    def __init__(self, control):
        self.line, self.cells_now = Line(control), Cells()

    def call(self, octets):
        return f"reply {self.line.insist(bytes.fromhex(octets))[0]}"

    def watch(self, world, agent):
        self.answers = Watch(self.line, world, field(3, agent))
        return "ok"

    def mirror(self, world):
        self.map = Watch(self.line, world, field(4, 1))
        return "ok"

    def answer(self):
        try:
            while True:
                news = self.answers.next()
                if news is None:
                    return "none"
                if news[0] == 3:
                    break
        except Gone as gone:
            return f"gone {gone}"
        told = news[1]
        (cost,) = struct.unpack("<d", struct.pack("<Q", one(told, 13)))
        return f"answer {one(told, 2).decode()} {OUTCOME[one(told, 10)]} {cost} {one(told, 3)} {one(told, 4)}"

    def cells(self, version, epoch):
        copy = self.cells_now
        while not copy.is_whole or copy.at[0] < int(epoch) or copy.at[1] < int(version):
            try:
                news = self.map.next()
                if news is None:
                    return "none"
                copy.take(*news)
            except Gone:  # once: then it waits for the world
                pass
        return f"cells {copy.at[0]} {copy.at[1]} {copy.data.count(0)}"

    def lost(self):
        return f"lost {' | '.join(self.answers.lost)}"


player = Player(sys.argv[1])
for line in iter(sys.stdin.readline, ""):
    word, *words = line.split()
    print(getattr(player, word)(*words), flush=True)
