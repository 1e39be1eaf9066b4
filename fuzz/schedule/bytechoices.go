package schedule

import (
	"encoding/hex"
	"slices"

	"stealproof/fuzz/choice"
	"stealproof/ref"
)

// byteChoices takes every real choice from a byte: 0 goes on with the same
// process, other bytes hand over. What a fuzzer mutates is thus where the
// preemptions are, and once the bytes have ended there are none.
type byteChoices struct {
	data   []byte
	source choice.Bytes
}

// NewByteChoices returns the strategy of a string of bytes.
func NewByteChoices(data []byte) Strategy {
	return &byteChoices{data: data, source: *choice.NewBytes(data)}
}

func newByteChoices(s *settings, _ *ref.Setup) (Strategy, error) {
	data, err := hex.DecodeString(s.text("hex", ""))
	return NewByteChoices(data), err
}

func (b *byteChoices) Begin(uint64) { b.source = *choice.NewBytes(b.data) }

func (b *byteChoices) Pick(_ *ref.View, n int) int { return b.source.IntN(n) }

func (b *byteChoices) Next(v *ref.View) int {
	current := v.Last
	if !slices.Contains(v.Enabled, current) {
		current = v.Enabled[0]
	}
	if len(v.Enabled) == 1 {
		return current
	}
	if Waits(v, current) {
		return v.After(current)
	}
	for range b.source.IntN(len(v.Enabled)) {
		current = v.After(current)
	}
	return current
}
