"""Connections by hand, over tcp and local sockets: libzmq's own would not send what they send."""

import os
import socket
import struct

from repland import PATIENCE_MS

GREETING = b"\xff" + bytes(8) + b"\x7f\3\0NULL" + bytes(48)
PING = b"\4\7\4PING\0\0"
KINDS = {"control": b"DEALER", "changes": b"PUB", "poses": b"PUB", "paths": b"SUB"}
FIRST = {"control": b"x", "changes": b"change/scrap/", "poses": b"pose/scrap/orc/", "paths": b"x"}  # of a message


def connect(endpoint):
    """A connection that says nothing."""
    if endpoint.startswith("ipc://"):
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(PATIENCE_MS / 1000)
        line.connect(endpoint[len("ipc://"):])
        return line
    host, port = endpoint.rsplit("/", 1)[1].split(":")
    return socket.create_connection((host, int(port)), PATIENCE_MS / 1000)


class Stranger:
    """A peer of the socket `name` that has greeted."""

    def __init__(self, endpoint, name):
        self.line = connect(endpoint)
        ready = b"\5READY\x0bSocket-Type" + len(KINDS[name]).to_bytes(4, "big") + KINDS[name]
        self.line.sendall(GREETING + bytes([4, len(ready)]) + ready)
        self._left = self.line.makefile("rb")
        self._left.read(64)  # its greeting
        self._left.read(self._left.read(2)[1])  # and its READY

    def send(self, bytes_):
        """@return False when the connection is over."""
        try:
            self.line.sendall(bytes_)
            return True
        except (BrokenPipeError, ConnectionResetError):
            return False

    def receive(self):
        """The next frame that is no command. EOFError when the connection is over."""
        while True:
            flag = self._left.read(1)
            if not flag:
                raise EOFError
            flags = flag[0]
            body = self._left.read(int.from_bytes(self._left.read(8 if flags & 2 else 1), "big"))
            if not flags & 4:
                return body

    def is_over(self):
        """Wait for its end, whatever comes before. False when it stays."""
        try:
            while self.line.recv(65536):
                pass
            return True
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False

    def close(self):
        self._left.close()
        self.line.close()

    def break_off(self):
        """Reset the connection: what was sent may be lost, what was not read is."""
        self.line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()


def part(body, is_last=False):
    flags = (0 if is_last else 1) | (2 if len(body) > 255 else 0)
    return bytes([flags]) + len(body).to_bytes(8 if len(body) > 255 else 1, "big") + body


def memory_kb(process, word):
    with open(f"/proc/{process.pid}/status") as file:
        return int(next(line for line in file if line.startswith(word)).split()[1])


def forget_peak(process):
    """VmHWM begins anew."""
    with open(f"/proc/{process.pid}/clear_refs", "w") as file:
        file.write("5")


def cpu_s(process):
    with open(f"/proc/{process.pid}/stat") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
