"""The cases of clients/bridge_cases.json, played on a bridge: tests of both bridges have a class on top of Cases."""

import json
import math
import os
import random
import sys
import time

import replan

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from patience import PATIENCE_S  # noqa: E402

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "clients", "bridge_cases.json")) as text:
    CASES = json.load(text)["cases"]

UPRIGHT = (0.0, 0.0, 0.0, 1.0)
FIRST = {"width": 40, "height": 40, "corner": [-1.0, -1.0], "yaw": 0.0, "resolution": 0.1, "frame": "map", "rects": []}


def turn(yaw):
    return 0.0, 0.0, math.sin(yaw / 2.0), math.cos(yaw / 2.0)


def bytes_of(costmap):
    data = bytearray(costmap["width"] * costmap["height"])
    for x, y, width, height, byte in costmap["rects"]:
        for row in range(y, y + height):
            data[row * costmap["width"] + x:row * costmap["width"] + x + width] = bytes([byte]) * width
    return data


class Cases:
    """Beside unittest.TestCase. A bridge gives: begin_case(settings), begin_again(), end_case(), control, daemon; show(costmap, data, corner, turn);
    place(x, y, yaw=0.0); frame(x, y, yaw); aim(x, y, turn, frame); and next_plan(timeout_s), as points and yaws, or None."""

    def play(self, case):
        self.costmap, self.data = dict(FIRST), None
        self.begin_case(case.get("settings", {}))
        try:
            for number, step in enumerate(case["steps"]):
                self.where = f"{case['name']}, step {number}: {step}"
                verb = next(iter(step))
                getattr(self, "do_" + verb)(step[verb], step)
        finally:
            self.end_case()

    def show_it(self):
        self.data = bytes_of(self.costmap)
        self.show(self.costmap, self.data, self.costmap["corner"], turn(self.costmap["yaw"]))

    def do_costmap(self, changes, _):
        self.costmap.update(changes)
        self.show_it()

    def do_bad(self, what, _):
        costmap, data, corner, turned = dict(self.costmap), bytes(self.data), self.costmap["corner"], UPRIGHT
        if what == "one byte too few":
            data = data[1:]
        elif what == "no cells":
            costmap["width"] = costmap["height"] = 0
            data = b""
        elif what == "corner not a number":
            corner = [math.nan, 0.0]
        elif what == "quaternion of length 0":
            turned = (0.0, 0.0, 0.0, 0.0)
        elif what == "corner beyond 1e9 m":
            corner = [2e9, 0.0]
        elif what == "no frame":
            costmap["frame"] = ""
        elif what == "frame of 65 letters":
            costmap["frame"] = "m" * 65
        else:
            costmap["resolution"] = 0.0
        self.show(costmap, data, corner, turned)

    def do_robot(self, at, _):
        self.place(*at)

    def do_frame(self, at, _):
        self.frame(*at)

    def do_goal(self, at, step):
        x, y, yaw = (float(number) for number in at)
        self.aim(x, y, turn(yaw), step.get("in", "map"))

    # ---- plans

    def byte_at(self, x, y):
        """Of the newest costmap; None: outside."""
        (left, low), yaw, resolution = self.costmap["corner"], self.costmap["yaw"], self.costmap["resolution"]
        east, north = x - left, y - low
        column = math.floor((math.cos(yaw) * east + math.sin(yaw) * north) / resolution)
        row = math.floor((math.cos(yaw) * north - math.sin(yaw) * east) / resolution)
        is_inside = 0 <= column < self.costmap["width"] and 0 <= row < self.costmap["height"]
        return self.data[row * self.costmap["width"] + column] if is_inside else None

    def is_near(self, a, b, metres):
        return math.dist(a, b) <= metres

    def fits(self, plan, wanted):
        points, yaws = plan
        if not points:
            return wanted.get("empty", False)
        cell = self.costmap["resolution"]
        checks = {
            "from": lambda at: self.is_near(points[0], at, 0.01),
            "to": lambda at: self.is_near(points[-1], at, 0.01 if cell == 0.1 and not self.costmap["yaw"] else cell),
            "above": lambda y: max(point[1] for point in points) > y,
            "below": lambda y: max(point[1] for point in points) < y,
            "starts": lambda all_of: all(self.is_near(a, b, 0.01) for a, b in zip(points, all_of)),
            "yaws": lambda all_of: len(all_of) == len(yaws) and all(self.is_turn(a, b) for a, b in zip(yaws, all_of)),
            "yaws_end": lambda yaw: self.is_turn(yaws[-1], yaw),
            "turns": lambda radius: self.are_arcs(points, yaws, radius) is not None,
            "backwards": lambda share: self.are_arcs(points, yaws, 0.0) == share,
            "clear": lambda _: not any(self.byte_at(*point) in (253, 254) for point in points),
        }
        return all(checks[key](value) for key, value in wanted.items())

    def are_arcs(self, points, yaws, radius):
        """The share of poses that are reached backwards; None: one does not follow from the one before on an arc of at least this radius."""
        backwards = 0
        for i in range(len(points) - 1):
            way, turned = math.dist(points[i], points[i + 1]), math.remainder(yaws[i + 1] - yaws[i], math.tau)
            middle = yaws[i] + turned / 2.0
            ahead = (points[i + 1][0] - points[i][0]) * math.cos(middle) + (points[i + 1][1] - points[i][1]) * math.sin(middle)
            if way > self.costmap["resolution"] + 1e-6 or abs(turned) * radius > 1.01 * way + 1e-6 or abs(abs(ahead) - way) > 1e-4:
                return None
            backwards += ahead < 0.0
        return backwards / max(1, len(points) - 1)

    def is_turn(self, a, b):
        return abs(math.remainder(a - b, 2.0 * math.pi)) < 1e-6

    def do_plan(self, wanted, _):
        until, told = time.monotonic() + PATIENCE_S, []
        while time.monotonic() < until:
            plan = self.next_plan(until - time.monotonic())
            if plan is not None and self.fits(plan, wanted):
                return
            told.append(plan and (plan[0][:2], plan[0][-1:], plan[1][-1:]))
        self.fail(f"{self.where}: no such plan came, but {told}")

    def do_noise(self, count, step):
        chance, plans, began = random.Random(34), 0, time.monotonic()
        for _ in range(count):
            self.place(*(chance.gauss(at, step["deviation"]) for at in step["around"]))
            plans += self.next_plan(0.03) is not None
        self.assertLessEqual(plans, time.monotonic() - began, self.where)

    # ---- the daemon's world

    def is_world(self, info, data, wanted):
        geometry = info.geometry
        corner, yaw = wanted.get("corner", self.costmap["corner"]), wanted.get("yaw", self.costmap["yaw"])
        return (data == bytes(self.data) and self.is_turn(geometry.origin_yaw, yaw) and
                geometry.resolution == wanted.get("resolution", self.costmap["resolution"]) and
                self.is_near((geometry.origin_x, geometry.origin_y), corner, 1e-9))

    def do_world(self, wanted, _):
        until, told = time.monotonic() + PATIENCE_S, None
        with replan.Client(self.control(), timeout_s=PATIENCE_S) as client:
            while time.monotonic() < until:
                try:
                    told = client.worlds()
                    if len(told) == 1 and self.is_world(told[0], bytes(client.snapshot(told[0].world)[1]), wanted):
                        return
                except replan.ReplanError as error:  # it is made anew just now
                    told = error
                time.sleep(0.01)
        self.fail(f"{self.where}: the world is not this, but {told}")

    def do_shifts(self, count, step):
        left, low = self.costmap["corner"]
        for shift in range(1, count + 1):
            self.costmap["corner"] = [left + shift * step["by"][0], low + shift * step["by"][1]]
            self.show_it()
        self.do_world({}, step)

    def do_others(self, what, _):
        if "restart" in what:
            self.daemon.kill()
            self.daemon.start_again()
            return
        if "bridge" in what:
            self.begin_again()
            return
        with replan.Client(self.control(), timeout_s=PATIENCE_S) as client:
            if "remove" in what:
                client.remove_world("nav2")
            for shift in range(what.get("shift", 0)):
                client.resize("nav2", 1 if shift % 2 else -1, 0, self.costmap["width"], self.costmap["height"], fill=255)
