#!/usr/bin/python3
"""The Python client over tcp: goto() and answer() one after the other, and the answers of one order, iterated.

usage: python_answers.py [--quick] [--agents N] REPLAND [FOLDER OF THE PACKAGE]

A world of 512 x 512, a quarter blocked, 100 goals, as in `replan-bench answers`. Rates by the wall clock, medians; beside
them processor time of this process, which a busy machine does not spoil. Prints Markdown.
"""

import argparse
import random
import statistics
import sys
import time

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--quick", action="store_true", help="fewer rounds")
parser.add_argument("--agents", type=int, default=10000)
parser.add_argument("repland")
parser.add_argument("package", nargs="?", default="build/release/python")
options = parser.parse_args()
sys.path.insert(0, options.package)

import replan  # noqa: E402

SIDE, GOALS = 512, 100
ORDERS = 4 if options.quick else 9
GOTOS = 300 if options.quick else 2000
POLICY = {"switch_gain_percent": 0, "min_interval_ms": 0, "lease_s": 0}

draw = random.Random(1)


def cells():
    """A quarter of the cells blocked, with free goals in the middle of free squares."""
    data = bytearray(0 if draw.random() < 0.25 else 1 for _ in range(SIDE * SIDE))
    goals = [(draw.randrange(2, SIDE - 2), draw.randrange(2, SIDE - 2)) for _ in range(GOALS)]
    for x, y in goals:
        for row in range(y - 1, y + 2):
            data[row * SIDE + x - 1:row * SIDE + x + 2] = b"\1\1\1"
    return bytes(data), [(x + 0.5, y + 0.5) for x, y in goals]


def rates(count, play):
    """Times a second of one play of so many, by the wall clock, and microseconds of this process each."""
    wall, cpu = time.perf_counter(), time.process_time()
    play()
    return count / (time.perf_counter() - wall), (time.process_time() - cpu) * 1e6 / count


def gotos(client, agent, goals):
    def play():
        for i in range(GOTOS):
            agent.goto(goals[i % len(goals)], goal_id=i + 1)
            assert agent.answer().goal_id == i + 1
    return rates(GOTOS, play)


def iterated(client, watch, agents, goals, order, decode):
    """Send all agents to goals, and iterate until each has answered."""
    def play():
        client.order(agents, goals, goal_ids=[order])
        left = len(agents)
        while left:
            answer = watch.next(60)
            if answer.goal_id == order:
                left -= 1
                if decode:
                    assert len(answer.path_array) != 0 or answer.outcome != "found"
    return rates(len(agents), play)


def told(name, samples):
    print(f"| {name} | {statistics.median(rate for rate, _ in samples):.0f} "
          f"| {statistics.median(cpu for _, cpu in samples):.1f} |", flush=True)


data, goals = cells()
print(f"# The Python client\n\n{options.agents} agents on {SIDE} x {SIDE}, {GOALS} goals.\n\n"
      "| | a second | CPU of the client, us each |\n|---|---|---|")
with replan.spawn(binary=options.repland, timeout_s=60) as client:
    client.create_world("field", SIDE, SIDE, data=data)
    free = [i for i in range(SIDE * SIDE) if data[i]]
    agents = []
    for i in range(options.agents):
        at = draw.choice(free)
        agents.append(client.open_agent("field", f"a{i}", (at % SIDE + 0.5, at // SIDE + 0.5), goals[0], **POLICY))
    told("goto() and answer(), one after the other",
         [gotos(client, agents[0], goals) for _ in range(3)])
    with client.watch("field") as watch:
        for decode in (False, True):
            samples = [iterated(client, watch, agents, [goals[(i + order) % GOALS] for i in range(len(agents))],
                                1000 * (1 + decode) + order, decode) for order in range(ORDERS)]
            told("answers of one order, iterated" + (", each with path_array" if decode else ""), samples[1:])
