#!/usr/bin/python3
"""Plays clients/story.json with the Python client: reads lines, writes lines. Used by test_story.py.

usage: story_player.py PYTHON_DIRECTORY plain|asyncio CONTROL

    call HEX             reply STATUS           a packed Request
    watch WORLD AGENT    ok
    mirror WORLD         ok
    answer               answer AGENT OUTCOME COST EPOCH VERSION; gone SENTENCE; none
    cells VERSION EPOCH  cells EPOCH VERSION BLOCKED, as soon as the mirror is there; none
    lost                 lost SENTENCE | SENTENCE ..
"""

import asyncio
import inspect
import logging
import sys

sys.path.insert(0, sys.argv[1])

import replan  # noqa: E402
from replan import replan_pb2 as pb  # noqa: E402

PATIENCE_S = 60.0


async def settled(value):
    """Of asyncio what is awaited, of the plain client what it returned."""
    return await value if inspect.isawaitable(value) else value


class Player:
    def __init__(self, client):
        self.client, self.watch, self.mirror = client, None, None

    async def call(self, packed):
        request = pb.Request.FromString(bytes.fromhex(packed))
        kind = request.WhichOneof("body")
        try:
            await settled(self.client.request(**{kind: getattr(request, kind)}))
            return "reply OK"
        except replan.ReplanError as error:
            return f"reply {error.status}"

    async def begin_watch(self, world, agent):
        self.watch = await settled(self.client.watch(world, agent))
        return "ok"

    async def begin_mirror(self, world):
        self.mirror = await settled(self.client.mirror(world))
        return "ok"

    async def answer(self):
        try:
            found = await settled(self.watch.next(PATIENCE_S))
        except replan.ReplanError as error:
            return f"gone {error.sentence}"
        if found is None:
            return "none"
        return f"answer {found.agent} {found.outcome} {found.cost} {found.epoch} {found.version}"

    async def cells(self, version, epoch):
        mirror = self.mirror
        while not (mirror.is_whole and mirror.epoch >= int(epoch) and mirror.version >= int(version)):
            try:
                if not await settled(mirror.follow(PATIENCE_S)):
                    return "none"
            except replan.ReplanError as error:
                assert error.status == "UNKNOWN", error  # once: then it waits for the world
        return f"cells {mirror.epoch} {mirror.version} {mirror.data.count(0)}"

    async def lost(self):
        return f"lost {' | '.join(self.watch.lost)}"

    async def play(self):
        acts = {"call": self.call, "watch": self.begin_watch, "mirror": self.begin_mirror, "answer": self.answer,
                "cells": self.cells, "lost": self.lost}
        loop = asyncio.get_running_loop()
        is_async = isinstance(self.client, replan.AsyncClient)
        while line := await loop.run_in_executor(None, sys.stdin.readline) if is_async else sys.stdin.readline():
            word, *words = line.split()
            print(await acts[word](*words), flush=True)


async def main(kind, control):
    if kind == "plain":
        with replan.Client(control, timeout_s=PATIENCE_S) as client:
            await Player(client).play()
    else:
        async with replan.AsyncClient(control, timeout_s=PATIENCE_S) as client:
            await Player(client).play()


logging.getLogger("replan").setLevel(logging.ERROR)  # the runner asks for the words
asyncio.run(main(*sys.argv[2:4]))
