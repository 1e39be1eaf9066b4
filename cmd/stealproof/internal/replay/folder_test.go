package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

const mine = "lib/testdata/stealproof/TestDeque/of mine.2/it.case"

func mineCase() string {
	return strings.Replace(commandtest.SmallCase, "structure: abp", "structure: my-deque", 1)
}

// A folder of cases holds if each comes out as it was saved, whatever that was.
func TestFolderOfCases(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		code  int
		says  []string
	}{
		"as saved": {map[string]string{"a/holds.case": commandtest.SmallCase, "a/b/two.case": commandtest.SmallCase, "a/notes.txt": "none"}, exit.Holds,
			[]string{"a/b/two.case: linearizable, as it was saved\na/holds.case: linearizable, as it was saved\n", "2 cases: 2 as they were saved, 0 otherwise, 0 not run, 0 that cannot be read or run\n"}},
		"otherwise": {map[string]string{"a/x.case": strings.Replace(commandtest.SmallCase, "verdict: linearizable", "verdict: violation duplicate", 1), "a/y.case": commandtest.SmallCase}, exit.Violation,
			[]string{"a/x.case: linearizable; it was saved as violation (duplicate)\n", "a/y.case: linearizable, as it was saved\n"}},
		"somebody's own": {map[string]string{"a/x.case": commandtest.SmallCase, "a/" + mine: mineCase()}, exit.Undecided,
			[]string{"not run: a case of my-deque: of a module, name it with --module; of a queue of your own, its test replays it: go test -C a/lib -run '^TestDeque$/^of mine\\.2$' -stealproof.case='testdata/stealproof/TestDeque/of mine.2/it.case'\n"}},
		"unreadable": {map[string]string{"a/x.case": "hello", "a/y.case": commandtest.SmallCase}, exit.Usage, []string{"1 that cannot be read or run"}},
	} {
		t.Run(name, func(t *testing.T) {
			commandtest.InFolder(t, nil)
			for file, text := range test.files {
				require.NoError(t, os.MkdirAll(file[:strings.LastIndex(file, "/")], 0o755))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			}
			o := commandtest.Run(t, "replay", "a")
			assert.Equal(t, test.code, o.Code, o.Out+o.Err)
			for _, part := range test.says {
				assert.Contains(t, o.Out, part)
			}
			commandtest.Run(t, "replay", "--shrink", "a").RequireRefused(t, "--shrink, --save, --history, --html and --svg are for one case, not for a folder of them")
		})
	}
}

// A module is for the cases of its own; those of the papers beside them are run as ever.
func TestFolderOfCasesOfAModule(t *testing.T) {
	ticket := filepath.Join(commandtest.Root(t), "gpu", "examples", "ticket.ptx")
	commandtest.InFolder(t, map[string]string{
		"abp.case": commandtest.SmallCase, "mine.case": mineCase(),
		"ticket.case": "stealproof-case 1\nmodel: fifo\nstructure: ticket-ptx\nschedule: round-robin:seed=0,preemptions=0\nverdict: linearizable\nprogram:\n0: enq\n1: deq\n",
	})
	o := commandtest.Run(t, "replay", "--module", ticket, ".")
	assert.Equal(t, exit.Undecided, o.Code, o.Err)
	assert.Contains(t, o.Out, "abp.case: linearizable, as it was saved\nmine.case: not run: a case of my-deque, and the module is ticket-ptx; of a queue of your own, its test replays it: go test ")
	assert.Contains(t, o.Out, "\nticket.case: linearizable, as it was saved\n3 cases: 2 as they were saved, 0 otherwise, 1 not run, 0 that cannot be read or run\n")
}

// What fails is to fail again: the planted violation of a stored case.
func TestFolderOfStoredCases(t *testing.T) {
	if testing.Short() {
		t.Skip("replays every stored case")
	}
	o := commandtest.Run(t, "replay", "../../../../fuzz/testdata/cases")
	assert.Equal(t, exit.Holds, o.Code, o.Out+o.Err)
	assert.Contains(t, o.Out, ": violation (duplicate), as it was saved\n")
	assert.Contains(t, o.Out, " 0 otherwise, 0 not run, 0 that cannot be read or run\n")
}

// A case of somebody's own queue cannot be run here, and it is said where it can.
func TestCaseOfSomebodysOwnQueue(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"it.case": mineCase()})
	commandtest.Run(t, "replay", "it.case").RequireRefused(t, `it.case: unknown structure "my-deque": expected one of abp, tz, the, blocking, static, list; if it is that of a module, name it with --module; if it is a queue of your own, its test replays the case: go test -run '^TestOfTheQueue$' -stealproof.case=it.case, in the folder of its test`)

	const odd = "it's mine.case"
	commandtest.InFolder(t, map[string]string{odd: mineCase()})
	assert.Contains(t, commandtest.Run(t, "replay", odd).Err, ` -stealproof.case='it'\''s mine.case', in the folder`)
}
