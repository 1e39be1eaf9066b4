// Package wording puts operations, values and amounts into words.
package wording

import (
	"fmt"
	"strings"

	"stealproof/model"
)

var pastTense = map[model.Op]string{
	model.Push: "pushed", model.Pop: "popped", model.Steal: "stole",
	model.Enq: "enqueued", model.Deq: "dequeued", model.Put: "added", model.Take: "took",
}

// Did is an operation that succeeded: "stole 17".
func Did(op model.Op, value string) string { return pastTense[op] + " " + value }

// Phrase is an operation in a few words: "steal ok 17".
func Phrase(o *model.Operation) string {
	if o.Value == model.NoValue {
		return fmt.Sprintf("%s %s", o.Op, o.Result)
	}
	return fmt.Sprintf("%s %s %s", o.Op, o.Result, Thing(o))
}

// Thing is what an operation moves: a value, or the indices of a range.
func Thing(o *model.Operation) string {
	if o.To > 0 {
		return fmt.Sprintf("[%d,%d)", o.Value, o.To)
	}
	return fmt.Sprint(o.Value)
}

// Sentence is who did what, and when: "process 2 stole it in [125,160]".
func Sentence(o *model.Operation) string { return sentenceOn(o, "it", 0) }

func sentenceOn(o *model.Operation, value string, zero uint64) string {
	if o.To > 0 {
		value = Thing(o)
	}
	switch o.Result {
	case model.OK:
		return fmt.Sprintf("process %d %s %s", o.Process, Did(o.Op, value), when(o, zero))
	case model.Unknown:
		if o.Op.Puts() {
			return fmt.Sprintf("process %d called %s of %s at %s and never came back", o.Process, o.Op, value, At(o.Call, zero))
		}
		return fmt.Sprintf("process %d called %s at %s and never came back", o.Process, o.Op, At(o.Call, zero))
	}
	return fmt.Sprintf("the %s of process %d said %s %s", o.Op, o.Process, o.Result, when(o, zero))
}

// Full is the sentence with the value named.
func Full(o *model.Operation) string { return FullFrom(o, 0) }

// FullFrom is the same with times that are counted from a stamp.
func FullFrom(o *model.Operation, zero uint64) string { return sentenceOn(o, Thing(o), zero) }

// When is the interval of an operation: "in [125,160]".
func When(o *model.Operation) string { return when(o, 0) }

func when(o *model.Operation, zero uint64) string {
	if o.Pending() {
		return fmt.Sprintf("from %s on", At(o.Call, zero))
	}
	return fmt.Sprintf("in [%s,%s]", At(o.Call, zero), At(o.Return, zero))
}

// MaxListed bounds the operations that an explanation names.
const MaxListed = 12

// List is what each of some operations did, as long as they are few.
func List(ops []*model.Operation) string { return ListBy(ops, Sentence) }

// ListBy does so in other words.
func ListBy(ops []*model.Operation, words func(*model.Operation) string) string {
	var all []string
	for _, o := range ops[:min(len(ops), MaxListed)] {
		all = append(all, words(o))
	}
	if more := len(ops) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, ", ")
}

// Value names what an operation moves: "value 17", "range [0,8)".
func Value(o *model.Operation) string {
	if o.To > 0 {
		return Indices(o.Value, o.To)
	}
	return fmt.Sprintf("value %d", o.Value)
}

// Indices names a range, or the one index of it.
func Indices(from, to uint64) string {
	if to == from+1 {
		return fmt.Sprintf("index %d", from)
	}
	return fmt.Sprintf("range [%d,%d)", from, to)
}

// Often is how often: "twice".
func Often(n int) string {
	if n == 2 {
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// Times is the same where once need not be said.
func Times(n int) string {
	if n == 1 {
		return ""
	}
	return " " + Often(n)
}

// PutOnly says who put a value in: "process 0 pushed it once, in [120,131]".
func PutOnly(puts []*model.Operation) string {
	if len(puts) == 1 && puts[0].Result == model.OK && puts[0].To == 0 {
		return fmt.Sprintf("process %d %s once, %s", puts[0].Process, Did(puts[0].Op, "it"), When(puts[0]))
	}
	if len(puts) == 1 {
		return "it was put in once: " + List(puts)
	}
	return fmt.Sprintf("it was put in %s: %s", Often(len(puts)), List(puts))
}

// Counted says how many of something, in the plural where that is right.
func Counted(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		what += "e"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Bytes is a number of bytes in a unit that people read.
func Bytes(n uint64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}
