package console

import (
	"context"
	"io"
)

// UntilStopped does what cannot be stopped, such as waiting for what someone
// types, and leaves it alone when the context ends.
func UntilStopped[T any](ctx context.Context, do func() (T, error)) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := do()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// StoppableReader fails when the context ends, so that whoever reads can tidy up.
func StoppableReader(ctx context.Context, r io.Reader) io.Reader { return stoppableReader{ctx, r} }

// StoppableWriter fails when the context has ended.
func StoppableWriter(ctx context.Context, w io.Writer) io.Writer { return stoppableWriter{ctx, w} }

type stoppableReader struct {
	ctx context.Context
	r   io.Reader
}

func (s stoppableReader) Read(p []byte) (int, error) {
	return UntilStopped(s.ctx, func() (int, error) { return s.r.Read(p) })
}

type stoppableWriter struct {
	ctx context.Context
	w   io.Writer
}

func (s stoppableWriter) Write(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.w.Write(p)
}
