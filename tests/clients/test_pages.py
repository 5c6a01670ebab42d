#!/usr/bin/python3
"""The programs of docs/python.md and of the READMEs, run as they stand: what they print is what the page says.

usage: test_pages.py BUILD_DIRECTORY
       test_pages.py --programs FOLDER     writes them there, for mypy
"""

import importlib.util
import os
import re
import struct
import subprocess
import sys
import tempfile
import textwrap
import unittest
import zlib

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PAGES = ("docs/python.md", "clients/python/README.md", "README.md")
NEEDS = ("matplotlib", "numpy")


def programs(page):
    """(heading, program, what it prints or None) of each that imports the package by itself."""
    with open(os.path.join(TOP, page)) as file:
        text = file.read()
    for match in re.finditer(r"```python\n(.*?)```\n(?:\n```\n(.*?)```\n)?", text, re.S):
        if re.search(r"^(import|from) replan", match[1], re.M):
            heading = text[:match.start()].rsplit("\n## ", 1)[-1].split("\n")[0]
            yield f"{page}: {heading}", match[1], match[2]


if len(sys.argv) > 2 and sys.argv[1] == "--programs":
    for number, (_, program, _) in enumerate(one for page in PAGES for one in programs(page)):
        with open(os.path.join(sys.argv[2], f"page{number}.py"), "w") as file:
            file.write(program)
    sys.exit(0)

BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.abspath("build/release")
BIN, PYTHON = os.path.join(BUILD, "bin"), os.path.join(BUILD, "python")
if not os.path.exists(os.path.join(BIN, "repland")):
    print("skipped: there is no", os.path.join(BIN, "repland"))
    sys.exit(77)
sys.path.insert(0, PYTHON)

import replan  # noqa: E402
from daemon import PATIENCE_S, Daemon  # noqa: E402
from replan.local import library  # noqa: E402

try:
    library.load()
except replan.ReplanError as error:  # one with sanitizers needs a Python that begins with them
    print("skipped:", error)
    sys.exit(77)

ENDLESS = "for answer in watch:\n        print"  # of the README: until it is interrupted; one answer is sure to come
SHOWN = {"README.md: A first path"}  # what stands below is a picture


def png(rows):
    """A gray PNG of rows of bytes, the topmost first."""
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + \
        chunk(b"IEND", b"")


HALL = [bytes(0 if (x, y) in {(5, 0), (5, 1), (10, 2), *((10, y) for y in range(2, 10)), *((x, 5) for x in range(0, 8))} else 255
              for x in range(20)) for y in range(10)]


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(os.path.join(self.folder, "hall.png"), "wb") as file:
            file.write(png(HALL))

    def run_program(self, program, control):
        """In a folder of its own. A Client() without an endpoint is one of this test's daemon."""
        start = textwrap.dedent(f"""\
            import functools, replan
            replan.Client.__init__.__defaults__ = ({control!r}, {PATIENCE_S})
            """)
        return subprocess.run([sys.executable, "-c", start + program], cwd=self.folder, capture_output=True, text=True, timeout=3 * PATIENCE_S,
                              env={**os.environ, "PYTHONPATH": PYTHON})

    def test_programs_print_what_the_page_says(self):
        count = 0
        for page in PAGES:
            for name, program, printed in programs(page):
                if any(f"import {need}" in program and importlib.util.find_spec(need) is None for need in NEEDS):
                    print(f"left out: {name}, it needs what is not here")
                    continue
                with self.subTest(name), Daemon(os.path.join(BIN, "repland")) as daemon:
                    program = program.replace(ENDLESS, ENDLESS.replace("for answer in watch", "for _, answer in zip(range(1), watch)"))
                    done = self.run_program(program, daemon.control)
                    errors = [line for line in done.stderr.splitlines() if "font cache" not in line]  # matplotlib's first run
                    self.assertEqual((done.returncode, errors), (0, []))
                    if printed is not None and name not in SHOWN:
                        self.assertEqual(done.stdout, printed)
                    else:
                        self.assertNotEqual(done.stdout, "")
                    count += 1
        self.assertGreater(count, 8)


if __name__ == "__main__":
    unittest.main()
