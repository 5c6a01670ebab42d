#!/usr/bin/python3
"""clients/story.json, played by each client against a real daemon that is killed, stopped and replaced in the middle.

usage: test_story.py BUILD_DIRECTORY
       test_story.py --player NAME "COMMAND .." BUILD_DIRECTORY   by that one alone
"""

import contextlib
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ALONE = None
if len(sys.argv) > 3 and sys.argv[1] == "--player":
    ALONE = {sys.argv[2]: sys.argv[3].split(" ")}
    del sys.argv[1:4]
BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.abspath("build/release")
BIN, PYTHON = os.path.join(BUILD, "bin"), os.path.join(BUILD, "python")
HERE = os.path.dirname(os.path.abspath(__file__))
if not os.path.exists(os.path.join(BIN, "repland")):
    print("skipped: there is no", os.path.join(BIN, "repland"))
    sys.exit(77)
sys.path.insert(0, PYTHON)

import replan  # noqa: E402
from google.protobuf import json_format  # noqa: E402
from replan import replan_pb2 as pb  # noqa: E402
from daemon import PATIENCE_S, Daemon  # noqa: E402

with open(os.path.join(HERE, "..", "..", "clients", "story.json")) as file:
    STORY = json.load(file)
PLAYERS = ALONE or {
    "C": [os.path.join(BUILD, "tests", "story_player")],
    "Python": [sys.executable, os.path.join(HERE, "story_player.py"), PYTHON, "plain"],
    "asyncio": [sys.executable, os.path.join(HERE, "story_player.py"), PYTHON, "asyncio"],
    "raw bytes": [sys.executable, os.path.join(HERE, "raw_player.py")],
}


class Player:
    """A program that plays; what it does not say within a minute, it says not."""

    def __init__(self, command, control):
        self.process = subprocess.Popen([*command, control], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip("\n")

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return code


class Chapter:
    """One chapter with one player."""

    def __init__(self, test, chapter, command):
        self.test, self.epoch = test, 0
        self.folder = tempfile.mkdtemp(prefix="replan-story-")
        flags = ["--state", os.path.join(self.folder, "state")] if chapter["state"] else []
        self.daemon = Daemon(os.path.join(BIN, "repland"), *flags)
        self.player = Player(command, self.daemon.control)
        self.ready_at, self.took_s = time.monotonic(), 0.0
        self.is_asleep = False
        self.least_epoch = 0  # that a mirror must have reached

    def play(self, steps):
        try:
            for number, step in enumerate(steps):
                is_before_others = step.get("act") == "start" and steps[number + 1]["do"] == "other"
                with self.test.subTest(step=number, do=step["do"]), self.asleep(is_before_others, step["do"] == "other"):
                    getattr(self, "do_" + step["do"])(step)
                    if step.get("resumed"):
                        self.took_s = max(self.took_s, time.monotonic() - self.ready_at)
            self.test.assertEqual(self.player.close(), 0)
        finally:
            self.player.process.kill()
            self.daemon.go_on()
            self.daemon.stop()
            shutil.rmtree(self.folder)
        return self.took_s

    @contextlib.contextmanager
    def asleep(self, falls_asleep, sleeps_on):
        """A player that goes on by itself is not there before what others do to the new daemon is done."""
        if falls_asleep:
            self.player.process.send_signal(signal.SIGSTOP)
            self.is_asleep = True
        elif self.is_asleep and not sleeps_on:
            self.player.process.send_signal(signal.SIGCONT)
            self.is_asleep, self.ready_at = False, time.monotonic()
        yield

    def do_call(self, step):
        self.test.assertEqual(self.player.say("call", step["hex"]), f"reply {step['expect']}")

    def do_other(self, step):
        request = pb.Request.FromString(bytes.fromhex(step["hex"]))
        kind = request.WhichOneof("body")
        with replan.Client(self.daemon.control, timeout_s=PATIENCE_S) as client:
            client.request(**{kind: getattr(request, kind)})

    def do_watch(self, step):
        self.test.assertEqual(self.player.say("watch", step["world"], step["agent"]), "ok")

    def do_mirror(self, step):
        self.test.assertEqual(self.player.say("mirror", step["world"]), "ok")

    def do_answer(self, step):
        wanted = step["expect"]
        while True:  # answers of versions before may come first
            said = self.player.say("answer")
            word, *words = said.split(" ")
            self.test.assertEqual(word, "answer", said)
            agent, outcome, cost, epoch, version = words
            is_old = int(version) < wanted["version"] or (wanted.get("epoch") == "greater" and int(epoch) <= self.epoch)
            if not is_old:
                break
        self.epoch = self.least_epoch = int(epoch)
        self.test.assertEqual((agent, outcome, int(version)), (wanted["agent"], wanted["outcome"], wanted["version"]))
        if "cost" in wanted:
            self.test.assertTrue(math.isclose(float(cost), wanted["cost"]), said)

    def do_gone(self, step):
        said = self.player.say("answer")
        self.test.assertRegex(said, f"^gone .*{step['words']}")

    def do_cells(self, step):
        said = self.player.say("cells", step["version"], self.least_epoch)
        self.test.assertEqual(said.split(" ")[2:], [str(step["version"]), str(step["blocked"])], said)

    def do_lost(self, step):
        said = self.player.say("lost")
        self.test.assertRegex(said, step["words"])
        if "not" in step:
            self.test.assertNotRegex(said, step["not"])

    def do_wait(self, step):
        time.sleep(step["seconds"])  # the daemon stands still that long: this is the story

    def do_daemon(self, step):
        {"kill": self.daemon.kill, "start": self.daemon.start_again, "pause": self.daemon.pause,
         "go_on": self.daemon.go_on}[step["act"]]()
        self.ready_at = time.monotonic()


class Story(unittest.TestCase):
    def play(self, chapter):
        for name, command in PLAYERS.items():
            with self.subTest(player=name):
                took_s = Chapter(self, chapter, command).play(chapter["steps"])
                print(f"{chapter['name']}: {name} went on after {took_s:.2f} s", flush=True)

    def test_hex_and_fields_are_the_same_message(self):
        packed = [(pb.Request(), step["request"], step["hex"]) for chapter in STORY["chapters"] for step in chapter["steps"]
                  if "request" in step]
        packed += [(getattr(pb, entry["message"])(), entry["fields"], entry["hex"]) for entry in STORY["bytes"]]
        for message, fields, octets in packed:
            json_format.ParseDict(fields, message)
            self.assertEqual(message.SerializeToString(deterministic=True).hex(), octets)
        for entry in STORY["bytes"]:
            if "path" in entry:
                self.assertEqual(replan.Answer.parse(bytes.fromhex(entry["hex"])).path, [tuple(cell) for cell in entry["path"]])


for _number, _chapter in enumerate(STORY["chapters"]):
    _name = "_".join("".join(c if c.isalnum() else " " for c in _chapter["name"]).split())
    setattr(Story, f"test_{_number}_{_name}", lambda self, chapter=_chapter: self.play(chapter))


if __name__ == "__main__":
    unittest.main()
