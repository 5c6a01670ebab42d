"""A real repland under fire: its process, its four sockets, and what it says on them."""

import itertools
import os
import socket
import subprocess
import sys
import tempfile

import zmq

import replan
from replan import replan_pb2 as pb

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import child  # noqa: E402
from patience import PATIENCE_S  # noqa: E402

SOCKETS = ("changes", "paths", "control", "poses")
PATIENCE_MS = int(1000 * PATIENCE_S)


class Repland:
    """The process, with as many workers as $REPLAN_TEST_WORKERS says. Its log goes to a file, so that
    no full pipe ever holds it up. It ends with the test at the latest."""

    def __init__(self, binary, *arguments, endpoints=None, prefix=()):
        self._log = tempfile.TemporaryFile("a+")
        workers = ["--workers", os.environ.get("REPLAN_TEST_WORKERS", "0")]
        where = endpoints or {name: "tcp://127.0.0.1:*" for name in SOCKETS}
        flags = [w for name in SOCKETS for w in (f"--{name}", where[name])]
        self.process = child.start([*prefix, binary, *flags, *workers, *arguments], stderr=subprocess.PIPE,
                                   text=True)
        line = " "
        while line and "event=ready" not in line:
            line = self.process.stderr.readline()
            self._log.write(line)
        self._log.flush()
        ready = dict(pair.split("=", 1) for pair in line.split())
        self.endpoint = {name: ready[name] for name in SOCKETS}
        self._drain = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=self._log)

    def client(self):
        return replan.Client(self.endpoint["control"], timeout_s=PATIENCE_S)

    def stop(self):
        """SIGTERM. Returns the exit code."""
        self.process.terminate()
        code = self.process.wait(PATIENCE_S)
        self._drain.wait(PATIENCE_S)
        return code

    def log(self):
        self._log.seek(0)
        return self._log.read()


def connect(context, kind, endpoint):
    socket = context.socket(kind)
    socket.setsockopt(zmq.LINGER, 0)
    socket.setsockopt(zmq.RCVTIMEO, PATIENCE_MS)
    socket.setsockopt(zmq.SNDTIMEO, PATIENCE_MS)
    socket.connect(endpoint)
    return socket


class Line:
    """A DEALER that asks and takes replies; what watches say is filed in `flow`."""

    _ids = itertools.count(1)  # for lines of other threads, too

    def __init__(self, context, endpoint):
        self.socket = connect(context, zmq.DEALER, endpoint)
        self.flow = []

    def receive(self):
        return pb.ToClient.FromString(self.socket.recv_multipart()[-1])

    def reply(self):
        while True:
            message = self.receive()
            if message.WhichOneof("body") == "reply":
                return message.reply
            self.flow.append(message)

    def next(self, kind):
        """The next message of a watch that is of this kind; others before it are dropped."""
        while True:
            message = self.flow.pop(0) if self.flow else self.receive()
            if message.WhichOneof("body") == kind:
                return getattr(message, kind)

    def ask(self, **fields):
        number = next(Line._ids)
        self.socket.send(pb.Request(id=number, **fields).SerializeToString())
        reply = self.reply()
        assert reply.id == number, reply
        return reply

    def do(self, **fields):
        reply = self.ask(**fields)
        assert reply.status == pb.OK, reply.sentence
        return reply

    def stats(self):
        stats = self.do(get_stats=pb.GetStats()).stats
        return dict(zip(stats.names, stats.values))

    def close(self):
        self.socket.close()


def publisher(context, endpoint, subscriptions):
    """A socket that publishes to one of the daemon's SUB sockets. An XPUB hears when the daemon
    has subscribed to it, so nothing is lost to a connection that is still being made."""
    socket = connect(context, zmq.XPUB, endpoint)
    for _ in range(subscriptions):
        socket.recv()
    return socket


class RawSubscriber:
    """A SUB by hand over TCP: libzmq's own would not send what it knows to be a lie."""

    def __init__(self, endpoint):
        host, port = endpoint.rsplit("/", 1)[1].split(":")
        self.line = socket.create_connection((host, int(port)), PATIENCE_MS / 1000)
        ready = b"\5READY\x0bSocket-Type\0\0\0\3SUB"
        self.line.sendall(b"\xff" + bytes(8) + b"\x7f\3\0NULL" + bytes(48))
        self.line.sendall(bytes([4, len(ready)]) + ready)
        self._left = self.line.makefile("rb")
        self._left.read(64)  # its greeting
        self._left.read(self._left.read(2)[1])  # and its READY

    def send(self, body):
        self.line.sendall(bytes([0, len(body)]) + body)

    def receive(self):
        """The next frame."""
        flags = self._left.read(1)[0]
        size = int.from_bytes(self._left.read(8 if flags & 2 else 1), "big")
        return self._left.read(size)

    def close(self):
        self._left.close()
        self.line.close()
