package ptx_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
	"stealproof/ref/ptx/patch"
)

// patchedABP is the deque of abp.ptx with the setting patch of its spec.
func patchedABP(t testing.TB, patches string) (ref.Subject, error) {
	t.Helper()
	s := subject(t, "ptx/abp.ptx", model.WSDeque, ptx.Setup{Numbers: [8]uint64{2, 1, 128}}, 2, "sc")
	return s.With(s.Spec().With("patch", patches))
}

// A patch in the spec and a module that was written with it are the same, and neither
// is the module as it was.
func TestPatchedAndWritten(t *testing.T) {
	for _, patches := range []string{"steal_swap_head.blind", "push_write_task.behind=push_write_tail", "steal_read_tail.plus-one+pop_reset_tail.drop"} {
		inSpec, err := patchedABP(t, patches)
		require.NoError(t, err)
		assert.Equal(t, "abp-ptx:patch="+patches, inSpec.Spec().String())
		all, err := patch.Parse(patches)
		require.NoError(t, err)
		source, err := os.ReadFile("../../gpu/ptx/abp.ptx")
		require.NoError(t, err)
		text, err := patch.Read("abp.ptx", string(source))
		require.NoError(t, err)
		text, err = text.Apply(all)
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "abp.ptx")
		require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o600))
		again, err := os.ReadFile(file)
		require.NoError(t, err)
		m, err := ptx.Load("abp.ptx", again)
		require.NoError(t, err)
		f, err := m.Foreign(model.WSDeque, ptx.Setup{Numbers: [8]uint64{2, 1, 128}})
		require.NoError(t, err)
		f.Capacity = 2
		written, err := f.Subject(model.Spec{})
		require.NoError(t, err)
		whole, err := inSpec.With(model.Spec{Structure: "abp-ptx"})
		require.NoError(t, err)
		programs, err := programs.All(whole, programs.Bounds{Shape: programs.Shape{3, 1}})
		require.NoError(t, err)
		broken := 0
		for _, p := range programs {
			found := search(t, inSpec, p)
			assert.Equal(t, found, search(t, written, p), p)
			assert.Equal(t, model.Linearizable, search(t, whole, p).verdict)
			if found.verdict == model.Violation {
				broken++
			}
		}
		assert.Positive(t, broken, patches)
	}
}

func TestPatchesThatAreRefused(t *testing.T) {
	for patches, want := range map[string]string{
		"push_write_tail":            `structure abp-ptx: patch "push_write_tail": expected a place and what becomes of it, as in queue.cu:31.drop`,
		"nowhere.drop":               `structure abp-ptx: patch "nowhere.drop": abp.ptx has no access nowhere: there are push_read_tail, push_write_task, `,
		"push_write_tail.blind":      `it does not fit: blind is for swaps`,
		"recorder_performed.weakest": `structure abp-ptx: patch "recorder_performed.weakest": it changes nothing that an operation executes`,
	} {
		_, err := patchedABP(t, patches)
		assert.ErrorContains(t, err, want)
	}
	s, err := patchedABP(t, "steal_swap_head.blind")
	require.NoError(t, err)
	_, err = s.With(s.Spec().With("defect", "steal-store"))
	assert.ErrorContains(t, err, "unknown defect")
}

// The mutants of a module are patches of it, and what changes only orders is known.
func TestMutantsOfAModule(t *testing.T) {
	s := subject(t, "examples/ticket.ptx", model.FIFO, ptx.Setup{}, 0, "sc")
	all := s.Design().Mutants()
	require.Greater(t, len(all), 40)
	for _, m := range all {
		require.True(t, m.OfText())
		place, _, _ := strings.Cut(m.SiteName(), ": ")
		require.Contains(t, m.String(), place)
	}
	for _, i := range []int{0, len(all) / 2, len(all) - 1} {
		m := all[i]
		mutant, err := s.With(s.Spec().With("mutant", m.String()))
		require.NoError(t, err)
		assert.Equal(t, m.Operator.Orders, mutant.OnlyOrders(), m)
		assert.NotSame(t, s.Design(), mutant.Design())
		again, err := mutant.With(s.Spec())
		require.NoError(t, err)
		assert.Same(t, s.Design(), again.Design())
	}
}
