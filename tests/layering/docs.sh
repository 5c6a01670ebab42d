#!/usr/bin/env bash
# What the pages name is there: links, files in backticks, functions, as `name()`, and tests, which
# are sentences.
set -eu
cd "$(dirname "$0")/../.."
failed=0
complain() {
  echo "$1: $2"
  failed=1
}

pages() { find . -name '*.md' -not -path './build/*' -not -path './.*/*' -printf '%P\n' | sort; }
words=$(mktemp)
sentences=$(mktemp)
trap 'rm -f "$words" "$sentences"' EXIT
find . \( -name '*.[ch]' -o -name '*.py' \) -not -path './build/*' -print0 |
  xargs -0 grep -ohE '[a-z_][a-z0-9_]*\(' | sort -u >"$words"
find tests \( -name '*.[ch]' -o -name '*.py' \) -print0 |
  xargs -0 grep -ohE '[a-z]+(_[a-z0-9]+){3,}' | sort -u >"$sentences"

while read -r page; do
  folder=$(dirname "$page")
  while read -r link; do
    [ -e "$folder/${link%%#*}" ] || complain "$page" "links to $link, which is not there"
  done < <(grep -oE '\]\([^)]+\)' "$page" | sed 's/^](//; s/)$//' | grep -vE '^(https?:|#)' || true)
  while read -r file; do
    case $file in *[*\<]*) continue ;; esac
    [ -e "$file" ] || [ -e "$folder/$file" ] || [ -e "$folder/include/$file" ] ||
      complain "$page" "names $file, which is not there"
  done < <(grep -oE '`[A-Za-z_./*<>-]+/[A-Za-z0-9_.*<>-]+\.(c|h|py|sh|md|proto)`' "$page" |
    tr -d '`' | grep -v '^build/' || true)
  while read -r name; do
    grep -qxF "${name%)}" "$words" || complain "$page" "names $name, which no source has"
  done < <(grep -oE '`(Client\.)?[a-z_][a-z0-9_]*\(\)' "$page" | sed 's/^`//; s/^Client\.//' || true)
  while read -r name; do
    grep -qxF "$name" "$sentences" || complain "$page" "names $name, which is no test"
  done < <(sed 's/`[^`]*`//g' "$page" | grep -oE '\b[a-z]+(_[a-z0-9]+){3,}\b' || true)
done < <(pages)
[ $failed = 0 ] && echo "docs: what the pages name is there"
exit $failed
