package format

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func ednHistory(k model.Kind, text string) (*model.History, error) {
	return readEDN(strings.NewReader(text), "x.edn", Options{Kind: k})
}

const jepsenQueue = `; a test of a queue
{:process 0, :type :invoke, :f :enqueue, :value 1, :time 10, :index 0, :extra {:a [1 2.5 "x;y" #{1}]}}
{:process 1 :type :invoke :f :dequeue :value nil :time 12 :index 1}
{:process :nemesis :type :info :f :start :value nil :time 13 :index 2}
#jepsen.history.Op{:process 0, :type :ok, :f :enqueue, :value 1, :time 25, :index 3}
{:process 1, :type :ok, :f :dequeue, :value 1, :time 40, :index 4}
{:process 2, :type :invoke, :f :dequeue, :time 41, :index 5}
{:process 2, :type :fail, :f :dequeue, :error :empty, :time 45, :index 6}
{:process 2, :type :invoke, :f :dequeue, :time 46, :index 7}
{:process 2, :type :fail, :f :dequeue, :error [:timeout "x"], :time 47, :index 8}
{:process 0, :type :invoke, :f :enqueue, :value 2, :time 50, :index 9}
{:process 0, :type :fail, :f :enqueue, :value 2, :error :timeout, :time 51, :index 10}
{:process 0, :type :invoke, :f :enqueue, :value 3, :time 52, :index 11}
{:process 0, :type :info, :f :enqueue, :value 3, :time 60, :index 12}
{:process 3, :type :invoke, :f :dequeue, :time 61, :index 13}
`

func TestReadEDN(t *testing.T) {
	h, err := ednHistory(model.FIFO, jepsenQueue)
	require.NoError(t, err)
	want := []model.Operation{
		{Process: 0, Op: model.Enq, Result: model.OK, Value: 1, Call: 10, Return: 25, Line: 2},
		{Process: 1, Op: model.Deq, Result: model.OK, Value: 1, Call: 12, Return: 40, Line: 3},
		{Process: 2, Op: model.Deq, Result: model.Empty, Value: model.NoValue, Call: 41, Return: 45, Line: 7},
		{Process: 2, Op: model.Deq, Result: model.Abort, Value: model.NoValue, Call: 46, Return: 47, Line: 9},
		{Process: 0, Op: model.Enq, Value: 3, Call: 52, Return: model.Never, Line: 13},
		{Process: 3, Op: model.Deq, Value: model.NoValue, Call: 61, Return: model.Never, Line: 15},
	}
	require.Equal(t, want, h.Ops)
	require.Equal(t, model.Clock{Source: "jepsen :time", Unit: "ns"}, h.Clock)

	inVector, err := ednHistory(model.FIFO, "["+jepsenQueue+"]")
	require.NoError(t, err)
	require.Equal(t, h, inVector)

	untimed, err := ednHistory(model.FIFO, strings.ReplaceAll(jepsenQueue, ":time", ":t"))
	require.NoError(t, err)
	require.Equal(t, model.Clock{Source: "jepsen :index"}, untimed.Clock)
	require.Equal(t, []uint64{0, 3}, []uint64{untimed.Ops[0].Call, untimed.Ops[0].Return})

	unindexed, err := ednHistory(model.FIFO, strings.ReplaceAll(strings.ReplaceAll(jepsenQueue, ":time", ":t"), ":index", ":i"))
	require.NoError(t, err)
	require.Equal(t, untimed.Ops, unindexed.Ops)
}

func TestReadEDNWithKeysAndRanges(t *testing.T) {
	h, err := ednHistory(model.Bag, `{:process 0 :type :invoke :f :add :value [7 1]} {:process 0 :type :ok :f :add :value [7 1]}
		{:process 0 :type :invoke :f :take :value [7 nil]} {:process 0 :type :ok :f :take :value [7 1]}`)
	require.NoError(t, err)
	require.Equal(t, []uint32{7, 7}, []uint32{h.Ops[0].Object, h.Ops[1].Object})
	require.Equal(t, []uint64{1, 1}, []uint64{h.Ops[0].Value, h.Ops[1].Value})

	h, err = ednHistory(model.Range, `{:process 0 :type :invoke :f :push :value [0 8]} {:process 0 :type :ok :f :push :value [0 8]}
		{:process 1 :type :invoke :f :steal :value 4} {:process 1 :type :ok :f :steal :value [6 8]}
		{:process 0 :type :invoke :f :pop} {:process 0 :type :ok :f :pop :value [0 1]}`)
	require.NoError(t, err)
	require.Equal(t, uint64(4), h.Ops[1].Size)
	require.Equal(t, uint64(1), h.Ops[2].Size)
}

func TestEDNMessages(t *testing.T) {
	for text, want := range map[string]string{
		"": "x.edn: the file has no entries: expected maps as in {:type :invoke, :f :enqueue, :value 1, :process 0}",
		"{:process 0 :type :invoke :f :enqueue :value 1":   `x.edn:1: the file ends within a value that begins on line 1`,
		"[{:process 0 :type :invoke :f :enqueue :value 1}": `x.edn:1: the file ends within a vector: expected "]"`,
		"\n17":       `x.edn:2: expected a map, as in {:type :invoke, :f :enqueue, :value 1, :process 0}, found 17`,
		"{:process}": `x.edn:1: a map with a key that has no value`,
		"{:process -1 :type :invoke :f :enqueue}":                                                                  `x.edn:1: :process: expected an unsigned integer below 2^32, found -1`,
		"{:process 0 :process 1 :type :invoke :f :enqueue}":                                                        `x.edn:1: the field :process is given twice`,
		"{:process 0 :type :invoke :f :peek}":                                                                      `x.edn:1: :f: unknown operation "peek": model fifo has enq, deq`,
		"{:process 0 :type :ok :f :enqueue :value 1}":                                                              `x.edn:1: process 0 completes enq by :ok, but has called nothing`,
		"{:process 0 :type :maybe :f :enqueue :value 1}":                                                           `x.edn:1: process 0 completes enq by :maybe, but has called nothing`,
		"{:process 0 :type :invoke :f :enqueue :value 1.5}":                                                        `x.edn:1: :value: expected an unsigned integer below 2^63, found 1.5`,
		"{:process 0 :type :invoke :f :enqueue :value 9223372036854775808}":                                        `x.edn:1: :value: expected an unsigned integer below 2^63, found 9223372036854775808`,
		"{:process 0 :type :invoke :f :deq}\n{:process 0 :type :ok :f :deq}":                                       `x.edn:2: :value: deq came back with nil: expected what it took, or :type :fail, :error :empty`,
		"{:process 0 :type :invoke :f :deq}\n{:process 0 :type :invoke :f :deq}":                                   `x.edn:2: process 0 calls deq, but its deq of line 1 has not completed`,
		"{:process 0 :type :invoke :f :deq :time 5}\n{:process 0 :type :ok :f :deq :value 1 :time 4}":              `x.edn:1: deq completed at 4, before it was called at 5`,
		"{:process 0 :type :invoke :f :enq :value 1}\n{:process 0 :type :ok :f :enq :value 2}":                     `x.edn:2: :value: enq of line 1 came back with another value than it was called with`,
		"{:process 0 :type :invoke :f :deq}\n{:process 0 :type :info :f :deq}\n{:process 0 :type :invoke :f :deq}": `x.edn:3: process 0 calls deq at 2, but its deq called at 0 never came back`,
		"{:process 0 :type :invoke :f :enq}\n":                                                                     "x.edn:1: enq unknown needs a value below 2^63",
		strings.Repeat("[", 100):                                                                                   "x.edn:1: nested deeper than 64",
		strings.Repeat("#a ", 100):                                                                                 "x.edn:1: nested deeper than 64",
	} {
		_, err := ednHistory(model.FIFO, text)
		require.EqualError(t, err, want, text)
	}
	_, err := ednHistory(0, jepsenQueue)
	require.EqualError(t, err, "x.edn: the file does not say what the objects are: name the model (--model wsdeque, fifo, range or bag)")
}

// accepted looks whether what a reader accepted is a history, and sends it
// through the two forms that are written.
func accepted(t *testing.T, h *model.History) {
	require.NoError(t, h.Validate())
	var lines bytes.Buffer
	require.NoError(t, Write(&lines, h))
	back, err := Read(&lines, "lines", Options{})
	require.NoError(t, err)
	require.Equal(t, withoutLines(h), withoutLines(back))
	back, err = binaryHistory(binaryOf(t, h))
	require.NoError(t, err)
	require.Equal(t, withoutLines(h), withoutLines(back))
}

func FuzzEDN(f *testing.F) {
	f.Add([]byte(jepsenQueue), uint8(1))
	f.Add([]byte("["+jepsenQueue+"]"), uint8(3))
	f.Add([]byte(`{:process 0 :type :invoke :f :push :value [0 8]} {:process 0 :type :ok :f :push}`), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, k uint8) {
		h, err := ednHistory(model.Kinds[int(k)%len(model.Kinds)], string(data))
		if err != nil {
			require.IsType(t, &InputError{}, err)
			return
		}
		accepted(t, h)
	})
}
