"""The shape of the house in figures: how full its folders are, which includes form circles, how large
its structs grow, which functions live in another file than their header's, how long it is.

    tests/layering/shape.py [--list]

Prints one figure a line; with --list also what stands behind each. Only measures; what is a limit is
held by the other tests of this folder. Public headers count as headers of their folder.
"""

import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
BOXES = ("planners", "engine", "daemon")
CODE = ("base", "planners", "engine", "msgs", "store", "daemon", "files", "clients", "sim", "tools", "gppc")


def sources(*folders):
    found = []
    for folder in folders:
        found += [path for path in (TOP / folder).rglob("*.[ch]") if path.is_file()]
    return sorted(found)


def name(path):
    return str(path.relative_to(TOP))


def noun(path):
    """A file's .c and .h are one node."""
    return name(path).rsplit(".", 1)[0]


def bare(text):
    """Without comments and strings; line breaks stay."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
    return re.sub(pattern, lambda m: "\n" * m.group().count("\n"), text, flags=re.S)


def folders():
    fill = {}
    for path in sources(*BOXES):
        fill.setdefault(str(path.parent.relative_to(TOP)), []).append(path)
    return {folder: len(files) for folder, files in fill.items()}


def includes():
    """The nouns that each noun of the boxes includes."""
    here = {name(path): path for path in sources(*BOXES)}
    public = {}
    for box in BOXES:
        for path in (TOP / box / "include").rglob("*.h"):
            public[str(path.relative_to(TOP / box / "include"))] = path
    graph = {noun(path): set() for path in here.values()}
    for path in here.values():
        for target in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
            found = here.get(target) or public.get(target)
            if found and noun(found) != noun(path):
                graph[noun(path)].add(noun(found))
    return graph


def circles(graph):
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


def structs():
    """(fields, flags, name) of each struct."""
    found = []
    for path in sources(*BOXES):
        for match in re.finditer(r"struct (\w+) \{\n(.*?)\n\}", bare(path.read_text()), re.S):
            fields = re.findall(r"^    (?!\s)[^;]*;", match.group(2), re.M)
            found.append((len(fields), sum(f.strip().startswith("bool") for f in fields), match.group(1)))
    return sorted(found, reverse=True)


def strangers():
    """Functions that are declared in one noun's header and defined in another's file."""
    declared, defined = {}, {}
    for path in sources(*BOXES):
        text = bare(path.read_text())
        for match in re.finditer(r"^(?!static)[a-z][\w \*]*?\b(rp_\w+)\(([^{};]*)\)(;|\s*\n?\{)", text, re.M):
            place = declared if match.group(3) == ";" else defined
            if (path.suffix == ".h") == (place is declared):
                place.setdefault(match.group(1), path)
    both = [(function, declared[function], defined[function]) for function in declared if function in defined]
    odd = [row for row in both if row[1].stem != row[2].stem and row[1].stem not in row[2].parts]
    return odd, len(both)


def lines(files):
    return sum(path.read_text().count("\n") for path in files)


def main():
    is_long = "--list" in sys.argv
    full = sorted(folders().items(), key=lambda item: -item[1])
    print(f"files in the fullest folder: {full[0][1]} ({full[0][0]})")
    for box in BOXES:
        found = circles({node: {o for o in others if o.startswith(box + "/")}
                         for node, others in includes().items() if node.startswith(box + "/")})
        print(f"circles of includes in {box}: {len(found)}, the largest of {len(found[0]) if found else 0} nouns")
        if is_long:
            print("\n".join("    " + " ".join(circle) for circle in found))
    largest = structs()
    print(f"fields of the largest struct: {largest[0][0]}, flags in it: {largest[0][1]} ({largest[0][2]})")
    odd, count = strangers()
    print(f"functions defined in a file that does not bear their noun: {len(odd)} of {count}, {100 * len(odd) / count:.1f} %")
    if is_long:
        print("\n".join(f"    {function}: {name(header)}, {name(source)}" for function, header, source in odd))
    papers = sources("planners/papers") if (TOP / "planners/papers").is_dir() else []
    core = [path for path in sources(*[f for f in ("base", "planners") if (TOP / f).is_dir()]) if path not in papers]
    print(f"lines of C in base and planners: {lines(core)}; papers: {lines(papers)}")
    print(f"lines of C in all, tests and bench apart: {lines(sources(*[f for f in CODE if (TOP / f).is_dir()]))}")
    long = [path for path in sources(*BOXES) if lines([path]) > 600]
    print(f"files of more than 600 lines: {len(long)} {' '.join(map(name, long))}")


if __name__ == "__main__":
    main()
