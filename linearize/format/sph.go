package format

import (
	"encoding/binary"
	"fmt"
	"math"

	"stealproof/model"
)

// A .sph file is a header of 64 bytes, optional JSON, and records of a fixed
// size, all little-endian: what a C or CUDA program writes with one fwrite.
// docs/history-format.md has the same layout as a C struct.
const (
	sphMagic      = "\x89SPH\r\n\x1a\n" // notices files that were sent as text
	sphVersion    = 1
	sphHeaderSize = 64
	// sphUntilEnd as the count: as many records as there are.
	sphUntilEnd = math.MaxUint64
	// sphMaxJSON bounds the JSON behind the header, as maxLine does a line.
	sphMaxJSON = maxLine
)

// The ways of guarding against damage. None has to be chosen expressly.
const (
	sphNoSum  = 1
	sphSumsOf = 2 // see sphSum
)

// Where the fields of the header begin.
const (
	sphAtVersion    = 8
	sphAtRecordSize = 12
	sphAtCount      = 16
	sphAtCapacity   = 24
	sphAtTick       = 32
	sphAtJSONSize   = 40
	sphAtModel      = 44
	sphAtShared     = 45
	sphAtSumKind    = 46
	sphAtZero       = 47
	sphAtSum        = 48
	sphAtSumOfSums  = 56
)

// Where the fields of a record begin; those of model range are longer.
const (
	sphAtValue      = 0
	sphAtCall       = 8
	sphAtReturn     = 16
	sphAtObject     = 24
	sphAtProcess    = 28
	sphAtOp         = 32
	sphAtResult     = 33
	sphAtPad        = 34 // to the end of the 8 bytes: zero
	sphRecord       = 40
	sphAtTo         = 40
	sphAtSize       = 48
	sphRangeRecord  = 56
	sphPadMask      = ^uint64(0xffff) // of the 8 bytes that begin at sphAtOp
	sphResultCodes  = 5
	sphLargestCount = math.MaxUint32 // a record's number is its line
)

func sphRecordSize(k model.Kind) int {
	if k == model.Range {
		return sphRangeRecord
	}
	return sphRecord
}

// sphHeader is the header as numbers.
type sphHeader struct {
	kind       model.Kind
	params     model.Params
	count      uint64
	tick       uint64
	jsonSize   uint32
	recordSize int
	sumKind    byte
	sum        sphSum
}

func (s *sphHeader) bytes() []byte {
	b := make([]byte, sphHeaderSize)
	le := binary.LittleEndian
	copy(b, sphMagic)
	le.PutUint32(b[sphAtVersion:], sphVersion)
	le.PutUint32(b[sphAtRecordSize:], uint32(s.recordSize))
	le.PutUint64(b[sphAtCount:], s.count)
	le.PutUint64(b[sphAtCapacity:], s.params.Capacity)
	le.PutUint64(b[sphAtTick:], s.tick)
	le.PutUint32(b[sphAtJSONSize:], s.jsonSize)
	b[sphAtModel] = byte(s.kind)
	if s.params.Shared {
		b[sphAtShared] = 1
	}
	b[sphAtSumKind] = s.sumKind
	le.PutUint64(b[sphAtSum:], s.sum.sum)
	le.PutUint64(b[sphAtSumOfSums:], s.sum.ofSums)
	return b
}

// parse reads the header and says what is wrong with it.
func (s *sphHeader) parse(b []byte) error {
	le := binary.LittleEndian
	if string(b[:len(sphMagic)]) != sphMagic {
		return fmt.Errorf("header (byte 0): not a .sph file: expected it to begin with %q, found %q", sphMagic, b[:len(sphMagic)])
	}
	if v := le.Uint32(b[sphAtVersion:]); v != sphVersion {
		return fmt.Errorf("header (byte %d): version: expected %d, found %d", sphAtVersion, sphVersion, v)
	}
	s.kind = model.Kind(b[sphAtModel])
	if s.kind == 0 || int(s.kind) > len(model.Kinds) {
		return fmt.Errorf("header (byte %d): model: expected 1 to %d, found %d", sphAtModel, len(model.Kinds), s.kind)
	}
	s.recordSize = sphRecordSize(s.kind)
	if n := le.Uint32(b[sphAtRecordSize:]); n != uint32(s.recordSize) {
		return fmt.Errorf("header (byte %d): record size: expected %d for the model %s, found %d", sphAtRecordSize, s.recordSize, s.kind, n)
	}
	s.count = le.Uint64(b[sphAtCount:])
	s.params.Capacity = le.Uint64(b[sphAtCapacity:])
	s.tick = le.Uint64(b[sphAtTick:])
	s.jsonSize = le.Uint32(b[sphAtJSONSize:])
	s.params.Shared = b[sphAtShared] == 1
	s.sumKind = b[sphAtSumKind]
	s.sum = sphSum{sum: le.Uint64(b[sphAtSum:]), ofSums: le.Uint64(b[sphAtSumOfSums:])}
	return s.check(b)
}

func (s *sphHeader) check(b []byte) error {
	switch {
	case s.count != sphUntilEnd && s.count > sphLargestCount:
		return fmt.Errorf("header (byte %d): count: expected at most 2^32-1 records, or 2^64-1 for 'until the end of the file', found %d", sphAtCount, s.count)
	case s.params.Capacity > math.MaxInt64:
		return fmt.Errorf("header (byte %d): capacity: expected a number below 2^63, found %d", sphAtCapacity, s.params.Capacity)
	case s.tick > math.MaxInt64:
		return fmt.Errorf("header (byte %d): clock tick: expected a number below 2^63, found %d", sphAtTick, s.tick)
	case s.jsonSize > sphMaxJSON:
		return fmt.Errorf("header (byte %d): length of the JSON: expected at most %d, found %d", sphAtJSONSize, sphMaxJSON, s.jsonSize)
	case b[sphAtShared] > 1 || s.params.Shared && s.kind != model.Range:
		return fmt.Errorf("header (byte %d): shared: expected 0, or 1 for the model range, found %d", sphAtShared, b[sphAtShared])
	case s.sumKind != sphNoSum && s.sumKind != sphSumsOf:
		return fmt.Errorf("header (byte %d): kind of checksum: expected %d (none) or %d (sums), found %d", sphAtSumKind, sphNoSum, sphSumsOf, s.sumKind)
	case b[sphAtZero] != 0:
		return fmt.Errorf("header (byte %d): expected 0, found %d", sphAtZero, b[sphAtZero])
	case s.sumKind == sphNoSum && s.sum != (sphSum{}):
		return fmt.Errorf("header (byte %d): a checksum is given, but its kind says there is none", sphAtSum)
	}
	return nil
}

// padded is the length of the JSON in the file: zeros fill it up to 8 bytes.
func (s *sphHeader) padded() int { return (int(s.jsonSize) + 7) &^ 7 }

// body is where the records begin.
func (s *sphHeader) body() int64 { return int64(sphHeaderSize + s.padded()) }
