package patch

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/ptx/lint"
	"stealproof/ref/ptx/machine"
	"stealproof/ref/ptx/syntax"
)

// What a compiler may make of a loop that waits, and what in it forbids that.
func TestLiberties(t *testing.T) {
	const once, unawaited = "a.once", "a.unawaited"
	for _, c := range []struct {
		lines string
		want  []string
	}{
		{"$L: ld.global.u32 %r1, [%rd1]; // site a\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;", []string{once, unawaited}},
		{"$L: ld.global.cg.u32 %r1, [%rd1]; // site a\nsetp.eq.u32 %p1, %r1, %r2;\n@%p1 bra $E;\nbra.uni $L;\n$E:", []string{once, unawaited}},
		{"bra $M;\n$L: add.u32 %r3, %r1, 1;\n$M: ld.global.u32 %r1, [%rd1]; // site a\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;", []string{once, unawaited}},
		// strong, ordered, stored to, or of another address each time: a compiler may do nothing
		{"$L: ld.relaxed.gpu.global.u32 %r1, [%rd1]; // site a\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;", nil},
		{"$L: ld.volatile.global.u32 %r1, [%rd1]; // site a\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;", nil},
		{"$L: ld.global.u32 %r1, [%rd1]; // site a\nmembar.gl;\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;", nil},
		{"$L: ld.global.u32 %r1, [%rd1]; // site a\nld.acquire.gpu.u32 %r3, [%rd1+4];\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;", nil},
		{"$L: ld.global.u32 %r1, [%rd1]; // site a\nst.global.u32 [%rd1+4], %r1;\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;", nil},
		{"$L: ld.global.u32 %r1, [%rd1]; // site a\nadd.u64 %rd1, %rd1, 4;\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;", nil},
		{"ld.global.u32 %r1, [%rd1]; // site a", nil},
		// it cannot be left out: somebody looks at what was read, or time passes
		{"$L: ld.global.u32 %r1, [%rd1]; // site a\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;\nadd.u32 %r3, %r1, 1;", []string{once}},
		{"$L: ld.global.u32 %r1, [%rd1]; // site a\nnanosleep.u32 100;\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;", []string{once}},
		{"$L: ld.global.u32 %r1, [%rd1]; // site a\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $E;\nsetp.eq.u32 %p1, %r3, 7;\n@%p1 bra $F;\nbra $L;\n$F: mov.u32 %r4, 7;\n$E:", []string{once}},
	} {
		source := module(strings.Split(c.lines, "\n")...)
		x := text(t, source)
		var got []string
		for _, p := range x.Liberties() {
			got = append(got, p.String())
			y, err := x.Apply([]Patch{p})
			require.NoError(t, err)
			_, err = machine.Decode(y.module, "op")
			require.NoError(t, err, y.String())
			require.True(t, y.Changed("op"))
		}
		assert.Equal(t, c.want, got, c.lines)
		waits := false // what a compiler may change has a name
		m, err := syntax.Parse("m.ptx", source)
		require.NoError(t, err)
		for _, f := range lint.Check(m) {
			waits = waits || f.Kind == lint.Wait && strings.HasPrefix(f.At, "a ")
		}
		assert.True(t, waits || len(got) == 0, c.lines)
	}
}

// What comes out.
func TestLibertiesAsText(t *testing.T) {
	source := module("$L: ld.global.cg.u32 %r1, [%rd1]; // site a", "setp.eq.u32 %p1, %r1, %r2;", "@%p1 bra $E;", "bra.uni $L;", "$E: membar.gl;")
	_, changed := apply(t, source, "a.once")
	assert.Contains(t, changed, "{ .reg .pred %patchmade2; .reg .b32 %patchkept2; mov.pred %patchmade2, 0;")
	assert.Contains(t, changed, "$L: @!%patchmade2 ld.global.cg.u32 %patchkept2, [%rd1]; mov.pred %patchmade2, 1; mov.b32 %r1, %patchkept2; // site a")
	assert.Contains(t, changed, "$E: membar.gl; mov.pred %patchmade2, 0;")
	_, changed = apply(t, source, "a.unawaited")
	assert.Equal(t, "bra $patch_exit2;\n$E: $patch_exit2: membar.gl;", changed)
}

// No kernel of ours leaves a compiler any liberty that matters.
func TestKernelsLeaveNoLiberty(t *testing.T) {
	for _, name := range []string{"ptx/abp", "ptx/tz", "ptx/the", "ptx/blocking", "ptx/list", "examples/ticket"} {
		source, err := os.ReadFile("../../../gpu/" + name + ".ptx")
		require.NoError(t, err)
		x, err := Read(name, string(source), "stealproof_push", "stealproof_pop", "stealproof_steal", "stealproof_enq", "stealproof_deq")
		require.NoError(t, err)
		assert.Empty(t, x.Liberties(), name)
	}
}
