package gpu

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"stealproof/gpu"
	"stealproof/linearize"
	"stealproof/model"
)

// meta says where a history comes from.
func meta(cmd *cobra.Command, f *launchFlags, c *gpu.Calibration, args []string) map[string]any {
	words := []string{"stealproof", "gpu", cmd.Name()}
	words = append(words, args...)
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		switch fl.Name {
		case "out", "date":
		default:
			words = append(words, "--"+fl.Name+"="+fl.Value.String())
		}
	})
	return map[string]any{
		"structure": f.name(), "capture": f.capture, "command": strings.Join(words, " "), "date": f.date,
		"device": c.Device.Name, "driver": "CUDA " + c.Device.Driver,
		"clock": map[string]uint64{"tick": c.Tick, "smallest_gap": c.Smallest, "skew": c.Skew, "steps_back": c.Backward, "handovers": c.Handovers, "widened_by": c.Spread()},
	}
}

// someObjects takes n objects, those that violate first, each up to the moment
// when the last operation of its violation had returned. What had been called
// by then and had not returned is pending: with its later result it would speak
// of values whose puts are cut off.
func someObjects(h *model.History, r *linearize.Report, n int) *model.History {
	until := violatedUntil(h, r, n)
	for object := uint32(0); len(until) < n && len(until) < int(h.Ops[len(h.Ops)-1].Object)+1; object++ {
		if _, known := until[object]; !known {
			until[object] = model.Never
		}
	}
	var ops []model.Operation
	for _, o := range h.Ops {
		last, taken := until[o.Object]
		if !taken || o.Call > last {
			continue
		}
		if o.Return > last {
			o = unfinished(o)
		}
		ops = append(ops, o)
	}
	return h.With(ops)
}

// violatedUntil says of the first objects that violate when that had happened.
func violatedUntil(h *model.History, r *linearize.Report, n int) map[uint32]uint64 {
	until := map[uint32]uint64{}
	if r == nil {
		return until
	}
	for _, v := range r.Violations {
		if _, known := until[v.Object]; known || len(until) == n {
			continue
		}
		last := uint64(0)
		for _, i := range v.Ops {
			last = max(last, h.Ops[i].Return)
		}
		until[v.Object] = last
	}
	return until
}

// unfinished is an operation as it was known before it returned.
func unfinished(o model.Operation) model.Operation {
	o.Return, o.Result = model.Never, model.Unknown
	if o.Op.Removes() {
		o.Value, o.To = model.NoValue, 0
	}
	return o
}
