package queuetest

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func TestCommands(t *testing.T) {
	assert.Equal(t, `go test -run '^TestX$/^a\.b\(c\)$/^it.s$' -stealproof.case=f`, command("TestX/a.b(c)/it's", "f"))
	assert.Equal(t, `go test -run '^TestX$' -stealproof.case='a folder/it'\''s $HOME.case'`, command("TestX", "a folder/it's $HOME.case"))
	assert.Equal(t, `go test -run '^TestX$' -stealproof.case=ärger/x-1_2.case`, command("TestX", "ärger/x-1_2.case"))
	assert.Equal(t, filepath.Join("testdata", "stealproof", "TestX", "a_b"), folderOf("TestX/a:b"))
}

// Flags win over the environment, which wins over what is built in.
func TestFlagsAndEnvironment(t *testing.T) {
	env := map[string]string{}
	given := map[string]bool{}
	flags := choiceTexts{seed: "1", checks: "0"}
	get := func() (choices, error) { return choose(given, func(s string) string { return env[s] }, flags) }
	c, err := get()
	require.NoError(t, err)
	assert.Equal(t, choices{seed: 1}, c)

	env = map[string]string{"STEALPROOF_SEED": "7", "STEALPROOF_CHECKS": "20", "STEALPROOF_CASE": "x.case", "STEALPROOF_MEMORY": "sc"}
	c, err = get()
	require.NoError(t, err)
	assert.Equal(t, choices{seed: 7, checks: 20, memory: model.Spec{Structure: "sc", Settings: model.Settings{}}, file: "x.case"}, c)

	flags, given = choiceTexts{seed: "3", checks: "4", memory: "sc", file: "y.case"}, map[string]bool{"stealproof.seed": true, "stealproof.checks": true, "stealproof.case": true}
	c, err = get()
	require.NoError(t, err)
	assert.Equal(t, choices{seed: 3, checks: 4, memory: model.Spec{Structure: "sc", Settings: model.Settings{}}, file: "y.case"}, c)

	given = nil
	for want, bad := range map[string]map[string]string{
		`STEALPROOF_SEED="x": expected a number from 0 up`:   {"STEALPROOF_SEED": "x"},
		`STEALPROOF_CHECKS="0": expected a number from 1 up`: {"STEALPROOF_CHECKS": "0"},
		`STEALPROOF_CHECKS="-1": expected`:                   {"STEALPROOF_CHECKS": "-1"},
		`STEALPROOF_MEMORY: structure "A B"`:                 {"STEALPROOF_MEMORY": "A B"},
	} {
		env = bad
		_, err = get()
		assert.ErrorContains(t, err, want)
	}
}
