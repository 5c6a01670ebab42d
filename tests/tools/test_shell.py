"""`replan` as an operator uses it on a daemon: lists and counters, as tables and as JSON; cheat, load, view, doctor.

usage: test_shell.py BIN [TEST...]    BIN has repland and replan
"""

import codecs
import fcntl
import json
import os
import re
import select
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(sys.path[0], "..", "clients"))
import daemon  # noqa: E402
import screen  # noqa: E402

BIN = sys.argv.pop(1)
REPLAN = os.path.join(BIN, "replan")


def on_a_terminal(arguments):
    """What a program prints on a terminal."""
    master, slave = screen.open_terminal()
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


class FakeDaemon:
    """A ROUTER that answers each request by say(request, reply), which fills in the reply, until the `with` block ends."""

    def __init__(self, say):
        sys.path.insert(0, os.path.join(BIN, "..", "python"))
        import zmq
        from replan import replan_pb2
        self._say, self._messages = say, replan_pb2
        self._line = zmq.Context.instance().socket(zmq.ROUTER)
        self.control = f"tcp://127.0.0.1:{self._line.bind_to_random_port('tcp://127.0.0.1')}"
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._serve)

    def _serve(self):
        while not self._is_over.is_set():
            if self._line.poll(20):
                peer, body = self._line.recv_multipart()
                request, news = self._messages.Request.FromString(body), self._messages.ToClient()
                news.reply.id = request.id
                self._say(request, news.reply)
                self._line.send_multipart([peer, news.SerializeToString()])

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join()
        self._line.close(0)


class Shell(unittest.TestCase):
    def setUp(self):
        self.daemon = daemon.Daemon(os.path.join(BIN, "repland"))
        self.addCleanup(self.daemon.stop)

    def words(self, *arguments):
        return [REPLAN, "ctl", "-c", self.daemon.control, *map(str, arguments)]

    def ctl(self, *arguments, code=0):
        """Its output; on failure what it says on stderr."""
        done = subprocess.run(self.words(*arguments), capture_output=True, text=True, timeout=daemon.PATIENCE_S)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def listed(self, *arguments):
        return [json.loads(line) for line in self.ctl(*arguments).splitlines()]

    def replan(self, *arguments, code=0):
        """Output and what it says on stderr."""
        done = subprocess.run([REPLAN, *map(str, arguments)], capture_output=True, text=True, timeout=daemon.PATIENCE_S)
        self.assertIn(done.returncode, code if isinstance(code, tuple) else (code,), done.stdout + done.stderr)
        return done.stdout, done.stderr

    def findings(self, *arguments, code=0):
        """Sentences of the doctor, by level and what they are about."""
        said = {}
        for line in self.replan("doctor", "--json", *arguments, code=code)[0].splitlines():
            finding = json.loads(line)
            said.setdefault((finding["level"], finding["about"]), []).append(finding["sentence"])
        return said

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

    def test_worlds_are_a_table_on_a_terminal_and_lines_in_a_pipe(self):
        self.make_arena()
        head, arena = on_a_terminal(self.words("worlds")).splitlines()
        self.assertEqual(head.split()[:5], ["WORLD", "CELLS", "A", "CELL", "PROFILE"])
        self.assertRegex(arena, r"^arena +20 x 10 +1 m +factor +8 +2 +2 +\d.* +2 +0 +-$")
        self.assertIn("arena            20 x 10 cells of 1 m, 8 neighbors, factor, version 2, settled 2, 2 agents", self.ctl("worlds"))

    def test_more_agents_than_one_reply_holds_are_all_listed(self):
        self.ctl("create", "arena", "--size", "64x64")
        sys.path.insert(0, os.path.join(BIN, "..", "python"))
        import replan
        with replan.Client(self.daemon.control, timeout_s=daemon.PATIENCE_S) as client:
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
        while len(peers := self.listed("peers")) != 2:
            pass  # those that asked before are on their way out
        self.assertEqual([peer["watches"] for peer in peers], [1, 0])
        self.assertTrue(all(peer["address"].startswith("127.0.0.1:") for peer in peers), peers)
        self.assertEqual([peer["socket"] for peer in peers], ["control", "control"])
        sys.path.insert(0, os.path.join(BIN, "..", "python"))
        import replan
        with replan.Client(self.daemon.control, timeout_s=daemon.PATIENCE_S) as client:
            with self.assertRaises(replan.ReplanError):
                client.remove_world("moor")
            refused, = [peer for peer in self.listed("peers") if peer["refused"]]
        self.assertEqual(refused["last_refusal"], 'world: there is no world "moor"')
        self.assertIn("LAST REFUSAL", self.ctl("peers", "--table"))

    def test_a_name_that_is_cut_is_no_name(self):
        def say(_, reply):
            for name in b"\2ab", b"\3ab", b"\2", b"\0", b"":
                reply.peers.peers.add(socket="control", name=name)
        with FakeDaemon(say) as fake:
            lines, _ = self.replan("ctl", "-c", fake.control, "peers")
        self.assertEqual([json.loads(line)["name"] for line in lines.splitlines()], ["ab", "-", "-", "-", "-"])

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

    # ---- cheat

    def test_the_lines_of_cheat_work_as_pasted(self):
        lines, _ = self.replan("cheat", "-c", self.daemon.control)
        self.assertEqual(len(lines.splitlines()), 12)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["sh", "-e"], input=lines, cwd=folder, capture_output=True, text=True, timeout=daemon.PATIENCE_S,
                                  env={**os.environ, "PATH": BIN + ":" + os.environ["PATH"]})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr, "")
            self.assertEqual(os.listdir(folder), ["arena.png"])
        for word in ("scout version 1 found", "changed scout", "2 found (invalid)", "change to path p50"):
            self.assertIn(word, done.stdout)

    def test_cheat_begins_with_a_daemon_and_else_says_the_same(self):
        started, _ = self.replan("cheat")
        named, _ = self.replan("cheat", "-c", self.daemon.control)
        bare = [line.split(" #")[0].split() for line in started.splitlines()]
        self.assertEqual(bare[0], ["repland", "2>repland.log", "&"])
        self.assertEqual(bare[1:], [[word for word in line.split(" #")[0].split() if word not in ("-c", self.daemon.control)]
                                    for line in named.splitlines()][1:])

    # ---- load

    def test_load_measures_and_leaves_no_world_behind(self):
        self.make_arena()
        for seconds in 1, 10, 60:  # until it has seen a path
            said = json.loads(self.replan("load", "-c", self.daemon.control, "--seconds", seconds, "--size", "64x48", "--json")[0])
            if said["change_to_path_us"]["count"] > 0:
                break
        self.assertEqual((said["kind"], said["width"], said["height"], said["agents"]), ("load", 64, 48, 10))
        self.assertGreater(said["changes"], 0)
        self.assertEqual(said["refused"], 0)
        self.assertEqual(said["acknowledged_us"]["count"], said["changes"])
        for figure in said["acknowledged_us"], said["change_to_path_us"]:
            self.assertGreater(figure["count"], 0)
            self.assertGreater(figure["p50"], 0)
            self.assertLessEqual(figure["p50"], figure["p90"])
            self.assertLessEqual(figure["p99"], figure["max"])
            self.assertLess(figure["max"], 60e6)
        self.assertEqual([line.split()[0] for line in self.ctl("worlds").splitlines()], ["arena"])

    def test_load_keeps_to_its_rate(self):
        said, _ = self.replan("load", "-c", self.daemon.control, "--seconds", 2, "--rate", 20, "--agents", 2)
        changes = int(re.search(r"^changes +(\d+),", said, re.M)[1])
        took = float(re.search(r"^([\d.]+) s on 256 x 256 cells with 2 agents$", said, re.M)[1])
        self.assertLessEqual(changes, 20 * (took + 0.1) + 1)

    def test_load_takes_no_world_that_is_there(self):
        self.make_arena()
        _, said = self.replan("load", "-c", self.daemon.control, "--world", "arena", code=2)
        self.assertIn('create_world.world: "arena" is there already', said)
        self.assertEqual(len(self.listed("agents", "arena")), 2)

    # ---- view

    def draw(self, *arguments):
        """`replan view` on a terminal of 80 x 24: its process, a function that waits until words stand there and gives all text, one that types."""
        master, slave = screen.open_terminal()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        process = subprocess.Popen([REPLAN, "view", "-c", self.daemon.control, *arguments], stdin=slave, stdout=slave,
                                   stderr=slave, env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"})
        os.close(slave)
        self.addCleanup(os.close, master)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        terminal, decoder = screen.Screen(80, 24), codecs.getincrementaldecoder("utf-8")()

        def until(words):
            while words not in terminal.text():
                self.assertTrue(select.select([master], [], [], daemon.PATIENCE_S)[0], f"no {words!r} in\n{terminal.text()}")
                try:
                    terminal.feed(decoder.decode(os.read(master, 65536)))
                except OSError:
                    self.fail(f"it ended before it drew {words!r}:\n{terminal.text()}")
            return terminal.text()
        return process, until, lambda keys: os.write(master, keys.encode())

    def test_the_view_shows_a_world_its_agents_and_why_a_path_turned(self):
        self.make_arena()
        process, until, type_keys = self.draw()
        until("arena")
        until("20 x 10")
        until("1 scout")
        until("17 cells to go")
        self.ctl("set", "arena", 10, 9, 1, 1, 0)
        until("1 scout: its path was blocked, and now no path")
        until("1 without a path: 1")
        self.ctl("remove", "arena")
        until("was removed")
        self.ctl("create", "arena", "--size", "30x12")
        until("30 x 12")
        type_keys("q")
        self.assertEqual(process.wait(daemon.PATIENCE_S), 0)

    def test_the_view_waits_for_the_first_world(self):
        process, until, type_keys = self.draw()
        until("there is no world yet")
        self.make_arena()
        until("17 cells to go")
        type_keys("q")
        self.assertEqual(process.wait(daemon.PATIENCE_S), 0)

    def test_the_view_goes_on_when_the_daemon_is_back(self):
        self.make_arena()
        process, until, type_keys = self.draw("arena", "idler")
        until("2 idler at 2,2: no answer yet")
        self.daemon.kill()
        until("the daemon is gone")
        self.daemon.start_again()
        self.ctl("create", "arena", "--size", "31x9")
        until("31 x 9")
        process.terminate()
        self.assertEqual(process.wait(daemon.PATIENCE_S), 0)

    def test_the_view_keeps_to_its_agent_when_others_go(self):
        self.make_arena()
        self.ctl("open", "arena", "third", 3.5, 3.5)
        process, until, type_keys = self.draw("arena", "idler")
        until("2 idler")
        self.ctl("close", "arena", "scout")
        until("1 idler")
        type_keys("\t")
        until("2 third")
        self.ctl("close", "arena", "idler")
        until("1 third")
        type_keys("q")
        self.assertEqual(process.wait(daemon.PATIENCE_S), 0)

    def test_the_view_finds_its_agent_again_in_another_order(self):
        self.make_arena()
        _, until, _ = self.draw("arena", "idler")
        until("2 idler")
        self.daemon.kill()
        until("the daemon is gone")
        self.daemon.start_again()
        self.ctl("create", "arena", "--size", "20x10")
        self.ctl("open", "arena", "late", 1.5, 1.5)
        until("1 late")
        self.ctl("open", "arena", "later", 1.5, 2.5)
        self.ctl("open", "arena", "idler", 2.5, 2.5)
        until("3 idler")

    def test_a_view_that_is_paused_says_so_and_takes_keys(self):
        self.make_arena()
        process, until, type_keys = self.draw("arena", "scout")
        until("17 cells to go")
        type_keys(" ")
        until("paused; space goes on")
        self.ctl("set", "arena", 10, 9, 1, 1, 0, "--wait", "settled")
        type_keys("\t")
        until("2 idler")
        type_keys("\t")
        self.assertNotIn("without a path", until("1 scout at 1,1: 17 cells to go"))
        type_keys(" ")
        self.assertNotIn("paused", until("1 without a path: 1"))
        type_keys(" ")
        until("paused; space goes on")
        type_keys("q")
        self.assertEqual(process.wait(daemon.PATIENCE_S), 0)

    def test_the_view_needs_a_terminal_and_a_world_that_was_named(self):
        self.make_arena()
        self.assertIn("it needs a terminal", self.replan("view", "-c", self.daemon.control, code=2)[1])
        self.assertIn('there is no world "moor"', self.replan("view", "-c", self.daemon.control, "moor", code=2)[1])
        for names, words in (["w" * 33], "WORLD has 33 characters"), (["arena", "a" * 33], "AGENT has 33 characters"):
            self.assertIn(words, self.replan("view", "-c", self.daemon.control, *names, code=2)[1])

    # ---- doctor

    def test_the_doctor_finds_nothing_wrong_with_a_daemon_that_is_fine(self):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(BIN)) as state:
            said = self.findings("-c", self.daemon.control, "--changes", self.daemon.changes, "--paths", self.daemon.paths,
                                 "--poses", self.daemon.poses, "--state", state, code=(0, 1))
            self.assertEqual(os.listdir(state), [])
        for about in "version", "counted", "worlds", "memory", "changes", "paths", "poses", "clock":
            self.assertIn(("fine", about), said)
        for about in "control", "disk":
            self.assertTrue(any(found[1] == about for found in said), said)
        slow = ("A question took", "takes", "MiB available")  # the machine may have much else to do
        self.assertEqual([sentence for (level, _), sentences in said.items() if level == "wrong" for sentence in sentences
                          if not any(words in sentence for words in slow)], [])
        self.assertIn("note" if ("note", "limits") in said else "fine", [level for level, _ in said])

    def test_the_doctor_says_what_is_wrong(self):
        self.make_arena()
        sys.path.insert(0, os.path.join(BIN, "..", "python"))
        import zmq
        line = zmq.Context.instance().socket(zmq.DEALER)
        self.addCleanup(line.close, 0)
        line.connect(self.daemon.control)
        line.send(b"no request at all")
        line.recv()
        said = self.findings("-c", self.daemon.control, "--poses", "tcp://127.0.0.1:1", "--state", "/nowhere", code=1)
        self.assertIn("frames.malformed is 1: so many messages could not be read", said["wrong", "counted"][0])
        self.assertIn("Nobody takes connections at tcp://127.0.0.1:1: Connection refused", said["wrong", "poses"][0])
        self.assertIn("--state /nowhere: No such file or directory", said["wrong", "disk"][0])

    def test_the_doctor_warns_of_a_state_in_memory(self):
        with open("/proc/mounts") as mounts:
            if not any(mount.split()[1:3] == ["/dev/shm", "tmpfs"] for mount in mounts) or not os.access("/dev/shm", os.W_OK):
                self.skipTest("/dev/shm is no tmpfs that can be written to, as in a bare chroot")
        with tempfile.TemporaryDirectory(dir="/dev/shm") as state:
            said = self.findings("-c", self.daemon.control, "--state", state, code=1)
            self.assertIn("lies in memory", said["wrong", "disk"][0])

    def test_the_doctor_tells_an_absent_daemon_from_another_program(self):
        said = self.findings("-c", "tcp://127.0.0.1:1", code=4)
        self.assertIn("Nobody listens at", said["wrong", "control"][0])
        with socket.create_server(("127.0.0.1", 0)) as other:
            said = self.findings("-c", f"tcp://127.0.0.1:{other.getsockname()[1]}", code=4)
            self.assertIn("does not greet as a repland", said["wrong", "control"][0])
        self.assertIn(("fine", "memory"), said)

    def test_the_doctor_says_which_endpoints_it_does_not_look_at(self):
        told = {"changes": ("tcp://no-such-host.invalid:7401", "wrong", "is not found"), "paths": ("tcp://[::1]:7402", "note", "is not looked at"),
                "poses": ("ipc:///tmp/poses", "note", "is not looked at")}
        said = self.findings("-c", self.daemon.control, *[word for name, row in told.items() for word in (f"--{name}", row[0])], code=1)
        for name, (endpoint, level, words) in told.items():
            self.assertIn(endpoint, said[level, name][0])
            self.assertIn(words, said[level, name][0])
        said = self.findings("-c", self.daemon.control, "--changes", self.daemon.changes.replace("127.0.0.1", "localhost"), code=(0, 1))
        self.assertIn(("fine", "changes"), said)
        for endpoint in "tcp://127.0.0.1:7402x", "tcp://*:7402":
            said = self.findings("-c", self.daemon.control, "--paths", endpoint, code=(0, 1))
            self.assertIn("is not looked at", said["note", "paths"][0])

    def test_the_doctor_says_when_counters_are_refused(self):
        for answered in range(3):
            left = [answered]

            def say(request, reply):
                if request.WhichOneof("body") == "get_stats" and left[0] != 0:
                    left[0] -= 1
                    reply.stats.version = "0"
                    reply.stats.names.append("process.resident_bytes")
                    reply.stats.values.append(1 << 20)
                else:
                    reply.status, reply.sentence = 2, "so it is " * 40
            with self.subTest(answered), FakeDaemon(say) as fake:
                said = self.findings("-c", fake.control, code=1)
                self.assertIn("does not tell what it counted: so it is", said["wrong", "control"][-1])
                self.assertNotIn(("wrong", "version"), said)
                self.assertIn("does not list its worlds: so it is", said["wrong", "worlds"][0])
                self.assertIn("does not list its peers: so it is", said["wrong", "peers"][0])

    def test_the_doctor_says_when_the_daemon_falls_silent(self):
        left = [1]

        def say(_, reply):
            left[0] -= 1
            reply.stats.version = "0"
            reply.id += 0 if left[0] == 0 else 1000
        with FakeDaemon(say) as fake:
            said = self.findings("-c", fake.control, code=4)
        self.assertIn("does not tell what it counted: no reply within", said["wrong", "control"][0])


if __name__ == "__main__":
    unittest.main()
