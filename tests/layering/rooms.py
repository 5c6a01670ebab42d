#!/usr/bin/env python3
"""Rooms inside a box: which may include which, and that none is too full.

    tests/layering/rooms.py

Of each box whose rooms are listed here: a file includes of its own box only what its room's arrow allows; no
includes form a circle; no folder has too many files, no file too many lines; a function is defined in the
file of its noun. The figures are those of shape.py, which measures all boxes and holds none to them.
"""

import re
import sys

import shape

# A room may include the rooms that its arrow names, and what those may include. Inner folders are of their room.
ROOMS = {
    "engine": {
        "include": [],
        "layers": ["include"],
        "ground": ["layers"],
        "sharing": ["ground"],
        "paths": ["layers"],
        "session": ["sharing", "paths"],
        "query": ["session"],
        "": ["query"],  # the files on top
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
        "": ["requests", "connections"],  # the files on top
    },
}


def below(rooms, room):
    """The room, and all that it may include."""
    found = {room}
    for other in rooms[room]:
        found |= below(rooms, other)
    return found


def room_of(node):
    """Of `daemon/net/peer` it is `net`, of `daemon/daemon` the top."""
    parts = node.split("/")
    return parts[1] if len(parts) > 2 else ""


def arrows(box, graph):
    for node, others in sorted(graph.items()):
        if not node.startswith(box + "/"):
            continue
        if room_of(node) not in ROOMS[box]:
            yield f"{node}: its room is not listed in tests/layering/rooms.py"
            continue
        allowed = below(ROOMS[box], room_of(node))
        for other in sorted(others):
            if other.startswith(box + "/") and room_of(other) not in allowed:
                yield f"{node} may not include {other}"


def main():
    boxes = tuple(box + "/" for box in ROOMS)
    graph = shape.includes()
    broken = [line for box in ROOMS for line in arrows(box, graph)]
    broken += ["circle: " + " ".join(circle) for circle in shape.components(graph) if circle[0].startswith(boxes)]
    broken += [line for figure in (shape.folders, shape.long_files, shape.strangers)
               for line in figure()[2] if re.search("(?:^|: )(?:" + "|".join(boxes) + ")", line)]
    print("\n".join(broken) or "rooms: " + ", ".join(ROOMS) + ": all arrows point down, no circle, none too full")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
