#!/usr/bin/env bash
# Makes a libcuda.a that looks for the driver when it is first called, and not when
# the program starts: what is linked with it prints its help, and checks, explores
# and replays, on a machine that has no driver.
#
#   gpu/scripts/driver.sh LIBCUDA.SO FOLDER     writes FOLDER/libcuda.a
#
# Of LIBCUDA.SO, the real one or the stub of a toolkit, only the names of its functions
# are read. Each becomes a few instructions that jump to the driver's function of that
# name. Without a driver it returns SHARED_OBJECT_INIT_FAILED (303), and where the driver
# is older and lacks the function, SHARED_OBJECT_SYMBOL_NOT_FOUND (302). cuInit does
# nothing: the package cu calls it when the program starts, and ends the program where
# it fails. The driver is initialized before the first function that is looked for; if
# that fails, so does the function, with the same error.
set -euo pipefail
library=$1 folder=$2
[ "$(uname -m)" = x86_64 ] || { echo "driver.sh: the jumps are written for x86-64" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$library" | awk '$2 == "T" && $3 ~ /^cu/ && $3 != "cuInit" { print $3 }' | sort -u >"$work/names"
[ -s "$work/names" ] || { echo "driver.sh: $library has no function of CUDA's driver" >&2; exit 1; }

cat >"$work/find.c" <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

extern const char *const stealproof_names[];
extern void *stealproof_functions[];

static void *driver;
static int failed; /* why the driver cannot be used */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_driver(void) {
  int (*init)(unsigned) = NULL;
  failed = 303;
  if ((driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL))) init = (int (*)(unsigned))dlsym(driver, "cuInit");
  if (init) failed = init(0);
}
static int no_driver(void) { return failed; }
static int no_function(void) { return 302; }

int cuInit(unsigned flags) { return 0; }

/* Two threads that come at once find the same function. */
__attribute__((visibility("hidden"))) void *stealproof_find(size_t number) {
  pthread_once(&once, open_driver);
  void *function = failed ? (void *)no_driver : dlsym(driver, stealproof_names[number]);
  if (!function) function = (void *)no_function;
  __atomic_store_n(&stealproof_functions[number], function, __ATOMIC_RELEASE);
  return function;
}
C

# The arguments of a call lie in these registers (and on the stack, which is left as
# it is): they are kept while the function is looked for.
{
  cat <<'S'
  .text
find:
  push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9; push %rax
  sub $128, %rsp
  movups %xmm0, (%rsp);    movups %xmm1, 16(%rsp); movups %xmm2, 32(%rsp); movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp);  movups %xmm5, 80(%rsp); movups %xmm6, 96(%rsp); movups %xmm7, 112(%rsp)
  mov %r10, %rdi
  call stealproof_find
  mov %rax, %r11
  movups (%rsp), %xmm0;    movups 16(%rsp), %xmm1; movups 32(%rsp), %xmm2; movups 48(%rsp), %xmm3
  movups 64(%rsp), %xmm4;  movups 80(%rsp), %xmm5; movups 96(%rsp), %xmm6; movups 112(%rsp), %xmm7
  add $128, %rsp
  pop %rax; pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi
  jmp *%r11
S
  awk '{ printf "  .globl %s\n  .type %s, @function\n%s:\n  mov stealproof_functions+%d(%%rip), %%r11\n  mov $%d, %%r10d\n  test %%r11, %%r11\n  jz find\n  jmp *%%r11\n", $1, $1, $1, 8*(NR-1), NR-1 }' "$work/names"
  echo '  .section .rodata'
  awk '{ printf "name%d: .string \"%s\"\n", NR-1, $1 }' "$work/names"
  printf '  .section .data.rel.ro, "aw"\n  .balign 8\n  .hidden stealproof_names\n  .globl stealproof_names\nstealproof_names:\n'
  awk '{ printf "  .quad name%d\n", NR-1 }' "$work/names"
  printf '  .bss\n  .balign 8\n  .hidden stealproof_functions\n  .globl stealproof_functions\nstealproof_functions:\n  .zero %d\n  .section .note.GNU-stack, "", @progbits\n' $((8 * $(wc -l <"$work/names")))
} >"$work/jump.s"

(cd "$work" && cc -O2 -fPIC -c find.c jump.s && ar rcs libcuda.a find.o jump.o)
mkdir -p "$folder"
mv "$work/libcuda.a" "$folder/"
