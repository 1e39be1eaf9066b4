package format

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func TestReadTheDocumentedExample(t *testing.T) {
	h, err := ReadFile(t.Context(), "testdata/good/deque-as-documented.jsonl", Options{})
	require.NoError(t, err)
	require.Equal(t, &model.History{
		Kind:   model.WSDeque,
		Params: model.Params{Capacity: 1024},
		Clock:  model.Clock{Source: "globaltimer", Unit: "ns", Resolution: 32},
		Meta:   []byte(`{ "kernel": "abp é" }`),
		Ops: []model.Operation{
			{Op: model.Push, Result: model.OK, Value: 17, Call: 120, Return: 131, Line: 2},
			{Process: 3, Op: model.Steal, Result: model.OK, Value: 17, Call: 125, Return: 160, Line: 3},
			{Process: 2, Op: model.Steal, Result: model.Empty, Value: model.NoValue, Call: 140, Return: 150, Line: 4},
		},
	}, h)
}

func TestReadPendingAndFull(t *testing.T) {
	h, err := ReadFile(t.Context(), "testdata/good/fifo-pending-and-full.jsonl", Options{})
	require.NoError(t, err)
	require.Equal(t, uint64(model.NoValue), h.Ops[1].Value, "a refused put need not name its value")
	require.Equal(t, uint64(2), h.Ops[2].Value)
	require.Equal(t, model.Unknown, h.Ops[3].Result)
	require.True(t, h.Ops[3].Pending() && h.Ops[4].Pending())
	require.Equal(t, model.OK, h.Ops[4].Result, "a result may be known of what never came back")
}

func TestGoodFilesComeBackEqual(t *testing.T) {
	files, err := filepath.Glob("testdata/good/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		h, err := ReadFile(t.Context(), file, Options{})
		require.NoError(t, err)
		for _, ending := range []string{".jsonl", ".jsonl.gz"} {
			path := filepath.Join(t.TempDir(), "out"+ending)
			require.NoError(t, WriteFile(path, h))
			back, err := ReadFile(t.Context(), path, Options{})
			require.NoError(t, err)
			require.Equal(t, withoutLines(h), withoutLines(back), file)
		}
	}
}

func withoutLines(h *model.History) *model.History {
	c := h.With(append([]model.Operation(nil), h.Ops...))
	for i := range c.Ops {
		c.Ops[i].Line = 0
	}
	return c
}

func TestReadAsOverridesTheModel(t *testing.T) {
	text := `{"format":"stealproof-history","version":1,"model":"fifo"}
{"process":0,"op":"put","result":"ok","value":1,"call":0,"return":1}`
	_, err := Read(strings.NewReader(text), "x", Options{})
	require.EqualError(t, err, `x:2: unknown op "put": model fifo has enq, deq`)
	h, err := Read(strings.NewReader(text), "x", Options{Kind: model.Bag})
	require.NoError(t, err)
	require.Equal(t, model.Bag, h.Kind)
}

// A line without an end must not be loaded whole before it is refused.
func TestVeryLongLines(t *testing.T) {
	head := `{"format":"stealproof-history","version":1,"model":"fifo"}` + "\n"
	endless := &countingReader{text: head, then: 'x'}
	_, err := Read(endless, "x", Options{})
	require.ErrorContains(t, err, "x:2: the line is longer than 1048576 bytes")
	require.Less(t, endless.n, 4*maxLine)

	long := `{"process":0,"op":"enq","result":"ok","value":1,"call":0,"return":1,"pad":"` + strings.Repeat("x", maxLine-100) + `"}`
	_, err = Read(strings.NewReader(head+long), "x", Options{})
	require.NoError(t, err)

	// the bound holds also where the end of the line is in the buffer already
	long = strings.Repeat(" ", maxLine+1-len(long)) + long + "\n"
	_, err = Read(strings.NewReader(head+long[1:]+long[1:]), "x", Options{})
	require.ErrorContains(t, err, "x:3: process 0 calls enq", "two lines of just the length")
	_, err = Read(strings.NewReader(head+long), "x", Options{})
	require.ErrorContains(t, err, "x:2: the line is longer than 1048576 bytes")
}

// What comes under the wrong name, or through a pipe, is told for what it is.
func TestOtherFormatsThanJSONLines(t *testing.T) {
	h := longHistory(10)
	var zipped bytes.Buffer
	require.NoError(t, writeZipped(&zipped, h))
	_, err := Read(&zipped, "x", Options{})
	require.EqualError(t, err, "x:1: header: expected JSON Lines, found gzip: --from jsonl.gz reads it")
	_, err = Read(bytes.NewReader(binaryOf(t, h)), "x", Options{})
	require.EqualError(t, err, "x:1: header: expected JSON Lines, found binary records: --from sph reads them")
}

type countingReader struct {
	text string
	then byte
	n    int
}

func (r *countingReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.then
		if r.n+i < len(r.text) {
			p[i] = r.text[r.n+i]
		}
	}
	r.n += len(p)
	return len(p), nil
}

func FuzzRead(f *testing.F) {
	for _, dir := range []string{"good", "bad"} {
		files, _ := filepath.Glob("testdata/" + dir + "/*.jsonl")
		for _, file := range files {
			data, _ := os.ReadFile(file)
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := Read(bytes.NewReader(data), "fuzz", Options{})
		if err != nil {
			require.IsType(t, &InputError{}, err)
			return
		}
		var out bytes.Buffer
		require.NoError(t, Write(&out, h))
		back, err := Read(&out, "again", Options{})
		require.NoError(t, err)
		require.Equal(t, withoutLines(h), withoutLines(back))
		for i := range h.Ops {
			sameAsStandardLibrary(t, lineOf(data, int(h.Ops[i].Line)), h.Kind, &h.Ops[i])
		}
	})
}

func lineOf(data []byte, n int) []byte { return bytes.Split(data, []byte("\n"))[n-1] }

// sameAsStandardLibrary reads a line by encoding/json and compares.
func sameAsStandardLibrary(t *testing.T, line []byte, k model.Kind, o *model.Operation) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	var m map[string]any
	require.NoError(t, decoder.Decode(&m), "%s", line)
	number := func(name string, otherwise uint64) uint64 {
		if v, given := m[name]; given {
			var n uint64
			_, err := fmt.Sscan(v.(json.Number).String(), &n)
			require.NoError(t, err)
			return n
		}
		return otherwise
	}
	require.Equal(t, number("object", 0), uint64(o.Object))
	require.Equal(t, number("process", math.MaxUint64), uint64(o.Process))
	require.Equal(t, number("call", math.MaxUint64), o.Call)
	require.Equal(t, number("return", model.Never), o.Return)
	require.Equal(t, m["op"], o.Op.String())
	if o.Result != model.Unknown {
		require.Equal(t, m["result"], o.Result.String())
	} else {
		require.NotContains(t, m, "result")
	}
	if o.Value == model.NoValue {
		return
	}
	if k == model.Range {
		ends := m["range"].([]any)
		require.Equal(t, []any{json.Number(fmt.Sprint(o.Value)), json.Number(fmt.Sprint(o.To))}, ends)
	} else {
		require.Equal(t, number("value", math.MaxUint64), o.Value)
	}
}

func TestGzipWithTrailingGarbageIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl.gz")
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	require.NoError(t, Write(z, longHistory(3)))
	require.NoError(t, z.Close())
	b.WriteString("garbage")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	_, err := ReadFile(t.Context(), path, Options{})
	require.ErrorContains(t, err, "the compressed data")
}

// Some editors put a mark at the beginning of a text; compressed it is there too.
func TestByteOrderMarkOfJSONLines(t *testing.T) {
	var plain, zipped bytes.Buffer
	h := longHistory(3)
	plain.WriteString(byteOrderMark)
	require.NoError(t, Write(&plain, h))
	z := gzip.NewWriter(&zipped)
	z.Write(plain.Bytes())
	require.NoError(t, z.Close())
	for from, text := range map[string][]byte{"jsonl": plain.Bytes(), "jsonl.gz": zipped.Bytes()} {
		back, err := Read(bytes.NewReader(text), "marked", Options{From: from})
		require.NoError(t, err)
		require.Equal(t, withoutLines(h), withoutLines(back))
	}
	_, err := Read(strings.NewReader(byteOrderMark+byteOrderMark), "marked", Options{})
	require.Error(t, err, "one mark, at the beginning")
}
