#!/usr/bin/python3
"""AStar2D of Godot 3 beside replan.local, on the grid of bench/javascript.mjs: a table, as Markdown.

usage: godot.py GODOT FOLDER_OF_THE_PACKAGE [ROUNDS]

512 x 512 cells, a fifth blocked, corner to corner, 8 neighbours without cutting corners. After each plan a cell in the middle of Godot's path is
blocked, and both plan again; every cost is compared. Processor time, which a busy machine spoils least: of Godot, which plans from scratch each time,
that of a run less that of one without rounds, which makes the graph, by its plans; of replan.local medians, with the call from Python.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

if len(sys.argv) < 3:
    sys.exit(__doc__)
GODOT, PACKAGE, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 9
sys.path.insert(0, PACKAGE)

import replan.local  # noqa: E402

SIDE = 512
END = (SIDE - 1, SIDE - 1)


def matrix():
    """As the one of bench/javascript.mjs."""
    state, rows = 1, []
    for _ in range(SIDE):
        row = []
        for _ in range(SIDE):
            state = (state * 1664525 + 1013904223) % 2**32
            row.append(int(state * 5 >> 32 != 0))
        rows.append(row)
    rows[0][0] = rows[-1][-1] = 1
    return rows


def play(grid, rounds):
    """What Godot says: its processor time in us, and [(kind, cell, cost), ..]."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "grid")
        with open(name, "w") as file:
            file.write(f"{SIDE} {rounds}\n" + "".join("".join("#."[cell] for cell in row) + "\n" for row in grid))
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers", "godot_grid.gd")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run([GODOT, "--no-window", "--script", script], env={**os.environ, "REPLAN_GRID": name, "HOME": folder}, cwd=folder,
                              check=True, capture_output=True, text=True)
    spent = (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) * 1e6
    told = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("replan ")]
    return spent, [(kind, int(cell[0]) if cell else None, float(cost)) for kind, *cell, cost in told]


def timed(act):
    began = time.thread_time()
    found = act()
    return (time.thread_time() - began) * 1e6, found


def check(theirs, found):
    if abs(theirs - found.cost) > 1e-6:
        sys.exit(f"costs differ: {theirs} {found.cost}")


grid = matrix()
times = {}
kept = replan.local.plan(grid, (0, 0), END)
unused, _ = play(grid, 0)
spent, plans = play(grid, ROUNDS)
for kind, cell, cost in plans:
    if kind == "scratch":
        for planner in ("astar", "jps"):
            fresh = replan.local.plan(grid, END, END, planner=planner)
            took, found = timed(lambda: fresh.repair(start=(0, 0)))
            times.setdefault(planner, []).append(took)
            check(cost, found)
    else:
        change = cell % SIDE, cell // SIDE
        took, found = timed(lambda: kept.repair([(*change, 0)]))
        times.setdefault("auto", []).append(took)
        check(cost, found)
        kept.repair([(*change, 1)])
theirs = (spent - unused) / len(plans)
print("| us | Godot's AStar2D | replan.local | times |\n|---|---|---|---|")
for planner, what in (("astar", "from scratch, A*"), ("jps", "from scratch, jump points"), ("auto", "a cell of the path is blocked, then the path")):
    ours = statistics.median(times[planner])
    print(f"| {what} | {theirs:,.0f} | {ours:,.0f} | {theirs / ours:,.1f} |")
