package linearize

import "fmt"

// Checker says which of the checkers may decide.
type Checker string

// The checkers. Auto takes a monitor where there is one for the case, and
// porcupine otherwise.
const (
	Auto      Checker = "auto"
	Monitor   Checker = "monitor"
	Porcupine Checker = "porcupine"
)

// ParseChecker reads the name of a checker; none means auto.
func ParseChecker(s string) (Checker, error) {
	switch c := Checker(s); c {
	case "":
		return Auto, nil
	case Auto, Monitor, Porcupine:
		return c, nil
	}
	return "", fmt.Errorf("unknown checker %q: expected one of auto, monitor, porcupine", s)
}
