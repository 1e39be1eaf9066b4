package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize"
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
	want, err := ednHistory(model.FIFO, lines)
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
		got, err := ednHistory(model.FIFO, text)
		require.NoError(t, err, what)
		require.Equal(t, withoutLines(want), withoutLines(got), what)
	}
}

// A reason for a failure is a keyword or a string. Only plain words claim that a
// queue was found empty, or full.
func TestReasonsOfFailures(t *testing.T) {
	removal := "{:process 0 :type :invoke :f :dequeue :time 1}\n{:process 0 :type :fail :f :dequeue :time 2 :error %s}"
	for reason, want := range map[string]model.Result{
		`:empty`: model.Empty, `"empty"`: model.Empty, `"Queue is empty"`: model.Empty, `:queue-empty`: model.Empty,
		`"the queue was empty."`: model.Empty, `[:empty "no jobs"]`: model.Empty, `["EMPTY"]`: model.Empty, `("empty")`: model.Empty,
		// no claim: a retry that gave up is exhausted as well
		`:exhausted`: model.Abort, `:timeout`: model.Abort, `"connection refused"`: model.Abort, `[:timeout "no reply"]`: model.Abort,
		`nil`: model.Abort, `{:code 7}`: model.Abort, `1205`: model.Abort, `[]`: model.Abort, `"emptying"`: model.Abort, `:full`: model.Abort,
	} {
		h, err := ednHistory(model.FIFO, fmt.Sprintf(removal, reason))
		require.NoError(t, err, reason)
		require.Equal(t, want, h.Ops[0].Result, reason)
	}
	for reason, quoted := range map[string]string{
		`:not-empty`: `"not-empty"`, `"empty response from n3"`: `"empty response from n3"`, `[:error "queue is empty"]`: `"queue is empty"`,
		`"java.util.NoSuchElementException: queue empty"`: `"java.util.nosuchelementexception: queue empty"`,
	} {
		_, err := ednHistory(model.FIFO, fmt.Sprintf(removal, reason))
		require.EqualError(t, err, "x.edn:2: :error: "+quoted+" may mean that deq found it so, or something else: expected :empty, or a reason without the word")
	}

	put := "{:process 0 :type :invoke :f :enqueue :value 1}\n{:process 0 :type :fail :f :enqueue :value 1 :error %s}"
	for reason, kept := range map[string]int{`:full`: 1, `"queue is full"`: 1, `:timeout`: 0, `:empty`: 0} {
		h, err := ednHistory(model.FIFO, fmt.Sprintf(put, reason))
		require.NoError(t, err, reason)
		require.Len(t, h.Ops, kept, reason)
		if kept > 0 {
			require.Equal(t, model.Full, h.Ops[0].Result, reason)
		}
	}
	_, err := ednHistory(model.FIFO, fmt.Sprintf(put, `"disk full"`))
	require.EqualError(t, err, `x.edn:2: :error: "disk full" may mean that enq found it so, or something else: expected :full, or a reason without the word`)
}

// Objects beside the value: to pass over the key would make one queue of them
// all, and of every value in two of them a false alarm.
func TestKeysOfEDN(t *testing.T) {
	h, err := ednHistory(model.FIFO, `
		{:process 0 :type :invoke :f :enqueue :key 3 :value 1} {:process 0 :type :ok :f :enqueue :key 3 :value 1}
		{:process :nemesis :type :info :f :start}
		{:process 0 :type :invoke :f :enqueue :key 4 :value 1} {:process 0 :type :invoke :f :dequeue :key 3}
		{:process 0 :type :ok :f :dequeue :key 3 :value 1} {:process 0 :type :ok :f :enqueue :key 4 :value 1}`)
	require.NoError(t, err, "a process has its identity within an object")
	var objects []uint32
	for i := range h.Ops {
		objects = append(objects, h.Ops[i].Object)
	}
	require.Equal(t, []uint32{3, 4, 3}, objects)
	require.Equal(t, model.Linearizable, linearize.Check(t.Context(), h, linearize.Options{}).Verdict)

	h, err = ednHistory(model.Range, `{:process 0 :type :invoke :f :push :key 9 :value [0 8]} {:process 0 :type :ok :f :push :key 9 :value [0 8]}`)
	require.NoError(t, err)
	require.Equal(t, []uint64{9, 0, 8}, []uint64{uint64(h.Ops[0].Object), h.Ops[0].Value, h.Ops[0].To})
	_, err = ednHistory(model.FIFO, `{:process 0 :type :invoke :f :enqueue :key nil :value [3 1]}`)
	require.NoError(t, err, "nil is no key")

	const first = "{:process 0 :type :invoke :f :enqueue :key 3 :value 1}\n"
	for text, want := range map[string]string{
		first + "{:process 0 :type :ok :f :enqueue :value 1}":             `x.edn:2: :key is missing: the entries before this one have it`,
		first + "{:process 0 :type :ok :f :enqueue :key 4 :value 1}":      `x.edn:2: process 0 completes enq by :ok, but has called nothing with :key 4`,
		first + "{:process 0 :type :invoke :f :dequeue :key 3}":           `x.edn:2: process 0 calls deq, but its enq of line 1 has not completed`,
		"{:process 0 :type :invoke :f :deq}\n" + first:                    `x.edn:2: :key: the entries before this one have none: expected it in all entries or in none`,
		`{:process 0 :type :invoke :f :enqueue :key "a" :value 1}`:        `x.edn:1: :key: expected an unsigned integer below 2^32, found "a"`,
		`{:process 0 :type :invoke :f :enqueue :key :a :value 1}`:         `x.edn:1: :key: expected an unsigned integer below 2^32, found :a`,
		`{:process 0 :type :invoke :f :enqueue :key 4294967296 :value 1}`: `x.edn:1: :key: expected an unsigned integer below 2^32, found 4294967296`,
		`{:process 0 :type :invoke :f :enqueue :key 3 :value [3 1]}`:      `x.edn:1: :value: the object is given twice, by :key and by the vector: expected the value alone`,
		`{:process 0 :type :invoke :f :enqueue :key 3 :key 4 :value 1}`:   `x.edn:1: the field :key is given twice`,
	} {
		_, err := ednHistory(model.FIFO, text)
		require.EqualError(t, err, want, text)
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
		_, err := ednHistory(model.FIFO, text)
		require.EqualError(t, err, want, text)
	}
}
