#!/usr/bin/python3
"""What the Python client does when the daemon goes away and comes back, and what it says was lost.

usage: test_resume.py BUILD_DIRECTORY
"""

import asyncio
import logging
import os
import shutil
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
from daemon import PATIENCE_S, Daemon  # noqa: E402

START, GOAL = (1.5, 4.5), (18.5, 4.5)


class WithState(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="replan-resume-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.daemon = Daemon(os.path.join(BIN, "repland"), "--state", os.path.join(self.folder, "state"))
        self.addCleanup(self.daemon.stop)
        logging.getLogger("replan").addHandler(logging.NullHandler())
        logging.getLogger("replan").propagate = False

    def client(self):
        client = replan.Client(self.daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(client.close)
        client.create_world("arena", 20, 10)
        return client

    def test_a_watch_and_a_mirror_go_on_in_the_next_epoch(self):
        client = self.client()
        scout = client.open_agent("arena", "scout", START, GOAL)
        watch, mirror = client.watch("arena", "scout"), client.mirror("arena")
        first = watch.next(PATIENCE_S)
        self.assertTrue(mirror.follow(PATIENCE_S))
        self.daemon.kill()
        self.daemon.start_again()
        again = watch.next(PATIENCE_S)
        self.assertGreater(again.epoch, first.epoch)
        self.assertEqual(again.path, first.path)
        self.assertEqual(len(watch.lost), 1)
        self.assertRegex(watch.lost[0], r'the watch of "arena" goes on after .* the daemon was started again .* '
                                        "no change up to version 1 is lost")
        client.fill_rect("arena", 10, 0, 1, 9, 0)
        self.assertEqual(scout.answer().outcome, "found")
        while mirror.version < 2:
            self.assertTrue(mirror.follow(PATIENCE_S))
        self.assertEqual((mirror.version, bytes(mirror.data)), client.snapshot("arena"))
        self.assertEqual(len(mirror.lost), 1)

    def test_changes_and_other_watches_do_not_hide_the_next_epoch(self):
        client = self.client()
        client.open_agent("arena", "scout", START, GOAL)
        watch, mirror = client.watch("arena", "scout"), client.mirror("arena")
        watch.next(PATIENCE_S)
        self.assertTrue(mirror.follow(PATIENCE_S))
        self.daemon.kill()
        self.daemon.start_again()
        self.again(lambda: client.fill_rect("arena", 10, 0, 1, 9, 0))
        watch.next(PATIENCE_S)
        self.assertRegex(watch.lost[0], "the daemon was started again")
        while not mirror.lost:
            self.assertTrue(mirror.follow(PATIENCE_S))
        self.assertRegex(mirror.lost[0], "the daemon was started again")

    def test_cells_of_the_same_window_are_written_in_the_next_epoch(self):
        client = self.client()
        client.fill_rect("arena", 3, 3, 1, 1, 7)
        self.daemon.kill()
        self.daemon.start_again()
        self.again(lambda: client.set_cells("arena", [(4, 3)], 8))
        client.fill_rect("arena", 5, 3, 1, 1, 9)
        self.assertEqual(client.snapshot("arena")[1][3 * 20 + 3:3 * 20 + 6], bytes([7, 8, 9]))

    def again(self, act):
        """The first request after a break may hear of it."""
        try:
            return act()
        except replan.NoDaemon:
            return act()

    def test_who_never_waits_goes_on_too(self):
        client = self.client()
        client.open_agent("arena", "scout", START, GOAL)
        watch = client.watch("arena")
        first = watch.next(PATIENCE_S)
        self.daemon.kill()
        self.daemon.start_again()
        deadline = time.monotonic() + PATIENCE_S
        while (again := watch.next(0)) is None and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertGreater(again.epoch, first.epoch)

    def test_a_daemon_that_stands_still_is_waited_for(self):
        client = self.client()
        client.open_agent("arena", "scout", START, GOAL)
        watch = client.watch("arena")
        self.assertEqual(watch.next(PATIENCE_S).outcome, "found")
        self.daemon.pause()
        self.assertIsNone(watch.next(0.3))
        self.daemon.go_on()
        client.fill_rect("arena", 10, 0, 1, 9, 0)
        self.assertEqual(watch.next(PATIENCE_S).version, 2)

    def test_it_goes_on_for_asyncio(self):
        client = self.client()
        client.open_agent("arena", "scout", START, GOAL)
        asyncio.run(self.go_on_for_asyncio())

    async def go_on_for_asyncio(self):
        async with replan.AsyncClient(self.daemon.control, timeout_s=PATIENCE_S) as client:
            watch = await client.watch("arena", "scout")
            mirror = await client.mirror("arena")
            first = await watch.next(PATIENCE_S)
            self.assertTrue(await mirror.follow(PATIENCE_S))
            self.daemon.kill()
            self.daemon.start_again()
            again = await watch.next(PATIENCE_S)
            self.assertGreater(again.epoch, first.epoch)
            self.assertRegex(watch.lost[0], "the daemon was started again")
            await client.fill_rect("arena", 10, 0, 1, 9, 0)
            while mirror.version < 2:
                self.assertTrue(await mirror.follow(PATIENCE_S))
            self.assertEqual((mirror.version, bytes(mirror.data)), await client.snapshot("arena"))


class WithoutState(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon(os.path.join(BIN, "repland"))
        self.addCleanup(self.daemon.stop)
        logging.getLogger("replan").addHandler(logging.NullHandler())
        logging.getLogger("replan").propagate = False
        self.client = replan.Client(self.daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(self.client.close)

    def begin(self):
        self.client.create_world("arena", 20, 10)
        self.client.open_agent("arena", "scout", START, GOAL)

    def restart(self):
        self.daemon.kill()
        self.daemon.start_again()

    def test_a_world_that_is_lost_is_told_once_and_then_waited_for(self):
        self.begin()
        watch = self.client.watch("arena", "scout")
        self.assertEqual(watch.next(PATIENCE_S).outcome, "found")
        self.restart()
        with self.assertRaisesRegex(replan.ReplanError, 'has no world "arena": its cells and agents are lost'):
            watch.next(PATIENCE_S)
        self.assertIsNone(watch.next(0.3))
        self.begin()
        self.assertEqual(watch.next(PATIENCE_S).outcome, "found")
        self.assertEqual(len(watch.lost), 2)
        self.assertIn("made anew: what it was before is lost", watch.lost[1])

    def test_an_agent_that_is_lost_with_its_world_is_named(self):
        self.begin()
        watch = self.client.watch("arena", "scout")
        watch.next(PATIENCE_S)
        self.daemon.kill()
        self.daemon.start_again()
        other = replan.Client(self.daemon.control, timeout_s=PATIENCE_S)
        self.addCleanup(other.close)
        other.create_world("arena", 20, 10)
        until = time.monotonic() + PATIENCE_S
        while not watch.lost or "lost are the agents scout" not in watch.lost[-1]:
            self.assertLess(time.monotonic(), until, watch.lost)
            self.assertIsNone(watch.next(0.1))

    def test_cells_of_the_same_window_are_written_in_another_epoch(self):
        self.begin()
        self.client.worlds()
        self.restart()
        with replan.Client(self.daemon.control, timeout_s=PATIENCE_S) as other:
            other.create_world("arena", 20, 10)
        while True:
            try:
                self.assertEqual(self.client.set_cells("arena", [(4, 3)], 8).version, 2)
                break
            except replan.NoDaemon:
                continue
        self.client.fill_rect("arena", 5, 3, 1, 1, 9)
        change = {"world": "arena", "x": 0, "y": 0, "width": 1, "height": 10, "fill": 0}
        self.assertEqual(self.client.probe(change, (), [(START, GOAL)]), [(17.0, 17.0)])
        self.assertEqual(self.client.snapshot("arena")[1][3 * 20 + 3:3 * 20 + 6], bytes([1, 8, 9]))

    def test_cells_of_another_window_are_refused_once(self):
        self.begin()
        self.client.worlds()
        self.restart()
        with replan.Client(self.daemon.control, timeout_s=PATIENCE_S) as other:
            other.create_world("arena", 20, 10, origin=(3.0, 0.0, 0.0))
        while True:
            try:
                self.client.set_cells("arena", [(4, 3)], 8)
                self.fail("the cells are of a window that is gone")
            except replan.NoDaemon:
                continue
            except replan.ReplanError as error:
                self.assertEqual((error.status, error.present.geometry.origin_x), ("GONE", 3.0))
                break
        self.assertEqual(self.client.set_cells("arena", [(4, 3)], 8).version, 2)

    def test_a_watch_that_shall_not_resume_ends(self):
        self.begin()
        watch = self.client.watch("arena", resume=False)
        watch.next(PATIENCE_S)
        self.restart()
        with self.assertRaises(replan.NoDaemon):
            watch.next(PATIENCE_S)
        with self.assertRaisesRegex(replan.NoDaemon, "the watch is over"):
            watch.next(PATIENCE_S)

    def watches(self):
        """As the daemon counts them."""
        return sum(peer.watches for peer in self.client.request(list_peers={}).peers.peers)

    def test_a_watch_whose_reply_comes_late_ends_at_the_daemon(self):
        self.begin()
        with replan.Client(self.daemon.control, timeout_s=0.2) as hasty:
            self.daemon.pause()
            with self.assertRaises(replan.NoDaemon):
                hasty.watch("arena")
            self.daemon.go_on()
            deadline = time.monotonic() + PATIENCE_S
            while self.watches() == 0 and time.monotonic() < deadline:
                pass
            hasty.request(timeout_s=PATIENCE_S, list_worlds={})
            while self.watches() != 0 and time.monotonic() < deadline:
                pass
            self.assertEqual(self.watches(), 0)

    def test_so_it_does_for_asyncio(self):
        self.begin()
        asyncio.run(self.cancel_a_watch())

    async def cancel_a_watch(self):
        async with replan.AsyncClient(self.daemon.control, timeout_s=PATIENCE_S) as client:
            await client.worlds()
            self.daemon.pause()
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(client.watch("arena"), 0.2)
            self.daemon.go_on()
            deadline = time.monotonic() + PATIENCE_S
            while self.watches() == 0 and time.monotonic() < deadline:
                pass
            while self.watches() != 0 and time.monotonic() < deadline:
                await asyncio.sleep(0.01)
            self.assertEqual(self.watches(), 0)

    def test_a_request_under_way_is_refused_and_the_next_one_is_answered(self):
        self.begin()
        self.daemon.pause()
        with self.assertRaisesRegex(replan.NoDaemon, "no reply within 0.2 s"):
            self.client.request(timeout_s=0.2, list_worlds={})
        self.daemon.go_on()
        self.assertEqual([world.name for world in self.client.worlds()], ["arena"])
        self.restart()
        started = time.monotonic()
        while True:
            try:
                self.assertEqual(self.client.worlds(), [])
                break
            except replan.NoDaemon:
                self.assertLess(time.monotonic() - started, PATIENCE_S)


if __name__ == "__main__":
    unittest.main()
