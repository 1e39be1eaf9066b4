package format

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"unsafe"

	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// operationBytes is what an operation takes in memory.
const operationBytes = uint64(unsafe.Sizeof(model.Operation{}))

// growth is what a row takes, in place of its content alone, that grows because nobody
// knows how long it will be: it is copied to one a quarter larger, and what was there
// before is garbage that cannot be collected at once.
const growth = 3

// guessed is by how much a row is made longer than it should become.
const guessed = 1 + 1./16

// sampleSize is how much of a text is looked at to estimate the rest.
const sampleSize = 1 << 20

// fits refuses what would take more memory than there is to be had.
func fits(name string, need, limit uint64) error {
	if need <= limit {
		return nil
	}
	return &InputError{File: name, Msg: fmt.Sprintf("its operations need about %s of memory, and the limit is %s (--memory moves it)", wording.Bytes(need), wording.Bytes(limit))}
}

// row is for the operations of a text, and mostOperations how many it may have within
// the memory: if it grows, what it takes besides is not yet needed for anything else.
func (o Options) row() []model.Operation {
	return make([]model.Operation, 0, min(o.expected, o.mostOperations()))
}

func (o Options) mostOperations() int {
	each := max(growth*float64(operationBytes), float64(operationBytes+o.Besides))
	if o.expected > 0 {
		each = float64(operationBytes + o.Besides)
	}
	return int(float64(o.memory()) / each)
}

// tooMuch refuses a stream that turned out too long.
func tooMuch(limit uint64) string {
	return fmt.Sprintf("more operations than fit into %s of memory (--memory moves the limit)", wording.Bytes(limit))
}

// textFits estimates from the beginning of a file of lines how many operations
// the whole has, and refuses it before it is read if they are too many.
func textFits(f *os.File, path string, o Options) (expected int, err error) {
	zip := strings.HasSuffix(path, ".gz")
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < sampleSize && !zip {
		return 0, nil
	}
	lines, bytes := sample(f, zip)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, &InputError{File: path, Msg: cause(err)}
	}
	if lines == 0 || bytes == 0 {
		return 0, nil // the reader will say what is wrong
	}
	total := float64(info.Size()) / float64(bytes) * float64(lines) * guessed
	return int(total), fits(path, uint64(total)*(operationBytes+o.Besides), o.memory())
}

// sample counts the lines at the beginning of a file and the bytes of the file
// that they take, compressed if it is.
func sample(f *os.File, zip bool) (lines, size int64) {
	counted := &countedReader{r: f}
	var r io.Reader = counted
	if zip {
		z, err := gzip.NewReader(bufio.NewReader(counted))
		if err != nil {
			return 0, 0
		}
		r = z
	}
	b := make([]byte, sampleSize)
	n, _ := io.ReadFull(r, b)
	return int64(bytes.Count(b[:n], []byte("\n"))), counted.n
}

type countedReader struct {
	r io.Reader
	n int64
}

func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// CheckSize refuses a file of JSON Lines whose operations would not fit into
// the memory of the options.
func CheckSize(f *os.File, path string, o Options) error {
	_, err := textFits(f, path, o)
	return err
}
