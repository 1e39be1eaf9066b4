package compare

import (
	"stealproof/cmd/stealproof/internal/subject"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// kernel is a structure of package ref and the size of the programs in which the kernel
// that stands beside it is compared with it, on either memory. What runs on a GPU has the
// same spec.
type kernel struct {
	spec    string
	sc, ptx programs.Shape
}

// kernels are all kernels and variants, with programs for a few seconds.
var kernels = []kernel{
	{spec: "abp:capacity=2,width=1", sc: programs.Shape{4, 2}, ptx: programs.Shape{3, 1}},
	{spec: "abp:capacity=2", sc: programs.Shape{3, 1, 1}, ptx: programs.Shape{2, 1, 1}},
	{spec: "abp:capacity=2,width=32", sc: programs.Shape{3, 2}, ptx: programs.Shape{3, 1}},
	{spec: "abp:capacity=2,variant=book", sc: programs.Shape{3, 2}, ptx: programs.Shape{3, 1}},
	{spec: "abp:capacity=2,variant=release2011", sc: programs.Shape{3, 2}, ptx: programs.Shape{3, 1}},
	{spec: "tz:capacity=4", sc: programs.Shape{2, 2}, ptx: programs.Shape{2, 1}},
	{spec: "tz:capacity=4,variant=original", sc: programs.Shape{2, 2}, ptx: programs.Shape{1, 1}},
	{spec: "tz:capacity=4,vnull=elsewhere", sc: programs.Shape{2, 1}, ptx: programs.Shape{1, 1}},
	{spec: "tz:capacity=4,variant=skeleton", sc: programs.Shape{2, 1}, ptx: programs.Shape{1, 1}},
	{spec: "the", sc: programs.Shape{2, 1}, ptx: programs.Shape{2, 1}},
	{spec: "the:fill=beg-first", sc: programs.Shape{2, 1}, ptx: programs.Shape{1, 1}},
	{spec: "the:fill=end-first", sc: programs.Shape{2, 1}, ptx: programs.Shape{1, 1}},
	{spec: "the:failed=empty", sc: programs.Shape{2, 1}, ptx: programs.Shape{1, 1}},
	{spec: "the:compare=difference", sc: programs.Shape{2, 1}, ptx: programs.Shape{1, 1}},
	{spec: "blocking:capacity=2", sc: programs.Shape{2, 2}, ptx: programs.Shape{2, 1}},
	{spec: "blocking:capacity=2,variant=printed", sc: programs.Shape{2, 1}, ptx: programs.Shape{2, 1}},
	{spec: "static:capacity=4", sc: programs.Shape{2, 2}, ptx: programs.Shape{2, 1}},
	{spec: "list", sc: programs.Shape{2, 1}, ptx: programs.Shape{2, 1}},
}

// subjects are the structure, and its kernel, on a memory.
func (k kernel) subjects(memory model.Spec) (both [2]ref.Subject, err error) {
	if both[0], err = subject.Structure(k.spec, memory); err != nil {
		return both, err
	}
	both[1], err = subject.Kernel(k.spec, memory)
	return both, err
}
