#!/usr/bin/python3
"""replan-ros2 against a real repland, and a robot that is played in C on Cyclone DDS.

usage: test_ros2.py BUILD_DIRECTORY [STORY...]
"""

import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else os.path.abspath("build/release")
if not os.path.exists(os.path.join(BUILD, "bin", "replan-ros2")):
    print("skipped: there is no replan-ros2: it needs cyclonedds-dev and cyclonedds-tools")
    sys.exit(77)
sys.path[:0] = [os.path.join(BUILD, "python"), os.path.dirname(os.path.abspath(__file__))]

import hashes  # noqa: E402

from bridge_cases import CASES, Cases  # noqa: E402

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


def cached(name):
    """What CMake was told or found."""
    with open(os.path.join(BUILD, "CMakeCache.txt")) as cache:
        return next((line.strip().split("=", 1)[1] for line in cache if line.startswith(name + ":")), "")


def is_sanitized():
    return cached("REPLAN_SANITIZE") != ""


def is_packed():
    return cached("CMAKE_BUILD_TYPE") == "Release" and cached("REPLAN_PACKS_RELOCATIONS") == "1" and not is_sanitized()


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
        self.await_match(RAW, "rt/tf", "rt/goal_pose", "rt/replan/plan")

    def await_match(self, *topics):
        """Until robot and bridge know each other by these topics. Each side finds out by itself: what the one writes before the other
        one is known to it is not kept for that one."""
        self.robot.await_match(*topics, "rt/diagnostics")
        self.robot.drop("rt/diagnostics")  # of a bridge before
        self.robot.await_diagnosis(lambda _, values: all(not values.get(topic, "0").startswith("0") for topic in topics))

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


    def test_a_robot_on_an_inscribed_cell_gets_the_way_out_first(self):
        self.begin()
        data = cells()
        data[:SIDE * 11] = bytes([254] * (SIDE * 5) + [253] * (SIDE * 6))
        self.costmap(data=data)
        self.stand(-0.55, -0.25)  # in row 7
        self.go(2.05, 1.05)
        plan = self.await_plan(lambda plan: plan.poses)
        self.assertEqual([round(y, 2) for _, y in plan.points[:5]], [-0.25, -0.15, -0.05, 0.05, 0.15])
        self.assertAlmostEqual(plan.points[-1][0], 2.05)

    def check_yaws(self, plan, expected):
        for found, wanted in zip(plan.yaws, expected, strict=True):
            self.assertAlmostEqual(math.remainder(found - wanted, 2.0 * math.pi), 0.0)

    def test_poses_head_where_the_way_goes_and_the_last_one_as_the_goal(self):
        self.begin()
        self.costmap()
        self.stand(-0.55, 0.05)
        self.go(-0.55, 1.05, yaw=math.pi)
        plan = self.await_plan(lambda plan: len(plan.poses) == 11)
        self.check_yaws(plan, [math.pi / 2] * 10 + [math.pi])
        self.go(-0.25, 0.35, yaw=-2.0)
        plan = self.await_plan(lambda plan: len(plan.poses) == 4)
        self.check_yaws(plan, [math.pi / 4] * 3 + [-2.0])
        self.go(-0.55, 0.05, yaw=1.0)  # where it stands
        plan = self.await_plan(lambda plan: len(plan.poses) == 1)
        self.check_yaws(plan, [1.0])

    def test_a_goal_that_cannot_be_reached_gets_a_plan_as_near_as_there_is_a_way(self):
        self.begin(tolerance=0)
        self.costmap(data=cells(wall=15, opening=0))
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        plan = self.await_plan(lambda plan: plan.poses)
        self.assertAlmostEqual(plan.points[-1][0], 0.45)  # before the wall
        self.robot.await_diagnosis(lambda sentence, _: sentence.startswith("found: the plan ends 1.60 m before the goal"))

    def test_a_robot_outside_of_the_grid_gets_an_empty_plan_and_a_warning(self):
        self.begin()
        self.costmap()
        self.stand(-5.05, 0.05)
        self.go(2.05, 0.05)
        self.assertFalse(self.await_plan(lambda plan: True).poses)
        self.robot.await_diagnosis(lambda sentence, _: sentence.startswith("outside: the robot lies outside"))
        self.stand(-0.55, 0.05, stamp=2.0)
        self.await_plan(lambda plan: plan.poses)
        self.robot.await_diagnosis(lambda sentence, _: sentence == "found")

    def test_goal_and_robot_in_other_frames_are_turned_by_tf(self):
        self.begin()
        self.robot.writer("rt/tf_static", "tf", latched=True, depth=1)
        self.robot.tf("map", "odom", pose(1.0, 0.0, math.pi / 2))
        self.robot.tf("odom", "base_footprint", pose(0.05, 1.55))  # (-0.55, 0.05) in the map
        self.robot.tf("base_footprint", "base_link", pose(), topic="rt/tf_static")
        self.costmap()
        self.go(0.05, -1.05, yaw=-math.pi / 2, frame="odom")  # (2.05, 0.05) in the map, heading 0
        plan = self.await_plan(lambda plan: plan.poses)
        self.assertAlmostEqual(plan.points[0][0], -0.55)
        self.assertAlmostEqual(plan.points[-1][0], 2.05)
        self.assertAlmostEqual(plan.points[-1][1], 0.05)
        self.assertAlmostEqual(plan.yaws[-1], 0.0)

    def test_odom_and_amcl_pose_place_the_robot_where_tf_is_not_asked(self):
        for source, kind, reliable, latched in (("odom", "odom", False, False), ("amcl_pose", "amcl", True, True)):
            with self.subTest(source):
                self.begin_bridge(pose_source=source, agent=source, world=source)
                self.begin_robot()
                self.robot.writer("rt/" + source, kind, reliable=reliable, latched=latched, depth=1)
                self.await_match(RAW, "rt/" + source, "rt/goal_pose", "rt/replan/plan")
                self.costmap()
                self.robot.await_diagnosis(lambda sentence, _: sentence == f"no pose came yet on rt/{source}")
                said, until = "", time.monotonic() + PATIENCE_S
                while "moon" not in said and time.monotonic() < until:  # best effort: a sample may be lost
                    self.robot.pose("rt/" + source, pose(), frame="moon")
                    _, said, _ = self.robot.diagnosis()
                self.assertIn(f"is not known by rt/{source}: moon in map: no such frame", said)
                self.go(2.05, 0.05)
                plan, until = None, time.monotonic() + PATIENCE_S
                while plan is None and time.monotonic() < until:
                    self.robot.pose("rt/" + source, pose(-0.55, 0.05))
                    plan = self.robot.plan(0.5)
                self.assertAlmostEqual(plan.points[0][0], -0.55)
                self.bridge.stop()
                self.robot.stop()

    def test_a_map_of_a_map_server_with_updates(self):
        self.begin_bridge(map_topic="/map", map_kind="map", subscribe_to_updates=True, robot_radius=0.1,
                          lethal_cost_threshold=50)
        self.begin_robot(grid="rt/map", kind="occupancy")
        self.robot.writer("rt/map_updates", "occupancy_update")
        self.await_match("rt/map", "rt/map_updates", "rt/tf", "rt/goal_pose", "rt/replan/plan")
        self.robot.grid("rt/map", cells(), SIDE, SIDE, pose(-1.0, -1.0))
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        self.await_plan(lambda plan: plan.poses)
        self.robot.update("rt/map_updates", bytes([60] * 36), 15, 0, 1, 36)
        plan = self.await_plan(lambda plan: max(y for _, y in plan.points) > 2.5)
        clear = min(math.hypot(x - 0.55, min(0.0, 2.55 - y)) for x, y in plan.points)
        self.assertGreater(clear, 0.1)  # the body keeps off the wall

    def test_markers_say_what_blocked_and_why(self):
        self.begin()
        self.robot.reader("rt/replan/markers", "markers", depth=100)
        self.await_match("rt/replan/markers")
        self.costmap()
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        self.await_plan(lambda plan: plan.poses)
        first = [self.robot.next("rt/replan/markers").split() for _ in range(4)]
        self.assertEqual([marker[:3] for marker in first],
                         [["0", "4", "0"], ["1", "2", "2"], ["2", "0", "0"], ["3", "9", "0"]])
        self.costmap(wall=15)
        self.await_plan(lambda plan: max(y for _, y in plan.points) > 2.5)
        line, block, goal, text = [self.robot.next("rt/replan/markers").split() for _ in range(4)]
        self.assertGreater(int(line[3]), 20)
        self.assertEqual(block[2], "0")
        self.assertAlmostEqual(float(block[4]), 0.55)
        self.assertAlmostEqual(float(goal[4]), 2.05)
        self.assertIn("invalid,", text)


class Cars(Stage):
    """Plans that are curves."""

    RADIUS = 0.4

    def check_curve(self, plan):
        """Each pose follows from the one before on an arc that is wide enough. Returns how many are reached backwards."""
        backwards = 0
        for (before, yaw), (after, next_yaw) in itertools.pairwise(zip(plan.points, plan.yaws)):
            way = math.dist(before, after)
            turn = math.remainder(next_yaw - yaw, math.tau)
            self.assertLessEqual(way, 0.1 + 1e-6)
            self.assertLessEqual(abs(turn), way / self.RADIUS * 1.01 + 1e-6)  # way: a chord of the arc
            middle = yaw + turn / 2.0
            along = (after[0] - before[0]) * math.cos(middle) + (after[1] - before[1]) * math.sin(middle)
            self.assertAlmostEqual(abs(along), way, delta=1e-4)
            backwards += along < 0.0
        return backwards

    def test_a_car_gets_a_curve_that_ends_as_the_goal_does(self):
        self.begin(minimum_turning_radius=self.RADIUS)
        self.costmap()
        self.stand(0.55, 1.05, yaw=math.pi)
        self.go(2.05, 0.05, yaw=-1.5707963)
        plan = self.await_plan(lambda plan: plan.poses)
        self.assertEqual(self.check_curve(plan), 0)
        self.assertAlmostEqual(abs(plan.yaws[0]), math.pi, delta=0.05)
        self.assertAlmostEqual(plan.yaws[-1], -1.5707963, delta=0.05)
        self.assertLess(math.dist(plan.points[-1], (2.05, 0.05)), 0.08)

    def test_a_wall_turns_the_curve(self):
        self.begin(minimum_turning_radius=self.RADIUS, robot_radius=0.15)
        self.costmap()
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        self.await_plan(lambda plan: plan.poses)
        self.costmap(data=cells(wall=15, opening=12), stamp=2.0)
        plan = self.await_plan(lambda plan: plan.poses and max(y for _, y in plan.points) > 1.8)
        self.assertEqual(self.check_curve(plan), 0)
        for x, y in plan.points:  # from the wall, whose upper end is at 1.8 m
            self.assertGreaterEqual(math.dist((x, y), (min(max(x, 0.5), 0.6), min(y, 1.8))), 0.15 - 1e-6)

    def test_a_footprint_is_swept_as_it_is(self):
        self.begin(minimum_turning_radius=self.RADIUS, footprint="[[0.25, 0.1], [-0.15, 0.1], [-0.15, -0.1], [0.25, -0.1]]",
                   footprint_padding=0)
        self.costmap()
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        self.await_plan(lambda plan: plan.poses)
        self.robot.await_diagnosis(lambda _, values: values.get("footprint") == "4 corners, swept as they are")
        self.costmap(data=cells(wall=15, opening=12), stamp=2.0)
        plan = self.await_plan(lambda plan: plan.poses and max(y for _, y in plan.points) > 1.8)
        self.check_curve(plan)
        for x, y, yaw in plan.poses:  # no point of the body is in the wall, whose upper end is at 1.8 m
            for i in range(41):
                for side in (-0.1, 0.0, 0.1):
                    ahead = -0.15 + i * 0.01
                    at = (x + ahead * math.cos(yaw) - side * math.sin(yaw), y + ahead * math.sin(yaw) + side * math.cos(yaw))
                    self.assertFalse(0.5 + 1e-6 < at[0] < 0.6 - 1e-6 and at[1] < 1.8 - 1e-6, at)

    def test_a_car_too_near_to_a_wall_drives_off_it_first(self):
        self.begin(minimum_turning_radius=self.RADIUS, robot_radius=0.3)
        self.costmap(wall=15)
        self.stand(0.25, 0.05, yaw=math.pi)
        self.go(-0.55, 0.05, yaw=math.pi)
        plan = self.await_plan(lambda plan: plan.poses)
        self.check_curve(plan)
        self.assertAlmostEqual(plan.points[0][0], 0.25)
        self.assertAlmostEqual(plan.points[-1][0], -0.55)

    def test_a_car_that_may_backs_out_and_heads_as_its_body_does(self):
        self.begin(minimum_turning_radius=self.RADIUS, motion_model_for_search="REEDS_SHEPP", reverse_penalty=1)
        self.costmap()
        self.stand(1.05, 0.55)
        self.go(0.25, 0.55)
        plan = self.await_plan(lambda plan: plan.poses)
        self.assertEqual(self.check_curve(plan), len(plan.points) - 1)
        self.assertLess(max(abs(yaw) for yaw in plan.yaws), 0.01)


class Parameters(Stage):
    def call(self, *words, **environment):
        return subprocess.run([os.path.join(BUILD, "bin", "replan-ros2"), *words], capture_output=True, text=True, check=False,
                              env={**self.domain.environment, **environment}, timeout=PATIENCE_S)

    def test_help_lists_them(self):
        told = self.call("--help")
        self.assertEqual(told.returncode, 0)
        for word in ("--map_topic", "--footprint ", "--allow_unknown", "--remap", "--params-file"):
            self.assertIn(word, told.stdout)

    def test_what_is_wrong_is_refused_in_words(self):
        for words, said in ((("--speed", "3"), 'speed: "3" is for a parameter that is not known'),
                            (("--domain",), "--domain: not a flag with a value"), (("x",), "x: not a flag"),
                            (("--map-kind", "x"), 'map_kind: "x" is none of costmap_raw, costmap, map'),
                            (("--params-file", "/none"), "/none: No such file"),
                            (("--params-file", "/"), "--params-file: /: Is a directory"),
                            (("--params-file", "/dev/zero"), "/dev/zero: more than 65536 bytes")):
            told = self.call(*words)
            self.assertEqual(told.returncode, 2)
            self.assertIn(said, told.stderr)
        for name, value in (("ROS_DOMAIN_ID", "x"), ("ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF"), ("ROS_STATIC_PEERS", "<")):
            told = self.call(**{name: value})
            self.assertEqual(told.returncode, 2)
            self.assertIn(name, told.stderr)

    def test_namespace_and_remaps_name_the_topics(self):
        self.begin_bridge(namespace="r1", remap="goal_pose:=/goal")
        self.robot = Robot(BUILD, self.domain)
        self.addCleanup(self.robot.stop)
        self.robot.writer("rt/r1/global_costmap/costmap_raw", "costmap", latched=True, depth=1)
        self.robot.writer("rt/goal", "goal")
        self.robot.reader("rt/r1/replan/plan", "path")
        self.robot.await_match("rt/r1/global_costmap/costmap_raw", "rt/goal", "rt/r1/replan/plan")


class Windows(Stage):
    def world(self):
        with replan.Client(self.daemon.control, timeout_s=PATIENCE_S) as client:
            info, = client.worlds()
            return info, bytes(client.snapshot(info.world)[1])

    def await_world(self, is_it):
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            try:
                info, data = self.world()
                if is_it(info, data):
                    return info
            except (ValueError, replan.ReplanError):  # there is none yet, or it is made anew just now
                pass
            time.sleep(0.01)
        self.fail("the world did not come to this")
        return None

    def test_an_origin_that_moves_by_parts_of_a_cell_five_hundred_times_does_not_drift(self):
        self.begin()
        for shift in range(501):
            left, low = -1.0 - 0.03 * shift, -1.0 + 0.017 * shift
            data = cells(wall=shift % SIDE)
            self.costmap(corner=(left, low), data=data, stamp=1.0 + shift)
            if shift % 50 == 0:
                info = self.await_world(lambda info, told: told == bytes(data) and info.geometry.origin_x == left)
                self.assertEqual(info.geometry.origin_y, low)
        self.assertEqual(self.robot.await_diagnosis(lambda _, values: values["window"] != "0")[1].get("grids refused"), None)

    def test_another_yaw_or_resolution_makes_the_world_anew_and_the_goal_stays(self):
        self.begin()
        self.costmap()
        self.stand(-0.55, 0.05)
        self.go(1.05, 0.05)
        self.await_plan(lambda plan: plan.poses)
        for yaw, resolution in ((0.3, 0.1), (0.3, 0.2)):
            epoch = self.world()[0].head.epoch
            self.costmap(corner=(-1.5, -1.5), yaw=yaw, resolution=resolution)
            info = self.await_world(lambda info, _: info.geometry.resolution == resolution and
                                    abs(info.geometry.origin_yaw - yaw) < 1e-9)
            self.assertGreater(info.head.epoch, epoch)
            end = self.await_plan(lambda plan: plan.poses).points[-1]
            self.assertLess(math.dist(end, (1.05, 0.05)), resolution)

    def test_no_plan_runs_through_what_the_newest_costmap_blocks(self):
        """A window rolls with the robot, and the gate in a wall moves."""
        self.begin()
        for step in range(60):
            left = -1.0 + 0.043 * step
            wall, gate = 15 + step % 4, 3 + 5 * (step % 6)
            data = cells()
            for y in range(SIDE):
                if not gate <= y < gate + 3:
                    data[y * SIDE + wall] = 254

            def is_legal(plan, data=data, left=left):
                places = [(math.floor((x - left) / 0.1), math.floor((y + 1.0) / 0.1)) for x, y in plan.points]
                return not any(0 <= x < SIDE and data[y * SIDE + x] == 254 for x, y in places)

            def is_wanted(plan, stamp=10.0 + step, goal=(left + 3.05, 0.05), is_legal=is_legal):
                self.assertTrue(plan.stamp != stamp or is_legal(plan), plan.points)  # it knew the costmap
                return plan.poses and math.dist(plan.points[-1], goal) < 0.1 and is_legal(plan)

            self.costmap(corner=(left, -1.0), data=data, stamp=10.0 + step)
            self.stand(left + 0.55, 0.05)
            self.go(left + 3.05, 0.05)
            self.await_plan(is_wanted)

    def test_each_update_of_a_burst_lands(self):
        """More than a reader of a usual depth keeps, while the bridge waits for a daemon that stands still."""
        updates, data = RAW + "_updates", cells()
        self.begin(subscribe_to_updates=True)
        self.robot.writer(updates, "costmap_update", depth=400)
        self.await_match(updates)
        self.costmap(data=data)
        self.await_world(lambda _, told: told == bytes(data))
        self.daemon.pause()
        for cell in range(400):
            data[cell] = 254
            self.robot.update(updates, bytes([254]), cell % SIDE, cell // SIDE, 1, 1)
        self.daemon.go_on()
        self.await_world(lambda _, told: told == bytes(data))
        self.robot.await_diagnosis(lambda _, values: values["updates"] == "400")

    def test_a_costmap_that_fits_into_no_message_comes_in_portions(self):
        self.begin()
        side = 5000
        data = cells(wall=2500, opening=100, side=side)
        self.stand(-0.55, 0.05)
        self.go(300.05, 0.05)
        self.costmap(data=data, side=side)
        self.await_world(lambda _, told: told == bytes(data))
        plan = self.await_plan(lambda plan: plan.poses and math.dist(plan.points[-1], (300.05, 0.05)) < 0.1)
        self.assertGreater(max(y for _, y in plan.points), 480.0)
        data[7 * side + 9] = 99
        self.costmap(data=data, side=side, stamp=2.0)
        self.await_world(lambda _, told: told == bytes(data))
        self.costmap(data=data, side=side, corner=(-0.98, -1.03), stamp=3.0)
        self.await_world(lambda info, told: told == bytes(data) and info.geometry.origin_y == -1.03)

    def test_a_world_that_others_shifted_or_removed_shows_the_costmap_again(self):
        self.begin()
        self.costmap(wall=15)
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        self.await_plan(lambda plan: plan.poses)
        with replan.Client(self.daemon.control, timeout_s=PATIENCE_S) as other:
            for i in range(257):  # the window that the bridge knows is gone
                other.resize("nav2", 1 if i % 2 else -1, 0, SIDE, SIDE, fill=255)
        data = cells(wall=15)
        data[5] = 99
        self.costmap(data=data, stamp=2.0)
        self.await_world(lambda info, told: told == bytes(data) and info.geometry.origin_x == -1.0)
        with replan.Client(self.daemon.control, timeout_s=PATIENCE_S) as other:
            other.remove_world("nav2")
        self.await_world(lambda info, told: told == bytes(data))
        self.go(2.05, 0.15)
        self.await_plan(lambda plan: plan.poses and abs(plan.points[-1][1] - 0.15) < 0.01)


class Restarts(Stage):
    def drive(self, y):
        """A goal, and its plan."""
        self.go(2.05, y)
        self.await_plan(lambda plan: plan.poses and abs(plan.points[-1][1] - y) < 0.01)

    def drive_again(self, y):
        """The same, where nobody tells when the others have found each other: a robot says more than once where it is."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            self.stand(-0.55, 0.05)
            self.go(2.05, y)
            plan = self.robot.plan(0.5)
            if plan is not None and plan.poses and abs(plan.points[-1][1] - y) < 0.01:
                return
        self.fail("no plan came")

    def set_out(self):
        self.costmap(wall=15)
        self.stand(-0.55, 0.05)
        self.drive(0.05)

    def test_a_daemon_that_begins_anew_is_told_all_again(self):
        self.begin()
        self.set_out()
        for act in (self.daemon.kill, self.daemon.stop):
            act()
            self.robot.drop("rt/replan/plan")
            self.daemon.start_again()
            self.await_plan(lambda plan: max((y for _, y in plan.points), default=0.0) > 2.5)
            self.drive(0.15)

    def test_a_daemon_that_comes_last_serves_what_came_before(self):
        self.daemon.kill()
        self.begin()
        self.costmap(wall=15)
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        self.robot.await_diagnosis(lambda sentence, values: "does not show the grid" in sentence)
        self.daemon.start_again()
        self.await_plan(lambda plan: max((y for _, y in plan.points), default=0.0) > 2.5)

    def test_a_daemon_that_stands_still_is_told_all_when_it_goes_on(self):
        self.begin()
        self.set_out()
        self.daemon.pause()
        self.costmap(wall=20, stamp=2.0)
        self.robot.await_diagnosis(lambda _, values: "daemon away" in values)
        self.robot.drop("rt/replan/plan")
        self.daemon.go_on()
        self.await_plan(lambda plan: any(y > 2.5 and abs(x - 1.05) < 0.06 for x, y in plan.points))

    def test_a_bridge_that_begins_anew_takes_over(self):
        self.begin()
        self.set_out()
        for act in (self.bridge.kill, self.bridge.stop):
            act()
            self.robot.drop("rt/replan/plan")
            self.bridge.start()
            self.drive_again(0.15)  # the costmap is latched

    def test_a_robot_that_begins_anew_is_served(self):
        self.begin()
        self.set_out()
        self.robot.stop()
        self.begin_robot()
        self.await_match(RAW, "rt/tf", "rt/goal_pose", "rt/replan/plan")
        self.costmap(wall=15)
        self.stand(-0.55, 0.05)
        self.drive(0.15)

    def test_a_robot_that_was_there_first_is_found(self):
        self.begin_robot()
        self.costmap(wall=15)
        self.begin_bridge()
        self.await_match(RAW, "rt/tf", "rt/goal_pose", "rt/replan/plan")
        self.stand(-0.55, 0.05)
        self.drive(0.05)

    def test_a_late_reader_gets_the_newest_plan(self):
        self.begin()
        self.set_out()
        late = Robot(BUILD, self.domain)
        self.addCleanup(late.stop)
        late.reader("rt/replan/plan", "path", latched=True, depth=1)
        self.assertTrue(late.plan().poses)

    def test_a_goal_waits_for_costmap_and_robot(self):
        self.begin()
        self.go(2.05, 0.05)
        self.stand(-0.55, 0.05)
        self.costmap(wall=15)
        self.await_plan(lambda plan: max((y for _, y in plan.points), default=0.0) > 2.5)


class Calm(Stage):
    def test_two_centimetres_of_noise_cause_no_plans(self):
        self.begin()
        self.costmap(wall=15, resolution=0.05, corner=(-0.5, -0.5))
        self.stand(0.0, 0.0)
        self.go(1.025, 0.525)
        self.await_plan(lambda plan: plan.poses)
        chance = random.Random(34)
        plans, began = 0, time.monotonic()
        for step in range(100):
            self.stand(chance.gauss(0.0, 0.02), chance.gauss(0.0, 0.02), chance.gauss(0.0, 0.02), stamp=2.0 + step)
            if step % 10 == 0:
                self.costmap(wall=15, resolution=0.05, corner=(-0.5, -0.5), stamp=2.0 + step)
            plans += self.robot.plan(0.03) is not None
        self.assertLessEqual(plans, time.monotonic() - began)

    def test_when_nothing_happens_it_takes_less_than_a_hundredth_of_a_core(self):
        self.begin()
        self.costmap(wall=15)
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        self.await_plan(lambda plan: plan.poses)
        self.robot.await_diagnosis(lambda _, values: values["ready"] == "true")
        before, began = self.bridge.cpu_s(), time.monotonic()
        for _ in range(8):
            self.robot.diagnosis()
        self.assertLess(self.bridge.cpu_s() - before, 0.01 * (time.monotonic() - began) + 0.01)  # a tick of the clock

    @unittest.skipIf(is_sanitized(), "sanitizers keep what is freed")
    def test_it_holds_little_more_than_the_grid(self):
        self.begin()
        for side in (1000, 3000):
            self.costmap(side=side, wall=side // 2, stamp=float(side))
            self.stand(-0.55, 0.05)
            self.go(side / 10.0 - 2.0, 0.05)
            self.await_plan(lambda plan, side=side: plan.poses and plan.points[-1][0] > side / 10.0 - 3.0)
            beyond = side * side - 1000 * 1000
            self.assertLess(self.bridge.resident_bytes(), 24e6 + 3 * beyond)

    @unittest.skipUnless(is_packed(), "another build type or linker than the default ones")
    def test_it_is_small(self):
        with tempfile.NamedTemporaryFile() as stripped:
            subprocess.run(["strip", "-o", stripped.name, os.path.join(BUILD, "bin", "replan-ros2")], check=True)
            self.assertLess(os.path.getsize(stripped.name), 200e3)


class Refusals(Stage):
    def setUp(self):
        super().setUp()
        self.begin()
        self.costmap()
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        self.await_plan(lambda plan: plan.poses)

    def check_said(self, name, part):
        """Counted and said, and the rest goes on: a costmap with a wall brings a plan round it."""
        _, values = self.robot.await_diagnosis(lambda _, values: part in values.get(name, ""))
        self.robot.drop("rt/replan/plan")
        self.stand(-0.55, 0.05, stamp=50.0)
        self.costmap(wall=15, stamp=50.0)
        self.await_plan(lambda plan: max((y for _, y in plan.points), default=0.0) > 2.5)
        return values

    def test_sizes_that_do_not_fit(self):
        self.robot.grid(RAW, cells()[1:], SIDE, SIDE, pose(-1.0, -1.0))
        self.check_said("grids refused", "40 x 40 cells, but 1599 bytes")

    def test_a_map_of_nothing(self):
        self.robot.grid(RAW, b"", 0, 0, pose(-1.0, -1.0))
        self.check_said("grids refused", "0 x 0 cells")

    def test_a_huge_map_of_few_bytes(self):
        self.robot.grid(RAW, b"x", 4294967295, 4294967295, pose(-1.0, -1.0))
        self.check_said("grids refused", "at most 16384 a side")

    def test_a_place_that_is_none(self):
        for at, said in ((pose(math.nan, 0.0), "not finite"), (pose(turn=(0.0, 0.0, 0.0, 0.0)), "of length 0"),
                         (pose(turn=(0.0, 0.0, 0.0, 2.0)), "length is not 1")):
            self.robot.grid(RAW, cells(), SIDE, SIDE, at)
            self.robot.pose("rt/goal_pose", at)
            self.robot.tf("map", "base_link", at, stamp=9.0)
            for name in ("grids refused", "goals refused", "transforms refused"):
                self.robot.await_diagnosis(lambda _, values: said in values.get(name, ""))
        values = self.check_said("goals refused", "length is not 1")
        self.assertEqual(values["goals refused"].split(":")[0], "3")

    def test_frames_that_nobody_knows(self):
        self.go(1.05, 1.05, frame="moon")
        self.robot.tf("map", "map", pose(), stamp=9.0)
        self.robot.await_diagnosis(lambda _, values: "hang on itself" in values.get("transforms refused", ""))
        self.check_said("goals refused", "a goal in moon, the grid is in map: no such frame, or not connected")

    def test_stamps_in_the_past(self):
        for stamp in range(600):
            self.robot.tf("map", "base_link", pose(-0.55, 0.05), stamp=100.0 + 0.01 * stamp)
        self.robot.tf("map", "base_link", pose(5.0, 5.0), stamp=100.0)
        self.robot.await_diagnosis(lambda _, values: "before what is kept" in values.get("stamps in the past", ""))
        self.robot.tf("map", "odom", pose(), stamp=100.0)
        self.go(1.05, 1.05, frame="odom", stamp=50.0)  # tf begins later
        self.check_said("stamps in the past", "a goal in odom")

    def test_another_resolution_in_mid_drive(self):
        self.costmap(resolution=0.05, corner=(-0.9, -0.9))
        self.await_plan(lambda plan: not plan.poses or max(x for x, _ in plan.points) < 1.2)  # the window is smaller now
        self.costmap(wall=15, stamp=9.0)
        self.await_plan(lambda plan: max((y for _, y in plan.points), default=0.0) > 2.5)


class Asked(Stage):
    """Refusals of what is taken only where a parameter asks for it."""

    def say(self, name, part, act):
        """Do it until it is said: what is sent as best effort, or while others meet, may be lost."""
        until = time.monotonic() + PATIENCE_S
        told = None
        while time.monotonic() < until:
            act()
            _, _, told = self.robot.diagnosis()
            if part in told.get(name, ""):
                return told[name]
        self.fail(f"not said: {part}; last: {told}")
        return None

    def test_poses_of_odom_that_do_not_fit(self):
        self.begin_bridge(pose_source="odom")
        self.begin_robot()
        self.robot.writer("rt/odom", "odom", reliable=False, depth=1)
        self.robot.await_match(RAW, "rt/odom", "rt/goal_pose", "rt/replan/plan", "rt/diagnostics")
        self.costmap()
        self.go(2.05, 0.05)
        for at, said in ((pose(0.0, math.inf), "not finite"), (pose(turn=(0.0, 0.0, 0.0, 0.0)), "of length 0"),
                         (pose(turn=(0.0, 0.0, 3.0, 1.0)), "length is not 1")):
            self.say("poses refused", said, lambda at=at: self.robot.pose("rt/odom", at))
        self.say("poses refused", "a frame_id that is none", lambda: self.robot.pose("rt/odom", pose(), frame=""))
        self.say("poses refused", "its frame moon is not connected to map",
                 lambda: self.robot.pose("rt/odom", pose(), frame="moon", stamp=5.0))
        self.say("stamps in the past", "a pose is 2.000 s older than the last",
                 lambda: self.robot.pose("rt/odom", pose(), stamp=3.0))
        plan, until = None, time.monotonic() + PATIENCE_S
        while plan is None and time.monotonic() < until:
            self.robot.pose("rt/odom", pose(-0.55, 0.05), stamp=6.0)
            plan = self.robot.plan(0.5)
        self.assertAlmostEqual(plan.points[0][0], -0.55)

    def test_updates_that_do_not_fit(self):
        self.begin(subscribe_to_updates=True)
        updates = RAW + "_updates"
        self.robot.writer(updates, "costmap_update")
        self.robot.await_match(updates)
        wall = bytes([254] * 36)
        self.say("updates refused", "no full grid came yet", lambda: self.robot.update(updates, wall, 15, 0, 1, 36))
        self.costmap()
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        self.await_plan(lambda plan: plan.poses)
        for place, data, words, said in (((15, 0, 1, 36), wall[1:], {}, "1 x 36 cells, but 35 bytes"),
                                         ((15, 5, 1, 36), wall, {}, "are not inside 40 x 40"),
                                         ((4294967295, 4294967295, 2, 18), wall, {}, "are not inside 40 x 40"),
                                         ((15, 0, 1, 36), wall, {"frame": "moon"}, "it is in frame moon, the grid in map")):
            self.say("updates refused", said,
                     lambda place=place, data=data, words=words: self.robot.update(updates, data, *place, **words))
        self.say("stamps in the past", "an update is 0.500 s older than the grid",
                 lambda: self.robot.update(updates, wall, 15, 0, 1, 36, stamp=0.5))
        self.robot.update(updates, wall, 15, 0, 1, 36)
        self.await_plan(lambda plan: max((y for _, y in plan.points), default=0.0) > 2.5)

    def test_an_occupancy_that_is_none(self):
        self.begin_bridge(map_topic="/map", map_kind="map")
        self.begin_robot(grid="rt/map", kind="occupancy")
        self.robot.await_match("rt/map", "rt/diagnostics")
        data = cells(byte=0)
        data[7] = 101
        self.robot.grid("rt/map", data, SIDE, SIDE, pose(-1.0, -1.0))
        self.robot.await_diagnosis(lambda _, values: "cell 7 is 101, not -1 or 0..100" in values.get("grids refused", ""))
        data[7] = 100
        self.robot.grid("rt/map", data, SIDE, SIDE, pose(-1.0, -1.0))
        self.robot.await_diagnosis(lambda _, values: values["grids"] == "1")


class Peers(Stage):
    def test_names_types_and_user_data_are_those_of_ros_and_nothing_asks_a_service(self):
        self.begin(subscribe_to_updates=True)
        self.costmap(wall=15)
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05)
        self.await_plan(lambda plan: plan.poses)
        told = hashes.of_idl(os.path.join(os.path.dirname(BUILD), "..", "clients", "ros2", "messages.idl"))
        expected = {("reads", RAW), ("reads", RAW + "_updates"), ("reads", "rt/tf"), ("reads", "rt/tf_static"),
                    ("reads", "rt/goal_pose"), ("writes", "rt/replan/plan"), ("writes", "rt/replan/markers"),
                    ("writes", "rt/diagnostics")}
        found = {}
        until = time.monotonic() + PATIENCE_S
        while not expected <= set(found) and time.monotonic() < until:
            for line in self.robot.do("endpoints"):
                does, topic, *rest = line.split(" ")
                found[does, topic] = rest
        self.assertEqual(set(found), expected)  # no rq/ among them
        for (_, topic), (kind, info, data) in found.items():
            self.assertEqual(info, "-")  # no type information, as ROS
            self.assertEqual(data, f"typehash={told[kind]};", topic)

    def test_a_volatile_map_is_said_in_words_and_taken_when_asked_for(self):
        self.begin_bridge()
        self.begin_robot(latched=False)
        self.robot.await_match("rt/diagnostics")
        _, values = self.robot.await_diagnosis(lambda _, values: "QoS that do not fit" in values)
        self.assertIn("durability", values["QoS that do not fit"])
        self.assertIn("map_subscribe_transient_local: false", values["QoS that do not fit"])
        self.bridge.stop()
        self.begin_bridge(map_subscribe_transient_local=False)
        self.await_match(RAW)
        self.costmap()
        self.robot.await_diagnosis(lambda _, values: values.get("grids") == "1")

    def test_a_volatile_tf_static_is_said_and_no_parameter_promised(self):
        self.begin()
        self.robot.writer("rt/tf_static", "tf")
        _, values = self.robot.await_diagnosis(lambda _, values: "QoS that do not fit" in values)
        self.assertRegex(values["QoS that do not fit"], r"^\d+: rt/tf_static: a peer has another durability \(policy \d+\)$")

    def test_another_type_under_our_name_is_said_in_words(self):
        self.begin_bridge()
        self.begin_robot(kind="occupancy")
        self.robot.await_match("rt/diagnostics")
        _, values = self.robot.await_diagnosis(lambda _, values: "types that do not fit" in values)
        self.assertIn("nav_msgs::msg::dds_::OccupancyGrid_, here it is nav2_msgs::msg::dds_::Costmap_",
                      values["types that do not fit"].replace("?", ""))

    def test_updates_without_a_full_grid_are_warned_of(self):
        self.begin(subscribe_to_updates=True)
        self.costmap()
        self.stand(-0.55, 0.05)
        self.robot.await_diagnosis(lambda sentence, _: "set always_send_full_costmap" in sentence)


class Shared(Stage, Cases):
    """The cases that nav2_bridge.py is held to, too."""

    def test_cases(self):
        self.begin_robot()
        for case in CASES:
            with self.subTest(case["name"]):
                self.play(case)

    def control(self):
        return self.daemon.control

    def begin_case(self, settings):
        self.begin_bridge(**settings)
        self.await_match(RAW, "rt/tf", "rt/goal_pose", "rt/replan/plan")
        self.robot.drop("rt/replan/plan")

    def await_nobody(self):
        until = time.monotonic() + PATIENCE_S
        while any(map(self.robot.matches, (RAW, "rt/tf", "rt/goal_pose"))) and time.monotonic() < until:
            time.sleep(0.005)

    def begin_again(self):
        self.bridge.stop()
        self.await_nobody()
        self.bridge.start()
        self.await_match(RAW, "rt/tf", "rt/goal_pose", "rt/replan/plan")

    def end_case(self):
        self.bridge.stop()
        with replan.Client(self.daemon.control, timeout_s=PATIENCE_S) as client:
            for world in client.worlds():
                client.remove_world(world.world)
        self.robot.do("close", RAW)  # and what is latched with it
        self.robot.writer(RAW, "costmap", latched=True, depth=1)
        self.await_nobody()

    def show(self, costmap, data, corner, turn):
        self.robot.grid(RAW, data, costmap["width"], costmap["height"], pose(*corner, turn=turn),
                        resolution=costmap["resolution"], frame=costmap["frame"])

    def place(self, x, y, yaw=0.0):
        self.stand(x, y, yaw)

    def frame(self, x, y, yaw):
        self.robot.tf("map", "odom", pose(x, y, yaw))

    def aim(self, x, y, turn, frame):
        self.robot.pose("rt/goal_pose", pose(x, y, turn=turn), frame=frame, stamp=0.0)

    def next_plan(self, timeout_s):
        plan = self.robot.plan(timeout_s)
        return (plan.points, plan.yaws) if plan is not None else None


class Golden(Stage):
    """Needs node, and the modules of an independent serializer in REPLAN_ROSMSG: `./run test --ros2` fetches them."""

    @unittest.skipUnless(os.environ.get("REPLAN_ROSMSG"), "REPLAN_ROSMSG names no node_modules")
    def test_bytes_on_the_wire_are_those_of_another_serializer(self):
        self.begin(subscribe_to_updates=True)
        readers = {  # by topic: kind of the robot's, type of ROS
            RAW: ("costmap", "nav2_msgs/Costmap"), "rt/tf": ("tf", "tf2_msgs/TFMessage"),
            RAW + "_updates": ("costmap_update", "nav2_msgs/CostmapUpdate"),
            "rt/map": ("occupancy", "nav_msgs/OccupancyGrid"), "rt/odom": ("odom", "nav_msgs/Odometry"),
            "rt/map_updates": ("occupancy_update", "map_msgs/OccupancyGridUpdate"),
            "rt/amcl_pose": ("amcl", "geometry_msgs/PoseWithCovarianceStamped"),
            "rt/goal_pose": ("goal", "geometry_msgs/PoseStamped"), "rt/replan/plan": ("path", "nav_msgs/Path"),
            "rt/replan/markers": ("markers", "visualization_msgs/MarkerArray"),
            "rt/diagnostics": ("diagnostics", "diagnostic_msgs/DiagnosticArray")}
        late = Robot(BUILD, self.domain)
        self.addCleanup(late.stop)
        for topic, (kind, _) in readers.items():
            late.reader(topic, "cdr:" + kind, depth=100)
        for topic in (RAW + "_updates", "rt/map", "rt/map_updates", "rt/odom", "rt/amcl_pose"):
            self.robot.writer(topic, readers[topic][0])
            self.robot.await_match(topic)
        late.await_match(*readers)
        while any(self.robot.matches(topic) < 2 for topic in (RAW, "rt/tf", "rt/goal_pose")):  # the bridge, and this one
            time.sleep(0.005)
        self.robot.await_diagnosis(lambda _, values: values["rt/replan/plan"] == "2 readers" and values["rt/replan/markers"] == "1 readers")
        self.robot.grid("rt/map", bytes([255, 0, 100] * 3), 3, 3, pose(-1.0, 0.5, 0.3), frame="m")
        self.robot.update("rt/map_updates", bytes([0, 100, 255]), 1, 2, 3, 1, frame="another")
        self.robot.pose("rt/odom", pose(1.0, 2.0, 0.5), frame="odom")
        self.robot.pose("rt/amcl_pose", pose(1.0, 2.0, 0.5))
        self.costmap()
        self.robot.update(RAW + "_updates", bytes([254]), 3, 4, 1, 1)
        self.stand(-0.55, 0.05)
        self.go(2.05, 0.05, yaw=0.5)
        lines = [f"{kind} {late.next(topic)}" for topic, (_, kind) in readers.items()]
        told = subprocess.run(["node", os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden.mjs"),
                               os.environ["REPLAN_ROSMSG"]], input="\n".join(lines), capture_output=True, text=True, check=False)
        self.assertEqual(told.returncode, 0, told.stderr)
        path, markers, status = map(json.loads, told.stdout.splitlines()[-3:])
        self.assertEqual(path["header"]["frame_id"], "map")
        self.assertEqual(len(path["poses"]), 27)
        self.assertAlmostEqual(path["poses"][-1]["pose"]["position"]["x"], 2.05)
        self.assertAlmostEqual(path["poses"][-1]["pose"]["orientation"]["z"], math.sin(0.25))
        self.assertEqual([marker["type"] for marker in markers["markers"]], [4, 2, 0, 9])
        self.assertEqual(len(markers["markers"][0]["points"]), 27)
        self.assertEqual(status["status"][0]["name"], "replan: nav2/robot")


if __name__ == "__main__":
    unittest.main()
