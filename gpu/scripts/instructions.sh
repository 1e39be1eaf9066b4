#!/usr/bin/env bash
# Runs random instances of every instruction on a GPU and compares them with what
# comes out without one, bit by bit. From the root of the repository, on a machine
# with a GPU, Go and a CUDA toolkit (or what gpu/scripts/toolchain.sh brings):
#
#   gpu/scripts/instructions.sh [INSTANCES] [LOG]
#
# INSTANCES of each form, default 260, which makes 119,860; LOG is where what came
# out is written, to be kept in ref/ptx/instances/testdata; with INSTANCES_WARPS_LOG set
# also that of what the lanes of a warp do together, to be kept in its folder warps. To
# build elsewhere:
#
#   go test -c -tags cuda -o bin/instances.test ./ref/ptx/instances
#   cd ref/ptx/instances && ../../../bin/instances.test -test.run TestDevice -test.v
set -euo pipefail
log=${2:+$(realpath "$2")}
cd "$(dirname "$0")/../.."
INSTANCES=${1:-260} INSTANCES_LOG=$log go test -count=1 -tags cuda ./ref/ptx/instances -run TestDevice -v
