#!/usr/bin/env bash
# The sources as a part of somebody's project, by add_subdirectory() and by FetchContent: no library of the tests is looked for, nothing
# of ours is installed with theirs, and planners and engine alone need nothing.
set -eu
cd "$(dirname "$0")/../.."
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# project FOLDER: a project that has the lines of the standard input before its program
project() {
  mkdir -p "$work/$1"
  {
    echo 'cmake_minimum_required(VERSION 3.25)'
    echo 'project(mine LANGUAGES C)'
    cat
    echo "add_executable(game_loop $source/engine/examples/game_loop.c)"
    echo 'target_link_libraries(game_loop PRIVATE replan::engine)'
  } >"$work/$1/CMakeLists.txt"
}
# configure FOLDER: what CMake says is in log
configure() {
  cmake -S "$work/$1" -B "$work/$1/build" -G Ninja -DCMAKE_BUILD_TYPE=Quick >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

echo "== add_subdirectory, where nothing else is"
project alone <<TEXT
set(REPLAN_ENGINE_ONLY ON)
add_subdirectory($source replan EXCLUDE_FROM_ALL)
TEXT
PKG_CONFIG_LIBDIR=$work/nowhere configure alone
cmake --build "$work/alone/build" --target game_loop >"$work/log" || { cat "$work/log"; exit 1; }
"$work/alone/build/game_loop"

echo "== FetchContent"
project fetched <<TEXT
include(FetchContent)
FetchContent_Declare(replan SOURCE_DIR $source)
FetchContent_MakeAvailable(replan)
add_executable(first_path_of_mine $source/clients/c/examples/first_path.c)
target_link_libraries(first_path_of_mine PRIVATE replan::client)
TEXT
configure fetched
if grep -q '^CHECK_' "$work/fetched/build/CMakeCache.txt"; then
  echo "subdirectory: the library of the tests was looked for"
  exit 1
fi
if [ "$(ctest --test-dir "$work/fetched/build" -N 2>/dev/null | grep -c 'Test *#')" != 0 ]; then
  echo "subdirectory: tests of ours are theirs"
  exit 1
fi
cmake --install "$work/fetched/build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
[ ! -e "$work/prefix/include/replan" ] || { echo "subdirectory: installed with theirs"; exit 1; }
ninja -C "$work/fetched/build" -t query first_path_of_mine >/dev/null # it is there; its libraries are built by others
echo "subdirectory: a part of another project"
