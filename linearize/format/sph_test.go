package format

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func binaryOf(t testing.TB, h *model.History) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, writeBinary(&b, h))
	return b.Bytes()
}

func binaryHistory(data []byte) (*model.History, error) {
	return readBinary(bytes.NewReader(data), "x.sph", Options{})
}

// readBinaryFile takes the way of files, which is another than that of pipes.
func readBinaryFile(t testing.TB, data []byte) (*model.History, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.sph")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return ReadFile(t.Context(), path, Options{})
}

// The codes are part of the format: they cannot follow the model's constants.
func TestBinaryCodesAreAsDocumented(t *testing.T) {
	require.Equal(t, []model.Kind{1, 2, 3, 4}, []model.Kind{model.WSDeque, model.FIFO, model.Range, model.Bag})
	require.Equal(t, []model.Op{1, 2, 3, 4, 5, 6, 7}, []model.Op{model.Push, model.Pop, model.Steal, model.Enq, model.Deq, model.Put, model.Take})
	require.Equal(t, []model.Result{0, 1, 2, 3, 4}, []model.Result{model.Unknown, model.OK, model.Full, model.Empty, model.Abort})
}

func TestBinaryComesBackEqual(t *testing.T) {
	files, err := filepath.Glob("testdata/good/*")
	require.NoError(t, err)
	for _, file := range files {
		h, err := ReadFile(t.Context(), file, Options{})
		require.NoError(t, err)
		data := binaryOf(t, h)
		back, err := binaryHistory(data)
		require.NoError(t, err, file)
		require.Equal(t, withoutLines(h), withoutLines(back), file)
		fromFile, err := readBinaryFile(t, data)
		require.NoError(t, err, file)
		require.Equal(t, back, fromFile)
		require.Equal(t, data, binaryOf(t, back))
	}
}

func TestBinaryOfManyChunks(t *testing.T) {
	for _, n := range []int{0, 1, sphChunk - 1, sphChunk, sphChunk + 1, 5*sphChunk + 7} {
		h := longHistory(n)
		data := binaryOf(t, h)
		for _, until := range []bool{false, true} {
			if until {
				data = withoutSum(data)
				binary.LittleEndian.PutUint64(data[sphAtCount:], sphUntilEnd)
			}
			piped, err := binaryHistory(data)
			require.NoError(t, err)
			filed, err := readBinaryFile(t, data)
			require.NoError(t, err)
			require.Equal(t, len(h.Ops), len(piped.Ops))
			require.Equal(t, withoutLines(h).Ops, append([]model.Operation(nil), withoutLines(piped).Ops...))
			require.Equal(t, len(piped.Ops), len(filed.Ops))
			for i := range filed.Ops {
				require.Equal(t, piped.Ops[i], filed.Ops[i])
				require.Equal(t, uint32(i+1), filed.Ops[i].Line)
			}
		}
	}
}

// withoutSum is a copy that says expressly that it has no checksum.
func withoutSum(data []byte) []byte {
	c := bytes.Clone(data)
	c[sphAtSumKind] = sphNoSum
	clear(c[sphAtSum:sphHeaderSize])
	return c
}

// Every single bit is guarded, in the header, the JSON and the records.
func TestBinaryNoticesEveryFlippedBit(t *testing.T) {
	h := longHistory(4)
	h.Clock = model.Clock{Source: "globaltimer", Unit: "ns", Resolution: 32}
	h.Meta = []byte(`{"kernel":"abp"}`)
	data := binaryOf(t, h)
	for bit := range len(data) * 8 {
		damaged := bytes.Clone(data)
		damaged[bit/8] ^= 1 << (bit % 8)
		_, err := binaryHistory(damaged)
		var input *InputError
		require.ErrorAs(t, err, &input, "bit %d of byte %d", bit%8, bit/8)
	}
}

func TestBinaryNoticesRecordsThatChangedPlaces(t *testing.T) {
	data := binaryOf(t, longHistory(8))
	a, b := data[sphHeaderSize:sphHeaderSize+sphRecord], data[sphHeaderSize+2*sphRecord:sphHeaderSize+3*sphRecord]
	for i := range a {
		a[i], b[i] = b[i], a[i]
	}
	_, err := binaryHistory(data)
	require.ErrorContains(t, err, "the file is damaged")
}

func TestBinaryTruncatedAnywhere(t *testing.T) {
	h := longHistory(3)
	h.Meta = []byte(`{"kernel":"abp"}`)
	data := binaryOf(t, h)
	for n := range data {
		_, err := binaryHistory(data[:n])
		var input *InputError
		require.ErrorAs(t, err, &input, "%d bytes", n)
		_, fileErr := readBinaryFile(t, data[:n])
		require.ErrorAs(t, fileErr, &input)
	}
}

func TestBinaryMessages(t *testing.T) {
	good := withoutSum(binaryOf(t, longHistory(5)))
	le := binary.LittleEndian
	second := sphHeaderSize + sphRecord
	for _, c := range []struct {
		name   string
		damage func(b []byte) []byte
		want   string
	}{
		{"op", func(b []byte) []byte { b[second+sphAtOp] = 9; return b },
			"x.sph: record 2 (byte 104): unknown op 9: model wsdeque has 1 (push), 2 (pop), 3 (steal)"},
		{"op of another model", func(b []byte) []byte { b[second+sphAtOp] = 4; return b },
			"x.sph: record 2 (byte 104): unknown op 4: model wsdeque has 1 (push), 2 (pop), 3 (steal)"},
		{"result", func(b []byte) []byte { b[second+sphAtResult] = 200; return b },
			"x.sph: record 2 (byte 104): unknown result 200: expected one of 1 (ok), 3 (empty), 4 (abort)"},
		{"result of another op", func(b []byte) []byte { b[second+sphAtResult] = 2; return b },
			`x.sph: record 2 (byte 104): steal cannot have the result "full": expected one of ok, empty, abort`},
		{"pad", func(b []byte) []byte { b[second+sphAtPad+3] = 1; return b },
			"x.sph: record 2 (byte 104): the 6 bytes behind the result: expected zeros"},
		{"no value", func(b []byte) []byte { le.PutUint64(b[second:], math.MaxUint64); return b },
			"x.sph: record 2 (byte 104): steal ok needs a value below 2^63"},
		{"return before call", func(b []byte) []byte { le.PutUint64(b[second+sphAtReturn:], 1); return b },
			"x.sph: record 2 (byte 104): return 1 is before call 1010"},
		{"call at the end of time", func(b []byte) []byte {
			le.PutUint64(b[second+sphAtCall:], math.MaxUint64)
			le.PutUint64(b[second+sphAtReturn:], math.MaxUint64)
			return b
		}, "x.sph: record 2 (byte 104): call: expected a number below 2^64-1"},
		{"overlap", func(b []byte) []byte { le.PutUint64(b[sphHeaderSize+sphAtReturn:], 1025); return b },
			"x.sph: record 3 (byte 144): process 0 calls push at 1020, before its push in [1000,1025] returned: operations of a process must not overlap"},
		{"trailing", func(b []byte) []byte { return append(b, 0) },
			"x.sph: byte 264: the header counts 5 records, and behind them the file goes on"},
		{"count too large", func(b []byte) []byte { le.PutUint64(b[sphAtCount:], 6); return b },
			"x.sph: record 6 (byte 264): the file is truncated: its header counts 6 records"},
		{"count too small", func(b []byte) []byte { le.PutUint64(b[sphAtCount:], 4); return b },
			"x.sph: byte 224: the header counts 4 records, and behind them the file goes on"},
		{"no checksum said nowhere", func(b []byte) []byte { b[sphAtSumKind] = 0; return b },
			"x.sph: header (byte 46): kind of checksum: expected 1 (none) or 2 (sums), found 0"},
		{"version", func(b []byte) []byte { b[sphAtVersion] = 2; return b },
			"x.sph: header (byte 8): version: expected 1, found 2"},
		{"record size", func(b []byte) []byte { b[sphAtRecordSize] = 56; return b },
			"x.sph: header (byte 12): record size: expected 40 for the model wsdeque, found 56"},
	} {
		_, err := binaryHistory(c.damage(bytes.Clone(good)))
		require.EqualError(t, err, c.want, c.name)
	}
}

// A header may count what it likes: memory is bounded by what is there.
func TestBinaryCountsThatLie(t *testing.T) {
	data := withoutSum(binaryOf(t, longHistory(2)))
	binary.LittleEndian.PutUint64(data[sphAtCount:], 1<<31)
	_, err := readBinaryFile(t, data)
	require.ErrorContains(t, err, "its header counts 2147483648 records")
	_, err = readBinary(bytes.NewReader(data), "x.sph", Options{Memory: 1 << 30})
	require.EqualError(t, err, "x.sph: its operations need about 112.0 GiB of memory, and the limit is 1.0 GiB (--memory moves it)")
	_, err = readBinary(bytes.NewReader(data), "x.sph", Options{Memory: 1 << 40})
	require.ErrorContains(t, err, "truncated")
}

func TestSumsInPartsAreTheSumsOfTheWhole(t *testing.T) {
	data := binaryOf(t, longHistory(50))
	var whole sphSum
	whole.add(data)
	var plain sphSum
	for i := 0; i < len(data); i += 4 {
		plain.sum += uint64(binary.LittleEndian.Uint32(data[i:]))
		plain.ofSums += plain.sum
	}
	require.Equal(t, plain, whole)
	for cut := 0; cut <= len(data); cut += 4 {
		var a, b sphSum
		a.add(data[:cut])
		b.add(data[cut:])
		require.Equal(t, whole, a.then(b, int64(len(data)-cut)))
	}
}

func FuzzSPH(f *testing.F) {
	files, _ := filepath.Glob("testdata/good/*.jsonl")
	for _, file := range files {
		h, err := ReadFile(context.Background(), file, Options{})
		require.NoError(f, err)
		data := binaryOf(f, h)
		f.Add(data)
		f.Add(withoutSum(data))
		f.Add(withoutSum(data[:len(data)-1]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := binaryHistory(data)
		if err != nil {
			require.IsType(t, &InputError{}, err)
			return
		}
		require.NoError(t, h.Validate())
		var lines bytes.Buffer
		require.NoError(t, Write(&lines, h))
		fromLines, err := Read(&lines, "lines", Options{})
		require.NoError(t, err)
		require.Equal(t, withoutLines(h), withoutLines(fromLines))
		back, err := binaryHistory(binaryOf(t, h))
		require.NoError(t, err)
		require.Equal(t, h, back)
	})
}
