"""Who does not trace pays nothing: without REPLAN_TRACE the planners are what they would be if the hook
(planners/include/replan/trace.h) had never been written. Each source with a hook, and a copy of the tree from which all hooks were
cut, are preprocessed; what the compiler gets is the same, token by token. The built archive knows no rp_trace.

usage: trace_free.py C_COMPILER PLANNERS_ARCHIVE
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-E", "-P", "-std=gnu17", "-D_GNU_SOURCE", "-DNDEBUG", "-Ibase/include", "-Iplanners/include", "-I."]
BLOCK = re.compile(r"^#ifdef REPLAN_TRACE\n.*?^#endif\n", re.M | re.S)
INCLUDE = re.compile(r'^#include "replan/trace.h"\n', re.M)
CALL = re.compile(r"\bRP_TRACE(?:_ONLY)?\(")


def without_calls(text):
    """The text without RP_TRACE(..) and RP_TRACE_ONLY(..), whose brackets may hold others."""
    while (call := CALL.search(text)) is not None:
        end, depth = call.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[: call.start()] + text[end:]
    return text


def cut(folder):
    """Cut all hooks in a copy of the tree. Return how many files had some."""
    count = 0
    for path in (folder / "planners").rglob("*.[ch]"):
        before = path.read_text()
        if path.name == "trace.h":
            path.unlink()
            continue
        after = without_calls(INCLUDE.sub("", BLOCK.sub("", before)))
        count += after != before
        path.write_text(after)
    return count


def tokens(compiler, top, source, bits):
    command = [compiler, *FLAGS, f"-DRP_COST_BITS={bits}", source]
    return subprocess.run(command, cwd=top, check=True, capture_output=True, text=True).stdout.split()


def main(compiler, archive):
    with tempfile.TemporaryDirectory() as name:
        bare = pathlib.Path(name)
        for folder in ("base", "planners"):
            shutil.copytree(TOP / folder, bare / folder)
        hooked = cut(bare)
        sources = sorted(str(path.relative_to(TOP)) for path in (TOP / "planners").rglob("*.c"))
        differing = [
            f"{source}, costs of {bits} bits"
            for source in sources
            for bits in (32, 64)
            if tokens(compiler, TOP, source, bits) != tokens(compiler, bare, source, bits)
        ]
    print(f"{hooked} files with hooks, {len(sources)} sources")
    symbols = subprocess.run(["nm", archive], check=True, capture_output=True, text=True).stdout
    if "rp_trace" in symbols:
        differing.append(f"{archive}: it knows rp_trace")
    for each in differing:
        print(f"differs: {each}")
    return 1 if differing or hooked < 15 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
