#!/usr/bin/env bash
# Compiles the kernels to PTX, byte for byte the same wherever it runs: PTX ISA
# 7.0 for compute capability 7.0, which every driver since 2020 loads.
#
#   gpu/scripts/kernels.sh [FOLDER]     default gpu/ptx
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-ptx}
clang=${CLANG:-clang-16}

ptx() { # NAME SOURCE DEFINES...
  local name=$1 source=$2
  shift 2
  "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++17 \
    -Xclang -target-feature -Xclang +ptx70 -O2 -Wall -Wextra -Werror -Iinclude "$@" \
    -S "kernels/$source.cu" -o "$out/$name.ptx"
}

mkdir -p "$out"
ptx abp abp -DABP_VARIANT=1
ptx abp-book abp -DABP_VARIANT=2
ptx abp-release2011 abp -DABP_VARIANT=3
ptx abp-wide abp -DABP_VARIANT=1 -DABP_WIDE=1
for kernel in tz the blocking static list clock; do ptx "$kernel" "$kernel"; done
