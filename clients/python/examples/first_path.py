#!/usr/bin/python3
"""A world, an agent, and a wall across its path: the path is replanned.

Start the daemon first: build/release/bin/repland
"""
import sys

import replan

WIDTH, HEIGHT = 16, 8


def draw(path: list[tuple[int, int]], walls: list[tuple[int, int]]) -> None:
    for y in range(HEIGHT):
        row = ((x, y) for x in range(WIDTH))
        print("".join("#" if c in walls else "o" if c in path else "." for c in row))


if sys.argv[1:] == ["--help"]:
    sys.exit(__doc__)
control = sys.argv[1] if sys.argv[1:] else replan.CONTROL
with replan.Client(control) as client:
    client.create_world("hello", WIDTH, HEIGHT)
    scout = client.open_agent("hello", "scout", start=(1.5, 4.5), goal=(14.5, 4.5))
    before = scout.answer()
    print(before)
    draw(before.path, walls=[])

    client.fill_rect("hello", x=8, y=2, width=1, height=6, byte=0)  # 0 blocks
    after = scout.answer()
    print(after)
    draw(after.path, walls=[(8, y) for y in range(2, 8)])

    client.remove_world("hello")
