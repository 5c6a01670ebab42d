#!/usr/bin/python3
"""A robot drives over a costmap to its goal; somebody steps into its way, and leaves again.

Bytes are costmap_2d's, poses and paths are metres of the map's frame: what a ROS node has at hand.
Start the daemon first: build/release/bin/repland
"""
import math
import sys

import replan

LETHAL = 254
SIZE = (200, 120)  # cells of 5 cm: 10 m x 6 m, the frame's origin in the middle


def length(points: list[tuple[float, float]]) -> float:
    return sum(math.dist(a, b) for a, b in zip(points, points[1:]))


if sys.argv[1:] == ["--help"]:
    sys.exit(__doc__)
control = sys.argv[1] if sys.argv[1:] else replan.CONTROL
with replan.Client(control) as client:
    client.create_world("hall", *SIZE, resolution=0.05, origin=(-5.0, -3.0, 0.0), profile="costmap")
    client.fill_rect("hall", x=95, y=0, width=10, height=60, byte=LETHAL)  # a wall, open above
    robot = client.open_agent("hall", "robot", start=(-4.0, -2.0), goal=(4.0, -2.0),
                              inscribed_radius=0.25, inflation_radius=0.6, cost_scaling_factor=5.0,
                              follow_radius_m=0.1,   # so far off the path it still follows it
                              answer_within_ms=50)   # never longer without something legal
    watch = client.watch("hall", "robot")  # paths are pushed; nobody polls
    path: list[tuple[float, float]] = []
    metres, tick = 0.0, 0
    while True:
        answer = watch.next(0.01 if path else 5.0)  # None: the path still holds
        if answer and answer.outcome == "arrived":
            break
        if answer:
            path = answer.way_points[:-1] + answer.points  # out of a blocked cell, if it is on one, then on
            print(f"{metres:4.1f} m driven: {answer.outcome} ({answer.reason}), "
                  f"{length(path):.2f} m to go, {len(answer.bends)} bends")
        metres += length(path[:3])
        path = path[2:] or path[-1:]
        tick += 1
        robot.pose(*path[0])  # as localisation would tell it
        if tick == 10:  # seen by a sensor; without news of it the disc goes by itself
            client.put_disc("hall", 1, *path[len(path) // 2], radius=0.4, byte=LETHAL, ttl_s=10.0)
        if tick == 20:
            client.remove_shapes("hall", [1])
    print(f"{metres:4.1f} m driven: {answer.outcome}")
    client.remove_world("hall")
