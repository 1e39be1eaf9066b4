package report

// meanings say in a sentence what each kind of finding is; docs/limits.md has more.
var meanings = map[string]string{
	"duplicate":   "A value left more often than it was put in.",
	"invented":    "A value left that was never put in.",
	"too-early":   "A value left before it was put in.",
	"order":       "Values left in an order that the model forbids.",
	"false-empty": "The object was found empty, and cannot have been.",
	"false-full":  "The object was found full, and cannot have been.",
	"overfull":    "More was inside than the declared capacity.",
	"other":       "The operations have no order, for no reason that has a name.",
	"fault":       "An access outside of an array, a panic, or a result that cannot stand in a history.",
	"stuck":       "Memory no longer changes, though everybody who has not finished goes on.",
	"misuse":      "The text asks for what no memory has.",
	"hang":        "A kernel did not end.",
	"trap":        "A kernel trapped.",
	"data-race":   "Accesses of the same word that nothing orders, one of them a write.",
	"difference":  "Two structures do not have the same histories.",
	"survivor":    "A mutant that no check notices, without a reason why nothing is wrong with it.",
	"outdated":    "A reason why a mutant lives on, which does not.",
	"no-orders":   "No choice of orders suffices.",
	"wait":        "A loop waits for what a weak load sees.",
	"publish":     "A weak store may be seen after what announces it.",
	"weak-order":  "A weak load may be made before the load that decides about it.",
	Undecided:     "A limit was met before there was a verdict.",
	Uncertified:   "A verdict could not be confirmed.",
	NotRun:        "There was nothing to decide.",
	Input:         "An input is wrong.",
	Unexpected:    "An answer is not the one that was expected.",
}

// meaning is that of a kind.
func meaning(kind string) string {
	if text, known := meanings[kind]; known {
		return text
	}
	return kind
}
