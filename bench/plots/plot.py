#!/usr/bin/env python3
"""Draws the plots of a folder of results: plot.py bench/results/<machine>

Reads fsa-table1.json, fringe-table*.json, beyond.json and scale-wire.json there, as far as they exist, and leaves an .svg and a
.png of each plot beside them. Needs gnuplot.
"""

import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# One colour for each contender of the largest suite.
PALETTE = [f"set linetype {i + 1} lc rgb '{colour}'" for i, colour in enumerate((
    "#000000", "#8c564b", "#1f77b4", "#2ca02c", "#98df8a", "#006400", "#d62728", "#ff7f0e",
    "#9467bd", "#e377c2", "#17becf", "#bcbd22"))]


def load(folder, name):
    path = os.path.join(folder, name + ".json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def quoted(text):
    return "'" + str(text).replace("'", "''") + "'"


def array(name, texts):
    """A gnuplot array of strings."""
    return f"array {name}[{len(texts)}] = [{', '.join(quoted(text) for text in texts)}]"


def draw(folder, script, output, blocks, *settings):
    """Run one .gp with data, a list of blocks of rows, once for each format."""
    with tempfile.NamedTemporaryFile("w", suffix=".dat", delete=False) as data:
        for block in blocks:
            data.write("".join(" ".join(map(str, row)) + "\n" for row in block) + "\n\n")
    target = os.path.join(folder, output)
    for terminal, suffix in (("pngcairo", "png"), ("svg", "svg")):
        commands = [f"data = {quoted(data.name)}",
                    f"set terminal {terminal} size 1200, 800 font 'sans,12' background 'white'",
                    f"set output {quoted(target + '.' + suffix)}", *PALETTE, *settings]
        subprocess.run(["gnuplot", "-e", "; ".join(commands), os.path.join(HERE, script)], check=True)
    os.unlink(data.name)
    print(target + ".png")


def head(results, what):
    return f"{results['commit']}, {results['cpu']}, {results['units']} {what}"


def decades(blocks):
    """One range for all panels, so that they can be compared by eye: whole powers of ten. x is no value."""
    values = [value for block in blocks for row in block for value in row[1:] if value != "NaN" and value > 0]
    return f"set yrange [{10.0 ** math.floor(math.log10(min(values)))}:{10.0 ** math.ceil(math.log10(max(values)))}]"


def by_name(group):
    return {contender["name"]: contender for contender in group["contenders"]}


def plot_fsa_time(folder, results):
    groups = results["groups"]
    names = [contender["name"] for contender in groups[0]["contenders"]]
    closenesses = sorted({group["closeness"] for group in groups})
    blocks = []
    for closeness in closenesses:
        rows = [group for group in groups if group["closeness"] == closeness]
        blocks.append([[row["rate"]] + [by_name(row)[name]["us_p50"] for name in names]
                       for row in sorted(rows, key=lambda row: row["rate"])])
    draw(folder, "fsa-time.gp", "fsa-time", blocks, array("names", names),
         array("panels", [f"closeness {closeness}" for closeness in closenesses]),
         "heading = " + quoted("Median time of a replan against the change rate (" + head(results, "worlds") + ")"),
         decades(blocks))


def plot_fsa_winners(folder, results):
    groups = results["groups"]
    rates = sorted({group["rate"] for group in groups})
    closenesses = sorted({group["closeness"] for group in groups})
    winners = {}
    for group in groups:
        order = sorted(group["contenders"], key=lambda contender: contender["ns"])
        lead = order[1]["ns"] / order[0]["ns"]
        winners.setdefault(order[0]["name"], []).append(
            (rates.index(group["rate"]), closenesses.index(group["closeness"]), f"{lead:.1f}x"))
    everybody = [contender["name"] for contender in groups[0]["contenders"]]
    names = [name for name in everybody if name in winners]
    colours = [everybody.index(name) + 1 for name in names]  # as in the other plot
    draw(folder, "fsa-winners.gp", "fsa-winners", [winners[name] for name in names],
         array("names", names), f"array colours[{len(colours)}] = {colours}",
         "set xtics (" + ", ".join(f"'{rate:.2f}' {i}" for i, rate in enumerate(rates)) + ")",
         "set ytics (" + ", ".join(f"'{c:.1f}' {i}" for i, c in enumerate(closenesses)) + ")",
         f"set xrange [-0.5:{len(rates) - 0.5}]", f"set yrange [-0.5:{len(closenesses) - 0.5}]",
         "heading = " + quoted("Fastest replans, and times as fast as the next (" + head(results, "worlds") + ")"))


def plot_fringe_errors(folder, results, table):
    blocks = []
    titles = []
    for model in ("octiles", "tiles"):
        rows = []
        for group in results["groups"]:
            if group["model"] != model or "error_above" not in group or not group["contenders"]:
                continue
            if group["contenders"][0]["plans"] < 3:
                continue  # too few to say anything
            error = group["error_above"]
            middle = 0.5 if error < 0 else 1.5 * max(error, 0.67)
            means = []
            for name in ("A*", "Fringe", "ME-IDA*"):
                contender = by_name(group).get(name)
                plans = contender["plans"] if contender else 0
                means += [contender["expanded"] / plans, contender["visited"] / plans] if plans else ["NaN"] * 2
            rows.append([middle] + means)
        blocks.append(rows)
        titles.append(model)
    draw(folder, "fringe-errors.gp", table + "-errors", blocks, array("panels", titles),
         "heading = " + quoted(f"{table}: cells a search against the error of the heuristic ({head(results, 'maps')})"),
         decades(blocks))


def plot_beyond(folder, results):
    rows, names = [], []
    for protocol in results["protocols"]:
        for group in protocol["groups"]:
            us = {name: contender["us_p50"] for name, contender in by_name(group).items()}
            single = [name for name in us if name != "auto" and "when cut" not in name and "no idle time" not in name]
            if "auto" in us and "A*" in us and us["auto"] > 0:
                best = min(single, key=us.get)
                against = group.get("auto against " + best, {}).get("p50", us["auto"] / us[best])
                rows.append([len(rows), against, max(1.0, us["A*"] / us["auto"])])
                names.append((protocol["protocol"] + ": " + group["cell"]).replace("%", "%%"))  # a format
    draw(folder, "beyond.gp", "beyond", [rows], array("names", names),
         "heading = " + quoted(f"Beyond the papers ({results['commit']}, {results['cpu']})"))


def plot_scale_wire(folder, results):
    cases = results["cases"]
    rows = [[percent] + [case["quantiles_ms"][percent] for case in cases] for percent in range(101)]
    draw(folder, "scale-wire.gp", "scale-wire", [rows], array("names", [case["case"] for case in cases]),
         "heading = " + quoted(f"Change to settled over tcp ({results['commit']}, {results['cpu']})"))


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = sys.argv[1]
    fsa = load(folder, "fsa-table1")
    if fsa is not None:
        plot_fsa_time(folder, fsa)
        plot_fsa_winners(folder, fsa)
    beyond = load(folder, "beyond")
    if beyond is not None:
        plot_beyond(folder, beyond)
    scale = load(folder, "scale-wire")
    if scale is not None:
        plot_scale_wire(folder, scale)
    for table in ("fringe-table1", "fringe-table2"):
        fringe = load(folder, table)
        if fringe is not None:
            plot_fringe_errors(folder, fringe, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
