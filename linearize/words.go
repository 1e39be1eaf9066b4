package linearize

import (
	"fmt"
	"strings"

	"stealproof/model"
)

var pastTense = map[model.Op]string{
	model.Push: "pushed", model.Pop: "popped", model.Steal: "stole",
	model.Enq: "enqueued", model.Deq: "dequeued", model.Put: "added", model.Take: "took",
}

// did is an operation that succeeded: "stole 17".
func did(op model.Op, value string) string { return pastTense[op] + " " + value }

// phrase is an operation in a few words: "steal ok 17".
func phrase(o *model.Operation) string {
	if o.Value == model.NoValue {
		return fmt.Sprintf("%s %s", o.Op, o.Result)
	}
	return fmt.Sprintf("%s %s %s", o.Op, o.Result, thing(o))
}

// thing is what an operation moves: a value, or the indices of a range.
func thing(o *model.Operation) string {
	if o.To > 0 {
		return fmt.Sprintf("[%d,%d)", o.Value, o.To)
	}
	return fmt.Sprint(o.Value)
}

// sentence is who did what, and when: "process 2 stole it in [125,160]".
func sentence(o *model.Operation) string { return sentenceOn(o, "it") }

func sentenceOn(o *model.Operation, value string) string {
	if o.To > 0 {
		value = thing(o)
	}
	switch o.Result {
	case model.OK:
		return fmt.Sprintf("process %d %s %s", o.Process, did(o.Op, value), when(o))
	case model.Unknown:
		if o.Op.Puts() {
			return fmt.Sprintf("process %d called %s of %s at %d and never came back", o.Process, o.Op, value, o.Call)
		}
		return fmt.Sprintf("process %d called %s at %d and never came back", o.Process, o.Op, o.Call)
	}
	return fmt.Sprintf("the %s of process %d said %s %s", o.Op, o.Process, o.Result, when(o))
}

// full is the sentence with the value named.
func full(o *model.Operation) string { return sentenceOn(o, thing(o)) }

func when(o *model.Operation) string {
	if o.Pending() {
		return fmt.Sprintf("from %d on", o.Call)
	}
	return fmt.Sprintf("in [%d,%d]", o.Call, o.Return)
}

// maxListed bounds the operations that an explanation names.
const maxListed = 12

func list(ops []*model.Operation) string { return listBy(ops, sentence) }

func listBy(ops []*model.Operation, words func(*model.Operation) string) string {
	var all []string
	for _, o := range ops[:min(len(ops), maxListed)] {
		all = append(all, words(o))
	}
	if more := len(ops) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, ", ")
}

// valueOf names what an operation moves: "value 17", "range [0,8)".
func valueOf(o *model.Operation) string {
	if o.To > 0 {
		return indices(o.Value, o.To)
	}
	return fmt.Sprintf("value %d", o.Value)
}

func indices(from, to uint64) string {
	if to == from+1 {
		return fmt.Sprintf("index %d", from)
	}
	return fmt.Sprintf("range [%d,%d)", from, to)
}

func often(n int) string {
	if n == 2 {
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

func times(n int) string {
	if n == 1 {
		return ""
	}
	return " " + often(n)
}

// putOnly says who put a value in: "process 0 pushed it once, in [120,131]".
func putOnly(puts []*model.Operation) string {
	if len(puts) == 1 && puts[0].Result == model.OK && puts[0].To == 0 {
		return fmt.Sprintf("process %d %s once, %s", puts[0].Process, did(puts[0].Op, "it"), when(puts[0]))
	}
	if len(puts) == 1 {
		return "it was put in once: " + list(puts)
	}
	return fmt.Sprintf("it was put in %s: %s", often(len(puts)), list(puts))
}

// counted says how many of something, in the plural where that is right.
func counted(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		what += "e"
	}
	return fmt.Sprintf("%d %ss", n, what)
}
