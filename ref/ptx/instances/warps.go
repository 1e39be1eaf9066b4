package instances

import (
	"fmt"

	"stealproof/ref/ptx/machine"
)

// WarpForms are the forms of what the lanes of a warp do together, and of the registers
// by which they know who they are. Each 32 instances, one behind the other, are a warp.
func WarpForms() []Form {
	var l list
	all := "0xffffffff"
	add := func(name, text string, results []int, operands ...int) {
		l.forms = append(l.forms, Form{Op: name, Results: results, Operands: operands, Text: text})
	}
	value, both, predicate := []int{32}, []int{32, 1}, []int{1}
	for _, mode := range []string{"up", "down", "bfly", "idx"} {
		op := "shfl.sync." + mode + ".b32"
		add(op, op+" d0|d1, a, b, c, "+all+";", both, 32, 32, 32)
		add(op+" 31", op+" d0, a, b, 31, "+all+";", value, 32, 32)
	}
	for _, mode := range []string{"all", "any", "uni"} {
		op := "vote.sync." + mode + ".pred"
		add(op, op+" d0, a, "+all+";", predicate, 1)
		add(op+" !", op+" d0, !a, "+all+";", predicate, 1)
	}
	add("vote.sync.ballot.b32", "vote.sync.ballot.b32 d0, a, "+all+";", value, 1)
	for _, n := range []int{32, 64} {
		t := fmt.Sprintf("b%d", n)
		add("match.any.sync."+t, "match.any.sync."+t+" d0, a, "+all+";", value, n)
		add("match.all.sync."+t, "match.all.sync."+t+" d0|d1, a, "+all+";", both, n)
	}
	for _, op := range []string{"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"} {
		add("redux.sync."+op, "redux.sync."+op+" d0, a, "+all+";", value, 32)
	}
	add("bar.red.and.pred", "bar.red.and.pred d0, 0, a;", predicate, 1)
	add("bar.red.or.pred", "bar.red.or.pred d0, 0, !a;", predicate, 1)
	add("bar.red.popc.u32", "bar.red.popc.u32 d0, 0, a;", value, 1)
	// some of the lanes, which name one another
	some := func(name, text string, results []int, operands ...int) {
		add(name+" by some", "mov.u32 d0, 0; mov.u32 %half, %laneid; setp.lt.u32 %odd, %half, 13; @!%odd bra over; "+text+" over: bar.warp.sync "+all+";", results, operands...)
	}
	some("shfl.sync.idx.b32", "and.b32 %half, b, 7; shfl.sync.idx.b32 d0, a, %half, 31, 0x1fff;", value, 32, 32)
	some("vote.sync.ballot.b32", "vote.sync.ballot.b32 d0, a, 0x1fff;", value, 1)
	some("match.any.sync.b32", "match.any.sync.b32 d0, a, 0x1fff;", value, 32)
	some("redux.sync.max.s32", "redux.sync.max.s32 d0, a, 0x1fff;", value, 32)
	some("activemask.b32", "activemask.b32 d0;", value, 32)
	add("activemask.b32", "bar.warp.sync "+all+"; activemask.b32 d0;", value, 32)
	// memory of the block
	add("ld.shared.b64", ".shared .align 8 .b8 tile[256]; mov.u32 %half, %laneid; mul.wide.u32 %index, %half, 8; mov.u64 %word, tile; add.u64 %index, %index, %word;"+
		" st.shared.b64 [%index], a; bar.sync 0; add.u32 %half, %half, b; and.b32 %half, %half, 31; mul.wide.u32 %index, %half, 8; add.u64 %index, %index, %word; ld.shared.b64 d0, [%index];", []int{64}, 64, 32)
	for _, register := range []string{"laneid", "ntid.x", "tid.x", "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge"} {
		add("%"+register, "mov.u32 d0, %"+register+"; add.u32 d0, d0, a;", value, 32)
	}
	return l.forms
}

// WarpInputs are inputs as those of other forms; in every third warp all lanes have the
// same, in another third few different ones.
func WarpInputs(form int, f *Form, seed uint64, instances int) []uint64 {
	all := Inputs(form, f, seed, instances)
	for i := range all {
		warp, lane := i/Words/machine.MostLanes, i/Words%machine.MostLanes
		switch first := warp * machine.MostLanes * Words; warp % 3 {
		case 1:
			all[i] = all[first+i%Words]
		case 2:
			all[i] = all[first+lane%3*Words+i%Words]
		}
	}
	return all
}

// RunWarps executes forms by warps, of which as many instances as are asked for make
// whole ones.
func RunWarps(forms []Form, seed uint64, instances int) (*Log, error) {
	p, err := decode(WarpModule(forms), len(forms))
	if err != nil {
		return nil, err
	}
	l := &Log{Machine: "stealproof", Seed: seed, Instances: instances}
	warp := make([]*machine.Machine, machine.MostLanes)
	for lane := range warp {
		warp[lane] = machine.NewMachine(p)
	}
	for i := range forms {
		f, kernel := &forms[i], Kernel(i)
		w := &memory{words: append(WarpInputs(i, f, seed, instances), make([]uint64, Results*instances)...)}
		out := 8 * uint64(Words*instances)
		for n := range instances / len(warp) {
			mem := &warpMemory{w, map[uint64]uint64{}}
			err := machine.InTurn(new(machine.Crew), machine.Team{len(warp)}, warp, func(lane int) error {
				x := warp[lane]
				x.Process, x.Processes, x.Shared = n, instances/len(warp), mem
				return x.Run(kernel, machine.Shared, machine.Shared+out)
			})
			if err != nil {
				return nil, fmt.Errorf("form %s, warp %d: %w", f.Name(), n, err)
			}
		}
		l.Forms = append(l.Forms, FormLog{f.Name(), w.words[Words*instances:]})
	}
	return l, nil
}

// warpMemory is the row of words, and the memory of a block.
type warpMemory struct {
	*memory
	block map[uint64]uint64 // words of 64 bits
}

func (m *warpMemory) Load(at uint64, a *machine.Access) uint64 {
	if at >= machine.BlockWindow {
		return m.block[at]
	}
	return m.memory.Load(at, a)
}

func (m *warpMemory) Store(at, v uint64, a *machine.Access) {
	if at >= machine.BlockWindow {
		m.block[at] = v
		return
	}
	m.memory.Store(at, v, a)
}
