package machine

import "runtime/metrics"

// Heap is how many bytes the heap holds, garbage included.
func Heap() uint64 { return metric("/memory/classes/heap/objects:bytes") }

// LiveHeap is what the last collection left of it.
func LiveHeap() uint64 { return metric("/gc/heap/live:bytes") }

func metric(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
