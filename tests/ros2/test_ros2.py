#!/usr/bin/python3
"""replan-ros2 against a real repland, and a robot that is played in C on Cyclone DDS.

usage: test_ros2.py BUILD_DIRECTORY [TEST...]
"""

import math
import os
import sys
import time
import unittest

BUILD = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else os.path.abspath("build/release")
if not os.path.exists(os.path.join(BUILD, "bin", "replan-ros2")):
    print("skipped: there is no replan-ros2: it needs cyclonedds-dev and cyclonedds-tools")
    sys.exit(77)
sys.path[:0] = [os.path.join(BUILD, "python"), os.path.dirname(os.path.abspath(__file__))]

from robot import PATIENCE_S, Bridge, Domain, Robot, pose  # noqa: E402

from daemon import Daemon  # noqa: E402

import replan  # noqa: E402

SIDE = 40  # cells of 10 cm
RAW = "rt/global_costmap/costmap_raw"


def cells(wall=None, opening=4, side=SIDE, byte=254):
    """Free, but for a wall in a column that is open at its upper end."""
    data = bytearray(side * side)
    for y in range(side - opening if wall is not None else 0):
        data[y * side + wall] = byte
    return data


class Stage(unittest.TestCase):
    """A daemon, and what a test puts beside it."""

    def setUp(self):
        self.domain = Domain()
        self.addCleanup(self.domain.close)
        self.daemon = Daemon(os.path.join(BUILD, "bin", "repland"))
        self.addCleanup(self.daemon.stop)
        self.bridge = self.robot = None

    def begin_bridge(self, **settings):
        self.bridge = Bridge(BUILD, self.domain, control=self.daemon.control, **settings)
        self.addCleanup(self.bridge.stop)

    def begin_robot(self, grid=RAW, kind="costmap", latched=True):
        self.robot = Robot(BUILD, self.domain)
        self.addCleanup(self.robot.stop)
        self.robot.writer(grid, kind, latched=latched, depth=1)
        self.robot.writer("rt/tf", "tf", depth=100)
        self.robot.writer("rt/goal_pose", "goal")
        self.robot.reader("rt/replan/plan", "path", depth=100)
        self.robot.reader("rt/diagnostics", "diagnostics", depth=100)

    def begin(self, **settings):
        self.begin_bridge(**settings)
        self.begin_robot()
        self.robot.await_match(RAW, "rt/tf", "rt/goal_pose", "rt/replan/plan", "rt/diagnostics")

    def costmap(self, wall=None, corner=(-1.0, -1.0), data=None, stamp=1.0, yaw=0.0, resolution=0.1, side=SIDE):
        data = data if data is not None else cells(wall, side=side)
        self.robot.grid(RAW, data, side, side, pose(*corner, yaw), resolution=resolution, stamp=stamp)

    def stand(self, x, y, yaw=0.0, stamp=1.0):
        self.robot.tf("map", "base_link", pose(x, y, yaw), stamp=stamp)

    def go(self, x, y, yaw=0.0, frame="map", stamp=0.0):
        self.robot.pose("rt/goal_pose", pose(x, y, yaw), frame=frame, stamp=stamp)

    def await_plan(self, is_it):
        """The first plan of which is_it(plan) holds."""
        until = time.monotonic() + PATIENCE_S
        told = []
        while time.monotonic() < until:
            plan = self.robot.plan(until - time.monotonic())
            if plan is not None and is_it(plan):
                return plan
            told.append(plan and plan.points[:3])
        self.fail(f"no such plan came; others: {told}")
        return None


class Plans(Stage):
    def test_a_path_goes_round_what_the_costmap_shows(self):
        self.begin()
        self.costmap()
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        straight = self.await_plan(lambda plan: plan.poses)
        self.assertEqual([round(y, 2) for _, y in straight.points], [0.05] * len(straight.points))
        self.assertAlmostEqual(straight.points[0][0], -0.55)
        self.assertAlmostEqual(straight.points[-1][0], 2.05)
        self.assertEqual(straight.frame, "map")
        self.costmap(wall=15, stamp=2.5)
        around = self.await_plan(lambda plan: max(y for _, y in plan.points) > 2.5)
        self.assertEqual(around.stamp, 2.5)
        self.assertEqual(self.bridge.stop(), 0)


if __name__ == "__main__":
    unittest.main()
