package ref

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Operations that come back are progress, however many of them there are and
// though none changes the memory.
func TestOperationsThatChangeNothingAreNotStuck(t *testing.T) {
	for _, program := range []string{
		"0: push\n1: [steal]*5000",
		"0: [pop]*5000\n1: [steal]*5000",
		"0: [push]*5000\n1: steal", // full after 16
	} {
		e := simulate(t, "abp", program)
		assert.Equal(t, Complete, e.Ending, program)
		sim := NewSim(mustSetup(t, "abp", program))
		assert.Equal(t, Complete, sim.Run(alternate{}).Ending, program)
		sim.Close()
	}
}
