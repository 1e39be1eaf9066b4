//go:build cuda

package gpu

import (
	"fmt"
	"math"
	"unsafe"

	"encoding/binary"

	"gorgonia.org/cu"
)

// List returns the devices.
func List() ([]Device, error) {
	count, err := cu.NumDevices()
	if err != nil {
		return nil, named("counting the devices", err)
	}
	devices := make([]Device, count)
	for i := range devices {
		if devices[i], err = describe(i); err != nil {
			return nil, err
		}
	}
	return devices, nil
}

func describe(i int) (Device, error) {
	d := cu.Device(i)
	r := Device{Index: i, Driver: fmt.Sprintf("%d.%d", cu.Version()/1000, cu.Version()%1000/10)}
	var err error
	if r.Name, err = d.Name(); err != nil {
		return r, named("asking for a device's name", err)
	}
	if r.Major, r.Minor, err = d.ComputeCapability(); err != nil {
		return r, named("asking for a device's compute capability", err)
	}
	if r.Multiprocessors, err = d.Attribute(cu.MultiprocessorCount); err != nil {
		return r, named("asking for a device's multiprocessors", err)
	}
	if khz, err := d.Attribute(cu.ClockRate); err == nil {
		r.ClockMHz = khz / 1000
	}
	if bytes, err := d.TotalMem(); err == nil {
		r.MemoryMB = int(bytes >> 20)
	}
	if r.Major < 7 {
		return r, fmt.Errorf("device %d, %s, has compute capability %d.%d: 7.0 is the least, for its memory model", i, r.Name, r.Major, r.Minor)
	}
	return r, nil
}

const (
	tickReads = 1 << 20
	turns     = 5000
	pairBytes = 48
	tickBytes = 32
)

// Calibrate measures a device's clock: its tick, and in several pairings of
// all multiprocessors whether stamps that are handed over are ever ahead.
func Calibrate(device int) (*Calibration, error) {
	d, err := describe(device)
	if err != nil {
		return nil, err
	}
	t, err := openThread(device)
	if err != nil {
		return nil, err
	}
	defer t.close()
	c := &Calibration{Device: d, Smallest: math.MaxUint64}
	return c, t.do("calibrating the clock", func() error { return c.measure(d.Multiprocessors) })
}

func (c *Calibration) measure(blocks int) error {
	text, err := Module("clock")
	if err != nil {
		return err
	}
	m, err := cu.LoadData(string(text) + "\x00")
	if err != nil {
		return err
	}
	defer m.Unload()
	memory, err := cu.MemAlloc(int64(tickBytes + blocks*(pairBytes+4+128)))
	if err != nil {
		return err
	}
	defer cu.MemFree(memory)
	if err := c.tick(m, memory); err != nil {
		return err
	}
	// the pairs of a round are shift apart
	for shift := 1; shift < blocks; shift += max(1, blocks/8) {
		if err := c.round(m, memory, blocks, shift); err != nil {
			return err
		}
	}
	if c.Handovers == 0 {
		c.Smallest = 0
	}
	return nil
}

func (c *Calibration) tick(m cu.Module, memory cu.DevicePtr) error {
	f, err := m.Function("clock_tick")
	if err != nil {
		return err
	}
	if err := f.Launch(1, 1, 1, 32, 1, 1, 0, cu.NoStream, []unsafe.Pointer{word(uint64(memory)), word(tickReads)}); err != nil {
		return err
	}
	b := make([]byte, tickBytes)
	if err := cu.MemcpyDtoH(unsafe.Pointer(&b[0]), memory, tickBytes); err != nil {
		return err
	}
	c.Reads = binary.LittleEndian.Uint64(b)
	c.Tick = binary.LittleEndian.Uint64(b[16:])
	if binary.LittleEndian.Uint64(b[8:]) == 0 {
		c.Tick = 0 // it never moved
	}
	c.Backward += binary.LittleEndian.Uint64(b[24:])
	return nil
}

func (c *Calibration) round(m cu.Module, memory cu.DevicePtr, blocks, shift int) error {
	f, err := m.Function("clock_pairs")
	if err != nil {
		return err
	}
	partner := pairing(blocks, shift)
	b := make([]byte, 4*blocks)
	for i, p := range partner {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(p))
	}
	boxes := memory + cu.DevicePtr(blocks*pairBytes)
	partners := boxes + cu.DevicePtr(blocks*128)
	if err := cu.MemcpyHtoD(partners, unsafe.Pointer(&b[0]), int64(len(b))); err != nil {
		return err
	}
	if err := cu.MemsetD8(boxes, 0, int64(blocks*128)); err != nil {
		return err
	}
	if err := f.Launch(blocks, 1, 1, 1024, 1, 1, 0, cu.NoStream,
		[]unsafe.Pointer{word(uint64(memory)), word(uint64(partners)), word(uint64(boxes)), word(turns)}); err != nil {
		return err
	}
	out := make([]byte, blocks*pairBytes)
	if err := cu.MemcpyDtoH(unsafe.Pointer(&out[0]), memory, int64(len(out))); err != nil {
		return err
	}
	c.collect(out, partner)
	return nil
}
