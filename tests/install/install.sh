#!/usr/bin/env bash
# What is installed is whole: built on from C and C++ by CMake and by pkg-config, run, and moved.
# usage: install.sh BUILD_FOLDER
set -eu
cd "$(dirname "$0")/../.."
source=$PWD
build=$1
work=$(mktemp -d)
daemon=""
finish() {
  [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

# Installed to one place and moved to another: nothing may remember where it was.
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
prefix=$work/prefix
libdir=$(dirname "$(find "$prefix" -name libreplan_engine.a)")

# consumer FOLDER COMPONENTS: configures it; what CMake says is in $work/log
consumer() {
  cmake -S tests/install/consumer -B "$work/$1" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
    -DEXAMPLES="$source" -DWITH="$2" >"$work/log" 2>&1
}
# said WORDS: by what failed to configure
said() {
  tr -s ' \n' ' ' <"$work/log" | grep -q "$1" || { cat "$work/log"; exit 1; }
}

echo "== find_package"
for components in "planners;engine;client" ""; do
  rm -rf "$work/cmake"
  consumer cmake "$components" || { cat "$work/log"; exit 1; }
  cmake --build "$work/cmake" >"$work/log" || { cat "$work/log"; exit 1; }
done
for program in game_loop robot route shared_game_loop; do
  "$work/cmake/$program"
done
if consumer wrong "engine;thunder"; then exit 1; fi
said "there is no component thunder: they are planners, engine, client"

echo "== find_package where nothing else is"
export PKG_CONFIG_LIBDIR=$work/nowhere
consumer engine engine || { cat "$work/log"; exit 1; }
cmake --build "$work/engine" >"$work/log" || { cat "$work/log"; exit 1; }
"$work/engine/game_loop"
if consumer client client; then exit 1; fi
said "component client needs pkg-config, libzmq 4.3.3"
unset PKG_CONFIG_LIBDIR

echo "== pkg-config"
export PKG_CONFIG_PATH=$libdir/pkgconfig
# shellcheck disable=SC2046
cc -std=c17 -o "$work/game_loop" engine/examples/game_loop.c $(pkg-config --cflags --libs replan-engine)
"$work/game_loop"
# shellcheck disable=SC2046
cc -std=c17 -o "$work/first_path" clients/c/examples/first_path.c $(pkg-config --cflags --libs replan-client)

sed -n '/^```c$/,/^```$/p' clients/c/README.md | sed '/^```/d' >"$work/mine.c" # the program of its README
cc -std=c17 -o "$work/shared" engine/examples/game_loop.c -I"$prefix/include" -L"$libdir" -lreplan-engine -lm -Wl,-rpath,"$libdir"
"$work/shared" >/dev/null
# shellcheck disable=SC2046
cc -std=c17 -Wall -Wextra -Werror -o "$work/mine" "$work/mine.c" $(pkg-config --cflags --libs replan-client)

echo "== programs"
"$prefix/bin/replan" planners >/dev/null
"$prefix/bin/replan" draw --size 9x9 --out "$work/empty.svg"
"$prefix/bin/repland" --control "ipc://$work/control" --changes "ipc://$work/changes" \
  --paths "ipc://$work/paths" --poses "ipc://$work/poses" 2>"$work/daemon.log" &
daemon=$!
until grep -q event=ready "$work/daemon.log"; do
  kill -0 "$daemon" || { cat "$work/daemon.log"; exit 1; }
  sleep 0.05
done
"$work/cmake/first_path" "ipc://$work/control"
"$work/cmake/shared_first_path" "ipc://$work/control" >/dev/null
"$work/mine" "ipc://$work/control" | grep -q '^done$'
"$work/first_path" "ipc://$work/control" >/dev/null
PYTHONPATH=$(dirname "$(find "$prefix" -type d -name replan -path '*dist-packages*')") \
  /usr/bin/python3 clients/python/examples/first_path.py "ipc://$work/control" >/dev/null
echo "install: whole"
