#!/usr/bin/env bash
# What the pages name is there: links, files in backticks, functions, as `name()`, in the file that
# follows, as `name()` in `folder/file.c`, and tests, which are sentences, in the program that stands
# before them, as `program`: a_sentence_of_it.
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
files=$(mktemp)
trap 'rm -f "$words" "$sentences" "$files"' EXIT
find . -type f -not -path './build/*' -not -path './.*/*' -printf '%f\n' | sort -u >"$files"
printf 'noun.%s\n' h c >>"$files" # CONTRIBUTING.md's example
find . \( -name '*.[ch]' -o -name '*.py' -o -name '*.js' -o -name '*.d.ts' \) -not -path './build/*' -print0 |
  xargs -0 grep -ohE '[a-z_][a-z0-9_]*\(' | sort -u >"$words"
find tests \( -name '*.[ch]' -o -name '*.py' \) -print0 |
  xargs -0 grep -ohE '[a-z]+(_[a-z0-9]+){3,}' | sort -u >"$sentences"

while read -r page; do
  folder=$(dirname "$page")
  while read -r link; do
    case $link in *build/play/index.html#scene=*) # the page is built
      grep -q "name: \"${link##*=}\"" play/scenes.js || complain "$page" "links to the scene ${link##*=}, which is none"
      continue
      ;;
    esac
    [ -e "$folder/${link%%#*}" ] || complain "$page" "links to $link, which is not there"
  done < <(grep -oE '\]\([^)]+\)' "$page" | sed 's/^](//; s/)$//' | grep -vE '^(https?:|#)' || true)
  while read -r file; do
    case $file in *[*\<]*) continue ;; esac
    [ -e "$file" ] || [ -e "$folder/$file" ] || [ -e "$folder/include/$file" ] ||
      complain "$page" "names $file, which is not there"
  done < <(grep -oE '`[A-Za-z_./*<>-]+/[A-Za-z0-9_.*<>-]+\.(c|h|py|sh|md|proto)`' "$page" |
    tr -d '`' | grep -v '^build/' || true)
  while read -r file; do
    grep -qxF "$file" "$files" || complain "$page" "names $file, which no folder has"
  done < <(grep -oE '`[a-z0-9_]+\.(h|c|py|sh|proto)`' "$page" | tr -d '`' || true)
  while read -r name; do
    grep -qxF "${name%)}" "$words" || complain "$page" "names $name, which no source has"
  done < <(grep -oE '`(Client\.)?[a-z_][a-z0-9_]*\(\)' "$page" | sed 's/^`//; s/^Client\.//' || true)
  while read -r name; do
    grep -qxF "$name" "$sentences" || complain "$page" "names $name, which is no test"
  done < <(sed 's/`[^`]*`//g' "$page" | grep -oE '\b[a-z]+(_[a-z0-9]+){3,}\b' || true)
  while read -r name file; do
    for place in "$file" "$folder/$file"; do
      [ ! -e "$place" ] || grep -qw "$name" "$place" || complain "$page" "names $name in $file, which has it not"
    done
  done < <(grep -oE '`[a-z_][a-z0-9_]*\(\)` (in|of) `[A-Za-z_./-]+/[A-Za-z0-9_.-]+`' "$page" |
    sed 's/`//g; s/() [a-z]* / /' || true)
  while read -r program name; do
    grep -rqw --include="test_$program.*" "$name" tests ||
      complain "$page" "names $name of $program, which has no such test"
  done < <(grep -oE '`[a-z0-9_]+`: [a-z]+(_[a-z0-9]+){3,}' "$page" | tr -d '`:' || true)
done < <(pages)
[ $failed = 0 ] && echo "docs: what the pages name is there"
exit $failed
