#!/usr/bin/python3
"""What replan.local plans, printed: so that what one machine plans can be compared with what another one does.

usage: local_plans.py [PLANS]; the package is found as Python finds it
"""

import random
import sys
import zlib

import replan
import replan.local

PLANS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
rng = random.Random(1)


def grid_of(width, height, weights):
    return [[0 if rng.random() < 0.25 else rng.choice(weights) for _ in range(width)] for _ in range(height)]


def cell(width, height):
    return rng.randrange(width), rng.randrange(height)


def told(found):
    path = ",".join(f"{x}:{y}" for x, y in found.path)
    return f"{found.outcome} {found.cost!r} {found.expanded} {zlib.crc32(path.encode()):08x}"


def plan(number):
    """One planner, one grid, three changes."""
    width, height = rng.randrange(4, 41), rng.randrange(4, 41)
    planner = rng.choice(replan.local.planners())
    grid = grid_of(width, height, rng.choice(((1,), (1, 1, 1, 3, 200))))
    try:
        found = replan.local.plan(grid, cell(width, height), cell(width, height), planner=planner, neighbors=rng.choice((4, 8)))
        told_of = [told(found)]
        for _ in range(3):
            change = (*cell(width, height), rng.choice((0, 1)))
            told_of.append(told(found.repair([change], start=cell(width, height))))
        print(number, planner, *told_of)
    except replan.ReplanError as error:
        print(number, planner, error.status)


def engine_plans():
    """Agents with bodies, whose answers change."""
    with replan.local.Engine() as engine:
        engine.create_world("arena", 40, 40, data=b"".join(map(bytes, grid_of(40, 40, (1,) * 9 + (4,)))))
        for i in range(20):
            start, goal = ((x + 0.5, y + 0.5) for x, y in (cell(40, 40), cell(40, 40)))
            engine.open_agent("arena", f"a{i}", start, goal, radius=rng.choice((0.0, 0.6)), tolerance=rng.choice((0.0, 3.3)))
        for turn in range(20):
            engine.fill_rect("arena", *cell(38, 38), 2, 2, byte=rng.choice((0, 1)))
            for answer in sorted(engine.step(), key=lambda answer: answer.agent):
                print(turn, answer.agent, answer.outcome, answer.reason, repr(answer.cost), zlib.crc32(repr(answer.path).encode()))


def curves():
    """Vehicles on their ways, to the last bit."""
    with replan.local.Engine() as engine:
        engine.create_world("yard", 30, 30)
        for i, motion in enumerate((replan.car(2.0, headings_most=16), replan.spot(1.0, headings_most=16),
                                    replan.car(1.5, reverse=True, gear_change=1.0, headings_most=16))):
            engine.open_agent("yard", f"a{i}", (3.5 + 8 * i, 3.5, 0.5), replan.facing((26.5 - 8 * i, 26.5), 1.0), radius=0.7, motion=motion)
        for turn in range(6):
            engine.fill_rect("yard", rng.randrange(2, 28), rng.randrange(6, 24), 2, 1, byte=0)
            for answer in sorted(engine.step(), key=lambda answer: answer.agent):
                print(turn, answer.agent, answer.outcome, repr(answer.cost), zlib.crc32(repr(answer.segments).encode()))


for number in range(PLANS):
    plan(number)
engine_plans()
curves()
