#!/usr/bin/env bash
# What `./run test --wheels` does: the wheels in a fresh venv, without network and far from this folder; the same from the sdists,
# where protoc and cmake only fail; and the wheel for aarch64 by a Python of aarch64, which plans what the one for x86-64 does.
# usage: wheels.sh WHEELS_FOLDER REPLAND PYTHON_OF_AARCH64
set -euo pipefail
wheels=$(realpath "$1")
repland=$(realpath "$2")
foreign=$(realpath "$3")
plans=$(realpath "$(dirname "$0")/local_plans.py")
maker=$(realpath "$(dirname "$0")/../../clients/python")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# venv NAME: its pip installs what it is given, and nothing else
venv() {
  /usr/bin/python3 -m venv --system-site-packages "$1"
}
install() {
  "$1/bin/pip" install --quiet --no-index --no-deps --disable-pip-version-check "${@:2}"
  "$1/bin/pip" check --disable-pip-version-check | grep -E '^replan' && exit 1
  return 0
}
# run NAME PROGRAM: in an empty folder, where nothing of the sources is found
run() {
  mkdir -p empty
  (cd empty && env -i HOME="$work" PATH=/usr/bin:/bin REPLAND="$repland" "$work/$1/bin/python" "$work/$2")
}

cat >first.py <<'TEXT'
import replan

client = replan.spawn()
client.create_world("arena", 64, 64)
print(client.open_agent("arena", "scout", (1.5, 1.5), (60.5, 60.5)).answer())
TEXT
cat >local.py <<'TEXT'
import replan
import replan.local

engine = replan.local.Engine()
engine.create_world("arena", 64, 64)
scout = engine.open_agent("arena", "scout", (1.5, 1.5), (60.5, 60.5))
engine.fill_rect("arena", 30, 0, 1, 60, 0)
for answer in engine.step():
    print(answer)
grid = [[1] * 9 for _ in range(7)]
found = replan.local.plan(grid, (0, 3), (8, 3))
costs = [found.cost, found.repair([(4, y, 9) for y in range(7)]).cost, found.repair([(4, 3, 1)]).cost]
assert costs == [8.0, 16.0, 8.0], costs
with open("hall.map", "w") as file:
    file.write("type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n")
assert replan.read_map("hall.map").data == bytes([1, 0, 1, 1, 1, 1])
TEXT
echo "== the client alone"
venv client
install client "$wheels"/replan-*.whl
run client first.py | tee first.txt
grep -q "cost 83.44, 60 cells" first.txt
if run client local.py 2>refusal.txt; then exit 1; fi
grep -q "replan-local" refusal.txt || grep -q "No module named 'replan.local'" refusal.txt

echo "== with the engine"
venv both
install both "$wheels"/replan-*.whl "$wheels"/replan_local-*_x86_64.whl
run both first.py >/dev/null
run both local.py
/usr/bin/mypy --strict --python-executable both/bin/python --cache-dir mypy first.py local.py

echo "== from the sdists"
mkdir stubs
for tool in protoc protoc-c cmake ninja; do
  printf '#!/bin/sh\necho "%s was called" >&2\nexit 1\n' $tool >stubs/$tool
done
chmod +x stubs/*
export PATH="$work/stubs:/usr/bin:/bin"
venv sources
install sources --no-build-isolation "$wheels"/replan-[0-9]*.tar.gz "$wheels"/replan-local-*.tar.gz
run sources first.py >/dev/null
run sources local.py
echo "== aarch64"
without="import sys; sys.path.insert(0, '$maker'); import wheels; wheels.cross('built', 'output', 'aarch64', 'aarch64')"
PATH=/nowhere /usr/bin/python3 -Bc "$without" 2>&1 | grep -qx "no wheel of replan-local for aarch64: there is no aarch64-linux-gnu-gcc, which Debian's package gcc-aarch64-linux-gnu has"
[ ! -e output ]
client/bin/pip install --quiet --no-index --no-deps --disable-pip-version-check --target foreign --platform linux_aarch64 --only-binary=:all: \
  "$wheels"/replan-*.whl "$wheels"/replan_local-*_aarch64.whl
for library in foreign/replan/libreplan-files.so foreign/replan/local/libreplan-engine.so; do
  readelf --file-header "$library" | grep -q 'Machine: *AArch64'
done
emulated() {
  (cd empty && env -i HOME="$work" PATH=/usr/bin:/bin PYTHONPATH="$work/foreign" PYTHONDONTWRITEBYTECODE=1 \
    qemu-aarch64 -L "$foreign" "$foreign/usr/bin/python3" "$@")
}
emulated -c 'import os; print(os.uname().machine)' | grep -qx aarch64
emulated "$work/local.py"
(cd empty && "$work/both/bin/python" "$plans" 1000) >plans
emulated "$plans" 1000 | cmp - plans
echo "1,000 plans and $(($(wc -l <plans) - 1000)) answers: the same"
echo "wheels: fine"
