package instances

import (
	"math/big"
	"strings"
)

// The oracle says what PTX defines an instruction to do, in other words than package
// machine: with integers of any size, and bit by bit.

// integer reads the low bits of a word as an integer.
func integer(v uint64, bits int, signed bool) *big.Int {
	n := new(big.Int).And(new(big.Int).SetUint64(v), ones(bits))
	if signed && n.Bit(bits-1) == 1 {
		n.Sub(n, power(bits))
	}
	return n
}

func power(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

func ones(n int) *big.Int { return new(big.Int).Sub(power(n), big.NewInt(1)) }

// word is an integer modulo 2^bits.
func word(n *big.Int, bits int) uint64 {
	return new(big.Int).And(n, ones(bits)).Uint64() // two's complement, for And of a negative number
}

// clamp is the nearest integer that has so many bits.
func clamp(n *big.Int, bits int, signed bool) *big.Int {
	least, most := big.NewInt(0), ones(bits)
	if signed {
		least, most = new(big.Int).Neg(power(bits-1)), ones(bits-1)
	}
	if n.Cmp(least) < 0 {
		return least
	}
	if n.Cmp(most) > 0 {
		return most
	}
	return n
}

func bit(condition bool) uint64 {
	if condition {
		return 1
	}
	return 0
}

// expected is what an instance of a form leaves.
func expected(f *Form, in []uint64) (out [Results]uint64) {
	o := oracle{f: f, parts: strings.Split(f.Op, "."), in: in}
	o.type_ = o.parts[len(o.parts)-1]
	for i, bits := range f.Operands {
		o.raw = append(o.raw, word(new(big.Int).SetUint64(in[i]), bits))
	}
	return o.result()
}

type oracle struct {
	f     *Form
	parts []string
	type_ string // the last part
	in    []uint64
	raw   []uint64 // the operands, cut to their sizes
}

func (o *oracle) has(part string) bool {
	for _, p := range o.parts {
		if p == part {
			return true
		}
	}
	return false
}

// n is an operand as the instruction's type reads it.
func (o *oracle) n(i int) *big.Int { return integer(o.raw[i], o.f.Operands[i], o.type_[0] == 's') }

func one(v uint64) [Results]uint64 { return [Results]uint64{v} }

func (o *oracle) result() [Results]uint64 {
	size := o.f.Results[0]
	whole := func(n *big.Int) [Results]uint64 { return one(word(n, size)) }
	x := new(big.Int)
	switch o.parts[0] {
	case "add", "sub", "addc", "subc", "mad":
		if o.has("cc") {
			return o.carried()
		}
	}
	switch o.parts[0] {
	case "add", "sub":
		if x.Add(o.n(0), o.n(1)); o.parts[0] == "sub" {
			x.Sub(o.n(0), o.n(1))
		}
		if o.has("sat") {
			x = clamp(x, 32, true)
		}
		return whole(x)
	case "min", "max":
		if (o.n(0).Cmp(o.n(1)) < 0) == (o.parts[0] == "min") {
			return whole(o.n(0))
		}
		return whole(o.n(1))
	case "div":
		return whole(x.Quo(o.n(0), o.n(1)))
	case "rem":
		return whole(x.Rem(o.n(0), o.n(1)))
	case "sad":
		return whole(x.Add(o.n(2), x.Abs(x.Sub(o.n(0), o.n(1)))))
	case "neg":
		return whole(x.Neg(o.n(0)))
	case "abs":
		return whole(x.Abs(o.n(0)))
	case "mul", "mad":
		return whole(o.product())
	case "mul24", "mad24":
		return whole(o.product24())
	case "and":
		return one(o.raw[0] & o.raw[1])
	case "or":
		return one(o.raw[0] | o.raw[1])
	case "xor":
		return one(o.raw[0] ^ o.raw[1])
	case "not":
		return whole(x.Not(o.n(0)))
	case "cnot":
		return one(bit(o.raw[0] == 0))
	case "shl":
		return whole(x.Lsh(o.n(0), uint(min(o.raw[1], 200))))
	case "shr":
		return whole(x.Rsh(o.n(0), uint(min(o.raw[1], 200))))
	case "popc":
		return one(o.count(func(i int, set bool) bool { return set }))
	case "clz":
		return one(uint64(o.f.Operands[0] - x.SetUint64(o.raw[0]).BitLen()))
	case "brev":
		for i := range size {
			x.SetBit(x, size-1-i, uint(o.raw[0]>>i&1))
		}
		return whole(x)
	case "bfind":
		return one(o.top())
	case "bfe":
		return o.bitwise(o.extracted)
	case "bfi":
		return o.bitwise(o.inserted)
	case "bmsk":
		return o.bitwise(o.masked)
	case "shf":
		return whole(o.funnel())
	case "lop3":
		return o.bitwise(o.table)
	case "prmt":
		return one(o.permuted())
	case "set", "setp":
		return o.compared()
	case "selp":
		if o.raw[2] == 1 {
			return one(o.raw[0])
		}
		return one(o.raw[1])
	case "slct":
		if integer(o.raw[2], 32, true).Sign() >= 0 {
			return one(o.raw[0])
		}
		return one(o.raw[1])
	case "cvt":
		return whole(o.converted())
	}
	return o.moved()
}

// count counts bits.
func (o *oracle) count(is func(i int, set bool) bool) (n uint64) {
	for i := range o.f.Operands[0] {
		n += bit(is(i, o.raw[0]>>i&1 == 1))
	}
	return n
}

// bitwise makes a result from a function of each bit's place.
func (o *oracle) bitwise(at func(i int) uint64) [Results]uint64 {
	var v uint64
	for i := range o.f.Results[0] {
		v |= at(i) << i
	}
	return one(v)
}

func (o *oracle) product() *big.Int {
	x := new(big.Int).Mul(o.n(0), o.n(1))
	if o.has("hi") {
		x.Rsh(x, uint(o.f.Operands[0]))
	}
	if o.parts[0] == "mul" {
		return x
	}
	if x.Add(x, o.n(2)); o.has("sat") {
		x = clamp(x, 32, true)
	}
	return x
}

func (o *oracle) product24() *big.Int {
	signed := o.type_[0] == 's'
	x := new(big.Int).Mul(integer(o.raw[0], 24, signed), integer(o.raw[1], 24, signed))
	if o.has("hi") {
		x.Rsh(x, 16)
	}
	x = integer(word(x, 32), 32, signed)
	if o.parts[0] == "mul24" {
		return x
	}
	if x.Add(x, o.n(2)); o.has("sat") {
		x = clamp(x, 32, true)
	}
	return x
}

// top is bfind.
func (o *oracle) top() uint64 {
	size := o.f.Operands[0]
	sign := uint64(0)
	if o.type_[0] == 's' {
		sign = o.raw[0] >> (size - 1)
	}
	for i := size - 1; i >= 0; i-- {
		if o.raw[0]>>i&1 != sign {
			if o.has("shiftamt") {
				return uint64(size - 1 - i)
			}
			return uint64(i)
		}
	}
	return 0xffffffff
}

func (o *oracle) extracted(i int) uint64 {
	size := o.f.Results[0]
	pos, length := int(o.raw[1]%256), int(o.raw[2]%256)
	if i < length && pos+i < size {
		return o.raw[0] >> (pos + i) & 1
	}
	if o.type_[0] == 'u' || length == 0 {
		return 0
	}
	return o.raw[0] >> min(pos+length-1, size-1) & 1
}

func (o *oracle) inserted(i int) uint64 {
	pos, length := int(o.raw[2]%256), int(o.raw[3]%256)
	if i >= pos && i < pos+length {
		return o.raw[0] >> (i - pos) & 1
	}
	return o.raw[1] >> i & 1
}

func (o *oracle) masked(i int) uint64 {
	pos, width := o.raw[0], o.raw[1]
	if o.has("wrap") {
		pos, width = pos%32, width%32
	}
	return bit(uint64(i) >= pos && uint64(i) < pos+width)
}

func (o *oracle) table(i int) uint64 {
	table, _ := new(big.Int).SetString(o.f.Constant, 0)
	row := o.raw[0]>>i&1*4 + o.raw[1]>>i&1*2 + o.raw[2]>>i&1
	return uint64(table.Bit(int(row)))
}

func (o *oracle) funnel() *big.Int {
	n := min(o.raw[2], 32)
	if o.has("wrap") {
		n = o.raw[2] % 32
	}
	x := new(big.Int).Add(new(big.Int).Mul(new(big.Int).SetUint64(o.raw[1]), power(32)), new(big.Int).SetUint64(o.raw[0]))
	if o.has("l") {
		return x.Rsh(x.Mul(x, power(int(n))), 32)
	}
	return x.Rsh(x, uint(n))
}

// permuted follows the tables of PTX for the modes of prmt: bytes 3 to 0.
func (o *oracle) permuted() uint64 {
	modes := map[string][4]string{
		"f4e": {"3210", "4321", "5432", "6543"}, "b4e": {"5670", "6701", "7012", "0123"},
		"rc8": {"0000", "1111", "2222", "3333"}, "ecl": {"3210", "3211", "3222", "3333"},
		"ecr": {"0000", "1110", "2210", "3210"}, "rc16": {"1010", "3232", "1010", "3232"},
	}
	bytes := func(i uint64) uint64 {
		if i < 4 {
			return o.raw[0] >> (8 * i) & 0xff
		}
		return o.raw[1] >> (8 * (i - 4)) & 0xff
	}
	selector := uint64(0)
	if len(o.raw) > 2 {
		selector = o.raw[2]
	} else { // the selector is a constant
		n, _ := new(big.Int).SetString(o.f.Constant, 0)
		selector = n.Uint64()
	}
	var v uint64
	for i := range 4 {
		mode, named := modes[o.type_]
		var b uint64
		if named {
			b = bytes(uint64(mode[selector%4][3-i] - '0'))
		} else {
			nibble := selector >> (4 * i) % 16
			b = bytes(nibble % 8)
			if nibble >= 8 {
				b = b / 128 * 255
			}
		}
		v += b << (8 * i)
	}
	return v
}

func (o *oracle) compared() [Results]uint64 {
	order := o.n(0).Cmp(o.n(1))
	if strings.Contains("lo ls hi hs", o.parts[1]) {
		order = integer(o.raw[0], o.f.Operands[0], false).Cmp(integer(o.raw[1], o.f.Operands[1], false))
	}
	var holds bool
	switch o.parts[1] {
	case "eq":
		holds = order == 0
	case "ne":
		holds = order != 0
	case "lt", "lo":
		holds = order < 0
	case "le", "ls":
		holds = order <= 0
	case "gt", "hi":
		holds = order > 0
	case "ge", "hs":
		holds = order >= 0
	}
	combined := func(t bool) bool {
		if len(o.raw) < 3 {
			return t
		}
		c := o.raw[2] == 1
		if o.f.Constant == "negated" {
			c = !c
		}
		switch o.parts[2] {
		case "and":
			return t && c
		case "or":
			return t || c
		}
		return t != c
	}
	if o.parts[0] == "set" {
		return one(bit(combined(holds)) * 0xffffffff)
	}
	if len(o.f.Results) == 2 {
		return [Results]uint64{bit(combined(holds)), bit(combined(!holds))}
	}
	return one(bit(combined(holds)))
}

// converted is cvt. What is read is cut to its type, what is written is extended to
// its register by the type that it was converted to.
func (o *oracle) converted() *big.Int {
	from, to := o.type_, o.parts[len(o.parts)-2]
	n := integer(o.raw[0], sizeOf(from), from[0] == 's')
	if o.has("sat") {
		n = clamp(n, sizeOf(to), to[0] == 's')
	}
	return integer(word(n, sizeOf(to)), sizeOf(to), to[0] == 's')
}

// carried are the pairs of instructions with a carry.
func (o *oracle) carried() [Results]uint64 {
	size := o.f.Results[0]
	u := func(i int) *big.Int { return integer(o.raw[i], size, false) }
	join := func(high, low *big.Int) *big.Int { return new(big.Int).Add(new(big.Int).Mul(high, power(size)), low) }
	split := func(n *big.Int) [Results]uint64 {
		return [Results]uint64{word(n, size), word(new(big.Int).Rsh(n, uint(size)), size)}
	}
	x := new(big.Int)
	switch name := strings.Join(o.parts[:len(o.parts)-1], "."); name {
	case "add.cc":
		return split(x.Add(join(u(2), u(0)), join(u(3), u(1))))
	case "sub.cc":
		return split(x.Sub(join(u(2), u(0)), join(u(3), u(1))))
	case "addc.cc":
		three := func(a, b, c int) *big.Int { return join(join(u(a), u(b)), u(c)) }
		x.Rsh(x.Add(three(0, 2, 0), three(2, 3, 1)), uint(size))
		return split(x)
	case "subc.cc":
		three := func(a, b, c int) *big.Int { return join(join(u(a), u(b)), u(c)) }
		x.Rsh(x.Sub(three(0, 2, 0), three(2, 3, 1)), uint(size))
		return split(x)
	case "mad.lo.cc":
		low := x.Add(integer(word(new(big.Int).Mul(u(0), u(1)), size), size, false), u(2))
		high := new(big.Int).Rsh(new(big.Int).Mul(o.n(0), o.n(1)), uint(size))
		high.Add(high, u(3))
		return [Results]uint64{word(low, size), word(high.Add(high, new(big.Int).Rsh(low, uint(size))), size)}
	}
	// mad.hi.cc
	high := integer(word(new(big.Int).Rsh(new(big.Int).Mul(o.n(0), o.n(1)), uint(size)), size), size, false)
	high.Add(high, u(2))
	sum := x.Add(u(1), u(3))
	sum.Add(sum, new(big.Int).Rsh(high, uint(size)))
	return [Results]uint64{word(high, size), word(sum, size)}
}

// moved are the parts of registers and of memory.
func (o *oracle) moved() [Results]uint64 {
	switch o.f.Name() {
	case "mov.b32 packed":
		return one(o.raw[0] + o.raw[1]*0x1_0000)
	case "mov.b64 packed":
		return one(o.raw[0] + o.raw[1]*0x1_0000_0000)
	case "mov.b64 packed in four":
		return one(o.raw[0] + o.raw[1]*0x1_0000 + o.raw[2]*0x1_0000_0000 + o.raw[3]*0x1_0000_0000_0000)
	case "mov.b32 unpacked":
		return [Results]uint64{o.raw[0] % 0x1_0000, o.raw[0] / 0x1_0000}
	case "mov.b64 unpacked", "ld.v2.u32":
		return [Results]uint64{o.raw[0] % 0x1_0000_0000, o.raw[0] / 0x1_0000_0000}
	}
	size := sizeOf(o.type_)
	if o.parts[0] == "st" {
		kept := new(big.Int).Lsh(new(big.Int).Rsh(new(big.Int).SetUint64(o.raw[0]), uint(size)), uint(size))
		return one(new(big.Int).Add(kept, integer(o.raw[1], size, false)).Uint64())
	}
	return one(word(integer(o.raw[0], size, o.type_[0] == 's'), o.f.Results[0]))
}
