#!/usr/bin/env bash
# Brings cuda.h and a stub of libcuda.so into a folder outside the repository,
# so that `go build -tags cuda` works on a Debian machine without GPU and
# without NVIDIA's toolkit. The package is 774 MB; two small files of it stay.
#
#   gpu/scripts/toolchain.sh [FOLDER]     then, as it prints:
#   eval "$(gpu/scripts/toolchain.sh)"
set -euo pipefail

folder=${1:-${STEALPROOF_CUDA:-$HOME/.cache/stealproof-cuda}}
header=usr/include/cuda.h
stub=usr/lib/x86_64-linux-gnu/stubs/libcuda.so

say() { echo "$*" >&2; }

fetch() {
  # A package list of its own: the machine's sources stay as they are.
  local work=$1 sources
  sources=$work/sources
  mkdir -p "$sources" "$work/lists/partial" "$work/archives/partial"
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
    [ -f "$file" ] || continue
    sed -E -e 's/^(Components:.*)$/\1 non-free/' -e 's/^(deb .* main)(.*)$/\1 non-free\2/' "$file" >"$sources/$(basename "$file" .list)$([ "${file%.list}" = "$file" ] || echo .list)"
  done
  local apt=(-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$sources" -o Dir::State::lists="$work/lists" -o Dir::Cache="$work" -o APT::Sandbox::User=root)
  say "toolchain: reading the package lists"
  apt-get "${apt[@]}" update -qq >&2
  say "toolchain: fetching nvidia-cuda-dev (774 MB)"
  (cd "$work" && apt-get "${apt[@]}" download -qq nvidia-cuda-dev >&2)
  dpkg-deb --fsys-tarfile "$work"/nvidia-cuda-dev_*.deb | tar -x -C "$work" "./$header" "./$stub"
}

if [ ! -f "$folder/include/cuda.h" ] || [ ! -f "$folder/lib/libcuda.so" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  fetch "$work"
  mkdir -p "$folder/include" "$folder/lib"
  cp "$work/$header" "$folder/include/"
  cp -L "$work/$stub" "$folder/lib/"
  # programs ask for libcuda.so.1 by name when they are linked
  ln -sf libcuda.so "$folder/lib/libcuda.so.1"
fi

# Linked so, the program needs a driver when it uses a GPU, and not to start.
late=
if [ "$(uname -m)" = x86_64 ]; then
  "$(dirname "$0")/driver.sh" "$folder/lib/libcuda.so" "$folder/late"
  late=-L$folder/late\ 
fi
echo "export CGO_CFLAGS=-I$folder/include CGO_LDFLAGS='$late-L$folder/lib'"
