#!/usr/bin/python3
"""What an expansion costs each planner: time, instructions, cache misses, as a Markdown table.

usage: profile.py REPLAN [PLANNER...]

One session with fixed ends, a quarter of 300 x 300 cells blocked, and 20 plans with 20 cells that
changed near the goal before each. Instructions and misses are those of valgrind's cachegrind (first
level 32 KiB, last 512 KiB), as counters of the hardware are not to be had everywhere: the session's
less those of the same session with its first plan alone, by the expansions of the other plans. Times
are CPU times of a run without valgrind, over the same plans. Both hold all that a plan does: changes
taken in, search, path.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

SIDE, PLANS, CHANGED, NEAR = 300, 20, 20, 40
CACHES = ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=524288,8,64"]


def session(neighbors, plans):
    chance = random.Random(1)
    lines = ["replan-script 1", f"size {SIDE} {SIDE}", f"neighbors {neighbors}"]
    ends = ((10, 10), (SIDE - 60, SIDE - 40))
    lines += [f"start {ends[0][0]} {ends[0][1]}", f"goal {ends[1][0]} {ends[1][1]}"]
    near = range(-NEAR, NEAR)
    for y in range(SIDE):
        lines += [f"set {x} {y} 1 1 0" for x in range(SIDE) if chance.random() < 0.25 and (x, y) not in ends]
    for plan in range(PLANS):
        for _ in range(CHANGED if plan else 0):
            x, y = ends[1][0] + chance.choice(near), ends[1][1] + chance.choice(near)
            if (x, y) not in ends:
                lines.append(f"set {x} {y} 1 1 {int(chance.random() < 0.75)}")
        if plan < plans:
            lines.append("plan")
    return "\n".join(lines) + "\n"


def counters(command, folder):
    """Instructions, first-level and last-level misses of data."""
    out = os.path.join(folder, "cachegrind")
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=yes", *CACHES, f"--cachegrind-out-file={out}",
                           *command], capture_output=True, text=True)
    found = {key: int(value.replace(",", "")) for key, value in
             re.findall(r"(I +refs|D1 +misses|LLd misses): +([\d,]+)", done.stderr)}
    return [found[key] for key in sorted(found, key=lambda key: ("I", "D", "L").index(key[0]))]


def profile(replan, planner, scripts, folder):
    """None when the planner does not serve such a world."""
    commands = [[replan, "run", script, "--planner", planner, "--json"] for script in scripts]
    done = subprocess.run(commands[0], capture_output=True, text=True)
    if done.returncode == 3:
        return None
    plans = [json.loads(line) for line in done.stdout.splitlines()][1:]
    expanded = sum(plan["expanded"] for plan in plans)
    micros = sum(plan["micros"] for plan in plans)
    some, one = (counters(command, folder) for command in commands)
    each = [(a - b) / expanded for a, b in zip(some, one)]
    return expanded / len(plans), micros * 1000.0 / expanded, *each


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    replan = sys.argv[1]
    listed = subprocess.run([replan, "planners"], capture_output=True, text=True, check=True).stdout
    planners = sys.argv[2:] or [line.split()[0] for line in listed.splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        for neighbors in (4, 8):
            scripts = []
            for plans in (PLANS, 1):
                scripts.append(os.path.join(folder, f"{neighbors}-{plans}"))
                with open(scripts[-1], "w", encoding="utf-8") as file:
                    file.write(session(neighbors, plans))
            print(f"\n| {neighbors} neighbours | cells expanded a plan | ns an expansion | instructions "
                  "| first-level misses | last-level misses |\n|---|---|---|---|---|---|")
            for planner in planners:
                row = profile(replan, planner, scripts, folder)
                if row is not None:
                    print(f"| `{planner}` | {row[0]:.0f} | {row[1]:.0f} | {row[2]:.0f} | {row[3]:.2f} | {row[4]:.2f} |",
                          flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
