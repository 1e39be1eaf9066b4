package ref

// hostMemory is the memory between phases, when nobody else runs.
type hostMemory struct{ words []uint64 }

func (h hostMemory) Load(l Location, _ Access) uint64     { return h.words[l] }
func (h hostMemory) Store(l Location, v uint64, _ Access) { h.words[l] = v }
func (h hostMemory) Fence(Access)                         {}

func (h hostMemory) CompareAndSwap(l Location, old, new uint64, _ Access) (uint64, bool) {
	before := h.words[l]
	if before == old {
		h.words[l] = new
	}
	return before, before == old
}

func (h hostMemory) FetchAdd(l Location, delta uint64, _ Access) uint64 {
	before := h.words[l]
	h.words[l] += delta
	return before
}
