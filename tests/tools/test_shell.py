"""`replan` as an operator uses it on a daemon: lists and counters, as tables and as JSON.

usage: test_shell.py BIN [TEST...]    BIN has repland and replan
"""

import json
import os
import pty
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients"))
import daemon  # noqa: E402

BIN = sys.argv.pop(1)
REPLAN = os.path.join(BIN, "replan")


def on_a_terminal(arguments):
    """What a program prints on a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen(arguments, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    said = b""
    while True:
        try:
            said += os.read(master, 65536)
        except OSError:  # its end
            break
    os.close(master)
    process.wait()
    return said.decode().replace("\r\n", "\n")


class Shell(unittest.TestCase):
    def setUp(self):
        self.daemon = daemon.Daemon(os.path.join(BIN, "repland"))
        self.addCleanup(self.daemon.stop)

    def words(self, *arguments):
        return [REPLAN, "ctl", "-c", self.daemon.control, *map(str, arguments)]

    def ctl(self, *arguments, code=0):
        """Its output; on failure what it says on stderr."""
        done = subprocess.run(self.words(*arguments), capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def listed(self, *arguments):
        return [json.loads(line) for line in self.ctl(*arguments).splitlines()]

    def make_arena(self):
        self.ctl("create", "arena", "--size", "20x10")
        self.ctl("open", "arena", "scout", 1.5, 1.5, 18.5, 8.5)
        self.ctl("open", "arena", "idler", 2.5, 2.5)
        self.ctl("set", "arena", 10, 0, 1, 9, 0, "--wait", "settled")

    def test_agents_are_json_in_a_pipe(self):
        self.make_arena()
        scout, idler = self.listed("agents", "arena")
        self.assertEqual((scout["agent"], scout["outcome"], scout["reason"], scout["steps"]),
                         ("scout", "found", "invalid", 17))
        self.assertAlmostEqual(scout["cost"], 20.728, 3)
        self.assertEqual((scout["x"], scout["y"], scout["planner"], scout["version"]), (1.5, 1.5, "auto", 2))
        self.assertEqual((idler["path_seq"], idler["outcome"], idler["cost"]), (0, "none", -1))

    def test_agents_are_a_table_on_a_terminal(self):
        self.make_arena()
        head, scout, idler = on_a_terminal(self.words("agents", "arena")).splitlines()
        self.assertEqual(head.split(), "AGENT ANSWER BECAUSE COST STEPS X Y AGE PLANNER TARGET".split())
        self.assertEqual(scout.split()[:7], "scout found invalid 20.73 17 1.50 1.50".split())
        self.assertEqual(idler.split()[:7], "idler - - - - 2.50 2.50".split())
        self.assertEqual(head.index("COST") + 4, scout.index("20.73") + 5)  # numbers stand to the right
        piped = self.ctl("agents", "arena", "--table").splitlines()
        self.assertEqual(piped[0].split(), head.split())
        self.assertEqual(json.loads(on_a_terminal(self.words("agents", "arena", "--json")).splitlines()[0])["agent"],
                         "scout")

    def test_more_agents_than_one_reply_holds_are_all_listed(self):
        self.ctl("create", "arena", "--size", "64x64")
        sys.path.insert(0, os.path.join(BIN, "..", "python"))
        import replan
        with replan.Client(self.daemon.control) as client:
            for i in range(1030):
                client.agent("arena", f"a{i}").pose(i % 64 + 0.5, 0.5)
        self.assertEqual([agent["agent"] for agent in self.listed("agents", "arena")], [f"a{i}" for i in range(1030)])

    def test_shapes_are_listed_as_they_were_put(self):
        self.make_arena()
        self.assertEqual(self.listed("shapes", "arena"), [])
        self.ctl("disc", "arena", 7, 3.5, 4.5, 1.2, 0, "--ttl", 3600000)
        self.ctl("polygon", "arena", 9, 5, 1, 1, 2, 1, 2, 3)
        disc, polygon = self.listed("shapes", "arena")
        self.assertEqual((disc["id"], disc["radius_m"], disc["corners"], disc["byte"]), (7, 1.2, [[3.5, 4.5]], 0))
        self.assertGreater(disc["left_ms"], 3000000)
        self.assertEqual((polygon["id"], polygon["corners"], polygon["byte"], polygon["left_ms"]),
                         (9, [[1, 1], [2, 1], [2, 3]], 5, 0))
        self.assertIn("polygon of 3", self.ctl("shapes", "arena", "--table"))

    def test_peers_tell_who_is_there_and_what_was_refused(self):
        self.make_arena()
        watch = subprocess.Popen([REPLAN, "watch", "-c", self.daemon.control, "arena"], stdout=subprocess.PIPE)
        self.addCleanup(watch.communicate)
        self.addCleanup(watch.kill)
        watch.stdout.readline()  # it has answered once, so it watches
        peers = self.listed("peers")
        self.assertEqual([peer["watches"] for peer in peers], [1, 0])
        self.assertTrue(all(peer["address"].startswith("127.0.0.1:") for peer in peers), peers)
        self.assertEqual([peer["socket"] for peer in peers], ["control", "control"])
        sys.path.insert(0, os.path.join(BIN, "..", "python"))
        import replan
        with replan.Client(self.daemon.control) as client:
            with self.assertRaises(replan.ReplanError):
                client.remove_world("moor")
            refused, = [peer for peer in self.listed("peers") if peer["refused"]]
        self.assertEqual(refused["last_refusal"], 'world: there is no world "moor"')
        self.assertIn("LAST REFUSAL", self.ctl("peers", "--table"))

    def test_a_publisher_is_a_peer_too(self):
        sys.path.insert(0, os.path.join(BIN, "..", "python"))
        import zmq
        context = zmq.Context.instance()
        publisher = context.socket(zmq.PUB)
        self.addCleanup(publisher.close, 0)
        publisher.connect(self.daemon.changes)
        while not any(peer["socket"] == "changes" for peer in self.listed("peers")):
            pass

    def test_stats_tell_memory_uptime_and_latency_of_each_world(self):
        self.make_arena()
        stats, = self.listed("stats", "--json")
        self.assertGreater(stats["process.resident_bytes"], 1 << 20)
        world, = stats["worlds"]
        self.assertEqual((world["world"], world["agents"], world["changes"], world["cells"]), ("arena", 2, 1, 9))
        self.assertGreaterEqual(world["answers"], 2)
        self.assertLessEqual(world["p50_us"], world["max_us"])
        self.assertGreater(world["max_us"], 0)
        lines = dict(line.split() for line in self.ctl("stats").splitlines())
        self.assertEqual((lines["worlds.arena.changes"], lines["changes.applied"]), ("1", "1"))
        table = on_a_terminal(self.words("stats"))
        self.assertRegex(table, r"process\.resident_bytes +[0-9.]+ MiB")
        self.assertRegex(table, r"\nWORLD +AGENTS +CHANGES +CELLS +ANSWERS +P50 +P90 +P99 +MAX\narena +2 +1 +9 ")


if __name__ == "__main__":
    unittest.main()
