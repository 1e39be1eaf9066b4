//go:build cuda

package gpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// Runner launches one structure again and again.
type Runner struct {
	*layout
	thread          *thread
	module          cu.Module
	prepare, run    cu.Function
	kernels, copies cu.Stream
	at              addresses
	parameters      uint64 // where the struct run lies
	version         uint32 // of the header that the module was compiled with
	objectBytes     uint64
	warps, blocks   int
	threads         int    // of a block that is a process, 0 if a warp is one
	log             []byte // pinned
	objects         []byte // as the last launch left them
	hung            bool
	trapped         bool // the context is gone
}

// Open prepares a device, its memory and the module.
func Open(o Options) (*Runner, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	image, c, err := o.module()
	if err != nil {
		return nil, err
	}
	t, err := openThread(o.Device)
	if err != nil {
		return nil, err
	}
	if err := checkDevice(image, o.Device); err != nil {
		t.close()
		return nil, err
	}
	r := &Runner{layout: newLayout(o, c), thread: t}
	if err := r.open(image); err != nil {
		t.close()
		return nil, err
	}
	return r, nil
}

// module is what is to be loaded, and what is known of it.
func (o *Options) module() (image []byte, c *Config, err error) {
	if o.Image != nil {
		return o.Image, &Config{Kind: o.Kind, Params: o.Params}, nil
	}
	if c, err = Resolve(o.Spec); err != nil {
		return nil, nil, err
	}
	if o.Patched != nil {
		return o.Patched, c, nil
	}
	if c.Patches != "" {
		return nil, nil, fmt.Errorf("structure %s: its module is to be patched before it is loaded: %s", o.Spec, c.Patches)
	}
	image, err = Module(c.Module)
	return image, c, err
}

func checkDevice(image []byte, device int) error {
	d, err := describe(device)
	if err != nil {
		return err
	}
	return checkTarget(image, d)
}

func (r *Runner) open(image []byte) error {
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"loading the module", func() (err error) {
			r.module, err = cu.LoadData(string(image) + "\x00")
			return err
		}},
		{"looking for the kernels", r.findKernels},
		{"asking the module", r.describe},
		{"computing the residency", r.fit},
		{"allocating memory", r.allocate},
	} {
		if err := r.thread.do(step.what, step.do); err != nil {
			var plain *plainError
			if errors.As(err, &plain) {
				return plain.error // said by us, not by the driver
			}
			return err
		}
	}
	return nil
}

// plainError is an error that no call of the driver returned.
type plainError struct{ error }

func plainf(format string, args ...any) error { return &plainError{fmt.Errorf(format, args...)} }

func (r *Runner) findKernels() (err error) {
	word, size, err := r.module.Global("stealproof_abi")
	if err != nil || size != 4 {
		return plainf("this module has no word stealproof_abi: compile it with include/stealproof.cuh and STEALPROOF_KERNELS")
	}
	version := make([]byte, 4)
	if err := cu.MemcpyDtoH(unsafe.Pointer(&version[0]), word, 4); err != nil {
		return err
	}
	if r.version = binary.LittleEndian.Uint32(version); r.version < oldestVersion || r.version > abiVersion {
		return plainf("this module was compiled with version %d of stealproof.cuh, this program knows versions %d and %d: compile it with the header that came with the program", r.version, oldestVersion, abiVersion)
	}
	if r.threads, err = r.number("stealproof_block"); err != nil {
		return err
	}
	if r.prepare, err = r.module.Function("stealproof_prepare"); err != nil {
		return err
	}
	if r.run, err = r.module.Function(r.entry()); err != nil {
		return err
	}
	if r.kernels, err = cu.MakeStream(cu.NonBlocking); err != nil {
		return err
	}
	r.copies, err = cu.MakeStream(cu.NonBlocking)
	return err
}

// number is what a word of the module holds, 0 if there is none.
func (r *Runner) number(name string) (int, error) {
	word, size, err := r.module.Global(name)
	if err != nil || size != 4 {
		return 0, nil
	}
	b := make([]byte, 4)
	err = cu.MemcpyDtoH(unsafe.Pointer(&b[0]), word, 4)
	return int(binary.LittleEndian.Uint32(b)), err
}

// describe asks the module for the size of an object and what it is.
func (r *Runner) describe() error {
	f, err := r.module.Function("stealproof_describe")
	if err != nil {
		return err
	}
	memory, err := cu.MemAlloc(512)
	if err != nil {
		return err
	}
	defer cu.MemFree(memory)
	if err := upload(memory, r.layout.run(addresses{}, 0), r.copies); err != nil {
		return err
	}
	if err := f.Launch(1, 1, 1, 32, 1, 1, 0, r.kernels, []unsafe.Pointer{word(uint64(memory)), word(uint64(memory) + 256)}); err != nil {
		return err
	}
	if err := r.kernels.Synchronize(); err != nil {
		return err
	}
	d := make([]byte, 32)
	if err := download(d, memory+256, r.copies); err != nil {
		return err
	}
	field := func(i int) int { return int(binary.LittleEndian.Uint32(d[4*i:])) }
	if field(0) != int(r.version) || field(2) != recordBytes || field(3) != headBytes || field(4) != runBytes {
		return plainf("this module does not keep to version %d of stealproof.cuh: records of %d bytes, heads of %d, runs of %d", r.version, field(2), field(3), field(4))
	}
	if field(1) != int(r.config.Kind) {
		return plainf("this module is of model %d, not of %s", field(1), r.config.Kind)
	}
	r.objectBytes = binary.LittleEndian.Uint64(d[24:])
	if r.objectBytes == 0 || r.objectBytes > 1<<34 {
		return plainf("this module's objects have %d bytes", r.objectBytes)
	}
	r.withObjects(r.objectBytes)
	return nil
}

func (r *Runner) fit() (err error) {
	multiprocessors, err := cu.Device(r.Device).Attribute(cu.MultiprocessorCount)
	if err != nil {
		return err
	}
	resident := func(warps int) (int, error) {
		n, err := r.run.MaxActiveBlocksPerMultiProcessor(32*warps, 0)
		return n * multiprocessors, err
	}
	if r.threads > 0 {
		r.warps = r.threads / 32
		r.blocks, err = blockEach(r.slots, r.threads, resident)
	} else {
		r.warps, r.blocks, err = warpsPerBlock(r.slots, resident)
	}
	if err != nil {
		return &plainError{err}
	}
	return nil
}

func (r *Runner) allocate() error {
	stress := uint64(4)
	if r.Stress > 0 {
		stress = 4 * stressWords
	}
	for _, m := range []struct {
		at    *uint64
		bytes uint64
	}{
		{&r.parameters, runBytes}, {&r.at.memory, r.memoryBytes()},
		{&r.at.placement, uint64(4 * r.blocks * r.warps)}, {&r.at.control, controlBytes}, {&r.at.stress, stress},
	} {
		p, err := cu.MemAlloc(int64(m.bytes))
		if err != nil {
			return err
		}
		*m.at = uint64(p)
	}
	if err := cu.MemsetD8(cu.DevicePtr(r.at.stress), 0, int64(stress)); err != nil {
		return err
	}
	return r.allocateLog()
}

// allocateLog takes memory of the device and as much of the host to copy it to;
// or of the host alone, where the device writes to that.
func (r *Runner) allocateLog() (err error) {
	if r.log, r.at.log, err = pinned(r.logBytes()); err != nil {
		return &plainError{err}
	}
	if r.HostLogs {
		return nil
	}
	p, err := cu.MemAlloc(int64(r.logBytes()))
	r.at.log = uint64(p)
	return err
}

// Blocks says how the launches are cut: so many blocks of so many warps.
func (r *Runner) Blocks() (blocks, warps int) { return r.blocks, r.warps }

// Object is the memory of an object as the last launch left it.
func (r *Runner) Object(i int) []byte {
	return r.objects[uint64(i)*r.objectStride:][:r.objectBytes]
}

// Close gives everything back. After a hang only the end of the process frees
// the GPU.
func (r *Runner) Close() error {
	if r.hung || r.trapped {
		return nil
	}
	_ = r.thread.do("freeing memory", func() error { freePinned(r.log); return nil })
	return r.thread.close() // the context takes its memory along
}
