package command_test

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

// Texts that begin with a byte order mark, as some editors write it, are read as those
// without, wherever a text is read.
func TestByteOrderMarks(t *testing.T) {
	root := commandtest.Root(t)
	inFolderOfInputs(t, root)
	commandtest.Run(t, "explore", "abp", "--exhaustive", "--owner", "3", "--thieves", "1x2", "--runs", "3", "--checkpoint", "left.txt")
	ticket, err := os.ReadFile(filepath.Join(root, "gpu", "examples", "ticket.ptx"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"program.txt": "0: push pop\n1: steal\n", "calls.txt": "push 1 10 20\npop 1 30 40\n", "ticket.ptx": string(ticket),
		"jepsen.edn": "{:type :invoke, :f :enq, :value 1, :process 0, :time 1}\n{:type :ok, :f :enq, :value 1, :process 0, :time 2}\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	for file, command := range map[string]string{
		"good.jsonl": "check good.jsonl", "calls.txt": "check --model wsdeque calls.txt", "jepsen.edn": "check --model fifo jepsen.edn",
		"mp.litmus": "litmus mp.litmus", "want.csv": "litmus --expect want.csv mp.litmus", "fails.case": "replay fails.case",
		"program.txt": "explore abp --runs 10 --program program.txt", "ticket.ptx": "lint ticket.ptx",
		"left.txt": "explore abp --exhaustive --owner 3 --thieves 1x2 --resume left.txt",
	} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		plain := commandtest.Run(t, strings.Fields(command)...)
		require.NotEqual(t, exit.Usage, plain.Code, "%s\n%s", command, plain.Err)
		require.NoError(t, os.WriteFile(file, append([]byte("\ufeff"), text...), 0o644))
		marked := commandtest.Run(t, strings.Fields(command)...)
		assert.Equal(t, plain.Code, marked.Code, "%s\n%s", command, marked.Err)
		assert.Equal(t, commandtest.Timeless(plain.Out), commandtest.Timeless(marked.Out), command)
	}
}
