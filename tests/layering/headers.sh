#!/usr/bin/env bash
# Public headers compile alone, as C with both compilers and as C++.
# usage: headers.sh FOLDER_OF_GENERATED_MESSAGES
set -eu
cd "$(dirname "$0")/../.."
failed=0
flags="-fsyntax-only -Wall -Wextra -Wpedantic -Werror -I. -Iplanners/include -Iengine/include -Iclients/c/include -isystem $1"
for header in planners/include/replan/*.h engine/include/replan/*.h clients/c/include/replan/*.h msgs/*.h gppc/gppc.h; do
  for compiler in "gcc -std=c17 -x c" "clang-14 -std=c17 -x c" "g++ -std=c++20 -x c++"; do
    command -v "${compiler%% *}" >/dev/null || continue
    # shellcheck disable=SC2086
    if ! printf '#include "%s"\ntypedef int not_empty;\n' "$header" | $compiler $flags -; then
      echo "$header does not compile alone with ${compiler%% *}"
      failed=1
    fi
  done
done
[ $failed = 0 ] && echo "headers: all compile alone"
exit $failed
