package patch

import (
	"fmt"
	"slices"

	"stealproof/ref/ptx/syntax"
)

// What a compiler may make of a weak load by which a loop waits for another thread. PTX
// takes it for a load that nobody else's store concerns: it may be made once for all
// rounds, and a loop that does nothing but wait may be left out, as one that ends.
//
// Whatever else it may do to weak accesses (make two of them in another order, give to a
// load what an earlier one has read, leave out a store that another one follows) does not
// go beyond what the memory model lets each of them read, as long as loops end.

// Liberties are the patches that a compiler may have made of the weak loads which the
// kernels reach.
func (t *Text) Liberties() (all []Patch) {
	for _, s := range t.Sites() {
		for part := range s.Parts {
			for i := range Operators {
				p := Patch{Site: s.Name, Part: part + 1, Operator: &Operators[i]}
				if s.Parts == 1 {
					p.Part = 0
				}
				if !p.Operator.liberty {
					continue
				}
				if _, err := t.edits(&p); err == nil {
					all = append(all, p)
				}
			}
		}
	}
	return all
}

// waits says whether the access is a weak load that is made in every round of a loop,
// with nothing in the loop that orders it, or may have changed what it reads. It returns
// the instructions of the loop.
func (e *edit) waits() (loop map[int]bool, err error) {
	refused := e.noFit("weak loads in a loop, of one address, which nothing in it orders or stores to")
	o, known := e.insn.ordering()
	if e.insn.kind != load || !known || o.order != "weak" || e.insn.guard != "" || e.insn.result() == "_" {
		return nil, refused
	}
	f, x := e.place.function, e.place.index
	f.know()
	loop = f.loop(x, func(i int) bool { return i != x && e.ends(i) })
	if !loop[x] {
		return nil, refused
	}
	return loop, nil
}

// ends says whether what the load has read is not to be used behind an instruction: one
// that orders, may store to the same place, or gives the load another address.
func (e *edit) ends(i int) bool {
	f := e.place.function
	if i >= len(f.Code) {
		return true
	}
	in := &f.Code[i]
	switch opOf(in) {
	case "bar", "barrier", "call", "membar", "fence", "st", "atom", "red", "exit", "trap":
		return true
	}
	o := read(place{function: f, index: i, in: in, access: isAccess(in)})
	if order, known := o.ordering(); o.malformed != nil || known && order.order != "weak" && order.order != "relaxed" {
		return true
	}
	return slices.ContainsFunc(f.writes[i], func(r int32) bool { return r == addressRegister(e.place.in) })
}

// addressRegister is the register that an address begins with, -1 for none.
func addressRegister(in *syntax.Instruction) int32 {
	for i := range in.Operands {
		if o := &in.Operands[i]; o.Kind == syntax.IsAddress && o.Base == syntax.IsRegister {
			return o.Register
		}
	}
	return -1
}

// loop are the instructions of the ways from an instruction back to it that do not go
// beyond certain others.
func (f *function) loop(x int, ends func(int) bool) map[int]bool {
	before := make([][]int, len(f.next))
	for i, next := range f.next {
		for _, j := range next {
			before[j] = append(before[j], i)
		}
	}
	walk := func(next [][]int) map[int]bool {
		seen := map[int]bool{}
		todo := slices.Clone(next[x])
		for len(todo) > 0 {
			i := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[i] || ends(i) {
				continue
			}
			seen[i] = true
			todo = append(todo, next[i]...)
		}
		return seen
	}
	behind, to := walk(f.next), walk(before)
	for i := range behind {
		if !to[i] {
			delete(behind, i)
		}
	}
	return behind
}

// once lets the load be made once, and give the same in all rounds, until something ends
// what it has read.
func (e *edit) once() error {
	if _, err := e.waits(); err != nil {
		return err
	}
	f, x := e.place.function, e.place.index
	made, kept := fmt.Sprintf("%smade%d", temporary, x), fmt.Sprintf("%skept%d", temporary, x)
	bits := e.sizeOf(0)
	e.out = append(e.out, replacement{f.BodyAt, f.BodyAt, fmt.Sprintf(" %s.reg .pred %s; .reg .b%d %s; mov.pred %s, 0;", label(e.Patch), made, bits, kept, made)})
	loads := e.insn.with(0, kept)
	loads.guard = "@!" + made + " "
	e.replace(e.place, fmt.Sprintf("%s mov.pred %s, 1; mov.b%d %s, %s;", loads, made, bits, e.insn.operands[0], kept))
	for i := range f.Code {
		in := &f.Code[i]
		if name := opOf(in); i != x && name != "exit" && name != "trap" && e.ends(i) {
			e.insert(place{function: f, in: in}, true, fmt.Sprintf("mov.pred %s, 0;", made))
		}
	}
	return nil
}

// unawaited leaves out the loop that waits for what the load reads, after its first round.
func (e *edit) unawaited() error {
	if _, err := e.waits(); err != nil {
		return err
	}
	f, x := e.place.function, e.place.index
	loop := f.loop(x, func(int) bool { return false })
	refused := e.noFit("weak loads in a loop that does nothing but wait, with one way in and one way out")
	header, exit := -1, -1
	var changed []int32
	for i := range f.next {
		if loop[i] && (i >= len(f.Code) || !f.idle(i)) {
			return refused
		}
		for _, j := range f.next[i] {
			switch {
			case loop[i] && !loop[j] && exit >= 0 && exit != j, !loop[i] && loop[j] && header >= 0 && header != j:
				return refused
			case loop[i] && !loop[j]:
				exit = j
			case !loop[i] && loop[j]:
				header = j
			}
		}
		if loop[i] {
			changed = append(changed, f.writes[i]...)
		}
	}
	if header < 0 || exit < 0 || exit >= len(f.Code) {
		return refused
	}
	behind := f.after(exit, -1)
	behind[exit] = true
	for i := range behind {
		if i < len(f.Code) && !loop[i] && overlap(f.reads[i], changed) {
			return e.noFit("weak loads that nobody looks at behind the loop")
		}
	}
	e.leave(loop, header, exit)
	return nil
}

// idle says whether an instruction does nothing that others could see, nor lets time pass.
func (f *function) idle(i int) bool {
	in := &f.Code[i]
	switch name := opOf(in); name {
	case "bra":
		return true
	case "ld":
		o := read(place{function: f, index: i, in: in, access: isAccess(in)})
		order, known := o.ordering()
		return !isAccess(in) || known && order.order == "weak"
	default:
		return slices.Contains(pure, name) && !slices.ContainsFunc(in.Operands, func(o syntax.Operand) bool { return o.Kind == syntax.IsSpecial })
	}
}

// leave puts a way out of the loop in the place of every way back to its beginning.
func (e *edit) leave(loop map[int]bool, header, exit int) {
	f := e.place.function
	out := fmt.Sprintf("$patch_exit%d", e.place.index)
	labelled := false
	for i := range f.Code {
		if !loop[i] || !slices.Contains(f.next[i], header) {
			continue
		}
		in := &f.Code[i]
		at := place{function: f, in: in}
		jump := read(at)
		switch falls := i+1 == header; {
		case falls:
			e.insert(at, true, "bra "+out+";")
		case in.Guard >= 0 && i+1 == exit:
			e.replace(at, "")
			continue
		default:
			e.replace(at, jump.guard+"bra "+out+";")
		}
		if !labelled {
			e.insert(place{function: f, in: &f.Code[exit]}, false, out+":")
			labelled = true
		}
	}
}
