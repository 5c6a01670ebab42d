#!/usr/bin/env bash
# The page build/play/index.html, and the parts of it that need no browser.
# usage: run.sh [TEST...], each the first word of a file *.test.mjs; without any: all
set -eu
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- parts why whatif page growth pictures
# shellcheck disable=SC2046
node --test --test-concurrency=1 --test-reporter=spec $(printf '%s.test.mjs ' "$@")
