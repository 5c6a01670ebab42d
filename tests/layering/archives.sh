#!/usr/bin/env bash
# What the built archives may call. base/, planners/ and engine/: no I/O, no clock, no threads, and no
# variable that can be written. msgs/: no sockets, no files. store/: no sockets. files/: no sockets, and
# neither libpng nor zlib nor libyaml, as a browser has none.
# usage: archives.sh BUILD_FOLDER
set -eu
build=$1
failed=0

# Everything outside the project that an archive asks for.
asks() {
  nm -u "$@" 2>/dev/null | awk '/ U /{print $2}' | sort -u | grep -vE '^(rp_|replan__v1__)' || true
}

check_asks() {
  local name=$1 allowed=$2 symbol
  shift 2
  for symbol in $(asks "$@"); do
    if ! printf '%s' "$symbol" | grep -qxE "$allowed"; then
      echo "$name calls $symbol"
      failed=1
    fi
  done
}

check_globals() {
  local name=$1 found
  shift
  # Tables of constants with pointers stand in .data.rel.ro: they cannot be written.
  found=$(objdump -t "$@" 2>/dev/null | awk '$4 ~ /^(\.data|\.bss|\.tbss|\.tdata|\*COM\*)$/ && $3 ~ /O/ {print $6}
    $3 ~ /^(\.data|\.bss|\.tbss|\.tdata|\*COM\*)$/ && $2 ~ /O/ {print $5}')
  if [ -n "$found" ]; then
    echo "$name keeps globals: $found"
    failed=1
  fi
}

pure='malloc|calloc|realloc|free|mem(cpy|set|move|cmp|chr)|str(cmp|len)|qsort|bsearch|mmap|munmap|madvise|prctl'
pure="$pure|strnlen|sqrt|ceil|floor|rint|nearbyint|remainder|frexp|ldexp|fma|exp|fmax|fmin|fmod|sin|cos|sincos|hypot|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__popcountdi2|__assert_fail"
pure="$pure|__cpu_model|__cpu_indicator_init|__mem(cpy|set|move)_chk"
check_asks base "$pure" "$build/base/libreplan_base.a"
check_asks planners "$pure" "$build/planners/libreplan_planners.a"
check_asks engine "$pure" "$build/engine/libreplan_engine.a"
check_globals base "$build/base/libreplan_base.a"
check_globals planners "$build/planners/libreplan_planners.a"
check_globals engine "$build/engine/libreplan_engine.a"

refuse_asks() {
  local name=$1 refused=$2 symbol
  for symbol in $(asks "$build/$name/libreplan_$name.a"); do
    if printf '%s' "$symbol" | grep -qxE "$refused"; then
      echo "$name calls $symbol"
      failed=1
    fi
  done
}

sockets='zmq_.*|socket|connect|bind|listen|accept|send.*|recv.*|poll|select'
refuse_asks msgs "$sockets|open|fopen|read|write"
refuse_asks store "$sockets"
refuse_asks files "$sockets|png_.*|jpeg_.*|crc32.*|adler32.*|inflate.*|deflate.*|uncompress.*|compress.*|yaml_.*"
[ $failed = 0 ] && echo "archives: base, planners and engine are pure, msgs, store and files have no sockets, files no libraries"
exit $failed
