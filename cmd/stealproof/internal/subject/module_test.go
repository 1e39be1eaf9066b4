package subject

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What stands behind the name of a module are its settings, of which a patch names a
// file itself.
func TestSettingsOfModules(t *testing.T) {
	for argument, want := range map[string][2]string{
		"ring.ptx":                                  {"ring.ptx", ""},
		"a/ring.ptx:orders=ring-h-12-fence.weak":    {"a/ring.ptx", "orders=ring-h-12-fence.weak"},
		"a/ring.ptx:patch=ring.ptx:31.drop":         {"a/ring.ptx", "patch=ring.ptx:31.drop"},
		"r.ptx:patch=r.ptx:31.drop,orders=x.weak":   {"r.ptx", "patch=r.ptx:31.drop,orders=x.weak"},
		"r.ptx:patch=a.ptx:1.drop+b.ptx:2.late,x=1": {"r.ptx", "patch=a.ptx:1.drop+b.ptx:2.late,x=1"},
		"odd.ptx:folder/r.ptx:x=1":                  {"odd.ptx:folder/r.ptx", "x=1"},
		"abp:capacity=2":                            {"", ""},
	} {
		file, settings := cutModule(argument)
		assert.Equal(t, want, [2]string{file, settings}, argument)
	}
}
