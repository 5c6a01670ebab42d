#!/usr/bin/python3
"""A suite of replan-bench at its smallest: its tables, its results, and that a run which was cut off goes on.

usage: test_suites.py REPLAN_BENCH SUITE [ARGUMENTS...]
       test_suites.py REPLAN_BENCH beyond
       test_suites.py REPLAN_BENCH against
       test_suites.py REPLAN_BENCH --list SUITE...
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, *ARGUMENTS = sys.argv[1:]
MAPS = os.path.abspath(os.environ.get("REPLAN_MAPS", "../shared/maps"))
TIMES = ("ns", "us_p")


def run(*words, cwd=None, timeout_s=1200):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=timeout_s, cwd=cwd)


def make_repository(folder):
    """A tree that nobody else commits to, as a work file belongs to one commit. @return its commit"""
    git = ["git", "-C", folder, "-c", "user.name=test", "-c", "user.email=test@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message", "one"], check=True)
    done = subprocess.run([*git, "describe", "--always"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def counts(results):
    """What does not depend on the machine."""
    return [{**group, "contenders": [{key: value for key, value in contender.items()
                                      if not key.startswith(TIMES) and not key.endswith("_ns")}
                                     for contender in group["contenders"]]}
            for group in results["groups"]]


class Suite(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.commit = make_repository(folder.name)
        self.json = os.path.join(folder.name, "results.json")
        self.work = os.path.join(folder.name, "work")

    def play(self, *more, code=0):
        done = run(*ARGUMENTS, "--maps", MAPS, "--json", self.json, "--resume", self.work, *more, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        if "skipped: " in done.stderr:
            self.skipTest(done.stderr.strip())
        if code != 0:
            return done, None
        with open(self.json, encoding="utf-8") as file:
            return done, json.load(file)

    def check_results(self, done, results):
        self.assertTrue(done.stdout.startswith("# "))
        self.assertIn("\n|---|", done.stdout)
        self.assertNotIn("nan", done.stdout)
        self.assertEqual(results["suite"], ARGUMENTS[0])
        self.assertEqual(results["commit"], self.commit)
        for key in ("compiler", "cpu"):
            self.assertTrue(results[key], key)
        self.assertEqual(results["seed"], 1)
        self.assertEqual((results["cost_differences"], results["law_breaks"]), (0, 0))
        self.assertGreater(results["units"], 0)
        played = [contender for group in results["groups"] for contender in group["contenders"]]
        self.assertTrue(all(contender["plans"] > 0 for contender in played))
        self.assertGreater(sum(contender["expanded"] for contender in played), 0)

    def test_suite_plays_and_goes_on_where_it_was_cut_off(self):
        first, results = self.play()
        self.check_results(first, results)
        again, same = self.play()
        for run in (same, results):
            for key in ("stolen_percent", "load_before"):  # of this run alone
                self.assertGreaterEqual(run.pop(key), 0)
        self.assertEqual(same, results)
        self.assertEqual(again.stdout, first.stdout)
        self.assertNotIn(ARGUMENTS[0] + ": ", again.stderr)  # nothing was played
        with open(self.work, encoding="utf-8") as file:
            text = file.read()
        with open(self.work, "w", encoding="utf-8") as file:
            file.write(text[:-20])  # killed while it wrote
        resumed, mended = self.play()
        self.assertEqual(resumed.stderr.count("\n" + ARGUMENTS[0] + ": ") +
                         resumed.stderr.startswith(ARGUMENTS[0] + ": "), 1)  # the last unit alone
        self.assertEqual(counts(mended), counts(results))
        other, _ = self.play("--seed", "2", code=2)
        self.assertIn("was begun by another suite, build or seed", other.stderr)


class Beyond(unittest.TestCase):
    """What the figures of `beyond` contain, and what is said of what they leave out."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.json = os.path.join(folder.name, "results.json")

    def play(self, protocol, *more):
        done = run("beyond", "--quick", "--worlds", "1", "--maps", MAPS, "--json", self.json, "--protocol", protocol,
                   *more, timeout_s=3600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("nan", done.stdout)
        with open(self.json, encoding="utf-8") as file:
            results = json.load(file)
        for key in ("commit", "compiler", "cpu"):
            self.assertTrue(results[key], key)
        return done.stdout, results

    def test_p1_has_all_its_rows_and_charges_the_writing_of_the_grid(self):
        text, results = self.play("P1", "--planner", "bpa")
        groups = results["protocols"][0]["groups"]
        self.assertEqual({group["cell"] for group in groups},
                         {f"closeness {closeness}, rate {rate}" for closeness in ("0.1", "0.2", "0.3", "0.6")
                          for rate in ("0.02", "0.10", "0.20", "0.50")})
        for group in groups:
            for contender in group["contenders"]:
                self.assertGreater(contender["grid_ns"], 0)
                self.assertGreater(contender["ns"], contender["grid_ns"])
                mean_us = contender["ns"] / contender["plans"] / 1000  # of one world, so that of the median one
                self.assertAlmostEqual(contender["us_p50"], mean_us, delta=mean_us / 1e6)
        self.assertIn("us of that to write them", text)
        self.assertIn("by all as often", text)

    def test_idle_time_is_counted_in_three_ways(self):
        for protocol, more in (("P4", ["--rows", "1"]), ("static-8", ["--rows", "1"]), ("P3", ["--rows", "1"])):
            text, results = self.play(protocol, *more)
            group = results["protocols"][0]["groups"][0]
            idlers = group["idle_time"]
            self.assertTrue(idlers, protocol)
            self.assertIn("| | | free | none | all charged |", text)
            for name, cases in idlers.items():
                self.assertEqual(set(cases), {"free", "none", "charged", "used_us", "pays_off_after"})
                played = {contender["name"]: contender for contender in group["contenders"]}
                own, without = played[name], played[name + ", no idle time"]
                self.assertEqual(cases["free"]["us"], own["us_p50"])
                self.assertEqual(cases["none"]["us"], without["us_p50"])
                self.assertEqual(without["idle_ns"], 0)
                charged = (own["ns"] + own["idle_ns"]) / own["plans"] / 1000
                self.assertAlmostEqual(cases["charged"]["us"], charged, delta=charged / 100)
                self.assertGreater(cases["charged"]["us"], cases["free"]["us"])

    @unittest.skipUnless(os.path.isdir(MAPS), "there are no maps")
    def test_figures_of_another_machine_are_in_no_ratio(self):
        text, results = self.play("static-8", "--rows", "2", "--planner", "jps")
        self.assertIn("from another machine", text)
        self.assertFalse([target for target in results["targets"] if "JPS(B+P)" in target["what"]])

    @unittest.skipUnless(os.path.isdir(MAPS), "there are no maps")
    def test_gppc_has_changes_paths_and_no_path_apart(self):
        text, results = self.play("gppc")
        self.assertTrue(results["gppc"])
        for row in results["gppc"]:
            sum_us = row["changes"] * row["change_us"] + row["found"] * row["found_us"]
            sum_us += row["no_path"] * row["no_path_us"] if row["no_path"] else 0
            queries = row["found"] + row["no_path"]
            self.assertGreaterEqual(row["query_us"], 0.999 * sum_us / queries)  # each least is of its own round
        self.assertIn("changes charged", text)


class Against(unittest.TestCase):
    """Two builds in one run; here two copies of one, so that costs agree. No time is judged."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.json = os.path.join(folder.name, "results.json")
        self.before = os.path.join(folder.name, "before", "build")
        os.makedirs(os.path.join(self.before, "bin"))
        shutil.copy(PROGRAM, os.path.join(self.before, "bin", "replan-bench"))
        self.commit = make_repository(os.path.dirname(self.before))

    def play(self, build, *more):
        return run("against", build, "--quick", "--worlds", "1", "--rows", "1", "--protocol", "P2", "--json", self.json,
                   *more, timeout_s=3600)

    def test_two_builds_play_in_turns_and_each_says_its_commit(self):
        done = self.play(self.before)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("nan", done.stdout)
        order = [line.split(", ")[-1] for line in done.stderr.splitlines() if line.startswith("against: ")]
        self.assertEqual(order, ["before", "after", "after", "before"] * 2 + ["before", "after"])
        with open(self.json, encoding="utf-8") as file:
            results = json.load(file)
        for key in ("commit", "compiler", "cpu"):
            self.assertTrue(results[key], key)
        self.assertEqual(results["before"]["commit"], self.commit)
        self.assertEqual(results["after"]["compiler"], results["before"]["compiler"])
        self.assertIn(f"- before: commit {self.commit}, ", done.stdout)
        [protocol] = results["protocols"]
        [row] = protocol["rows"]
        [auto] = protocol["contenders"]
        self.assertEqual((protocol["protocol"], row["cell"], row["contender"]), ("P2", "k = 1", "auto"))
        self.assertEqual((row["before_us"]["count"], row["after_us"]["count"]), (5, 5))
        self.assertTrue(row["same_costs"])
        self.assertAlmostEqual(row["ratio"], row["before_us"]["p50"] / row["after_us"]["p50"], places=9)
        self.assertEqual((auto["rows"], auto["worst"], auto["worst_cell"]), (1, row["ratio"], "k = 1"))
        self.assertAlmostEqual(auto["mean"], row["ratio"], places=9)  # of one row
        self.assertIn("auto: geometric mean ", done.stdout)

    def test_build_that_fails_or_finds_other_costs_is_told(self):
        nowhere = self.play("/nowhere")
        self.assertEqual(nowhere.returncode, 2)
        self.assertIn("against /nowhere: there is no replan-bench", nowhere.stderr)
        program = os.path.join(self.before, "bin", "replan-bench")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 1\n")
        done = self.play(self.before)
        self.assertEqual(done.returncode, 2)
        self.assertIn("could not play P2", done.stderr)
        with open(program, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {os.path.abspath(PROGRAM)} \"$@\" --seed 2\n")  # other worlds have other costs
        done = self.play(program)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("| other costs |", done.stdout)


class Listing(unittest.TestCase):
    def test_list_has_each_suite_id_first(self):
        done = run("--list")
        self.assertEqual(done.returncode, 0)
        listed = [line.split()[0] for line in done.stdout.splitlines()]
        self.assertEqual(len(set(listed)), len(listed))
        self.assertLessEqual(set(ARGUMENTS[1:]), set(listed))

    def test_what_cannot_be_measured_is_refused_before_anything_is(self):
        for words, sentence in (
                (["nope"], 'no suite "nope"'),
                (["e2e", "--planner", "nope"], "--planner nope"),
                (["beyond", "--protocol", "P9"], "--protocol P9: beyond has P1"),
                (["maps", "--protocol", "P1"], "maps has none"),
                (["against"], "against BUILD: no build is named"),
                (["against", ".", "--protocol", "gppc"], "--protocol gppc: against has P1"),
                (["maps", "x"], "maps takes no further word"),
                (["beyond", "--worlds", "x"], '--worlds "x" is not a number'),
                (["gaa-table1", "--json", "/nowhere/x"], "--json /nowhere/x: No such file")):
            done = run(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(sentence, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_suite_that_is_not_there_is_bad_input(self):
        done = run("fsa-table9")
        self.assertEqual(done.returncode, 2)
        self.assertIn('there is no suite "fsa-table9"', done.stderr)


if __name__ == "__main__":
    wanted = {"--list": Listing, "beyond": Beyond, "against": Against}.get(ARGUMENTS[0], Suite)
    cases = unittest.defaultTestLoader.loadTestsFromTestCase(wanted)
    result = unittest.TextTestRunner(verbosity=2).run(cases)
    sys.exit(77 if result.skipped else not result.wasSuccessful())
