"""One process that does to an endpoint what it should not, again and again, for as long as it lives, and a sink to do
it to: what an attacker takes from others on the same machine without our help.

usage: attacker.py FILE parts NAME SIZE ENDPOINT
       attacker.py FILE topics|greetings|visits ENDPOINT
       attacker.py FILE sink MOST_BYTES tcp|PATH

FILE holds two numbers of 64 bits. An attacker adds what it has sent to the first; a sink reads as many bytes a second
as the second says, ends connections that have brought MOST_BYTES, and says in one line where it listens.
"""

import mmap
import os
import socket
import struct
import sys
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]

import strangers  # noqa: E402
from strangers import Stranger, part  # noqa: E402

BLOCK_BYTES = 1 << 18


class Board:
    """The two numbers."""

    def __init__(self, path):
        with open(path, "r+b") as file:
            self._bytes = mmap.mmap(file.fileno(), 16)

    def get(self, which):
        return struct.unpack_from("q", self._bytes, 8 * which)[0]

    def set(self, which, value):
        struct.pack_into("q", self._bytes, 8 * which, value)


def again_and_again(board, endpoint, name, begin, go_on):
    """Connect, send what `begin` says and then what `go_on` gives, until cut off."""
    while True:
        try:
            stranger = Stranger(endpoint, name)
            goes_on = stranger.send(begin)
            while goes_on:
                block = go_on()
                goes_on = stranger.send(block)
                board.set(0, board.get(0) + len(block))
            stranger.close()
        except (OSError, IndexError):
            pass  # cut off while it greeted


def parts(board, name, size, endpoint):
    body = part(bytes(int(size)))
    block = body * max(1, BLOCK_BYTES // len(body))
    again_and_again(board, endpoint, name, part(strangers.FIRST[name]), lambda: block)


def topics(board, endpoint):
    count = 0

    def next_topics():
        nonlocal count
        count += 1000
        return b"".join(part(b"\1path/%012d/" % (count + i), True) for i in range(1000))

    again_and_again(board, endpoint, "paths", b"", next_topics)


def greetings(board, endpoint):
    """Half of one each."""
    while True:
        try:
            line = strangers.connect(endpoint)
            line.sendall(strangers.GREETING[:20])
            board.set(0, board.get(0) + 20)
            line.close()
        except OSError:
            pass


def visits(board, endpoint):
    """A whole one each, and nothing after it."""
    while True:
        try:
            Stranger(endpoint, "control").close()
            board.set(0, board.get(0) + len(strangers.GREETING))
        except (OSError, IndexError):
            pass


def swallow(board, line, most_bytes):
    swallowed, from_s = 0, time.monotonic()
    while swallowed < most_bytes:
        count = len(line.recv(1 << 17))
        if count == 0:
            return
        swallowed += count
        ahead_s = swallowed / max(board.get(1), 1) - (time.monotonic() - from_s)
        if ahead_s > 0:
            time.sleep(min(ahead_s, 1))


def sink(board, most_bytes, where):
    if where == "tcp":
        listener = socket.create_server(("127.0.0.1", 0))
        print(f"tcp://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    else:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(where)
        listener.listen(100)
        print(f"ipc://{where}", flush=True)
    ready = b"\5READY\x0bSocket-Type\0\0\0\4XPUB"
    while True:
        line, _ = listener.accept()
        try:
            line.sendall(strangers.GREETING + bytes([4, len(ready)]) + ready)
            swallow(board, line, int(most_bytes))
        except OSError:
            pass
        line.close()


if __name__ == "__main__":
    {"parts": parts, "topics": topics, "greetings": greetings, "visits": visits, "sink": sink}[sys.argv[2]](Board(sys.argv[1]), *sys.argv[3:])
