#!/usr/bin/python3
"""replan-ros2 and the played robot beside a robot on Fast DDS, both ways.

usage: test_fastdds.py BUILD_DIRECTORY      fastdds.sh compiles that robot
"""

import os
import subprocess
import sys
import unittest

BUILD = os.path.abspath(sys.argv.pop(1))
sys.path[:0] = [os.path.join(BUILD, "python"), os.path.dirname(os.path.abspath(__file__))]
from robot import Bridge, Domain, Robot, child, pose  # noqa: E402

from daemon import Daemon  # noqa: E402

OTHER = os.path.join(BUILD, "tests", "fastdds", "robot")
SIDE = 4000  # 16 MB


class Vendors(unittest.TestCase):
    def setUp(self):
        self.domain = Domain(has_tag=False)  # Fast DDS knows none
        self.addCleanup(self.domain.close)

    def other(self, *words):
        process = child.start([OTHER, str(self.domain.number), *map(str, words)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def robot(self):
        robot = Robot(BUILD, self.domain)
        self.addCleanup(robot.stop)
        return robot

    def test_a_robot_on_fast_dds_gets_its_plan(self):
        daemon = Daemon(os.path.join(BUILD, "bin", "repland"))
        self.addCleanup(daemon.stop)
        bridge = Bridge(BUILD, self.domain, control=daemon.control, map_topic="map", map_kind="map")
        self.addCleanup(bridge.stop)
        for side in (400, 1000):
            told, complaint = self.other("drive", side).communicate()
            self.assertTrue(told.startswith("plan ") and told.endswith(" map\n"), told + complaint)

    def test_a_latched_map_of_fast_dds_comes_whole_to_a_late_reader(self):
        written = self.other("write", SIDE).stdout.readline()
        late = self.robot()
        late.reader("rt/map", "occupancy", latched=True, depth=1)
        self.assertEqual(late.next("rt/map"), written.strip())

    def test_a_latched_map_of_cyclone_comes_whole_to_a_late_reader_on_fast_dds(self):
        early, reader = self.robot(), self.robot()
        reader.reader("rt/map", "occupancy", latched=True, depth=1)
        early.writer("rt/map", "occupancy", latched=True, depth=1)
        early.grid("rt/map", bytes(i * 7 % 101 for i in range(SIDE)) * SIDE, SIDE, SIDE, pose())
        told, complaint = self.other("read").communicate()
        self.assertEqual(told.strip(), reader.next("rt/map"), complaint)


if __name__ == "__main__":
    unittest.main()
