#!/usr/bin/python3
"""The Python package, its examples, the C example, and `replan ctl` and `watch`, against a real repland.

usage: test_python.py BUILD_DIRECTORY
"""

import array
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.abspath("build/release")
BIN, PYTHON = os.path.join(BUILD, "bin"), os.path.join(BUILD, "python")
if not os.path.exists(os.path.join(BIN, "repland")):
    print("skipped: there is no", os.path.join(BIN, "repland"))
    sys.exit(77)
sys.path.insert(0, PYTHON)

import replan  # noqa: E402
from replan import replan_pb2 as pb  # noqa: E402
import zmq  # noqa: E402
from daemon import PATIENCE_S, Daemon  # noqa: E402


class WithDaemon(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon(os.path.join(BIN, "repland"))
        self.addCleanup(self.daemon.stop)
        self.client = replan.Client(self.daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(self.client.close)

    def run_program(self, *words, code=0):
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def ctl(self, *words, code=0):
        control = ("--control", self.daemon.control)
        return self.run_program(os.path.join(BIN, "replan"), "ctl", *control, *words, code=code)


class Package(WithDaemon):
    def open_scout(self):
        self.client.create_world("arena", 20, 10)
        return self.client.open_agent("arena", "scout", start=(1.5, 4.5), goal=(18.5, 4.5))

    def test_answer_is_a_straight_line_on_empty_ground(self):
        answer = self.open_scout().answer()
        self.assertEqual(answer.outcome, "found")
        self.assertEqual(answer.path, [(x, 4) for x in range(1, 19)])
        self.assertEqual(answer.cost, 17.0)
        self.assertTrue(answer.optimal)

    def test_cell_outside_is_refused_and_none_of_another_row_is_written(self):
        scout = self.open_scout()
        for cell in ((20, 0), (-1, 1), (0, 10), (0, -1)):
            with self.assertRaisesRegex(replan.ReplanError, "outside the world of 20 x 10"):
                self.client.set_cells("arena", [(1, 1), cell], 0)
            with self.assertRaisesRegex(replan.ReplanError, "outside the world of 20 x 10"):
                scout.valid([cell])
        self.assertEqual(self.client.snapshot("arena"), (1, bytes([1]) * 200))

    def test_one_name_stands_for_a_list_of_one(self):
        self.open_scout()
        self.assertEqual(self.client.watch("arena", "scout").next(PATIENCE_S).agent, "scout")
        change = pb.Change(world="arena", x=10, y=0, width=1, height=9, fill=0)
        self.assertEqual(len(self.client.probe(change, "scout")), 1)

    def test_what_is_refused_before_it_is_sent_names_field_and_limit(self):
        scout = self.open_scout()
        nan = float("nan")
        for words, act in (
                ("wait is \"setled\", it must be one of applied, durable, settled",
                 lambda: self.client.fill_rect("arena", 1, 1, 1, 1, 0, wait="setled")),
                ("goal.x has 0 entries", lambda: scout.goto([])),
                (r"goal is 'orc', it must be \(x, y\)", lambda: scout.goto("orc")),
                (r"goal is \(1.5, 1.5, 0\), it must be", lambda: scout.goto((1.5, 1.5, 0))),
                ("7403 is no endpoint, as tcp://127.0.0.1:7403 is", lambda: replan.Client("7403")),
                ("localhost:7500 is no endpoint, .* it has no scheme, tcp:// before a host",
                 lambda: replan.Client("localhost:7500")),
                ("inproc://x is no endpoint, .* it has a scheme other than tcp:// and ipc://",
                 lambda: replan.Client("inproc://x")),
                ("agents is empty", lambda: self.client.order([], (1.5, 1.5))),
                ("the request has 209715.. bytes, a message at most 20971520",
                 lambda: self.client.write_rect("arena", 0, 0, 1, 1, bytes(20 << 20))),
                ("one body, not get_stats and list_worlds",
                 lambda: self.client.request(get_stats=pb.GetStats(), list_worlds=pb.ListWorlds())),
                ("timeout_s is -1, it must be a finite number within 0 and 3600",
                 lambda: self.client.request(timeout_s=-1, get_stats=pb.GetStats())),
                ("timeout_s is nan",
                 lambda: self.client.request(timeout_s=nan, get_stats=pb.GetStats()))):
            with self.assertRaisesRegex(replan.ReplanError, words):
                act()
        self.assertEqual(self.client.snapshot("arena")[0], 1)

    def test_occupancy_of_ros_becomes_bytes_of_a_costmap(self):
        published = [-1 if byte == 255 else 100 if byte == 254 else 99 if byte == 253
                     else 1 + 97 * (byte - 1) // 251 if byte else 0 for byte in range(256)]  # costmap_2d's own table
        self.assertEqual([published[byte] for byte in replan.occupancy(published)], published)
        for data in ([-1, 0, 50, 100], array.array("b", [-1, 0, 50, 100]), b"\xff\x00\x32\x64"):
            self.assertEqual(replan.occupancy(data)[::3], b"\xff\xfe")
        for data, sentence in (([0, 101], r"data\[1\] is 101, it must be -1 or within 0 and 100"),
                               ([0, 0, -2], r"data\[2\] is -2"), ([200], r"data\[0\] is 200"),
                               ([0, None], r"data\[1\] is None"), ([0.5], r"data\[0\] is 0.5"),
                               (b"\x00\x80", r"data\[1\] is -128"), (7, "data is 7, it must be a list")):
            with self.assertRaisesRegex(replan.ReplanError, sentence):
                replan.occupancy(data)

    def test_a_number_of_32_bits_is_the_shortest_decimal(self):
        for decimal in (0.05, 0.1, 0.025, 1.0, 0.0, -12.3, 123456.79, 1e-7, 3.4e38):
            single = struct.unpack("f", struct.pack("f", decimal))[0]
            self.assertEqual(replan.shortest_decimal(single), decimal)
        self.assertEqual(replan.shortest_decimal(0.1234567890123), 0.1234567890123)  # a double
        self.assertEqual(replan.shortest_decimal(1e300), 1e300)

    def test_closed_client_says_so(self):
        self.client.close()
        self.client.close()
        with self.assertRaisesRegex(replan.NoDaemon, "this client was closed"):
            self.client.worlds()

    def test_an_agent_of_somebody_else_is_known_by_its_name(self):
        self.open_scout()
        other = replan.Client(self.daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(other.close)
        scout = other.agent("arena", "scout")
        scout.goto((18.5, 8.5), goal_id=4)
        self.assertEqual(scout.answer().goal_id, 4)
        with self.assertRaisesRegex(replan.ReplanError, 'no agent "nobody"'):
            other.agent("arena", "nobody").answer()
        ghost = other.agent("arena", "ghost")
        ghost.goto((2.5, 2.5))
        ghost.pose(1.5, 1.5)
        self.assertEqual(ghost.answer().outcome, "found")

    def test_wall_makes_a_detour_and_a_closed_one_no_path(self):
        scout = self.open_scout()
        applied = self.client.fill_rect("arena", 10, 0, 1, 9, 0, wait="settled")
        self.assertEqual(applied.changed_agents, ["scout"])
        answer = scout.answer()
        self.assertEqual(answer.version, applied.version)
        self.assertIn((10, 9), answer.path)
        self.client.set_cells("arena", [(10, 9)], 0)
        answer = scout.answer()
        self.assertEqual((answer.outcome, answer.path), ("no_path", []))
        self.assertEqual((answer.cost, answer.bound, scout.why()[0].cost), (None, None, None))

    def test_bends_are_the_same_whoever_tells_them(self):
        self.client.create_world("arena", 20, 10, resolution=0.5, origin=(-3.0, 1.0, 0.7))
        box = self.client.open_agent("arena", "scout", start=(-4.5, 3.0), goal=(0.5, 9.0),
                                     bends=True)
        self.assertEqual(box.answer().outcome, "found")
        subscriber = zmq.Context.instance().socket(zmq.SUB)
        self.addCleanup(subscriber.close)
        subscriber.subscribe("path/arena/scout/")
        subscriber.connect(self.daemon.paths)
        subscriber.setsockopt(zmq.RCVTIMEO, int(1000 * PATIENCE_S))
        x, y = 0, 0
        while not subscriber.poll(50):  # a subscription may come late: answer until it is there
            x, y = (x + 3) % 20, (y + 1) % 10
            self.client.set_cells("arena", [(x, y)], 0)
        get = pb.GetAnswer(world="arena", agent="scout", bends=True)
        asked = replan.Answer.of(self.client.request(get_answer=get).answer)
        published = replan.Answer.parse(subscriber.recv_multipart()[-1])
        while published.path_seq < asked.path_seq:
            published = replan.Answer.parse(subscriber.recv_multipart()[-1])
        words = json.loads(self.ctl("--json", "answer", "arena", "scout", "--bends").stdout)
        for answer in (published, asked):
            told = list(zip(answer.message.bend_x, answer.message.bend_y))
            self.assertGreaterEqual(len(told), 2)
            for mine, theirs in zip(answer.bends, told, strict=True):
                self.assertAlmostEqual(mine[0], theirs[0], 9)
                self.assertAlmostEqual(mine[1], theirs[1], 9)
            self.assertEqual([answer.points[at] for at in answer.message.bend_at], answer.bends)
        for mine, theirs in zip(asked.bends, words["bends"], strict=True):
            self.assertAlmostEqual(mine[0], theirs[0], 6)

    def test_a_wide_body_goes_round_where_a_point_passes(self):
        self.client.create_world("arena", 20, 11, profile="costmap", resolution=0.5,
                                 profiles=[replan.profile("careful", like="costmap",
                                                          unknown="blocked")])
        self.client.fill_rect("arena", 10, 0, 1, 9, 254)
        self.client.set_cells("arena", [(10, 4)], 0)
        ends = {"start": (1.25, 2.25), "goal": (8.25, 2.25)}
        point = self.client.open_agent("arena", "point", **ends)
        wide = self.client.open_agent("arena", "wide", radius=0.5, **ends)
        soft = self.client.open_agent("arena", "soft", inscribed_radius=0.25, inflation_radius=1.5,
                                      cost_scaling_factor=1.0, **ends)
        self.assertEqual(point.answer().cost, 14.0)
        self.assertIn((10, 4), point.answer().path)
        self.assertIn((10, 10), wide.answer().path)
        self.assertGreater(soft.answer().cost, 14.0)
        self.client.fill_rect("arena", 0, 10, 20, 1, 255)
        careful = self.client.open_agent("arena", "careful", radius=0.5, profile="careful", **ends)
        self.assertEqual(careful.answer().outcome, "no_path")
        self.assertEqual(wide.answer().outcome, "found")
        world, = self.client.worlds()
        self.assertEqual(world.layers, 4)
        self.assertEqual([own.name for own in world.profiles], ["careful"])
        with self.assertRaisesRegex(replan.ReplanError, "at most 64 cells"):
            self.client.open_agent("arena", "giant", radius=33.0, **ends)
        square = self.client.open_agent("arena", "square", cells=2, **ends)
        self.assertIn((10, 9), square.answer().path)
        for cells, radius, sentence in ((65, 0.0, "body.cells is 65, at most 64"), (2, 1.0, "body.cells is 2, then")):
            with self.assertRaisesRegex(replan.ReplanError, sentence):
                self.client.open_agent("arena", "giant", cells=cells, radius=radius, **ends)

    def test_a_window_that_rolls_on_takes_agents_and_ground_along(self):
        scout = self.open_scout()
        self.client.write_rect("arena", 10, 2, 1, 3, b"\0\0\0")
        cost = scout.answer().cost
        applied = self.client.resize("arena", 1, -1, 20, 12, fill=1, wait="settled")
        self.assertEqual(applied.changed_agents, [])
        answer = scout.answer()
        self.assertEqual((answer.cost, answer.path[0]), (cost, (0, 5)))
        version, data = self.client.snapshot("arena")
        self.assertEqual((version, len(data)), (applied.version, 240))
        self.assertEqual([data[y * 20 + 9] for y in (2, 3, 5, 6)], [1, 0, 0, 1])
        self.client.resize("arena", 2, 0, 10, 12)
        self.assertEqual(scout.answer().outcome, "outside")

    def test_shapes_move_go_and_end_by_themselves(self):
        scout = self.open_scout()
        watch = self.client.watch("arena")
        self.assertEqual(watch.next(PATIENCE_S).cost, 17.0)
        applied = self.client.put_polygon("arena", 7, [(10, 0), (11, 0), (11, 10), (10, 10)], 0,
                                          wait="settled")
        self.assertEqual(applied.changed_agents, ["scout"])
        self.assertEqual(watch.next(PATIENCE_S).outcome, "no_path")
        self.client.fill_rect("arena", 10, 0, 1, 1, 3)  # beneath
        self.assertEqual(scout.answer().outcome, "no_path")
        self.client.put_polygon("arena", 7, [(10, 1), (11, 1), (11, 10), (10, 10)], 0)
        self.assertIn((10, 0), watch.next(PATIENCE_S).path)
        self.assertEqual(self.client.snapshot("arena")[1][10], 3)
        self.client.remove_shapes("arena", [7])
        self.assertEqual(watch.next(PATIENCE_S).cost, 17.0)
        self.client.put_disc("arena", 1, 10.5, 4.5, 20.0, 0)
        self.assertEqual(watch.next(PATIENCE_S).outcome, "start_blocked")
        self.client.put_disc("arena", 1, 10.5, 4.5, 20.0, 0, ttl_s=0.3)  # where it lies already
        self.assertEqual(watch.next(PATIENCE_S).cost, 17.0)

    def test_watch_tells_the_newest_answer_and_then_each_new_one(self):
        scout = self.open_scout()
        watch = self.client.watch("arena")
        self.assertEqual(watch.next(PATIENCE_S).outcome, "found")
        scout.goto((18.5, 8.5), goal_id=7)
        self.assertEqual(watch.next(PATIENCE_S).goal_id, 7)
        self.client.fill_rect("arena", 10, 0, 1, 10, 0)
        self.assertEqual(watch.next(PATIENCE_S).outcome, "no_path")
        self.assertIsNone(watch.next(0.05))
        watch.close()
        with self.assertRaises(replan.NoDaemon):
            watch.next(0.05)

    def test_a_watch_with_splices_tells_the_same_paths_in_fewer_bytes(self):
        self.client.create_world("arena", 60, 40)
        scout = self.client.open_agent("arena", "scout", start=(0.5, 20.5), goal=(59.5, 20.5),
                                       switch_gain_percent=0, min_interval_ms=0)
        spliced = self.client.watch("arena")
        whole = self.client.watch("arena", splices=False)
        told = {spliced: None, whole: None}
        rng = random.Random(5)
        for step in range(120):
            x = rng.randrange(step // 10 + 2, 59)
            self.client.set_cells("arena", [(x, 20)], rng.randrange(2), wait="settled")
            if step == 60:
                spliced._watching._paths.clear()  # as if they had been lost: the next one is asked for whole
            if step % 10 == 0:
                scout.pose(step // 10 + 0.5, 20.5)
            newest = scout.answer()
            for watch in told:
                while told[watch] is None or told[watch].path_seq < newest.path_seq:
                    told[watch] = watch.next(PATIENCE_S)
            self.assertEqual(told[spliced].path[-40:], told[whole].path[-40:])
        stats = self.client.stats()  # how many paths are told in between is a matter of time
        self.assertGreater(stats["watches.splices"], 0)
        self.assertGreater(stats["watches.steps_spared"], 20)

    def test_one_order_sends_many_to_one_place_or_to_a_formation(self):
        self.client.create_world("arena", 60, 40)
        units = [self.client.open_agent("arena", f"u{i}", start=(1.5, 1.5 + 3 * i),
                                        goal=(2.5, 1.5 + 3 * i), switch_gain_percent=50)
                 for i in range(10)]
        self.client.order(units, (40.5, 20.5), goal_ids=[7])
        for unit in units:
            answer = unit.answer()
            self.assertEqual((answer.goal_id, answer.path[-1], answer.optimal), (7, (40, 20), True))
        places = [(50.5 + i % 4, 30.5 + i // 4) for i in range(10)]
        self.client.order(units, places, goal_ids=range(10, 20))
        for i, unit in enumerate(units):
            answer = unit.answer()
            self.assertEqual(answer.goal_id, 10 + i)
            self.assertEqual(answer.path[-1], (50 + i % 4, 30 + i // 4))
            self.assertLessEqual(answer.bound, answer.cost)
        self.client.order([replan.Agent(self.client, "arena", "u0"), units[1]],
                          [(5.5, 5.5), (6.5, 5.5)])
        self.assertEqual(units[0].answer().path[-1], (5, 5))
        self.assertEqual(units[1].answer().path[-1], (6, 5))
        with self.assertRaisesRegex(replan.ReplanError, "no agent with handle 99"):
            self.client.request(order=pb.Order(world="arena", handles=[99], x=[1], y=[1]))

    def test_a_watch_says_that_its_world_was_removed(self):
        scout = self.open_scout()
        read = iter(scout)
        self.assertEqual(next(read).agent, "scout")
        with self.assertRaisesRegex(replan.ReplanError, 'world "arena" was removed'):
            with self.client.watch("arena") as watch:
                self.client.remove_world("arena")
                while watch.next(PATIENCE_S) is not None:
                    pass
        with self.assertRaisesRegex(replan.ReplanError, 'world "arena" was removed'):
            while next(read):
                pass

    def test_watch_goes_on_beyond_its_first_credit(self):
        scout = self.open_scout()
        watch = self.client.watch("arena", ["scout"])
        for i in range(600):
            scout.goto((18.5, 1.5 + i % 2), goal_id=i + 1)
            while watch.next(PATIENCE_S).goal_id != i + 1:
                pass

    def test_pose_moves_the_start_of_the_path(self):
        scout = self.open_scout()
        scout.pose(5.5, 8.5)
        self.assertEqual(scout.answer().path[0], (5, 8))

    def test_policy_keeps_a_path_that_is_a_little_dearer_and_says_its_bound(self):
        scout = self.open_scout()
        self.assertEqual(scout.answer().cost, 17.0)  # or the change could come before its first path
        eager = self.client.open_agent("arena", "eager", start=(1.5, 4.5), goal=(18.5, 4.5),
                                       switch_gain_percent=0, min_interval_ms=0)
        self.client.set_cells("arena", [(9, 4)], 2)
        kept = scout.answer()
        self.assertEqual((kept.cost, kept.optimal), (18.0, False))
        best = eager.answer()
        self.assertTrue(best.optimal)
        self.assertAlmostEqual(kept.bound, best.cost)

    def test_lease_closes_a_forgotten_agent_and_a_watch_keeps_one(self):
        self.open_scout()
        self.client.create_world("moor", 20, 10, expect_every_ms=50)
        self.client.open_agent("moor", "scout", start=(1.5, 4.5), goal=(18.5, 4.5), lease_s=1)
        self.client.open_agent("arena", "kept", start=(1.5, 4.5), goal=(1.6, 4.6), lease_s=1)
        watch = self.client.watch("arena", ["kept"])
        self.assertEqual(watch.next(PATIENCE_S).outcome, "arrived")
        until = time.monotonic() + PATIENCE_S
        while any(world.world == "moor" and world.head.agents for world in self.client.worlds()):
            self.assertLess(time.monotonic(), until)
        with self.assertRaises(replan.ReplanError):
            replan.Agent(self.client, "moor", "scout").answer()
        kept = replan.Agent(self.client, "arena", "kept").answer()
        self.assertFalse(kept.stale_map)
        self.assertGreaterEqual(kept.map_age_ms, 1000)
        self.assertTrue([w for w in self.client.worlds() if w.world == "moor"][0].head.stale_map)

    def test_goals_may_be_waypoints_a_region_another_agent_or_as_near_as_can_be(self):
        scout = self.open_scout()
        scout.goto(replan.waypoints([(1.5, 4.5), (5.5, 4.5), (9.5, 4.5)]), goal_id=3)
        answer = scout.answer()
        self.assertEqual((answer.goal_id, answer.waypoint, answer.path[-1]), (3, 1, (5, 4)))
        scout.goto(replan.waypoints([(1.5, 4.5), (5.5, 4.5), (9.5, 4.5)], first=2), goal_id=4)
        answer = scout.answer()
        self.assertEqual((answer.goal_id, answer.waypoint, answer.path[-1]), (4, 2, (9, 4)))
        scout.goto(replan.region((12, 0), (15, 9)))
        self.assertEqual(scout.answer().path[-1][0], 12)
        scout.goto(replan.target("prey"), tolerance=2.1)
        self.assertEqual(scout.answer().outcome, "target_lost")
        prey = self.client.open_agent("arena", "prey", start=(9.5, 4.5), goal=(9.5, 4.5))
        self.assertEqual(scout.answer().cost, 6.0)
        prey.pose(11.5, 4.5)
        self.assertEqual(scout.answer().cost, 8.0)
        self.client.fill_rect("arena", 15, 0, 1, 10, 0)
        scout.goto((18.5, 4.5), nearest=True)
        answer = scout.answer()
        self.assertEqual((answer.outcome, answer.goal_distance), ("found", 4.0))
        scout.goto((18.5, 4.5))
        self.assertEqual(scout.answer().outcome, "no_path")

    def test_questions_are_answered_before_anybody_acts(self):
        scout = self.open_scout()
        self.assertEqual(scout.answer().outcome, "found")
        self.client.fill_rect("arena", 10, 0, 1, 9, 0, wait="settled")
        rows = self.client.costs("arena", [(1.5, 4.5), (10.5, 4.5)], [(3.5, 4.5), (1.5, 8.5)])
        self.assertEqual(rows, [[2.0, 4.0], [None, None]])
        gate = pb.Change(world="arena", cells=[9 * 20 + 10], values=b"\0")
        (before, after), pair = self.client.probe(gate, ["scout"], [((1.5, 4.5), (9.5, 4.5))])
        self.assertEqual((before, after), (scout.answer().cost, None))
        self.assertEqual(pair, (8.0, 8.0))
        field = scout.field(3)
        self.assertEqual((field.x, field.y, field.width, field.height), (0, 1, 5, 7))
        self.assertAlmostEqual(field.costs[3 * 5 + 1], before, places=4)
        self.assertTrue(scout.valid(scout.answer().path).legal)
        self.assertEqual(scout.valid([(8, 4), (9, 4), (10, 4), (11, 4)]).offending, [1, 2])
        for path, words in (([], "path is empty"),
                            ([(1, 4), (1, 4)], r"path\[1\] is \(1, 4\), no neighbour"),
                            ([(1, 4), (2, 4), (4, 4)], r"path\[2\] is \(4, 4\), no neighbour")):
            with self.assertRaisesRegex(replan.ReplanError, words):
                scout.valid(path)
        self.client.apply(gate, wait="settled")
        newest, older = scout.why()[:2]
        self.assertEqual((newest.outcome, newest.version - newest.sure_until), ("no_path", 1))
        self.assertEqual((older.outcome, older.reason), ("found", "invalid"))

    def test_a_path_over_the_edge_is_valid_where_the_world_wraps(self):
        for world, wraps in (("ring", True), ("strip", False)):
            self.client.create_world(world, 20, 10, wraps=wraps)
            scout = self.client.open_agent(world, "scout", start=(19.5, 0.5), goal=(0.5, 9.5))
            self.assertEqual(scout.valid([(19, 0), (0, 9)]).legal, wraps)
            self.assertTrue(scout.valid(scout.answer().path).legal)
        self.client.create_world("line", 1, 10)
        self.assertTrue(self.client.open_agent("line", "scout", start=(0.5, 0.5), goal=(0.5, 9.5))
                        .valid([(0, 0), (0, 1)]).legal)

    def test_an_agent_on_a_blocked_cell_is_told_the_way_to_its_path(self):
        own = replan.profile("own", like="costmap", inscribed=bytes([254]))
        self.client.create_world("costs", 10, 5, resolution=0.5, profile="costmap", profiles=[own],
                                 data=bytes([254] * 10 + [253] * 20 + [0] * 20))
        scout = self.client.open_agent("costs", "scout", start=(1.25, 0.75), goal=(4.25, 2.25))
        answer = scout.answer()
        self.assertEqual(answer.outcome, "found")
        self.assertEqual(answer.way, [(2, 1), (2, 2), (2, 3)])
        self.assertEqual(answer.path[0], (2, 3))
        self.assertEqual(answer.way_points, [(1.25, 0.75), (1.25, 1.25), (1.25, 1.75)])
        self.assertEqual(answer.way_points[-1], answer.points[0])
        self.assertEqual(answer.escape, 1.0)
        self.assertTrue(scout.valid(answer.path, answer.way).legal)
        wrong = scout.valid(answer.path, answer.way[:2])  # it does not lead to the path
        self.assertFalse(wrong.legal)
        self.assertEqual((wrong.offending, wrong.offending_way), ([], [1]))
        with self.assertRaisesRegex(replan.ReplanError, r"way\[1\] is \(5, 5\), no neighbour"):
            scout.valid(answer.path, [(2, 1), (5, 5)])
        with self.assertRaisesRegex(replan.ReplanError, "profile.inscribed has 9"):
            self.client.create_world("odd", 10, 5, profiles=[replan.profile("own", inscribed=b"\x09")])
        self.assertEqual(self.ctl("valid", "costs", "scout", "2", "3", "00", "--way", "2,1,22").stdout,
                         "legal true cost 2.000 offending of the way\n")
        done = self.ctl("valid", "costs", "scout", "2", "3", "00", "--way", "2,1,26", "--json")
        self.assertEqual(json.loads(done.stdout), {"kind": "valid", "legal": False, "cost": None,
                                                   "offending": [], "offending_way": [2]})
        for way, said in (("2,1", "--way is X,Y,STEPS"), ("2,1,28", "--way STEPS are at most 4096 digits of 0..7"),
                          ("2,x,2", "--way Y"), ("20,1,2", "cell (20, 1) is outside the world of 10 x 5")):
            done = self.ctl("valid", "costs", "scout", "2", "3", "00", "--way", way, code=2)
            self.assertIn(said, done.stderr)
        climber = self.client.open_agent("costs", "climber", start=(1.25, 0.25), goal=(4.25, 2.25),
                                         profile="own")
        self.assertEqual(climber.answer().way[0], (2, 0))
        self.assertEqual(scout.answer().message.way_start, 12)
        scout.pose(1.25, 1.75)
        self.assertEqual((scout.answer().way, scout.answer().way_points, scout.answer().escape), ([], [], 0.0))

    def test_on_a_ring_a_way_ends_where_the_path_begins(self):
        walls = bytearray(b"\x01" * 50)
        walls[0::10] = walls[8::10] = bytes(5)
        self.client.create_world("ring", 10, 5, wraps=True, data=walls)
        scout = self.client.open_agent("ring", "scout", start=(0.4, 2.5), goal=(9.5, 2.5))
        answer = scout.answer()
        self.assertEqual(answer.way, [(0, 2), (9, 2)])
        self.assertEqual(answer.way_points, [(10.5, 2.5), (9.5, 2.5)])

    def test_snapshot_holds_what_was_written(self):
        data = bytearray(b"\x01" * 300 * 400)  # larger than one chunk
        self.client.create_world("arena", 300, 400, data=data)
        rng = random.Random(3)
        for _ in range(50):
            x, y, byte = rng.randrange(300), rng.randrange(400), rng.randrange(200)
            self.client.set_cells("arena", [(x, y)], byte)
            data[y * 300 + x] = byte
        version, snapshot = self.client.snapshot("arena")
        self.assertEqual(snapshot, bytes(data))
        self.assertEqual(version, self.client.worlds()[0].head.version)

    def test_refusal_is_an_error_with_a_sentence(self):
        with self.assertRaises(replan.ReplanError) as caught:
            self.client.fill_rect("nowhere", 0, 0, 1, 1, 0)
        self.assertEqual(caught.exception.status, "UNKNOWN")
        self.assertIn("nowhere", caught.exception.sentence)

    def test_no_daemon_is_an_error(self):
        with self.assertRaises(replan.NoDaemon):
            replan.Client("tcp://127.0.0.1:1")

    def test_lost_daemon_ends_a_watch(self):
        self.open_scout()
        watch = self.client.watch("arena", resume=False)
        watch.next(PATIENCE_S)
        self.daemon.stop()
        with self.assertRaises(replan.NoDaemon):
            watch.next(PATIENCE_S)
        with self.assertRaises(replan.NoDaemon):
            watch.next(PATIENCE_S)

    def test_published_path_is_parsed(self):
        socket = zmq.Context.instance().socket(zmq.SUB)
        self.addCleanup(socket.close, 0)
        socket.subscribe("path/arena/")
        socket.connect(self.daemon.paths)
        scout = self.open_scout()
        goal_id, until = 0, time.monotonic() + PATIENCE_S
        while not socket.poll(50) and time.monotonic() < until:  # the subscription may still be on its way
            goal_id += 1
            scout.goto((18.5, 1.5 + goal_id % 2), goal_id=goal_id)
            scout.answer()
        topic, body = socket.recv_multipart(zmq.NOBLOCK)
        self.assertEqual(topic, b"path/arena/scout/")
        self.assertEqual(replan.Answer.parse(body).outcome, "found")


class Programs(WithDaemon):
    def test_python_example_finds_a_path_around_the_wall(self):
        done = self.run_program(os.path.join(PYTHON, "first_path.py"), self.daemon.control)
        self.assertIn("found (request) at version 1, cost 13.00", done.stdout)
        self.assertIn("at version 2, cost 15.49", done.stdout)
        self.assertEqual(self.client.worlds(), [])

    def test_robot_example_gives_way_and_arrives(self):
        done = self.run_program(os.path.join(PYTHON, "costmap_robot.py"), self.daemon.control)
        lines = done.stdout.splitlines()
        self.assertIn("found (first), 10.15 m to go", lines[0])
        self.assertIn("found (invalid)", lines[1])
        self.assertIn("arrived", lines[-1])
        self.assertEqual(self.client.worlds(), [])

    def test_javascript_example_finds_a_path_around_the_wall(self):
        folder = os.environ.get("REPLAN_JS", "")  # in which `npm install zeromq protobufjs` was run
        if not os.path.isdir(os.path.join(folder, "node_modules", "zeromq")):
            self.skipTest("REPLAN_JS names no folder with the packages")
        here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        words = [os.path.join(here, *path.split("/")) for path in
                 ("clients/js/examples/first_path.mjs", "msgs/replan.proto")]
        done = subprocess.run(["node", *words, self.daemon.control], cwd=folder, capture_output=True, text=True,
                              timeout=PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        first, second = done.stdout.splitlines()
        self.assertIn("version 1: found, cost 13.00", first)
        self.assertIn("version 2: found, cost 15.49", second)
        done = subprocess.run(["node", *words, "tcp://127.0.0.1:1"], cwd=folder, capture_output=True, text=True,
                              timeout=PATIENCE_S)
        self.assertIn("no daemon answers at tcp://127.0.0.1:1", done.stderr)

    def test_python_without_what_the_package_needs_is_told(self):
        script = f"import sys; sys.modules['zmq'] = None; sys.path.insert(0, {PYTHON!r}); import replan"
        done = self.run_program("/usr/bin/python3", "-c", script, code=1)
        self.assertIn("replan needs zmq and protobuf, and /usr/bin/python3 has no zmq", done.stderr)

    def test_c_example_finds_a_path_around_the_wall(self):
        done = self.run_program(os.path.join(BUILD, "examples", "first_path"), self.daemon.control)
        first, second = done.stdout.splitlines()
        self.assertIn("version 1: found, cost 13.00", first)
        self.assertIn("version 2: found, cost 15.49", second)
        self.assertTrue(first.endswith("(free)") and second.endswith("(free)"))

    def test_a_map_file_makes_the_world_that_its_topic_makes(self):
        occupancies = list(range(-1, 101))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "all.yaml")
            with open(path, "w") as file:
                file.write("image: all.pgm\nmode: raw\nresolution: 0.05\norigin: [-1.5, 2, 0.25]\nnegate: 0\n"
                           "occupied_thresh: 0.65\nfree_thresh: 0.196\n")
            with open(os.path.join(folder, "all.pgm"), "wb") as file:
                file.write(b"P5 34 3 255\n" + bytes(value & 255 for y in (2, 1, 0) for value in
                                                    occupancies[34 * y:34 * y + 34]))
            read = replan.read_map(path)
            self.assertEqual(read, replan.Map(34, 3, replan.occupancy(occupancies), "costmap", 0.05, (-1.5, 2.0, 0.25)))
            self.client.create_world_from_map("all", path)
            self.client.create_world_from_map("mine", path, profile="factor", origin=(0, 0, 0), neighbors=4)
            self.assertEqual(self.client.snapshot("all")[-1], read.data)
            frames = {world.world: world.geometry for world in self.client.worlds()}
            self.assertEqual((frames["all"].resolution, frames["all"].origin_x, frames["all"].origin_yaw),
                             (0.05, -1.5, 0.25))
            self.assertEqual((frames["mine"].resolution, frames["mine"].origin_x), (0.05, 0.0))
            with open(path, "a") as file:
                file.write("mode: raw\n")
            with self.assertRaisesRegex(replan.ReplanError, "all.yaml:8: a second mode, the first is on line 2") as caught:
                replan.read_map(path)
            self.assertEqual(caught.exception.status, "INVALID")

    def test_ctl_opens_square_bodies(self):
        self.ctl("create", "yard", "--size", "9x4")
        self.ctl("set", "yard", "4", "0", "1", "4", "0")
        self.ctl("set", "yard", "4", "1", "1", "1", "1")  # a door one cell wide
        for cells, outcome in (("1", "found"), ("2", "no_path")):
            self.ctl("open", "yard", "by" + cells, "1.5", "1.5", "6.5", "1.5", "--cells", cells)
            self.ctl("set", "yard", "0", "3", "1", "1", "2", "--wait", "settled")
            self.assertEqual(json.loads(self.ctl("--json", "answer", "yard", "by" + cells).stdout)["outcome"], outcome)
        for words, sentence in ((("--cells", "65"), "body.cells is 65, at most 64"), (("--cells", "-1"), "--cells"),
                                (("--cells", "2", "--radius", "1"), "body.radius_m and body.inflation_radius_m must be 0")):
            self.assertIn(sentence, self.ctl("open", "yard", "no", "1", "1", *words, code=2).stderr)

    def test_ctl_lays_shapes_and_moves_the_window(self):
        self.ctl("create", "hall", "--size", "20x10", "--resolution", "0.5", "--origin", "-2,-1,0",
                 "--profile", "costmap")
        self.ctl("open", "hall", "scout", "-1", "0", "6", "2", "--radius", "0.4", "--inflation", "0.5,1,5")
        free = json.loads(self.ctl("--json", "answer", "hall", "scout").stdout)["cost"]
        wall = ("1", "-1", "2", "-1", "2", "4", "1", "4")
        done = self.ctl("--json", "polygon", "hall", "7", "254", *wall, "--wait", "settled")
        self.assertEqual(json.loads(done.stdout)["changed_agents"], ["scout"])
        *said, cut = map(json.loads, self.ctl("--json", "why", "hall", "scout").stdout.splitlines())
        self.assertEqual([line["outcome"] for line in said], ["no_path", "found"])
        self.assertEqual([cut[name] for name in ("kind", "version", "x", "y", "width", "height")],
                         ["cut", 2, 6, 0, 2, 10])
        self.assertIn("cut by version 2", self.ctl("why", "hall", "scout").stdout)
        self.ctl("lift", "hall", "7", "--wait", "settled")
        self.assertEqual(json.loads(self.ctl("--json", "answer", "hall", "scout").stdout)["cost"], free)
        self.ctl("disc", "hall", "3", "2", "1", "0.4", "254", "--ttl", "60000", "--wait", "settled")
        self.assertGreater(json.loads(self.ctl("--json", "answer", "hall", "scout").stdout)["cost"], free)
        self.ctl("lift", "hall")
        self.ctl("resize", "hall", "-2", "-2", "30", "20", "--fill", "254")
        self.assertEqual(json.loads(self.ctl("--json", "worlds").stdout)["width"], 30)
        self.ctl("resize", "hall", "25", "20", "--origin", "-1.3,0.4", "--fill", "254")
        world = json.loads(self.ctl("--json", "worlds").stdout)
        self.assertEqual((world["width"], world["window"]), (25, 3))
        self.assertEqual(self.client.worlds()[0].geometry.origin_x, -1.3)
        for words, sentence in ((("create", "x", "--size", "2x2", "--origin", "1"), "X,Y or X,Y,YAW"),
                                (("open", "hall", "y", "1", "1", "--inflation", "1,2"),
                                 "INSCRIBED,RADIUS,SCALING"),
                                (("polygon", "hall", "1", "0", "1", "1", "2", "2", "3", "3", "4"),
                                 "a corner is X and Y"),
                                (("disc", "hall", "1", "0", "1", "-1", "254"), "overlay.radii_m has -1"),
                                (("lift", "hall", "seven"), "ID"),
                                (("resize", "hall", "-x", "0", "5", "5"), "X"),
                                (("resize", "hall", "5", "5"), "needs X Y W H, or --origin"),
                                (("resize", "hall", "1", "1", "5", "5", "--origin", "1,2"), "and W H"),
                                (("resize", "hall", "5", "5", "--origin", "1,2,3"), "origin_yaw is 3")):
            self.assertIn(sentence, self.ctl(*words, code=2).stderr)

    def test_ctl_drives_an_agent(self):
        self.ctl("create", "arena", "--size", "20x10", "--neighbors", "4", "--expect-every", "9999")
        self.ctl("open", "arena", "prey", "9.5", "4.5")  # without a goal: it is gone after
        self.ctl("open", "arena", "hound", "1.5", "4.5", "--target", "prey")
        self.assertIn("found", self.ctl("answer", "arena", "hound").stdout)
        self.ctl("open", "arena", "lost", "1.5", "4.5", "--region", code=2)
        self.ctl("close", "arena", "hound")
        self.ctl("close", "arena", "prey")
        self.ctl("open", "arena", "scout", "1.5", "4.5", "18.5", "4.5")
        self.assertEqual(json.loads(self.ctl("--json", "answer", "arena", "scout").stdout)["cost"], 17)
        self.ctl("open", "arena", "eager", "1.5", "4.5", "18.5", "4.5", "--gain", "0", "--interval",
                 "0", "--max-age", "500", "--follow", "0.5", "--lease", "9", "--within", "50", "--immediate")
        self.ctl("open", "arena", "odd", "1.5", "4.5", "18.5", "4.5", "--gain", "101", code=2)
        self.ctl("close", "arena", "eager")
        applied = self.ctl("set", "arena", "10", "0", "1", "9", "0", "--wait", "settled", "--json")
        self.assertEqual(json.loads(applied.stdout)["changed_agents"], ["scout"])
        self.ctl("goal", "arena", "scout", "--target", "nobody", "--tolerance", "1")
        answer = json.loads(self.ctl("answer", "arena", "scout", "--json").stdout)
        self.assertEqual(answer["outcome"], "target_lost")
        self.ctl("goal", "arena", "scout", "2.5", "4.5", "5.5", "4.5", "--waypoints", "--nearest")
        self.ctl("goal", "arena", "scout", "2.5", "4.5", "--region", code=2)
        self.ctl("order", "arena", "3.5", "4.5", "scout")
        self.ctl("order", "arena", "3.5", "4.5", "nobody", code=2)
        self.ctl("pose", "arena", "scout", "2.5", "4.5", "-0.5")
        answer = json.loads(self.ctl("answer", "arena", "scout", "--json").stdout)
        self.assertEqual(answer["path"], [[2, 4], [3, 4]])
        rows = self.ctl("snapshot", "arena").stdout.splitlines()[1:]
        self.assertEqual([row.split()[10] for row in rows], ["0"] * 9 + ["1"])
        self.assertEqual(json.loads(self.ctl("worlds", "--json").stdout)["agents"], 1)
        self.assertGreaterEqual(json.loads(self.ctl("stats", "--json").stdout)["changes.applied"], 1)
        self.ctl("close", "arena", "scout")
        self.ctl("remove", "arena")
        self.assertEqual(self.ctl("worlds").stdout, "")

    def test_ctl_asks(self):
        self.ctl("create", "arena", "--size", "20x10")
        self.ctl("open", "arena", "scout", "1.5", "4.5", "18.5", "4.5")
        costs = self.ctl("costs", "arena", "1.5", "4.5", "4.5", "4.5", "--json")
        self.assertEqual(json.loads(costs.stdout)["costs"], [[0, 3], [3, 0]])
        probe = self.ctl("probe", "arena", "10", "0", "1", "10", "0", "scout", "--json")
        self.assertEqual(json.loads(probe.stdout),
                         {"kind": "probe", "agent": "scout", "before": 17, "after": None})
        self.assertEqual(self.ctl("probe", "arena", "10", "0", "1", "10", "0", "scout").stdout,
                         "scout before 17.000 after none\n")
        self.assertEqual(self.ctl("field", "arena", "scout", "1").stdout.splitlines()[1], ">>>")
        self.assertEqual(self.ctl("valid", "arena", "scout", "1", "4", "44").stdout,
                         "legal false cost none offending 1\n")
        self.ctl("valid", "arena", "scout", "1", "4", "48", code=2)
        done = self.ctl("valid", "arena", "scout", "20", "0", "0", code=2)
        self.assertIn("cell (20, 0) is outside the world of 20 x 10", done.stderr)
        why = json.loads(self.ctl("why", "arena", "scout", "--json").stdout)
        self.assertEqual((why["outcome"], why["reason"]), ("found", "first"))
        done = self.ctl("field", "arena", "scout", "65", code=2)
        self.assertIn("ask_field.reach is 65, at most 64", done.stderr)

    def test_ctl_refuses_with_the_daemons_sentence(self):
        done = self.ctl("answer", "nowhere", "scout", code=2)
        self.assertIn('there is no world "nowhere"', done.stderr)
        self.ctl("set", "arena", "1", code=2)
        done = self.ctl("pose", "arena", "scout", "1", "up", code=2)
        self.assertIn('Y "up" is not a number', done.stderr)
        self.ctl("worlds", "--planner", "astar", code=2)
        self.ctl("create", "arena", "--size", "20by10", code=2)

    def test_ctl_takes_its_options_in_three_ways(self):
        program, control = os.path.join(BIN, "replan"), self.daemon.control
        self.run_program(program, "ctl", f"--control={control}", "create", "hall", "--size=4x3", "--resolution=0.5")
        for words in (("ctl", "-c", control, "worlds"), ("ctl", "worlds", "--control", control)):
            self.assertIn("hall", self.run_program(program, *words).stdout)
        self.run_program(program, "ctl", "-c", control, "open", "hall", "scout", "0.25", "0.25", "1.75", "1.25")
        self.assertIn("scout", self.run_program(program, "watch", "-c", control, "--count", "1", "hall").stdout)

    def test_daemon_hears_of_publishers_that_bind(self):
        publishers = [self.client._context.socket(zmq.PUB) for _ in range(2)]
        endpoints = []
        for publisher in publishers:
            self.addCleanup(publisher.close)
            publisher.bind("tcp://127.0.0.1:*")
            endpoints.append(publisher.getsockopt_string(zmq.LAST_ENDPOINT).rstrip("\0"))
        flags = ("--changes-from", endpoints[0], "--poses-from", endpoints[1])
        daemon = Daemon(os.path.join(BIN, "repland"), *flags)
        self.addCleanup(daemon.stop)
        client = replan.Client(daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(client.close)
        client.create_world("arena", 20, 10)
        scout = client.open_agent("arena", "scout", start=(1.5, 4.5), goal=(18.5, 4.5))
        wall = pb.Change(world="arena", x=10, y=0, width=1, height=9, fill=0).SerializeToString()
        pose = pb.Pose(world="arena", agent="scout", x=3.5, y=4.5).SerializeToString()
        deadline = time.monotonic() + PATIENCE_S
        while client.worlds()[0].head.version == 1 or scout.answer().path[0] != (3, 4):
            self.assertLess(time.monotonic(), deadline)
            publishers[0].send_multipart([b"change/arena/", wall])
            publishers[1].send_multipart([b"pose/arena/scout/", pose])

    def test_tools_say_that_there_is_no_daemon(self):
        replan_program = os.path.join(BIN, "replan")
        nobody = ("--control", "tcp://127.0.0.1:1")
        self.run_program(replan_program, "ctl", *nobody, "worlds", code=4)
        self.run_program(replan_program, "watch", *nobody, "arena", code=4)

    def test_watch_mirrors_a_world_through_churn(self):
        self.client.create_world("arena", 300, 400)
        self.client.open_agent("arena", "scout", start=(1.5, 1.5), goal=(290.5, 390.5))
        command = (os.path.join(BIN, "replan"), "watch", "--control", self.daemon.control, "--map",
                   "--json", "arena")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watch:
            self.addCleanup(watch.kill)
            rng = random.Random(4)
            for _ in range(300):
                cells = [(rng.randrange(300), rng.randrange(400)) for _ in range(20)]
                newest = self.client.set_cells("arena", cells, rng.randbytes(20)).version
                self.client.fill_rect("arena", rng.randrange(280), rng.randrange(380), 20, 20, 1)
            newest = self.client.worlds()[0].head.version
            compared = 0
            for line in watch.stdout:
                news = json.loads(line)
                if news["kind"] == "head" and news["same"]:
                    compared += 1
                    if news["version"] == newest:
                        break
            self.assertEqual(newest, 601)
            self.assertGreater(compared, 0)
            self.daemon.stop()
            self.assertEqual(watch.wait(PATIENCE_S), 4)


if __name__ == "__main__":
    unittest.main(verbosity=1)
