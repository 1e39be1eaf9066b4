package module

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/litmus"
)

func parse(t *testing.T, declared, code string) *litmus.Test {
	t.Helper()
	test, err := litmus.Parse("t", "PTX t\n{ x=7; y=0;"+declared+" }\nP0@cta 0,gpu 0 ;\n"+code+" ;\nexists (x == 0)\n")
	require.NoError(t, err)
	return test
}

// Every instruction, and what is written for it.
func TestInstructions(t *testing.T) {
	for code, want := range map[string]string{
		"ld.weak r0, x":                     "ld.weak.global.s64 %t0_0, [%at+0];",
		"ld.acquire.cta r0, y":              "ld.acquire.cta.global.s64 %t0_0, [%at+8];",
		"st.release.gpu x, 3":               "st.release.gpu.global.b64 [%at+0], 3;",
		"atom.acq_rel.sys.exch r0, x, 3":    "atom.acq_rel.sys.global.exch.b64 %t0_0, [%at+0], 3;",
		"atom.relaxed.gpu.cas r0, x, 3, -1": "atom.relaxed.gpu.global.cas.b64 %t0_0, [%at+0], 3, -1;",
		"atom.relaxed.gpu.sub r0, x, 3":     "neg.s64 %left, 3;|atom.relaxed.gpu.global.add.u64 %t0_0, [%at+0], %left;",
		"red.relaxed.gpu.max x, 3":          "red.relaxed.gpu.global.max.s64 [%at+0], 3;",
		"red.relaxed.gpu.or x, 3":           "red.relaxed.gpu.global.or.b64 [%at+0], 3;",
		"red.relaxed.gpu.inc x, 3":          "mov.b64 %left, 3; mov.b64 %right, 0;|cvt.u32.u64 %new, %left; cvt.u32.u64 %than, %right;|red.relaxed.gpu.global.inc.u32 [%at+0], %new;",
		"fence.sc.gpu":                      "fence.sc.gpu;",
		"ld r0, 5":                          "mov.b64 %t0_0, 5;",
		"mul r0, r0, 2":                     "mul.lo.s64 %t0_0, %t0_0, 2;",
		"sub r0, r0, r0":                    "sub.s64 %t0_0, %t0_0, %t0_0;",
		"bge r0, 1, LC0 ;\n LC0:":           "setp.ge.s64 %p, %t0_0, 1;|@%p bra $T0_1;",
	} {
		m, err := Write(parse(t, " P0:r0=0;", code))
		require.NoError(t, err, code)
		var lines []string
		for line := range strings.Lines(m.Text) {
			if before, _, found := strings.Cut(line, " // site P0.1"); found {
				lines = append(lines, strings.TrimSpace(before))
			}
		}
		assert.Equal(t, want, strings.Join(lines, "|"), code)
	}
}

func TestRefused(t *testing.T) {
	for code, want := range map[string]string{
		"bar.cta.sync 0":                "P0, instruction 1: barriers of a block",
		"atom.relaxed.gpu.mul r0, x, 3": "P0, instruction 1: PTX has no atomic mul",
		"tld.weak r0, x":                "P0, instruction 1: proxies and aliases",
		"fence.proxy.alias":             "P0, instruction 1: fences of proxies",
	} {
		_, err := Write(parse(t, "", code))
		assert.ErrorContains(t, err, want, code)
	}
}

// What older versions of PTX lack is asked of a newer one.
func TestVersion(t *testing.T) {
	for code, want := range map[string]string{
		"st.release.gpu x, 3": ".version 7.0\n.target sm_70\n", "st.release.cluster x, 3": ".version 8.6\n.target sm_90\n", "fence.acquire.gpu": ".version 8.6\n.target sm_90\n",
	} {
		m, err := Write(parse(t, "", code))
		require.NoError(t, err, code)
		assert.Contains(t, m.Text, want, code)
	}
}
