"""Small changes to C sources, for mutants.py.

    mutate.py list N SEED FILE...     N changes, a line each: FILE:LINE:NUMBER
    mutate.py apply FILE:LINE:NUMBER  makes that change in place, and prints the line before and after

A change flips one comparison or logical operator, drops one statement or one check, or shifts one
constant by one. Comments, preprocessor lines other than constants, asserts and declarations are left alone.
"""

import os
import random
import re
import sys

_FLIPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
          "true": "false", "false": "true"}
_OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|<|>|&&|\|\|)(?= )|\b(true|false)\b")
_NUMBER = re.compile(r"(?<![\w.\"])(\d+)(u?)(?![\w.\"])")
_STATEMENT = re.compile(r"^\s+(\(void\))?[\w>\-.\[\]*]+(\(.*\)| [-+|&]?= .*|\+\+|--);$")
_CHECK = re.compile(r"^(\s+(?:\} else )?if )\((.*)\) \{$")
_CONSTANT = re.compile(r"^#define RP_?\w*\s+|^#define [A-Z_]+\s+")
_SKIPPED = re.compile(r"^\s*(//|\*|/\*)|assert|^\s*(const |static |struct |enum |typedef |unsigned |uint\w+ |size_t |int )")


def _code(line):
    """The line without strings' insides and without what follows //; same columns."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda m: '"' + "_" * (len(m.group()) - 2) + '"', line)
    return re.sub(r"//.*$", "", line)


def changes_of(line):
    """All changed forms of one line."""
    code = _code(line)
    if not code.strip():
        return []
    if code.startswith("#"):
        if not _CONSTANT.match(code):
            return []
        return [line[:m.start()] + str(int(m.group(1)) + 1) + line[m.end(1):]
                for m in _NUMBER.finditer(code, _CONSTANT.match(code).end())]
    if not line.startswith(" ") or re.search(r"assert|^\s*//", code):
        return []
    found = [line[:m.start()] + _FLIPS[m.group()] + line[m.end():] for m in _OPERATOR.finditer(code)]
    found += [line[:m.start()] + str(int(m.group(1)) + 1) + line[m.end(1):] for m in _NUMBER.finditer(code)]
    check = _CHECK.match(code)
    if check:
        found.append(f"{check.group(1)}(false && ({line[check.start(2):check.end(2)]})) {{")
    elif _STATEMENT.match(code) and not _SKIPPED.match(code) and code.count("(") == code.count(")"):
        found.append(re.match(r"\s*", line).group() + ";")
    return found


def _lines(name):
    with open(name, encoding="utf-8") as file:
        return file.read().split("\n")


def places(count, seed, names):
    """So many changes by chance, each as FILE:LINE:NUMBER."""
    found = [f"{name}:{number + 1}:{which}" for name in names for number, line in enumerate(_lines(name))
             for which in range(len(changes_of(line)))]
    random.Random(seed).shuffle(found)
    return found[:count]


def apply(place, folder="."):
    """Make that change in place. @return the line before and after"""
    name, number, which = place.rsplit(":", 2)
    name = os.path.join(folder, name)
    lines = _lines(name)
    before = lines[int(number) - 1]
    after = changes_of(before)[int(which)]
    lines[int(number) - 1] = after
    with open(name, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    return f"{before.strip()}  =>  {after.strip()}"


if __name__ == "__main__":
    if sys.argv[1] == "list":
        print("\n".join(places(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])))
    else:
        print(apply(sys.argv[2]))
