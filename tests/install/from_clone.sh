#!/usr/bin/env bash
# How long it takes from `git clone` to a path on a fresh Debian 12, with what a newcomer types of the README: in Python; then, with the daemon that
# is built by now, in C and in TypeScript. Prints seconds and what each printed; exit code 1 when one shows no path or takes longer than asked:
# three minutes from the clone for Python, four for C and for TypeScript. Only what is committed is cloned. As root; needs debootstrap, git and the network.
# usage: from_clone.sh [FOLDER FOR THE CHROOT]
set -euo pipefail
cd "$(dirname "$0")/../.."
source=$PWD
folder=${1:-/var/tmp/replan-from-clone}
base=$folder/base root=$folder/root
debian=/etc/apt/sources.list.d/debian.sources # of others nothing is taken
mirror=$(sed -nE 's/^URIs: *([^ ]*\/debian)\/?$/\1/p' $debian 2>/dev/null | head -1)
trusted=/etc/ssl/certs/ca-certificates.crt # what this machine trusts: its way to npm's registry may lead through somebody
mkdir -p "$folder"

end() {
  local mounted
  for mounted in proc dev; do
    if mountpoint -q "$root/$mounted"; then umount --lazy "$root/$mounted"; fi
  done
}
end
trap end EXIT
trap 'exit 130' INT TERM

# What is there before somebody comes: Debian's smallest system, git to clone with, and where this machine finds packages.
if [ ! -e "$base/whole" ]; then
  rm -rf "$base"
  debootstrap --variant=minbase --include=git,ca-certificates bookworm "$base" "${mirror:-http://deb.debian.org/debian}" >"$folder/debootstrap.log"
  touch "$base/whole"
fi
end # of a run that was killed
rm -rf --one-file-system "$root"
cp -a "$base" "$root"
cp /etc/resolv.conf "$root/etc/"
if [ -e $debian ]; then
  rm -f "$root/etc/apt/sources.list"
  cp $debian "$root$debian"
fi
cp -r /etc/apt/apt.conf.d "$root/etc/apt/"
for keys in /etc/apt/keyrings /usr/share/keyrings; do
  if [ -d $keys ]; then cp -r $keys "$root$(dirname $keys)/"; fi
done
if [ -e $trusted ]; then cp $trusted "$root$trusted"; fi
git clone --quiet --bare "$source" "$root/source.git"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"

# inside LINE...: as root of the fresh system, in the clone
inside() {
  # shellcheck disable=SC2046
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8 $(env | grep -iE '^(https?|no)_proxy=|^npm_config_|^NODE_EXTRA_CA_CERTS=' | tr '\n' ' ') \
    chroot "$root" bash -euc "cd /root; [ ! -d replan ] || cd replan; $*"
}
code=0 first=0
# step NAME MOST_S PATTERN LINE...: what is typed; its output has a line like this. What the first step took counts for all.
step() {
  local started=$EPOCHREALTIME took
  inside "${*:4}" >"$folder/$1.log" 2>&1 || { tail -20 "$folder/$1.log"; echo "$1: FAILED"; exit 1; }
  took=$(echo "$EPOCHREALTIME $started" | awk '{printf "%.0f", $1 - $2}')
  grep -E "$3" "$folder/$1.log" || { tail -20 "$folder/$1.log"; echo "$1: no path"; exit 1; }
  echo "$1: $((first + took)) s from git clone (at most $2)"
  [ $((first + took)) -le "$2" ] || code=1
  [ "$first" != 0 ] || first=$took
}

inside 'git config --global --add safe.directory /source.git'
step python 180 'at version 2, cost 15.49' 'git clone --quiet file:///source.git replan; cd replan; ./run build repland python
  build/release/bin/repland 2>/dev/null & daemon=$!; build/release/python/first_path.py; kill $daemon'
step c 240 '^version 2: found, cost 15.49' './run build repland first_path
  build/release/bin/repland 2>/dev/null & daemon=$!; build/release/examples/first_path; kill $daemon'
step typescript 240 '^version 2: found, cost 15.49' './run typescript
  mkdir mine; cd mine; npm install --silent ../build/typescript/replan-*.tgz
  sed -n "/^\`\`\`ts$/,/^\`\`\`$/p" ../clients/typescript/README.md | sed "/^\`\`\`/d" >hello.mjs
  ../build/release/bin/repland 2>/dev/null & daemon=$!; node hello.mjs; kill $daemon'
exit $code
