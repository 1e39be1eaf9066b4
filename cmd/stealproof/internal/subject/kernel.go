package subject

import (
	"stealproof/gpu"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// Kernel is the kernel of ours that stands beside a structure, on a memory. Both have the
// same spec.
func Kernel(text string, memory model.Spec) (ref.Subject, error) {
	spec, err := model.ParseSpec(text)
	if err != nil {
		return ref.Subject{}, err
	}
	c, err := gpu.Resolve(spec)
	if err != nil {
		return ref.Subject{}, err
	}
	module, err := gpu.Module(c.Module)
	if err != nil {
		return ref.Subject{}, err
	}
	beside, err := ref.NewSubject(spec, memory)
	if err != nil {
		return ref.Subject{}, err
	}
	f, err := foreign(c.Module, module, c.Kind, ptx.Setup{Numbers: c.Numbers})
	if err == nil && c.Patches != "" {
		f, err = f.Changed(model.Settings{ref.PatchSetting: c.Patches})
	}
	if err != nil {
		return ref.Subject{}, err
	}
	params := beside.Config().Params()
	f.Capacity, f.Shared = params.Capacity, params.Shared
	return f.Subject(memory)
}

// Example is a module of docs/vendor.md, a FIFO queue.
func Example(name string, memory model.Spec) (ref.Subject, error) {
	module, err := gpu.Example(name)
	if err != nil {
		return ref.Subject{}, err
	}
	f, err := foreign(name, module, model.FIFO, ptx.Setup{})
	if err != nil {
		return ref.Subject{}, err
	}
	return f.Subject(memory)
}

func foreign(name string, text []byte, kind model.Kind, setup ptx.Setup) (ref.Foreign, error) {
	m, err := ptx.Load(name+".ptx", text)
	if err != nil {
		return ref.Foreign{}, err
	}
	return m.Foreign(kind, setup)
}
