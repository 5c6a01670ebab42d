#!/usr/bin/env python3
"""What calls of the Python package take, in this process and through a daemon: tables, as Markdown on stdout.

usage: python.py BUILD_FOLDER [local] [asyncio] [--agents N] [--hz N] [--seconds N]

local: replan.local, CPU time of a change, a step and its answer.
asyncio: agents that tell where they are so many times a second, each time beyond their goal, off their path, so that each pose has
an answer; CPU time of the program, and the time from a pose to its answer. Goals are few, so what the daemon plans is cheap.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import statistics
import sys
import time

SIDE = 256
GOALS = 10
WARM_S = 1.0


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="a build folder, which has python/ and bin/")
    parser.add_argument("parts", nargs="*", metavar="local | asyncio", help="all of them")
    parser.add_argument("--agents", type=int, default=1000)
    parser.add_argument("--hz", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=10.0)
    return parser.parse_args()


def row(*columns):
    print("| " + " | ".join(str(column) for column in columns) + " |", flush=True)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


# ---- in this process


def toggle(engine, world, cells, count):
    """Microseconds of a change, a step and its answer each; and how often there was an answer, and its length."""
    took, lengths = [], []
    for i in range(count):
        x, y = cells[i % len(cells)]
        byte = i // len(cells) % 2
        began = time.thread_time_ns()
        engine.fill_rect(world, x, y, 1, 1, byte)
        answers = engine.step()
        took.append((time.thread_time_ns() - began) / 1000)
        lengths += [len(answer.line.steps) + 1 for answer in answers if answer.line is not None]
    return took, lengths


def local(replan):
    rng = random.Random(1)
    print("## replan.local: a change, a step, its answer, microseconds of CPU time\n")
    row("world", "change", "median", "99 of 100", "answers", "cells of a path")
    row(*["---"] * 6)
    for side in (64, 512):
        for about, cells in (("beside the path", [(side // 2, 1)]), ("on the path", [(side // 2, side // 2)])):
            engine = replan.local.Engine()
            engine.create_world("w", side, side)
            engine.open_agent("w", "a", start=(1.5, side // 2 + 0.5), goal=(side - 1.5, side // 2 + 0.5))
            engine.step()
            report(engine, f"{side} x {side}, free", about, cells)
        engine = replan.local.Engine()
        data = bytes(0 if rng.random() < 0.2 else 1 for _ in range(side * side))
        engine.create_world("w", side, side, data=data)
        for cell in ((1, 1), (side - 2, side - 2)):
            engine.fill_rect("w", *cell, 1, 1, 1)
        agent = engine.open_agent("w", "a", start=(1.5, 1.5), goal=(side - 1.5, side - 1.5))
        path = agent.answer().path
        engine.step()
        bends = path[len(path) // 2:len(path) // 2 + 1]
        report(engine, f"{side} x {side}, a fifth blocked", "on the path", bends)
    print()


def report(engine, world, about, cells):
    toggle(engine, "w", cells, 200)
    took, lengths = toggle(engine, "w", cells, 2000)
    row(world, about, f"{statistics.median(took):.1f}", f"{percentile(took, 0.99):.1f}", len(lengths),
        f"{statistics.mean(lengths):.0f}" if lengths else "-")


# ---- through a daemon


class Fleet:
    """Agents that jump from one side of their goals to the other: no path from there leads through the place before."""

    def __init__(self, agents, goals, rng):
        self.agents = agents
        self.sent = {agent.name: {} for agent in agents}  # when, by pose_seq
        self.goals = {agent.name: goals[i % len(goals)] for i, agent in enumerate(agents)}
        self.offsets = {agent.name: (rng.randrange(5, 95), rng.randrange(-95, 95)) for agent in agents}
        self.took_ms = []
        self.answers = 0

    def place(self, agent, seq):
        (x, y), (off_x, off_y) = self.goals[agent.name], self.offsets[agent.name]
        return (x + off_x, y + off_y) if seq % 2 else (x - off_x, y - off_y)

    def note_sent(self, agent, seq):
        self.sent[agent.name][seq] = time.monotonic()

    def take(self, answer):
        """Its pose, and those before it that it left out, are answered."""
        now, waiting = time.monotonic(), self.sent[answer.agent]
        self.answers += 1
        for seq in [seq for seq in waiting if seq <= answer.pose_seq]:
            self.took_ms.append(1000 * (now - waiting.pop(seq)))


async def one_by_one(fleet, hz, stop):
    """A task for each agent."""
    async def live(agent, phase):
        next_at = time.monotonic() + phase
        seq = 0
        while not stop.is_set():
            await asyncio.sleep(max(0.0, next_at - time.monotonic()))
            seq += 1
            fleet.note_sent(agent, seq)
            await agent.pose(*fleet.place(agent, seq), pose_seq=seq)
            next_at += 1 / hz
    await asyncio.gather(*(live(agent, i / len(fleet.agents) / hz) for i, agent in enumerate(fleet.agents)))


async def together(fleet, hz, stop, client):
    """All poses in one request."""
    next_at, seq = time.monotonic(), 0
    while not stop.is_set():
        await asyncio.sleep(max(0.0, next_at - time.monotonic()))
        seq += 1
        places = [fleet.place(agent, seq) for agent in fleet.agents]
        for agent in fleet.agents:
            fleet.note_sent(agent, seq)
        await client.poses(fleet.agents, places, pose_seq=seq)
        next_at += 1 / hz


async def read(watch, fleet):
    async for answer in watch:
        fleet.take(answer)


async def play(replan, control, how, options):
    rng = random.Random(2)
    async with replan.AsyncClient(control) as client:
        await client.create_world("crowd", SIDE, SIDE)
        goals = [(rng.randrange(100, SIDE - 100) + 0.5, rng.randrange(100, SIDE - 100) + 0.5) for _ in range(GOALS)]
        agents = [await client.open_agent("crowd", f"a{i}", start=(SIDE / 2, SIDE / 2), goal=goals[i % GOALS])
                  for i in range(options.agents)]
        fleet = Fleet(agents, goals, rng)
        reader = asyncio.create_task(read(await client.watch("crowd"), fleet))
        stop = asyncio.Event()
        talk = together(fleet, options.hz, stop, client) if how == "poses()" else one_by_one(fleet, options.hz, stop)
        talker = asyncio.create_task(talk)
        await asyncio.sleep(WARM_S)
        fleet.took_ms.clear()
        fleet.answers, used, began = 0, time.process_time(), time.monotonic()
        await asyncio.sleep(options.seconds)
        passed = time.monotonic() - began
        cores = (time.process_time() - used) / passed
        answers, took = fleet.answers, list(fleet.took_ms)
        stop.set()
        await talker
        reader.cancel()
        await client.remove_world("crowd")
    row(how, f"{len(took) / passed:.0f}", f"{answers / passed:.0f}", f"{cores:.2f}", f"{statistics.median(took):.1f}",
        f"{percentile(took, 0.99):.1f}", f"{max(took):.1f}")


def through_a_daemon(replan, options):
    print(f"## AsyncClient: {options.agents} agents at {options.hz:g} Hz, each pose off the path; {SIDE} x {SIDE} cells, "
          f"{GOALS} goals, {options.seconds:g} s\n")
    row("poses by", "poses answered a second", "answers a second", "cores", "ms from pose to answer, median", "99 of 100", "worst")
    row(*["---"] * 7)
    with replan.spawn() as client:
        for how in ("poses()", "a task for each agent"):
            asyncio.run(play(replan, client.endpoints["control"], how, options))
    print()


def main():
    options = parse()
    sys.path.insert(0, os.path.join(options.build, "python"))
    import replan
    import replan.local

    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    parts = options.parts or ["local", "asyncio"]
    if "local" in parts:
        local(replan)
    if "asyncio" in parts:
        through_a_daemon(replan, options)


main()
