#!/usr/bin/env python3
"""`replan draw`: pictures are whole, show what they should, and are refused by name.

    test_draw.py BIN_FOLDER
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from patience import PATIENCE_S  # noqa: E402

BIN = pathlib.Path(sys.argv.pop(1)).resolve()
SVG = "{http://www.w3.org/2000/svg}"
SHADES = ((0xdc, 0xeb, 0xf7), (0x2c, 0x6f, 0xb0))
EXPANDED = {"#" + "".join(f"{low + int((high - low) * step / 7):02x}" for low, high in zip(*SHADES)) for step in range(8)}
REUSED = "#b7dfc9"
RAISED = "#f2b84b"
OBSTACLE = "#2f3136"
FREE = "#1f77b4"
HIT = "#d62728"

SCRIPT = """replan-script 1
size 60 40
start 5 20
goal 55 20
set 30 5 2 30 0
plan
set 40 10 2 30 0
plan
set 30 20 2 1 1
plan
"""


class Draw(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.folder.name)
        (self.at / "s.script").write_text(SCRIPT)

    def tearDown(self):
        self.folder.cleanup()

    def run_replan(self, *arguments):
        command = [BIN / "replan", *map(str, arguments)]
        return subprocess.run(command, cwd=self.at, capture_output=True, text=True, timeout=PATIENCE_S, check=False)

    def draw(self, *arguments, out="p.svg"):
        done = self.run_replan("draw", *arguments, "--out", out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def shapes(self, colour):
        """How many shapes a colour has."""
        groups = xml.parse(self.at / "p.svg").getroot().iter(SVG + "g")
        return sum(len(group) for group in groups if group.get("fill") == colour)

    def refused(self, sentence, *arguments):
        done = self.run_replan("draw", *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
        self.assertIn(sentence, done.stderr)
        self.assertFalse((self.at / "q.svg").exists())

    def test_every_expansion_of_every_planner_is_drawn(self):
        names = [line.split()[0] for line in self.run_replan("planners").stdout.splitlines()[1:] if line[:1].isalpha()]
        self.assertIn("dstar-lite", names)
        for name in ("astar", "dstar-lite", "lpa", "jps", "flow", "auto"):
            self.assertIn(name, names)
            said = self.draw("s.script", "--planner", name)
            self.assertIn("found, cost", said)
            expanded = int(said.rsplit(" ", 1)[1])
            drawn = sum(self.shapes(colour) for colour in EXPANDED) + self.shapes(RAISED)
            self.assertEqual(drawn, expanded, name)

    def test_the_curve_of_planner_lattice_is_drawn(self):
        said = self.draw("s.script", "--planner", "lattice", "--turning-radius", 4, "--body-radius", 2, "--plan", 0)
        self.assertRegex(said, r"^lattice: found, cost [0-9.]+, expanded [0-9]+\n$")
        self.assertEqual(sum(self.shapes(colour) for colour in EXPANDED), int(said.rsplit(" ", 1)[1]))
        self.assertGreater(self.shapes(FREE), 0)

    def test_a_script_is_played_up_to_the_plan(self):
        costs = [float(re.search(r"cost ([0-9.]+)", self.draw("s.script", "--planner", "lpa", "--plan", plan)).group(1))
                 for plan in range(3)]
        self.assertGreater(costs[1], costs[0])
        self.assertLess(costs[2], costs[1])
        self.draw("s.script", "--planner", "lpa", "--plan", 2)
        self.assertGreater(self.shapes(REUSED), 0)
        self.refused("--plan 3: the script has 3 plans", "s.script", "--planner", "lpa", "--plan", 3, "--out", "q.svg")

    def test_a_png_of_a_map_is_the_map(self):
        self.run_replan("map", "--random", "60x40", "--seed", 3, "--out", "r.map")
        self.draw("r.map", "--scale", 1, out="r.png")
        self.run_replan("map", "r.png", "--out", "again.map")
        self.assertEqual((self.at / "r.map").read_text(), (self.at / "again.map").read_text())

    def test_a_map_is_searched_between_two_cells(self):
        (self.at / "a.map").write_text("type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n")
        said = self.draw("a.map", "--planner", "astar", "--start", "0,0", "--goal", "4,0", "--neighbors", 4)
        self.assertIn("found, cost 8.00", said)
        self.assertEqual(self.shapes(OBSTACLE), 2)

    def test_a_curve_past_an_obstacle_is_free_until_the_vehicle_is_too_wide(self):
        (self.at / "a.map").write_text("type octile\nheight 9\nwidth 30\nmap\n" + "." * 30 + "\n" + "." * 15 + "@" + "." * 14
                                       + "\n" + ("." * 30 + "\n") * 7)
        curve = ("a.map", "--curve", "4,5,0,25,5,0", "--turning-radius", 3, "--body-radius")
        self.assertIn("S+21.000, length 21.000, cost 21.000: free", self.draw(*curve, 3.49))
        self.assertGreater(self.shapes(FREE), 0)
        self.assertEqual(self.shapes(HIT), 0)
        self.assertIn("meets the obstacle at 15, 1", self.draw(*curve, 3.51))
        self.assertGreater(self.shapes(HIT), 0)

    def test_all_curves_find_the_cheapest_that_is_free(self):
        rows = ["." * 30] * 20
        rows[8] = "." * 14 + "@" + "." * 15
        (self.at / "a.map").write_text("type octile\nheight 20\nwidth 30\nmap\n" + "\n".join(rows) + "\n")
        curve = ("a.map", "--curve", "8,8,0,20,8,0", "--turning-radius", 3, "--body-radius", 0.5)
        self.assertIn("meets the obstacle at 14, 8", self.draw(*curve))
        said = self.draw(*curve, "--all")
        self.assertRegex(said, "curve 1: [LR]")
        self.assertIn(": free", said)

    def test_a_footprint_is_taken_as_nav2_writes_it(self):
        said = self.draw("--size", "30x20", "--curve", "9,9,0,9,13,0", "--turning-radius", 4, "--reverse", "--footprint",
                         "[[3, 1], [-1, 1], [-1, -1], [3, -1]]", "--padding", 0.1)
        self.assertRegex(said, r"curve 1:( [LRS][+-][0-9.]+)+, length 10\.545, cost 10\.545: free")

    def test_segments_come_from_a_file(self):
        (self.at / "s.txt").write_text("# a comment\n5 5 0 0 8\n13 5 0 0 0 1.5707963\n13 5 1.5707963 0 -3\n")
        said = self.draw("--size", "30x20", "--segments", "s.txt", "--body-radius", 1)
        self.assertEqual(said, "3 segments, length 11.000: free\n")
        said = self.draw("--size", "30x20", "--segments", "s.txt", "--body-radius", 3)
        self.assertEqual(said, "3 segments, length 11.000: segment 2 meets the obstacle at 11, -1\n")

    def test_what_is_wrong_is_named(self):
        (self.at / "bad.txt").write_text("1 2 3\n")
        (self.at / "zero.txt").write_text("1 2 0 0 0\n")
        curve = ("--size", "30x20", "--out", "q.svg", "--curve", "1,1,0,5,5", "--turning-radius")
        body = ("--size", "30x20", "--out", "q.svg", "--footprint")
        for sentence, *arguments in (
                ("--out PICTURE is missing", "--size", "3x3"),
                ("neither .svg nor .png", "--size", "3x3", "--out", "a.gif"),
                ("one FILE, or --size", "--out", "q.svg"),
                ("one FILE, or --size", "s.script", "--size", "3x3", "--out", "q.svg"),
                ("not WxH with sides of 1..4096", "--size", "3x5000", "--out", "q.svg"),
                ("not WxH", "--size", "0x3", "--out", "q.svg"),
                ("is not a number of 0..64", "--size", "3x3", "--out", "q.svg", "--scale", "65"),
                ("more than 8192 pixels", "--size", "4096x3", "--out", "q.svg", "--scale", "3"),
                ("--turning-radius R is missing", "--size", "3x3", "--out", "q.svg", "--curve", "0,0,0,1,1,0"),
                ("--turning-radius \"0\"", *curve, "0"),
                ("--turning-radius \"nan\"", *curve, "nan"),
                ("--turning-radius \"-1\"", *curve, "-1"),
                ("is not X,Y,HEADING", "--size", "3x3", "--out", "q.svg", "--curve", "0,0,0,inf,1"),
                ("is not X,Y,HEADING", "--size", "3x3", "--out", "q.svg", "--curve", "0,0,0,1"),
                ("--reverse-factor \"0.5\"", *curve, "1", "--reverse-factor", "0.5"),
                ("--gear-change \"-1\"", *curve, "1", "--gear-change", "-1"),
                ("--padding \"-1\"", *body, "1,1,-1,1,-1,-1", "--padding", "-1"),
                ("--footprint: fewer than 3 corners", *body, "1,1,2,2"),
                ("--footprint: the outline crosses itself", *body, "0,0,1,1,1,0,0,1"),
                ("is not X,Y,X,Y", *body, "0,0,1"),
                ("--body-radius: below 0", "--size", "3x3", "--out", "q.svg", "--body-radius", "-1"),
                ("is a second body", *body, "0,0,1,1,1,0", "--body-radius", "1"),
                ("--planner ID is missing", "s.script", "--out", "q.svg", "--start", "1,1"),
                ("--planner: there is no planner", "s.script", "--out", "q.svg", "--planner", "nobody"),
                ("--start is outside", "--size", "3x3", "--out", "q.svg", "--planner", "astar", "--start", "3,0", "--goal", "0,0"),
                ("is not the X,Y of a cell", "--size", "3x3", "--out", "q.svg", "--planner", "astar", "--start", "-1,0"),
                ("bad.txt:1: not a segment", "--size", "3x3", "--out", "q.svg", "--segments", "bad.txt"),
                ("zero.txt:1: not a segment", "--size", "3x3", "--out", "q.svg", "--segments", "zero.txt"),
                ("--segments none.txt cannot be read", "--size", "3x3", "--out", "q.svg", "--segments", "none.txt"),
                ("--footprint: its origin is not inside", *body, "2,1,1,1,1,-1,2,-1", "--planner", "lattice", "--start", "9,9", "--goal", "15,9"),
                ("none.map", "none.map", "--out", "q.svg"),
                ("--out nowhere/q.svg", "--size", "3x3", "--out", "nowhere/q.svg")):
            self.refused(sentence, *arguments)

    def test_the_pictures_of_the_page_are_those_that_are_made(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        subprocess.run([root / "docs/pictures/motion.sh", BIN, self.at], check=True, timeout=PATIENCE_S, stdout=subprocess.DEVNULL)
        made = sorted(self.at.glob("motion-*.svg"))
        self.assertEqual([picture.name for picture in made],
                         sorted(picture.name for picture in (root / "docs/pictures").glob("motion-*.svg")))
        for picture in made:
            if picture.stem in ("motion-search", "motion-lattice"):  # what planners expand may change
                continue
            self.assertEqual(picture.read_bytes(), (root / "docs/pictures" / picture.name).read_bytes(), picture.name)


if __name__ == "__main__":
    unittest.main()
