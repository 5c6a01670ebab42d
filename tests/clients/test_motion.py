#!/usr/bin/python3
"""Agents with motion against a real repland: while the world changes and they drive, each curve that is published is held against a checker of its own.

usage: test_motion.py BUILD_DIRECTORY
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile
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

WIDTH, HEIGHT, RADIUS, BODY = 48, 36, 2.0, 0.8
REACH = 2.2  # of any body here
NEAREST = 1e-7  # parts shorter than this decide nothing


def distance(pose, cell):
    """From a point to the square of a cell."""
    return math.hypot(max(abs(pose[0] - cell[0] - 0.5) - 0.5, 0.0), max(abs(pose[1] - cell[1] - 0.5) - 0.5, 0.0))


def to_line(point, start, end):
    """From a point to a line between two points."""
    along = (end[0] - start[0], end[1] - start[1])
    part = ((point[0] - start[0]) * along[0] + (point[1] - start[1]) * along[1]) / (along[0] ** 2 + along[1] ** 2)
    part = min(max(part, 0.0), 1.0)
    return math.dist(point, (start[0] + part * along[0], start[1] + part * along[1]))


def is_inside(point, corners):
    turns = [(b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
             for a, b in zip(corners, corners[1:] + corners[:1])]
    return all(turn > 0 for turn in turns)


def polygon_distance(pose, cell, polygon):
    """From a convex polygon, corners to the left round it, to the square of a cell; below 0: they overlap."""
    cosine, sine = math.cos(pose[2]), math.sin(pose[2])
    body = [(pose[0] + cosine * x - sine * y, pose[1] + sine * x + cosine * y) for x, y in polygon]
    square = [(cell[0] + dx, cell[1] + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))]
    sides = [list(zip(corners, corners[1:] + corners[:1])) for corners in (body, square)]
    crosses = any((side(a, c, d) > 0) != (side(b, c, d) > 0) and (side(c, a, b) > 0) != (side(d, a, b) > 0)
                  for a, b in sides[0] for c, d in sides[1])
    if crosses or any(is_inside(corner, square) for corner in body) or any(is_inside(corner, body) for corner in square):
        return -1.0
    return min([to_line(corner, *line) for corner in body for line in sides[1]]
               + [to_line(corner, *line) for corner in square for line in sides[0]])


def side(point, start, end):
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def gap(pose, cell, body):
    if isinstance(body, float):
        return distance(pose, cell) - body
    return min(polygon_distance(pose, cell, polygon) for polygon in body)


def is_apart(segment, begin, end, cell, body=BODY):
    """A body stays apart from a cell: on its way the distance changes no faster than it moves."""
    half = (end - begin) / 2
    fastest = 1.0 if isinstance(body, float) else 1.0 + REACH * abs(segment.curvature)
    apart = gap(segment.pose(begin + half), cell, body)
    if apart >= half * fastest:
        return True
    if apart < 0.0 or half < NEAREST:
        return apart >= -NEAREST
    return is_apart(segment, begin, begin + half, cell, body) and is_apart(segment, begin + half, end, cell, body)


class Ground:
    def __init__(self):
        self.blocked = set()

    def write(self, client, x, y, width, height, byte):
        cells = {(column, row) for column in range(x, x + width) for row in range(y, y + height)}
        self.blocked = self.blocked | cells if byte == 0 else self.blocked - cells
        client.write_rect("yard", x, y, width, height, bytes([byte]) * (width * height))

    def near(self, segment):
        """Obstacles, the world's rim too, that some of a segment may meet."""
        reach = abs(segment.length) + REACH + 1.0
        for x in range(math.floor(segment.x - reach), math.ceil(segment.x + reach)):
            for y in range(math.floor(segment.y - reach), math.ceil(segment.y + reach)):
                if (x, y) in self.blocked or not (0 <= x < WIDTH and 0 <= y < HEIGHT):
                    yield x, y


class Motion(unittest.TestCase):
    FLAGS = ()

    def setUp(self):
        self.daemon = Daemon(os.path.join(BIN, "repland"), *self.FLAGS)
        self.addCleanup(self.daemon.stop)
        self.client = replan.Client(self.daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(self.client.close)
        self.ground = Ground()
        self.client.create_world("yard", WIDTH, HEIGHT)

    def check(self, answer, body=BODY):
        """Turns no tighter than it may, hangs together, and is free all along."""
        segments = answer.segments
        self.assertTrue(segments)
        for segment, after in zip(segments, segments[1:]):
            for mine, theirs in zip(segment.end[:2], after[:2], strict=True):
                self.assertAlmostEqual(mine, theirs, 6)
            self.assertAlmostEqual(math.remainder(segment.end[2] - after.yaw, 2 * math.pi), 0.0, 6)
        for segment in segments[answer.escape_segments:]:
            self.assertLessEqual(abs(segment.curvature), 1 / RADIUS + 1e-9)
            for cell in self.ground.near(segment):
                self.assertTrue(is_apart(segment, 0.0, abs(segment.length), cell, body), (answer.version, segment, cell))
        self.assertGreaterEqual(answer.cost, answer.bound)

    def open_truck(self, name="truck", motion=None, **options):
        return self.client.open_agent("yard", name, start=(4.5, 4.5, 0.0), goal=(42.5, 30.5),
                                      radius=0.0 if "footprint" in options else BODY, motion=motion or replan.car(RADIUS, headings_most=16), switch_gain_percent=0, min_interval_ms=0, **options)

    def test_a_car_is_told_its_curve(self):
        answer = self.open_truck().answer()
        self.assertEqual((answer.outcome, answer.planner), ("found", "lattice"))
        self.check(answer)
        self.assertEqual(answer.segments[0][:3], (4.5, 4.5, 0.0))
        self.assertEqual(answer.pose_at(-1.0), (4.5, 4.5, 0.0))
        length = sum(segment.length for segment in answer.segments)
        for end in (answer.pose_at(length), answer.pose_at(1e9)):
            self.assertAlmostEqual(end[0], 42.5, 6)
            self.assertAlmostEqual(end[1], 30.5, 6)
        self.assertAlmostEqual(math.dist(answer.pose_at(3.0)[:2], answer.pose_at(3.5)[:2]), 0.5, 2)

    def test_ctl_opens_one_and_tells_its_curve(self):
        def ctl(*words):
            return subprocess.run([os.path.join(BIN, "replan"), "ctl", "--control", self.daemon.control, *words], check=True,
                                  capture_output=True, text=True, timeout=PATIENCE_S).stdout
        ctl("open", "yard", "truck", "4.5", "4.5", "42.5", "30.5", "--radius", "0.8", "--turning-radius", "2", "--yaw", "0.5",
            "--gain", "0", "--interval", "0")
        truck = self.client.agent("yard", "truck")
        while not truck.answer().optimal:  # until then a cheaper curve may come between two questions
            pass
        told = json.loads(ctl("--json", "answer", "yard", "truck", "--segments"))["segments"]
        self.assertEqual(told[0][:3], [4.5, 4.5, 0.5])
        self.assertEqual(len(told), len(truck.answer().segments))
        self.assertEqual(ctl("answer", "yard", "truck", "--segments").count("  segment at "), len(told))
        ctl("open", "yard", "tank", "20.5", "20.5", "4.5", "20.5", "--spot")
        self.assertEqual(self.client.agent("yard", "tank").answer().planner, "lattice")
        ctl("open", "yard", "mover", "20.5", "20.5", "20.5", "8.5", "--omni")
        told = json.loads(ctl("--json", "answer", "yard", "mover", "--segments"))["segments"]
        self.assertEqual([len(segment) for segment in told], [7] * len(told))
        self.assertIn(" course -1.5708", ctl("answer", "yard", "mover", "--segments"))

    def test_spot_turns_where_it_stands(self):
        tank = self.client.open_agent("yard", "tank", start=(20.5, 20.5, 0.0), goal=(4.5, 20.5), radius=BODY,
                                      motion=replan.spot(RADIUS, turn=0.1))
        answer = tank.answer()
        self.assertNotEqual(answer.segments[0].turn, 0.0)
        self.check(answer)

    def test_omni_moves_sideways_and_keeps_its_yaw(self):
        mover = self.client.open_agent("yard", "mover", start=(20.5, 20.5, 0.0), goal=(20.5, 6.5), radius=BODY, motion=replan.omni())
        answer = mover.answer()
        self.check(answer)
        self.assertAlmostEqual(answer.cost, 14.0, 1)
        self.assertAlmostEqual(answer.segments[0].course, -math.pi / 2, 6)
        self.assertEqual([segment.curvature for segment in answer.segments], [0.0] * len(answer.segments))
        for mine, theirs in zip(answer.pose_at(4.0), (20.5, 16.5, 0.0), strict=True):
            self.assertAlmostEqual(mine, theirs, 6)
        self.assertTrue(mover.valid(answer.segments).legal)
        self.ground.write(self.client, 20, 10, 1, 1, 0)
        self.assertLess(mover.valid(answer.segments).offending_at, 10.5)
        with self.assertRaisesRegex(replan.ReplanError, "motion.reverse: OMNI has no gears"):
            self.client.open_agent("yard", "other", start=(4.5, 4.5), goal=(9.5, 9.5), motion=pb.Motion(drive=pb.OMNI, reverse=True))

    def test_a_car_that_may_parks_backwards(self):
        for x in (16, 21):
            self.ground.write(self.client, x, 22, 3, 3, 0)  # two cars at the kerb, room for one between them
        self.ground.write(self.client, 0, 25, WIDTH, 3, 0)
        goal = replan.facing((20.5, 19.5), math.pi / 2)
        costs = []
        for reverse in (False, True):
            car = self.client.open_agent("yard", f"car-{reverse}", start=(24.5, 19.5, math.pi / 2), goal=goal, radius=BODY,
                                         motion=replan.car(RADIUS, headings_most=16, reverse=reverse, reverse_factor=1.2, gear_change=0.5))
            while not car.answer().optimal:
                pass
            answer = car.answer()
            self.check(answer)
            self.assertEqual(any(segment.length < 0 for segment in answer.segments), reverse)
            costs.append(answer.cost)
            length = sum(abs(segment.length) for segment in answer.segments)
            end = answer.pose_at(length)
            self.assertAlmostEqual(math.dist(end[:2], (20.5, 19.5)), 0.0, 6)
            self.assertAlmostEqual(math.dist(answer.pose_at(length / 2)[:2], answer.pose_at(length / 2 + 0.1)[:2]), 0.1, 2)
        self.assertLess(costs[1], costs[0] - 5.0)

    def test_who_has_no_motion_has_no_segments(self):
        scout = self.client.open_agent("yard", "scout", start=(1.5, 1.5), goal=(30.5, 30.5))
        self.assertEqual(scout.answer().segments, [])
        with self.assertRaisesRegex(replan.ReplanError, "no segments"):
            scout.answer().pose_at(1.0)

    def test_a_footprint_that_is_none_is_refused_by_name(self):
        bow = [(1.0, -0.5), (-1.0, 0.5), (1.0, 0.5), (-1.0, -0.5)]
        for footprint, words in ((bow, "body.footprint_x: .* crosses itself"), (bow[:2], "it must have 3 to 16"),
                                 ([(0.1 * i, 1.0) for i in range(17)], "17 entries"), ([(1.0, math.nan)] * 3, "footprint"),
                                 ([[(1, 1), (2, 1)], bow], "footprint_at.0. is 0"), ("abc", "footprint")):
            with self.assertRaisesRegex(replan.ReplanError, words):
                self.open_truck(footprint=footprint)
        with self.assertRaisesRegex(replan.ReplanError, "body.radius_m must be 0"):
            self.client.open_agent("yard", "truck", (4.5, 4.5), (9.5, 9.5), radius=1.0, footprint=[(1, -1), (1, 1), (-1, 0)])
        slab = [(1.5, -0.4), (1.5, 0.4), (-1.5, 0.4), (-1.5, -0.4)]
        walker = self.client.open_agent("yard", "walker", (4.5, 4.5), (9.5, 9.5), footprint=slab, padding=0.1)
        self.assertEqual(walker.answer().outcome, "found")

    def test_it_drives_out_of_what_falls_on_it(self):
        truck = self.open_truck()
        self.assertEqual(truck.answer().escape_segments, 0)
        self.ground.write(self.client, 3, 3, 2, 2, 0)
        answer = truck.answer()
        self.assertEqual(answer.outcome, "found")
        leaving = answer.segments[:answer.escape_segments]
        self.assertAlmostEqual(sum(abs(segment.length) for segment in leaving), answer.escape, 9)
        self.assertGreater(answer.escape, 0.5)
        fallen, self.ground.blocked = self.ground.blocked, set()
        for segment in leaving:
            self.assertTrue(all(is_apart(segment, 0.0, segment.length, cell) for cell in self.ground.near(segment)))
        self.ground.blocked = fallen
        end = leaving[-1].end
        self.assertTrue(all(distance(end, cell) >= BODY - NEAREST for cell in fallen))
        stuck = self.client.open_agent("yard", "stuck", (4.0, 4.0, 0.0), (42.5, 30.5), radius=BODY, motion=replan.car(RADIUS, headings_most=16), escape_m=0.3)
        self.assertEqual(stuck.answer().outcome, "start_blocked")

    def test_what_it_has_not_is_refused_by_name(self):
        truck = self.open_truck()
        for goal, words in (([(3.5, 3.5)] * 65, "has motion, it goes to at most 64 points"),
                            (replan.region((3.5, 3.5), (5.5, 5.5)), "has motion"), (replan.target("truck"), "goal.target"),
                            (pb.Goal(x=[3.5], y=[3.5], heading=pb.FIXED), "goal.yaw is missing")):
            with self.assertRaisesRegex(replan.ReplanError, words):
                truck.goto(goal)
        with self.assertRaisesRegex(replan.ReplanError, "has motion, it goes to at most 64 points"):
            self.client.order([truck], (9.5, 9.5), tolerance=1.0)
        scout = self.client.open_agent("yard", "scout", start=(1.5, 1.5), goal=(30.5, 30.5))
        with self.assertRaisesRegex(replan.ReplanError, "order.yaw: agent \"scout\" has no motion"):
            self.client.order([scout], (9.5, 9.5), yaws=[1.0])
        with self.assertRaisesRegex(replan.ReplanError, "motion.turning_radius_m is 0"):
            self.client.open_agent("yard", "other", start=(4.5, 4.5), goal=(9.5, 9.5), motion=replan.car(0.0))

    def test_curves_are_free_while_the_world_changes(self):
        self.drive_through_changes(replan.car(RADIUS, headings_most=16), 50)

    def test_curves_are_free_backwards_too(self):
        self.drive_through_changes(replan.car(RADIUS, headings_most=16, reverse=True, gear_change=1.0), 50)

    def test_curves_are_free_for_a_footprint(self):
        train = [[(1.4, -0.6), (1.4, 0.6), (-0.5, 0.6), (-0.5, -0.6)], [(-0.3, -0.4), (-0.3, 0.4), (-1.8, 0.4), (-1.8, -0.4)]]
        self.drive_through_changes(replan.car(RADIUS, headings_most=16, reverse=True, gear_change=1.0), 20, train, footprint=train)

    def test_curves_are_free_sideways_too(self):
        self.drive_through_changes(replan.omni(headings_most=16), 50)

    def drive_through_changes(self, motion, least, body=BODY, **options):
        rng = random.Random(7)
        truck = self.open_truck(motion=motion, **options)
        at, checked = (4.5, 4.5, 0.0), 0
        for _ in range(150):
            x, y = rng.randrange(WIDTH - 3), rng.randrange(HEIGHT - 3)
            if math.dist((x + 1.5, y + 1.5), at[:2]) > 5.0 and math.dist((x + 1.5, y + 1.5), (42.5, 30.5)) > 4.0:
                self.ground.write(self.client, x, y, rng.randint(1, 3), rng.randint(1, 3), int(rng.random() < 0.4))
            answer = truck.answer()
            if answer.outcome != "found":
                continue
            self.check(answer, body)
            checked += 1
            if rng.random() < 0.4:
                at = answer.pose_at(rng.uniform(0.1, 1.5))
                truck.pose(*at)
        self.assertGreater(checked, least)

    def test_it_arrives_as_it_is_to_stand(self):
        truck = self.open_truck()
        truck.goto(replan.facing((30.5, 20.5), 2.0))
        answer = truck.answer()
        self.check(answer)
        self.assertAlmostEqual(math.remainder(answer.segments[-1].end[2] - 2.0, 2 * math.pi), 0.0, 6)
        truck.goto(replan.facing((30.5, 20.5), 2.0, either_way=True))
        other = truck.answer()
        self.check(other)
        self.assertAlmostEqual(math.remainder(other.segments[-1].end[2] - 2.0, math.pi), 0.0, 6)
        self.assertLessEqual(other.bound, answer.cost)
        scout = self.client.open_agent("yard", "scout", start=(1.5, 1.5), goal=(30.5, 30.5))
        with self.assertRaisesRegex(replan.ReplanError, "goal.yaw: agent \"scout\" has no motion"):
            scout.goto(replan.facing((30.5, 20.5), 2.0))

    def test_waypoints_are_passed_in_order_each_with_its_yaw(self):
        route, yaws = [(20.5, 6.5), (40.5, 14.5), (20.5, 30.5), (6.5, 20.5)], [0.5, 1.5, 3.0, -1.0]
        truck = self.open_truck()
        truck.goto(replan.waypoints(route, yaws=yaws))
        with self.client.watch("yard") as watch:
            answer, reached = truck.answer(), 0
            self.assertEqual(answer.leg_at[0], 0)
            while answer.outcome == "found":
                self.check(answer)
                self.assertEqual(answer.waypoint + len(answer.leg_at), len(route))
                ends = [answer.segments[at] for at in answer.leg_at[1:]]
                for i, segment in enumerate(ends, answer.waypoint):
                    for mine, theirs in zip(segment[:2], route[i], strict=True):
                        self.assertAlmostEqual(mine, theirs, 6)
                    self.assertAlmostEqual(math.remainder(segment.yaw - yaws[i], 2 * math.pi), 0.0, 6)
                truck.pose(*answer.pose_at(0.7))
                if answer.waypoint != reached:
                    reached += 1
                    self.assertEqual(answer.waypoint, reached)
                answer = truck.answer()
            self.assertEqual((answer.outcome, reached), ("arrived", 3))
            told = next(told for told in watch if told.outcome == "arrived")
            self.assertEqual(told.reason, "reached")

    def test_the_cheapest_of_several_and_orders(self):
        truck = self.open_truck()
        truck.goto(replan.facing([(40.5, 30.5), (20.5, 6.5)], [1.0, 0.5]))
        answer = truck.answer()
        self.check(answer)
        self.assertEqual(answer.path[-1], (20, 6))
        self.assertAlmostEqual(answer.segments[-1].end[2], 0.5, 6)
        self.client.order([truck], [(30.5, 20.5)], yaws=[2.0])
        answer = truck.answer()
        self.check(answer)
        self.assertAlmostEqual(math.remainder(answer.segments[-1].end[2] - 2.0, 2 * math.pi), 0.0, 6)
        prey = self.client.open_agent("yard", "prey", start=(30.5, 10.5), goal=(30.5, 12.5))
        truck.goto(replan.target("prey"))
        self.assertEqual(truck.answer().path[-1], (30, 10))
        prey.pose(36.5, 20.5)
        answer = truck.answer()
        self.check(answer)
        self.assertEqual(answer.path[-1], (36, 20))

    def test_a_change_that_is_not_made_is_weighed(self):
        truck = self.open_truck()
        while not truck.answer().optimal:  # until then a cheaper curve may come
            pass
        cost = truck.answer().cost
        wall = pb.Change(world="yard", x=20, width=1, height=HEIGHT, fill=0)
        (before, after), = self.client.probe(wall, "truck")
        self.assertAlmostEqual(before, cost, 6)
        self.assertIsNone(after)
        wall.height = HEIGHT - 8
        (_, after), = self.client.probe(wall, "truck")
        self.ground.write(self.client, 20, 0, 1, HEIGHT - 8, 0)
        self.assertLessEqual(after, truck.answer().cost + 1e-6)  # which begins with some of the old curve
        self.assertGreater(after, before)

    def test_a_curve_of_ones_own_is_held_against_obstacles(self):
        truck = self.open_truck()
        answer = truck.answer()
        self.assertTrue(truck.valid(answer.segments).legal)
        middle = answer.pose_at(20.0)
        self.ground.write(self.client, int(middle[0]), int(middle[1]), 1, 1, 0)
        found = truck.valid(answer.segments)
        self.assertFalse(found.legal)
        self.assertLess(found.offending_at, 20.0)
        self.assertEqual(found.offending_cells, [int(middle[1]) * WIDTH + int(middle[0])])
        at = answer.pose_at(found.offending_at)
        self.assertAlmostEqual(distance(at, (int(middle[0]), int(middle[1]))), BODY, 4)
        line = replan.Segment(4.5, 4.5, 0.0, 0.0, 5.0, 0.0)
        scout = self.client.open_agent("yard", "scout", start=(1.5, 1.5), goal=(30.5, 30.5))
        self.assertTrue(scout.valid([line], radius=2.0).legal)
        self.assertEqual(scout.valid([line], radius=4.6).offending_at, 0.0)
        with self.assertRaisesRegex(replan.ReplanError, "ask_valid.body is missing"):
            scout.valid([line])

    def test_a_mirror_of_segments_by_splices_is_the_whole(self):
        rng = random.Random(5)
        truck = self.open_truck()
        truck.goto(replan.waypoints([(20.5, 6.5), (40.5, 14.5), (20.5, 30.5), (6.5, 20.5)]))
        at, heard = (4.5, 4.5, 0.0), 0
        with self.client.watch("yard") as spliced, self.client.watch("yard", splices=False) as whole:
            for _ in range(60):
                x, y = rng.randrange(WIDTH - 3), rng.randrange(HEIGHT - 3)
                if math.dist((x + 1.5, y + 1.5), at[:2]) > 5.0:
                    self.ground.write(self.client, x, y, 2, 2, int(rng.random() < 0.5))
                answer = truck.answer()
                if answer.outcome == "found":
                    at = answer.pose_at(rng.uniform(0.1, 1.5))
                    truck.pose(*at)
            truck.goto((30.5, 30.5), goal_id=77)
            told = {}
            for watch in (whole, spliced):
                for answer in watch:
                    if watch is whole:
                        told[answer.path_seq] = answer.segments
                    else:  # those that came at other times may begin elsewhere
                        heard += 1
                        for segment, after in zip(answer.segments, answer.segments[1:]):
                            self.assertLess(math.dist(segment.end[:2], after[:2]), 1e-6)
                        same = told.get(answer.path_seq, [])
                        if len(same) == len(answer.segments):
                            self.assertEqual(answer.segments[1:], same[1:])
                    if answer.goal_id == 77:
                        break
        self.assertGreater(heard, 0)

    def test_what_is_held_stays(self):
        truck = self.client.open_agent("yard", "truck", start=(4.5, 18.5, 0.0), goal=(42.5, 18.5), radius=BODY,
                                       motion=replan.car(RADIUS, hold=10.0, bound_percent=0))
        truck.answer()
        truck.pose(6.5, 18.5, 0.0)
        truck.goto((20.5, 4.5))
        answer = truck.answer()
        self.check(answer)
        self.assertEqual(answer.segments[0].curvature, 0.0)
        self.assertGreaterEqual(answer.segments[0].length, 10.0)

    def test_a_watch_has_every_new_curve(self):
        self.open_truck()
        with self.client.watch("yard") as watch:
            first = next(iter(watch))
            self.check(first)
            middle = first.pose_at(sum(segment.length for segment in first.segments) / 2)
            self.ground.write(self.client, int(middle[0]), int(middle[1]), 1, 1, 0)
            for answer in watch:
                if answer.version >= 2:
                    self.check(answer)
                    break


class MotionWithWorkers(Motion):
    FLAGS = ("--workers", "2")


class Restart(unittest.TestCase):
    def test_an_agent_with_motion_survives_a_kill(self):
        with tempfile.TemporaryDirectory() as folder:
            daemon = Daemon(os.path.join(BIN, "repland"), "--state", folder)
            self.addCleanup(daemon.stop)
            with replan.Client(daemon.control, timeout_s=PATIENCE_S) as client:
                client.create_world("yard", WIDTH, HEIGHT)
                truck = client.open_agent("yard", "truck", start=(4.5, 4.5, 0.5), goal=(42.5, 30.5), radius=BODY,
                                          motion=replan.car(RADIUS, headings_most=16, bound_percent=0, reverse=True, gear_change=1.5))
                truck.pose(6.5, 7.5, 1.25)
                before = truck.answer()
            daemon.kill()
            daemon.start_again()
            with replan.Client(daemon.control, timeout_s=PATIENCE_S) as client:
                after = client.agent("yard", "truck").answer()
            self.assertEqual(after.segments, before.segments)
            self.assertAlmostEqual(after.segments[0].yaw, 1.25, 9)


if __name__ == "__main__":
    unittest.main()
