#!/usr/bin/env bash
# Runs the programs of the table in docs/exhaustive.md on GenMC and here, one thread each,
# and prints executions and times beside one another. GenMC is no dependency: nothing else
# asks for it.
#
#   GENMC=PATH fuzz/exhaust/genmc/genmc.sh     the table
#   fuzz/exhaust/genmc/genmc.sh --native       compile the clients and run them on this machine
#
# GenMC 0.11 (github.com/MPI-SWS/genmc) wants LLVM 16 and a compiler of C++20. On Debian:
#
#   apt-get install autoconf automake make pkg-config libffi-dev zlib1g-dev libedit-dev \
#       llvm-16-dev clang-16 clang-19
#   autoreconf --install && ./configure --with-llvm=/usr/lib/llvm-16
#   make CXX="clang++-19 -std=c++20"
#
# GENMC_FLAGS are given to every run of it, CFLAGS to the clients.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

programs() { # name, source, pushes, pops, steals of either thief
	echo "chase-lev-5+2+1 chase-lev.c 3 2 2 1"
	echo "chase-lev-6+2+2 chase-lev.c 3 3 2 2"
	echo "abp-6+2+2 abp.c 3 3 2 2"
}

sizes() { echo "-DPUSHES=$1 -DPOPS=$2 -DSTEALS_1=$3 -DSTEALS_2=$4"; }

if [ "${1:-}" = --native ]; then
	folder=$(mktemp -d)
	trap 'rm -rf "$folder"' EXIT
	programs | while read -r name source owner; do
		# shellcheck disable=SC2046,SC2086
		"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Werror -pthread $(sizes $owner) ${CFLAGS:-} -o "$folder/$name" "$here/$source"
		for _ in $(seq 200); do "$folder/$name"; done
		echo "$name: 200 runs"
	done
	exit
fi

genmc=${GENMC:-$(command -v genmc || true)}
if [ -z "$genmc" ]; then
	echo "genmc.sh: no genmc: set GENMC to the program; the head of this script says how it is built" >&2
	exit 2
fi

"$genmc" --version 2>&1 | head -n 1
printf '%-16s %-6s %12s %s\n' program model executions time
programs | while read -r name source owner; do
	for model in sc tso rc11; do
		# shellcheck disable=SC2046,SC2086
		out=$("$genmc" "--$model" ${GENMC_FLAGS:-} -- $(sizes $owner) ${CFLAGS:-} -I"$here" "$here/$source" 2>&1) || { echo "$out" >&2; exit 1; }
		printf '%-16s %-6s %12s %s\n' "$name" "$model" \
			"$(sed -n 's/.*complete executions explored: *//p' <<<"$out")" \
			"$(sed -n 's/.*wall-clock time: *//p' <<<"$out")"
	done
done

echo
echo "stealproof, verdicts included: structure, memory, executions, cut, dead ends, time"
cd "$here/.."
STEALPROOF_LARGE=1 go test -count=1 -v -run 'GraphsAreAsManyAsThoseOfOthers' . | sed -n 's/^ *table_test.go:[0-9]*: //p'
