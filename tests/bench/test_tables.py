#!/usr/bin/python3
"""The tables that a document takes from a run: which figure of beyond.json stands where.

usage: test_tables.py TABLES_PY
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

TABLES = sys.argv[1]


def contender(name, us, grid_us=0.0):
    return {"name": name, "us_p50": us, "grid_ns": grid_us * 1000 * 10, "plans": 10}


def group(cell, contenders, idle=None):
    return {"cell": cell, "contenders": [contender(*one) for one in contenders], "idle_time": idle or {}}


def cases(free, none, charged, used, pays):
    shown = {key: {"us": us, "p999": 10 * us} for key, us in (("free", free), ("none", none), ("charged", charged))}
    return {"auto": {**shown, "used_us": used, "pays_off_after": pays}}


RESULTS = {
    "commit": "abc1234+", "cpu": "a machine", "cores": 2, "compiler": "12.2.0", "bounds": 50, "bounds_missed": 7, "load_before": 0.25,
    "protocols": [
        {"protocol": "P1", "groups": [group("a", [("auto", 20.0, 12.0)]), group("b", [("auto", 700.0, 500.0)])]},
        {"protocol": "static-4", "groups": [group("random 25 %, 1000 x 1000", [("A*", 80.0), ("auto", 1.0),
                                                                               ("auto, no idle time", 2.0)])]},
        {"protocol": "static-8", "groups": [
            group("BigGameHunters", [("A*", 900.0), ("auto", 1.0), ("auto, no idle time", 3.0)],
                  cases(1.0, 3.0, 400.0, 8000.0, 4000.0)),
            group("maze512-1-0", [("auto", 5.0)], cases(5.0, 4.0, 6.0, 100.0, None))]},
        {"protocol": "P2", "groups": [group("k = 1", [("A*", 100.0), ("auto", 2.0)])]},
        {"protocol": "P3", "groups": [group("prior map 2 % wrong, random 25 %", [], cases(0.5, 50.0, 9.0, 5000.0, 90.0))]},
        {"protocol": "P4", "groups": [group("random 25 %", [("A*", 2000.0), ("D* Lite", 2.0), ("auto", 0.1),
                                                            ("auto, no idle time", 0.5), ("CERT, no idle time", 0.25)],
                                            cases(0.1, 0.5, 1.5, 6000.0, 15000.0))]},
        {"protocol": "P4-8", "groups": [group("random 25 %", [], cases(0.2, 1.0, 2.0, 6000.0, 7500.0))]},
        {"protocol": "P5", "groups": [group("1000 x 1000, 5 events a tick", [("A* when cut", 4000.0), ("D* Lite", 120.0),
                                                                            ("auto", 40.0)])]}],
    "targets": [{"what": "P1: mean against " + name, "ours": ours} for name, ours in
                (("A*", 11.0), ("LPA*", 7.0), ("FSA*", 17.0), ("the best published", 4.9))] +
               [{"what": "P1: an expansion of the heap A*", "ours": 50.0},
                {"what": "static-8: an expansion of the heap A*", "ours": 88.0}],
    "peers": [{"name": "BigGameHunters, 8 neighbours", "auto": 1.0, "auto, no idle time": 4.0, "Boost A*": 2000.0}],
}


def fsa_results(fsa):
    """A run of fsa-table1 with so many nanoseconds by name of a kind of FSA*."""
    times = {"A*": 600.0, "iA*": 300.0, "LPA*": 200.0, **fsa, "FSA* buckets": 60.0, "A* buckets": 150.0, "Fringe": 120.0, "D* Lite": 400.0,
             "GAA*": 500.0, "MPGAA*": 240.0}
    contenders = [{"name": name, "ns": ns, "expanded": ns, "plans": 10} for name, ns in times.items()]
    return {**RESULTS, "seed": 1, "groups": [{"closeness": 0.1, "rate": 0.02, "contenders": contenders}]}


class Tables(unittest.TestCase):
    def write(self, name, suite="beyond", results=None):
        with tempfile.TemporaryDirectory() as folder:
            machine = os.path.join(folder, "machine")
            document = os.path.join(folder, "README.md")
            os.mkdir(machine)
            with open(os.path.join(machine, suite + ".json"), "w", encoding="utf-8") as file:
                json.dump(results or RESULTS, file)
            with open(document, "w", encoding="utf-8") as file:
                file.write(f"before\n<!-- table {name} -->\nold\n<!-- end -->\nafter\n")
            subprocess.run([sys.executable, TABLES, machine, document], check=True)
            with open(document, encoding="utf-8") as file:
                text = file.read()
        self.assertTrue(text.startswith("before\n") and text.endswith("<!-- end -->\nafter\n"), text)
        self.assertNotIn("old", text)
        return text

    def test_how_fast_has_the_writing_and_no_idle_time(self):
        text = self.write("how-fast")
        for row in ("nothing prepared | 3.0 | A* on a heap 300, Boost's A* 500 |",
                    "a quarter blocked | 2.0 | A* on a heap 40 |",
                    "| 20 to 700, of that 12 to 500 to write the grid | A* on a heap 11, LPA* 7.0, FSA* 17, "
                    "the best published of each row 4.9 |",
                    "| 2.0 | A* on a heap 50 |",
                    "inflation left out | 40 | D* Lite 3.0, A* only when the path is cut 100 |",
                    "no idle time | 0.50 | A* on a heap 4,000, D* Lite 4.0, `cert` alone 0.5 |"):
            self.assertIn(row, text)

    def test_how_fast_short_has_three_of_its_rows(self):
        text = self.write("how-fast-short")
        self.assertEqual(text.count("\n| "), 4, text)
        for row in ("nothing prepared | 3.0 |", "to write the grid | A* on a heap 11,", "inflation left out | 40 |"):
            self.assertIn(row, text)

    def test_idle_time_has_three_columns(self):
        text = self.write("idle-time")
        self.assertIn("4 neighbours | 0.10 (1.0) | 0.50 (5.0) | 1.5 (15) | 6.0 | 15,000 |", text)
        self.assertIn("a query in a maze | 5.0 | 4.0 | 6.0 | 0.10 | never |", text)

    def test_origin_says_commit_machine_compiler_and_what_is_missed(self):
        text = self.write("how-fast-origin")
        for part in ("commit abc1234,", "a machine, 2 cores, gcc 12.2.0", "0.2 programs at work before it",
                     "50 to 88 ns an expansion", "7 of its 50 bounds"):
            self.assertIn(part, text)

    def test_fsa_is_its_copies_in_old_and_new_runs(self):
        for runs in ({"FSA*": 100.0, "FSA* log": 75.0}, {"FSA*": 75.0}):
            table = self.write("fsa-times", "fsa-table1", fsa_results(runs))
            self.assertIn("| LPA* | FSA* | FSA* buckets |", table)
            self.assertIn("| 0.1 | 0.02 | 2.00 | 3.00 | 8.00 | 10.00 | 4.00 |", table)
        new = self.write("fsa-expanded", "fsa-table1", fsa_results({"FSA*": 75.0}))
        self.assertIn("| 0.1 | 0.02 | 60 | 30 | 20 | 8 | 6 | 15 |", new)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
