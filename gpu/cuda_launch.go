//go:build cuda

package gpu

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unsafe"

	"gorgonia.org/cu"
)

// Launch runs the structure once.
func (r *Runner) Launch(ctx context.Context, seed uint64) (*Launch, error) {
	if r.hung {
		return nil, errors.New("the GPU is held by a kernel that did not end: begin anew")
	}
	if r.trapped {
		return nil, errors.New("a kernel has trapped here: begin anew")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := &Launch{Seed: seed}
	err := r.thread.do("preparing the launch", func() error { return r.ready(seed) })
	if err == nil {
		err = r.thread.do("running the kernel", func() error { return r.watch(ctx, l) })
	}
	if isTrap(err) {
		return r.afterTrap(l, err)
	}
	if err != nil {
		return nil, err
	}
	if !r.HostLogs {
		err = r.thread.do("reading the log", func() error { return download(r.log, cu.DevicePtr(r.at.log), r.copies) })
	}
	if err != nil {
		return nil, err
	}
	if err := r.read(l); err != nil {
		return nil, err
	}
	if r.hung {
		return l, nil // the objects are still being written
	}
	return l, r.lookBehind()
}

// afterTrap keeps what the kernel had recorded, as far as the host has it, and
// gives up the context: the device's memory is gone with it.
func (r *Runner) afterTrap(l *Launch, err error) (*Launch, error) {
	r.trapped = true
	l.Trap, l.Partial = err.Error(), true
	if r.HostLogs && !r.Unlogged {
		if err := r.read(l); err != nil {
			l.Trap += "; " + err.Error()
		}
		l.Hang = ""
	}
	_ = r.thread.close() // it says once more that the kernel has trapped
	return l, nil
}

// ready clears the log and makes new objects.
func (r *Runner) ready(seed uint64) error {
	slots := r.layout.placement(r.blocks*r.warps, seed)
	if err := upload(cu.DevicePtr(r.at.placement), unsafe.Slice((*byte)(unsafe.Pointer(&slots[0])), 4*len(slots)), r.copies); err != nil {
		return err
	}
	if err := upload(cu.DevicePtr(r.parameters), r.layout.run(r.at, seed), r.copies); err != nil {
		return err
	}
	if r.HostLogs {
		clear(r.log)
	} else if err := cu.MemsetD8Async(cu.DevicePtr(r.at.log), 0, int64(r.logBytes()), r.copies); err != nil {
		return err
	}
	for _, m := range []struct {
		at, bytes uint64
		value     byte
	}{{r.at.memory, r.memoryBytes(), memoryGuardByte}, {r.at.control, controlBytes, 0}} {
		if err := cu.MemsetD8Async(cu.DevicePtr(m.at), m.value, int64(m.bytes), r.copies); err != nil {
			return err
		}
	}
	if err := r.copies.Synchronize(); err != nil {
		return err
	}
	const threads = 64
	if err := r.prepare.Launch((r.Objects+threads-1)/threads, 1, 1, threads, 1, 1, 0, r.kernels, []unsafe.Pointer{word(r.parameters)}); err != nil {
		return err
	}
	return r.kernels.Synchronize()
}

// watch launches the kernel and waits for its end, or for the time limit: then
// the processes are asked to stop, and left alone if they don't.
func (r *Runner) watch(ctx context.Context, l *Launch) error {
	begin, err := cu.MakeEvent(cu.DefaultEvent)
	if err != nil {
		return err
	}
	defer cu.DestroyEvent(&begin)
	end, err := cu.MakeEvent(cu.DefaultEvent)
	if err != nil {
		return err
	}
	defer cu.DestroyEvent(&end)
	if err := begin.Record(r.kernels); err != nil {
		return err
	}
	if err := r.run.Launch(r.blocks, 1, 1, 32*r.warps, 1, 1, 0, r.kernels, []unsafe.Pointer{word(r.parameters)}); err != nil {
		return err
	}
	if err := end.Record(r.kernels); err != nil {
		return err
	}
	limit := time.Now().Add(r.Timeout)
	stopped := false
	for {
		err := r.kernels.Query()
		if err == nil {
			break
		}
		if !errors.Is(err, cu.NotReady) {
			return err
		}
		if now := time.Now(); now.After(limit) || ctx.Err() != nil {
			if stopped {
				r.hung, l.Partial = true, true
				l.Hang = fmt.Sprintf("the kernel did not end within %s", r.Timeout)
				return nil
			}
			stopped, limit = true, now.Add(time.Second)
			if err := r.stop(); err != nil {
				return err
			}
		}
		time.Sleep(50 * time.Microsecond)
	}
	ms, err := begin.Elapsed(end)
	l.Elapsed = time.Duration(ms * float64(time.Millisecond))
	if stopped {
		l.Hang = fmt.Sprintf("the kernel ended only when it was stopped after %s", r.Timeout)
	}
	return err
}

// stop tells the processes to end after their operation.
func (r *Runner) stop() error {
	one := []byte{1, 0, 0, 0}
	return upload(cu.DevicePtr(r.at.control+2*128), one, r.copies)
}

func (r *Runner) read(l *Launch) error {
	h, dropped, hang, err := r.history(r.log)
	if err != nil {
		return err
	}
	l.Dropped = dropped
	if l.Hang == "" {
		l.Hang = hang
	}
	l.Operations = len(h.Ops)
	if r.Unlogged {
		l.Operations = r.processes() * r.Operations
		return nil
	}
	l.History = h
	return nil
}

// lookBehind checks the guards of the objects.
func (r *Runner) lookBehind() error {
	if r.objects == nil {
		r.objects = make([]byte, r.memoryBytes())
	}
	err := r.thread.do("reading the objects", func() error { return download(r.objects, cu.DevicePtr(r.at.memory), r.copies) })
	if err != nil {
		return err
	}
	return r.checkMemory(r.objects, r.objectBytes)
}
