package testkit

import "os"

// Amount is how much a test does: little if it is to be short, much with
// STEALPROOF_LARGE=1 in the environment, as `make large` has it.
func Amount(short bool, little, usual, much int) int {
	switch {
	case short:
		return little
	case os.Getenv("STEALPROOF_LARGE") != "":
		return much
	}
	return usual
}
