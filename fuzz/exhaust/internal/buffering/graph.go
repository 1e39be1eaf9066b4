package buffering

import (
	"encoding/binary"

	"stealproof/ref"
)

// id is an access: its process, and its number in the process's course.
type id struct{ process, number int16 }

// initially is the source of a read of what was there at the start, and nobody is none.
var (
	initially = id{-1, 0}
	nobody    = id{-2, 0}
)

// graph has, of each process, what is known of its accesses. Its relations are those of
// the reads; what else a process does, it does again.
type graph [][]entry

type kind uint8

const (
	unknown kind = iota // or no read
	read
	// hole: what it reads is left open, and nothing that depends on it is there, but
	// what comes behind it in its process is. Its process goes on with some value.
	hole
)

// entry is an access of which it is known what it reads.
type entry struct {
	is       kind
	fixed    bool // it is not revisited: others are found where it reads something else
	source   id
	value    uint64
	location ref.Location
	// depends are the reads of its process on which it depends, and from those of its
	// source's process on which what the source writes depends.
	depends, from ref.Reads
}

// reads names a graph: what each read reads.
func (g graph) reads() string {
	var b []byte
	for p, row := range g {
		for n := range row {
			b = row[n].name(b, p, n)
		}
	}
	return string(b)
}

func (e *entry) name(b []byte, p, n int) []byte {
	if e.is == unknown {
		return b
	}
	for _, x := range []int16{int16(p), int16(n), e.source.process, e.source.number} {
		b = binary.LittleEndian.AppendUint16(b, uint16(x))
	}
	b = binary.LittleEndian.AppendUint64(b, e.value)
	return append(b, byte(e.is))
}

// key names a graph of a search: what each read reads, and which reads are fixed.
func (g graph) key() string {
	b := []byte(g.reads())
	for p, row := range g {
		for n := range row {
			if row[n].fixed {
				b = append(b, byte(p), byte(n), byte(n>>8))
			}
		}
	}
	return string(b)
}

func (g graph) clone() graph {
	c := make(graph, len(g))
	for p, row := range g {
		c[p] = append([]entry(nil), row...)
	}
	return c
}

// set gives a read its entry.
func (g graph) set(r id, e entry) {
	row := g[r.process]
	for len(row) <= int(r.number) {
		row = append(row, entry{})
	}
	row[r.number] = e
	g[r.process] = row
}

func (g graph) of(r id) *entry {
	if row := g[r.process]; int(r.number) < len(row) && row[r.number].is != unknown {
		return &row[r.number]
	}
	return nil
}

// behind are the reads that depend on one: through dependencies and reads-from, itself
// included.
func (g graph) behind(r id) []ref.Reads {
	behind := make([]ref.Reads, len(g))
	behind[r.process].Add(int(r.number))
	for grew := true; grew; {
		grew = false
		for p, row := range g {
			for n := range row {
				e := &row[n]
				if e.is != read || behind[p].Has(n) {
					continue
				}
				if depends(behind, int16(p), e.depends) || e.source.process >= 0 && depends(behind, e.source.process, e.from) {
					behind[p].Add(n)
					grew = true
				}
			}
		}
	}
	return behind
}

// needed are the reads on which those of a process depend, through dependencies and
// reads-from, these included.
func (g graph) needed(needed []ref.Reads, process int16, on ref.Reads) {
	needed[process] = needed[process].Or(on)
	for grew := true; grew; {
		grew = false
		add := func(p int16, on ref.Reads) {
			if all := needed[p].Or(on); all != needed[p] {
				needed[p], grew = all, true
			}
		}
		for p, row := range g {
			for n := range row {
				e := &row[n]
				if e.is != read || !needed[p].Has(n) {
					continue
				}
				add(int16(p), e.depends)
				if e.source.process >= 0 {
					add(e.source.process, e.from)
				}
			}
		}
	}
}

// holes are those of the graph.
func (g graph) holes() []ref.Reads {
	holes := make([]ref.Reads, len(g))
	for p, row := range g {
		for n := range row {
			if row[n].is == hole {
				holes[p].Add(n)
			}
		}
	}
	return holes
}

// without is the graph without the reads that depend on one.
func (g graph) without(behind []ref.Reads) graph {
	c := g.clone()
	for p, row := range c {
		for n := range row {
			if behind[p].Has(n) {
				row[n] = entry{}
			}
		}
	}
	return c
}

func depends(behind []ref.Reads, process int16, on ref.Reads) bool {
	return behind[process].And(on) != ref.Reads{}
}
