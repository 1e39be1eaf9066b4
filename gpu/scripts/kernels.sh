#!/usr/bin/env bash
# Compiles the kernels to PTX, byte for byte the same wherever it runs: PTX ISA
# 7.0 for compute capability 7.0, which every driver since 2020 loads.
#
#   gpu/scripts/kernels.sh [FOLDER]     default gpu: into its ptx, examples and testdata/bad
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-.}
clang=${CLANG:-clang-16}

ptx() { # TARGET SOURCE DEFINES...
  local target=$1 source=$2
  shift 2
  "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++17 \
    -Xclang -target-feature -Xclang +ptx70 -O2 -Wall -Wextra -Werror -Iinclude "$@" \
    -S "$source.cu" -o "$out/$target.ptx"
}

mkdir -p "$out/ptx" "$out/examples" "$out/testdata/bad"
ptx ptx/abp kernels/abp -DABP_VARIANT=1
ptx ptx/abp-book kernels/abp -DABP_VARIANT=2
ptx ptx/abp-release2011 kernels/abp -DABP_VARIANT=3
ptx ptx/abp-wide kernels/abp -DABP_VARIANT=1 -DABP_WIDE=1
ptx ptx/tz-skeleton kernels/skeleton
for kernel in tz the blocking static list clock; do ptx "ptx/$kernel" "kernels/$kernel"; done
ptx examples/ticket examples/ticket
ptx examples/ticket-trusts-turn examples/ticket -DTICKET_TRUSTS_TURN
ptx examples/relay examples/relay
ptx examples/relay-relaxed examples/relay -DRELAY_RELAXED
ptx examples/warp-ring examples/warp-ring
ptx examples/warp-ring-eager examples/warp-ring -DWARP_RING_EAGER
ptx examples/warp-ring-trusting examples/warp-ring -DWARP_RING_TRUSTING
ptx examples/block-deque examples/block-deque
ptx examples/block-deque-hasty examples/block-deque -DBLOCK_DEQUE_HASTY

# Modules that go wrong when they run.
bad=testdata/bad
ways="writes_outside spoils_its_log overflows_its_log hangs gives_up traps uses_a_wild_address uses_a_crooked_address"
for way in $ways; do ptx "$bad/${way//_/-}" kernels/bad -DBAD=$way; done

# What was compiled to what, so that a test without a compiler sees what has changed since.
{
  sha256sum scripts/kernels.sh include/*.cuh kernels/*.cu* examples/*.cu examples/*.h
  cd "$out" && sha256sum ptx/*.ptx examples/*.ptx testdata/bad/*.ptx
} > "$out/testdata/kernels.sha256"
