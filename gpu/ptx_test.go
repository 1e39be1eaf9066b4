package gpu_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/gpu"
)

// site finds the accesses by the names that the header's macros leave behind.
var site = regexp.MustCompile(`(?m)^\s*(.*);\s*// site (\w+)$`)

// operands are all that tells two uses of one access apart.
var operands = regexp.MustCompile(`[ \t]+[%{\[].*$`)

// sites maps each access of a module to its instructions without operands.
func sites(t testing.TB, module string) map[string]string {
	t.Helper()
	text, err := gpu.Module(module)
	require.NoError(t, err)
	all := map[string]string{}
	for _, m := range site.FindAllStringSubmatch(string(text), -1) {
		var parts []string
		for part := range strings.SplitSeq(m[1], "; ") {
			parts = append(parts, operands.ReplaceAllString(part, ""))
		}
		instruction := strings.Join(parts, "; ")
		if seen, known := all[m[2]]; known {
			require.Equal(t, seen, instruction, "%s of %s", m[2], module)
		}
		all[m[2]] = instruction
	}
	return all
}

// abpSites are the accesses of the deque; order is that of its loads and
// stores, bits those of head.
func abpSites(order, bits string) map[string]string {
	ld, st := "ld."+order+".global.", "st."+order+".global."
	cas := "atom.relaxed.gpu.global.cas." + bits
	return map[string]string{
		"push_read_tail":  ld + "b32",
		"push_write_task": st + "b64",
		"push_write_tail": st + "b32",
		"steal_read_head": ld + bits,
		"steal_read_tail": ld + "b32",
		"steal_read_task": ld + "b64",
		"steal_swap_head": cas,
		"pop_read_tail":   ld + "b32",
		"pop_write_tail":  st + "b32",
		"pop_read_task":   ld + "b64",
		"pop_read_head":   ld + bits,
		"pop_reset_tail":  st + "b32",
		"pop_swap_head":   cas,
		"pop_reset_head":  st + bits,
		// values with a name, for patches
		"push_room": "mov.b32",
		"pop_index": "mov.b32",
	}
}

func with(sites map[string]string, more ...string) map[string]string {
	for i := 0; i < len(more); i += 2 {
		sites[more[i]] = more[i+1]
	}
	return sites
}

var abpFences = []string{
	"push_fence_task_tail", "fence.acq_rel.gpu",
	"steal_fence_head_tail", "fence.sc.gpu",
	"steal_fence_tail_task", "fence.acq_rel.gpu",
	"steal_fence_task_head", "fence.acq_rel.gpu",
	"pop_fence_tail_head", "fence.sc.gpu",
	"pop_fence_reset", "fence.acq_rel.gpu",
}

// lockSites are the accesses of the lock, under the names that some operations have
// for them.
func lockSites(operations ...string) (sites []string) {
	for _, op := range operations {
		sites = append(sites, op+"_lock", "atom.acquire.gpu.global.cas.b32", op+"_unlock", "st.release.gpu.global.b32")
	}
	return sites
}

const (
	relaxedLoad  = "ld.relaxed.gpu.global."
	relaxedStore = "st.relaxed.gpu.global."
	scLoad       = "fence.sc.gpu; ld.acquire.gpu.global.b64"
	scStore      = "fence.sc.gpu; st.release.gpu.global.b64"
	scSwap       = "fence.sc.gpu; atom.acq_rel.gpu.global.cas.b64"
)

// every module's shared accesses, by name: these and no others.
var wantSites = map[string]map[string]string{
	"abp":      with(abpSites("relaxed.gpu", "b32"), abpFences...),
	"abp-wide": with(abpSites("relaxed.gpu", "b64"), abpFences...),
	"abp-book": abpSites("weak", "b32"),
	"abp-release2011": with(abpSites("volatile", "b32"),
		"push_fence_task_tail", "fence.sc.gpu", "pop_fence_task_tail", "fence.sc.gpu", "steal_fence_task_head", "fence.sc.gpu"),
	"tz": {
		"enq_read_tail": scLoad, "enq_read_slot": scLoad, "enq_check_tail_in_scan": scLoad, "enq_read_head_in_scan": scLoad, "enq_read_next_slot": scLoad,
		"enq_check_tail_after_scan": scLoad, "enq_read_head": scLoad, "enq_read_slot_behind_head": scLoad, "enq_write_vnull_to_help": scStore,
		"enq_swap_head_to_help": scSwap, "enq_check_tail_before_swap": scLoad, "enq_swap_slot": scSwap, "enq_swap_tail": scSwap,
		"deq_read_head": scLoad, "deq_read_tail_first": scLoad, "deq_read_slot": scLoad, "deq_check_head_in_scan": scLoad, "deq_read_tail_in_scan": scLoad,
		"deq_read_next_tail_first": scLoad, "deq_read_next_slot": scLoad, "deq_check_head_after_scan": scLoad, "deq_read_tail": scLoad,
		"deq_swap_tail_to_help": scSwap, "deq_read_vnull": scLoad, "deq_read_vnull_for_slot_0": scLoad, "deq_read_slot_0": scLoad,
		"deq_check_head_before_swap": scLoad, "deq_swap_slot": scSwap, "deq_write_vnull": scStore, "deq_swap_head": scSwap,
		"rounds": "mov.b64", "first_vnull": "mov.b64", "other_null": "mov.b64", "tail_first": "mov.b32", "hasty": "mov.b64", "enq_full": "mov.b32",
	},
	"tz-skeleton": {
		"enq_read_tail": scLoad, "enq_read_slot": scLoad, "enq_swap_slot": scSwap, "enq_swap_tail": scSwap,
		"deq_read_head": scLoad, "deq_read_slot": scLoad, "deq_swap_slot": scSwap, "deq_swap_head": scSwap,
	},
	"the": with(map[string]string{
		"push_read_beg": relaxedLoad + "b32", "push_read_end": relaxedLoad + "b32", "push_write_beg": relaxedStore + "b32",
		"push_write_beg_to_fill": relaxedStore + "b32", "push_write_end_to_fill": relaxedStore + "b32",
		"pop_read_beg": relaxedLoad + "b32", "pop_advance_beg": relaxedStore + "b32", "pop_fence_beg_end": "fence.sc.gpu", "pop_read_end": relaxedLoad + "b32",
		"pop_undo_beg": relaxedStore + "b32", "pop_read_end_under_lock": relaxedLoad + "b32", "pop_take_beg": relaxedStore + "b32",
		"steal_read_end": relaxedLoad + "b32", "steal_compare_beg": relaxedLoad + "b32", "steal_retreat_end": relaxedStore + "b32", "steal_fence_end_beg": "fence.sc.gpu",
		"steal_read_beg": relaxedLoad + "b32", "steal_undo_end": relaxedStore + "b32", "push_upper": "mov.b32",
	}, lockSites("steal", "owner")...),
	"blocking": with(map[string]string{
		"read_beg": relaxedLoad + "b32", "read_end": relaxedLoad + "b32", "read_data": relaxedLoad + "b64",
		"write_data": relaxedStore + "b64", "write_beg": relaxedStore + "b32", "write_end": relaxedStore + "b32",
		"printed_lock": "atom.relaxed.gpu.global.cas.b32", "printed_unlock": relaxedStore + "b32", "enq_room": "mov.b32", "deq_least": "mov.b32",
	}, lockSites("enq", "deq")...),
	"list": with(map[string]string{
		"read_beg": relaxedLoad + "b32", "read_end": relaxedLoad + "b32", "write_beg": relaxedStore + "b32", "write_end": relaxedStore + "b32",
		"push_upper": "mov.b32", "pop_most": "mov.b32",
	}, lockSites("push", "pop")...),
	"static": {
		"put_read_phase": "ld.weak.global.b32", "put_add_tail": "atom.relaxed.gpu.global.add.u32", "put_write_task": "st.weak.global.b64",
		"take_read_phase": "ld.weak.global.b32", "take_read_block": "ld.weak.global.b32", "take_write_block": "st.weak.global.b32", "take_read_count": "ld.weak.global.b32",
		"take_read_task": "ld.weak.global.b64", "take_read_left": "ld.weak.global.b32", "take_read_tail": "ld.weak.global.b32",
		"host_read_block": "ld.weak.global.b32", "host_read_count": "ld.weak.global.b32", "host_write_left": "st.weak.global.b32", "host_read_tail": "ld.weak.global.b32",
		"host_write_count": "st.weak.global.b32", "host_write_tail": "st.weak.global.b32", "host_read_phase": "ld.weak.global.b32", "host_write_phase": "st.weak.global.b32",
		"host_write_block": "st.weak.global.b32", "put_room": "mov.b32", "take_nothing_left": "mov.b32",
	},
	"clock": {"box_read": "ld.acquire.gpu.global.b64", "box_write": "st.release.gpu.global.b64"},
}

// harness accesses come from the header.
var harnessSites = map[string]string{
	"harness_look": relaxedLoad + "b32", "harness_tell": relaxedStore + "b32", "harness_count": "atom.relaxed.gpu.global.add.u32", "harness_barrier": "fence.sc.gpu",
	"recorder_performed": "fence.sc.gpu",
	"stress_add":         "atom.relaxed.gpu.global.add.u32", "stress_load": relaxedLoad + "b32", "stress_store": relaxedStore + "b32",
}

func TestOrdersAndFencesOfEveryAccess(t *testing.T) {
	for module, want := range wantSites {
		t.Run(module, func(t *testing.T) {
			got := sites(t, module)
			if module != "clock" {
				for name, instruction := range harnessSites {
					assert.Equal(t, instruction, got[name], name)
					delete(got, name)
				}
			}
			assert.Equal(t, want, got)
		})
	}
}

// An atomic, a fence, or a load or store with an order that no macro wrote would
// escape the table above.
func TestEveryOrderedAccessHasAName(t *testing.T) {
	ordered := regexp.MustCompile(`\b(atom|red|fence|membar|ld\.(relaxed|acquire|volatile|weak)|st\.(relaxed|release|volatile|weak))\b`)
	for _, module := range moduleNames(t) {
		text, err := gpu.Module(module)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if ordered.MatchString(line) {
				assert.Contains(t, line, "// site ", module)
			}
		}
		assert.NotContains(t, string(text), ".local", "%s keeps something in the stack", module)
	}
}

func TestModulesAreForEveryDriverSince2020(t *testing.T) {
	for _, module := range moduleNames(t) {
		text, err := gpu.Module(module)
		require.NoError(t, err)
		assert.Contains(t, string(text), ".version 7.0\n.target sm_70\n", module)
		if module != "clock" {
			for _, name := range []string{".visible .entry stealproof_describe(", ".visible .entry stealproof_prepare(", ".visible .entry stealproof_run(", ".visible .entry stealproof_run_raw(", ".visible .entry stealproof_run_bare(", ".visible .entry stealproof_push(", ".visible .entry stealproof_next_phase(", "stealproof_abi = 3;"} {
				assert.Contains(t, string(text), name, module)
			}
		}
	}
}

func moduleNames(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("ptx/*.ptx")
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".ptx"))
	}
	want := []string{}
	for name := range wantSites {
		want = append(want, name)
	}
	require.ElementsMatch(t, want, names)
	return names
}

// The embedded PTX and its sources are those of the last make kernels, as the sums say
// that it left.
func TestKernelsHaveNotChanged(t *testing.T) {
	text, err := os.ReadFile("testdata/kernels.sha256")
	require.NoError(t, err)
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, found := strings.Cut(strings.TrimSpace(line), "  ")
		require.True(t, found, line)
		sums[name] = sum
	}
	var files []string
	for _, pattern := range []string{"scripts/kernels.sh", "include/*.cuh", "kernels/*.cu*", "examples/*.cu", "examples/*.h", "ptx/*.ptx", "examples/*.ptx", "testdata/bad/*.ptx"} {
		matching, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, matching, pattern)
		files = append(files, matching...)
	}
	assert.Len(t, sums, len(files), "a file is new or gone: run make kernels")
	for _, name := range files {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, sums[name], fmt.Sprintf("%x", sha256.Sum256(content)), "%s has changed: run make kernels", name)
	}
}

// The embedded PTX must be what the sources compile to.
func TestKernelsAreCurrent(t *testing.T) {
	if os.Getenv("STEALPROOF_LARGE") == "" {
		t.Skip("compiles every kernel: make large")
	}
	if _, err := exec.LookPath("clang-16"); err != nil {
		t.Skip("clang-16 is not installed: whether ptx/ and examples/ are current cannot be tested here")
	}
	fresh := t.TempDir()
	out, err := exec.Command("scripts/kernels.sh", fresh).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, fs.WalkDir(os.DirFS(fresh), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		want, err := os.ReadFile(filepath.Join(fresh, name))
		require.NoError(t, err)
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want, got), "%s is not what its source compiles to: run make kernels", name)
		return nil
	}))
}
