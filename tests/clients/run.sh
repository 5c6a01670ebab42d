#!/usr/bin/env bash
# What `./run test --clients` does: types by mypy, then every test of the clients, with numpy and matplotlib, so that
# none of it is left out.
# usage: run.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1")
config=$PWD/clients/python/mypy.ini

echo "== types"
cd "$build/python"
/usr/bin/mypy --config-file "$config" --cache-dir "$build/mypy" -p replan
/usr/bin/mypy --config-file "$config" --cache-dir "$build/mypy" ./*.py
cd - >/dev/null

programs=$(mktemp -d)
trap 'rm -rf "$programs"' EXIT
/usr/bin/python3 tests/clients/test_pages.py --programs "$programs" # the programs of the pages
MYPYPATH=$build/python /usr/bin/mypy --config-file "$config" --cache-dir "$build/mypy" "$programs"/*.py

/usr/bin/python3 -c 'import numpy, matplotlib, PIL'
ctest --test-dir "$build" --parallel "$(nproc)" --output-on-failure -R '^(python_.*|c_calls|client_bytes|clients_story|client|client_watch|client_follow|mirror|paths|portions|frame_queue|heard_windows|map_file)$' |
  tee "$build/clients.log"
if grep -q '\*\*\*Skipped' "$build/clients.log"; then
  echo "clients: a test was skipped"
  exit 1
fi
echo "clients: fine"
