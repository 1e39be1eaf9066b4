package gpu_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

func TestTableRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"--capture both": "--capture both: expected performed or raw",
		"--for 0s":       "--for 0s: expected a duration above 0",
		"--launches 0":   "--launches 0: expected at least 1",
		"--only deque":   "--only deque: there is no such structure",
		"abp":            "gpu table takes no arguments",
	} {
		o := commandtest.Run(t, append([]string{"gpu", "table"}, strings.Fields(args)...)...)
		assert.Equal(t, exit.Usage, o.Code, args)
		assert.Contains(t, o.Err, strings.Split(want, " takes")[0], args)
	}
}
