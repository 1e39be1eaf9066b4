package patch

import "slices"

// Operator is what can become of an access.
type Operator struct {
	Name, Doc string
	// Orders says that it changes nothing but orders and scopes, which a sequentially
	// consistent memory does not look at.
	Orders bool

	takes  argument
	byHand bool // no mutant is made with it
	// liberty: a compiler may do it to a weak access.
	liberty bool
	change  func(*edit) error
}

// argument is what stands behind "=".
type argument uint8

const (
	nothing argument = iota
	someNumber
	maybeNumber
	someSite
)

// Operators are what can become of an access.
var Operators []Operator

func init() {
	Operators = []Operator{
		{Name: "drop", takes: maybeNumber, change: (*edit).drop,
			Doc: "the access is left out: a load gives 0, or the number behind =, a swap claims to have swapped; or a barrier is, that gives nothing back"},
		{Name: "twice", change: (*edit).twice, Doc: "the access is made twice, and the second one counts"},
		{Name: "plus-one", change: (*edit).plusOne, Doc: "the value that is read, stored or added is one more; of an instruction that is no access, the number in it"},
		{Name: "minus-one", change: (*edit).minusOne, Doc: "the value that is read, stored or added is one less; of an instruction that is no access, the number in it"},
		{Name: "late", change: (*edit).late, Doc: "the load or store changes places with the next access"},
		{Name: "blind", change: (*edit).blind, Doc: "the swap is a plain store: a compare-and-swap always succeeds, an exchange gives 0"},
		{Name: "never", change: (*edit).never, Doc: "the compare-and-swap is left out and claims to have failed"},
		{Name: "split", change: (*edit).split, Doc: "the swap or the addition is a load and then a store"},
		{Name: "weaker", change: (*edit).weaker, Orders: true, Doc: "the order is one step weaker; the weakest fence is none"},
		{Name: "weakest", change: (*edit).weakest, Orders: true, Doc: "there is no order at all, and no fence"},
		{Name: "narrower", change: (*edit).narrower, Orders: true, Doc: "the scope is that of a block"},

		{Name: "plus", takes: someNumber, byHand: true, change: (*edit).plus, Doc: "a number is added to what is read, stored or added"},
		{Name: "value", takes: someNumber, byHand: true, change: (*edit).value, Doc: "a load gives the number, whatever it has read; a store stores it"},
		{Name: "reuse", takes: someSite, byHand: true, change: (*edit).reuse, Doc: "a load gives, and a store stores, what another access read or stored"},
		{Name: "behind", takes: someSite, byHand: true, change: (*edit).behind,
			Doc: "the access is moved to directly behind another one; behind a compare-and-swap, once that has succeeded; behind a/b, behind each of them"},
		{Name: "before", takes: someSite, byHand: true, change: (*edit).before, Doc: "the access is moved to directly before another one"},
		{Name: "once", byHand: true, liberty: true, change: (*edit).once,
			Doc: "the weak load by which a loop waits is made once and gives the same in every round, as a compiler may have it"},
		{Name: "unawaited", byHand: true, liberty: true, change: (*edit).unawaited, Doc: "the loop that waits for the weak load ends after its first round, as a compiler may have it"},
		{Name: "exchange", takes: someSite, byHand: true, change: (*edit).exchange, Doc: "the access changes places with another one"},
	}
	for _, order := range []string{"weak", "relaxed", "acquire", "release", "acq_rel", "sc"} {
		Operators = append(Operators, Operator{Name: order, byHand: true, Orders: true, Doc: "the access or fence has this order",
			change: func(e *edit) error { return e.ordered(order) }})
	}
}

// Mechanical are the operators that mutants are made with: those that take nothing.
func Mechanical() []Operator {
	return slices.DeleteFunc(slices.Clone(Operators), func(o Operator) bool { return o.byHand })
}

func names() []string {
	var all []string
	for i := range Operators {
		all = append(all, Operators[i].Name)
	}
	return all
}
