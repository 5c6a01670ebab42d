#!/usr/bin/python3
"""The C client against a real daemon: all common calls and sixty wrong ones, the program of its README, the shared libraries.

usage: test_c.py BUILD_DIRECTORY C_COMPILER
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
COMPILER = sys.argv.pop() if len(sys.argv) > 2 else "cc"
BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.abspath("build/release")
REPLAND = os.path.join(BUILD, "bin", "repland")
if not os.path.exists(REPLAND):
    print("skipped: there is no", REPLAND)
    sys.exit(77)

from daemon import Daemon  # noqa: E402

LIBRARIES = {"client": ("clients/c", r"rp_(client|mirror|map_file)_\w+|replan__v1__\w+"),
             "engine": ("engine", r"rp_(engine|staged_edit|planner|grid|path|deferred_free)_\w+|rp_walk_cost|rp_\w+_text")}


def is_sanitized():
    with open(os.path.join(BUILD, "CMakeCache.txt")) as cache:
        return re.search(r"^REPLAN_SANITIZE:\w+=.+$", cache.read(), re.M) is not None


class C(unittest.TestCase):
    def run_with_daemon(self, program):
        with Daemon(REPLAND) as daemon:
            done = subprocess.run([program, daemon.control], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_every_call_and_sixty_wrong_ones(self):
        self.assertRegex(self.run_with_daemon(os.path.join(BUILD, "tests", "tour")), "0 failed")

    def test_the_hello_of_its_readme(self):
        with open(os.path.join(TOP, "clients", "c", "README.md")) as file:
            program, printed = re.search(r"```c\n(.*?)```\n\n```\n(.*?)```", file.read(), re.S).groups()
        self.assertLess(program.count("\n"), 25)
        if is_sanitized():
            return  # a program without the sanitizers cannot load a library with them
        for flags in (["-std=c99", "-pedantic-errors"], ["-std=c17"]):
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "hello.c"), "w") as file:
                    file.write(program)
                where = os.path.join(BUILD, "clients", "c")
                subprocess.run([COMPILER, *flags, "-Wall", "-Wextra", "-Werror", "-Iclients/c/include",
                                "-I" + os.path.join(BUILD, "msgs", "generated"), os.path.join(folder, "hello.c"), "-L" + where,
                                "-lreplan-client", "-Wl,-rpath," + where, "-o", os.path.join(folder, "hello")],
                               cwd=TOP, check=True)
                self.assertEqual(self.run_with_daemon(os.path.join(folder, "hello")), printed)

    def test_shared_libraries_show_what_the_headers_declare_and_nothing_else(self):
        for name, (folder, pattern) in LIBRARIES.items():
            library = os.path.join(BUILD, folder, f"libreplan-{name}.so")
            told = subprocess.run(["nm", "-D", "--defined-only", library], stdout=subprocess.PIPE, text=True, check=True).stdout
            shown = {line.split()[-1] for line in told.splitlines() if " A " not in line}
            versioned = {symbol.split("@@")[0] for symbol in shown if symbol.endswith("@@REPLAN_0.1")}
            self.assertEqual({symbol for symbol in shown if not symbol.endswith("@@REPLAN_0.1")}, set())
            self.assertEqual({symbol for symbol in versioned if not re.fullmatch(pattern, symbol)}, set())
            self.assertEqual(self.declared(name) - versioned, set(), "declared, and not shown")

    def declared(self, name):
        """Calls of its public headers that are not inline."""
        folders = {"client": ["clients/c/include"], "engine": ["engine/include", "planners/include", "base/include"]}[name]
        found = set()
        for folder in folders:
            for header in os.listdir(os.path.join(TOP, folder, "replan")):
                with open(os.path.join(TOP, folder, "replan", header)) as file:
                    text = re.sub(r"//.*", "", file.read())
                for match in re.finditer(r"^(?!static|typedef|#|\s)[^;{}()#]*?\b(rp_\w+)\([^;{]*\);", text, re.M):
                    found.add(match[1])
        self.assertGreater(len(found), 20)
        return found - {"rp_trace"}  # traced builds call it; they are no library


if __name__ == "__main__":
    unittest.main()
