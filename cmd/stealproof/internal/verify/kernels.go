package verify

import (
	"context"

	"stealproof/cmd/stealproof/internal/subject"
	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// exhausted is a kernel, and the size of the programs that are executed in every way on
// either memory.
type exhausted struct {
	spec    string
	sc, ptx programs.Shape
}

var kernels = []exhausted{
	{"abp:capacity=2", programs.Shape{3, 2}, programs.Shape{3, 1}},
	{"tz:capacity=4", programs.Shape{2, 2}, programs.Shape{2, 1}},
	{"the", programs.Shape{2, 1}, programs.Shape{2, 1}},
	{"blocking:capacity=2", programs.Shape{2, 2}, programs.Shape{2, 1}},
	{"static:capacity=4", programs.Shape{2, 2}, programs.Shape{2, 1}},
	{"list", programs.Shape{2, 1}, programs.Shape{2, 1}},
}

const exhaustively = "every"

// kernelParts are the modules that run on a GPU, executed without one, and the rings of
// docs/vendor.md, of which one trusts its turn.
func kernelParts() (parts []part) {
	for _, k := range kernels {
		of := func(memory model.Spec) (ref.Subject, error) { return subject.Kernel(k.spec, memory) }
		parts = append(parts,
			kernelPart("kernel "+k.spec, onSimulated, k.sc, model.Linearizable, of),
			kernelPart("kernel "+k.spec, onPTX, k.ptx, model.Linearizable, of))
	}
	ring := func(name string) func(model.Spec) (ref.Subject, error) {
		return func(memory model.Spec) (ref.Subject, error) { return subject.Example(name, memory) }
	}
	return append(parts,
		kernelPart("ticket.ptx", onSimulated, programs.Shape{2, 2}, model.Linearizable, ring("ticket")),
		kernelPart("ticket.ptx", onPTX, programs.Shape{2, 2}, model.Linearizable, ring("ticket")),
		kernelPart("ticket-trusts-turn.ptx", onSimulated, programs.Shape{2, 2}, model.Violation, ring("ticket-trusts-turn")))
}

func kernelPart(what, memory string, shape programs.Shape, expected model.Verdict, of func(model.Spec) (ref.Subject, error)) part {
	p := part{what: what, memory: memory, strategy: exhaustively, expected: expected}
	p.run = func(ctx context.Context, _ func(int)) (outcome, error) {
		var on model.Spec
		if memory == onPTX {
			on.Structure = ref.MemoryPTX
		}
		s, err := of(on)
		if err != nil {
			return outcome{}, err
		}
		all, err := programs.All(s, programs.Bounds{Shape: shape})
		if err != nil {
			return outcome{}, err
		}
		r, err := (&exhaust.Search{Subject: s, Programs: all}).Run(ctx)
		if err != nil {
			return outcome{}, err
		}
		o := outcome{verdict: r.Verdict, executions: r.Executions}
		if r.Failure != nil {
			o.remark = r.Failure.Finding.Kind + ": " + r.Failure.Finding.Explanation
		}
		return o, nil
	}
	return p
}
