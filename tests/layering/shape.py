#!/usr/bin/env python3
"""The shape of the house in figures: how full its folders are, which includes form circles, how large
its structs grow, which functions live in another file than their header's, how long it is.

    tests/layering/shape.py [--list] [--limits]

Prints one figure a line; with --list also what stands behind each; with --limits each offender against the
limits that are asked for, and the exit code is 1 when there is one. tests/layering/exceptions, if it is
there, lists functions that may live elsewhere, one a line, # begins a comment.
"""

import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
BOXES = ("planners", "engine", "daemon")
APART = ("tests", "bench")  # their lines are not counted
EXCEPTIONS = TOP / "tests" / "layering" / "exceptions"

# What is asked for.
FILES_OF_BOXES, FILES_ELSEWHERE = 25, 40  # of one folder
FIELDS, FLAGS = 30, 4
STRANGERS_PERCENT = 2
LINES_OF_FILE = 600
PRIVATE_NOUNS = 30
LINES_OF_CORE, LINES_OF_PAPERS = 21500, 3600

# All but base and planners, tests and bench apart. 56,547 stood where the words of this house began (1bf670d1). Each commit
# from there to 5091245e counts for one side, by the net of `git log --numstat`: 158 brought something or mended it, and
# added 31,929 lines (tools 7,892, engine 6,130, ROS 2 4,745, daemon 3,477, files 3,336, C client 1,990, WebAssembly 1,462,
# sim 1,358, view 1,127, others 412); 71 moved, named, divided or merged what was there, and added 2,226: heads, guards and
# declarations of rooms and nouns. What other work adds later is to be counted here. Of all, 2,000 less are asked.
LINES_ELSEWHERE = 56547 + 31929 - 2000

# Curves came after the planners were counted, and are told apart.
CURVES = ("planners/motion", "planners/guide", "planners/lattice")


def top_folders():
    return sorted(path.name for path in TOP.iterdir()
                  if path.is_dir() and path.name != "build" and not path.name.startswith("."))


def sources(*folders):
    """All .c and .h files below these folders."""
    return [path for folder in folders for path in sorted((TOP / folder).rglob("*.[ch]")) if path.is_file()]


def name(path):
    return str(path.relative_to(TOP))


def noun(path):
    """A file's .c and .h are one node."""
    return name(path).rsplit(".", 1)[0]


def bare(text):
    """Without comments and strings; line breaks stay."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
    return re.sub(pattern, lambda m: "\n" * m.group().count("\n"), text, flags=re.S)


def lines(files):
    return sum(path.read_text().count("\n") for path in files)


# ---- figures: each gives its lines, what stands behind them, and what breaks a limit

def folders():
    """Files of a folder, those of its inner folders not counted."""
    fill = {}
    for path in sources(*top_folders()):
        folder = name(path.parent)
        fill[folder] = fill.get(folder, 0) + 1
    full = sorted(fill.items(), key=lambda item: (-item[1], item[0]))
    boxed = [item for item in full if item[0].split("/")[0] in BOXES]
    other = [item for item in full if item not in boxed]
    told = [f"files in the fullest folder: {boxed[0][1]} ({boxed[0][0]}); elsewhere: {other[0][1]} ({other[0][0]})"]
    broken = [f"{folder}: {count} files, {limit} are asked"
              for group, limit in ((boxed, FILES_OF_BOXES), (other, FILES_ELSEWHERE))
              for folder, count in group if count > limit]
    return told, [f"{folder}: {count}" for folder, count in full], broken


def include_lines(*boxes):
    """(file, included file) of each include line in these boxes that names a file of ours."""
    roots = [*TOP.glob("*/include"), *TOP.glob("*/*/include")]
    public = {str(path.relative_to(root)): path for root in roots for path in root.rglob("*.h")}
    public["replan.pb-c.h"] = TOP / "msgs" / "replan.proto"  # made of it
    for path in sources(*boxes):
        for target in re.findall(r'^\s*#\s*include "([^"]+)"', path.read_text(), re.M):
            beside = path.parent / target
            found = public.get(target) or (TOP / target if (TOP / target).is_file() else beside)
            if found.is_file():
                yield name(path), name(found)


def includes():
    """The nouns that each noun of the boxes includes. A public header is a noun of its own."""
    graph = {noun(path): set() for path in sources(*BOXES)}
    for path, target in include_lines(*BOXES):
        one, other = path.rsplit(".", 1)[0], target.rsplit(".", 1)[0]
        if other.split("/")[0] in BOXES and other != one:
            graph[one].add(other)
    return graph


def components(graph):
    """Strongly connected components of more than one node (Tarjan), the largest first."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            circle = []
            while True:
                circle.append(stack.pop())
                if circle[-1] == node:
                    break
            if len(circle) > 1:
                found.append(sorted(circle))

    sys.setrecursionlimit(10000)
    for node in graph:
        if node not in index:
            visit(node)
    return sorted(found, key=len, reverse=True)


def circles():
    told, behind = [], []
    found = components(includes())
    for box in BOXES:
        sizes = [len(circle) for circle in found if circle[0].startswith(box + "/")]
        told.append(f"circles of includes in {box}: {len(sizes)}, the largest of {max(sizes, default=0)} nouns")
    behind = ["circle: " + " ".join(circle) for circle in found]
    return told, behind, behind


def fields_of(body):
    """(fields, flags) of a struct's body. Those of unnamed structs and unions in it count as its own; those
    that a macro makes do not count."""
    body = re.sub(r"\b(?:struct|union)\s*\w*\s*\{|\}\s*[^;{}]*(?=;)", "", body)
    fields = flags = 0
    for field in body.split(";"):
        plain = re.sub(r"\[[^\]]*\]", "", field).strip()
        is_function = "(" in plain
        for _ in range(plain.count("(")):
            plain = re.sub(r"\([^()]*\)", "", plain)
        if plain:
            count = 1 + plain.count(",")
            fields += count
            is_flag = re.match(r"(const )?bool\b", plain) and "*" not in plain or re.search(r":\s*1$", plain)
            flags += count if is_flag and not is_function else 0
    return fields, flags


def structs():
    found = []
    for path in sources(*BOXES):
        text = bare(path.read_text())
        for match in re.finditer(r"^(?:typedef |static )?struct ?(\w*)\s*\{", text, re.M):
            depth, end = 1, match.end()
            while depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            title = match.group(1) or re.match(r"\s*(\w*)", text[end:]).group(1)
            found.append((*fields_of(text[match.end():end - 1]), f"{title}, {name(path)}"))
    found.sort(key=lambda row: (-row[0], row[2]))
    fields, flags, largest = found[0]
    most = max(found, key=lambda row: row[1])
    told = [f"fields of the largest struct: {fields}, flags in it: {flags} ({largest}); "
            f"most flags in one: {most[1]} ({most[2]})"]
    broken = [f"{title}: {count} fields, {FIELDS} are asked" for count, _, title in found if count > FIELDS]
    if flags > FLAGS:
        broken.append(f"{largest}: {flags} flags, {FLAGS} are asked of the largest struct")
    return told, [f"{title}: {count} fields, {flags} flags" for count, flags, title in found[:20]], broken


def strangers():
    """Functions that are declared in noun.h and defined neither in noun.c nor in a folder noun/. noun_state.h is a
    header of noun, where a public header has that name."""
    declared, defined = {}, {}
    for path in sources(*BOXES):
        text = bare(path.read_text())
        pattern = r"^(?!static\b|typedef\b)[A-Za-z][\w \*]*?\b(rp_\w+)\(([^{};]*)\)(;|\s*\{)"
        for match in re.finditer(pattern, text, re.M):
            place = declared if match.group(3) == ";" else defined
            if (path.suffix == ".h") == (place is declared):
                place.setdefault(match.group(1), path)
    both = [(function, declared[function], defined[function]) for function in declared if function in defined]
    odd = {function: f"{function}: {name(header)}, {name(source)}" for function, header, source in both
           if header.stem != source.stem
           and header.stem.removesuffix("_state") not in source.relative_to(TOP).parts[1:-1]}
    listed = re.findall(r"^\w+", EXCEPTIONS.read_text(), re.M) if EXCEPTIONS.is_file() else []
    share = 100 * len(odd) / len(both)
    told = [f"functions defined in a file that does not bear their noun: {len(odd)} of {len(both)}, {share:.1f} %; "
            f"listed as exceptions: {len(listed)}"]
    broken = [text for function, text in odd.items() if function not in listed]
    broken += [f"{function}: listed as an exception, and is none" for function in listed if function not in odd]
    if share > STRANGERS_PERCENT:
        broken.append(f"{len(odd)} functions live elsewhere, {STRANGERS_PERCENT} % are asked: "
                      f"{STRANGERS_PERCENT * len(both) // 100}")
    return told, list(odd.values()), broken


def namesakes():
    """Headers of one name in one box: two things that share a noun."""
    by_name = {}
    for path in sources(*(folder for folder in top_folders() if folder not in APART)):
        if path.suffix == ".h":
            by_name.setdefault((name(path).split("/")[0], path.name), []).append(name(path))
    shared = [" ".join(paths) for paths in by_name.values() if len(paths) > 1]
    return [f"headers that share a name within a box: {len(shared)}"], shared, shared


def homonyms():
    """Types of one name with two bodies: `grep` finds two things."""
    by_name = {}
    for path in sources(*(folder for folder in top_folders() if folder not in APART)):
        for found in re.findall(r"^(?:typedef )?(?:struct|enum|union) (rp_\w+) \{", path.read_text(), re.M):
            by_name.setdefault(found, []).append(name(path))
    shared = {noun: paths for noun, paths in sorted(by_name.items()) if len(paths) > 1}
    behind = [f"{noun}: {' '.join(paths)}" for noun, paths in shared.items()]
    return [f"types that share a name: {len(shared)}"], behind, behind


def private_nouns():
    """Entries of the glossary of which a word is no word of the wire's names: comments of the schema aside."""
    schema = re.sub(r"//[^\n]*", "", (TOP / "msgs" / "replan.proto").read_text())
    wire = {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", schema)}
    wire |= {word[:-1] for word in wire if word.endswith("s")} | {word[:-2] for word in wire if word.endswith("es")}
    entries = re.findall(r"^\| ([^|]+?) \|", (TOP / "docs" / "glossary.md").read_text(), re.M)
    entries = [entry for entry in entries if entry != "word" and not entry.startswith("-")]
    private = [entry for entry in entries if not set(entry.lower().split()) <= wire]
    told = [f"private nouns: {len(private)} of {len(entries)} entries of the glossary"]
    broken = [f"{len(private)} private nouns, {PRIVATE_NOUNS} are asked"] if len(private) > PRIVATE_NOUNS else []
    return told, [" ".join(entry.replace(" ", "-") for entry in private)], broken


def lengths():
    papers = sources("planners/papers")
    curves = sources(*CURVES)
    core = [path for path in sources("base", "planners") if path not in papers + curves]
    everything = sources(*(folder for folder in top_folders() if folder not in APART))
    rest = lines(everything) - lines(core) - lines(papers) - lines(curves)
    told = [f"lines of C in base and planners: {lines(core)}; papers: {lines(papers)}; curves: {lines(curves)}",
            f"lines of C in all, tests and bench apart: {lines(everything)}; without base and planners: {rest}"]
    broken = [f"{count} lines of C in {what}, {limit} are asked" for what, count, limit in
              (("base and planners", lines(core), LINES_OF_CORE), ("papers", lines(papers), LINES_OF_PAPERS),
               ("the rest", rest, LINES_ELSEWHERE)) if count > limit]
    behind = [f"{folder}: {lines(sources(folder))}" for folder in top_folders() if sources(folder)]
    return told, behind, broken


def long_files():
    long = [f"{name(path)}: {lines([path])} lines" for path in sources(*top_folders()) if lines([path]) > LINES_OF_FILE]
    boxed = sum(text.split("/")[0] in BOXES for text in long)
    return [f"files of more than {LINES_OF_FILE} lines: {boxed} in {', '.join(BOXES)}; "
            f"elsewhere: {len(long) - boxed}"], long, long


def main():
    count = 0
    for figure in (folders, circles, structs, strangers, namesakes, homonyms, private_nouns, lengths, long_files):
        told, behind, broken = figure()
        print("\n".join(told))
        if "--list" in sys.argv:
            print("".join(f"    {text}\n" for text in behind), end="")
        if "--limits" in sys.argv:
            print("".join(f"    LIMIT: {text}\n" for text in broken), end="")
            count += len(broken)
    if "--limits" in sys.argv:
        print(f"shape: {count} offenders")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
