"""`replan map` reads maps as map_server does: the shared robot maps, and odd files, cell by cell.

usage: test_map_server.py REPLAN [--any-memory]    the shared maps are in $REPLAN_MAPS
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import map_server  # noqa: E402
import odd_maps  # noqa: E402

RESIDENT_MAX_KB = 24 * 1024

failed = []


def run(*arguments):
    """Exit code, stderr, peak of memory in kB."""
    process = subprocess.Popen([replan, "map", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    with process.stderr:
        said = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, said, usage.ru_maxrss


def read_cells(path, folder):
    """Occupancies, or what was said instead."""
    out = os.path.join(folder, "cells.raw")
    code, said, _ = run(path, "--out", out)
    if code != 0:
        return said
    with open(out, "rb") as file:
        return [map_server.published(byte) for byte in file.read()]


def fail(name, why):
    failed.append(name)
    print(f"{name}: {why}")


def check(name, path, expected, folder):
    cells = read_cells(path, folder)
    if isinstance(cells, str):
        fail(name, cells)
    elif cells != expected:
        at = next((i for i, pair in enumerate(zip(cells, expected)) if pair[0] != pair[1]), -1)
        fail(name, f"cell {at} of {len(cells)}, {len(expected)} expected: {cells[at]}, not {expected[at]}")


def check_refused(name, path, says):
    code, said, resident_kb = run(path)
    if code != 2 or says not in said or said.count("\n") != 1:
        fail(name, f"exit code {code}, {said!r} instead of {says!r}")
    if resident_kb > RESIDENT_MAX_KB and not any_memory:
        fail(name, f"took {resident_kb} kB")


def check_back(name, path, folder):
    """Written as a YAML and read again: the same cells, and the same frame."""
    again = os.path.join(folder, "again.yaml")
    code, said, _ = run(path, "--out", again)
    if code != 0 or said:
        fail(name, f"cannot be written: {said}")
    elif read_cells(again, folder) != read_cells(path, folder):
        fail(name, "written and read again it differs")


def shared(folder):
    count = 0
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".yaml") or "metadata" in name:
            continue
        yaml = map_server.read_yaml(os.path.join(folder, name))
        image = os.path.join(folder, yaml["image"])
        rows = (map_server.read_png if image.endswith(".png") else map_server.read_pgm)(image)
        rule = (yaml.get("mode", "trinary"), yaml["negate"] != "0", float(yaml["occupied_thresh"]),
                float(yaml["free_thresh"]))
        yield name, os.path.join(folder, name), map_server.cells(rows, 255, *rule)
        count += 1
    if count != 10:
        fail("shared maps", f"{count} instead of 10")


def main():
    with tempfile.TemporaryDirectory() as folder:
        counts = [0, 0, 0]
        for name, path, expected in odd_maps.good(folder):
            check(name, path, expected, folder)
            check_back(name, path, folder)
            counts[0] += 1
        for name, path, says in odd_maps.bad(folder):
            check_refused(name, path, says)
            counts[1] += 1
        robot = os.path.join(os.environ.get("REPLAN_MAPS", "../shared/maps"), "robot")
        if os.path.isdir(robot):
            for name, path, expected in shared(robot):
                check(name, path, expected, folder)
                check_back(name, path, folder)
                counts[2] += 1
        else:
            print(f"no shared maps in {robot} (set REPLAN_MAPS): only odd files were read")
    print(f"{counts[0]} odd maps read, {counts[1]} refused, {counts[2]} shared maps read; {len(failed)} wrong")
    return 1 if failed else 0


replan = sys.argv[1]
any_memory = "--any-memory" in sys.argv
sys.exit(main())
