package format

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// badInputs says, for each file under testdata/bad, what is wrong with it.
var badInputs = map[string]string{
	"blank-line-between.jsonl":            `3: empty line: expected an operation`,
	"call-after-pending.jsonl":            `3: process 0 calls push at 125, but its push called at 120 never came back`,
	"call-missing.jsonl":                  `2: the field "call" is missing`,
	"comma-at-the-end.jsonl":              `2: column 75: expected a field name in quotes, found "}"`,
	"empty-file.jsonl":                    ` the file is empty: expected a header line`,
	"gzip-damaged.jsonl.gz":               ` the compressed data is damaged: expected a gzip file`,
	"gzip-not.jsonl.gz":                   ` the compressed data is damaged: expected a gzip file`,
	"gzip-truncated.jsonl.gz":             `12: the compressed data ends too early: expected a whole gzip file`,
	"header-capacity-in-quotes.jsonl":     `1: header: params.capacity: expected a plain unsigned integer below 2^63, found "\"4\""`,
	"header-clock-not-object.jsonl":       `1: header: column 70: expected clock in braces, found "\"ns\""`,
	"header-future-version.jsonl":         `1: header: version: expected 1, found 2`,
	"header-meta-broken.jsonl":            `1: header: column 74: expected a value, found "}"`,
	"header-missing.jsonl":                `1: header: the field "format" is missing`,
	"header-model-twice.jsonl":            `1: header: the field "model" is given twice`,
	"header-not-json.jsonl":               `1: header: column 1: expected a header in braces, found "history"`,
	"header-param-twice.jsonl":            `1: header: the field "capacity" is given twice`,
	"header-shared-deque.jsonl":           `1: header: params.shared is for the model range, not for wsdeque`,
	"header-shared-not-bool.jsonl":        `1: header: params.shared: expected true or false, found "1"`,
	"header-unknown-model.jsonl":          `1: header: unknown model "stack": expected one of wsdeque, fifo, range, bag`,
	"header-without-version.jsonl":        `1: header: the field "version" is missing`,
	"header-wrong-format.jsonl":           `1: header: format: expected "stealproof-history", found "porcupine"`,
	"header-zero-capacity.jsonl":          `1: header: params.capacity: expected a positive integer, found 0`,
	"key-twice-by-escape.jsonl":           `2: the field "value" is given twice`,
	"key-twice.jsonl":                     `2: the field "value" is given twice`,
	"key-wrong-case.jsonl":                `2: the field "process" is missing`,
	"nested-too-deep.jsonl":               `2: column 335: nested deeper than 256`,
	"op-missing.jsonl":                    `2: the field "op" is missing`,
	"op-not-string.jsonl":                 `2: column 19: expected the name of an op in quotes, found "1"`,
	"op-unknown.jsonl":                    `2: unknown op "enq": model wsdeque has push, pop, steal`,
	"op-wrong-case.jsonl":                 `2: unknown op "Push": model wsdeque has push, pop, steal`,
	"overlap-in-a-process.jsonl":          `3: process 0 calls push at 125, before its push in [120,131] returned: operations of a process must not overlap`,
	"process-missing.jsonl":               `2: the field "process" is missing`,
	"process-too-large.jsonl":             `2: process: expected a plain unsigned integer below 2^32, found "4294967296"`,
	"range-empty.jsonl":                   `2: the range [2,2] is empty: expected from < to`,
	"range-instead-of-value.jsonl":        `2: the field "range" is for the model range: model wsdeque has "value"`,
	"range-of-one.jsonl":                  `2: column 74: expected ',' between from and to, found "]"`,
	"range-of-three.jsonl":                `2: column 76: expected ']' after from and to, found ",4"`,
	"result-missing.jsonl":                `2: the field "result" is missing: only an operation that never came back has none`,
	"result-of-other-op.jsonl":            `2: push cannot have the result "empty": expected one of ok, full`,
	"result-unknown.jsonl":                `2: unknown result "fail": expected one of ok, empty, abort, full`,
	"return-before-call.jsonl":            `2: return 119 is before call 120`,
	"return-null.jsonl":                   `2: return: expected a plain unsigned integer below 2^64-1, found "null"`,
	"return-reserved.jsonl":               `2: return: expected a plain unsigned integer below 2^64-1, found "18446744073709551615"`,
	"size-missing.jsonl":                  `2: the field "size" is missing or 0: steal ok needs how much was asked for`,
	"truncated-line.jsonl":                `3: column 41: expected the closing '"' of a string, found the end of the line`,
	"two-operations-in-a-line.jsonl":      `2: column 75: expected the end of the line, found "{\"process\""`,
	"two-owners.jsonl":                    `3: process 1 calls push on object 0, whose owner is process 0: only the owner may`,
	"unknown-key-broken.jsonl":            `2: column 79: expected a value, found "tru"`,
	"unknown-key-not-utf8.jsonl":          `2: column 79: a string that is not UTF-8`,
	"unknown-key-twice.jsonl":             `2: the field "x" is given twice`,
	"utf16-byte-order-mark.jsonl":         `1: header: column 1: expected a header in braces, found "\xff\xfe{\"format\""`,
	"value-beyond-64-bits.jsonl":          `2: value: expected a plain unsigned integer below 2^63, found "18446744073709551617"`,
	"value-exponent.jsonl":                `2: value: expected a plain unsigned integer below 2^63, found "1e3"`,
	"value-fraction.jsonl":                `2: value: expected a plain unsigned integer below 2^63, found "1.0"`,
	"value-instead-of-range.jsonl":        `2: the field "value" is for other models: model range has "range"`,
	"value-leading-zero.jsonl":            `2: value: expected a plain unsigned integer below 2^63, found "017"`,
	"value-missing-of-pending-push.jsonl": `2: the field "value" is missing: a push that never came back needs it`,
	"value-missing.jsonl":                 `2: the field "value" is missing: push ok needs it`,
	"value-negative.jsonl":                `2: value: expected a plain unsigned integer below 2^63, found "-1"`,
	"value-too-large.jsonl":               `2: value: expected a plain unsigned integer below 2^63, found "9223372036854775808"`,
}

func TestBadInputs(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			h, err := ReadFile(t.Context(), file, Options{})
			require.Nil(t, h)
			var input *InputError
			require.ErrorAs(t, err, &input)
			require.Equal(t, file+":"+badInputs[filepath.Base(file)], err.Error())
		})
	}
	require.Len(t, files, len(badInputs), "each file needs a message, and each message a file")
}

func TestUnreadableFiles(t *testing.T) {
	_, err := ReadFile(t.Context(), "testdata/no-such.jsonl", Options{})
	require.EqualError(t, err, "testdata/no-such.jsonl: no such file or directory")
	_, err = ReadFile(t.Context(), "testdata/no-such.csv", Options{})
	require.EqualError(t, err, "testdata/no-such.csv: unknown file ending: expected .jsonl, .jsonl.gz, .sph, .edn, .txt or .log, or --from with the name of the format")
	require.ErrorContains(t, WriteFile(filepath.Join(t.TempDir(), "a.csv"), nil), "a.csv: unknown file ending: expected .jsonl, .jsonl.gz or .sph")
	_, err = ReadFile(t.Context(), "testdata/no-such.json", Options{})
	require.ErrorContains(t, err, "or --from with the name of the format; a header and an operation per line is JSON Lines, whose ending is .jsonl")
	require.ErrorContains(t, WriteFile(filepath.Join(t.TempDir(), "a.json"), nil), ".sph; a header and an operation per line is JSON Lines, whose ending is .jsonl")
	require.ErrorContains(t, WriteFile(filepath.Join(t.TempDir(), "none", "a.jsonl"), nil), "no such file")
}

// A history that cannot be written leaves what was there, and nothing beside it.
func TestWriteFileIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	h := longHistory(10)
	require.NoError(t, WriteFile(path, h))
	before, _ := os.ReadFile(path)
	h.Meta = []byte("not JSON")
	require.Error(t, WriteFile(path, h))
	after, _ := os.ReadFile(path)
	require.Equal(t, before, after)
	entries, _ := os.ReadDir(dir)
	require.Len(t, entries, 1)
}
