#!/usr/bin/python3
"""Plays the same random inputs to two builds and compares what they answer once all is settled.

    tests/house/equal_answers.py BUILD_A BUILD_B [ROUNDS [SEED]]

Each round is a world of its own: noise, weights, rooms or a costmap; 4 or 8 neighbours; with or without
edges that join; bodies, profiles, and agents of every planner. In each of its steps agents walk, jump, get
goals, come and go; cells, shapes and windows change; the last change waits for `settled`. Then outcome,
cost, bound, `optimal`, waypoint, distance to the goal, length of the way out and planner of every answer are
compared; so are the replies to questions, and refusals. All agents switch to any cheaper path at once: what a
policy keeps depends on the clock. Steps of equal cost may differ; agents walk along those of BUILD_A.

A build may bring flags for its daemon: "build/release --workers 2". Round n of seed S is round 1 of seed
S + n - 1. Exit code: 0 no difference, 1 differences or a daemon that died, 2 bad arguments.
"""

import collections
import pathlib
import random
import shlex
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TOP / "tests" / "clients"))
import daemon  # noqa: E402

replan = None  # of BUILD_A: main() and tapes.py load it

WORLD = "moor"
STEPS = 12
GROUP = 9  # agents with one goal share a field from 8 on
TIMEOUT_S = 60  # a request with a deadline may get an interim answer at half of it
COMPARED = ("outcome", "cost", "bound", "optimal", "waypoint", "goal_distance", "escape", "planner")


def load_client(build):
    global replan
    sys.path.insert(0, str(build / "python"))
    import replan


def planners_of(build):
    """By id what each can do: words such as 4, 8, weighted, wrap, goal-set."""
    listed = subprocess.run([build / "bin" / "replan", "planners"], check=True, capture_output=True, text=True)
    return {line.split()[0]: line.split(" can ")[1].split()[0].split(",") for line in listed.stdout.splitlines()}


class Players:
    """The same requests to every daemon. Refusals are replies, too."""

    def __init__(self, clients):
        self._clients = clients
        self.place = ""  # where in the story we are, for a difference that is told
        self.compared = 0
        self.differences = 0
        self.tally = collections.Counter()  # of outcomes, and of planners whose path was compared

    def ask(self, what, call, view=lambda reply: None):
        """call(client) of each daemon. What view() makes of the replies must be equal.

        Returns the first daemon's reply; None when it was refused.
        """
        replies, views = [], []
        for client in self._clients:
            try:
                replies.append(call(client))
                views.append(view(replies[-1]))
            except replan.NoDaemon:
                raise
            except replan.ReplanError as error:
                replies.append(None)
                views.append(f"{error.status}: {error.sentence}")
        self.compared += 1
        self.tally["refused"] += isinstance(views[0], str)
        if any(other != views[0] for other in views):
            self.differences += 1
            print(f"{self.place}: {what}:", *(f"    {one}" for one in views), sep="\n", flush=True)
        return replies[0]

    def settle(self, change):
        """Until every session's newest answer is true, those that take long included."""
        def apply(client):
            while client.apply(change, wait="settled").overdue_agents:
                pass
        self.ask("change", apply)


class Round:
    """One world, from its making to its end."""

    def __init__(self, players, planners, seed):
        self._players = players
        self._planners = planners
        self._chance = random.Random(seed)
        self._ask = players.ask
        self._agents = {}  # by name: its planner
        self._paths = {}  # by name: as the first daemon answered
        self._opened = seed  # whose turn is which planner's

    def play(self):
        self._make_world()
        for _ in range(self._chance.randint(6, 11)):
            self._open_agent()
        if self._chance.random() < 0.3:
            self._open_group()
        for step in range(STEPS):
            self._players.place = f"{self._name}, step {step + 1}"
            for act in self._chance.choices(self._acts, self._weights, k=self._chance.randint(1, 6)):
                act()
            self._settle()
            self._compare()
        self._ask("end", lambda client: client.remove_world(WORLD))

    # ---- the world

    def _make_world(self):
        chance = self._chance
        self._kind = chance.choice(("noise", "noise", "weights", "rooms", "costmap"))
        self._width, self._height = chance.choice(((9, 7), (24, 24), (40, 30), (64, 64), (96, 50), (300, 200)))
        self._resolution = chance.choice((1.0, 0.5, 0.05))
        self._origin = chance.choice(((0.0, 0.0), (-3.25, 17.5)))
        self._wraps = chance.random() < 0.3
        self._acts = [self._walk, self._jump, self._set_goal, self._change, self._put_shape, self._remove_shapes,
                      self._open_agent, self._close_agent, self._order, self._question]
        self._weights = [8, 3, 6, 6, 2, 1, 1, 1, 1, 2]
        if not self._wraps:
            self._acts.append(self._shift)
            self._weights.append(0.5)
        self._profile = "costmap" if self._kind == "costmap" else chance.choice(("factor", "factor", "own"))
        factors = [0, 50, *(chance.choice((0, 1, 7, 50, 254, 255)) for _ in range(2, 256))]
        factors[253] = 0
        own = replan.profile("own", bytes(factors), 50, unknown=chance.choice(("free", "blocked", 90)), inscribed=b"\xfd")
        data = self._bytes(0, 0, self._width, self._height)
        neighbors = chance.choice((4, 8, 8))
        self._needs = {str(neighbors), *(["wrap"] if self._wraps else [])}
        self._name = (f"{self._kind} {self._width} x {self._height}, {neighbors} neighbours"
                      f"{', wraps' if self._wraps else ''}, {self._profile}, seed {self._opened}")
        self._players.place = self._name
        self._ask("world", lambda client: client.create_world(
            WORLD, self._width, self._height, data=data, resolution=self._resolution, origin=(*self._origin, 0.0),
            neighbors=neighbors, wraps=self._wraps, profile=self._profile, profiles=[own]))

    def _bytes(self, x, y, width, height):
        """Bytes of a rectangle, in the manner of this world."""
        chance = self._chance
        count = width * height
        if self._kind == "noise":
            blocked = chance.choice((0.0, 0.1, 0.25, 0.4))
            return bytes(0 if chance.random() < blocked else 1 for _ in range(count))
        if self._kind == "weights":
            return bytes(chance.choices((0, 1, 2, 5, 20, 254, 255), (20, 40, 10, 10, 10, 5, 5), k=count))
        if self._kind == "costmap":
            return bytes(chance.choices((0, 40, 120, 252, 253, 254, 255), (60, 10, 8, 4, 4, 8, 6), k=count))
        every = 8
        return bytes(0 if (column % every == 0 or row % every == 0) and chance.random() < 0.85 else 1
                     for row in range(y, y + height) for column in range(x, x + width))

    def _settle(self):
        self._players.settle(self._some_change())

    def _change(self):
        change = self._some_change()
        self._ask("change", lambda client: client.apply(change))

    def _some_change(self):
        """A rectangle or single cells, often beside an agent's path."""
        chance = self._chance
        x, y = self._cell()
        path = self._paths.get(self._some_agent())
        if path and chance.random() < 0.6:
            x, y = chance.choice(path)
        change = {"world": WORLD, "x": x, "y": y}
        change["width"] = min(chance.choice((1, 1, 2, 5, 20)), self._width - x)
        change["height"] = min(chance.choice((1, 1, 2, 5, 20)), self._height - y)
        what = chance.random()
        if what < 0.35:
            change["fill"] = self._byte()
        elif what < 0.7:
            change["data"] = self._bytes(x, y, change["width"], change["height"])
        else:
            cells = {self._index(*self._cell()) for _ in range(chance.choice((1, 3, 40)))}
            change = {"world": WORLD, "cells": sorted(cells | {self._index(x, y)}), "values": bytes([self._byte()])}
        return replan.replan_pb2.Change(**change)

    def _shift(self):
        """Another window of the plane."""
        chance = self._chance
        x, y = chance.randint(-4, 4), chance.randint(-4, 4)
        self._width = max(6, self._width + chance.choice((0, 0, -3, 5)))
        self._height = max(6, self._height + chance.choice((0, 0, -3, 5)))
        self._origin = (self._origin[0] + x * self._resolution, self._origin[1] + y * self._resolution)
        self._paths.clear()
        fill = self._byte()
        self._ask("window", lambda client: client.resize(WORLD, x, y, self._width, self._height, fill=fill))

    def _put_shape(self):
        chance = self._chance
        number, byte = chance.randint(1, 4), self._byte()
        x, y = self._point(*self._cell())
        if chance.random() < 0.5:
            radius = chance.uniform(0.3, 3) * self._resolution
            self._ask("disc", lambda client: client.put_disc(WORLD, number, x, y, radius, byte))
            return
        side = chance.uniform(0.5, 6) * self._resolution
        corners = [(x, y), (x + side, y), (x + side / 2, y + side)]
        self._ask("polygon", lambda client: client.put_polygon(WORLD, number, corners, byte))

    def _remove_shapes(self):
        numbers = self._chance.choice((None, [1, 2]))
        self._ask("shapes", lambda client: client.remove_shapes(WORLD, numbers))

    # ---- agents

    def _open_agent(self, goal=None, body=None):
        chance = self._chance
        able = [planner for planner, words in self._planners.items() if self._needs <= set(words)]
        if chance.random() < 0.15:  # the few that want even ground
            able = [planner for planner in able if "weighted" not in self._planners[planner]] or able
        self._opened += 1
        planner = able[self._opened % len(able)]
        name = f"{planner}.{self._opened}"
        body = body or self._some_body()
        goal = goal or self._some_goal(planner)
        start = self._point(*self._cell())
        policy = {"escape_m": chance.choice((0, 0, 2.0 * self._resolution)), "lease_s": 0, **self._some_policy()}
        opened = self._ask(f"{name} opens", lambda client: client.open_agent(
            WORLD, name, start, goal, planner=planner, **body, **policy))
        if opened is not None:
            self._agents[name] = planner

    def _open_group(self):
        goal = self._point(*self._cell())
        for _ in range(GROUP):
            self._open_agent(goal, {"radius": 0.0})

    def _some_policy(self):
        """One whose answers do not depend on the clock."""
        return {"switch_gain_percent": 0, "min_interval_ms": 0}

    def _some_body(self):
        radius = self._chance.choice((0, 0, 0, 1.2, 2.3)) * self._resolution
        if self._profile != "costmap" or self._chance.random() < 0.5:
            return {"radius": radius}
        return {"inscribed_radius": radius, "inflation_radius": 3 * self._resolution,
                "cost_scaling_factor": 1.0 / self._resolution}

    def _close_agent(self):
        if len(self._agents) > 3:
            name = self._some_agent()
            self._ask(f"{name} closes", lambda client: client.agent(WORLD, name).close())
            del self._agents[name]
            self._paths.pop(name, None)

    def _walk(self):
        """Along what the first daemon answered, and now and then beside it."""
        name = self._some_agent()
        path = self._paths.get(name)
        if path:
            x, y = path[min(self._chance.choice((1, 1, 2, 5)), len(path) - 1)]
            x = min(max(x + self._chance.choice((0, 0, 0, 1)), 0), self._width - 1)
            self._paths[name] = path[1:]
            self._pose(name, x, y)

    def _jump(self):
        self._pose(self._some_agent(), *self._cell())

    def _pose(self, name, x, y):
        point = self._point(x, y)
        self._ask(f"{name} moves", lambda client: client.agent(WORLD, name).pose(*point))

    def _set_goal(self):
        name = self._some_agent()
        goal = self._some_goal(self._agents.get(name))
        is_place = isinstance(goal, tuple)
        nearest = is_place and self._chance.random() < 0.3
        tolerance = self._chance.choice((0, 0, 2.0)) * self._resolution if is_place else 0
        self._ask(f"{name} gets a goal", lambda client: client.agent(WORLD, name).goto(
            goal, nearest=nearest, tolerance=tolerance))

    def _order(self):
        names = self._chance.sample(sorted(self._agents), min(4, len(self._agents)))
        place = self._point(*self._cell())
        self._ask("order", lambda client: client.order([client.agent(WORLD, name) for name in names], place))

    def _some_goal(self, planner):
        kind = self._chance.random()
        points = [self._point(*self._cell()) for _ in range(3)]
        if kind < 0.5:
            return points[0]
        if kind < 0.65:
            return replan.waypoints(points)
        if kind < 0.75 and self._agents:
            return replan.target(self._some_agent())
        if "goal-set" not in self._planners.get(planner, ()) and kind < 0.97:
            return points[0]  # the others refuse what follows
        if kind < 0.85:
            return points
        if kind < 0.93:
            return replan.region(points[0], points[1])
        x, y = zip(*points)
        return replan.replan_pb2.Goal(x=x, y=y, offsets=[self._chance.randint(0, 30) for _ in points])

    # ---- what is compared

    def _compare(self):
        for name in self._agents:
            answer = self._ask(name, lambda client: client.agent(WORLD, name).answer(),
                               lambda answer: {field: getattr(answer, field) for field in COMPARED})
            self._paths[name] = answer.path if answer is not None else None
            if answer is not None:
                self._players.tally[answer.outcome] += 1
                self._players.tally[answer.planner] += answer.outcome == "found"

    def _question(self):
        places = [self._point(*self._cell()) for _ in range(3)]
        name = self._some_agent()
        what = self._chance.choice(("costs", "probe", "field", "valid"))
        if what == "costs":
            self._ask(what, lambda client: client.costs(WORLD, places, places), lambda costs: costs)
        elif what == "probe":
            change = self._some_change()
            self._ask(what, lambda client: client.probe(change, [name], [places[:2]]), lambda costs: costs)
        elif what == "field":
            self._ask(what, lambda client: client.agent(WORLD, name).field(5), lambda field: field.costs)
        elif self._paths.get(name):
            path = self._paths[name]
            self._ask(what, lambda client: client.agent(WORLD, name).valid(path),
                      lambda valid: (valid.legal, valid.cost))

    # ---- chance

    def _some_agent(self):
        return self._chance.choice(sorted(self._agents)) if self._agents else ""

    def _cell(self):
        return self._chance.randrange(self._width), self._chance.randrange(self._height)

    def _index(self, x, y):
        return y * self._width + x

    def _point(self, x, y):
        """Somewhere in a cell, in metres."""
        inside = self._chance.choice((0.5, 0.5, 0.2, 0.9))
        return tuple(origin + (at + inside) * self._resolution for origin, at in zip(self._origin, (x, y)))

    def _byte(self):
        if self._kind == "costmap":
            return self._chance.choice((0, 0, 100, 253, 254, 255))
        return self._chance.choice((0, 0, 0, 1, 1, 3) if self._kind == "weights" else (0, 1))


def play(daemons, planners, rounds, seed, kind=Round):
    """Returns the players: they count what was compared."""
    players = Players([replan.Client(one.control, timeout_s=TIMEOUT_S) for one in daemons])
    for number in range(rounds):
        try:
            kind(players, planners, seed + number).play()
        except replan.NoDaemon as error:
            print(f"{players.place}: a daemon is gone: {error}")
            players.differences += 1
            break
    return players


def main():
    if len(sys.argv) not in (3, 4, 5):
        print(__doc__, file=sys.stderr)
        return 2
    told = [shlex.split(argument) for argument in sys.argv[1:3]]
    rounds, seed = (int(word) for word in (sys.argv[3:] + ["100", "1"][len(sys.argv) - 3:]))
    builds = [pathlib.Path(build) for build, *_ in told]
    load_client(builds[0])
    planners = planners_of(builds[0])
    with daemon.Daemon(builds[0] / "bin" / "repland", *told[0][1:]) as a, \
            daemon.Daemon(builds[1] / "bin" / "repland", *told[1][1:]) as b:
        players = play((a, b), planners, rounds, seed)
    counts = [f"{word} {count}" for word, count in players.tally.most_common()]
    print(f"compared: {', '.join(counts)}")
    print(f"equal answers: {rounds} rounds from seed {seed}, {players.compared} replies compared, "
          f"{players.differences} differences")
    return 1 if players.differences else 0


if __name__ == "__main__":
    sys.exit(main())
