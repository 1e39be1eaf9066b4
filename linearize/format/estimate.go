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

// growth is what a row that grows takes beyond its content, at worst: it is
// copied to one a quarter larger.
const growth = 2.25

// sampleSize is how much of a text is looked at to estimate the rest.
const sampleSize = 1 << 20

// fits refuses what would take more memory than there is to be had.
func fits(name string, need, limit uint64) error {
	if need <= limit {
		return nil
	}
	return &InputError{File: name, Msg: fmt.Sprintf("its operations need about %s of memory, and the limit is %s (--memory moves it)", wording.Bytes(need), wording.Bytes(limit))}
}

// mostOperations is how many a row that grows may have within so many bytes.
func mostOperations(memory uint64) int {
	return int(float64(memory) / growth / float64(operationBytes))
}

// tooMuch refuses a stream that turned out too long.
func tooMuch(limit uint64) string {
	return fmt.Sprintf("more operations than fit into %s of memory (--memory moves the limit)", wording.Bytes(limit))
}

// textFits estimates from the beginning of a file of lines how many operations
// the whole has, and refuses it before it is read if they are too many.
func textFits(f *os.File, path string, memory uint64) error {
	zip := strings.HasSuffix(path, ".gz")
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < sampleSize && !zip {
		return nil
	}
	lines, bytes := sample(f, zip)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return &InputError{File: path, Msg: cause(err)}
	}
	if lines == 0 || bytes == 0 {
		return nil // the reader will say what is wrong
	}
	total := float64(info.Size()) / float64(bytes) * float64(lines)
	return fits(path, uint64(total*growth)*operationBytes, memory)
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
	return textFits(f, path, o.memory())
}
