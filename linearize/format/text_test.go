package format

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func textHistory(k model.Kind, text string) (*model.History, error) {
	return readText(strings.NewReader(text), "x.txt", Options{Kind: k})
}

func TestReadIntervals(t *testing.T) {
	h, err := textHistory(0, "# queue\npush 1 10 20\n\n# a comment\npop 1 15 30\npop -1 5 8\nenq 2 20 21\n")
	require.NoError(t, err)
	require.Equal(t, model.FIFO, h.Kind)
	require.Equal(t, []model.Operation{
		{Process: 0, Op: model.Enq, Result: model.OK, Value: 1, Call: 10, Return: 20, Line: 2},
		{Process: 1, Op: model.Deq, Result: model.OK, Value: 1, Call: 15, Return: 30, Line: 5},
		{Process: 0, Op: model.Deq, Result: model.Empty, Value: model.NoValue, Call: 5, Return: 8, Line: 6},
		// at 20 process 0 may still be busy: order within a process is not in the file
		{Process: 2, Op: model.Enq, Result: model.OK, Value: 2, Call: 20, Return: 21, Line: 7},
	}, h.Ops)

	h, err = textHistory(model.WSDeque, "push 1 0 1\nsteal 1 0 3\npop empty 2 3")
	require.NoError(t, err)
	require.Equal(t, []uint32{0, 1, 0}, []uint32{h.Ops[0].Process, h.Ops[1].Process, h.Ops[2].Process})
	h, err = textHistory(model.Range, "push 0..8 0 1\nsteal 4..8 0 3")
	require.NoError(t, err)
	require.Equal(t, uint64(4), h.Ops[1].Size)
}

// The invented processes must not order what the times leave open.
func TestInventedProcessesAddNoOrder(t *testing.T) {
	h, err := textHistory(model.FIFO, "enq 1 5 5\nenq 2 5 5\nenq 3 5 5\nenq 4 6 6\n")
	require.NoError(t, err)
	for i := range h.Ops {
		for j := range h.Ops[:i] {
			a, b := &h.Ops[i], &h.Ops[j]
			require.False(t, a.Process == b.Process && !a.Precedes(b) && !b.Precedes(a))
		}
	}
}

func TestReadCalls(t *testing.T) {
	h, err := textHistory(model.Bag, "[1] call add(1)\n[2] call remove\n[1] return\n[2] return 1\n[2] call remove()\n[1] call push( 2 )\n[2] return EMPTY\n")
	require.NoError(t, err)
	require.Equal(t, []model.Operation{
		{Process: 1, Op: model.Put, Result: model.OK, Value: 1, Call: 1, Return: 3, Line: 1},
		{Process: 2, Op: model.Take, Result: model.OK, Value: 1, Call: 2, Return: 4, Line: 2},
		{Process: 2, Op: model.Take, Result: model.Empty, Value: model.NoValue, Call: 5, Return: 7, Line: 5},
		{Process: 1, Op: model.Put, Value: 2, Call: 6, Return: model.Never, Line: 6},
	}, h.Ops)
}

// Files come from all kinds of machines and editors.
func TestTextsOfOtherMachines(t *testing.T) {
	for _, text := range []string{
		"# queue\nenq 1 1 2\ndeq 1 3 4\n",
		"[1] call enq(1)\n[1] return\n[1] call deq\n[1] return 1\n",
	} {
		want, err := textHistory(model.FIFO, text)
		require.NoError(t, err)
		for what, other := range map[string]string{
			"lines of Windows":  strings.ReplaceAll(text, "\n", "\r\n"),
			"tabs":              strings.ReplaceAll(text, " ", "\t"),
			"a byte order mark": "\ufeff" + text,
			"no last line end":  strings.TrimSuffix(text, "\n"),
			"indented":          "  " + strings.ReplaceAll(text, "\n", "\n\t "),
		} {
			kind := model.FIFO
			if strings.Contains(other, "queue") {
				kind = 0
			}
			got, err := textHistory(kind, other)
			require.NoError(t, err, what)
			require.Equal(t, want, got, what)
		}
	}
}

func TestTextMessages(t *testing.T) {
	for text, want := range map[string]string{
		"":                               `x.txt: the file has no operations: expected lines as in "push 1 10 20" or "[3] call add(1)"`,
		"# only\n":                       `x.txt: the file has no operations: expected lines as in "push 1 10 20" or "[3] call add(1)"`,
		"push 1 10":                      `x.txt:1: expected a method, a value, a start and an end, as in "push 1 10 20", found "push 1 10"`,
		"peek 1 10 20":                   `x.txt:1: unknown operation "peek": model fifo has enq, deq`,
		"push -1 10 20":                  `x.txt:1: expected a value: an unsigned integer below 2^63, found "-1"`,
		"push 01 10 20":                  `x.txt:1: expected a value: an unsigned integer below 2^63, found "01"`,
		"push 1 20 10":                   `x.txt:1: return 10 is before call 20`,
		"push 1 1 18446744073709551615":  `x.txt:1: expected a start and an end below 2^64-1, found "1" and "18446744073709551615"`,
		"push 1 1 99999999999999999999":  `x.txt:1: expected a start and an end below 2^64-1, found "1" and "99999999999999999999"`,
		"[1 call add(1)":                 `x.txt:1: expected a process below 2^32 in brackets, as in "[3] call add(1)" or "[3] return", found "[1 call add(1)"`,
		"[1] did add(1)":                 `x.txt:1: expected call or return behind the brackets, as in "[3] call add(1)" or "[3] return", found "did"`,
		"[1] call add(1":                 `x.txt:1: expected a call as in "[3] call add(1)" or "[3] return", found "add(1"`,
		"[1] call add()":                 `x.txt:1: add: expected a value: an unsigned integer below 2^63, found ""`,
		"[1] call remove(1)":             `x.txt:1: remove takes something out: expected its value behind return, found "1"`,
		"[1] return":                     `x.txt:1: process 1 returns, but has called nothing`,
		"[1] call add(1)\n[1] return 1":  `x.txt:2: enq brings something in: expected nothing behind return, found "1"`,
		"[1] call remove\n[1] return":    `x.txt:2: deq returns: expected a value: an unsigned integer below 2^63, or empty, found ""`,
		"[1] call add(1)\n[1] call a(2)": `x.txt:2: process 1 calls a(2), but its enq of line 1 has not returned`,
		"[1] call add(1)\npush 1 2 3":    `x.txt:2: expected a process below 2^32 in brackets, as in "[3] call add(1)" or "[3] return", found "push 1 2 3"`,
	} {
		_, err := textHistory(model.FIFO, text)
		require.EqualError(t, err, want, text)
	}
	_, err := textHistory(0, "# stack\npush 1 2 3")
	require.ErrorContains(t, err, "the file does not say what the objects are")
	_, err = textHistory(model.WSDeque, "push 1 0 5\npush 2 3 6")
	require.EqualError(t, err, "x.txt:2: process 0 calls push at 3, before its push in [0,5] returned: operations of a process must not overlap")
}

func FuzzTexts(f *testing.F) {
	f.Add("# queue\npush 1 10 20\npop 1 15 30\npop -1 5 8\n", uint8(1))
	f.Add("[1] call add(1)\n[2] call remove\n[1] return\n[2] return 1\n", uint8(3))
	f.Add("push 0..8 0 1\nsteal 4..8 0 3", uint8(2))
	f.Fuzz(func(t *testing.T, text string, k uint8) {
		h, err := textHistory(model.Kinds[int(k)%len(model.Kinds)], text)
		if err != nil {
			require.IsType(t, &InputError{}, err)
			return
		}
		accepted(t, h)
	})
}
