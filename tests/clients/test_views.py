#!/usr/bin/python3
"""What the Python client shows: answers as text, worlds, fields and paths for numpy, pictures; strict clients; progress.

usage: test_views.py BUILD_DIRECTORY
"""

import importlib.util
import math
import os
import sys
import unittest
import unittest.mock

BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.abspath("build/release")
BIN, PYTHON = os.path.join(BUILD, "bin"), os.path.join(BUILD, "python")
if not os.path.exists(os.path.join(BIN, "repland")):
    print("skipped: there is no", os.path.join(BIN, "repland"))
    sys.exit(77)
sys.path.insert(0, PYTHON)

import replan  # noqa: E402
from replan import shared_watch  # noqa: E402
from daemon import PATIENCE_S, Daemon  # noqa: E402

needs_numpy = unittest.skipUnless(importlib.util.find_spec("numpy"), "no numpy")
needs_matplotlib = unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
START, GOAL = (1.5, 4.5), (18.5, 4.5)


class Views(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon(os.path.join(BIN, "repland"))
        self.addCleanup(self.daemon.stop)
        self.client = replan.Client(self.daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(self.client.close)
        self.client.create_world("arena", 20, 10)

    def open_scout(self):
        return self.client.open_agent("arena", "scout", START, GOAL)

    def test_an_answer_in_a_line_has_cost_and_corners(self):
        scout = self.open_scout()
        self.assertEqual(str(scout.answer()), "scout: found (request) at version 1, cost 17.00, 18 cells: (1, 4) (18, 4)")
        self.client.fill_rect("arena", 10, 0, 1, 9, 0, wait="settled")
        answer = scout.answer()
        shown = str(answer)
        self.assertRegex(shown, r"^scout: found \(request\) at version 2, cost 2\d\.\d\d, \d+ cells: \(1, 4\) ")
        for x, y in answer.bends:
            self.assertIn(f"({int(x)}, {int(y)})", shown)
        self.client.fill_rect("arena", 10, 0, 1, 10, 0, wait="settled")
        self.assertEqual(str(scout.answer()), "scout: no_path (request) at version 3")

    def test_a_path_of_many_corners_is_shortened(self):
        walls = bytes(0 if y % 2 and x != (0 if y % 4 == 1 else 18) else 1 for y in range(41) for x in range(19))
        self.client.create_world("maze", 19, 41, data=walls)
        answer = self.client.open_agent("maze", "mouse", (9.5, 0.5), (9.5, 40.5)).answer()
        shown = str(answer)
        self.assertIn(" .. (9, 40)", shown)
        self.assertLess(len(shown), 250)

    def test_worlds_have_names(self):
        info, = self.client.worlds()
        self.assertEqual((info.name, info.world, info.width, info.height, info.version), ("arena", "arena", 20, 10, 1))
        self.assertEqual((info.neighbors, info.profile, info.head.agents), (8, "factor", 0))
        self.assertEqual(str(info), 'world "arena": 20 x 10 cells, version 1')
        with self.assertRaises(AttributeError):
            info.weather

    def test_a_watch_of_an_agent_that_is_not_there_says_so(self):
        self.open_scout()
        with self.assertRaisesRegex(replan.ReplanError, 'there is no agent "scuot" in world "arena"') as caught:
            self.client.watch("arena", ["scout", "scuot"])
        self.assertEqual(caught.exception.status, "UNKNOWN")
        watch = self.client.watch("arena", "late", later=True)
        self.client.open_agent("arena", "late", START, GOAL)
        self.assertEqual(watch.next(PATIENCE_S).agent, "late")

    def test_a_strict_client_opens_nobody_by_a_typo(self):
        self.open_scout()
        with replan.Client(self.daemon.control, timeout_s=PATIENCE_S, strict=True) as strict:
            typo = strict.agent("arena", "scuot")
            for act in (lambda: typo.goto(GOAL), lambda: typo.pose(*START)):
                with self.assertRaisesRegex(replan.ReplanError, 'there is no agent "scuot" in world "arena"'):
                    act()
            strict.agent("arena", "scout").goto((5.5, 5.5), goal_id=3)
            strict.agent("arena", "scout").pose(2.5, 2.5)
            self.assertEqual(strict.agent("arena", "scout").answer().goal_id, 3)
        self.assertEqual(self.client.worlds()[0].head.agents, 1)
        self.client.agent("arena", "scuot").pose(*START)
        self.assertEqual(self.client.worlds()[0].head.agents, 2)

    def test_an_agent_is_a_watch_of_it_alone(self):
        scout = self.open_scout()
        self.client.open_agent("arena", "other", START, GOAL)
        for answer in scout:
            self.assertEqual(answer.agent, "scout")
            if answer.goal_id == 0:
                scout.goto((5.5, 5.5), goal_id=1)
            else:
                break
        self.assertEqual(answer.goal_id, 1)

    def open_many(self, count):
        return [self.client.open_agent("arena", f"a{i}", (1.5, i % 10 + 0.5), GOAL, lease_s=0) for i in range(count)]

    def test_more_agents_are_iterated_over_than_a_client_has_watches(self):
        agents = self.open_many(300)
        reads = [iter(agent) for agent in agents]
        for agent, read in zip(agents, reads):
            answer = next(read)
            self.assertEqual((answer.agent, answer.outcome), (agent.name, "found"))
        self.assertEqual(self.client.stats()["watches.open"], shared_watch.SHARED_FROM + 1)
        self.client.fill_rect("arena", 10, 0, 1, 10, 0)
        for agent, read in zip(agents, reads):
            seen = [next(read)]
            while seen[-1].outcome != "no_path":
                seen.append(next(read))
            self.assertEqual({answer.agent for answer in seen}, {agent.name})
        for read in reads:
            read.close()
        self.assertEqual(self.client.stats()["watches.open"], 0)

    def test_who_joins_a_shared_watch_gets_the_newest_and_it_ends_with_the_last_one(self):
        self.enterContext(unittest.mock.patch.object(shared_watch, "SHARED_FROM", 0))
        agents = self.open_many(3)
        stays = iter(agents[0])
        self.assertEqual(next(stays).agent, "a0")
        for agent in (agents[1], agents[1], agents[2]):
            for answer in agent:
                self.assertEqual(answer.agent, agent.name)
                break
        self.assertEqual(self.client.stats()["watches.open"], 1)
        with self.assertRaisesRegex(replan.ReplanError, 'no agent "scuot"'):
            next(iter(self.client.agent("arena", "scuot")))
        agents[0].goto((2.5, 2.5), goal_id=5)
        while next(stays).goal_id != 5:
            pass
        stays.close()
        self.assertEqual(self.client.stats()["watches.open"], 0)

    def test_all_who_share_a_watch_hear_when_its_world_is_gone(self):
        self.enterContext(unittest.mock.patch.object(shared_watch, "SHARED_FROM", 0))
        for _ in range(2):
            reads = [iter(agent) for agent in self.open_many(3)]
            self.assertEqual([next(read).agent for read in reads], ["a0", "a1", "a2"])
            self.client.remove_world("arena")
            for read in reads:
                with self.assertRaisesRegex(replan.ReplanError, "arena.*UNKNOWN"):
                    list(read)
            self.client.create_world("arena", 20, 10)

    def test_many_poses_go_in_one_request(self):
        agents = [self.client.open_agent("arena", f"a{i}", START, GOAL) for i in range(3)]
        self.client.poses(agents, [(2.5, i + 0.5) for i in range(3)])
        self.assertEqual([agent.answer().path[0] for agent in agents], [(2, 0), (2, 1), (2, 2)])
        for sentence, who, places in ((r"places has 1 entries, it must have one for each of the 3", agents, [(1, 1)]),
                                      (r"agents\[0\] is Agent\('arena', 'a0'\), it must be an Agent of open_agent",
                                       [self.client.agent("arena", "a0")], [(1, 1)]),
                                      ("agents is empty", [], [])):
            with self.assertRaisesRegex(replan.ReplanError, sentence):
                self.client.poses(who, places)

    def test_a_long_upload_tells_how_far_it_is(self):
        side, told = 5000, []
        data = bytearray(b"\x01" * (side * side))
        data[-1] = 7
        self.client.create_world("large", side, side, data=data, progress=lambda done, size: told.append((done, size)))
        self.assertGreater(len(told), 2)
        self.assertEqual([done for done, _ in told], sorted({done for done, _ in told}))
        self.assertEqual(told[-1], (side * side, side * side))
        told.clear()
        self.client.create_world("small", 4, 4, progress=lambda *now: told.append(now))
        self.assertEqual(told, [(16, 16)])

    def test_a_mirror_follows_changes_and_windows(self):
        with self.client.mirror("arena") as mirror:
            self.assertTrue(mirror.follow(PATIENCE_S))
            self.client.fill_rect("arena", 3, 2, 2, 2, 9)
            self.client.set_cells("arena", [(0, 0), (19, 9)], b"\x05\x06")
            self.client.resize("arena", 1, 1, 20, 12, fill=4)
            while mirror.version < 4:
                self.assertTrue(mirror.follow(PATIENCE_S))
            self.assertEqual((mirror.version, bytes(mirror.data)), self.client.snapshot("arena"))
            self.assertEqual((mirror.frame.width, mirror.frame.height, mirror.window), (20, 12, 2))

    @needs_numpy
    def test_worlds_paths_and_fields_are_arrays(self):
        import numpy
        self.client.write_rect("arena", 2, 1, 2, 2, numpy.array([[5, 6], [7, 8]], numpy.uint8))
        world = self.client.world("arena")
        self.assertEqual(world.array.shape, (10, 20))
        self.assertEqual(world.array[1:3, 2:4].tolist(), [[5, 6], [7, 8]])
        self.assertFalse(world.array.flags.writeable)
        self.assertTrue(numpy.shares_memory(world.array, world.array))
        self.client.create_world("turned", 30, 20, resolution=0.5, origin=(1.0, 2.0, 0.7), wraps=True)
        middle = lambda x, y: (1 + math.cos(0.7) * x / 2 - math.sin(0.7) * y / 2,  # noqa: E731
                               2 + math.sin(0.7) * x / 2 + math.cos(0.7) * y / 2)
        scout = self.client.open_agent("turned", "scout", middle(28.5, 18.5), middle(3.5, 6.5))
        answer = scout.answer()
        self.assertEqual([tuple(cell) for cell in answer.path_array.tolist()], answer.path)
        self.assertTrue(numpy.allclose(answer.points_array, answer.points))
        self.assertIn((0, 0), [(abs(a[0] - b[0]) % 29, abs(a[1] - b[1]) % 19) for a, b in zip(answer.path, answer.path[1:])])
        field = scout.field(3)
        self.assertEqual((field.costs_array.shape, field.steps_array.shape), ((5, 5), (5, 5)))
        self.assertAlmostEqual(field.costs_array[18 - field.y, 28 - field.x], answer.cost, places=4)
        self.client.fill_rect("arena", 0, 0, 20, 10, 0)
        nowhere = self.client.open_agent("arena", "nobody", START, GOAL).answer()
        self.assertEqual((nowhere.path_array.shape, nowhere.points_array.shape), ((0, 2), (0, 2)))

    @needs_matplotlib
    def test_a_world_is_drawn_with_paths(self):
        import matplotlib
        matplotlib.use("Agg")
        self.client.fill_rect("arena", 10, 0, 1, 9, 0)
        answer = self.open_scout().answer()
        axes = self.client.world("arena").plot(paths=[answer, [(1, 1), (2, 2)]])
        (image,), lines = axes.images, axes.lines
        self.assertEqual(image.get_array().shape, (10, 20))
        self.assertEqual(float(image.get_array()[3, 10]), 0.0)
        self.assertGreater(float(image.get_array()[3, 9]), 200.0)
        self.assertEqual(list(zip(*lines[0].get_data())), answer.points)
        self.assertEqual((axes.get_xlim(), axes.get_ylim()), ((0.0, 20.0), (0.0, 10.0)))

    @needs_matplotlib
    def test_the_path_of_who_drives_is_drawn_as_a_curve(self):
        import matplotlib
        matplotlib.use("Agg")
        answer = self.client.open_agent("arena", "cart", (2.5, 2.5, 1.5), (15.5, 7.5), radius=0.4, motion=replan.car(1.5)).answer()
        line = self.client.world("arena").plot(paths=[answer]).lines[0]
        points = list(zip(*line.get_data()))
        self.assertEqual(points[0], (2.5, 2.5))
        self.assertLess(math.dist(points[-1], (15.5, 7.5)), 1e-6)
        drawn = sum(math.dist(a, b) for a, b in zip(points, points[1:]))
        self.assertAlmostEqual(drawn / sum(segment.length for segment in answer.segments), 1.0, 2)


if __name__ == "__main__":
    unittest.main()
