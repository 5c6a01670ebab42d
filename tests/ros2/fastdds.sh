#!/usr/bin/env bash
# The other vendor both ways: compile a robot on Fast DDS and let it meet replan-ros2 and ros2_robot.
# usage: fastdds.sh BUILD_DIRECTORY      exit code 77 without libfastrtps-dev and fastddsgen
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")"
command -v fastddsgen g++ >/dev/null && [ -e /usr/include/fastdds/dds/domain/DomainParticipant.hpp ] || {
  echo "skipped: it needs libfastrtps-dev, fastddsgen and g++"
  exit 77
}
folder=$build/tests/fastdds
mkdir -p "$folder"
if [ ! -e "$folder/messages.h" ] || [ ../../clients/ros2/messages.idl -nt "$folder/messages.h" ]; then
  fastddsgen -replace -d "$folder" ../../clients/ros2/messages.idl >"$folder/generate.log" 2>&1
fi
compile() { # SOURCE: only when it is newer
  local object=$folder/$(basename "$1").o
  [ "$object" -nt "$1" ] || g++ -std=c++17 -O1 -w -I"$folder" -c "$1" -o "$object"
}
compile "$folder/messages.cxx" &
compile "$folder/messagesPubSubTypes.cxx" &
wait
compile fastdds_robot.cpp
g++ "$folder"/*.o -o "$folder/robot" -lfastrtps -lfastcdr -lpthread
exec /usr/bin/python3 -W ignore::ResourceWarning test_fastdds.py "$build"
