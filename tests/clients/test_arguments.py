#!/usr/bin/python3
"""Wrong arguments of the Python client: each is refused as ReplanError that names it, and nothing happens.

usage: test_arguments.py BUILD_DIRECTORY
"""

import asyncio
import inspect
import os
import sys
import unittest

BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.abspath("build/release")
BIN, PYTHON = os.path.join(BUILD, "bin"), os.path.join(BUILD, "python")
if not os.path.exists(os.path.join(BIN, "repland")):
    print("skipped: there is no", os.path.join(BIN, "repland"))
    sys.exit(77)
sys.path.insert(0, PYTHON)

import array  # noqa: E402
import replan  # noqa: E402
from replan import replan_pb2 as pb  # noqa: E402
from daemon import PATIENCE_S, Daemon  # noqa: E402

NAN, INF, LONE, HUGE = float("nan"), float("inf"), "a\ud800b", 10**400
HERE, THERE = (1.5, 1.5), (8.5, 8.5)

# What the sentence says, the call, its arguments.
WORLDS = (
    (r"path is 5.5, it must be the name of a file", "create_world_from_map", ("b", 5.5), {}),
    (r"path is None", "create_world_from_map", ("b", None), {}),
    (r"path is .*, it must be without a byte 0", "create_world_from_map", ("b", "a\0b"), {}),
    (r"gone.yaml: cannot be opened: No such file", "create_world_from_map", ("b", "gone.yaml"), {}),
    (r"create_world.world is 5, it must be a string", "create_world", (5, 4, 4), {}),
    (r"create_world.world is None", "create_world", (None, 4, 4), {}),
    (r"create_world has data and fill", "create_world", ("b", 2, 1), {"data": b"ab", "fill": 0}),
    (r"create_world.world is 'a\\ud800b', .* without lone surrogates", "create_world", (LONE, 4, 4), {}),
    (r"world is empty, a name has 1 to 32", "create_world", ("", 4, 4), {}),
    (r"world has the byte 0x20 at 1", "create_world", ("b c", 4, 4), {}),
    (r"create_world.world is longer than 32 characters", "create_world", ("x" * 33, 4, 4), {}),
    (r"geometry.width is -4, it must be a whole number within 0 and 4294967295", "create_world", ("b", -4, 4), {}),
    (r"geometry.width is 1.5", "create_world", ("b", 1.5, 4), {}),
    (r"geometry.width is True", "create_world", ("b", True, 4), {}),
    (r"geometry.height is None", "create_world", ("b", 4, None), {}),
    (r"geometry.height is '4'", "create_world", ("b", 4, "4"), {}),
    (r"geometry.height is 16385, it must be 1 to 16384", "create_world", ("b", 4, 16385), {}),
    (r"geometry.resolution is nan, it must be a finite number", "create_world", ("b", 4, 4), {"resolution": NAN}),
    (r"geometry.resolution is -1", "create_world", ("b", 4, 4), {"resolution": -1.0}),
    (r"geometry.resolution is '1'", "create_world", ("b", 4, 4), {"resolution": "1"}),
    (r"geometry.resolution is 1000", "create_world", ("b", 4, 4), {"resolution": HUGE}),
    (r"origin is \(0, 0\), it must be \(x, y, yaw\)", "create_world", ("b", 4, 4), {"origin": (0, 0)}),
    (r"origin is None", "create_world", ("b", 4, 4), {"origin": None}),
    (r"origin\[2\] is inf", "create_world", ("b", 4, 4), {"origin": (0, 0, INF)}),
    (r"neighbors is 6", "create_world", ("b", 4, 4), {"neighbors": 6}),
    (r"create_world.neighbors is None", "create_world", ("b", 4, 4), {"neighbors": None}),
    (r"create_world.wraps is 'no', it must be True or False", "create_world", ("b", 4, 4), {"wraps": "no"}),
    (r"create_world.profile is None", "create_world", ("b", 4, 4), {"profile": None}),
    (r"create_world.profile must be", "create_world", ("b", 4, 4), {"profile": "lava"}),
    (r"create_world.profiles is 5, it must be a list", "create_world", ("b", 4, 4), {"profiles": 5}),
    (r"create_world.profiles\[0\] is 'nav2', it must be a replan.v1.Profile or a dict", "create_world", ("b", 4, 4), {"profiles": ["nav2"]}),
    (r"create_world.data is 16, it must be bytes", "create_world", ("b", 4, 4), {"data": 16}),
    (r"data has 15 bytes", "create_world", ("b", 4, 4), {"data": bytes(15)}),
    (r"create_world.data is \[0, 256\], it must be bytes, each within 0 and 255", "create_world", ("b", 1, 2),
     {"data": [0, 256]}),
    (r"create_world.data is array", "create_world", ("b", 2, 1), {"data": array.array("d", [1, 2])}),
    (r"fill is -1, it must be a whole number within 0 and 255", "create_world", ("b", 4, 4), {"fill": -1}),
    (r"fill is 256, it must be a whole number within 0 and 255", "create_world", ("b", 4, 4), {"fill": 256}),
    (r"create_world.expect_every_ms is 1.5", "create_world", ("b", 4, 4), {"expect_every_ms": 1.5}),
    (r"progress is 5, it must be a function", "create_world", ("b", 4, 4), {"progress": 5}),
    (r"progress is 'x'", "resize", ("a", 0, 0, 4, 4), {"progress": "x"}),
    (r"resize.x is 2147483648, it must be a whole number within -2147483648 and", "resize", ("a", 2**31, 0, 4, 4), {}),
    (r"resize.width is nan", "resize", ("a", 0, 0, NAN, 4), {}),
    (r"fill is 2.0", "resize", ("a", 0, 0, 4, 4), {"fill": 2.0}),
    (r"resize.world is b'a'", "resize", (b"a", 0, 0, 4, 4), {}),
    (r"remove_world.world is None", "remove_world", (None,), {}),
    (r"watch.world is 3", "snapshot", (3,), {}),
)
CHANGES = (
    (r"change.x is -2, it must be a whole number within 0 and 4294967295", "write_rect", ("a", -2, 0, 1, 1, b"1"), {}),
    (r"change.x is -1", "fill_rect", ("a", -1, 0, 1, 1, 0), {}),
    (r"change.y is 4294967296", "write_rect", ("a", 0, 2**32, 1, 1, b"1"), {}),
    (r"change.width is 0.5", "write_rect", ("a", 0, 0, 0.5, 1, b"1"), {}),
    (r"change.height is None", "write_rect", ("a", 0, 0, 1, None, b"1"), {}),
    (r"change: the rectangle 2 x 1 at \(9, 0\) reaches outside", "write_rect", ("a", 9, 0, 2, 1, b"12"), {}),
    (r"data is None, it must be bytes", "write_rect", ("a", 0, 0, 1, 1, None), {}),
    (r"data is 'a', it must be bytes", "write_rect", ("a", 0, 0, 1, 1, "a"), {}),
    (r"data is 1, it must be bytes", "write_rect", ("a", 0, 0, 1, 1, 1), {}),
    (r"data has 2 bytes", "write_rect", ("a", 0, 0, 1, 1, b"12"), {}),
    (r"change.world is None", "write_rect", (None, 0, 0, 1, 1, b"1"), {}),
    (r"change.world is .*surrogates", "write_rect", (LONE, 0, 0, 1, 1, b"1"), {}),
    (r"wait is \"None\"", "write_rect", ("a", 0, 0, 1, 1, b"1"), {"wait": None}),
    (r"byte is 256, it must be a whole number within 0 and 255", "fill_rect", ("a", 0, 0, 1, 1, 256), {}),
    (r"byte is None", "fill_rect", ("a", 0, 0, 1, 1, None), {}),
    (r"change.world is \[\], it must be a string", "set_cells", ([], [(0, 0)], 0), {}),
    (r"change.world is {}", "set_cells", ({}, [(0, 0)], 0), {}),
    (r"cells is 5, it must be a list", "set_cells", ("a", 5, 0), {}),
    (r"cells\[1\] is \(1,\), it must be a cell \(x, y\)", "set_cells", ("a", [(0, 0), (1,)], 0), {}),
    (r"cells\[0\] is 0.5", "set_cells", ("a", [(0.5, 0)], 0), {}),
    (r"byte is -1", "set_cells", ("a", [(0, 0)], -1), {}),
    (r"byte is None", "set_cells", ("a", [(0, 0)], None), {}),
    (r"change.values has 3 bytes for 1 change.cells", "set_cells", ("a", [(0, 0)], b"123"), {}),
    (r"overlay.ids\[0\] is -1", "put_disc", ("a", -1, 1, 1, 1, 0), {}),
    (r"overlay.ids\[0\] is 4294967296", "put_disc", ("a", 2**32, 1, 1, 1, 0), {}),
    (r"overlay.x\[0\] is nan", "put_disc", ("a", 1, NAN, 1, 1, 0), {}),
    (r"overlay.radii_m\[0\] is None", "put_disc", ("a", 1, 1, 1, None, 0), {}),
    (r"overlay.radii_m has -1, it must lie within 0 and", "put_disc", ("a", 1, 1, 1, -1.0, 0), {}),
    (r"byte is 'x'", "put_disc", ("a", 1, 1, 1, 1, "x"), {}),
    (r"ttl_s is -1, it must be a finite number within 0 and", "put_disc", ("a", 1, 1, 1, 1, 0), {"ttl_s": -1}),
    (r"ttl_s is nan", "put_disc", ("a", 1, 1, 1, 1, 0), {"ttl_s": NAN}),
    (r"points\[2\] is \(1,\), it must be \(x, y\) in metres", "put_polygon", ("a", 1, [(0, 0), (1, 0), (1,)], 0), {}),
    (r"points\[1\]\[0\] is 'a'", "put_polygon", ("a", 1, [(0, 0), ("a", 0), (1, 1)], 0), {}),
    (r"overlay.corners has 2, it must be 1 for a disc or 3 to 64", "put_polygon", ("a", 1, [(0, 0), (1, 0)], 0), {}),
    (r"overlay.corners has 65", "put_polygon", ("a", 1, [(i, i) for i in range(65)], 0), {}),
    (r"overlay.removed is 5, it must be a list", "remove_shapes", ("a", 5), {}),
    (r"overlay.removed\[0\] is 'x'", "remove_shapes", ("a", ["x"]), {}),
    (r"shapes is None, it must be a replan.v1.Overlay or a dict", "overlay", (None,), {}),
    (r"overlay.form is no field of replan.v1.Overlay, which has world, ids", "overlay", ({"form": 1},), {}),
    (r"apply.change is b'', it must be a replan.v1.Change or a dict", "apply", (b"",), {}),
    (r"change.x is -1", "apply", ({"world": "a", "x": -1},), {}),
)
AGENTS = (
    (r"start is \(1,\), it must be \(x, y\) or \(x, y, yaw\)", "open_agent", ("a", "n", (1,), THERE), {}),
    (r"start is None", "open_agent", ("a", "n", None, THERE), {}),
    (r"start is '12'", "open_agent", ("a", "n", "12", THERE), {}),
    (r"start\[1\] is nan", "open_agent", ("a", "n", (1, NAN), THERE), {}),
    (r"start is \(1, 2, 3, 4\)", "open_agent", ("a", "n", (1, 2, 3, 4), THERE), {}),
    (r"goal is \(1, 2, 3\), it must be \(x, y\), a list", "open_agent", ("a", "n", HERE, (1, 2, 3)), {}),
    (r"goal is None", "open_agent", ("a", "n", HERE, None), {}),
    (r"goal\[1\] is 7", "open_agent", ("a", "n", HERE, [(1, 1), 7]), {}),
    (r"goal.x has 0 entries", "open_agent", ("a", "n", HERE, []), {}),
    (r"agent is .*surrogates", "open_agent", ("a", LONE, HERE, THERE), {}),
    (r"open_agent.agent is 7", "open_agent", ("a", 7, HERE, THERE), {}),
    (r"open_agent.planner is None", "open_agent", ("a", "n", HERE, THERE), {"planner": None}),
    (r"there is no planner \"warp\"", "open_agent", ("a", "n", HERE, THERE), {"planner": "warp"}),
    (r"body.radius_m is None", "open_agent", ("a", "n", HERE, THERE), {"radius": None}),
    (r"body.radius_m is -1", "open_agent", ("a", "n", HERE, THERE), {"radius": -1}),
    (r"body.profile is 5", "open_agent", ("a", "n", HERE, THERE), {"profile": 5}),
    (r"goal.tolerance_m is inf", "open_agent", ("a", "n", HERE, THERE), {"tolerance": INF}),
    (r"goal.nearest is 'far'", "open_agent", ("a", "n", HERE, THERE), {"nearest": "far"}),
    (r"open_agent.bends is None", "open_agent", ("a", "n", HERE, THERE), {"bends": None}),
    (r"policy.patience is no field of replan.v1.Policy, which has .*switch_gain_percent", "open_agent", ("a", "n", HERE, THERE),
     {"patience": 1}),
    (r"policy.lease_s is 1.5", "open_agent", ("a", "n", HERE, THERE), {"lease_s": 1.5}),
    (r"policy.switch_gain_percent is 101, at most 100", "open_agent", ("a", "n", HERE, THERE), {"switch_gain_percent": 101}),
    (r"world is 5", "agent", (5, "n"), {}),
    (r"agent is None", "agent", ("a", None), {}),
    (r"agents is 5", "order", (5, THERE), {}),
    (r"agents\[0\] is 'scout', it must be an Agent", "order", (["scout"], THERE), {}),
)
QUESTIONS = (
    (r"sources\[0\] is \(1, 2, 3\)", "costs", ("a", [(1, 2, 3)], [THERE]), {}),
    (r"targets is None, it must be a list", "costs", ("a", [HERE], None), {}),
    (r"targets\[0\]\[1\] is nan", "costs", ("a", [HERE], [(1, NAN)]), {}),
    (r"ask_costs.world is 1", "costs", (1, [HERE], [THERE]), {}),
    (r"ask_probe.change is missing", "probe", (None, "scout"), {}),
    (r"agents\[0\] is 7", "probe", ({"world": "a", "fill": 0}, [7]), {}),
    (r"pairs\[0\] has 1 points, it must have 2", "probe", ({"world": "a", "fill": 0}, (), [(HERE,)]), {}),
    (r"pairs\[0\]\[1\] is 5", "probe", ({"world": "a", "fill": 0}, (), [(HERE, 5)]), {}),
    (r"agents is 5, it must be a list", "watch", ("a", 5), {}),
    (r"agents\[0\] is .*surrogates", "watch", ("a", [LONE]), {}),
    (r"watch.splices is 'yes'", "watch", ("a",), {"splices": "yes"}),
    (r"timeout_s is '1'", "request", (), {"timeout_s": "1", "get_stats": pb.GetStats()}),
    (r"timeout_s is 3601, it must be a finite number within 0 and 3600", "request", (),
     {"timeout_s": 3601, "get_stats": pb.GetStats()}),
    (r"request.get_weather is no field of replan.v1.Request", "request", (), {"get_weather": {}}),
    (r"request.get_answer is 5, it must be a replan.v1.GetAnswer or a dict", "request", (), {"get_answer": 5}),
    (r"get_answer.agent is None", "request", (), {"get_answer": {"world": "a", "agent": None}}),
)
OF_AN_AGENT = (
    (r"goal is 5", "goto", (5,), {}),
    (r"goal.goal_id is -1, it must be a whole number within 0 and 18446744073709551615", "goto", (THERE,), {"goal_id": -1}),
    (r"goal.tolerance_m is None", "goto", (THERE,), {"tolerance": None}),
    (r"pose.x is None", "pose", (None, 1), {}),
    (r"pose.y is nan", "pose", (1, NAN), {}),
    (r"pose.yaw is 'north'", "pose", (1, 1, "north"), {}),
    (r"pose.pose_seq is 1.5", "pose", (1, 1), {"pose_seq": 1.5}),
    (r"ask_field.reach is -1", "field", (-1,), {}),
    (r"reach.* 64", "field", (65,), {}),
    (r"path is 5", "valid", (5,), {}),
    (r"path is empty", "valid", ([],), {}),
    (r"path\[1\] is \(2,\)", "valid", ([(1, 1), (2,)],), {}),
    (r"path\[0\] is 1.5", "valid", ([(1.5, 1)],), {}),
)
FUNCTIONS = (
    (r"points\[0\] is 1", "waypoints", ([1, 2],), {}),
    (r"goal.first_waypoint is -1", "waypoints", ([HERE],), {"first": -1}),
    (r"corner is 5", "region", (5, THERE), {}),
    (r"opposite\[0\] is nan", "region", (HERE, (NAN, 1)), {}),
    (r"goal.target is None", "target", (None,), {}),
    (r"profile.name is 5", "profile", (5,), {}),
    (r"profile.like is None", "profile", ("p",), {"like": None}),
    (r"factors is 'abc'", "profile", ("p", "abc"), {}),
    (r"profile.unit is -1", "profile", ("p", bytes(256), -1), {}),
    (r"unknown is 'maybe', it must be \"free\", \"blocked\" or a factor", "profile", ("p",), {"unknown": "maybe"}),
    (r"unknown is 0, it must be a whole number within 1 and 255", "profile", ("p",), {"unknown": 0}),
    (r"control is 7403", "Client", (7403,), {}),
    (r"control is .*surrogates", "Client", ("tcp://" + LONE,), {}),
    (r"timeout_s is -1", "Client", ("tcp://127.0.0.1:1", -1), {}),
    (r"timeout_s is None", "Client", ("tcp://127.0.0.1:1", None), {}),
)


class Arguments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(os.path.join(BIN, "repland"))
        cls.addClassCleanup(cls.daemon.stop)
        cls.client = replan.Client(cls.daemon.control, timeout_s=PATIENCE_S)
        cls.addClassCleanup(cls.client.close)
        cls.client.create_world("a", 10, 10)
        cls.scout = cls.client.open_agent("a", "scout", HERE, THERE)

    def check(self, of, table):
        for sentence, call, positional, named in table:
            with self.subTest(call=call, positional=repr(positional), named=named):
                with self.assertRaisesRegex(replan.ReplanError, sentence):
                    getattr(of, call)(*positional, **named)
        worlds = self.client.worlds()
        self.assertEqual([world.world for world in worlds], ["a"])
        self.assertEqual(worlds[0].head.version, 1)
        self.assertEqual(self.scout.answer().goal_id, 0)
        self.assertEqual(len(self.scout.why()), 1)

    def test_worlds(self):
        self.check(self.client, WORLDS)

    def test_changes_and_shapes(self):
        self.check(self.client, CHANGES)

    def test_agents(self):
        self.check(self.client, AGENTS)

    def test_questions_and_watches(self):
        self.check(self.client, QUESTIONS)

    def test_of_an_agent(self):
        self.check(self.scout, OF_AN_AGENT)

    def test_functions_of_the_package(self):
        self.check(replan, FUNCTIONS)

    def test_orders_and_what_is_read(self):
        self.check(self.client, (
            (r"places has 2 entries, it must have 1, or one for each of the 3 agents", "order",
             ([self.scout] * 3, [HERE, THERE]), {}),
            (r"goal_ids has 2 entries", "order", ([self.scout] * 3, THERE), {"goal_ids": [1, 2]}),
            (r"order.goal_ids\[0\] is -1", "order", ([self.scout], THERE), {"goal_ids": [-1]}),
            (r"places is None", "order", ([self.scout], None), {}),
            (r"order.nearest is None", "order", ([self.scout], THERE), {"nearest": None})))
        self.check(replan.Answer, ((r"body is 5", "parse", (5,), {}),
                                   (r"body is no replan.v1.Answer", "parse", (b"\xff\xff",), {})))
        watch = self.client.watch("a")
        self.check(watch, ((r"timeout_s is nan", "next", (NAN,), {}),
                           (r"timeout_s is -1", "next_message", (-1,), {})))
        watch.close()

    def test_what_holds_numbers_and_bytes_in_other_ways_is_taken(self):
        client = self.client
        client.create_world("other", 3, 2, data=array.array("B", [1, 1, 1, 1, 1, 1]), origin=[0, 0, 0])
        self.addCleanup(client.remove_world, "other")
        client.write_rect("other", 0, 0, 2, 1, [7, 8])
        client.write_rect("other", 0, 1, 2, 1, memoryview(b"\x05\x06"))
        self.assertEqual(client.snapshot("other")[1], bytes([7, 8, 1, 5, 6, 1]))
        robot = client.open_agent("other", "robot", [2.5, 0.5, 1.25], replan.region([2, 1], [3, 2]), lease_s=None)
        self.assertEqual(robot.answer().path, [(2, 0), (2, 1)])
        mixed = [client.agent("other", "late"), robot]
        mixed[0].pose(2.5, 0.5)
        client.order(mixed, [(2.5, 0.5), (0.5, 0.5)], goal_ids=[4, 5])
        self.assertEqual([agent.answer().goal_id for agent in mixed], [4, 5])
        self.assertEqual([agent.answer().path[-1] for agent in mixed], [(2, 0), (0, 0)])

    def test_a_shape_that_lives_for_less_than_a_millisecond_goes(self):
        self.client.create_world("brief", 3, 3)
        self.addCleanup(self.client.remove_world, "brief")
        with self.client_of_heads() as other:
            watch = other._open_watch(pb.Watch(world="brief", map=True))
            self.client.put_disc("brief", 1, 1.5, 1.5, 0.2, 9, ttl_s=0.0001)
            seen = 0
            while seen < 3:  # 1: the snapshot's; 2: put; 3: gone
                news = watch.next_message(20)
                self.assertIsNotNone(news, "the shape did not go")
                seen = max(seen, news.delta.version, news.chunk.version)

    def client_of_heads(self):
        return replan.Client(self.daemon.control, timeout_s=PATIENCE_S)


class Blocking:
    """What asyncio awaits, waited for: so that the same tables hold both clients."""

    def __init__(self, loop, inner):
        self._loop, self._inner = loop, inner

    def __getattr__(self, name):
        found = getattr(self._inner, name)

        def call(*positional, **named):
            value = found(*positional, **named)
            return self._loop.run_until_complete(value) if inspect.isawaitable(value) else value
        return call if callable(found) else found


class Asyncio(unittest.TestCase):
    """The tables again, by AsyncClient."""

    def setUp(self):
        daemon = Daemon(os.path.join(BIN, "repland"))
        self.addCleanup(daemon.stop)
        loop = asyncio.new_event_loop()
        self.addCleanup(loop.close)
        client = replan.AsyncClient(daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(lambda: loop.run_until_complete(client.close()))
        self.client = Blocking(loop, client)
        self.client.create_world("a", 10, 10)
        self.scout = Blocking(loop, self.client.open_agent("a", "scout", HERE, THERE))

    def test_each_wrong_argument_is_refused_alike(self):
        count = 0
        for of, table in ((self.client, WORLDS + CHANGES + AGENTS + QUESTIONS), (self.scout, OF_AN_AGENT)):
            for sentence, call, positional, named in table:
                with self.subTest(call=call, positional=repr(positional), named=named):
                    with self.assertRaisesRegex(replan.ReplanError, sentence):
                        getattr(of, call)(*positional, **named)
                count += 1
        self.assertGreater(count, 60)
        self.assertEqual([(world.name, world.version) for world in self.client.worlds()], [("a", 1)])
        self.assertEqual(self.scout.answer().goal_id, 0)


if __name__ == "__main__":
    unittest.main()
