package linearize

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// Histories as the tools of Jepsen's family write them: each is the same queue,
// into which 1 goes and comes out.
func TestStylesOfEDN(t *testing.T) {
	entries := []string{
		`{:type :invoke, :f :enqueue, :value 1, :process 0, :time 10, :index 0}`,
		`{:type :ok, :f :enqueue, :value 1, :process 0, :time 20, :index 1}`,
		`{:type :invoke, :f :dequeue, :value nil, :process 1, :time 30, :index 2}`,
		`{:type :ok, :f :dequeue, :value 1, :process 1, :time 40, :index 3}`,
	}
	lines := strings.Join(entries, "\n")
	want, err := readEDN(model.FIFO, lines)
	require.NoError(t, err)
	for what, text := range map[string]string{
		"one vector":           "[" + strings.Join(entries, "\n ") + "]\n",
		"one list":             "(" + strings.Join(entries, " ") + ")",
		"records":              "#jepsen.history.Op" + strings.Join(entries, "\n#jepsen.history.Op"),
		"no commas":            strings.ReplaceAll(lines, ",", ""),
		"lines of Windows":     strings.ReplaceAll(lines, "\n", "\r\n") + "\r\n",
		"a byte order mark":    "\ufeff" + lines,
		"the nemesis":          `{:type :info, :f :start-partition, :value ["n1" #{"n2"}], :process :nemesis, :time 5, :index 9}` + "\n" + lines + `{:type :info, :process :nemesis-2, :f :kill}`,
		"what is discarded":    `#_ {:type :ok} ` + strings.ReplaceAll(lines, ":process 0", ":process #_ 7 0 #_ [1 2]"),
		"other keys":           strings.ReplaceAll(lines, "{:type", `{:error nil, :node "n1", :exception {:via [{:type java.lang.Error}]}, :took 1.5e3, :at #inst "2024-01-01T00:00:00Z", :type`),
		"values of Clojure's":  strings.ReplaceAll(lines, "{:type", `{:rate ##NaN, :most ##-Inf, :chars [\a \space \{ \" \; \\], :type`),
		"numbers of any size":  strings.ReplaceAll(lines, ":time 10,", ":time 10N,"),
		"a value of no object": strings.ReplaceAll(lines, ":value nil, ", ""),
	} {
		got, err := readEDN(model.FIFO, text)
		require.NoError(t, err, what)
		require.Equal(t, withoutLines(want), withoutLines(got), what)
	}
}

// What the same tools write of other objects, or in a form that would have to
// be guessed at, is refused in words that say so.
func TestRefusedEDN(t *testing.T) {
	for text, want := range map[string]string{
		"{:type :invoke, :f :cas, :value [0 3], :process 0}":                  `x.edn:1: :f: unknown operation "cas": model fifo has enq, deq; a register, a map or a set of transactions is none of the objects that are checked here`,
		`{:process 0, :type :invoke, :f :append, :key "0", :value "x 0 0 y"}`: `x.edn:1: :f: unknown operation "append": model fifo has enq, deq; a register, a map or a set of transactions is none of the objects that are checked here`,
		"{:type :invoke, :f :txn, :value [[:r 3 nil]], :process 0}":           `x.edn:1: :f: unknown operation "txn": model fifo has enq, deq; a register, a map or a set of transactions is none of the objects that are checked here`,
		"{:type :ok, :f :drain, :value [1 2], :process 0}":                    `x.edn:1: :f: unknown operation "drain": model fifo has enq, deq; a drain is many removals, and the file does not say when each of them was`,
		"INFO  jepsen.util - 0\t:invoke\t:enqueue\t1":                         `x.edn:1: this is a line of Jepsen's log: expected its history, maps as in {:type :invoke, :f :enqueue, :value 1, :process 0} (history.edn in the same folder)`,
		"{:type :invoke, :f :enqueue, :value 1, :process 0, :time 1.5}":       `x.edn:1: :time: expected an unsigned integer below 2^64-1, found 1.5`,
		"{:type :invoke, :f :enqueue, :value 1, :process 0, :time 1e3}":       `x.edn:1: :time: expected an unsigned integer below 2^64-1, found 1e3`,
		`{:type :invoke, :f :enqueue, :value "a", :process 0}`:                `x.edn:1: :value: expected an unsigned integer below 2^63, found "a"`,
		"{:type :invoke, :f :enqueue, :value #{1 2}, :process 0}":             `x.edn:1: :value: expected an unsigned integer below 2^63, found a set`,
		"{:type :invoke, :f :enqueue, :value [1 [2]], :process 0}":            `x.edn:1: :value: expected an unsigned integer below 2^63, found a vector`,
		"#_":     `x.edn: the file has no entries: expected maps as in {:type :invoke, :f :enqueue, :value 1, :process 0}`,
		"({:a 1": `x.edn:1: the file ends within a value that begins on line 1`,
		"(":      `x.edn:1: the file ends within a vector: expected ")"`,
	} {
		_, err := readEDN(model.FIFO, text)
		require.EqualError(t, err, want, text)
	}
}
