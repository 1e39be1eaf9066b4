#!/usr/bin/env bash
# One tour on a GPU, under nine minutes: the clock, modules that go wrong, every
# structure whole and with defects, what recording costs, how fast a verdict is
# there, long runs of what must hold, the table. From the root of the repository;
# it needs nothing else but the built program:
#
#   go build -tags cuda -o bin/stealproof-cuda ./cmd/stealproof
#   OUT=out gpu/scripts/h200.sh [bin/stealproof-cuda] [PART...]
#
# Parts: clock, bad, whole, fences, widths, defects, bench, verdict, vendor, together,
# long, table. Default: all.
# In two calls of under five minutes each: all but table, and table.
# In $OUT: log.txt, histories.tar.gz with small histories of every step, and
# h200.md, the table. LONG is how many seconds each structure gets in the part
# long (20), LIMIT after how many what is left is skipped (500).
set -uo pipefail
program=${1:-bin/stealproof-cuda}
shift || true
parts=${*:-clock bad whole fences widths defects bench verdict vendor together long table}
out=${OUT:-out}
mkdir -p "$out"
histories=$(mktemp -d)
mkdir "$histories/histories"
date=$(date -u +%Y-%m-%dT%H:%M:%SZ)
exec > >(tee "$out/log.txt") 2>&1

limit=${LIMIT:-500} # seconds after which what is left is skipped
late() {
  [ "$SECONDS" -gt "$limit" ] && echo "== $1: skipped, the time is up"
}

part() { [[ " $parts " == *" $1 "* ]]; }

step() { # NAME ARGUMENTS...: a run that is checked, and leaves a small history
  local name=$1 begin=$SECONDS
  late "$name" && return
  shift
  echo
  echo "== $name (at ${begin}s): stealproof gpu run $*"
  timeout -k 5 "${most:-40}" "$program" gpu run --check --date "$date" --out "$histories/histories/$name.jsonl.gz" --out-objects 2 --timeout 10s "$@"
  echo "   exit $? after $((SECONDS - begin))s"
}

plain() { # COMMAND...
  late "$*" && return
  echo
  echo "== at ${SECONDS}s: $*"
  timeout -k 5 "${most:-60}" "$@"
  echo "   exit $?"
}

if part clock; then
  plain nvidia-smi --query-gpu=name,driver_version,clocks.sm,memory.used --format=csv
  plain "$program" gpu list
  plain "$program" gpu calibrate
fi

# Modules that must be refused or survived: each with its exit code and what is
# said about it, and behind each a run that must work.
bad() { # CODE TEXT MODULE FLAGS...
  local code=$1 text=$2 module=$3 said got
  late "$module" && return
  shift 3
  echo
  echo "== at ${SECONDS}s: stealproof gpu run --check --module $module --model fifo $*"
  said=$(timeout -k 5 60 "$program" gpu run --check --module "$module" --model fifo --groups 2 --ops 200 --mix 0 --date "$date" "$@" 2>&1)
  got=$?
  echo "$said"
  echo "   exit $got, expected $code"
  [ $got -eq $code ] || unexpected+=("$module: exit $got")
  grep -qF -- "$text" <<<"$said" || unexpected+=("$module: nothing about '$text'")
  "$program" gpu run blocking --check --groups 2 --ops 100 >/dev/null 2>&1 || unexpected+=("the run after $module: exit $?")
}
changed() { # NAME SED: a module with another head
  sed -e "$2" gpu/testdata/bad/gives-up.ptx >"$histories/$1.ptx"
  echo "$histories/$1.ptx"
}
if part bad; then
  unexpected=()
  modules=gpu/testdata/bad
  bad 2 'writes outside of its memory' $modules/writes-outside.ptx
  bad 2 'log of process 1 of object 0 was overwritten' $modules/spoils-its-log.ptx
  bad 3 '1 operations found no room' $modules/overflows-its-log.ptx
  bad 1 'hang: the kernel did not end within 2s' $modules/hangs.ptx --timeout 2s --announce --out "$histories/histories/bad-hang.jsonl.gz"
  bad 1 'hang: process 1 of object 0 gave up waiting' $modules/gives-up.ptx
  bad 1 '1500 operations were recorded until then' $modules/traps.ptx --out "$histories/histories/bad-trap.jsonl.gz"
  bad 1 'trap: CUDA, running the kernel' $modules/traps.ptx --logs host
  bad 1 'IllegalAddress' $modules/uses-a-wild-address.ptx
  bad 1 'MisalignedAddress' $modules/uses-a-crooked-address.ptx
  bad 2 'compiled with version 9' "$(changed of-another-version 's/stealproof_abi = 3;/stealproof_abi = 9;/')"
  bad 2 'this module is for a newer GPU' "$(changed for-a-newer-gpu 's/^.version 7.0/.version 8.7/; s/^.target sm_70/.target sm_120/')"
  bad 2 'the driver is older than the PTX' "$(changed of-a-newer-toolkit 's/^.version 7.0/.version 99.0/')"
  bad 2 'has no word stealproof_abi' gpu/ptx/clock.ptx
  bad 2 'no PTX, cubin or fatbin' gpu/kernels/clock.cu
  echo
  echo "== modules that go wrong: ${#unexpected[@]} unexpected answers"
  printf '   %s\n' ${unexpected[@]+"${unexpected[@]}"}
fi

small="--groups 16 --ops 250"
if part whole; then
  for structure in abp tz the blocking static list; do
    for capture in performed raw; do
      step "$structure-$capture" "$structure" $small --repeat 20 --capture $capture
    done
  done
  step abp-wide abp:width=32 $small --repeat 20
  step abp-large abp --groups 264 --ops 10000 --repeat 2
  step abp-large-raw abp --groups 264 --ops 10000 --repeat 2 --capture raw
  step tz-large tz --groups 64 --ops 10000 --repeat 2
  step tz-crowd tz:capacity=16 --groups 8 --processes 32 --ops 1000 --repeat 4
  step the-large the --groups 64 --ops 10000 --repeat 2
  step abp-stress abp --groups 128 --ops 2000 --repeat 4 --stress 1024 --shuffle
fi

rows() { # NAME SPEC: the three shapes of the table in docs
  step "$1-640x4" "$2" --groups 640 --processes 4 --ops 1000 --repeat 8 --keep-going
  step "$1-320x8" "$2" --groups 320 --processes 8 --ops 1000 --repeat 8 --keep-going
  # 3696 warps are resident at once with all fences
  step "$1-900x4" "$2" --groups 900 --processes 4 --ops 700 --repeat 8 --keep-going
}
if part fences; then
  rows abp-nothing abp
  rows abp-without-all abp:without=all
  rows abp-without-steal-head-tail abp:without=steal-head-tail
  rows abp-release2011 abp:variant=release2011
  for fence in push-task-tail steal-tail-task+steal-task-head pop-tail-head pop-tail-head-on-reset; do
    step "abp-without-${fence//+/-}" "abp:without=$fence" --groups 640 --ops 1000 --repeat 8 --keep-going
  done
  step abp-book abp:variant=book --groups 64 --ops 1000 --repeat 2
  step the-without-pop the:without=pop-beg-end --groups 64 --ops 1000 --repeat 4
  step the-without-steal the:without=steal-end-beg --groups 64 --ops 1000 --repeat 4
fi

if part widths; then
  for width in 0 1 2 4 8 16; do
    step "abp-width$width" "abp:width=$width" --groups 64 --ops 2000 --naps 20us --repeat 4 --keep-going
  done
fi

if part defects; then
  for defect in tail-before-task tail-before-head task-after-cas steal-store steal-off-by-one head-before-tail pop-off-by-one pop-store head-reset-first counter-kept-on-swap; do
    step "abp-$defect" "abp:defect=$defect" $small --repeat 20 --naps 2us --nap-one-in 4
  done
  step tz-skeleton tz:variant=skeleton,capacity=64 $small --patience 100000
  step the-base the:base=2147483600 $small --repeat 20
  step the-base-difference the:base=2147483600,compare=difference $small --repeat 20
  step the-round the:base=4294967000,compare=difference $small --repeat 20
  step tz-original tz:variant=original,capacity=8 $small --repeat 40 --naps 5us --nap-one-in 4
  for defect in one-null deq-store enq-store empty-unchecked head-store; do
    step "tz-$defect" "tz:capacity=8,defect=$defect" $small --repeat 20 --naps 5us --nap-one-in 4 --patience 100000
  done
  for setting in fill=beg-first fill=end-first failed=empty failed=empty-if-equal compare=unsigned defect=steal-unlocked defect=end-before-beg defect=beg-before-end defect=steal-keeps; do
    step "the-${setting#*=}" "the:$setting" $small --repeat 20 --naps 2us --nap-one-in 4 --patience 100000
  done
  step blocking-printed blocking:variant=printed $small --repeat 2 --patience 100000
  for defect in no-lock unlock-early lock-in-two-steps end-first; do
    step "blocking-$defect" "blocking:defect=$defect" $small --repeat 10 --patience 100000
  done
  for defect in take-in-put-phase no-fetch-and-add tail-not-reset not-swapped block-repeated; do
    step "static-$defect" "static:defect=$defect" $small --repeat 10 --phases 10
  done
  for defect in no-lock unlock-early pop-too-much; do
    step "list-$defect" "list:defect=$defect" $small --repeat 10
  done
fi

if part bench; then
  for groups in 64 264; do
    plain "$program" gpu bench abp --groups $groups --ops 10000 --repeat 15
  done
  plain "$program" gpu bench abp:without=all --groups 264 --ops 10000 --repeat 9
  plain "$program" gpu bench abp --groups 900 --ops 4000 --repeat 9
  for structure in tz the blocking static list; do
    plain "$program" gpu bench $structure --groups 64 --ops 5000 --repeat 9
  done
fi

# 100 million operations, checked while the next ones are captured.
if part verdict; then
  for capture in performed raw; do
    plain bash -c "time '$program' gpu run abp --groups 264 --ops 10000 --repeat 10 --capture $capture --check"
  done
fi

# A queue that is not ours, as docs/vendor.md has it: whole, broken, and refused.
module() { # NAME FILE MODEL FLAGS...
  local name=$1 file=$2 model=$3
  shift 3
  step "vendor-$name" --module "$file" --model "$model" --groups 64 --ops 2000 "$@"
}
examples=gpu/examples
if part vendor; then
  for capture in performed raw; do
    module ticket-$capture $examples/ticket.ptx fifo --capture $capture --repeat 20
  done
  module ticket-stress $examples/ticket.ptx fifo --repeat 10 --stress 512 --shuffle
  module ticket-naps $examples/ticket.ptx fifo --repeat 20 --naps 20us --nap-one-in 4
  module ticket-trusts-turn $examples/ticket-trusts-turn.ptx fifo --repeat 20
  module ticket-trusts-turn-naps $examples/ticket-trusts-turn.ptx fifo --repeat 20 --naps 20us --nap-one-in 4
  module wrong-model $examples/ticket.ptx wsdeque
fi

# What the lanes of a warp or the threads of a block do together.
if part together; then
  for capture in performed raw; do
    module warp-ring-$capture $examples/warp-ring.ptx fifo --capture $capture --repeat 10
    module block-deque-$capture $examples/block-deque.ptx wsdeque --capture $capture --repeat 10
  done
  module block-deque-stress $examples/block-deque.ptx wsdeque --repeat 4 --stress 256 --shuffle
  module warp-ring-trusting $examples/warp-ring-trusting.ptx fifo --repeat 20 --naps 20us --nap-one-in 4
  module warp-ring-eager $examples/warp-ring-eager.ptx fifo --repeat 20
  module block-deque-hasty $examples/block-deque-hasty.ptx wsdeque --repeat 20
fi

# What must hold, towards a billion operations; half of the time in each mode.
long() { # STRUCTURE FLAGS...
  local structure=$1
  shift
  for capture in performed raw; do
    most=$((half + 30)) step "long-${structure%%:*}-$capture" "$structure" --capture $capture --for ${half}s --seed 1000 "$@"
  done
}
if part long; then
  half=$(((${LONG:-20} + 1) / 2))
  long abp --groups 264 --ops 10000
  # more slots than there are enqueues: none is used twice while a process sleeps
  long tz:capacity=32768 --groups 264 --ops 10000
  long the --groups 264 --ops 10000
  half=$(((half + 1) / 2)) long blocking --groups 264 --ops 4000
fi

if part table; then
  most=300 plain "$program" gpu table --date "${date%%T*}" --out "$out/h200.md"
fi

tar -czf "$out/histories.tar.gz" -C "$histories" histories
rm -rf "$histories"
echo
echo "== done after ${SECONDS}s"
