#!/usr/bin/env bash
# What the pages name is there: links, files in backticks, and functions, as `name()`.
set -eu
cd "$(dirname "$0")/../.."
failed=0
complain() {
  echo "$1: $2"
  failed=1
}

pages() { find . -name '*.md' -not -path './build/*' -not -path './.*/*' -printf '%P\n' | sort; }
words=$(mktemp)
trap 'rm -f "$words"' EXIT
find . \( -name '*.[ch]' -o -name '*.py' \) -not -path './build/*' -print0 |
  xargs -0 grep -ohE '[a-z_][a-z0-9_]*\(' | sort -u >"$words"

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
done < <(pages)
[ $failed = 0 ] && echo "docs: what the pages name is there"
exit $failed
