package ref

import "fmt"

// Modification is what Memory.Modify makes of what a location holds. Its numbers
// have Bits bits, 64 if that is 0: a location of 32 bits holds no more.
type Modification struct {
	How  Modifier
	Bits uint8
	With uint64
}

// Modifier is an atomic operation of GPUs, beside Memory.CompareAndSwap.
type Modifier uint8

// The modifiers, as atom has them in PTX.
const (
	Exchange Modifier = iota
	Add
	And
	Or
	Xor
	// Increment begins anew at 0 behind With; Decrement begins anew at With
	// behind 0, and where it finds more than With.
	Increment
	Decrement
	MinUnsigned
	MaxUnsigned
	MinSigned
	MaxSigned
)

var modifierNames = [...]string{"exchange", "add", "and", "or", "xor", "increment", "decrement", "min", "max", "signed min", "signed max"}

func (m Modifier) String() string { return modifierNames[m] }

func (m Modification) String() string {
	if m.How == MinSigned || m.How == MaxSigned {
		return fmt.Sprintf("%s %d", m.How, m.signed(m.With))
	}
	return fmt.Sprintf("%s %d", m.How, m.With)
}

// Of is what becomes of a value.
func (m Modification) Of(v uint64) uint64 {
	switch m.How {
	case Exchange:
		v = m.With
	case Add:
		v += m.With
	case And:
		v &= m.With
	case Or:
		v |= m.With
	case Xor:
		v ^= m.With
	case Increment:
		if v++; v > m.With {
			v = 0
		}
	case Decrement:
		if v--; v >= m.With { // 0 became the largest number there is
			v = m.With
		}
	case MinUnsigned:
		v = min(v, m.With)
	case MaxUnsigned:
		v = max(v, m.With)
	case MinSigned:
		v = uint64(min(m.signed(v), m.signed(m.With)))
	case MaxSigned:
		v = uint64(max(m.signed(v), m.signed(m.With)))
	}
	return v << m.unused() >> m.unused()
}

// unused is the number of bits above those of the numbers.
func (m Modification) unused() uint { return (64 - uint(m.Bits)) % 64 }

func (m Modification) signed(v uint64) int64 { return int64(v<<m.unused()) >> m.unused() }
