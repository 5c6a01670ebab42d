#!/usr/bin/env bash
# A Python of aarch64 with what the package replan needs, from Debian's packages, unpacked for the emulator: two Pythons cannot be installed
# side by side. Nothing is installed; a folder that has one is left as it is.
# usage: python.sh FOLDER; after that: qemu-aarch64 -L FOLDER FOLDER/usr/bin/python3 PROGRAM
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
[ ! -e "$folder/whole" ] || exit 0
mkdir -p "$folder/archives/partial"
: >"$folder/installed" # nothing is, so all that it needs comes
apt-get -qq -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::status="$folder/installed" \
  -o Dir::Cache::archives="$folder/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Debug::NoLocking=1 \
  --no-install-recommends --download-only install python3-minimal python3-zmq python3-protobuf >&2
for archive in "$folder"/archives/*.deb; do
  dpkg-deb -x "$archive" "$folder"
done
rm -r "$folder/archives"
touch "$folder/whole"
