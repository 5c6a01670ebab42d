"""Numbers of this machine that one test has, and no other one: of ports, of domains."""

import random
import socket

EPHEMERAL = "/proc/sys/net/ipv4/ip_local_port_range"
LOWEST_PORT = 10000


class Claim:
    """A number of `numbers`, as long as this lives: at the longest as the process. is_free(number): is asked of each, too."""

    def __init__(self, kind, numbers, is_free=lambda number: True):
        for number in random.SystemRandom().sample(numbers, len(numbers)):
            self._held = socket.socket(socket.AF_UNIX)
            try:
                self._held.bind(f"\0replan-{kind}-{number}")  # in no folder: nothing is left behind, whoever ran it
            except OSError:  # somebody has it
                self._held.close()
                continue
            if is_free(number):
                self.number = number
                return
            self._held.close()
        raise AssertionError(f"all numbers of {kind} are taken")

    def close(self):
        self._held.close()


def _is_port_free(port):
    try:
        socket.create_server(("127.0.0.1", port)).close()
        return True
    except OSError:
        return False


def claim_port():
    """A port for whoever leaves it and comes back. The kernel gives none of these to others meanwhile, nor to those who try to
    connect to it: it gives those of its range."""
    with open(EPHEMERAL) as file:
        first, last = map(int, file.read().split())
    below, above = range(LOWEST_PORT, first), range(max(last + 1, LOWEST_PORT), 65536)
    return Claim("port", max(below, above, key=len) or range(LOWEST_PORT, 65536), _is_port_free)
