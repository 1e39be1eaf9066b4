package ptx

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/ref/ptx/machine"
)

func TestShortNames(t *testing.T) {
	for name, want := range map[string]string{
		"table":                               "table",
		"_ZZN10BlockDequeILj8EE4toldEyE4slot": "slot",
		"_ZZN10stealproof8of_block10first_saysEyE4told": "told",
		"_ZZN5Queue3popEvE4slot_0":                      "slot_0",
		"_ZN2ns5tableE":                                 "table",
		"_ZL7counter":                                   "counter",
		"_Z":                                            "_Z",
		"_Z99":                                          "_Z99",
		"_Zwhat99999999999999999999x":                   "_Zwhat99999999999999999999x",
	} {
		assert.Equal(t, want, shortName(name), name)
	}
	p := &machine.Program{Globals: []machine.Global{{Name: "_ZN1a1xE"}, {Name: "_ZN1b1xE"}, {Name: "_ZN1b1yE"}}}
	assert.Equal(t, map[string]string{"_ZN1a1xE": "_ZN1a1xE", "_ZN1b1xE": "_ZN1b1xE", "_ZN1b1yE": "y"}, shortNames(p))
}
