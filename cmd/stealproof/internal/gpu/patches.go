package gpu

import (
	"bytes"
	"fmt"
	"strings"

	"stealproof/gpu"
	"stealproof/model"
	"stealproof/ref/ptx/patch"
)

// launched are the kernels of which a launch runs one.
var launched = []string{"stealproof_run", "stealproof_run_raw", "stealproof_run_bare"}

// patcher gives the text of a structure's module with the patches of its spec, and with
// those of the command line; nil if there are none.
type patcher func(c *gpu.Config, more []string) ([]byte, error)

// once is the same, but what was patched last is kept: a table has several cells of one
// structure.
func (p patcher) once() patcher {
	var last string
	var text []byte
	return func(c *gpu.Config, more []string) ([]byte, error) {
		key := strings.Join(append([]string{c.Module, c.Patches}, more...), " ")
		if key == last {
			return text, nil
		}
		made, err := p(c, more)
		if err != nil {
			return nil, err
		}
		last, text = key, made
		return text, nil
	}
}

// patchedStructure is the patcher.
func patchedStructure(c *gpu.Config, more []string) ([]byte, error) {
	if c.Patches != "" {
		more = append([]string{c.Patches}, more...)
	}
	if len(more) == 0 {
		return nil, nil
	}
	text, err := gpu.Module(c.Module)
	if err != nil {
		return nil, err
	}
	return patched(c.Module+".ptx", text, more, c.Kind)
}

// patched is a module with its text changed, in what a launch runs.
func patched(file string, image []byte, patches []string, kind model.Kind) ([]byte, error) {
	if bytes.IndexByte(image, 0) >= 0 {
		return nil, fmt.Errorf("--patch changes the text of PTX, which %s is not: compile it as PTX", file)
	}
	text := strings.Join(patches, "+")
	all, err := patch.Parse(text)
	if err != nil {
		return nil, err
	}
	kernels := []string{"stealproof_next_phase"}
	for _, op := range kind.Ops() {
		kernels = append(kernels, "stealproof_"+op.String())
	}
	t, err := patch.Read(file, string(image), kernels...)
	if err != nil {
		return nil, err
	}
	if t, err = t.Apply(all); err != nil {
		return nil, err
	}
	for _, kernel := range launched {
		if !t.Changed(kernel) && !t.Changed("stealproof_prepare") {
			return nil, fmt.Errorf("patch %q: it changes nothing that the kernel %s executes, which a launch runs: name a place that both have, a line of the CUDA source (-lineinfo) or a name behind '// site'", text, kernel)
		}
	}
	return []byte(t.String()), nil
}
