#!/usr/bin/env python3
"""Writes the tables of a document from a folder of results: tables.py bench/results/<machine> docs/planners.md

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
            row.append("; ".join(f"{heap['ns'] / lists[name]['ns']:.2f}" for name in ("buckets", "HOT")) +
                       f" ({heap['plans']})" if heap and heap["plans"] else "-")
        rows.append(row)
    return markdown(["cells in OPEN"] + [f"{kind}: buckets; HOT" for kind in kinds], rows) + origin(results)


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


FSA = ("iA*", "LPA*", "FSA*", "FSA* log", "FSA* buckets", "A* buckets", "Fringe", "D* Lite", "GAA*", "MPGAA*")


def place_of(group):
    return [f"{group['closeness']:.1f}", f"{group['rate']:.2f}"]


def fsa_times(folder):
    results = load(folder, "fsa-table1")
    rows = []
    for group in results["groups"]:
        ns = {name: contender["ns"] for name, contender in by_name(group).items()}
        rows.append(place_of(group) + [f"{ns['A*'] / ns[name]:.2f}" for name in FSA] +
                    [min(ns, key=ns.get)])
    return markdown(["closeness", "rate", *FSA, "fastest"], rows) + origin(results)


def fsa_expanded(folder):
    rows = []
    for group in load(folder, "fsa-table1")["groups"]:
        of = by_name(group)
        rows.append(place_of(group) + [f"{of[name]['expanded'] / of[name]['plans']:.0f}"
                                       for name in ("A*",) + FSA])
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


TABLES = {"open-lists": open_lists, "gaa": gaa, "fsa-times": fsa_times, "fsa-expanded": fsa_expanded, "fringe": fringe}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, document = sys.argv[1:]
    with open(document, encoding="utf-8") as file:
        text = file.read()

    def written(match):
        lines = TABLES[match.group(1)](folder)
        return f"<!-- table {match.group(1)} -->\n" + "\n".join(lines) + "\n<!-- end -->"

    text = re.sub(r"<!-- table ([\w-]+) -->\n.*?<!-- end -->", written, text, flags=re.S)
    with open(document, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
