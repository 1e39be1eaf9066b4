package timing

// Numbering gives the values of one object numbers from 0 on. Values that lie
// close together are looked up in a table, others in a hash table with open
// addressing.
type Numbering struct {
	base   uint64
	dense  []uint32 // number+1, 0 if none
	keys   []uint64 // of the hash table, value+1, 0 if free
	number []uint32
	shift  uint
}

// NewNumbering makes room for count values between low and high.
func NewNumbering(count int, low, high uint64) *Numbering {
	if count == 0 {
		return &Numbering{dense: []uint32{}}
	}
	if span := high - low; span < 2*uint64(count)+1024 {
		return &Numbering{base: low, dense: make([]uint32, span+1)}
	}
	size, shift := 16, uint(60)
	for size < 2*count {
		size, shift = 2*size, shift-1
	}
	return &Numbering{keys: make([]uint64, size), number: make([]uint32, size), shift: shift}
}

// Add gives v the number, unless it has one already, which is returned.
func (n *Numbering) Add(v uint64, number uint32) (was uint32) {
	if n.dense != nil {
		at := &n.dense[v-n.base]
		if *at != 0 {
			return *at - 1
		}
		*at = number + 1
		return Absent
	}
	slot := n.find(v)
	if n.keys[slot] != 0 {
		return n.number[slot]
	}
	n.keys[slot], n.number[slot] = v+1, number
	return Absent
}

// Of returns the number of v, or Absent.
func (n *Numbering) Of(v uint64) uint32 {
	if n.dense != nil {
		if at := v - n.base; at < uint64(len(n.dense)) {
			return n.dense[at] - 1 // Absent is 0 - 1
		}
		return Absent
	}
	if slot := n.find(v); n.keys[slot] != 0 {
		return n.number[slot]
	}
	return Absent
}

func (n *Numbering) find(v uint64) int {
	slot := int(v * 0x9e3779b97f4a7c15 >> n.shift)
	for n.keys[slot] != 0 && n.keys[slot] != v+1 {
		slot = (slot + 1) & (len(n.keys) - 1)
	}
	return slot
}
