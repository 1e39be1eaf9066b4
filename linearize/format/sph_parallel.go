package format

import (
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"stealproof/model"
)

// sphParallel reads a file whose size is known, chunk by chunk, by all
// processors. A chunk is still in a cache when it is held against the chunks
// before it.
type sphParallel struct {
	reader *sphReader
	file   io.ReaderAt
	n      int // records
	next   atomic.Int64
	sums   []sphSum
	errs   []error
	ready  []atomic.Bool // decoded
	turn   sync.Mutex    // held by who looks at the chunks together
	judged int           // chunks
}

func (p *sphReader) file(f io.ReaderAt, size int64) error {
	n, err := p.countIn(size)
	if err != nil {
		return err
	}
	if err := p.fits(uint64(n)); err != nil {
		return err
	}
	p.h.Ops = make([]model.Operation, n)
	chunks := (n + sphChunk - 1) / sphChunk
	p.valid = true
	r := &sphParallel{
		reader: p, file: f, n: n,
		sums: make([]sphSum, chunks), errs: make([]error, chunks), ready: make([]atomic.Bool, chunks),
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), chunks) {
		workers.Go(r.work)
	}
	workers.Wait()
	r.judgeReady()
	for c := range chunks { // the first error counts, whoever found it
		if r.errs[c] != nil {
			return r.errs[c]
		}
		p.sum = p.sum.then(r.sums[c], int64(r.records(c)*p.head.recordSize))
	}
	return nil
}

func (r *sphParallel) records(chunk int) int { return min(sphChunk, r.n-chunk*sphChunk) }

func (r *sphParallel) work() {
	raw := make([]byte, min(r.n, sphChunk)*r.reader.head.recordSize)
	for {
		c := int(r.next.Add(1)) - 1
		if c >= len(r.sums) {
			return
		}
		if r.errs[c] = r.chunk(c, raw[:r.records(c)*r.reader.head.recordSize]); r.errs[c] != nil {
			return
		}
		r.ready[c].Store(true)
		if r.turn.TryLock() {
			r.judgeReady()
			r.turn.Unlock()
		}
	}
}

func (r *sphParallel) chunk(c int, raw []byte) error {
	p, first := r.reader, c*sphChunk
	if _, err := r.file.ReadAt(raw, p.offset(first)); err == io.EOF {
		return p.fail("the file became shorter while it was read")
	} else if err != nil {
		return p.fail("cannot be read: %s", cause(err))
	}
	r.sums[c].add(raw)
	return p.decode(raw, first, p.h.Ops[first:])
}

// judgeReady holds the chunks that are ready against those before them.
func (r *sphParallel) judgeReady() {
	p := r.reader
	for r.judged < len(r.ready) && r.ready[r.judged].Load() {
		first := r.judged * sphChunk
		p.valid = p.valid && p.judge.Together(p.h.Ops[first:first+r.records(r.judged)])
		r.judged++
	}
}
