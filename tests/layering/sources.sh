#!/usr/bin/env bash
# Every source passes the other compiler, with the flags of this build: the build itself shows gcc's view.
# usage: sources.sh FOLDER_OF_BUILD
set -eu
build=$1
command -v clang-14 >/dev/null || {
  echo "sources: no clang-14 here, skipped"
  exit 77
}
# A source that is compiled several times, in other forms, is looked at once. Flags that only gcc knows
# are none of clang's business.
/usr/bin/python3 - "$build/compile_commands.json" <<'END' | xargs -P "$(nproc)" -d '\n' -n 1 sh -c || exit 1
import json
import shlex
import sys

seen = set()
for entry in json.load(open(sys.argv[1])):
    source = entry["file"]
    if source in seen or not source.endswith(".c") or "/generated/" in source:
        continue
    seen.add(source)
    words = shlex.split(entry["command"])
    first = next(i for i, word in enumerate(words) if word.startswith("-"))
    kept = [word for word in words[first:words.index("-o")] if not word.startswith("-M")]
    kept = [word for word in kept if not word.endswith((".o", ".d"))]
    command = ["clang-14", "-fsyntax-only", "-Wno-unknown-warning-option", "-Wno-unused-command-line-argument"]
    print("cd", shlex.quote(entry["directory"]), "&&", shlex.join(command + kept + [source]))
END
echo "sources: all pass clang-14"
