#!/usr/bin/env python3
"""Writes the tables of a document from a folder of results: tables.py bench/results/<machine> docs/planners.md README.md

A table stands between `<!-- table NAME -->` and `<!-- end -->`; whatever was between them is replaced. Figures come from the
.json of a suite, those of the papers from its .md.
"""

import json
import os
import re
import sys


def load(folder, name):
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def printed(folder, name):
    """The rows of all tables that a suite printed, each with the heading above it."""
    heading = ""
    rows = []
    with open(os.path.join(folder, name + ".md"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                heading = line.lstrip("# ").strip()
            elif line.startswith("|") and not line.startswith("|--"):
                rows.append((heading, [cell.strip() for cell in line.strip().strip("|").split("|")]))
    return rows


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def origin(*suites):
    """Where and how the figures were taken."""
    first = suites[0]
    return ["", f"Commit {first['commit'].rstrip('+')}, {first['cpu']}, {first['cores']} cores, "
                f"gcc {first['compiler']}, seed {first['seed']}."]


def by_name(group):
    return {contender["name"]: contender for contender in group["contenders"]}


def open_lists(folder):
    results = load(folder, "open-lists")
    kinds = list(dict.fromkeys(group["kind"] for group in results["groups"]))
    sizes = list(dict.fromkeys(group["open_above"] for group in results["groups"]))
    cells = {(group["kind"], group["open_above"]): by_name(group) for group in results["groups"]}
    rows = []
    for size in sizes:
        row = [f"above {size}"]
        for kind in kinds:
            lists = cells.get((kind, size)) or {}
            heap = lists.get("heap")
            row.append(f"{heap['ns'] / lists['buckets']['ns']:.2f}" +
                       f" ({heap['plans']})" if heap and heap["plans"] else "-")
        rows.append(row)
    return markdown(["cells in OPEN"] + [f"{kind}: buckets" for kind in kinds], rows) + origin(results)


def gaa(folder):
    rows = printed(folder, "gaa-table1") + printed(folder, "gaa-table2")
    columns = list(dict.fromkeys(heading for heading, row in rows))

    def cell(heading, name, place):
        return next(row[place] for at, row in rows if at == heading and row[0] == name)

    def share(heading, name):
        """Cells that a contender expands for each of A*'s; the paper's beside it."""
        def all_of(contender):
            parts = [re.match(r"(\d+)(?: \((\d+)\))?", cell(heading, contender, place)) for place in (1, 2)]
            return [sum(int(part.group(side) or 0) for part in parts if part) for side in (1, 2)]
        ours, paper = all_of(name)
        base, base_paper = all_of("A*, heap")
        return f"{ours / base:.2f}" + (f" ({paper / base_paper:.2f})" if paper else "")

    lines = [
        ["fast for each slow (paper)", [cell(k, "GAA* variant 1, heap", 3) for k in columns]],
        ["GAA* expands, against A* (paper)", [share(k, "GAA*, heap") for k in columns]],
        ["MPGAA* expands, against A*", [share(k, "MPGAA*") for k in columns]],
        ["A* expands a search (paper)", [cell(k, "A*, heap", 1) for k in columns]],
        ["variant 1, time against A* on a heap (paper)", [cell(k, "GAA* variant 1, heap", 5) for k in columns]],
        ["D* Lite, time against A* on a heap", [cell(k, "D* Lite", 5) for k in columns]],
    ]
    return (markdown([""] + columns, [[name] + cells for name, cells in lines]) +
            origin(load(folder, "gaa-table1")))


FSA = ("iA*", "LPA*", "FSA*", "FSA* buckets", "A* buckets", "Fringe", "D* Lite", "GAA*", "MPGAA*")


def fsa_contenders(group):
    """By name. Older results have two ways of putting OPEN back: a walk, which is gone, and the copies ("FSA* log")."""
    of = by_name(group)
    if "FSA* log" in of:
        of["FSA*"] = of.pop("FSA* log")
    return of


def place_of(group):
    return [f"{group['closeness']:.1f}", f"{group['rate']:.2f}"]


def fsa_times(folder):
    results = load(folder, "fsa-table1")
    rows = []
    for group in results["groups"]:
        ns = {name: contender["ns"] for name, contender in fsa_contenders(group).items()}
        rows.append(place_of(group) + [f"{ns['A*'] / ns[name]:.2f}" for name in FSA] + [min(ns, key=ns.get)])
    return markdown(["closeness", "rate", *FSA, "fastest"], rows) + origin(results)


def fsa_expanded(folder):
    results = load(folder, "fsa-table1")
    rows = []
    for group in results["groups"]:
        of = fsa_contenders(group)
        rows.append(place_of(group) + [f"{of[name]['expanded'] / of[name]['plans']:.0f}" for name in ("A*", *FSA)])
    return markdown(["closeness", "rate", "A*", *FSA], rows)


def fringe(folder):
    rows = []
    for table in (1, 2):
        lines = printed(folder, f"fringe-table{table}")
        head = next(row for heading, row in lines if row[1:2] == ["A* octiles"])
        of = {row[0]: dict(zip(head, row)) for heading, row in lines if row[0] != "" or row is head}
        times = {(row[1], row[0]): row[3] for heading, row in lines if heading == "Time"}
        for model in ("octiles", "tiles"):
            for name in ("A*", "Fringe", "ME-IDA*", "A* buckets"):
                column = f"{name} {model}"
                rows.append([f"table {table}, {model}", name] +
                            [of[line][column] for line in ("Iterations", "N-visited", "N-expanded", "N-expanded-last")] +
                            [times[name, model]])
    head = ["", "", "iterations", "visited", "expanded", "expanded-last", "times as fast as A* on a heap"]
    return markdown(head, rows) + origin(load(folder, "fringe-table1"))


# ---- "How fast" of the README, from beyond.json

def us(value):
    """Microseconds as a reader needs them."""
    return f"{value:.2f}" if value < 0.995 else f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def times(ratio):
    return f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}" if ratio < 999.5 else f"{float(f'{ratio:.3g}'):,.0f}"


class Results:
    """beyond.json by protocol and row."""

    def __init__(self, folder):
        self.all = load(folder, "beyond")

    def row(self, protocol, cell):
        groups = next(one["groups"] for one in self.all["protocols"] if one["protocol"] == protocol)
        return next(group for group in groups if group["cell"] == cell)

    def rows(self, protocol):
        return next(one["groups"] for one in self.all["protocols"] if one["protocol"] == protocol)

    def us(self, protocol, cell, name):
        return by_name(self.row(protocol, cell))[name]["us_p50"]

    def idle(self, protocol, cell, name="auto"):
        return self.row(protocol, cell)["idle_time"][name]

    def target(self, what):
        return next(target["ours"] for target in self.all["targets"] if target["what"] == what)

    def peers(self, cell):
        return next((row for row in self.all["peers"] if row["name"] == cell), {})

    def against(self, protocol, cell, ours, names):
        """"A* on a heap 12, ...": how many times as fast as each `ours` is. names: (as printed, as in the results)"""
        own = self.us(protocol, cell, ours)
        return [f"{printed} {times(self.us(protocol, cell, name) / own)}" for printed, name in names]

    def against_peers(self, cell, names):
        row = self.peers(cell)
        return [f"{printed} {times(row[name] / row['auto, no idle time'])}" for printed, name in names if name in row]


HEAP = ("A* on a heap", "A*")
NO_IDLE = "auto, no idle time"


def how_fast(folder):
    of = Results(folder)
    game, ground, building = "BigGameHunters", "random 25 %, 1000 x 1000", "random 25 %"
    robot = "1000 x 1000, 5 events a tick"
    churn = [by_name(group)["auto"]["us_p50"] for group in of.rows("P1")]
    writing = [by_name(group)["auto"]["grid_ns"] / by_name(group)["auto"]["plans"] / 1000 for group in of.rows("P1")]
    boost = [("Boost's A*", "Boost A*"), ("PathFinding.js", "PathFinding.js A*")]
    rows = [
        ["a query on a game map of 512 x 512, 8 neighbours, nothing prepared", us(of.us("static-8", game, NO_IDLE)),
         of.against("static-8", game, NO_IDLE, [HEAP]) + of.against_peers(game + ", 8 neighbours", boost)],
        ["the same on 1000 x 1000, 4 neighbours, a quarter blocked", us(of.us("static-4", ground, NO_IDLE)),
         of.against("static-4", ground, NO_IDLE, [HEAP]) + of.against_peers(ground + ", 4 neighbours", boost[:1])],
        ["cells round the goal come and go there, before each plan (sixteen rows, means)",
         f"{us(min(churn))} to {us(max(churn))}, of that {us(min(writing))} to {us(max(writing))} to write the grid",
         [f"{name} {times(of.target(f'P1: mean against {key}'))}" for name, key in
          (HEAP, ("LPA*", "LPA*"), ("FSA*", "FSA*"), ("the best published of each row", "the best published"))]],
        ["a target that flees through a maze whose walls move", us(of.us("P2", "k = 1", "auto")),
         of.against("P2", "k = 1", "auto", [HEAP])],
        ["a robot on an inflated costmap of 1000 x 1000, clutter in front of it; inflation left out",
         us(of.us("P5", robot, "auto")),
         of.against("P5", robot, "auto", [("D* Lite", "D* Lite"), ("A* only when the path is cut", "A* when cut")])],
        ["one building comes or goes on 1000 x 1000, no idle time", us(of.us("P4", building, NO_IDLE)),
         of.against("P4", building, NO_IDLE, [HEAP, ("D* Lite", "D* Lite"), ("`cert` alone", "CERT, no idle time")])],
    ]
    return markdown(["", "us a plan", "times as fast as"], [row[:2] + [", ".join(row[2])] for row in rows])


def how_fast_short(folder):
    """The head and three rows of how_fast(): a query from scratch, changes near the goal, a robot."""
    lines = how_fast(folder)
    return lines[:2] + [lines[2 + row] for row in (0, 2, 4)]


def idle_time(folder):
    of = Results(folder)
    rows = []
    for what, protocol, cell in (
            ("one building comes or goes, 4 neighbours", "P4", "random 25 %"),
            ("the same, 8 neighbours", "P4-8", "random 25 %"),
            ("a walk on a map that is wrong in 2 of 100 cells", "P3", "prior map 2 % wrong, random 25 %"),
            ("a query on a game map", "static-8", "BigGameHunters"),
            ("a query in a maze", "static-8", "maze512-1-0")):
        case = of.idle(protocol, cell)
        pays = case["pays_off_after"]
        rows.append([what] + [us(case[key]["us"]) + ("" if protocol == "static-8" else f" ({us(case[key]['p999'])})")
                              for key in ("free", "none", "charged")] +
                    [us(case["used_us"] / 1000), f"{pays:,.0f}" if pays is not None else "never"])
    return markdown(["us a plan (999 of 1000)", "idle time free", "none", "all charged", "ms of it a world",
                     "pays off after, plans"], rows)


def how_fast_origin(folder):
    results = load(folder, "beyond")
    heap = [target["ours"] for target in results["targets"] if "an expansion of the heap A*" in target["what"]]
    return [f"From [one run](bench/results/{os.path.basename(folder.rstrip('/'))}/beyond.md) of `replan-bench beyond --quick`: "
            f"commit {results['commit'].rstrip('+')}, {results['cpu']}, {results['cores']} cores, gcc {results['compiler']}, "
            f"{results['load_before']:.1f} programs at work before it, A* on a heap takes {min(heap):.0f} to {max(heap):.0f} ns an expansion; {results['bounds_missed']} of its "
            f"{results['bounds']} bounds are missed."]


TABLES = {"open-lists": open_lists, "gaa": gaa, "fsa-times": fsa_times, "fsa-expanded": fsa_expanded, "fringe": fringe,
          "how-fast": how_fast, "how-fast-short": how_fast_short, "idle-time": idle_time, "how-fast-origin": how_fast_origin}


def write(folder, document):
    with open(document, encoding="utf-8") as file:
        text = file.read()

    up = "../" * os.path.normpath(document).count("/") if not os.path.isabs(document) else ""

    def written(match):
        lines = [line.replace("](bench/", f"]({up}bench/") for line in TABLES[match.group(1)](folder)]
        return f"<!-- table {match.group(1)} -->\n" + "\n".join(lines) + "\n<!-- end -->"

    text = re.sub(r"<!-- table ([\w-]+) -->\n.*?<!-- end -->", written, text, flags=re.S)
    with open(document, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for document in sys.argv[2:]:
        write(sys.argv[1], document)


if __name__ == "__main__":
    main()
