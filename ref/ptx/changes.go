package ptx

import (
	"stealproof/ref"
	"stealproof/ref/ptx/machine"
)

// storing is the change of a word of which a part is stored to.
const storing = machine.MaxSigned + 1

// changes are all that an access can make of a word, ready, so that none is made in
// an execution: by what is done, and to how many bytes from which one on.
var changes = func() (all [int(storing+1) * 32]ref.Change) {
	for op := machine.Exchange; op <= storing; op++ {
		for _, size := range []uint8{1, 2, 4, 8} {
			for offset := uint8(0); offset+size <= 8; offset += size {
				all[changeKey(op, size, offset)] = changeOf(op, size, offset)
			}
		}
	}
	return all
}()

func changeKey(op machine.AtomicOp, size, offset uint8) int {
	return (int(op)*4+sizeNumbers[size])*8 + int(offset)
}

// sizeNumbers numbers the sizes.
var sizeNumbers = [...]int{1: 0, 2: 1, 4: 2, 8: 3}

func changeOf(op machine.AtomicOp, size, offset uint8) ref.Change {
	mask := partMask(size)
	shift := 8 * offset
	return func(held, operand uint64) uint64 {
		if held == neverWritten { // whoever needs what it held will fault
			held = 0
		}
		old := held >> shift & mask
		x, y := operand, uint64(0)
		switch op {
		case storing:
			return held&^(mask<<shift) | operand&mask<<shift
		case machine.CompareAndSwap:
			x, y = operand&(1<<32-1), operand>>32
		}
		return held&^(mask<<shift) | op.Apply(old, x, y, size)&mask<<shift
	}
}

func partMask(size uint8) uint64 { return 1<<(8*size-1)<<1 - 1 }

// bytesOf is the bytes of a word that an access reads.
func bytesOf(v uint64, offset, size uint8) uint64 { return v >> (8 * offset) & partMask(size) }
