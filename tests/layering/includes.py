#!/usr/bin/env python3
"""Includes point down: from box to box, and inside a box from room to room.

    tests/layering/includes.py

A box may include only from the boxes listed behind it, and of some of those only from a few rooms. Inside a
box whose rooms are listed, a room may include the rooms that its arrow names, and what those may include; no
includes form a circle; no folder has too many files, no file too many lines; a function is defined in the
file of its noun. The last four are figures of shape.py, which measures everything.
"""

import re
import sys

import shape

# What a box may include beside itself.
BOXES = {
    "base": [],
    "planners": ["base"],
    "engine": ["base", "planners"],
    "files": ["base", "planners"],
    "msgs": ["base"],
    "store": ["base", "msgs"],
    "clients/c": ["base", "files", "msgs"],
    "tools/mcap": ["base", "files", "msgs", "clients/c"],
    "daemon": ["base", "planners", "engine", "files", "msgs", "store", "clients/c", "tools/mcap"],
    "clients/ros2": ["base", "files", "msgs", "clients/c"],
    "clients/wasm": ["base", "planners", "engine", "files"],
    "view": ["base"],
    "sim": ["base", "files", "msgs", "clients/c", "view"],
    "tools": ["base", "planners", "engine", "files", "msgs", "store", "clients/c", "clients/ros2", "tools/mcap",
              "view"],
    "gppc": ["base", "planners", "files"],
    "bench": ["base", "planners", "engine", "files", "msgs", "store", "daemon", "clients/c", "gppc"],
}

# Which rooms of planners/ other boxes enter: the public headers, and what benches and tables look into.
ENTERED = {
    "engine": ["include", "lattice", "motion"],
    "files": ["include"],
    "daemon": ["include"],
    "clients/wasm": ["include", "grid"],
    "tools": ["include", "grid", "papers", "lattice", "motion"],
    "gppc": ["include", "grid", "jump"],
    "bench": ["include", "grid", "portfolio", "papers", "guide", "lattice", "motion"],
}

# Inner folders are of their room; "" are the files on top.
ROOMS = {
    "planners": {
        "include": [],
        "motion": ["include"],
        "grid": ["include"],
        "open": ["grid"],
        "guide": ["open"],
        "lattice": ["motion", "guide"],
        "bits": ["grid"],
        "jump": ["open", "bits"],
        "field": ["open", "bits"],
        "repair": ["open", "field"],
        "core": ["grid"],
        "members": ["jump", "field", "repair", "core"],
        "papers": ["members"],
        "portfolio": ["members"],
    },
    "engine": {
        "include": [],
        "layers": ["include"],
        "ground": ["layers"],
        "sharing": ["ground"],
        "paths": ["layers"],
        "session": ["sharing", "paths"],
        "query": ["session"],
        "": ["query"],
        "engine": [""],
        "examples": ["include"],
    },
    "daemon": {
        "process": [],
        "net": ["process"],
        "connections": ["net"],
        "workers": ["net"],
        "serving": ["workers"],
        "rules": ["serving"],
        "requests": ["rules"],
        "": ["requests", "connections"],
    },
}


def below(rooms, room):
    """The room, and all that it may include."""
    found = {room}
    for other in rooms[room]:
        found |= below(rooms, other)
    return found


def place_of(path):
    """Box and room: of daemon/net/peer.h they are daemon and net, of daemon/daemon.h daemon and ""."""
    box = next(box for box in BOXES if path.startswith(box + "/"))
    inner = path[len(box) + 1:].split("/")
    return box, inner[0] if len(inner) > 1 else ""


def is_allowed(path, target):
    """True when the file at `path` may include the one at `target`."""
    box, room = place_of(path)
    other, entered = place_of(target)
    if other != box:
        is_open = other != "planners" or entered in ENTERED.get(box, [])
        return other in BOXES[box] and is_open
    return box not in ROOMS or entered in below(ROOMS[box], room)


def arrows():
    for path, target in shape.include_lines(*BOXES):
        box, room = place_of(path)
        if box in ROOMS and room not in ROOMS[box]:
            yield f"{path}: its room is not listed in tests/layering/includes.py"
        elif not is_allowed(path, target):
            yield f"{path} may not include {target}"


def main():
    boxes = tuple(box + "/" for box in ROOMS)
    broken = sorted(set(arrows()))
    broken += ["circle: " + " ".join(circle) for circle in shape.components(shape.includes())]
    broken += [line for figure in (shape.folders, shape.long_files, shape.strangers)
               for line in figure()[2] if re.search("(?:^|: )(?:" + "|".join(boxes) + ")", line)]
    print("\n".join(broken) or "includes: all arrows point down, no circle, no folder too full")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
