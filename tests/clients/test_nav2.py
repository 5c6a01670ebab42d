#!/usr/bin/python3
"""The bridge to Nav2 against a real repland; ROS 2 itself is played by a few classes.

usage: test_nav2.py BUILD_DIRECTORY
"""

import math
import os
import struct
import sys
import time
import types
import unittest
from types import SimpleNamespace

BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.abspath("build/release")
BIN, PYTHON = os.path.join(BUILD, "bin"), os.path.join(BUILD, "python")
if not os.path.exists(os.path.join(BIN, "repland")):
    print("skipped: there is no", os.path.join(BIN, "repland"))
    sys.exit(77)
sys.path[:0] = [PYTHON, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ros2")]

from daemon import PATIENCE_S, Daemon  # noqa: E402

control = None  # endpoint of the daemon at hand


def point(x=0.0, y=0.0):
    return SimpleNamespace(x=x, y=y, z=0.0)


class Node:
    parameters = {}

    def __init__(self, _):
        self.published, self.warnings = [], []

    def declare_parameter(self, name, default):
        return SimpleNamespace(value=control if name == "control" else self.parameters.get(name, default))

    def create_publisher(self, *_):
        return SimpleNamespace(publish=self.published.append)

    def create_subscription(self, *_):
        pass

    def create_timer(self, *_):
        pass

    def get_logger(self):
        return SimpleNamespace(warning=self.warnings.append)

    def get_clock(self):
        return SimpleNamespace(now=lambda: SimpleNamespace(to_msg=lambda: 0))


class Buffer:
    at = None  # the robot
    frames = {}  # others, as x, y, yaw in the map

    def lookup_transform(self, _, source, __):
        known = {**self.frames, **({"base_link": (*self.at, 0.0)[:3]} if self.at is not None else {})}
        if source not in known:
            raise TransformException
        x, y, yaw = known[source]
        turned = PoseStamped(yaw=yaw).pose.orientation
        return SimpleNamespace(transform=SimpleNamespace(translation=point(x, y), rotation=turned))


class TransformException(Exception):
    pass


class Controller:
    """Nav2's, which follows the newest goal until it is cancelled."""

    def __init__(self, node, _, name):
        self.name, self.paths, self.cancelled = name, [], 0
        node.controller = self

    def send_goal_async(self, goal):
        self.paths.append(goal.path)
        sent = SimpleNamespace(accepted=True, cancel_goal_async=self.cancel)
        return SimpleNamespace(add_done_callback=lambda note: note(SimpleNamespace(result=lambda: sent)))

    def cancel(self):
        self.cancelled += 1


class Asked:
    """A goal that Nav2's behaviour tree sent."""

    def __init__(self, goal, use_start=False):
        self.request, self.end = SimpleNamespace(goal=goal, use_start=use_start), None

    def succeed(self):
        self.end = "succeeded"

    def abort(self):
        self.end = "aborted"


class Path:
    def __init__(self):
        self.header, self.poses = SimpleNamespace(), []


class PoseStamped:
    def __init__(self, x=0.0, y=0.0, frame="map", yaw=0.0):
        self.header = SimpleNamespace(frame_id=frame)
        turn = SimpleNamespace(x=0.0, y=0.0, z=math.sin(yaw / 2.0), w=math.cos(yaw / 2.0))
        self.pose = SimpleNamespace(position=point(x, y), orientation=turn)


for name, members in {
        "rclpy": {}, "rclpy.node": {"Node": Node}, "rclpy.time": {"Time": lambda: 0},
        "geometry_msgs": {}, "geometry_msgs.msg": {"PoseStamped": PoseStamped},
        "rclpy.action": {"ActionClient": Controller, "ActionServer": lambda *words: words[2:]},
        "nav2_msgs": {}, "nav2_msgs.msg": {"Costmap": object},
        "nav2_msgs.action": {"FollowPath": SimpleNamespace(Goal=SimpleNamespace),
                             "ComputePathToPose": SimpleNamespace(Result=SimpleNamespace)}, "nav_msgs": {}, "nav_msgs.msg": {"Path": Path},
        "tf2_ros": {"Buffer": Buffer, "TransformException": TransformException, "TransformListener": lambda *_: 0},
}.items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(members)
sys.modules["nav2_msgs"].action = sys.modules["nav2_msgs.action"]

import nav2_bridge  # noqa: E402
import replan  # noqa: E402

from bridge_cases import CASES, Cases  # noqa: E402

SIDE = 40  # cells of 10 cm


def costmap(corner=(-1.0, -1.0), wall=None):
    """One that Nav2 would send: free, but for a wall in a column, open at its upper end."""
    data = bytearray(SIDE * SIDE)
    for y in range(SIDE - 4 if wall is not None else 0):
        data[y * SIDE + wall] = 254
    origin = PoseStamped(*corner).pose
    return SimpleNamespace(header=SimpleNamespace(frame_id="map"), data=data,
                           metadata=SimpleNamespace(resolution=0.1, size_x=SIDE, size_y=SIDE, origin=origin))


class Played(unittest.TestCase):
    def setUp(self):
        global control
        daemon = Daemon(os.path.join(BIN, "repland"))
        self.addCleanup(daemon.stop)
        control = daemon.control
        self.bridge = nav2_bridge.Bridge()
        self.bridge.client._wire.timeout_s = PATIENCE_S
        self.addCleanup(self.bridge.client.close)
        self.bridge.transforms.at = (-0.55, 0.05)

    def newest(self):
        """The next plan that is published, as points."""
        self.bridge.published.clear()
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            self.bridge.tick()
            if self.bridge.published:
                return [(p.pose.position.x, p.pose.position.y) for p in self.bridge.published[-1].poses]
            time.sleep(0.01)
        self.fail("no plan came")


class Nav2(Played):
    def test_a_path_goes_round_what_the_costmap_shows(self):
        self.bridge.take_costmap(costmap())
        self.bridge.take_goal(PoseStamped(2.05, 0.05))
        straight = self.newest()
        self.assertEqual([round(y, 2) for _, y in straight], [0.05] * len(straight))
        self.assertAlmostEqual(straight[0][0], -0.55)
        self.assertAlmostEqual(straight[-1][0], 2.05)
        self.assertEqual(self.bridge.published[-1].header.frame_id, "map")
        self.bridge.take_costmap(costmap(wall=15))
        self.assertGreater(max(y for _, y in self.newest()), 2.5)

    def test_a_window_that_rolls_leaves_things_where_they_are(self):
        self.bridge.take_costmap(costmap(wall=15))
        self.bridge.take_goal(PoseStamped(2.05, 0.05))
        before = self.newest()
        self.bridge.take_costmap(costmap(corner=(-0.8, -1.0), wall=13))  # two cells to the right
        self.bridge.transforms.at = (-0.45, 0.05)
        self.bridge.take_goal(PoseStamped(2.05, 0.15))
        after = self.newest()
        self.assertAlmostEqual(max(y for _, y in after), max(y for _, y in before))
        self.assertAlmostEqual(after[-1][1], 0.15)

    def world(self):
        info, = self.bridge.client.worlds()
        return info

    def test_a_map_that_grows_by_parts_of_a_cell_does_not_drift(self):
        """As a SLAM map does, whose origin follows a bounding box: 0.3 of a cell each time."""
        for shift in range(41):
            left, low = -1.0 - 0.03 * shift, -1.0 + 0.03 * shift
            told = costmap(corner=(left, low), wall=math.floor((0.53 - left) / 0.1))
            self.bridge.take_costmap(told)
            geometry = self.world().geometry
            self.assertEqual((geometry.origin_x, geometry.origin_y), (left, low))
            self.assertEqual(self.bridge.client.snapshot("nav2")[1], told.data)
        self.assertEqual(self.world().window, 41)
        self.assertEqual(self.world().head.version, 41)  # each window came with its bytes

    def test_another_yaw_or_resolution_makes_the_world_anew_and_the_goal_stays(self):
        self.bridge.take_costmap(costmap())
        self.bridge.take_goal(PoseStamped(1.05, 0.05))
        self.newest()
        for yaw, resolution in ((0.3, 0.1), (0.3, 0.2)):
            told = costmap()
            told.metadata.origin = PoseStamped(-1.5, -1.5, yaw=yaw).pose
            told.metadata.resolution = resolution
            before = self.world().head.epoch
            self.bridge.take_costmap(told)
            self.assertGreater(self.world().head.epoch, before)
            self.assertAlmostEqual(self.world().geometry.origin_yaw, yaw)
            self.assertEqual(self.world().geometry.resolution, resolution)
            end = self.newest()[-1]
            self.assertLess(math.dist(end, (1.05, 0.05)), resolution)

    def test_a_window_that_others_shifted_too_often_is_stated_again(self):
        told = costmap(wall=15)
        self.bridge.take_costmap(told)
        self.bridge.take_goal(PoseStamped(2.05, 0.05))
        self.newest()
        with replan.Client(control, timeout_s=PATIENCE_S) as other:
            for i in range(257):
                other.resize("nav2", 1 if i % 2 else -1, 0, SIDE, SIDE, fill=255)
        told.data[5] = 99
        self.bridge.take_costmap(told)  # its cells are of a window that is gone
        self.assertEqual(self.world().geometry.origin_x, -1.0)
        self.assertEqual(self.bridge.client.snapshot("nav2")[1], told.data)
        self.bridge.take_goal(PoseStamped(2.05, 0.15))
        self.assertAlmostEqual(self.newest()[-1][1], 0.15)
        self.assertEqual(self.bridge.warnings, [])

    def test_a_world_that_others_shifted_is_where_the_costmap_says_with_the_next_one(self):
        told = costmap(wall=15)
        self.bridge.take_costmap(told)
        with replan.Client(control, timeout_s=PATIENCE_S) as other:
            other.resize("nav2", 3, 0, SIDE, SIDE, fill=255)
        self.bridge.take_costmap(told)
        self.assertAlmostEqual(self.world().geometry.origin_x, -1.0)
        self.assertEqual(self.bridge.client.snapshot("nav2")[1], told.data)

    def test_a_world_that_is_gone_is_made_anew_and_the_goal_stays(self):
        self.bridge.take_costmap(costmap(wall=15))
        self.bridge.take_goal(PoseStamped(2.05, 0.05))
        self.newest()
        self.bridge.client.remove_world("nav2")
        self.bridge.tick()
        self.assertEqual(len(self.bridge.warnings), 1)  # once, not with each tick
        self.bridge.tick()
        self.assertEqual(len(self.bridge.warnings), 1)
        self.bridge.take_costmap(costmap(wall=15))
        self.assertGreater(max(y for _, y in self.newest()), 2.5)

    def test_a_costmap_that_fits_into_no_message_comes_in_portions(self):
        side, data = 5000, bytearray(5000 * 5000)
        for y in range(0, 4900):
            data[y * side + 2500] = 254
        told = costmap()
        told.metadata.size_x = told.metadata.size_y = side
        told.data = data
        self.bridge.take_costmap(told)
        data[7 * side + 9] = 99
        self.bridge.take_costmap(told)
        self.assertEqual(self.bridge.client.snapshot("nav2")[1], data)
        told.metadata.origin = PoseStamped(-0.98, -1.03).pose
        self.bridge.take_costmap(told)
        self.assertEqual((self.world().geometry.origin_x, self.world().geometry.origin_y), (-0.98, -1.03))
        self.assertEqual(self.bridge.client.snapshot("nav2")[1], data)
        self.assertEqual(self.bridge.warnings, [])

    def yaws(self):
        """Of the poses of the plan that was published last."""
        turns = [p.pose.orientation for p in self.bridge.published[-1].poses]
        return [2.0 * math.atan2(turn.z, turn.w) for turn in turns]

    def test_a_plan_leads_out_of_an_inscribed_cell_first(self):
        self.bridge.take_costmap(costmap())
        told = costmap()
        told.data[:SIDE * 11] = bytes([254] * (SIDE * 5) + [253] * (SIDE * 6))
        self.bridge.take_costmap(told)
        self.bridge.transforms.at = (-0.55, -0.25)  # in row 7
        self.bridge.take_goal(PoseStamped(2.05, 1.05))
        points = self.newest()
        self.assertEqual([round(y, 2) for _, y in points[:5]], [-0.25, -0.15, -0.05, 0.05, 0.15])
        self.assertAlmostEqual(points[-1][0], 2.05)

    def check_yaws(self, expected):
        for found, wanted in zip(self.yaws(), expected, strict=True):
            self.assertAlmostEqual(math.remainder(found - wanted, 2.0 * math.pi), 0.0)

    def test_poses_head_where_the_way_goes_and_the_last_one_as_the_goal(self):
        self.bridge.take_costmap(costmap())
        self.bridge.take_goal(PoseStamped(-0.55, 1.05, yaw=math.pi))
        self.assertEqual(len(self.newest()), 11)
        self.check_yaws([math.pi / 2] * 10 + [math.pi])
        self.bridge.take_goal(PoseStamped(-0.25, 0.35, yaw=-2.0))  # another heading with another goal
        self.newest()
        self.check_yaws([math.pi / 4] * 3 + [-2.0])
        self.bridge.take_goal(PoseStamped(-0.55, 0.05, yaw=1.0))  # where it stands
        self.newest()
        self.check_yaws([1.0])

    def test_a_path_that_ends_short_of_the_goal_heads_its_own_way(self):
        points = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
        self.assertEqual(nav2_bridge.headed(points, None), [(0.0, 0.0, 0.0), (1.0, 0.0, math.pi / 2), (1.0, 1.0, math.pi / 2)])
        self.assertEqual(nav2_bridge.headed(points[:1], None), [(0.0, 0.0, 0.0)])

    def test_a_resolution_of_32_bits_is_the_decimal_that_was_meant(self):
        told = costmap()
        told.metadata.resolution = struct.unpack("f", struct.pack("f", 0.05))[0]
        self.assertNotEqual(told.metadata.resolution, 0.05)
        self.bridge.take_costmap(told)
        self.assertEqual(self.bridge.client.worlds()[0].geometry.resolution, 0.05)

    def test_before_anything_is_known_nothing_happens(self):
        self.bridge.tick()
        self.bridge.take_goal(PoseStamped(1.0, 1.0))
        self.bridge.transforms.at = None
        self.bridge.take_costmap(costmap())
        self.bridge.take_goal(PoseStamped(1.0, 1.0))
        self.bridge.tick()
        self.assertEqual(self.bridge.published, [])

    def test_a_goal_in_a_frame_that_nobody_knows_is_dropped_and_said(self):
        self.bridge.take_costmap(costmap())
        self.bridge.take_goal(PoseStamped(1.0, 1.0, "odom"))
        self.bridge.tick()
        self.assertIsNone(self.bridge.robot)
        self.assertEqual(self.bridge.warnings, ["the goal is in odom, which tf does not know: it is dropped"])

    def test_what_does_not_fit_is_said_and_dropped(self):
        told = costmap()
        told.data = told.data[1:]
        self.bridge.take_costmap(told)
        self.bridge.take_goal(PoseStamped(math.nan, 1.0))
        self.assertEqual(self.bridge.warnings, ["a costmap is dropped: 40 x 40 cells, but 1599 bytes",
                                                "a goal is dropped: it has a position that is not finite"])

    def test_one_that_starts_again_takes_over(self):
        self.bridge.take_costmap(costmap())
        again = nav2_bridge.Bridge()
        self.addCleanup(again.client.close)
        again.take_costmap(costmap(wall=15))
        self.assertEqual(self.bridge.client.snapshot("nav2")[1][15], 254)


class Actions(Played):
    """Nav2's controller and behaviour tree, with the bridge between them."""

    def setUp(self):
        Node.parameters = {"follow_path": True, "compute_path_to_pose": True}
        self.addCleanup(Node.parameters.clear)
        super().setUp()
        self.controller = self.bridge.controller

    def test_each_plan_goes_to_the_controller_and_without_a_way_it_stops(self):
        self.assertEqual(self.controller.name, "follow_path")
        self.bridge.take_costmap(costmap())
        self.bridge.take_goal(PoseStamped(2.05, 0.05))
        self.newest()
        self.assertEqual(self.controller.paths, self.bridge.published)
        self.bridge.take_costmap(costmap(wall=15))
        self.assertGreater(max(y for _, y in self.newest()), 2.5)
        self.assertIs(self.controller.paths[-1], self.bridge.published[-1])
        self.assertEqual(self.controller.cancelled, 0)
        told = costmap()
        told.data[:] = bytes([254]) * len(told.data)
        self.bridge.take_costmap(told)
        self.assertEqual(self.newest(), [])
        self.assertEqual(self.controller.cancelled, 1)

    def test_a_robot_that_arrived_gets_no_new_path(self):
        self.bridge.take_costmap(costmap())
        self.bridge.take_goal(PoseStamped(-0.35, 0.05))
        self.newest()
        before = len(self.controller.paths)
        self.bridge.transforms.at = (-0.35, 0.05)
        self.newest()
        self.assertEqual(len(self.controller.paths), before)

    def compute(self, goal, **more):
        asked = Asked(goal, **more)
        return asked, self.bridge.compute(asked)

    def test_nav2_asks_for_a_path_and_gets_the_newest(self):
        self.assertEqual(self.bridge.planner, ("compute_path_to_pose", self.bridge.compute))
        self.bridge.take_costmap(costmap())
        asked, result = self.compute(PoseStamped(2.05, 0.05, yaw=1.0))
        self.assertEqual(asked.end, "succeeded")
        self.assertAlmostEqual(result.path.poses[-1].pose.position.x, 2.05)
        self.bridge.take_costmap(costmap(wall=15))
        asked, result = self.compute(PoseStamped(2.05, 0.05, yaw=1.0))
        self.assertGreater(max(pose.pose.position.y for pose in result.path.poses), 2.5)
        self.assertEqual(self.bridge.goals, 1)  # the same goal is no new one

    def test_what_cannot_be_answered_is_aborted_and_said(self):
        self.assertEqual(self.compute(PoseStamped(2.05, 0.05))[0].end, "aborted")  # no costmap yet
        self.bridge.take_costmap(costmap())
        self.assertEqual(self.compute(PoseStamped(math.nan, 0.05))[0].end, "aborted")
        self.assertEqual(self.compute(PoseStamped(2.05, 0.05), use_start=True)[0].end, "aborted")
        self.assertEqual(len(self.bridge.warnings), 3)


class Shared(unittest.TestCase, Cases):
    """The cases that replan-ros2 is held to, too."""

    def test_cases(self):
        for case in CASES:
            with self.subTest(case["name"]):
                self.play(case)

    def control(self):
        return self.daemon.control

    def begin_case(self, settings):
        global control
        Node.parameters = settings
        self.daemon = Daemon(os.path.join(BIN, "repland"))
        control = self.daemon.control
        self.begin_bridge()

    def begin_bridge(self):
        self.bridge = nav2_bridge.Bridge()
        self.bridge.client._wire.timeout_s = PATIENCE_S
        self.bridge.transforms.frames = {}

    def begin_again(self):
        self.bridge.client.close()
        self.begin_bridge()

    def end_case(self):
        Node.parameters = {}
        self.bridge.client.close()
        self.daemon.stop()

    def show(self, costmap, data, corner, turn):
        origin = PoseStamped(*corner).pose
        origin.orientation = SimpleNamespace(**dict(zip("xyzw", turn)))
        resolution, = struct.unpack("f", struct.pack("f", costmap["resolution"]))
        about = SimpleNamespace(resolution=resolution, size_x=costmap["width"], size_y=costmap["height"], origin=origin)
        self.bridge.take_costmap(
            SimpleNamespace(header=SimpleNamespace(frame_id=costmap["frame"]), data=bytes(data), metadata=about))

    def place(self, x, y, yaw=0.0):
        self.bridge.transforms.at = x, y, yaw

    def frame(self, x, y, yaw):
        self.bridge.transforms.frames["odom"] = x, y, yaw

    def aim(self, x, y, turn, frame):
        goal = PoseStamped(x, y, frame)
        goal.pose.orientation = SimpleNamespace(**dict(zip("xyzw", turn)))
        self.bridge.take_goal(goal)

    def next_plan(self, timeout_s):
        until = time.monotonic() + timeout_s
        while time.monotonic() < until:
            self.bridge.tick()
            if self.bridge.published:
                poses = [pose.pose for pose in self.bridge.published.pop(0).poses]
                return ([(pose.position.x, pose.position.y) for pose in poses],
                        [2.0 * math.atan2(pose.orientation.z, pose.orientation.w) for pose in poses])
            time.sleep(0.005)
        return None


if __name__ == "__main__":
    unittest.main()
