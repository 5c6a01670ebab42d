#!/usr/bin/python3
"""What strangers can make a real repland hold has an end, and only the offender goes: messages
without end on each socket, over tcp and local sockets, connections, topics, greetings that do not come; and what
others notice of it.

usage: test_strangers.py REPLAND PYTHON_DIRECTORY [ROWS]

ROWS: only rows whose names hold this; with a - before it, only the others.
"""

import concurrent.futures
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

BINARY, PYTHON = sys.argv[1:3]
ROWS = sys.argv[3] if len(sys.argv) > 3 else ""
sys.path[:0] = [PYTHON, os.path.dirname(os.path.abspath(__file__))]

import zmq  # noqa: E402
from replan import replan_pb2 as pb  # noqa: E402
import strangers  # noqa: E402
from repland import SOCKETS, Line, Repland, connect  # noqa: E402
import child  # noqa: E402
from attacker import Board  # noqa: E402
from strangers import FIRST, Stranger, part  # noqa: E402

GROWTH_KB = 96 << 10
SILENCE_S = 25  # a connection that brings nothing whole is ended later than this, not earlier: by 10 + 20 s
TRIES = 5  # of a row of which the machine was too slow
with open(BINARY, "rb") as program:
    text = program.read()
IS_MEASURED = b"__asan_init" not in text and b"__tsan_init" not in text  # those keep what is freed


class TooSlow(Exception):
    """Strangers were silent for so long that they went before that came about which is tested. It shows nothing."""


class Fort:
    """A daemon with a client that behaves."""

    def __init__(self, transport, prefix=()):
        self.transport = transport
        self.is_local = transport == "ipc"
        self.folder = tempfile.TemporaryDirectory()
        endpoints = {name: f"ipc://{self.folder.name}/{name}" for name in SOCKETS} if self.is_local else None
        self.daemon = Repland(BINARY, endpoints=endpoints, prefix=prefix)
        self.endpoint = self.daemon.endpoint
        self.context = zmq.Context()
        self.context.set(zmq.MAX_SOCKETS, 4000)
        self.good = Line(self.context, self.endpoint["control"])
        self.good.do(create_world=pb.CreateWorld(world="scrap", geometry=pb.Geometry(width=16, height=16, resolution=1)))

    def wait_until(self, is_so, what):
        """Until it is so of the counters. Each question is one that is served. Strangers go by themselves when they are
        silent, so this ends: when nobody but us is there, and it is not so, it never will be."""
        alone, stats = 0, self.good.stats()
        while not is_so(stats):
            alone = alone + 1 if stats["connections.open"] <= 1 else 0
            if alone == 10:  # counters of two threads come together in more than one look
                raise TooSlow(f"all went without: {what}")
            stats = self.good.stats()

    def wait(self, counter, value):
        """Until it has that value."""
        self.wait_until(lambda stats: stats[counter] == value, f"{counter} is {value}")

    def wait_for_more(self, counter, than):
        self.wait_until(lambda stats: stats[counter] > than, f"{counter} is more than {than}")

    def wait_for_cuts(self, before, count):
        """Until so many more are cut off, and no more than these."""
        self.wait_for_more("connections.cut", before + count - 1)
        cuts = self.good.stats()["connections.cut"] - before
        assert cuts == count, f"{cuts} were cut off"

    def close(self):
        code = self.daemon.stop()
        assert code == 0, f"exit {code}\n{self.daemon.log()[-2000:]}"
        self.context.destroy(linger=0)
        self.folder.cleanup()


def begin_measuring(fort):
    if IS_MEASURED:
        strangers.forget_peak(fort.daemon.process)
    return strangers.memory_kb(fort.daemon.process, "VmRSS")


def check_growth(fort, before_kb):
    grown = strangers.memory_kb(fort.daemon.process, "VmHWM") - before_kb
    if IS_MEASURED and grown > GROWTH_KB:
        raise AssertionError(f"it grew by {grown} kB")


def a_message_without_end(fort, name, body, most_bytes):
    """Its sender is cut off, alone, before it has sent so much."""
    cut = fort.good.stats()["connections.cut"]
    before_kb = begin_measuring(fort)
    stranger = Stranger(fort.endpoint[name], name)
    block = part(body) * max(1, (1 << 18) // (len(body) + 2))
    goes_on, sent = stranger.send(part(FIRST[name])), 0
    while goes_on and sent < most_bytes:
        goes_on = stranger.send(block)
        sent += len(block)
    assert stranger.is_over(), f"{sent} bytes are held"
    stranger.close()
    if name != "paths" or len(body) < 136:  # else libzmq itself ends it
        fort.wait_for_cuts(cut, 1)
    check_growth(fort, before_kb)


def many_messages_without_end(fort):
    """Each holds less than a message may have, together they hold too much; a client's own message of 15 MiB
    gets through meanwhile."""
    cut = fort.good.stats()["connections.cut"]
    before_kb = begin_measuring(fort)
    crowd = [Stranger(fort.endpoint["control"], "control") for _ in range(8)]
    for stranger in crowd:
        stranger.send(part(bytes(12 << 20))[:-1])
    fort.wait_for_cuts(cut, 3)
    reply = fort.good.ask(apply=pb.Apply(change=pb.Change(world="scrap", width=3840, height=4096, data=bytes(15 << 20))))
    assert reply.status == pb.INVALID, reply.sentence  # it does not fit, but it was heard
    for stranger in crowd:
        stranger.close()
    check_growth(fort, before_kb)


def a_long_message_that_comes_slowly(fort):
    """It began before others that hold too much together, and is read beside them: it is not taken for theirs."""
    request = pb.Request(id=7, apply=pb.Apply(change=pb.Change(world="scrap", width=3840, height=4096,
                                                               data=bytes(15 << 20))))
    message = part(request.SerializeToString(), True)
    cut = fort.good.stats()["connections.cut"]
    before_kb = begin_measuring(fort)
    from_s = time.monotonic()
    slow = Stranger(fort.endpoint["control"], "control")
    slow.send(message[:1 << 20])
    crowd = [Stranger(fort.endpoint["control"], "control") for _ in range(8)]
    for stranger in crowd:
        stranger.send(part(bytes(12 << 20))[:-1])
    fort.wait_for_cuts(cut, 3)
    for at in range(1 << 20, len(message), 1 << 20):
        slow.send(message[at:at + (1 << 20)])
        for _ in range(10):
            fort.good.stats()
    try:
        reply = pb.ToClient.FromString(slow.receive()).reply
    except (EOFError, ConnectionError) as error:
        if time.monotonic() - from_s > SILENCE_S:
            raise TooSlow("its message was under way for too long") from error
        raise
    assert reply.status == pb.INVALID, reply.sentence  # it does not fit, but it was heard
    for stranger in crowd + [slow]:
        stranger.close()
    check_growth(fort, before_kb)


def long_messages_that_end(fort):
    """Nobody is cut off for them, however many there are."""
    cut = fort.good.stats()["connections.cut"]
    body = pb.Apply(change=pb.Change(world="scrap", width=2048, height=2048, data=bytes(4 << 20)))
    line = Line(fort.context, fort.endpoint["control"])
    for number in range(30):
        line.socket.send(pb.Request(id=1000 + number, apply=body).SerializeToString())
    for _ in range(30):
        assert line.reply().status in (pb.INVALID, pb.LIMIT)
    line.close()
    assert fort.good.stats()["connections.cut"] == cut


def broken_off_with_a_full_queue(fort):
    """Heartbeats wait behind more than the daemon takes at a time, when the connection is no more."""
    request = pb.Request(id=1, list_worlds=pb.ListWorlds()).SerializeToString()
    message = {"control": part(request, True), "changes": part(b"change/scrap/") + part(b"x", True),
               "poses": part(b"pose/scrap/orc/") + part(b"x", True), "paths": part(b"\1path/", True)}
    for name in SOCKETS:
        for _ in range(10):
            crowd = [Stranger(fort.endpoint[name], name) for _ in range(10)]
            for stranger in crowd:
                stranger.line.setblocking(False)
                try:
                    stranger.line.send((message[name] * 9 + strangers.PING) * 400)
                except BlockingIOError:
                    pass
            for stranger in crowd:
                stranger.break_off()
        fort.good.do(list_worlds=pb.ListWorlds())


def topics_beyond_a_subscribers(fort):
    """4,096 are served; who asks for more goes, with all of them."""
    stranger = Stranger(fort.endpoint["paths"], "paths")
    stranger.send(b"".join(part(b"\1path/scrap/%06d/" % i, True) for i in range(4096)))
    fort.wait("paths.subscriptions", 4096)
    stranger.send(b"".join(part(b"\1path/scrap/%06d/" % i, True) for i in range(4096)))  # the same count once
    stranger.send(part(b"\0path/scrap/000000/", True) + part(b"\1path/scrap/other/", True))
    stranger.send(part(b"\1path/scrap/one-too-many/", True))
    assert stranger.is_over()
    stranger.close()
    fort.wait("paths.subscriptions", 0)


def topics_beyond_all(fort):
    """Sixteen take them all; one that comes then is served, and one of the sixteen goes."""
    before_kb = begin_measuring(fort)
    crowd = [Stranger(fort.endpoint["paths"], "paths") for _ in range(16)]
    for number, stranger in enumerate(crowd):
        stranger.send(b"".join(part(b"\1path/scrap/%02d%04d/" % (number, i), True) for i in range(4096)))
    fort.wait("paths.subscriptions", 65536)
    cut = fort.good.stats()["connections.cut"]
    listener = connect(fort.context, zmq.SUB, fort.endpoint["paths"])
    listener.subscribe(b"head/scrap/")
    assert listener.recv_multipart()[0] == b"head/scrap/"
    fort.wait_for_cuts(cut, 1)
    for stranger in crowd:
        stranger.close()
    fort.wait("paths.subscriptions", 1)
    listener.close()
    fort.wait("paths.subscriptions", 0)
    check_growth(fort, before_kb)


def flood(fort, topics_of, count):
    """So many connections at once, each within its own quota: together they are not, in number or in memory."""
    before_kb = begin_measuring(fort)
    cut = fort.good.stats()["connections.cut"]
    crowd = [Stranger(fort.endpoint["paths"], "paths") for _ in range(count)]
    messages = [b"".join(part(b"\1" + topic, True) for topic in topics_of(number)) for number in range(count)]
    threads = [threading.Thread(target=s.send, args=(m,)) for s, m in zip(crowd, messages)]
    for thread in threads:
        thread.start()
    fort.wait_for_more("connections.cut", cut)
    for thread in threads:
        thread.join()
    for stranger in crowd:
        stranger.close()
    fort.wait("paths.subscriptions", 0)
    check_growth(fort, before_kb)


def topics_of_many_connections(fort):
    """Each topic shares nothing with another: a node of ZeroMQ's tree for each byte."""
    chance = random.Random(25)
    flood(fort, lambda number: [chance.randbytes(31) for _ in range(4096)], 25)


def topics_of_a_crowd(fort):
    """Whoever is cut off has some under way, which are still taken in."""
    chance = random.Random(100)
    flood(fort, lambda number: [chance.randbytes(31) for _ in range(600)], 100)


def topics_that_part_far(fort):
    """A table of 2 KiB for each place where two of them part."""
    flood(fort, lambda number: [bytes(255 * (number * 4096 + i >> bit & 1) for bit in range(16)) for i in range(4096)],
          16)


def long_topics(fort):
    """What 8 MiB of ZeroMQ's tree hold of them is kept."""
    before_kb = begin_measuring(fort)
    cut = fort.good.stats()["connections.cut"]
    crowd = [Stranger(fort.endpoint["paths"], "paths") for _ in range(8)]
    for number, stranger in enumerate(crowd):
        stranger.send(b"".join(part(b"\1" + b"%02d%04d" % (number, i) + b"x" * 120, True) for i in range(4096)))
    fort.wait_for_more("connections.cut", cut)
    for stranger in crowd:
        stranger.close()
    fort.wait("paths.subscriptions", 0)
    check_growth(fort, before_kb)


LONG = pb.Change(width=3840, height=4096, data=bytes(15 << 20))


def long_message(kind):
    """@return the socket, and the message: one that may be sent again and again"""
    change = pb.Change(world="large" if "large" in kind else "scrap")
    change.MergeFrom(LONG)
    request = pb.Request(apply=pb.Apply(change=change))
    if kind == "changes of a large world that wait":
        request.after.CopyFrom(pb.After(world="large", version=1 << 40))
        request.deadline_ms = 1000
    if kind == "worlds":
        request = pb.Request(create_world=pb.CreateWorld(world="scrap", data=bytes(15 << 20), geometry=pb.Geometry(
            width=3840, height=4096, resolution=1)))
    if kind == "published changes of a large world":
        return "changes", part(b"change/large/") + part(change.SerializeToString(), True)
    if kind == "published poses":
        return "poses", part(b"poses/scrap/") + part(bytes(15 << 20), True)
    return "control", part(b"\xff" * (15 << 20) if kind == "nonsense" else request.SerializeToString(), True)


LONG_MESSAGES = ["changes that do not fit", "changes of a large world", "changes of a large world that wait", "worlds",
                 "nonsense", "published changes of a large world", "published poses"]


def long_messages_without_a_break(other, kind):
    """One connection sends as many as are taken, each as long as it may be: nobody is cut off, and memory has an end.
    @param other  not this daemon, which holds what was left by the kind before, but one like it"""
    fort, (name, message) = Fort(other.transport), long_message(kind)
    if "large" in kind:
        fort.good.do(create_world=pb.CreateWorld(world="large", geometry=pb.Geometry(width=3840, height=4096, resolution=1)))
    if "large" in kind and IS_MEASURED:  # its own memory is not what is measured
        fort.good.do(apply=pb.Apply(change=pb.Change(world="large", width=3840, height=4096, fill=1), wait=pb.SETTLED))
    before_kb = begin_measuring(fort)
    stranger = Stranger(fort.endpoint[name], name)
    reader = threading.Thread(target=stranger.is_over)  # of what it is told
    reader.start()
    for _ in range(25 if IS_MEASURED else 2):
        assert stranger.send(message)
    assert fort.good.stats()["connections.cut"] == 0
    stranger.line.shutdown(socket.SHUT_RDWR)
    reader.join()
    stranger.break_off()
    check_growth(fort, before_kb)
    fort.close()


# ---- what others notice

ROUNDS, ASKED = 12, 40  # so often, so many questions
HITCHES = 8  # tries of a row that is about time
LATE = {50: 0.6, 99: 0.03}  # of them may take twice what so many of a hundred take without the attack


class Attack:
    """An attacker, or a control of it, that attacks while it is told to. The control is the same attacker that does the
    same to a process which throws it away."""

    def __init__(self, fort, kind, name, is_control):
        self._processes = []
        self._board_path = os.path.join(fort.folder.name, f"board.{time.monotonic_ns()}")
        with open(self._board_path, "wb") as file:
            file.write(bytes(16))
        self.board = Board(self._board_path)
        self.board.set(1, 1 << 40)
        endpoint = fort.endpoint[name]
        if is_control:
            where = self._board_path + ".sink" if fort.is_local else "tcp"
            endpoint = self._start("sink", str(20 << 20), where, stdout=subprocess.PIPE, text=True).stdout.readline().strip()
        words = kind.split()
        self._start(*(["parts", name, words[2]] if words[0] == "parts" else [words[0]]), endpoint)
        self.seconds, self.sent = 0.0, 0

    def _start(self, *arguments, **options):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attacker.py")
        self._processes.append(child.start([sys.executable, script, self._board_path, *arguments],
                                           env={**os.environ, "PYTHONPATH": PYTHON}, **options))
        return self._processes[-1]

    def begin(self):
        """Wait until something is sent."""
        while self.board.get(0) == 0:
            assert all(process.poll() is None for process in self._processes), "an attacker ended"
            time.sleep(0.001)

    def tell(self, number):
        for process in self._processes:
            process.send_signal(number)

    def close(self):
        self.tell(signal.SIGKILL)
        for process in self._processes:
            process.wait()


def ask(fort, count):
    """@return how long each question took [s], one each millisecond"""
    waits = []
    for _ in range(count):
        from_s = time.monotonic()
        fort.good.do(list_worlds=pb.ListWorlds())
        waits.append(time.monotonic() - from_s)
        time.sleep(0.001)
    return waits


def beside(fort, kind, name):
    """Nobody, the control and the attack in turns. @return for each what questions took [s], sorted"""
    runs = [Attack(fort, kind, name, is_control) for is_control in (True, False)]
    control, attack = runs
    took = {"nobody": [], "control": [], "attack": []}
    for run in runs:
        run.begin()
    for run in runs:
        run.tell(signal.SIGSTOP)
    for _ in range(ROUNDS):
        took["nobody"] += ask(fort, ASKED)
        for run, word in ((attack, "attack"), (control, "control")):
            from_s, sent = time.monotonic(), run.board.get(0)
            run.tell(signal.SIGCONT)
            took[word] += ask(fort, ASKED)
            run.tell(signal.SIGSTOP)
            run.seconds += time.monotonic() - from_s
            run.sent += run.board.get(0) - sent
            control.board.set(1, int(attack.sent / attack.seconds) + 1)  # as much as from the attacker
    for run in runs:
        run.close()
    return {word: sorted(waits) for word, waits in took.items()}, attack


def quantile(waits, percent):
    return waits[len(waits) * percent // 100]


def late_share(took, percent):
    """Of the questions beside the attack: how many took twice as long as `percent` of the others did."""
    late_s = 2 * max(quantile(took[word], percent) for word in ("nobody", "control"))
    return sum(wait > late_s for wait in took["attack"]) / len(took["attack"])


def others_beside(transport, kind, name):
    """What others wait is at most doubled, by what they wait beside nobody or beside the control. Of some tries one has
    to be without a hitch of the machine's. How often an attacker is cut off does not depend on the machine."""
    fort = Fort(transport)
    for _ in range(HITCHES):
        cut, from_s = fort.good.stats()["connections.cut"], time.monotonic()
        took, attack = beside(fort, kind, name)
        cuts = fort.good.stats()["connections.cut"] - cut
        words = [f"{word} p50 {1000 * quantile(waits, 50):.2f} p99 {1000 * quantile(waits, 99):.2f} max {1000 * waits[-1]:.2f} ms"
                 for word, waits in took.items()]
        print("          ", "  ".join(words), f" {attack.sent / attack.seconds / 1e6:.1f} MB/s  {cuts} cut off")
        assert not kind.startswith("parts") or cuts <= 3 + (time.monotonic() - from_s), "20 MiB each, at 16 MiB a second"
        if not IS_MEASURED or all(late_share(took, percent) <= most for percent, most in LATE.items()):
            fort.close()
            return
    raise AssertionError("others wait")


ATTACKS = [("parts of 4194304", "control"), ("parts of 0", "control"), ("parts of 40", "changes"), ("topics", "paths"),
           ("greetings", "control"), ("visits", "control")]


def newcomers_beside(fort, kind):
    """Each is served, over connections of their own, and so is whoever was there before."""
    attack = Attack(fort, kind, "control", False)
    attack.begin()
    for _ in range(50):
        newcomer = Line(fort.context, fort.endpoint["control"])
        newcomer.do(list_worlds=pb.ListWorlds())
        newcomer.close()
        fort.good.do(list_worlds=pb.ListWorlds())
    attack.close()


def silent_ones(fort):
    """On each socket one that says nothing, one with half a greeting, and one that greets and answers nothing."""
    held = [strangers.connect(fort.endpoint[name]) for name in SOCKETS for _ in range(2)]
    for line in held[::2]:
        line.sendall(strangers.GREETING[:20])
    return held + [Stranger(fort.endpoint[name], name).line for name in SOCKETS]


def connections_beyond(other):
    """300 descriptors: newcomers are refused while they are used up, and served when others left. Whoever was there
    before goes on.
    @param other  not this daemon but one like it that may have no more"""
    fort = Fort(other.transport, prefix=("prlimit", "--nofile=300"))
    try:
        use_up_connections(fort)
    finally:
        fort.close()


def use_up_connections(fort):
    held = []
    for name in SOCKETS:
        for _ in range(150):
            try:
                held.append(strangers.connect(fort.endpoint[name]))
            except OSError:
                pass  # it was refused already
    fort.wait_for_more("connections.refused", 299)
    watch = fort.good.do(watch=pb.Watch(world="scrap", all=True, credit=100)).watching.watch
    begun, from_s = strangers.cpu_s(fort.daemon.process), time.monotonic()
    for _ in range(4):
        fort.good.next("head")  # one a second, or fewer
    took_s = strangers.cpu_s(fort.daemon.process) - begun
    assert took_s < 0.1 * max(time.monotonic() - from_s, 4.0), f"{took_s} s of processor"
    fort.good.do(unwatch=pb.Unwatch(watch=watch))
    for line in held:
        line.close()
    newcomer = Line(fort.context, fort.endpoint["control"])
    newcomer.do(list_worlds=pb.ListWorlds())
    newcomer.close()
    assert "level=warn event=refused" in fort.daemon.log(), fort.daemon.log()


def row(name, act, *arguments):
    return name, lambda fort: act(fort, *arguments)


def parts_without_end(*names):
    return [row(f"parts of {size} without end on {name}", a_message_without_end, name, bytes(size), 400 << 20)
            for name in names for size in (4 << 20, 0, 1, 40, 1000)]


def stories(*acts):
    return [row(act.__name__.replace("_", " "), act) for act in acts]


# Rows that measure no time of others, and wait most of theirs. Those of a lane share a daemon. What takes long is first.
LANES = [
    stories(topics_of_many_connections, topics_of_a_crowd),
    stories(topics_beyond_a_subscribers, topics_beyond_all),
    stories(many_messages_without_end, a_long_message_that_comes_slowly, long_messages_that_end,
            broken_off_with_a_full_queue),
    parts_without_end("control", "changes"),
    stories(topics_that_part_far, long_topics) +
    [row(f"newcomers beside endless {kind}", newcomers_beside, kind) for kind in ("greetings", "visits")],
    [row(f"{kind}, each 15 MiB, without a break", long_messages_without_a_break, kind) for kind in LONG_MESSAGES] +
    [row("connections beyond", connections_beyond)],
    parts_without_end("poses", "paths"),
]
LANES_AT_ONCE = 4


def attempt(name, act, *arguments):
    """@return how many failed"""
    for left in reversed(range(TRIES)):
        began = time.monotonic()
        try:
            act(*arguments)
            print(f"{time.monotonic() - began:6.2f} s  {name}", flush=True)
            return 0
        except Exception as error:
            is_last = left == 0 or not isinstance(error, TooSlow)
            print(f"{'FAILED' if is_last else 'again'}: {name}\n{traceback.format_exc(limit=4)}", flush=True)
            if is_last:
                return 1


class Lane:
    """Rows with a daemon of their own, which strangers that are silent hold on to from the beginning."""

    def __init__(self, transport, rows):
        self._fort = Fort(transport)
        self._held = silent_ones(self._fort)
        self._transport, self._rows = transport, rows

    def run(self):
        return [attempt(f"{self._transport}: {name}", act, self._fort) for name, act in self._rows]

    def close(self):
        self._fort.wait("connections.open", 1)  # ours; those that were silent are gone
        for line in self._held:
            line.close()
        return attempt(f"{self._transport}: the end of {len(self._rows)} rows", self._fort.close)


def is_wanted(title):
    return ROWS[1:] not in title if ROWS.startswith("-") else ROWS in title


def main():
    wanted = [(transport, [(name, act) for name, act in rows if is_wanted(f"{transport}: {name}")])
              for rows in LANES for transport in ("tcp", "ipc")]
    lanes = [Lane(transport, rows) for transport, rows in wanted if rows]
    with concurrent.futures.ThreadPoolExecutor(LANES_AT_ONCE) as pool:
        failed = sum(pool.map(Lane.run, lanes), [])
    for transport, kind, name in [("tcp", *attack) for attack in ATTACKS] + \
            [("ipc", *ATTACKS[0]), ("ipc", "greetings", "control")]:
        title = f"{transport}: others beside endless {kind} on {name}"
        if is_wanted(title):
            failed.append(attempt(title, others_beside, transport, kind, name))
    failed += [lane.close() for lane in lanes]
    print(f"strangers: {len(failed)} cases, {sum(failed)} failed")
    return 1 if sum(failed) else 0


sys.exit(main())
