"""A daemon, a bridge and a played robot in a domain of DDS of their own, for the tests of this folder."""

import json
import math
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "clients")]
import child  # noqa: E402
from claim import Claim  # noqa: E402
from patience import PATIENCE_S  # noqa: E402

DOMAINS = 200

CONFIG = """<CycloneDDS><Domain><General><Interfaces><NetworkInterface name="lo"/></Interfaces>
<AllowMulticast>false</AllowMulticast></General><Discovery>{tag}<ParticipantIndex>auto</ParticipantIndex>
<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers><Peer address="127.0.0.1"/></Peers></Discovery></Domain>
</CycloneDDS>"""


class Domain:
    """A number that no other test of this machine has, until close()."""

    def __init__(self, has_tag=True):
        self._claim = Claim("domain", range(1, DOMAINS))
        self.number = self._claim.number
        tag = f"<Tag>replan-{os.getpid()}</Tag>" if has_tag else ""  # no process that was left behind
        self.environment = dict(os.environ, CYCLONEDDS_URI=CONFIG.format(tag=tag).replace("\n", ""))
        for name in ("ROS_DOMAIN_ID", "ROS_LOCALHOST_ONLY", "ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_STATIC_PEERS"):
            self.environment.pop(name, None)

    def close(self):
        self._claim.close()


class Lines:
    """What a process prints, a line at a time, with patience."""

    def __init__(self, stream):
        self._lines = queue.Queue()
        self.seen = []
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        for line in stream:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def next(self, timeout_s):
        """None: nothing came in that time."""
        try:
            line = self._lines.get(timeout=max(0.0, timeout_s))
        except queue.Empty:
            return None
        assert line is not None, "the process ended; it had printed:\n" + "\n".join(self.seen[-20:])
        self.seen.append(line)
        return line


class Bridge:
    """replan-ros2 itself. settings: parameters of its YAML."""

    def __init__(self, build, domain, **settings):
        self.domain, self._binary = domain, os.path.join(build, "bin", "replan-ros2")
        self._params = tempfile.NamedTemporaryFile("w", suffix=".yaml")
        for key, value in dict(settings, domain=domain.number).items():
            text = {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value
            self._params.write(f"{key}: {json.dumps(text) if isinstance(text, str) else text}\n")
        self._params.flush()
        self.start()

    def start(self):
        self.process = child.start([self._binary, "--params-file", self._params.name], stderr=subprocess.PIPE,
                                   text=True, env=self.domain.environment)
        self.log = Lines(self.process.stderr)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Returns its exit code."""
        if self.process.returncode is None:
            self.process.terminate()
            self.process.wait()
        return self.process.returncode

    def cpu_s(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            words = stat.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def pose(x=0.0, y=0.0, yaw=0.0, turn=None):
    """turn: another quaternion, as x, y, z, w."""
    turn = turn if turn is not None else (0.0, 0.0, math.sin(yaw / 2.0), math.cos(yaw / 2.0))
    return (x, y, 0.0, *turn)


class Robot:
    """Writes what a robot writes, and collects what it reads."""

    def __init__(self, build, domain):
        self.process = child.start([os.path.join(build, "tests", "ros2_robot"), str(domain.number)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=domain.environment)
        self.lines = Lines(self.process.stdout)
        self.events = []  # that nobody took yet
        self._file = tempfile.NamedTemporaryFile()

    def stop(self):
        if self.process.returncode is None:
            self.process.stdin.close()
            self.process.wait()

    def do(self, *words):
        """A command; returns the lines that answer it."""
        self.process.stdin.write(" ".join(str(word) if word != "" else '""' for word in words) + "\n")
        self.process.stdin.flush()
        answers = []
        until = time.monotonic() + PATIENCE_S
        while True:
            line = self.lines.next(until - time.monotonic())
            assert line is not None, f"no answer to {words}"
            if line == "done":
                return answers
            (self.events if line.startswith("rt/") else answers).append(line)

    def writer(self, topic, kind, reliable=True, latched=False, depth=10):
        self.do("writer", topic, kind, "reliable" if reliable else "best_effort",
                "latched" if latched else "volatile", depth)

    def reader(self, topic, kind, reliable=True, latched=False, depth=10):
        self.do("reader", topic, kind, "reliable" if reliable else "best_effort",
                "latched" if latched else "volatile", depth)

    def matches(self, topic):
        return int(self.do("matches", topic)[0].split()[1])

    def await_match(self, *topics):
        until = time.monotonic() + PATIENCE_S
        while not all(self.matches(topic) for topic in topics):
            assert time.monotonic() < until, f"nobody matched {topics}"
            time.sleep(0.005)

    def _store(self, data):
        self._file.seek(0)
        self._file.truncate()
        self._file.write(data)
        self._file.flush()
        return self._file.name

    def grid(self, topic, data, width, height, at, resolution=0.1, frame="map", stamp=1.0):
        self.do("grid", topic, frame, stamp, repr(resolution), width, height, *at, self._store(bytes(data)))

    def update(self, topic, data, x, y, width, height, frame="map", stamp=2.0):
        self.do("update", topic, frame, stamp, x, y, width, height, self._store(bytes(data)))

    def pose(self, topic, at, frame="map", stamp=1.0):
        self.do("pose", topic, frame, stamp, *at)

    def tf(self, parent, frame, at, stamp=1.0, topic="rt/tf"):
        self.do("tf", topic, parent, frame, stamp, *at)

    def next(self, topic, timeout_s=PATIENCE_S):
        """The next event of a topic as its words; None: none came in that time."""
        until = time.monotonic() + timeout_s
        while True:
            for event in self.events:
                if event.split(" ", 1)[0] == topic:
                    self.events.remove(event)
                    return event.split(" ", 1)[1]
            line = self.lines.next(until - time.monotonic())
            if line is None:
                return None
            self.events.append(line)

    def drop(self, topic):
        """What came so far of a topic."""
        while self.next(topic, 0.0) is not None:
            pass

    def plan(self, timeout_s=PATIENCE_S, topic="rt/replan/plan"):
        """The next plan; None: none came in that time."""
        event = self.next(topic, timeout_s)
        return Plan(event) if event is not None else None

    def diagnosis(self, timeout_s=PATIENCE_S):
        """The next level, sentence and values."""
        event = self.next("rt/diagnostics", timeout_s)
        level, _, sentence, *values = event.split("\t")
        return int(level), sentence, dict(value.split("=", 1) for value in values)

    def await_diagnosis(self, is_it):
        """The first diagnosis of which is_it(sentence, values) holds."""
        until = time.monotonic() + PATIENCE_S
        told = []
        while time.monotonic() < until:
            _, sentence, values = self.diagnosis()
            told.append((sentence, values))
            if is_it(sentence, values):
                return sentence, values
        raise AssertionError(f"not said in time; last: {told[-1:]}")


class Plan:
    """Of replan/plan: poses as x, y, yaw."""

    def __init__(self, event):
        self.frame, stamp, *numbers = event.split()
        self.stamp = float(stamp)
        numbers = [float(number) for number in numbers]
        self.poses = [tuple(numbers[i:i + 3]) for i in range(0, len(numbers), 3)]
        self.points = [place[:2] for place in self.poses]
        self.yaws = [place[2] for place in self.poses]
