#!/usr/bin/python3
"""`replan replay-costmap` with recordings made here, broken ones, and the shared one where it is; and what `replan record` writes.

usage: test_recordings.py FOLDER_OF_PROGRAMS FOLDER_OF_PYTHON
"""

import heapq
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

BIN, PYTHON = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [PYTHON, os.path.join(HERE, "..", "clients"), os.path.join(HERE, "..", "system")]

import replan  # noqa: E402
from replan import replan_pb2 as pb  # noqa: E402
from daemon import PATIENCE_S, Daemon  # noqa: E402
from mirror import Mirror  # noqa: E402

MAPS = os.environ.get("REPLAN_MAPS", os.path.join(HERE, "..", "..", "..", "shared", "maps"))
SHARED = os.path.join(MAPS, "robot", "cm_moving_obstacle.mcap.zstd")
MAGIC = b"\x89MCAP0\r\n"
COSTMAP = "nav2_msgs/msg/Costmap"
OCCUPANCY = "nav_msgs/msg/OccupancyGrid"


# ---- recordings

class Cdr:
    def __init__(self, order="<"):
        self.order, self.bytes = order, bytearray()

    def put(self, code, *values):
        size = struct.calcsize("=" + code)
        for value in values:
            self.bytes += bytes(-len(self.bytes) % size) + struct.pack(self.order + code, value)

    def text(self, text):
        self.put("I", len(text) + 1)
        self.bytes += text.encode() + b"\0"

    def whole(self):
        return (b"\0\1\0\0" if self.order == "<" else b"\0\0\0\0") + bytes(self.bytes)


def grid(width, height, cells, *, origin=(0, 0), resolution=0.05, second=1, order="<", schema=COSTMAP, frame="map", count=None):
    cdr = Cdr(order)
    cdr.put("i", second)
    cdr.put("I", 0)
    cdr.text(frame)
    cdr.put("i", 0)
    cdr.put("I", 0)
    if schema == COSTMAP:
        cdr.put("i", second)
        cdr.put("I", 0)
        cdr.text("master")
    cdr.put("f", resolution)
    cdr.put("I", width, height)
    cdr.put("d", *origin, 0, 0, 0, 0, 1)
    cdr.put("I", len(cells) if count is None else count)
    return cdr.whole() + bytes(cells)


def record(opcode, content):
    return bytes([opcode]) + struct.pack("<Q", len(content)) + content


def text(words):
    return struct.pack("<I", len(words)) + words.encode()


def xxh32_of_two(data):
    """xxHash of two bytes, as the head of an lz4 frame needs it."""
    mask = 2**32 - 1
    total = (374761393 + 2) & mask
    for byte in data:
        total = (total + byte * 374761393) & mask
        total = ((total << 11 | total >> 21) & mask) * 2654435761 & mask
    for shift, factor in ((15, 2246822519), (13, 3266489917), (16, 1)):
        total = (total ^ total >> shift) * factor & mask
    return total


def pack(kind, data):
    """As the compression's own form for bytes that it could not shorten."""
    if kind == "zstd":
        assert len(data) < 1 << 17
        return b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data)) + struct.pack("<I", len(data) << 3 | 1)[:3] + data
    if kind == "lz4":
        assert len(data) < 1 << 22
        head = b"\x60\x70"  # blocks that stand alone, of at most 4 MiB
        return (b"\x04\x22\x4d\x18" + head + bytes([xxh32_of_two(head) >> 8 & 255])
                + struct.pack("<I", len(data) | 1 << 31) + data + bytes(4))
    return data


def mcap(messages, *, schema=COSTMAP, topic="/costmap", kind=None, chunk=3, bad_sum=False):
    """kind: of the chunks; None: no chunks."""
    records = [record(3, struct.pack("<H", 1) + text(schema) + text("ros2msg") + text("")),
               record(4, struct.pack("<HH", 5, 1) + text(topic) + text("cdr") + text(""))]
    for number, message in enumerate(messages):
        stamp = 10**9 + number * 10**7
        records.append(record(5, struct.pack("<HIQQ", 5, number, stamp, stamp) + message))
    out = MAGIC + record(1, text("") + text("test"))
    if kind is None:
        out += b"".join(records)
    for at in range(0, len(records), chunk) if kind is not None else ():
        data = b"".join(records[at:at + chunk])
        total = zlib.crc32(data) ^ bad_sum
        packed = pack(kind, data)
        out += record(6, struct.pack("<QQQI", 0, 0, len(data), total) + text(kind) + struct.pack("<Q", len(packed)) + packed)
    return out + record(15, bytes(4)) + record(2, bytes(20)) + MAGIC


def type_of(name, descriptors):
    """The class of a schema's messages."""
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(descriptors).file:
        pool.Add(file)
    return message_factory.MessageFactory(pool).GetPrototype(pool.FindMessageTypeByName(name))


def records(data, at=0):
    """Up to the last whole one: of a recorder that was killed the next may be half written."""
    while at + 9 <= len(data):
        length = struct.unpack_from("<Q", data, at + 1)[0]
        if at + 9 + length > len(data):
            return
        yield data[at], data[at + 9:at + 9 + length]
        at += 9 + length


def read_text(data, at):
    size = struct.unpack_from("<I", data, at)[0]
    return data[at + 4:at + 4 + size], at + 4 + size


def messages_of(data):
    """Of a recording without compression: topic, time and message, in the order of the file."""
    assert data[:8] == MAGIC
    types, channels = {}, {}
    for opcode, chunk in records(data[:-8] if data[-8:] == MAGIC else data, 8):
        if opcode != 6:
            continue
        assert read_text(chunk, 28)[0] == b""
        inner = chunk[40:]
        assert zlib.crc32(inner) == struct.unpack_from("<I", chunk, 24)[0]
        for kind, content in records(inner):
            if kind == 3:
                name, at = read_text(content, 2)
                types[struct.unpack_from("<H", content)[0]] = type_of(name.decode(), read_text(content, read_text(content, at)[1])[0])
            elif kind == 4:
                number, schema = struct.unpack_from("<HH", content)
                channels[number] = (read_text(content, 4)[0].decode(), types[schema])
            elif kind == 5:
                number, _, stamp, _ = struct.unpack_from("<HIQQ", content)
                topic, message = channels[number]
                yield topic, stamp, message.FromString(content[22:])


def block(width, height, x, y, side):
    cells = bytearray(width * height)
    for row in range(y, min(y + side, height)):
        for column in range(x, min(x + side, width)):
            cells[row * width + column] = 254
    return bytes(cells)


# ---- a checker of our own

MOVES = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


def factor(byte):
    return 50 if byte == 255 else 0 if byte >= 253 else 50 + byte * 4 // 5


def step_cost(cells, width, cell, move):
    """None: the rules forbid it."""
    dx, dy = MOVES[move]
    x, y = cell % width + dx, cell // width + dy
    if not (0 <= x < width and 0 <= y < len(cells) // width) or not factor(cells[y * width + x]):
        return None
    if dx and dy and not (factor(cells[cell + dx]) and factor(cells[cell + dy * width])):
        return None
    return math.hypot(dx, dy) * (factor(cells[cell]) + factor(cells[y * width + x])) / 100


def cheapest(cells, width, start, goal):
    costs, open_list = {start: 0.0}, [(0.0, start)]
    while open_list:
        cost, cell = heapq.heappop(open_list)
        if cell == goal:
            return cost
        if cost > costs[cell]:
            continue
        for move, (dx, dy) in enumerate(MOVES):
            step = step_cost(cells, width, cell, move)
            to = cell + dx + dy * width
            if step is not None and cost + step < costs.get(to, math.inf):
                costs[to] = cost + step
                heapq.heappush(open_list, (cost + step, to))
    return None


class Recordings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(os.path.join(BIN, "repland"))
        cls.folder = tempfile.TemporaryDirectory()
        cls.client = replan.Client(cls.daemon.control, timeout_s=PATIENCE_S)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.daemon.stop()
        cls.folder.cleanup()

    def write(self, data):
        path = os.path.join(self.folder.name, "drive.mcap")
        with open(path, "wb") as file:
            file.write(data)
        return path

    def start(self, *words):
        return subprocess.Popen([os.path.join(BIN, "replan"), "replay-costmap", "-c", self.daemon.control, *words],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def play(self, data, *words, code=0):
        process = self.start("--speed", "0", *words, self.write(data))
        out, err = process.communicate()
        self.assertEqual(process.returncode, code, (out, err))
        return out + err

    def world(self, name="costmap"):
        info = next(world for world in self.client.worlds() if world.name == name)
        return info.geometry, self.client.snapshot(name)[-1]

    def need(self, kind):
        """Without the library of a compression what needs it is skipped."""
        process = self.start("--speed", "0", self.write(mcap([grid(1, 1, bytes(1))], kind=kind)))
        if f"built without {kind}" in process.communicate()[1]:
            self.skipTest(f"replan was built without {kind}")

    def test_lz4_is_unpacked(self):
        self.need("lz4")
        self.play_kind("lz4")

    def test_zstd_is_unpacked(self):
        self.need("zstd")
        self.play_kind("zstd")

    def test_the_last_grid_stands_in_the_world(self):
        self.play_kind(None)
        self.play_kind("")

    def play_kind(self, kind):
        first, last = block(40, 30, 5, 5, 9), block(40, 30, 20, 10, 4)
        for order in "<>":
            said = self.play(mcap([grid(40, 30, cells, order=order, second=second)
                                   for second, cells in enumerate((first, first, last, first, last), 1)], kind=kind))
            self.assertIn("5 grids, 3 changed cells, 0 moved the window, 0 were refused", said)
            geometry, cells = self.world()
            self.assertEqual((geometry.width, geometry.height, geometry.resolution, cells), (40, 30, 0.05, last))

    def test_a_grid_that_moves_moves_the_window(self):
        wall = block(40, 30, 10, 10, 5)
        moved = block(40, 30, 8, 10, 5)
        said = self.play(mcap([grid(40, 30, wall), grid(40, 30, wall, origin=(0.02, 0), second=2),
                               grid(40, 30, moved, origin=(0.1, 0), second=3)]))
        self.assertIn("3 grids, 0 changed cells, 2 moved the window", said)
        geometry, cells = self.world()
        self.assertAlmostEqual(geometry.origin_x, 0.1)
        self.assertEqual(cells, moved)

    def test_another_resolution_makes_another_world(self):
        self.play(mcap([grid(4, 4, bytes(16)), grid(6, 5, bytes(30), resolution=0.1, second=2)]))
        geometry, cells = self.world()
        self.assertEqual((geometry.resolution, len(cells)), (0.1, 30))

    def test_an_occupancy_grid_is_a_map(self):
        data = grid(5, 1, bytes([0, 50, 70, 100, 255]), schema=OCCUPANCY)
        self.play(mcap([data], schema=OCCUPANCY, topic="/map"), "--world", "occupancy")
        self.assertEqual(self.world("occupancy")[1], bytes([0, 0, 254, 254, 255]))

    def test_an_occupancy_grid_of_a_costmap_keeps_its_gradient(self):
        data = grid(4, 1, bytes([0, 50, 99, 100]), schema=OCCUPANCY)
        costmap = bytes([0, *replan.occupancy([50]), 253, 254])
        self.play(mcap([data], schema=OCCUPANCY, topic="/global_costmap/costmap"), "--world", "gradient")
        self.assertEqual(self.world("gradient")[1], costmap)
        self.play(mcap([data], schema=OCCUPANCY, topic="/map"), "--world", "gradient", "--map-kind", "costmap")
        self.assertEqual(self.world("gradient")[1], costmap)

    def test_times_that_cannot_be_are_not_waited_for(self):
        data = bytearray(mcap([grid(4, 4, bytes(16)), grid(4, 4, b"\xfe" * 16, second=2)]))
        at = data.rindex(struct.pack("<QQ", 10**9 + 10**7, 10**9 + 10**7))
        for late in (2**63 + 5, 2**64 - 1):
            data[at:at + 16] = struct.pack("<QQ", late, late)
            process = self.start("--speed", "1000", self.write(bytes(data)))
            self.assertIn("2 grids, 1 changed", process.communicate(timeout=PATIENCE_S)[0])

    def test_grids_that_are_all_refused_are_bad_input(self):
        self.assertIn("1 were refused", self.play(mcap([grid(4, 4, bytes(15))]), code=2))

    def test_a_grid_that_does_not_fit_is_counted_and_the_rest_goes_on(self):
        fine = grid(4, 4, bytes(16))
        bad = [grid(4, 4, bytes(15)), grid(4, 4, bytes(16), count=17), grid(0, 0, b""), fine[:20], b"", b"\0\1\0\0",
               grid(4, 4, bytes(16), resolution=math.nan), grid(4, 4, bytes(16), origin=(math.inf, 0)), b"\0\7" + fine[2:]]
        said = self.play(mcap([fine, *bad, grid(4, 4, b"\xfe" * 16, second=9)]))
        self.assertIn(f"{len(bad) + 2} grids, 1 changed cells, 0 moved the window, {len(bad)} were refused", said)
        self.assertEqual(self.world()[1], b"\xfe" * 16)

    def test_a_file_that_breaks_off_says_at_which_byte(self):
        self.need("zstd")
        data = mcap([grid(4, 4, bytes(16)), grid(4, 4, b"\xfe" * 16, second=2)], kind="zstd", chunk=2)
        for end in (*range(0, len(data) - 40, 7), len(data) - 42):
            said = self.play(data[:end], code=2)
            self.assertRegex(said, r"drive\.mcap: byte \d+: .", end)

    def test_what_is_damaged_is_named(self):
        self.need("zstd")
        one = [grid(4, 4, bytes(16))]
        whole = mcap(one)
        for data, words in ((b"no MCAP at all", "does not begin as an MCAP does"),
                            (mcap(one, kind="", bad_sum=True), "sum is wrong"),
                            (mcap(one, kind="zstd").replace(b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfc"), "cannot be unpacked"),
                            (mcap(one, kind="zstd").replace(b"zstd", b"brot"), "other than lz4 and zstd"),
                            (whole.replace(struct.pack("<HH", 5, 1), struct.pack("<HH", 5, 2)), "a schema that did not come"),
                            (whole.replace(struct.pack("<HH", 5, 1), struct.pack("<HH", 6, 1)), "a channel that did not come"),
                            (mcap(one, schema="std_msgs/msg/String"), "holds no grids"),
                            (b"\x28\xb5\x2f\xfd" + bytes(9), "zstd")):
            self.assertIn(words, self.play(data, code=2))
        self.assertIn("of topic /other", self.play(whole, "--topic", "/other", code=2))

    def test_arguments_are_refused_by_name(self):
        path = self.write(mcap([grid(4, 4, bytes(16))]))
        for words, sentence in (((), "one FILE is needed"), ((path, path), "one FILE is needed"),
                                (("--speed", "1001", path), "--speed"), (("--speed", "x", path), "--speed"), (("--map-kind", "x", path), "--map-kind"),
                                (("--world", "", path), "--world"), (("/nowhere/drive.mcap",), "/nowhere/drive.mcap: cannot be opened")):
            process = self.start(*words)
            err = process.communicate()[1]
            self.assertEqual(process.returncode, 2, err)
            self.assertIn(sentence, err)
        away = subprocess.run([os.path.join(BIN, "replan"), "replay-costmap", "-c", "tcp://127.0.0.1:1", path],
                              capture_output=True, text=True)
        self.assertEqual(away.returncode, 4, away)

    # ---- record

    def record(self, *words):
        return subprocess.Popen([os.path.join(BIN, "replan"), "record", "-c", self.daemon.control, *words],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def until_recorded(self, path, wanted):
        """Change the world until a chunk with so many bytes is on the disk."""
        number = 0
        while os.path.getsize(path) < wanted:
            self.client.write_rect("yard", 8, 4, 20, 12, block(20, 12, number % 20, 3, 6))
            number += 1

    def test_a_recording_tells_what_happened(self):
        self.forget()
        self.client.create_world("yard", 40, 20, resolution=0.5, origin=(2, -3, 0.5), profile="costmap")
        agent = self.client.open_agent("yard", "cart", start=(5, 0), goal=(12, 8), switch_gain_percent=0, min_interval_ms=0)
        path = os.path.join(self.folder.name, "yard.mcap")
        process = self.record("--mcap", path, "--compression", "none", "yard")
        while not os.path.exists(path):
            self.assertIsNone(process.poll())
        self.until_recorded(path, 1 << 20)
        agent.answer()
        process.terminate()
        self.assertEqual((process.wait(), process.communicate()[1]), (0, ""))
        mirror, cells, topics, last = Mirror(), None, {}, 0
        with open(path, "rb") as file:
            data = file.read()
        self.assertEqual(data[-8:], MAGIC)
        for topic, stamp, message in messages_of(data):
            self.assertGreaterEqual(stamp, last)
            last = stamp
            topics[topic] = topics.get(topic, 0) + 1
            if topic == "/yard/replan":
                if not mirror.version or not message.HasField("chunk"):
                    mirror.take(message)
                elif message.chunk.version == mirror.version:
                    self.assertEqual(message.chunk.data, bytes(mirror.cells))
            elif topic == "/yard/grid":
                cells = message
                self.assertEqual(message.data, bytes(mirror.cells))
        self.assertEqual(set(topics), {f"/yard/{name}" for name in ("grid", "scene", "agents", "log", "replan")})
        self.assertEqual((cells.column_count, cells.cell_size.x, cells.pose.position.x, cells.pose.position.y), (40, 0.5, 2, -3))
        self.assertAlmostEqual(2 * math.atan2(cells.pose.orientation.z, cells.pose.orientation.w), 0.5)

    def test_agents_are_recorded_on_ground_that_does_not_change(self):
        self.forget()
        self.client.create_world("yard", 40, 20)
        agent = self.client.open_agent("yard", "cart", start=(5.5, 5.5), goal=(30.5, 5.5))
        agent.answer()
        path = os.path.join(self.folder.name, "still.mcap")
        process = self.record("--mcap", path, "--compression", "none", "--seconds", "3", "yard")
        self.assertEqual((process.wait(), process.communicate()[1]), (0, ""))
        with open(path, "rb") as file:
            poses = [message for topic, _, message in messages_of(file.read()) if topic == "/yard/agents"]
        self.assertEqual((poses[-1].poses[0].position.x, poses[-1].poses[0].position.y), (5.5, 5.5))

    def test_a_recorder_that_is_killed_leaves_whole_chunks(self):
        self.forget()
        self.client.create_world("yard", 40, 20)
        path = os.path.join(self.folder.name, "killed.mcap")
        process = self.record("--mcap", path, "--compression", "none", "yard")
        while not os.path.exists(path):
            self.assertIsNone(process.poll())
        self.until_recorded(path, 3 << 20)  # chunks have 1 MiB and little more: one is whole, whatever it writes just now
        process.kill()
        process.communicate()
        with open(path, "rb") as file:
            self.assertGreater(len(list(messages_of(file.read()))), 10)

    def test_a_recorder_refuses_by_name(self):
        self.forget()
        self.client.create_world("yard", 40, 20)
        path = os.path.join(self.folder.name, "no.mcap")
        for words, code, sentence in ((("yard",), 2, "--mcap FILE is needed"), (("--mcap", path), 2, "WORLD is needed"),
                                      (("--mcap", "/nowhere/x.mcap", "yard"), 2, "/nowhere/x.mcap: cannot be written"),
                                      (("--mcap", path, "--compression", "brotli", "yard"), 2, 'compression "brotli"'),
                                      (("--mcap", path, "--seconds", "x", "yard"), 2, "--seconds"),
                                      (("--mcap", "/dev/full", "--seconds", "1", "yard"), 2, "No space left"),
                                      (("--mcap", path, "nowhere"), 2, "nowhere"),
                                      (("--mcap", path, "-c", "tcp://127.0.0.1:1", "yard"), 4, "")):
            process = self.record(*words)
            err = process.communicate()[1]
            self.assertEqual(process.returncode, code, err)
            self.assertIn(sentence, err)

    # ---- every answer

    def follow(self, process, start, goal):
        """Checks every answer of an agent while a recording is played. Returns how many came."""
        while not any(world.name == "costmap" for world in self.client.worlds()):
            self.assertIsNone(process.poll())
        self.client.open_agent("costmap", "robot", start=start, goal=goal, switch_gain_percent=0, min_interval_ms=0)
        watch = self.client._open_watch(pb.Watch(world="costmap", all=True, map=True, follows=True, credit=1000))
        mirror, history, checked = Mirror(), {}, 0
        while True:
            message = watch.next_message(0.3)
            if message is None:
                if process.poll() is not None:
                    break
                continue
            mirror.take(message)
            mirror.is_whole = mirror.is_whole or message.HasField("chunk") and message.chunk.last
            if mirror.is_whole:
                history[mirror.version] = (bytes(mirror.cells), mirror.width)
            answers = message.answers.answers if message.HasField("answers") else [message.answer] if message.HasField("answer") else []
            for answer in answers:
                if mirror.is_whole:
                    self.check(answer, *history[answer.version])
                    checked += 1
        watch.close()
        return checked

    def check(self, answer, cells, width):
        at, cost = answer.start, 0.0
        for move in answer.steps:
            step = step_cost(cells, width, at, move)
            self.assertIsNotNone(step, f"version {answer.version}: a step into cell {at} that is forbidden")
            cost += step
            at += MOVES[move][0] + MOVES[move][1] * width
        self.assertEqual(answer.outcome, pb.FOUND)
        self.assertAlmostEqual(cost, answer.cost, delta=1e-6 * max(1, cost))
        self.assertAlmostEqual(cost, cheapest(cells, width, answer.start, at), delta=1e-6 * max(1, cost))

    def forget(self):
        for world in self.client.worlds():
            self.client.remove_world(world.name)

    def test_every_answer_is_right_while_a_grid_changes(self):
        self.forget()
        grids = [grid(60, 40, block(60, 40, 10 + number % 30, 12, 14), second=1 + number) for number in range(120)]
        process = self.start("--speed", "1", self.write(mcap(grids)))
        checked = self.follow(process, (0.1, 1.0), (2.9, 1.0))
        err = process.communicate()[1]
        self.assertEqual(process.returncode, 0, err)
        self.assertGreater(checked, 2)

    def test_every_answer_of_the_shared_recording_is_right(self):
        if not os.path.exists(SHARED):
            self.skipTest(f"{SHARED} is not there")
        self.need("zstd")
        self.forget()
        process = self.start("--speed", "4", SHARED)
        while not any(world.name == "costmap" for world in self.client.worlds()):
            self.assertIsNone(process.poll())
        geometry, _ = self.world()
        side = geometry.width * geometry.resolution

        def place(share_x, share_y):
            return (geometry.origin_x + share_x * side, geometry.origin_y + share_y * side)

        checked = self.follow(process, place(0.05, 0.5), place(0.95, 0.5))
        out, err = process.communicate()
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("231 grids", out)
        self.assertGreater(checked, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
