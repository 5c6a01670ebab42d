#!/usr/bin/python3
"""Windows by the Python package, against a real repland: two clients, one of which shifts the world.

usage: test_windows.py BUILD_DIRECTORY
"""

import os
import sys
import unittest

BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.abspath("build/release")
BIN, PYTHON = os.path.join(BUILD, "bin"), os.path.join(BUILD, "python")
if not os.path.exists(os.path.join(BIN, "repland")):
    print("skipped: there is no", os.path.join(BIN, "repland"))
    sys.exit(77)
sys.path.insert(0, PYTHON)

import replan  # noqa: E402
from replan import replan_pb2 as pb  # noqa: E402
from daemon import PATIENCE_S, Daemon  # noqa: E402

SIDE = 5000  # its bytes fit into no message


class Windows(unittest.TestCase):
    def setUp(self):
        daemon = Daemon(os.path.join(BIN, "repland"))
        self.addCleanup(daemon.stop)
        self.roller = replan.Client(daemon.control, timeout_s=PATIENCE_S)
        self.sensor = replan.Client(daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(self.roller.close)
        self.addCleanup(self.sensor.close)

    def open_world(self):
        self.roller.create_world("w", 20, 10, resolution=0.1, origin=(1.0, 2.0, 0.0))

    def place_of(self, byte):
        """Where it stands, in cells of the first window."""
        info, = self.roller.worlds()
        data = self.roller.snapshot("w")[1]
        at = data.index(byte)
        x = round((info.geometry.origin_x - 1.0) / 0.1)
        return at % info.geometry.width + x, at // info.geometry.width

    def test_what_a_client_writes_lands_where_it_meant_to_however_often(self):
        self.open_world()
        self.sensor.worlds()  # what it knows of the world
        self.roller.resize("w", 4, 0, 20, 10)
        self.sensor.write_rect("w", 10, 5, 1, 1, b"\x07")
        self.assertEqual(self.place_of(7), (10, 5))
        self.roller.resize("w", 3, 0, 20, 10)
        self.sensor.fill_rect("w", 11, 5, 1, 1, 8)  # the reply before told of another window
        self.sensor.set_cells("w", [(12, 5), (2, 5)], 9)
        self.assertEqual((self.place_of(8), self.place_of(9)), ((11, 5), (12, 5)))
        applied = self.sensor.write_rect("w", 5, 0, 4, 1, b"\x05" * 4)
        self.assertEqual((applied.window, applied.dropped), (3, 2))

    def test_who_asks_for_no_geometry_means_the_window_of_its_first_change(self):
        self.open_world()
        self.sensor.write_rect("w", 10, 5, 1, 1, b"\x07")
        self.roller.resize("w", 4, 0, 20, 10)
        self.sensor.put_disc("w", 1, 1.05, 2.05, 0.04, 1)  # in metres: this reply tells nothing of cells
        self.sensor.write_rect("w", 11, 5, 1, 1, b"\x08")
        self.assertEqual((self.place_of(7), self.place_of(8)), ((10, 5), (11, 5)))
        self.sensor.set_cells("w", [(2, 2)], 9)  # needs sides: it asks for the newest
        self.assertEqual(self.place_of(9), (6, 2))

    def test_a_reader_is_in_the_window_of_the_answer_that_it_took_last(self):
        self.open_world()
        self.sensor.worlds()
        watch = self.sensor.watch("w")
        self.roller.open_agent("w", "orc", start=(1.55, 2.55), goal=(2.85, 2.55))
        self.assertEqual(watch.next(PATIENCE_S).window, 1)
        self.roller.resize("w", 4, 0, 20, 10)
        self.roller.fill_rect("w", 8, 0, 1, 8, 0)
        self.sensor.stats()  # the answer has come, and is not taken yet
        self.sensor.write_rect("w", 10, 5, 1, 1, b"\x07")
        self.assertEqual(self.place_of(7), (10, 5))
        answer = watch.next(PATIENCE_S)
        while answer.window != 2:
            answer = watch.next(PATIENCE_S)
        self.sensor.write_rect("w", 6, 6, 1, 1, b"\x08")
        self.assertEqual(self.place_of(8), (10, 6))
        scout = self.sensor.agent("w", "orc")
        self.assertTrue(scout.valid(answer.path).legal)
        self.roller.resize("w", -3, 0, 20, 10)
        self.assertTrue(scout.valid(answer.path).legal)  # in cells of the window of the answer

    def test_a_window_that_is_gone_is_raised_once_and_tells_the_present_one(self):
        self.open_world()
        self.sensor.worlds()
        for _ in range(256):
            self.roller.resize("w", 1, 0, 20, 10)
        with self.assertRaisesRegex(replan.ReplanError, "change.window 1 of epoch") as gone:
            self.sensor.write_rect("w", 0, 0, 1, 1, b"\x07")
        self.assertEqual(gone.exception.status, "GONE")
        self.assertEqual(gone.exception.present.window, 257)
        self.assertAlmostEqual(gone.exception.present.geometry.origin_x, 26.6)
        self.sensor.write_rect("w", 0, 0, 1, 1, b"\x07")
        self.assertEqual(self.place_of(7), (256, 0))
        with self.assertRaisesRegex(replan.ReplanError, "GONE"):
            self.sensor.apply(pb.Change(world="w", epoch=1, window=1, width=1, height=1, fill=1))

    def test_a_window_told_in_metres_brings_its_bytes(self):
        self.open_world()
        data = bytes(range(1, 201))
        applied = self.roller.resize("w", width=20, height=10, origin=(1.04, 1.96), data=data)
        self.assertEqual(applied.window, 2)
        info, = self.sensor.worlds()
        self.assertEqual((info.window, info.geometry.origin_x, info.geometry.origin_y), (2, 1.04, 1.96))
        version, seen = self.sensor.snapshot("w")
        self.assertEqual((version, seen), (2, data))
        self.roller.resize("w", width=20, height=10, origin=(1.26, 1.96), rects=[(17, 0, 3, 10, bytes(30))])
        rows = [data[y * 20 + 3:y * 20 + 20] + bytes(3) for y in range(10)]
        self.assertEqual(self.sensor.snapshot("w"), (3, b"".join(rows)))
        for words, act in (
                ("cell \\(19, 0\\) is new", {"x": 1, "y": 0, "rects": [(0, 0, 1, 1, b"\1")]}),
                ("origin is in metres, it excludes x and y", {"x": 1, "y": 0, "origin": (1.0, 2.0)}),
                ("data has 3 bytes, 20 x 10 cells need 200", {"x": 0, "y": 0, "data": b"abc"}),
                ("rects\\[0\\] has 1 bytes, 2 x 1 cells need 2", {"x": 0, "y": 0, "rects": [(0, 0, 2, 1, b"a")]}),
                ("rects\\[0\\] is \\(1, 2\\), it must be", {"x": 0, "y": 0, "rects": [(1, 2)]}),
                ("resize.geometry.origin_yaw is 0.5", {"origin": (1.0, 2.0, 0.5)}),
                ("origin is \\(1.0,\\), it must be", {"origin": (1.0,)}),
                ("resize.x is None", {})):
            with self.assertRaisesRegex(replan.ReplanError, words):
                self.roller.resize("w", width=20, height=10, **act)
        self.assertEqual(self.sensor.snapshot("w")[0], 3)

    def test_worlds_whose_bytes_fit_into_no_message_are_stated_in_portions(self):
        data = bytearray(b"\0" * SIDE * SIDE)
        data[3 * SIDE + 2000] = data[4990 * SIDE + 70] = 200
        self.roller.create_world("w", SIDE, SIDE, data=data, resolution=0.05, profile="costmap")
        self.assertEqual(self.sensor.snapshot("w")[1], data)
        data[5 * SIDE:5 * SIDE + SIDE] = b"\x11" * SIDE
        applied = self.roller.resize("w", width=SIDE, height=SIDE, origin=(0.02, 0.03), data=data)
        self.assertEqual(applied.window, 2)
        self.assertEqual(self.sensor.snapshot("w")[1], data)
        with self.assertRaisesRegex(replan.ReplanError, "create_world.data has 25000000 bytes, 5001 x 5000"):
            self.roller.create_world("v", SIDE + 1, SIDE, data=data)

    def test_what_is_still_to_be_stated_blocks(self):
        own = replan.profile("mine", bytes([1, 2, 3, 0]) + bytes([1]) * 252, unit=1)
        for profile, byte in (("factor", 0), ("costmap", 254), ("mine", 3)):
            self.assertEqual(replan.windows.blocker(profile, [own]), byte)
        free = replan.profile("free", bytes([1]) * 256, unit=1)
        self.assertIsNone(replan.windows.blocker("free", [free]))
        self.assertEqual(replan.windows.blocker("as", [replan.profile("as", like="costmap")]), 254)


if __name__ == "__main__":
    unittest.main()
