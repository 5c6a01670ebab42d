#!/usr/bin/env python3
"""Make replan-engine-VERSION.tar.gz: planners and engine as one header and four sources, for a game that has no CMake.

usage: tarball.py OUTPUT_DIRECTORY

    cc -std=c17 -O2 *.c mine.c -lm

replan_shared.c is base/ and what of planners/ is compiled once; replan_members_32.c and replan_members_64.c are the planners, for
32- and for 64-bit costs; replan_engine.c is engine/; replan.h is the public headers. Sources of one file share a namespace then: what
a source keeps to itself gets the source's name behind it. Inner headers are taken in where they are first included; all that they
declare begins with rp_ or RP_ (a rule of the house), and is left as it is.
"""

import glob
import io
import os
import re
import sys
import tarfile

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FOLDERS = ("", "base/include", "planners/include", "engine/include")  # where includes are looked for
PUBLIC = ("base", "planners", "engine")
ABOUT = "// replan {version}, joined from its sources by engine/tarball.py: change those, not this. LICENSE stands beside it.\n"
EXACT = ("planners/lattice/", "planners/motion/")  # the same bits with every compiler: as planners/CMakeLists.txt has it
BEFORE_EXACT = """#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off", "no-tree-vectorize", "no-tree-slp-vectorize")
#endif
"""
AFTER_EXACT = "#ifndef __clang__\n#pragma GCC pop_options\n#endif\n"
BITS = "#define RP_COST_BITS {bits}\n"
WITHOUT_ENGINE = "REPLAN_WITHOUT_ENGINE"  # planners know nothing of it, not even its names

README = """replan-engine {version}: shortest paths on grids that change, in one process.

    cc -std=c17 -O2 *.c mine.c -lm

replan.h is the manual: rp_engine_*() for worlds and agents whose paths are kept true, rp_planner_*() for one planner on one grid.
gcc or clang, Linux; no I/O, no threads, no globals. These files are made from the sources of replan by `./run tarball`.
"""

TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/) | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*') | (?P<word>[A-Za-z_]\w*) |
    (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*) | (?P<space>\s+) | (?P<sign>->|\#\#|.)
""", re.X | re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>).*\n', re.M)


def read(path):
    with open(os.path.join(TOP, path)) as file:
        return file.read()


def version():
    return re.search(r"project\(replan VERSION ([0-9.]+)", read("CMakeLists.txt")).group(1)


def sources(box):
    """Sources of a box, without examples, in a fixed order."""
    found = (os.path.relpath(path, TOP) for path in glob.glob(os.path.join(TOP, box, "**", "*.c"), recursive=True))
    return sorted(path for path in found if "/examples/" not in path)


def is_member(path):
    """True for what is compiled once for each width of costs."""
    return path.startswith(("planners/members/", "planners/papers/", "planners/portfolio/")) and not path.endswith("/papers.c")


# ---- names


def pasting_macros():
    """Macros that make another name of the one that they are given."""
    found = set()
    for path in (path for box in PUBLIC for path in glob.glob(os.path.join(TOP, box, "**", "*.[ch]"), recursive=True)):
        found.update(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(.*##", read(path), re.M))
    return found


def tokens(text):
    return [(match.lastgroup, match.group()) for match in TOKEN.finditer(text)]


def bare(text):
    """The text without comments, strings and directives."""
    text = re.sub(r"^[ \t]*#(?:[^\\\n]|\\.|\\\n)*", "", text, flags=re.M)
    return "".join(" " if kind in ("comment", "string") else word for kind, word in tokens(text))


def declarations(text):
    """What stands outside of functions: (text without bodies in braces, the outer bodies)."""
    found, depth, plain, body = [], 0, "", ""
    for sign in bare(text):
        if sign == "{":
            depth += 1
            if depth == 1:
                continue
        if sign == "}":
            depth -= 1
            if depth == 0:
                plain += "{}"
                if re.search(r"\)\s*\{\}$", plain):  # a function
                    found.append((plain, body))
                    plain, body = "", ""
                continue
        if depth > 0:
            body += sign
        elif sign == ";":
            found.append((plain, body))
            plain, body = "", ""
        else:
            plain += sign
    return found


def own_names(text):
    """What a source declares for itself."""
    names = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M))
    for plain, body in declarations(text):
        plain = re.sub(r"__attribute__\s*\(\(.*?\)\)|_Alignas\s*\(.*?\)|alignas\s*\(.*?\)", " ", plain)
        names.update(re.findall(r"\b(?:struct|union|enum)\s+(\w+)\s*\{\}", plain))
        if re.search(r"\benum\b\s*\w*\s*\{\}", plain):
            names.update(re.findall(r"(?:^|,)\s*(\w+)", body))
        if re.search(r"\btypedef\b", plain):
            called = re.search(r"(\w+)\s*(?:\([^()]*\))?\s*(?:\[[^\]]*\])*\s*$", plain)
            names.update([called.group(1)] if called else [])
        elif re.search(r"\)\s*\{\}$", plain):  # static by itself, or by a macro
            names.add(re.search(r"(\w+)\s*\(", plain).group(1))
        elif re.search(r"\bstatic\b", plain):
            called = re.search(r"(\w+)\s*(?:\(|\[|=|$)", re.sub(r"\b(?:struct|union|enum)\s*\{\}", "", plain))
            names.update([called.group(1)] if called else [])
    return {name for name in names if not name.startswith(("rp_", "RP_", "_", "static_assert"))}


PASTING = pasting_macros()


def renamed(text, names, suffix):
    """The text with a suffix at these names: not where a member of a struct is declared or named, nor where a macro makes a
    longer name of it."""
    parts, structs, depth, before = [], [], 0, ""
    words = tokens(text)
    meant = [i for i, (kind, _) in enumerate(words) if kind not in ("comment", "space")]
    follows = {i: words[meant[n + 1]][1] if n + 1 < len(meant) else "" for n, i in enumerate(meant)}
    heads = {i: [words[j][1] for j in meant[max(0, n - 2):n]] for n, i in enumerate(meant)}
    for i, (kind, word) in enumerate(words):
        if kind in ("comment", "space"):
            parts.append(word)
            continue
        if word == "{":
            depth += 1
            if before in ("struct", "union") or (heads[i] and heads[i][0] in ("struct", "union")):
                structs.append(depth)
        elif word == "}":
            structs = structs[:-1] if structs and structs[-1] == depth else structs
            depth -= 1
        is_member_name = before in (".", "->") or (bool(structs) and structs[-1] == depth and follows[i] in (";", ",", ":", "[")
                                                   and before not in ("[", "struct", "enum", "union"))
        is_pasted = before == "(" and follows[i] == ")" and heads[i][0] in PASTING
        is_own = kind == "word" and word in names and not is_member_name and not is_pasted
        parts.append(word + suffix if is_own else word)
        before = word
    return "".join(parts)


# ---- joining


class Joined:
    """One file of several sources."""

    def __init__(self, head):
        self.parts, self.seen = [head], set()

    def add(self, path):
        text = read(path)
        names = own_names(text)
        suffix = "__" + re.sub(r"\W", "_", path[:-2])
        self.parts.append(f"\n// ---- {path}\n\n")
        self.parts.append(BEFORE_EXACT if path.startswith(EXACT) else "")
        self._pour(path, text, names, suffix)
        self.parts.append(AFTER_EXACT if path.startswith(EXACT) else "")
        for name in sorted(set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M)) - set(names)):
            self.parts.append(f"#undef {name}\n")

    def _pour(self, path, text, names, suffix):
        at = 0
        for match in INCLUDE.finditer(text):
            self.parts.append(renamed(text[at:match.start()], names, suffix))
            self._include(path, match, names, suffix)
            at = match.end()
        self.parts.append(renamed(text[at:], names, suffix))

    def _include(self, path, match, names, suffix):
        if match[1] is None:
            self.parts.append(f"#include <{match[2]}>\n")
            return
        header = find(path, match[1])
        if "/include/replan/" in header or header in self.seen:
            return  # replan.h, which comes first, has it; or it stands above
        text = read(header)
        if re.search(r"^#ifndef \w+_H$", text, re.M):
            self.seen.add(header)
            self._pour(header, text, (), "")
        else:
            self._pour(header, text, names, suffix)  # it is of this source, each time

    def text(self):
        return "".join(self.parts)


def find(path, name):
    for folder in (os.path.dirname(path), *FOLDERS):
        candidate = os.path.normpath(os.path.join(folder, name))
        if os.path.exists(os.path.join(TOP, candidate)):
            return candidate
    raise SystemExit(f"{path} includes {name}, which is not there")


def public_header(head):
    joined, left = [head], [path for box in PUBLIC
                            for path in sorted(glob.glob(os.path.join(TOP, box, "include", "replan", "*.h")))]
    placed = set()

    def place(path):
        if path in placed:
            return
        placed.add(path)
        text = read(path)
        for match in INCLUDE.finditer(text):
            if match[1] is not None:
                place(os.path.join(TOP, find(path, match[1])))
        inner = "\n" + INCLUDE.sub(lambda match: match[0] if match[1] is None else "", text)
        is_engine = os.path.relpath(path, TOP).startswith("engine/")
        joined.append(f"\n#ifndef {WITHOUT_ENGINE}\n{inner}#endif\n" if is_engine else inner)

    for path in left:
        place(path)
    return "".join(joined)


def files():
    """The contents of the tarball by name."""
    about = ABOUT.format(version=version())
    system = about + "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#pragma GCC diagnostic ignored \"-Wunused-function\"\n"
    lists = {
        "replan_shared.c": ("", sources("base") + [path for path in sources("planners") if not is_member(path)]),
        "replan_members_32.c": (BITS.format(bits=32), [path for path in sources("planners") if is_member(path)]),
        "replan_members_64.c": (BITS.format(bits=64), [path for path in sources("planners") if is_member(path)]),
        "replan_engine.c": ("", sources("engine")),
    }
    made = {"replan.h": public_header(about), "LICENSE": read("LICENSE"), "README": README.format(version=version())}
    for name, (head, paths) in lists.items():
        without = "" if name == "replan_engine.c" else f"#define {WITHOUT_ENGINE}\n"
        joined = Joined(system + head + without + '#include "replan.h"\n')
        for path in paths:
            joined.add(path)
        made[name] = joined.text()
    return made


def main(output):
    name = f"replan-engine-{version()}"
    os.makedirs(output, exist_ok=True)
    path = os.path.join(output, name + ".tar.gz")
    with tarfile.open(path, "w:gz") as archive:
        for inner, text in sorted(files().items()):
            octets = text.encode()
            info = tarfile.TarInfo(f"{name}/{inner}")
            info.size, info.mode = len(octets), 0o644
            archive.addfile(info, io.BytesIO(octets))
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
