package replay_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/linearize/draw/page/pagetest"
)

// What docs/weak-memory.md shows is what its command draws.
func TestPictureOfThePage(t *testing.T) {
	shown, err := os.ReadFile("../../../../docs/execution.svg")
	require.NoError(t, err)
	file := t.TempDir() + "/execution.svg"
	o := commandtest.Run(t, "replay", "--svg", file, "../../../../fuzz/testdata/cases/fences-abp-push-fence-task-tail.case")
	require.Equal(t, exit.Violation, o.Code, o.Err)
	drawn, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(shown), string(drawn), "draw docs/execution.svg again, by the command of docs/weak-memory.md")
}

// A case of a module is drawn with the lines of its file.
func TestPictureOfAModule(t *testing.T) {
	dir := t.TempDir()
	const module = "../../../../gpu/examples/ticket-trusts-turn.ptx"
	o := commandtest.Run(t, "explore", module, "--model", "fifo", "--save", dir+"/turn.case", "--html", dir+"/found.html")
	require.Equal(t, exit.Violation, o.Code, o.Err)
	o = commandtest.Run(t, "replay", "--module", module, "--html", dir+"/again.html", dir+"/turn.case")
	require.Equal(t, exit.Violation, o.Code, o.Err)
	found, err := os.ReadFile(dir + "/found.html")
	require.NoError(t, err)
	again, err := os.ReadFile(dir + "/again.html")
	require.NoError(t, err)
	assert.Equal(t, string(found), string(again))
	pagetest.Parse(t, string(found))
	assert.Regexp(t, `<text class="silent"[^>]*>ticket-trusts-turn\.ptx:[0-9]+</text>`, string(found))
}

func TestPicturesThatCannotBe(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"small.case": commandtest.SmallCase})
	commandtest.Run(t, "replay", "--html", "no/such/page.html", "small.case").RequireRefused(t, "no/such/page.html: no such file or directory")
	commandtest.Run(t, "replay", "--svg", "x.svg", ".").RequireRefused(t, "--shrink, --save, --history, --html and --svg are for one case, not for a folder of them")
	o := commandtest.Run(t, "explore", "abp", "--runs", "5", "--html", "none.html")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Equal(t, "stealproof: none.html is not written: nothing failed that could be drawn\n", o.Err)
	assert.NoFileExists(t, "none.html")
}
