package testkit

import (
	"fmt"
	"strconv"
	"strings"

	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// Describe is a history as a test shows it, process by process.
func Describe(h *model.History) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %+v\n", h.Kind, h.Params)
	for _, at := range h.ByProcess() {
		o := &h.Ops[at]
		back := strconv.FormatUint(o.Return, 10)
		if o.Pending() {
			back = "-"
		}
		fmt.Fprintf(&b, "%3d: process %d %s size %d [%d,%s]\n", at, o.Process, wording.Phrase(o), o.Size, o.Call, back)
	}
	return b.String()
}
