#!/usr/bin/python3
"""replan.local: worlds and agents in the process, against the daemon's answers; one planner on one grid.

usage: test_local.py BUILD_DIRECTORY
"""

import ctypes
import gc
import importlib.util
import inspect
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest

BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.abspath("build/release")
BIN, PYTHON = os.path.join(BUILD, "bin"), os.path.join(BUILD, "python")
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
if not os.path.exists(os.path.join(BIN, "repland")):
    print("skipped: there is no", os.path.join(BIN, "repland"))
    sys.exit(77)
sys.path.insert(0, PYTHON)

import replan  # noqa: E402
import replan.local  # noqa: E402
from daemon import PATIENCE_S, Daemon  # noqa: E402
from replan.local import library  # noqa: E402

try:
    library.load()
except replan.ReplanError as error:  # one with sanitizers needs a Python that begins with them
    print("skipped:", error)
    sys.exit(77)

needs_numpy = unittest.skipUnless(importlib.util.find_spec("numpy"), "no numpy")
START, GOAL = (1.5, 4.5), (18.5, 4.5)
NAN = float("nan")


class Layout(unittest.TestCase):
    def test_structs_are_those_of_the_headers(self):
        lines = ['#include "replan/engine.h"', "#include <stdio.h>", "int main(void) {"]
        wanted = []
        for name, struct in library.STRUCTS.items():
            if name != "rp_grid_t":
                lines.append(f'printf("%zu\\n", sizeof({name}));')
                wanted.append((name, ctypes.sizeof(struct)))
            for field, *_ in struct._fields_:
                lines.append(f'printf("%zu\\n", offsetof({name}, {field.rstrip("_")}));')
                wanted.append((f"{name}.{field}", getattr(struct, field).offset))
        for word, value in (("RP_PAST_MAX", library.PAST_MAX), ("RP_REACH_MAX", library.REACH_MAX),
                            ("RP_GRID_SIDE_MAX", library.SIDE_MAX), ("RP_GRID_CELLS_MAX", library.CELLS_MAX),
                            ("RP_QUERY_FIELD", library.FIELD), ("RP_QUERY_PROBE", 1), ("RP_CAN_WEIGHTED", library.CAN_WEIGHTED), ("RP_AIM_TARGET", 3), ("RP_MORE", library.MORE),
                            ("RP_FOOTPRINT_CORNERS_MAX", library.CORNERS_MAX), ("RP_FOOTPRINT_OUTLINES_MAX", library.OUTLINES_MAX),
                            ("RP_CURVE_OFFENDERS_MAX", library.OFFENDERS_MAX), ("RP_MOTION_NO_SUCH_WORLD", 15), ("RP_MOTION_SPOT", 2),
                            ("RP_MOTION_BAD_DRIVE", 1), ("RP_MOTION_BAD_FOLLOW_YAW", 9), ("RP_AIM_EITHER_WAY", 2), ("RP_MOTION_STOPS_MAX", 64),
                            ("RP_UNKNOWN_FACTOR", 2), ("RP_AIM_WAYPOINTS", 1), ("RP_AIM_REGION", 2),
                            *((f"RP_ANSWER_{outcome.upper().replace('NO_OUTCOME', 'NONE')}", i)
                              for i, outcome in enumerate(library.OUTCOMES)),
                            *((f"RP_REASON_{reason.upper()}", i) for i, reason in enumerate(library.REASONS)),
                            *((f"RP_OUTCOME_{outcome.upper()}", i) for i, outcome in enumerate(library.PLAN_OUTCOMES))):
            lines.append(f'printf("%zu\\n", (size_t){word});')
            wanted.append((word, value))
        lines.append("return 0; }")
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "layout.c"), os.path.join(folder, "layout")
            with open(source, "w") as file:
                file.write("\n".join(lines))
            includes = [f"-I{TOP}/{box}/include" for box in ("base", "planners", "engine")]
            subprocess.run(["cc", "-std=c17", "-o", program, source, *includes], check=True)
            told = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
        self.assertEqual(list(zip((name for name, _ in wanted), map(int, told))), wanted)


class Engine(unittest.TestCase):
    def setUp(self):
        self.engine = replan.local.Engine()
        self.addCleanup(self.engine.close)
        self.engine.create_world("arena", 20, 10)

    def open_scout(self, **options):
        return self.engine.open_agent("arena", "scout", START, GOAL, **options)

    def test_it_has_the_names_of_the_client(self):
        def names(kind):
            return {name for name in dir(kind) if not name.startswith("_")}
        self.assertEqual(names(replan.Client) - names(replan.local.Engine),
                         {"mirror", "overlay", "poses", "request", "stats", "watch"})
        self.assertEqual(names(replan.Client) & names(replan.local.Engine),
                         names(replan.local.Engine) - {"has_work", "idle", "memory", "step"})
        self.assertEqual(names(replan.client.Agent) - names(replan.local.Agent), set())
        for name in names(replan.Client) & names(replan.local.Engine):
            theirs = list(inspect.signature(getattr(replan.Client, name)).parameters)[1:]
            ours = list(inspect.signature(getattr(replan.local.Engine, name)).parameters)[1:]
            self.assertEqual([word for word in theirs if word in ours], ours, name)

    def test_a_path_goes_round_a_wall_that_comes_up(self):
        scout = self.open_scout()
        first, = self.engine.step()
        self.assertEqual((first.outcome, first.reason, first.cost, first.optimal), ("found", "first", 17.0, True))
        self.assertEqual(first.path, [(x, 4) for x in range(1, 19)])
        self.assertEqual(self.engine.fill_rect("arena", 10, 0, 1, 9, 0).version, 2)
        second, = self.engine.step()
        self.assertEqual((second.reason, second.version, second.world, second.agent), ("invalid", 2, "arena", "scout"))
        self.assertEqual(self.engine.step(), [])
        applied = self.engine.fill_rect("arena", 10, 0, 1, 10, 0, wait="settled")
        self.assertEqual(applied.changed_agents, ["scout"])
        self.assertEqual([answer.outcome for answer in self.engine.step()], ["no_path"])
        self.assertEqual(scout.answer().outcome, "no_path")
        self.assertEqual([said.outcome for said in scout.why()], ["no_path", "found", "found"])
        self.assertFalse(self.engine.has_work)

    def test_a_budget_leaves_work_for_the_next_step(self):
        self.engine.create_world("large", 300, 300)
        self.engine.open_agent("large", "far", (1.5, 1.5), (298.5, 150.5), planner="astar")
        steps = 0
        while not (news := self.engine.step(50)):
            self.assertTrue(self.engine.has_work)
            steps += 1
        self.assertGreater(steps, 1)
        self.assertEqual(news[0].outcome, "found")

    def test_its_answers_are_the_daemons(self):
        rng = random.Random(11)
        daemon = Daemon(os.path.join(BIN, "repland"))
        self.addCleanup(daemon.stop)
        client = replan.Client(daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(client.close)
        for number, (neighbors, wraps, options) in enumerate((
                (8, False, {}), (4, False, {}), (8, True, {}), (8, False, {"radius": 1.2}), (8, False, {"cells": 2}),
                (8, False, {"inscribed_radius": 0.5, "inflation_radius": 2.0, "cost_scaling_factor": 3.0}))):
            profile = "costmap" if "inflation_radius" in options else "factor"
            blocks = 254 if profile == "costmap" else 0
            free = 0 if profile == "costmap" else 1
            name = f"w{number}"
            data = bytes(blocks if rng.random() < 0.1 else free for _ in range(40 * 30))
            for side in (client, self.engine):
                side.create_world(name, 40, 30, data=data, resolution=0.5, origin=(-3.0, 2.0, 0.3), neighbors=neighbors,
                                  wraps=wraps, profile=profile)
            frame = self.engine.world(name).frame
            ends = [frame.middle(rng.randrange(40), rng.randrange(30)) for _ in range(2)]
            theirs = client.open_agent(name, "a", *ends, nearest=True, switch_gain_percent=0, min_interval_ms=0, **options)
            ours = self.engine.open_agent(name, "a", *ends, nearest=True, **options)
            for _ in range(25):
                x, y, byte = rng.randrange(40), rng.randrange(30), rng.choice((blocks, free))
                applied = [side.fill_rect(name, x, y, 1, 1, byte) for side in (client, self.engine)]
                self.assertEqual(applied[0].version, applied[1].version)
                told, found = theirs.answer(), ours.answer()
                for field in ("outcome", "version", "window", "optimal", "goal_distance", "valid_through", "frame"):
                    self.assertEqual(getattr(found, field), getattr(told, field), (name, field))
                self.assertEqual(found.cost is None, told.cost is None)
                if told.cost is not None:
                    self.assertAlmostEqual(found.cost, told.cost)
                    self.assertTrue(theirs.valid(found.path, found.way).legal)
                    self.assertTrue(ours.valid(told.path, told.way).legal)
            self.assertEqual(self.engine.snapshot(name), client.snapshot(name))

    def test_curves_are_those_of_the_daemon(self):
        rng = random.Random(12)
        daemon = Daemon(os.path.join(BIN, "repland"))
        self.addCleanup(daemon.stop)
        client = replan.Client(daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(client.close)
        box = [(1.0, 0.5), (-0.5, 0.5), (-0.5, -0.5), (1.0, -0.5)]
        for number, (motion, body) in enumerate((
                (replan.car(1.5, headings_most=16), {"radius": 0.4}), (replan.spot(0.5, headings_most=16, turn=0.3), {"radius": 0.3}),
                (replan.car(2.0, reverse=True, reverse_factor=2.0, gear_change=1.0, headings_most=16), {"footprint": box, "padding": 0.05}),
                (None, {"footprint": [box, [(-1.0, 0.2), (-1.0, -0.2), (-0.4, 0.0)]]}))):
            name = f"w{number}"
            for side in (client, self.engine):
                side.create_world(name, 40, 30, resolution=0.5, origin=(-3.0, 2.0, 0.3))
            frame = self.engine.world(name).frame
            start, goal = (*frame.middle(4, 4), 0.5), frame.middle(35, 25)
            ends = start, goal if motion is None else replan.facing(goal, 0.7, either_way=True)
            theirs = client.open_agent(name, "a", *ends, motion=motion, switch_gain_percent=0, min_interval_ms=0, **body)
            ours = self.engine.open_agent(name, "a", *ends, motion=motion, **body)
            first = ours.answer()
            self.assertEqual(first.outcome, "found", name)
            self.assertEqual(bool(first.segments), motion is not None)
            for _ in range(8):
                x, y = rng.randrange(2, 38), rng.randrange(2, 28)
                for side in (client, self.engine):
                    side.fill_rect(name, x, y, 1, 1, 0)
                told, found = theirs.answer(), ours.answer()
                self.assertEqual(found.outcome, told.outcome, name)
                if told.outcome != "found":
                    break
                self.assertLessEqual(found.bound, found.cost + 1e-9)  # what either holds of its old curve may differ
                if motion is None:
                    self.assertAlmostEqual(found.cost, told.cost)
                    continue
                self.assertEqual(found.segments[0][:3], told.segments[0][:3])
                self.assertTrue(theirs.valid(found.segments).legal and ours.valid(told.segments).legal)
                self.assertAlmostEqual(ours.valid(found.segments).cost, theirs.valid(found.segments).cost)
            if motion is not None:
                length = sum(abs(segment.length) for segment in first.segments)
                self.assertLess(math.dist(first.pose_at(-1.0), start), 1e-9)
                self.assertLess(math.dist(first.pose_at(length)[:2], goal), 1e-6)
                self.engine.fill_rect(name, 0, 0, 40, 30, 1)
                found = ours.answer()
                curve, middle = found.segments, found.path[len(found.path) // 2]
                self.engine.fill_rect(name, *middle, 1, 1, 0)
                hit = ours.valid(curve)
                self.assertEqual((hit.legal, hit.cost, middle[1] * 40 + middle[0] in hit.offending_cells), (False, None, True))
                self.assertEqual(hit.offending_segment < len(curve), True)

    def test_who_drives_is_told_a_yaw_and_tours_waypoints(self):
        engine = self.engine
        cart = engine.open_agent("arena", "cart", (2.5, 2.5, 1.5), (15.5, 7.5), radius=0.4, motion=replan.spot(1.0, headings_most=16))
        engine.step()
        cart.goto(replan.waypoints([(8.5, 7.5), (15.5, 2.5)], yaws=[0.0, 0.0]), goal_id=4)
        answer, = engine.step()
        self.assertEqual((answer.goal_id, answer.planner, len(answer.leg_at)), (4, "lattice", 2))
        self.assertEqual(answer.segments[0][:3], (2.5, 2.5, 1.5))
        at = answer.segments[answer.leg_at[1]]
        self.assertLess(math.dist((at.x, at.y), (8.5, 7.5)), 1e-6)
        cart.pose(4.5, 4.5, -0.5)
        self.assertEqual(cart.answer().segments[0][:3], (4.5, 4.5, -0.5))
        engine.order([cart], (12.5, 4.5), yaws=[0.25], yaw_tolerance=0.2)
        self.assertLess(abs(cart.answer().segments[-1].end[2] - 0.25), 0.25)

    def test_omni_moves_sideways(self):
        self.engine.create_world("yard", 30, 30)
        mover = self.engine.open_agent("yard", "m", (10.5, 20.5, 0.0), (10.5, 6.5), motion=replan.omni(), radius=0.4)
        answer = mover.answer()
        self.assertAlmostEqual(answer.segments[0].course, -math.pi / 2)
        self.assertAlmostEqual(answer.pose_at(4.0)[1], 16.5)
        self.assertTrue(mover.valid(answer.segments).legal)
        self.engine.fill_rect("yard", 10, 10, 1, 1, 0)
        self.assertLess(mover.valid(answer.segments).offending_at, 10.5)

    def test_wrong_motion_names_field_and_limit(self):
        engine = self.engine
        engine.create_world("wide", 400, 400)
        engine.create_world("torus", 6, 6, wraps=True)
        box = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
        car, spot = replan.car, replan.spot
        for sentence, world, options in (
                (r"motion is 5, it must be a replan.v1.Motion or a dict", "arena", {"motion": 5, "radius": 0.4}),
                (r"motion.drive must be CAR, SPOT or OMNI", "arena", {"motion": {"drive": 7}, "radius": 0.4}),
                (r"motion.headings is 12 and headings_most 0: they must be 0, 8, 16, 32 or 64", "arena", {"motion": car(2, headings=12), "radius": 0.4}),
                (r"motion.headings is 32 and headings_most 16.* no less", "arena", {"motion": car(2, headings=32, headings_most=16), "radius": 0.4}),
                (r"body.radius_m is 65, it must be above 0 and at most 64 cells of 1 metres", "wide", {"motion": car(2), "radius": 65.0}),
                (r"motion.turning_radius_m is 65, at most 64 cells", "arena", {"motion": car(65), "radius": 0.4}),
                (r"motion.turning_radius_m is 0, .*above 0 of a CAR", "arena", {"motion": car(0), "radius": 0.4}),
                (r"motion.turn_m_per_rad is 0, it must lie within 0.01 and 1000", "arena", {"motion": spot(1, turn=0), "radius": 0.4}),
                (r"motion.bound_percent is 51, at most 50", "arena", {"motion": car(2, bound_percent=51), "radius": 0.4}),
                (r"motion.hold_m is -1, it must be 0 or more", "arena", {"motion": car(2, hold=-1), "radius": 0.4}),
                (r"motion.follow_yaw is 4, it must be above 0, at most 3.14", "arena", {"motion": car(2, follow_yaw=4), "radius": 0.4}),
                (r"motion.reverse_factor is 0.5, it must lie within 1 and 100", "arena",
                 {"motion": car(2, reverse=True, reverse_factor=0.5), "radius": 0.4}),
                (r"motion.gear_change_m is -1, it must lie within 0 and 1000", "arena", {"motion": car(2, reverse=True, gear_change=-1), "radius": 0.4}),
                (r"motion.reverse: OMNI has no gears", "arena", {"motion": {"drive": 2, "reverse": True, "turn_m_per_rad": 1.0}, "radius": 0.4}),
                (r"motion.turning_radius_m is 1, .* 0 of OMNI", "arena", {"motion": {"drive": 2, "turning_radius_m": 1.0}, "radius": 0.4}),
                (r"motion.headings is 8: with a turning_radius_m of 60, cells of 1 metres, no move", "wide", {"motion": car(60, headings=8), "radius": 0.4}),
                (r"each side of the world must be at least twice body.radius_m, of one that wraps 8 cells", "torus", {"motion": car(2), "radius": 0.4}),
                (r"policy.immediate_start is given: agents with motion do not have it yet", "arena",
                 {"motion": car(2), "radius": 0.4, "immediate_start": True}),
                (r"body.cells is given: agents with motion", "arena", {"motion": car(2), "cells": 2}),
                (r"planner is 'jps', it must be absent, \"auto\" or \"lattice\" with motion", "arena", {"motion": car(2), "radius": 0.4, "planner": "jps"}),
                (r"footprint has 17 corners, it must have 3 to 16", "arena", {"footprint": [(i, i * i) for i in range(17)]}),
                (r"footprint\[1\] has 2 corners", "arena", {"footprint": [box, [(0, 0), (1, 1)]]}),
                (r"footprint is missing, padding needs it", "arena", {"padding": 0.1}),
                (r"radius must be 0 with a footprint", "arena", {"footprint": box, "radius": 1.0}),
                (r"body.padding_m is -1", "arena", {"footprint": box, "padding": -1.0}),
                (r"body.footprint_x in cells of 1 metres: the origin does not lie inside", "arena", {"footprint": [(1, 1), (2, 1), (2, 2)]}),
                (r"body.footprint_x in cells of 1 metres: ", "arena", {"footprint": [(1, 1), (1, 1), (1, 1)]})):
            with self.subTest(sentence=sentence), self.assertRaisesRegex(replan.ReplanError, sentence):
                engine.open_agent(world, "n", (2.5, 2.5, 0.0), (4.5, 4.5), **options)
        scout = self.open_scout()
        with self.assertRaisesRegex(replan.ReplanError, 'goal.yaw: agent "scout" has no motion'):
            scout.goto(replan.facing(GOAL, 1.0))
        line = [replan.Segment(1.5, 1.5, 0.0, 0.0, 3.0, 0.0)]
        with self.assertRaisesRegex(replan.ReplanError, 'agent "scout" has no motion: radius says'):
            scout.valid(line)
        self.assertTrue(scout.valid(line, radius=0.4).legal)
        for sentence, path, radius in ((r"radius is -1", line, -1), (r"radius is 65", line, 65), (r"path\[1\] is 5, it must be a Segment", line + [5], 0.4),
                                       (r"path\[0\].length is nan", [replan.Segment(1.5, 1.5, 0.0, 0.0, NAN, 0.0)], 0.4)):
            with self.assertRaisesRegex(replan.ReplanError, sentence):
                scout.valid(path, radius=radius)
        cart = engine.open_agent("arena", "cart", (2.5, 2.5), GOAL, radius=0.4, motion=car(1.5))
        for goal in (replan.region((5, 5), (7, 7)), [(3.5, 3.5)] * 65):
            with self.assertRaisesRegex(replan.ReplanError, "goal of \"cart\", which has motion: it goes to at most 64 points"):
                cart.goto(goal)
        with self.assertRaisesRegex(replan.ReplanError, r"goal.yaw has 2 entries"):
            cart.goto(replan.facing([(3.5, 3.5)] * 3, [1.0, 2.0]))

    def test_shapes_windows_orders_and_targets(self):
        engine, scout = self.engine, self.open_scout()
        engine.step(now_s=10.0)
        engine.put_disc("arena", 1, 10.5, 4.5, 2.0, 0, ttl_s=5.0)
        engine.put_polygon("arena", 2, [(3, 0), (4, 0), (4, 3)], 7)
        self.assertGreater(scout.answer().cost, 17.0)
        self.assertEqual(engine.snapshot("arena")[1][3], 7)
        engine.step(now_s=16.0)
        self.assertEqual(scout.answer().cost, 17.0)
        engine.remove_shapes("arena")
        self.assertEqual(engine.snapshot("arena")[1], bytes([1]) * 200)
        engine.resize("arena", 1, 0, 22, 10, fill=9)
        self.assertEqual((engine.world("arena").window, engine.world("arena").width, engine.world("arena").frame.x), (2, 22, 1.0))
        chaser = engine.open_agent("arena", "chaser", (2.5, 2.5), replan.target("prey"))
        self.assertEqual(chaser.answer().outcome, "target_lost")
        prey = engine.open_agent("arena", "prey", (9.5, 2.5), (9.5, 2.5))
        self.assertEqual(chaser.answer().cost, 7.0)
        prey.pose(11.5, 2.5)
        self.assertEqual(chaser.answer().cost, 9.0)
        prey.close()
        self.assertEqual(chaser.answer().outcome, "target_lost")
        units = [engine.open_agent("arena", f"u{i}", (2.5, 0.5 + i), (3.5, 0.5)) for i in range(9)]
        engine.order(units, [(15.5 + i % 3, 4.5 + i // 3) for i in range(9)], goal_ids=range(9))
        self.assertEqual([unit.answer().path[-1] for unit in units], [(14 + i % 3, 4 + i // 3) for i in range(9)])
        self.assertEqual([unit.answer().goal_id for unit in units], list(range(9)))
        engine.order(units, (12.5, 3.5))
        self.assertEqual({unit.answer().path[-1] for unit in units}, {(11, 3)})
        scout.goto(replan.waypoints([(5.5, 4.5), (9.5, 4.5)]), goal_id=3)
        self.assertEqual((scout.answer().goal_id, scout.answer().path[-1]), (3, (4, 4)))

    def test_questions(self):
        engine, scout = self.engine, self.open_scout()
        engine.fill_rect("arena", 10, 0, 1, 9, 0)
        self.assertEqual(engine.costs("arena", [START, (10.5, 4.5)], [(3.5, 4.5), (1.5, 8.5)]), [[2.0, 4.0], [None, None]])
        before = scout.answer().cost
        gate = {"world": "arena", "cells": [9 * 20 + 10], "values": b"\0"}
        self.assertEqual(engine.probe(gate, "scout", [((1.5, 4.5), (9.5, 4.5))]), [(before, None), (8.0, 8.0)])
        field = scout.field(3)
        self.assertAlmostEqual(field.costs[3 * 5 + 1], before, places=4)
        self.assertEqual(scout.valid([(8, 4), (9, 4), (10, 4), (11, 4)]).offending, [1, 2])
        self.assertEqual(len(scout.factors()), 200)
        self.assertGreater(engine.memory()["ground"], 0)
        engine.apply(gate)
        self.assertEqual(scout.answer().outcome, "no_path")

    @needs_numpy
    def test_an_array_is_the_cells_themselves(self):
        import numpy
        world = self.engine.world("arena")
        view = world.array
        self.engine.fill_rect("arena", 3, 2, 2, 1, 7)
        self.assertEqual(view[2, 2:6].tolist(), [1, 7, 7, 1])
        self.assertTrue(numpy.shares_memory(view, world.array))
        with self.assertRaises(ValueError):
            view[0, 0] = 0
        for act in (lambda: self.engine.resize("arena", 0, 0, 5, 5), lambda: self.engine.remove_world("arena")):
            with self.assertRaisesRegex(replan.ReplanError, "while 1 array of its cells is held"):
                act()
        copy = view[1:].copy()
        self.engine.close()
        gc.collect()
        self.assertEqual(view[2, 3], 7)  # its memory stays
        self.assertEqual(copy[1, 3], 7)
        with self.assertRaisesRegex(replan.ReplanError, 'there is no world "arena"'):
            world.array
        del view
        gc.collect()

    def test_wrong_arguments_name_field_and_limit(self):
        engine, scout = self.engine, self.open_scout()
        for sentence, act in (
                ("create_world.world is 5", lambda: engine.create_world(5, 4, 4)),
                ("create_world.width is 0, it must be a whole number within 1 and 16384", lambda: engine.create_world("b", 0, 4)),
                ("create_world.height is 16385", lambda: engine.create_world("b", 4, 16385)),
                ("create_world.width is 4.5", lambda: engine.create_world("b", 4.5, 4)),
                ("create_world.neighbors is 6, it must be 4 or 8", lambda: engine.create_world("b", 4, 4, neighbors=6)),
                ("create_world.wraps is True for 2 x 9", lambda: engine.create_world("b", 2, 9, wraps=True)),
                ("create_world.wraps is 'no'", lambda: engine.create_world("b", 4, 4, wraps="no")),
                ("create_world.data has 3 bytes, 4 x 4 cells need 16", lambda: engine.create_world("b", 4, 4, data=b"123")),
                ("create_world.data is 'abc'", lambda: engine.create_world("b", 4, 4, data="abc")),
                ("data and fill", lambda: engine.create_world("b", 1, 1, data=b"1", fill=2)),
                ("fill is 256", lambda: engine.create_world("b", 4, 4, fill=256)),
                ("create_world.resolution is 0, it must be greater than 0", lambda: engine.create_world("b", 4, 4, resolution=0)),
                ("create_world.resolution is nan", lambda: engine.create_world("b", 4, 4, resolution=NAN)),
                (r"origin is \(1, 2\)", lambda: engine.create_world("b", 4, 4, origin=(1, 2))),
                ('world "b", profile "lava"', lambda: engine.create_world("b", 4, 4, profile="lava")),
                (r"profiles\[0\] is 5", lambda: engine.create_world("b", 4, 4, profiles=[5])),
                (r"profiles\[0\].factors has 3 bytes", lambda: engine.create_world("b", 4, 4, profiles=[
                    replan.profile("p", b"\0\1\2")])),
                ('there is a world "arena" already', lambda: engine.create_world("arena", 4, 4)),
                ("path is 5, it must be the name of a file", lambda: engine.create_world_from_map("b", 5)),
                ('there is no world "moon"', lambda: engine.fill_rect("moon", 0, 0, 1, 1, 0)),
                ('there is no world "moon"', lambda: engine.remove_world("moon")),
                ("world is 7", lambda: engine.snapshot(7)),
                ("change.x is -1", lambda: engine.fill_rect("arena", -1, 0, 1, 1, 0)),
                ("change.width is 0.5", lambda: engine.fill_rect("arena", 0, 0, 0.5, 1, 0)),
                (r"the rectangle 2 x 1 at \(19, 0\) reaches outside the world of 20 x 10",
                 lambda: engine.fill_rect("arena", 19, 0, 2, 1, 0)),
                ("byte is 256", lambda: engine.fill_rect("arena", 0, 0, 1, 1, 256)),
                ("byte is None", lambda: engine.fill_rect("arena", 0, 0, 1, 1, None)),
                ('wait is "durable", it must be one of applied, settled',
                 lambda: engine.fill_rect("arena", 0, 0, 1, 1, 1, wait="durable")),
                ("data has 2 bytes", lambda: engine.write_rect("arena", 0, 0, 1, 1, b"12")),
                ("data is None", lambda: engine.write_rect("arena", 0, 0, 1, 1, None)),
                (r"cell \(20, 0\) is outside the world of 20 x 10", lambda: engine.set_cells("arena", [(20, 0)], 0)),
                (r"cells\[0\] is \(1,\)", lambda: engine.set_cells("arena", [(1,)], 0)),
                ("byte has 3 bytes for 1 cells", lambda: engine.set_cells("arena", [(1, 1)], b"123")),
                ("radius is -1", lambda: engine.put_disc("arena", 1, 1, 1, -1, 0)),
                ("x is nan", lambda: engine.put_disc("arena", 1, NAN, 1, 1, 0)),
                ("number is -1", lambda: engine.put_disc("arena", -1, 1, 1, 1, 0)),
                ("ttl_s is -1", lambda: engine.put_disc("arena", 1, 1, 1, 1, 0, ttl_s=-1)),
                ("points has 2 entries, it must have 3 to 64", lambda: engine.put_polygon("arena", 1, [(0, 0), (1, 1)], 0)),
                (r"numbers\[0\] is 'x'", lambda: engine.remove_shapes("arena", ["x"])),
                ("change is 5", lambda: engine.apply(5)),
                (r"change.cells\[0\] is 200, the world has 200", lambda: engine.apply({"world": "arena", "cells": [200],
                                                                                      "values": b"1"})),
                ("resize.width is None", lambda: engine.resize("arena", 0, 0)),
                ("origin is in metres", lambda: engine.resize("arena", 0, 0, 4, 4, origin=(0, 0))),
                (r"start is \(1,\)", lambda: engine.open_agent("arena", "n", (1,), GOAL)),
                ("goal is None", lambda: engine.open_agent("arena", "n", START, None)),
                ("goal.x has 0 entries", lambda: engine.open_agent("arena", "n", START, [])),
                ("open_agent.agent is 7", lambda: engine.open_agent("arena", 7, START, GOAL)),
                ('there is an agent "scout"', lambda: self.open_scout()),
                ('agent "n", planner "warp"', lambda: engine.open_agent("arena", "n", START, GOAL, planner="warp")),
                ("body.radius_m is -1", lambda: engine.open_agent("arena", "n", START, GOAL, radius=-1)),
                ("body.cells is 65, it must be a whole number within 0 and 64",
                 lambda: engine.open_agent("arena", "n", START, GOAL, cells=65)),
                ("policy.patience is no field", lambda: engine.open_agent("arena", "n", START, GOAL, patience=1)),
                ("policy.lease_s is a daemon's", lambda: engine.open_agent("arena", "n", START, GOAL, lease_s=5)),
                ("policy.switch_gain_percent is 101, at most 100",
                 lambda: engine.open_agent("arena", "n", START, GOAL, switch_gain_percent=101)),
                ("goal.tolerance_m is inf", lambda: engine.open_agent("arena", "n", START, GOAL, tolerance=math.inf)),
                ('there is no agent "ghost"', lambda: engine.agent("arena", "ghost")),
                (r"agents\[0\] is 'scout'", lambda: engine.order(["scout"], GOAL)),
                ("places has 2 entries, it must have 1", lambda: engine.order([scout], [START, GOAL])),
                (r"goal_ids\[0\] is -1", lambda: engine.order([scout], GOAL, goal_ids=[-1])),
                ("budget is -1", lambda: engine.step(-1)), ("budget is 1.5", lambda: engine.step(1.5)),
                ("now_s is nan", lambda: engine.step(now_s=NAN)), ("budget is None", lambda: engine.idle(None)),
                ("goal is 5", lambda: scout.goto(5)), ("pose.x is None", lambda: scout.pose(None, 1)),
                ("pose.yaw is 'north'", lambda: scout.pose(1, 1, "north")), ("reach is 65", lambda: scout.field(65)),
                ("path is empty", lambda: scout.valid([])),
                (r"path\[0\] is cell \(20, 0\), outside", lambda: scout.valid([(20, 0)])),
                (r"sources\[0\] is \(1, 2, 3\)", lambda: engine.costs("arena", [(1, 2, 3)], [GOAL])),
                (r"pairs\[0\] has 1 points", lambda: engine.probe({"world": "arena"}, (), [(GOAL,)])),
                ('there is no agent "ghost"', lambda: engine.probe({"world": "arena"}, "ghost"))):
            with self.subTest(sentence):
                with self.assertRaisesRegex(replan.ReplanError, sentence):
                    act()
        self.assertEqual([world.name for world in engine.worlds()], ["arena"])
        self.assertEqual(engine.world("arena").version, 1)
        self.assertEqual(scout.answer().goal_id, 0)
        scout.close()
        for act in (scout.answer, scout.close, lambda: scout.pose(1, 1), lambda: scout.goto(GOAL), scout.why, scout.factors):
            with self.assertRaisesRegex(replan.ReplanError, 'there is no agent "scout"'):
                act()


class OnePlanner(unittest.TestCase):
    def test_a_plan_is_repaired(self):
        grid = [[1] * 9 for _ in range(7)]
        found = replan.local.plan(grid, (0, 3), (8, 3))
        self.assertEqual((found.outcome, found.cost, found.path), ("found", 8.0, [(x, 3) for x in range(9)]))
        found.repair([(4, y, 0) for y in range(1, 7)])
        self.assertGreater(found.cost, 8.0)
        self.assertIn((4, 0), found.path)
        self.assertEqual(found.repair([(4, 0, 0)]).outcome, "no_path")
        self.assertEqual((found.path, found.cost), ([], None))
        self.assertEqual(found.repair([(4, 3, 1)], start=(1, 3), goal=[(8, 6), (7, 3)]).path[-1], (7, 3))
        self.assertEqual(found.repair(start=(4, 4)).outcome, "start_blocked")
        self.assertRegex(str(found), "^start_blocked, by ")

    def test_every_planner_finds_the_same_cost(self):
        rng = random.Random(3)
        grid = [[rng.choice((0, 1, 1, 1)) for _ in range(30)] for _ in range(20)]
        grid[0][0] = grid[19][29] = 1
        plans = {name: replan.local.plan(grid, (0, 0), (29, 19), planner=name) for name in ("astar", "jps", "dstar-lite", "lpa", "auto")}
        for _ in range(50):
            change = [(rng.randrange(1, 29), rng.randrange(1, 19), rng.choice((0, 1)))]
            costs = {name: found.repair(change).cost for name, found in plans.items()}
            first = costs["astar"]
            for cost in costs.values():
                self.assertEqual(cost is None, first is None)
                self.assertAlmostEqual(cost or 0.0, first or 0.0)

    def test_a_planner_without_weights_says_so_and_goes_on(self):
        grid = [[1] * 9 for _ in range(7)]
        found = replan.local.plan(grid, (0, 3), (8, 3), planner="jps")
        with self.assertRaisesRegex(replan.ReplanError, r'changes\[0\] has byte 9, and planner "jps" takes 0, 1 and 255 only'):
            found.repair([(4, 3, 9)])
        self.assertEqual(found.repair([(4, 3, 255)]).cost, 8.0)
        grid[2][2] = 7
        with self.assertRaisesRegex(replan.ReplanError, 'grid has byte 7, and planner "jps"'):
            replan.local.plan(grid, (0, 3), (8, 3), planner="jps")
        self.assertEqual(replan.local.plan(grid, (0, 3), (8, 3)).cost, 8.0)
        self.assertIn("dstar-lite", replan.local.planners())
        self.assertGreater(len(replan.local.planners()), 10)

    @needs_numpy
    def test_arrays_of_numpy_are_grids(self):
        import numpy
        for kind in (numpy.uint8, numpy.int64, bool):
            grid = numpy.ones((5, 9), kind)
            grid[0:4, 4] = 0
            found = replan.local.plan(grid, (0, 0), numpy.array([8, 0]))
            self.assertEqual(found.path_array.tolist(), [list(cell) for cell in found.path])
            self.assertIn((4, 4), found.path)

    def test_wrong_arguments(self):
        grid = [[1] * 4 for _ in range(3)]
        found = replan.local.plan(grid, (0, 0), (3, 2))
        for sentence, act in (
                ("grid is 5, it must be a list", lambda: replan.local.plan(5, (0, 0), (1, 1))),
                ("grid has 0 rows", lambda: replan.local.plan([], (0, 0), (1, 1))),
                (r"grid\[0\] has 0 cells", lambda: replan.local.plan([[]], (0, 0), (1, 1))),
                (r"grid\[1\] has 1 cells, those before have 2", lambda: replan.local.plan([[1, 1], [1]], (0, 0), (1, 1))),
                (r"grid\[0\] is \[256\]", lambda: replan.local.plan([[256]], (0, 0), (0, 0))),
                (r"start\[0\] is 4, it must be a whole number within 0 and 3", lambda: replan.local.plan(grid, (4, 0), (1, 1))),
                (r"goal\[1\] is 3", lambda: replan.local.plan(grid, (0, 0), (1, 3))),
                (r"goal is \(1, 2, 3\)|goal\[0\] is 1", lambda: replan.local.plan(grid, (0, 0), (1, 2, 3))),
                ("goal: an argument", lambda: replan.local.plan(grid, (0, 0), [])),
                ("start is None", lambda: replan.local.plan(grid, None, (1, 1))),
                ('planner "warp"', lambda: replan.local.plan(grid, (0, 0), (1, 1), planner="warp")),
                ("planner is 5", lambda: replan.local.plan(grid, (0, 0), (1, 1), planner=5)),
                ("neighbors is 6", lambda: replan.local.plan(grid, (0, 0), (1, 1), neighbors=6)),
                ("wraps is 2", lambda: replan.local.plan(grid, (0, 0), (1, 1), wraps=2)),
                ("wraps is True for 2 x 2", lambda: replan.local.plan([[1, 1], [1, 1]], (0, 0), (1, 1), wraps=True)),
                (r"changes\[0\] is \(1, 1\), it must be \(x, y, byte\)", lambda: found.repair([(1, 1)])),
                (r"changes\[0\]\[0\] is 4", lambda: found.repair([(4, 1, 0)])),
                (r"changes\[0\]\[2\] is 256", lambda: found.repair([(1, 1, 256)])),
                ("changes is 5", lambda: found.repair(5))):
            with self.subTest(sentence):
                with self.assertRaisesRegex(replan.ReplanError, sentence):
                    act()
        self.assertEqual(found.repair().cost, replan.local.plan(grid, (0, 0), (3, 2)).cost)


if __name__ == "__main__":
    unittest.main()
