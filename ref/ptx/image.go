package ptx

import (
	"encoding/binary"
	"fmt"
	"slices"

	"stealproof/ref"
	"stealproof/ref/ptx/machine"
)

// image is memory as bytes, for one process alone: what prepare writes, and on a copy
// of that some operations, to see how large their accesses are.
type image struct {
	design *design
	parts  []part
}

// part is an object, or a variable of the module, or of a block.
type part struct {
	base    uint64
	name    string // empty for the object
	block   bool   // each process has its own
	data    []byte
	written []bool
	widths  []uint8 // of each byte, the largest access to it so far
}

// newImage makes an object of so many bytes in which nothing was written, and the
// module's variables.
func newImage(d *design, bytes uint64) *image {
	m := &image{design: d, parts: []part{{
		base: machine.Shared, data: make([]byte, bytes), written: make([]bool, bytes), widths: make([]uint8, bytes),
	}}}
	names := shortNames(d.program)
	for _, g := range d.program.Globals {
		n := len(g.Data)
		written := make([]bool, n)
		for i := range written {
			written[i] = true
		}
		m.parts = append(m.parts, part{base: g.Address, name: names[g.Name], data: slices.Clone(g.Data), written: written, widths: make([]uint8, n)})
	}
	for _, g := range d.program.Block {
		n := len(g.Data)
		m.parts = append(m.parts, part{base: g.Address, name: names[g.Name], block: true, data: make([]byte, n), written: make([]bool, n), widths: make([]uint8, n)})
	}
	return m
}

// clone is a copy to which nobody has made an access.
func (m *image) clone() *image {
	c := &image{design: m.design}
	for _, p := range m.parts {
		p.data, p.written, p.widths = slices.Clone(p.data), slices.Clone(p.written), make([]uint8, len(p.data))
		c.parts = append(c.parts, p)
	}
	return c
}

// fault is an access that no correct kernel makes.
func (d *design) fault(a *machine.Access, format string, args ...any) *ref.Fault {
	return &ref.Fault{Msg: fmt.Sprintf("%s:%d: ", d.file, a.Line) + fmt.Sprintf(format, args...)}
}

// nowhere says that an address is none.
func nowhere(at uint64, a *machine.Access) string {
	if at >= machine.Shared {
		return fmt.Sprintf("an access of %d bytes at byte %d of the object, outside of it", a.Size, int64(at-machine.Shared))
	}
	return fmt.Sprintf("an access of %d bytes at %#x, where nothing is", a.Size, at)
}

// find finds the bytes of an access.
func (m *image) find(at uint64, a *machine.Access) (*part, uint64) {
	for i := range m.parts {
		p := &m.parts[i]
		if off := at - p.base; off < uint64(len(p.data)) && uint64(len(p.data))-off >= uint64(a.Size) {
			for k := range uint64(a.Size) {
				p.widths[off+k] = max(p.widths[off+k], a.Size)
			}
			return p, off
		}
	}
	panic(m.design.fault(a, "%s", nowhere(at, a)))
}

func (m *image) Load(at uint64, a *machine.Access) uint64 {
	p, off := m.find(at, a)
	if !slices.Contains(p.written[off:off+uint64(a.Size)], true) {
		panic(m.design.fault(a, "a load of what was never written"))
	}
	var b [8]byte
	copy(b[:], p.data[off:off+uint64(a.Size)])
	return binary.LittleEndian.Uint64(b[:])
}

func (m *image) Store(at, v uint64, a *machine.Access) {
	p, off := m.find(at, a)
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	copy(p.data[off:off+uint64(a.Size)], b[:])
	for k := range uint64(a.Size) {
		p.written[off+k] = true
	}
}

func (m *image) Update(at, x, y uint64, a *machine.Access) uint64 {
	old := m.Load(at, a)
	m.Store(at, a.Atomic.Apply(old, x, y, a.Size), a)
	return old
}

func (m *image) Fence(*machine.Access) {}
