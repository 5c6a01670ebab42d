#!/usr/bin/env bash
# Headers compile alone, as C with both compilers and as C++. Those that are installed do so without a
# warning under the conversion warnings that users turn on, their macros and inline functions used; as C99
# without extensions, too.
# usage: headers.sh FOLDER_OF_GENERATED_MESSAGES
set -eu
cd "$(dirname "$0")/../.."
failed=0
languages='gcc -std=c17 -x c:clang-14 -std=c17 -x c:g++ -std=c++20 -x c++:clang++-14 -std=c++20 -x c++'
c99='gcc -std=c99 -pedantic-errors -x c:clang-14 -std=c99 -pedantic-errors -x c'
flags="-fsyntax-only -Wall -Wextra -Wpedantic -Werror -I. -Ibase/include -Iplanners/include -Iengine/include -Iclients/c/include"
strict="-Wconversion -Wsign-conversion -Wdouble-promotion -Wcast-qual -Wundef"

# compiles FLAGS HEADER [MORE [COMPILERS]]: MORE is C that comes after the header
compiles() {
  local compiler compilers
  IFS=: read -ra compilers <<<"${4:-$languages}"
  for compiler in "${compilers[@]}"; do
    command -v "${compiler%% *}" >/dev/null || continue
    # shellcheck disable=SC2086
    if ! printf '#include "%s"\ntypedef int not_empty;\n%s\n' "$2" "${3:-}" | $compiler $flags $1 -; then
      echo "$2 does not compile alone with ${compiler%% *} $1"
      failed=1
    fi
  done
}

for header in msgs/*.h gppc/gppc.h; do
  compiles "-isystem $1" "$header"
done
for header in base/include/replan/*.h planners/include/replan/*.h engine/include/replan/*.h clients/c/include/replan/*.h; do
  compiles "-I$1 $strict" "$header" # users find the generated messages beside it
  compiles "-I$1 $strict" "$header" '' "$c99"
done
compiles "$strict" planners/include/replan/path.h '
unsigned legal_moves(const rp_grid_t *grid, rp_cell_t cell);
unsigned legal_moves(const rp_grid_t *grid, rp_cell_t cell)
{
    unsigned direction;
    unsigned count = 0;
    rp_cell_t next;
    RP_FOR_MOVES (grid, cell, direction, next) {
        count += rp_path_direction(grid, cell, next) == direction ? 1u : 0u;
    }
    return count;
}'
[ $failed = 0 ] && echo "headers: all compile alone, the public ones without a conversion warning, and as C99"
exit $failed
