package patch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is patched in whatever text: there is an error, or a module of as many lines
// that says so.
func FuzzPatch(f *testing.F) {
	body := strings.Join([]string{aLoad, "setp.eq.s32 %p1, %r1, 3;", "@%p1 bra $E;", aStore, aSwap, "fence.sc.gpu; ld.acquire.gpu.global.u32 %r4, [%rd1+8]; // site c",
		"mov.b32 %r5, %r4; // site room", "$E: red.global.add.u64 [%rd1+16], %rd1; // site e"}, "\n")
	for _, patch := range []string{"a.drop+b.late", "b.behind=a", "c#2.reuse=a", "room.plus=-1", "e.split", "b.exchange=c#2", "m.ptx:9.plus-one", "a.behind=b/e"} {
		f.Add(module(strings.Split(body, "\n")...), patch)
	}
	f.Add(module(".loc 1 31 4", "ld.v2.u8 {%rs1, _}, [%rd1];", "@!%p1 atom.cas.b16 %rs1, [%rd1], 0, %rs2;"), ":31#1.drop+:31#2.never")
	f.Add(module("ld.global.u32;", "st.u32 [%rd1]; // site b", "atom.cas.b32 %r1, [%rd1], %r2;", "@", "%p1 /* , */ ld.u32 // x", "%r1, [%rd1];"), "b.twice+m.ptx:8.drop")
	f.Add(module("$L: ld.global.cg.u32 %r1, [%rd1]; // site a", "setp.eq.u32 %p1, %r1, %r2;", "@%p1 bra $E;", "bra.uni $L;", "$E: membar.gl;", "$M: ld.u32 %r1, [%rd1];", "@%p1 bra $M;"), "a.once+a.unawaited")
	f.Fuzz(func(t *testing.T, source, patches string) {
		x, err := Read("m.ptx", source, "op")
		if err != nil || len(source) > 1<<14 {
			return
		}
		all, err := Parse(patches)
		if err == nil {
			require.Equal(t, len(all), strings.Count(String(all), separator)+1)
		}
		if len(all) > 4 {
			all = all[:4]
		}
		for i, p := range append(append(all, x.Liberties()...), x.Mutants()...) {
			if i > 60 {
				break
			}
			y, err := x.Apply([]Patch{p})
			if err != nil {
				require.NotContains(t, err.Error(), "what came out is no PTX")
				continue
			}
			require.Equal(t, strings.Count(source, "\n"), strings.Count(y.String(), "\n"))
			require.Contains(t, y.String(), "// patched: ")
		}
	})
}
