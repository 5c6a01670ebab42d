#!/usr/bin/python3
"""The Python client for asyncio, against a real repland.

usage: test_asyncio.py BUILD_DIRECTORY
"""

import asyncio
import inspect
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
import zmq  # noqa: E402
from replan import pose_batch, shared_watch  # noqa: E402
from daemon import PATIENCE_S, Daemon  # noqa: E402

START, GOAL = (1.5, 4.5), (18.5, 4.5)


class Full:
    """A socket of a client that has no room. As libzmq's own it takes in what came before it says so, here a message at
    least."""

    def __init__(self, socket):
        self._socket = socket

    def __getattr__(self, name):
        return getattr(self._socket, name)

    def send(self, *_):
        if self._socket.poll(int(1000 * PATIENCE_S), zmq.POLLIN) == 0:
            raise AssertionError("nothing came")
        raise zmq.Again


class Asyncio(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        # A daemon that is paused is silent for as long as this process takes.
        patch = unittest.mock.patch.object(replan.client, "SILENCE_MS", int(1000 * PATIENCE_S))
        patch.start()
        self.addCleanup(patch.stop)
        self.daemon = Daemon(os.path.join(BIN, "repland"))
        self.addCleanup(self.daemon.stop)
        self.client = replan.AsyncClient(self.daemon.control, timeout_s=PATIENCE_S)
        self.addAsyncCleanup(self.client.close)
        await self.client.create_world("arena", 20, 10)

    async def open_scout(self):
        return await self.client.open_agent("arena", "scout", START, GOAL)

    def test_it_has_the_calls_of_the_plain_client(self):
        for plain, other in ((replan.Client, replan.AsyncClient), (replan.client.Agent, replan.AsyncAgent),
                             (replan.Watch, replan.AsyncWatch), (replan.WorldMirror, replan.AsyncMirror)):
            names = {name for name in vars(plain) if not name.startswith("_")} - {"next_message"}
            self.assertEqual(names - set(dir(other)), set())
            for name in names & set(vars(other)):
                if callable(getattr(plain, name)):
                    shown = [list(inspect.signature(getattr(of, name)).parameters) for of in (plain, other)]
                    self.assertEqual(shown[0], shown[1], name)
                    self.assertEqual((shown[0][0], "wire" in shown[0]), ("self", False), name)

    async def test_calls_that_wait_side_by_side_are_all_answered(self):
        agents = await asyncio.gather(*(self.client.open_agent("arena", f"a{i}", (1.5, i % 10 + 0.5), GOAL) for i in range(50)))
        answers = await asyncio.gather(*(agent.answer() for agent in agents))
        self.assertEqual([answer.agent for answer in answers], [f"a{i}" for i in range(50)])
        self.assertEqual({answer.outcome for answer in answers}, {"found"})

    # ---- many tasks that each read an agent

    async def read(self, agent, seen, enough):
        """Take in its answers until one is enough."""
        async for answer in agent:
            seen.append(answer)
            if enough(answer):
                return

    async def test_more_agents_are_iterated_over_than_a_client_has_watches(self):
        agents = await asyncio.gather(*(self.client.open_agent("arena", f"a{i}", (1.5, i % 10 + 0.5), GOAL) for i in range(300)))
        seen = [[] for _ in agents]
        tasks = [asyncio.create_task(self.read(agent, answers, lambda answer: answer.outcome == "no_path"))
                 for agent, answers in zip(agents, seen)]
        while not all(seen):
            await asyncio.sleep(0.01)
        await self.client.fill_rect("arena", 10, 0, 1, 10, 0)
        await asyncio.gather(*tasks)
        for agent, answers in zip(agents, seen):
            self.assertEqual({answer.agent for answer in answers}, {agent.name})
            self.assertEqual([answer.outcome for answer in (answers[0], answers[-1])], ["found", "no_path"])

    async def test_who_joins_a_shared_watch_gets_the_newest_and_it_ends_with_the_last_one(self):
        self.enterContext(unittest.mock.patch.object(shared_watch, "SHARED_FROM", 0))
        agents, _ = await self.open_many(self.client)
        stay = asyncio.create_task(self.read(agents[0], [], lambda answer: answer.goal_id == 5))
        for agent in (agents[1], agents[1], agents[2]):
            seen = []
            await self.read(agent, seen, lambda answer: True)
            self.assertEqual([answer.agent for answer in seen], [agent.name])
        self.assertEqual((await self.client.stats())["watches.open"], 1)
        with self.assertRaisesRegex(replan.ReplanError, 'no agent "scuot"'):
            await self.read(self.client.agent("arena", "scuot"), [], lambda answer: True)
        await agents[0].goto((2.5, 2.5), goal_id=5)
        await stay
        while (await self.client.stats())["watches.open"] != 0:
            await asyncio.sleep(0.01)
        await self.read(agents[3], [], lambda answer: True)

    async def test_who_shares_a_watch_hears_when_its_world_is_gone(self):
        self.enterContext(unittest.mock.patch.object(shared_watch, "SHARED_FROM", 0))
        for _ in range(2):
            agents, _ = await self.open_many(self.client)
            seen = [[] for _ in agents]
            tasks = [asyncio.create_task(self.read(agent, answers, lambda answer: False)) for agent, answers in zip(agents, seen)]
            while not all(seen):
                await asyncio.sleep(0.01)
            await self.client.remove_world("arena")
            for task in tasks:
                with self.assertRaisesRegex(replan.ReplanError, "arena.*UNKNOWN"):
                    await task
            await self.client.create_world("arena", 20, 10)

    async def test_a_shared_watch_that_ends_late_leaves_the_next_one_alone(self):
        self.enterContext(unittest.mock.patch.object(shared_watch, "SHARED_FROM", 0))
        agents, _ = await self.open_many(self.client)
        close, ending, go_on = replan.AsyncWatch.__aexit__, asyncio.Future(), asyncio.Event()

        async def late(watch, *raised):
            if ending.done():
                return await close(watch, *raised)
            ending.set_result(asyncio.current_task())
            await go_on.wait()
            raise replan.ReplanError("TIMEOUT", "no reply to Unwatch")
        self.enterContext(unittest.mock.patch.object(replan.AsyncWatch, "__aexit__", late))
        await self.read(agents[0], [], lambda answer: True)
        first, seen = await ending, []
        stay = asyncio.create_task(self.read(agents[1], seen, lambda answer: answer.goal_id == 5))
        while not seen:
            await asyncio.sleep(0.01)
        go_on.set()
        await asyncio.wait([first])
        await agents[1].goto((2.5, 2.5), goal_id=5)
        await stay

    async def test_whatever_ends_a_shared_watch_all_its_readers_hear_of_it(self):
        self.enterContext(unittest.mock.patch.object(shared_watch, "SHARED_FROM", 0))
        agents, _ = await self.open_many(self.client)
        with unittest.mock.patch.object(replan.AsyncWatch, "__anext__", side_effect=ValueError("odd")):
            reads = [self.read(agent, [], lambda answer: True) for agent in agents]
            heard = await asyncio.wait_for(asyncio.gather(*reads, return_exceptions=True), PATIENCE_S)
        self.assertEqual({repr(error) for error in heard}, {"ValueError('odd')"})
        await self.read(agents[0], [], lambda answer: True)

    # ---- poses that go together

    async def open_many(self, client):
        """Agents at the left side, and how to count the requests of what is done between two calls."""
        agents = [await client.open_agent("arena", f"a{i}", (1.5, i % 10 + 0.5), GOAL, lease_s=0) for i in range(40)]

        async def requests():
            return (await client.stats())["requests.taken"]
        return agents, requests

    def told(self, agents, seq):
        return [agent.pose(3.5 + i % 8, 4.5, pose_seq=seq) for i, agent in enumerate(agents)]

    async def test_poses_of_many_tasks_go_together_and_each_is_taken(self):
        agents, requests = await self.open_many(self.client)
        before = await requests()
        await asyncio.gather(*self.told(agents, 7))
        self.assertLess(await requests() - before, 20)
        for i, agent in enumerate(agents):
            answer = await agent.answer()
            self.assertEqual((answer.pose_seq, answer.path[0]), (7, (3 + i % 8, 4)))

    async def test_what_is_asked_after_poses_comes_after_them(self):
        agents, _ = await self.open_many(self.client)
        *_, answer = await asyncio.gather(*self.told(agents, 7), agents[-1].answer())
        self.assertEqual((answer.pose_seq, len(self.client._poses)), (7, 0))

    def gathers(self, **constants):
        """Counts the poses that wait for others."""
        self.enterContext(unittest.mock.patch.multiple(pose_batch, **constants))
        return self.enterContext(unittest.mock.patch.object(self.client, "_gather", wraps=self.client._gather))

    async def test_an_agent_alone_does_not_wait_for_others(self):
        agents, requests = await self.open_many(self.client)
        await agents[0].pose(2.5, 4.5)
        gather, before = self.gathers(MANY_HZ=0, PENDING=0), await requests()
        for seq in range(50):
            await agents[0].pose(2.5, 4.5, pose_seq=seq)
        self.assertEqual((gather.call_count, await requests() - before), (0, 51))

    async def test_tasks_that_wait_for_each_other_are_held_up_once(self):
        agents, requests = await self.open_many(self.client)
        gather, before = self.gathers(MANY_HZ=0, APART_S=PATIENCE_S), await requests()
        for agent in agents:
            await agent.pose(2.5, 4.5)
        self.assertEqual((gather.call_count, await requests() - before), (1, 41))

    async def test_one_refusal_is_of_its_agent_alone(self):
        for strict in False, True:
            async with replan.AsyncClient(self.daemon.control, timeout_s=PATIENCE_S, strict=strict) as client:
                agents, _ = await self.open_many(client)
                await self.client.agent("arena", "a20").close()
                results = await asyncio.gather(*self.told(agents, 7), return_exceptions=True)
                refused = [str(result) for result in results if result is not None]
                self.assertEqual(refused, ['agent: there is no agent "a20" in world "arena" (UNKNOWN)'][:strict])
                for agent in agents[:20] + agents[21:]:
                    self.assertEqual((await agent.answer()).pose_seq, 7)
                for agent in agents[:20] + agents[20 + strict:]:
                    await agent.close()

    async def test_poses_that_wait_end_with_their_tasks_and_with_the_client(self):
        agents, _ = await self.open_many(self.client)
        for end in ("task", "client"):
            with unittest.mock.patch.multiple(pose_batch, PENDING=0, APART_S=0), \
                    unittest.mock.patch.object(replan.aio, "GATHER_S", PATIENCE_S):
                tasks = [asyncio.create_task(pose) for pose in self.told(agents[:4], 8)]
                await asyncio.sleep(0)
                self.assertEqual(len(self.client._poses), 4)
                if end == "task":
                    tasks[1].cancel()
                    self.assertEqual([(await agent.answer()).pose_seq for agent in agents[:4]], [8, 0, 8, 8])
                    await asyncio.gather(tasks[0], *tasks[2:])
                else:
                    await self.client.close()
                for task in tasks if end == "client" else tasks[1:2]:
                    with self.assertRaises((replan.NoDaemon, asyncio.CancelledError)) as raised:
                        await task
                    self.assertEqual("closed" in str(raised.exception), end == "client")

    async def test_answers_of_an_agent_come_as_they_change(self):
        scout = await self.open_scout()
        seen = []
        async for answer in scout:
            seen.append(answer.outcome)
            if len(seen) == 1:
                await self.client.fill_rect("arena", 10, 0, 1, 10, 0)
            else:
                break
        self.assertEqual(seen, ["found", "no_path"])

    async def test_a_slow_reader_gets_the_newest(self):
        scout = await self.open_scout()
        async with await self.client.watch("arena") as watch:
            for i in range(600):
                await scout.goto((18.5, 1.5 + i % 2), goal_id=i + 1)
                while (await watch.next(PATIENCE_S)).goal_id != i + 1:
                    pass
            self.assertIsNone(await watch.next(0))

    async def test_cancelling_leaves_nothing_behind(self):
        scout = await self.open_scout()
        watch = await self.client.watch("arena")
        await watch.next(PATIENCE_S)
        reader = asyncio.create_task(watch.next())
        self.daemon.pause()
        calls = [asyncio.create_task(self.client.fill_rect("arena", 5, i, 1, 1, 2)) for i in range(5)]
        await asyncio.sleep(0.05)
        for task in (*calls, reader):
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
        self.assertEqual(self.client._replies, {})
        self.daemon.go_on()
        await self.client.fill_rect("arena", 10, 0, 1, 10, 0)
        answer = await watch.next(PATIENCE_S)
        while answer.outcome != "no_path":
            answer = await watch.next(PATIENCE_S)
        self.assertEqual((await scout.answer()).outcome, "no_path")
        while await watch.next(0.2) is not None:
            pass
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(watch.next(), 0.05)
        await watch.close()
        with self.assertRaisesRegex(replan.NoDaemon, "it was closed"):
            await watch.next()

    async def test_a_request_ends_when_its_own_time_is_over(self):
        await self.client.worlds()
        self.daemon.pause()
        short, longer, patient = (asyncio.create_task(self.client.request(timeout_s=limit_s, list_worlds={}))
                                  for limit_s in (0.1, 0.3, PATIENCE_S))
        for task, sentence in ((short, "no reply within 0.1 s"), (longer, "no reply within 0.3 s")):
            with self.assertRaisesRegex(replan.NoDaemon, sentence):
                await task
        self.assertEqual(len(self.client._replies), 1)
        self.daemon.go_on()
        self.assertEqual([info.world for info in (await patient).worlds.worlds], ["arena"])
        self.assertEqual(self.client._replies, {})

    async def test_what_came_is_read_though_there_is_no_room_to_send(self):
        await self.client.worlds()
        self.daemon.pause()
        asked = asyncio.create_task(self.client.worlds())
        for _ in range(3):
            await asyncio.sleep(0)  # it is sent, and what it came with is read
        self.daemon.go_on()
        with unittest.mock.patch.object(self.client, "_socket", Full(self.client._socket)):
            self.assertFalse(self.client._send(b""))
            for _ in range(3):
                await asyncio.sleep(0)
        self.assertTrue(asked.done())
        self.assertEqual([info.world for info in await asked], ["arena"])

    async def test_closing_ends_what_waits(self):
        watch = await self.client.watch("arena")
        reader = asyncio.create_task(watch.next())
        self.daemon.pause()
        call = asyncio.create_task(self.client.worlds())
        await asyncio.sleep(0.05)
        await self.client.close()
        for task in (reader, call):
            with self.assertRaisesRegex(replan.NoDaemon, "closed"):
                await task
        self.daemon.go_on()
        with self.assertRaisesRegex(replan.NoDaemon, "this client was closed"):
            await self.client.worlds()
        await self.client.close()

    async def test_refusals_and_wrong_arguments_are_the_same_errors(self):
        scout = await self.open_scout()
        for sentence, act in (
                ("change.x is -1", lambda: self.client.fill_rect("arena", -1, 0, 1, 1, 0)),
                ("outside the world of 20 x 10", lambda: self.client.set_cells("arena", [(20, 0)], 0)),
                ('wait is "soon"', lambda: self.client.fill_rect("arena", 0, 0, 1, 1, 0, wait="soon")),
                ("goal is 5", lambda: scout.goto(5)), ("pose.x is nan", lambda: scout.pose(float("nan"), 1)),
                ("agents is empty", lambda: self.client.order([], GOAL)),
                (r"agents\[0\] is 7", lambda: self.client.watch("arena", [7])),
                ('there is no agent "scuot"', lambda: self.client.watch("arena", "scuot")),
                ("timeout_s is -1", lambda: self.client.request(timeout_s=-1, list_worlds={})),
                ("path is empty", lambda: scout.valid([])),
                ("create_world.world .*has|EXISTS", lambda: self.client.create_world("arena", 20, 10)),
                ('there is no world "moon"', lambda: self.client.world("moon"))):
            with self.assertRaisesRegex(replan.ReplanError, sentence):
                await act()
        for sentence, control in (("7403 is no endpoint", "7403"), ("no daemon answers", "tcp://127.0.0.1:1")):
            with self.assertRaisesRegex(replan.NoDaemon, sentence):
                async with replan.AsyncClient(control):
                    pass

    async def test_worlds_and_mirrors(self):
        world = await self.client.world("arena")
        self.assertEqual((world.name, world.version, world.data), ("arena", 1, bytes([1]) * 200))
        async with await self.client.mirror("arena") as mirror:
            self.assertTrue(await mirror.follow(PATIENCE_S))
            await self.client.fill_rect("arena", 3, 2, 2, 2, 9)
            while mirror.version < 2:
                self.assertTrue(await mirror.follow(PATIENCE_S))
            self.assertEqual((mirror.version, bytes(mirror.data)), await self.client.snapshot("arena"))
        strict = replan.AsyncClient(self.daemon.control, timeout_s=PATIENCE_S, strict=True)
        async with strict:
            with self.assertRaisesRegex(replan.ReplanError, 'there is no agent "ghost"'):
                await strict.agent("arena", "ghost").pose(1.5, 1.5)


if __name__ == "__main__":
    unittest.main()
