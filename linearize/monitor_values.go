package linearize

// numbering gives the values of one object numbers from 0 on. Values that lie
// close together are looked up in a table, others in a hash table with open
// addressing.
type numbering struct {
	base   uint64
	dense  []uint32 // number+1, 0 if none
	keys   []uint64 // of the hash table, value+1, 0 if free
	number []uint32
	shift  uint
}

// newNumbering makes room for count values between low and high.
func newNumbering(count int, low, high uint64) *numbering {
	if count == 0 {
		return &numbering{dense: []uint32{}}
	}
	if span := high - low; span < 2*uint64(count)+1024 {
		return &numbering{base: low, dense: make([]uint32, span+1)}
	}
	size, shift := 16, uint(60)
	for size < 2*count {
		size, shift = 2*size, shift-1
	}
	return &numbering{keys: make([]uint64, size), number: make([]uint32, size), shift: shift}
}

// add gives v the number, unless it has one already, which is returned.
func (n *numbering) add(v uint64, number uint32) (was uint32) {
	if n.dense != nil {
		at := &n.dense[v-n.base]
		if *at != 0 {
			return *at - 1
		}
		*at = number + 1
		return absent
	}
	slot := n.find(v)
	if n.keys[slot] != 0 {
		return n.number[slot]
	}
	n.keys[slot], n.number[slot] = v+1, number
	return absent
}

// of returns the number of v, or absent.
func (n *numbering) of(v uint64) uint32 {
	if n.dense != nil {
		if at := v - n.base; at < uint64(len(n.dense)) {
			return n.dense[at] - 1 // absent is 0 - 1
		}
		return absent
	}
	if slot := n.find(v); n.keys[slot] != 0 {
		return n.number[slot]
	}
	return absent
}

func (n *numbering) find(v uint64) int {
	slot := int(v * 0x9e3779b97f4a7c15 >> n.shift)
	for n.keys[slot] != 0 && n.keys[slot] != v+1 {
		slot = (slot + 1) & (len(n.keys) - 1)
	}
	return slot
}
