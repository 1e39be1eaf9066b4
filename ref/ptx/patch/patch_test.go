package patch

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/ptx/machine"
)

// module is a kernel whose lines, from 8 on, are these.
func module(lines ...string) string {
	return ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry op(.param .u64 p)\n{\n" +
		".reg .pred %p<3>; .reg .b16 %rs<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\nld.param.u64 %rd0, [p]; ld.global.u64 %rd1, [%rd0];\n" +
		strings.Join(lines, "\n") + "\nret;\n}\n"
}

func text(t testing.TB, source string) *Text {
	t.Helper()
	x, err := Read("m.ptx", source, "op")
	require.NoError(t, err)
	return x
}

// apply applies patches that must fit, and gives the lines that have changed, without
// the comments that say so.
func apply(t testing.TB, source, patches string) (*Text, string) {
	t.Helper()
	all, err := Parse(patches)
	require.NoError(t, err)
	require.Equal(t, patches, String(all))
	x, err := text(t, source).Apply(all)
	require.NoError(t, err)
	before, after := strings.Split(source, "\n"), strings.Split(x.String(), "\n")
	require.Len(t, after, len(before), "no line moves")
	var changed []string
	for i := range before {
		if before[i] != after[i] && i > 0 {
			line := after[i]
			for _, p := range all {
				line = strings.ReplaceAll(line, label(&p), "")
			}
			changed = append(changed, strings.TrimSpace(line))
		}
	}
	var says string
	for _, p := range all {
		says += " // patched: " + p.String()
	}
	require.Equal(t, before[0]+says, after[0])
	_, err = machine.Decode(x.module, "op")
	require.NoError(t, err, x.String())
	return x, strings.Join(changed, "\n")
}

const (
	aLoad  = "ld.acquire.gpu.global.b32 %r1, [%rd1]; // site a"
	aStore = "st.release.gpu.global.b32 [%rd1+4], %r2; // site b"
	aSwap  = "atom.acq_rel.gpu.global.cas.b32 %r1, [%rd1], %r2, %r3; // site a"
	aFence = "fence.sc.gpu; // site a"
)

// Every operator, and what comes out.
func TestOperators(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range []struct{ lines, patch, want string }{
		{aLoad, "a.drop", "mov.b32 %r1, 0; // site a"},
		{aLoad, "a.drop=7", "mov.b32 %r1, 7; // site a"},
		{aStore, "b.drop", "// site b"},
		{aSwap, "a.drop", "mov.b32 %r1, %r2; // site a"},
		{aFence, "a.drop", "// site a"},
		{"bar.sync 0; // site a", "a.drop", "// site a"},
		{"bar.warp.sync -1; // site a", "a.drop", "// site a"},
		{"@%p1 barrier.sync.aligned 1, 64;", "m.ptx:8.drop", ""},
		{"atom.global.add.u32 %r1, [%rd1], 1; // site a", "a.drop", "mov.b32 %r1, 0; // site a"},
		{"ld.v2.u32 {%r1, %r2}, [%rd1]; // site a", "a.drop", "mov.b32 %r1, 0; mov.b32 %r2, 0;  // site a"},
		{aLoad, "a.twice", "ld.acquire.gpu.global.b32 %r1, [%rd1]; ld.acquire.gpu.global.b32 %r1, [%rd1]; // site a"},
		{"@%p1 " + aStore, "b.twice", "@%p1 st.release.gpu.global.b32 [%rd1+4], %r2; @%p1 st.release.gpu.global.b32 [%rd1+4], %r2; // site b"},
		{aLoad, "a.plus-one", "{ .reg .b32 %patch; ld.acquire.gpu.global.b32 %patch, [%rd1]; add.u32 %r1, %patch, 1; } // site a"},
		{"ld.u8 %rs1, [%rd1]; // site a", "a.plus-one", "{ .reg .b16 %patch; ld.u8 %patch, [%rd1]; add.u16 %rs1, %patch, 1; and.b16 %rs1, %rs1, 255; } // site a"},
		{aStore, "b.minus-one", "{ .reg .b32 %patch; add.u32 %patch, %r2, 4294967295; st.release.gpu.global.b32 [%rd1+4], %patch; } // site b"},
		{aSwap, "a.plus=16", "{ .reg .b32 %patch; add.u32 %patch, %r3, 16; atom.acq_rel.gpu.global.cas.b32 %r1, [%rd1], %r2, %patch; } // site a"},
		{"red.global.add.u64 [%rd1], 1; // site a", "a.plus=-1", "{ .reg .b64 %patch; add.u64 %patch, 1, 18446744073709551615; red.global.add.u64 [%rd1], %patch; } // site a"},
		{"setp.eq.s32 %p1, %r1, 3;", "m.ptx:8.plus-one", "setp.eq.s32 %p1, %r1, 4;"},
		{"shl.b32 %r1, %r1, 3;", "m.ptx:8.minus-one", "shl.b32 %r1, %r1, 2;"},
		{"mov.b32 %r1, %r2; // site room", "room.plus-one", "add.u32 %r1, %r2, 1; // site room"},
		{"mov.b32 %r1, %r2; // site room", "room.value=-1", "mov.b32 %r1, 4294967295; // site room"},
		{aLoad, "a.value=0x10", "ld.acquire.gpu.global.b32 %r1, [%rd1]; mov.b32 %r1, 16; // site a"},
		{aStore, "b.value=5", "st.release.gpu.global.b32 [%rd1+4], 5; // site b"},
		{aStore + "\n" + aLoad, "a.reuse=b", "ld.acquire.gpu.global.b32 %r1, [%rd1]; mov.b32 %r1, %r2; // site a"},
		{aLoad + "\n" + aStore, "b.reuse=a", "st.release.gpu.global.b32 [%rd1+4], %r1; // site b"},
		{aStore + "\n" + aFence + "\n" + strings.ReplaceAll(aLoad, "site a", "site c"), "b.late",
			"// site b\nld.acquire.gpu.global.b32 %r1, [%rd1]; st.release.gpu.global.b32 [%rd1+4], %r2; /* site b */ // site c"},
		{aSwap, "a.blind", "st.release.gpu.global.b32 [%rd1], %r3; mov.b32 %r1, %r2; // site a"},
		{"atom.global.exch.b32 %r1, [%rd1], %r2; // site a", "a.blind", "st.relaxed.gpu.global.b32 [%rd1], %r2; mov.b32 %r1, 0; // site a"},
		{aSwap, "a.never", "{ .reg .b32 %patch; mov.b32 %patch, %r2; not.b32 %r1, %patch; } // site a"},
		{aSwap, "a.split", "{ .reg .b32 %patch, %patchs; .reg .pred %patchp; ld.acquire.gpu.global.b32 %patch, [%rd1]; mov.b32 %patchs, %r3; " +
			"setp.eq.b32 %patchp, %patch, %r2; @%patchp st.release.gpu.global.b32 [%rd1], %patchs; mov.b32 %r1, %patch; } // site a"},
		{"@%p1 " + aSwap, "a.split", "{ .reg .b32 %patch, %patchs; .reg .pred %patchp; @%p1 ld.acquire.gpu.global.b32 %patch, [%rd1]; mov.b32 %patchs, %r3; " +
			"setp.eq.and.b32 %patchp, %patch, %r2, %p1; @%patchp st.release.gpu.global.b32 [%rd1], %patchs; @%p1 mov.b32 %r1, %patch; } // site a"},
		{"red.relaxed.gpu.global.add.u32 [%rd1], %r2; // site a", "a.split", "{ .reg .b32 %patch, %patchs; .reg .pred %patchp; ld.relaxed.gpu.global.b32 %patch, [%rd1]; " +
			"add.u32 %patchs, %patch, %r2; st.relaxed.gpu.global.b32 [%rd1], %patchs;  } // site a"},
		{aLoad, "a.weaker", "ld.relaxed.gpu.global.b32 %r1, [%rd1]; // site a"},
		{aLoad, "a.weaker+a.weaker", "ld.weak.global.b32 %r1, [%rd1]; // site a"},
		{"ld.volatile.global.u32 %r1, [%rd1]; // site a", "a.weaker", "ld.weak.global.u32 %r1, [%rd1]; // site a"},
		{aSwap, "a.weakest", "atom.relaxed.gpu.global.cas.b32 %r1, [%rd1], %r2, %r3; // site a"},
		{aFence, "a.weaker", "fence.acq_rel.gpu; // site a"},
		{aFence, "a.weakest", "// site a"},
		{"membar.gl; // site a", "a.weaker", "fence.acq_rel.gpu; // site a"},
		{"membar.gl; // site a", "a.narrower", "fence.sc.cta; // site a"},
		{aStore, "b.narrower", "st.release.cta.global.b32 [%rd1+4], %r2; // site b"},
		{"atom.global.exch.b32 %r1, [%rd1], %r2; // site a", "a.narrower", "atom.relaxed.cta.global.exch.b32 %r1, [%rd1], %r2; // site a"},
		{"ld.volatile.global.u32 %r1, [%rd1]; // site a", "a.narrower", "ld.relaxed.cta.global.u32 %r1, [%rd1]; // site a"},
		{aLoad, "a.weak", "ld.weak.global.b32 %r1, [%rd1]; // site a"},
		{aLoad, "a.relaxed", "ld.relaxed.gpu.global.b32 %r1, [%rd1]; // site a"},
		{"ld.global.cg.u32 %r1, [%rd1]; // site a", "a.acquire", "ld.acquire.gpu.global.u32 %r1, [%rd1]; // site a"},
		{aSwap, "a.release", "atom.release.gpu.global.cas.b32 %r1, [%rd1], %r2, %r3; // site a"},
		{aFence, "a.acq_rel", "fence.acq_rel.gpu; // site a"},
		{"fence.acq_rel.sys; // site a", "a.sc", "fence.sc.sys; // site a"},
		{aLoad + "\n" + aStore, "a.behind=b", "// site a\nst.release.gpu.global.b32 [%rd1+4], %r2; ld.acquire.gpu.global.b32 %r1, [%rd1]; /* site a */ // site b"},
		{aLoad + "\nadd.u32 %r4, %r3, 1;\nst.global.u32 [%rd1], %r4; // site b", "b.before=a",
			"{ .reg .b32 %patch0; add.u32 %patch0, %r3, 1; st.global.u32 [%rd1], %patch0; } /* site b */ ld.acquire.gpu.global.b32 %r1, [%rd1]; // site a\n// site b"},
		{aSwap + "\n" + aStore, "b.behind=a", "atom.acq_rel.gpu.global.cas.b32 %r1, [%rd1], %r2, %r3; { .reg .pred %patchp; setp.eq.b32 %patchp, %r1, %r2; " +
			"@%patchp st.release.gpu.global.b32 [%rd1+4], %r2; } /* site b */ // site a\n// site b"},
		{aStore + "\n@%p1 bra $E;\nmembar.gl; // site x\nbra.uni $F;\n$E: membar.sys; // site y\n$F:", "b.behind=x/y",
			"// site b\nmembar.gl; st.release.gpu.global.b32 [%rd1+4], %r2; /* site b */ // site x\n$E: membar.sys; st.release.gpu.global.b32 [%rd1+4], %r2; /* site b */ // site y"},
		{"$L: ld.u32 %r1, [%rd1]; // site a\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;", "a.once", "{ .reg .pred %patchmade2; .reg .b32 %patchkept2; mov.pred %patchmade2, 0;\nld.param.u64 %rd0, [p]; ld.global.u64 %rd1, [%rd0]; mov.pred %patchmade2, 0;\n" +
			"$L: @!%patchmade2 ld.u32 %patchkept2, [%rd1]; mov.pred %patchmade2, 1; mov.b32 %r1, %patchkept2; // site a"},
		{"$L: ld.u32 %r1, [%rd1]; // site a\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra $L;", "a.unawaited", ""},
		{aStore + "\nmul.lo.u32 %r5, %r5, %r5;\n" + aFence, "b.exchange=a", "fence.sc.gpu; /* site a */ // site b\nst.release.gpu.global.b32 [%rd1+4], %r2; /* site b */ // site a"},
	} {
		all, err := Parse(c.patch)
		require.NoError(t, err)
		tested[all[0].Operator.Name] = true
		_, changed := apply(t, module(strings.Split(c.lines, "\n")...), c.patch)
		assert.Equal(t, c.want, changed, "%s: %s", c.patch, c.lines)
	}
	for _, o := range Operators {
		assert.True(t, tested[o.Name], o.Name)
		assert.NotEmpty(t, o.Doc)
	}
}

// What is written wrongly, or does not fit.
func TestRefused(t *testing.T) {
	lines := []string{aLoad, "setp.eq.s32 %p1, %r1, 3;", "@%p1 bra $E;", aStore, "fence.sc.gpu; ld.acquire.gpu.global.u32 %r4, [%rd1+8]; // site c",
		"st.global.u32 [%rd1+4], %r4; // site d", "$E: red.global.add.u64 [%rd1+16], %rd1; // site e", "ld.global.f32 %r1, [%rd1]; // site f"}
	for patch, want := range map[string]string{
		"":          `patch "": expected a place and what becomes of it, as in queue.cu:31.drop`,
		"drop":      `patch "drop": expected a place and what becomes of it, as in queue.cu:31.drop`,
		"a.vanish":  `patch "a.vanish": unknown operator "vanish": expected one of drop, twice, plus-one, `,
		"a#0.drop":  `patch "a#0.drop": #0: expected the number of an access, from 1`,
		"a.twice=3": `patch "a.twice=3": twice takes nothing behind =`,
		"a.value":   `patch "a.value": value=: expected a number`,
		"a.plus=x":  `patch "a.plus=x": plus=x: expected a number`,
		"a.reuse":   `patch "a.reuse": reuse: expected another place behind =`,
		"x.drop":    `patch "x.drop": m.ptx has no access x: there are a, b, c (#1 to #2), d, e, f`,
		"c#3.drop":  `patch "c#3.drop": c#3: there are 2 accesses of this name`,
		"a#2.drop":  `patch "a#2.drop": a#2: only one access has this name`,
		"a.blind":   `patch "a.blind": m.ptx:8: ld.acquire.gpu.global.b32 %r1, [%rd1]: it does not fit: blind is for swaps`,
		"b.never":   "never is for compare-and-swaps", "b.split": "split is for swaps and additions of integers", "d.weaker": "weaker is for accesses with an order, and fences",
		"d.narrower": "narrower is for accesses and fences with a wider scope than a block", "c#1.twice": "twice is for accesses", "c#1.plus-one": "plus-one is for accesses of one value, and numbers",
		"f.plus-one": "plus-one is for loads of integers that somebody looks at", "e.value=1": "value is for loads, stores and values with a name", "b.drop=1": "drop is for a load, if it has a number",
		"a.release": "release is for st, atom, red", "a.acquire": "its order is acquire already", "c#1.late": "late is for loads and stores",
		"d.late": "late is for accesses that another one follows at once", "m.ptx:10.plus-one": "plus-one is for accesses, and instructions with one number",
		"a.reuse=d": "no d comes before it on every way, in function op", "b.reuse=x": "m.ptx has no access x",
		"b.behind=x": "m.ptx has no access x", "b.before=e": "in function op no e surely comes before or behind it",
		"a.behind=b": "not every way leads from it to there, so that it would be left out", "a.behind=e": "what it gives is needed before, in m.ptx:9",
		"d.before=c#2": "register %r4, which it needs, has another value there", "d.exchange=c#2": "register %r4, which it needs, has another value there",
		"e.before=b": "in function op no b surely comes before or behind it",
		"a.reuse=e":  "no e comes before it on every way", "b.behind=a#x": "#x: expected the number of an access, from 1",
	} {
		all, err := Parse(patch)
		if err == nil {
			_, err = text(t, module(lines...)).Apply(all)
		}
		assert.ErrorContains(t, err, want, patch)
	}
	all, err := Parse("b.late")
	require.NoError(t, err)
	_, err = text(t, module("st.global.u32 [%rd1], %r2; // site b", aLoad)).Apply(all)
	assert.ErrorContains(t, err, "late is for accesses of two locations")
}

// Accesses that no assembler takes are refused, whatever is to become of them.
func TestMalformed(t *testing.T) {
	for line, want := range map[string]string{
		"ld.global.u32;":                          "operand 1: expected a register for what is read",
		"ld.global.u32 %r1;":                      "operand 2: expected an address",
		"ld.global.u32 %r1, %r2;":                 "operand 2: expected an address",
		"ld.global.u32 [%rd1], %r1;":              "operand 1: expected a register for what is read",
		"ld.global.u32 %p1, [%rd1];":              "operand 1: expected a register for what is read",
		"ld.global.v2.u32 {{%r1}, %r2}, [%rd1];":  "operand 1: expected a register for what is read",
		"ld.global %r1, [%rd1];":                  "its name ends with no type of memory",
		"ld.global.pred %r1, [%rd1];":             "its name ends with no type of memory",
		"st.global.u32 [%rd1];":                   "operand 2: expected a value",
		"st.global.u32 [%rd1], _;":                "operand 2: expected a value",
		"red.add.u32 [%rd1];":                     "operand 2: expected a value",
		"atom.global.add.u32 [%rd1], 1;":          "operand 1: expected a register for what is read",
		"atom.global.cas.b32 %r1, [%rd1], %r2;":   "operand 4: expected a value",
		"fence.sc.gpu %r1;":                       "a fence has no operands",
		"atom.global.exch.b32 _, [%rd1], {_, _};": "operand 3: expected a value",
	} {
		for i := range Operators {
			o := &Operators[i]
			p := Patch{Site: "m.ptx:8", Operator: o, Argument: map[argument]string{someNumber: "1", someSite: "b"}[o.takes]}
			_, err := text(t, module(line, aLoad, aStore)).Apply([]Patch{p})
			assert.ErrorContains(t, err, "m.ptx:8: "+strings.TrimSuffix(line, ";")+": "+want, o.Name)
		}
		text(t, module(line, aLoad, aStore)).Mutants()
	}
}

// An instruction over several lines, with comments in it, and a predicate that has the name
// of an instruction: no line moves, and the operands are found.
func TestOverSeveralLines(t *testing.T) {
	source := module(".reg .pred ld;", "@!", "ld /* a, b */ ld.global.b32 %r1, // ld.global", "[%rd1 /* [ */];")
	x, err := text(t, source).Apply([]Patch{{Site: "m.ptx:9", Operator: &Operators[1]}})
	require.NoError(t, err)
	want := module(".reg .pred ld;", "/* m.ptx:9.twice */ @!ld ld.global.b32 %r1, [%rd1 ]; @!ld ld.global.b32 %r1, [%rd1 ];", "", "")
	assert.Equal(t, strings.Replace(want, "7.0", "7.0 // patched: m.ptx:9.twice", 1), x.String())
}

// A patch of what a patch has left: what was changed can be changed again, what was
// left out cannot.
func TestAppliedTwice(t *testing.T) {
	_, changed := apply(t, module(aLoad), "a.plus-one+a.plus-one")
	assert.Contains(t, changed, "ld.acquire.gpu.global.b32 %patch, [%rd1]; add.u32 %patch, %patch, 1;")
	once, _ := apply(t, module(aStore), "b.drop")
	all, err := Parse("b.drop")
	require.NoError(t, err)
	_, err = once.Apply(all)
	assert.ErrorContains(t, err, `patch "b.drop": m.ptx has no access b: there are none that operations reach`)
	_, err = text(t, module(aStore)).Apply(append(all, all...))
	assert.ErrorContains(t, err, "has no access b")
	// one that was moved has kept its name
	_, changed = apply(t, module(aLoad, aStore), "a.behind=b+a.weaker")
	assert.Contains(t, changed, "ld.relaxed.gpu.global.b32 %r1, [%rd1]; /* site a */ // site b")
}

// Copies of an access in several functions are all changed, or none.
func TestEveryCopy(t *testing.T) {
	source := module(aLoad, "call helper;") + ".func helper() {\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n" + aLoad + "\nret; }\n"
	source = strings.Replace(source, ".visible .entry", ".func helper();\n.visible .entry", 1)
	x, changed := apply(t, source, "a.weaker")
	assert.Equal(t, 2, strings.Count(changed, "ld.relaxed.gpu"))
	assert.True(t, x.Changed("op"))
	assert.False(t, x.Changed("other"))
	// a line of the PTX is one of them
	x, changed = apply(t, source, "m.ptx:15.weaker")
	assert.Equal(t, 1, strings.Count(changed, "ld.relaxed.gpu"))
	assert.True(t, x.Changed("helper"))
	assert.True(t, x.Changed("op"), "it calls what was changed")
}

// Accesses of one line of the source are told apart by their columns and by what they
// do; copies that the compiler makes of them are the same.
func TestPartsOfALine(t *testing.T) {
	source := ".version 7.0\n.target sm_70\n.address_size 64\n.file 1 \"/home/me/my queue.cu\"\n" +
		strings.TrimPrefix(module(".loc 1 31 4", "ld.global.u32 %r1, [%rd1];", ".loc 1 31 20", "ld.global.u32 %r2, [%rd1+8];", ".loc 1 31 4", "ld.global.u32 %r3, [%rd1];"),
			".version 7.0\n.target sm_70\n.address_size 64\n")
	x := text(t, source)
	assert.Equal(t, []Site{{"my-queue.cu:31", 2}}, x.Sites())
	_, changed := apply(t, source, "my-queue.cu:31#1.drop")
	assert.Equal(t, "mov.b32 %r1, 0;\nmov.b32 %r3, 0;", changed)
	x, _ = apply(t, source, "my-queue.cu:31#2.drop=9")
	assert.Equal(t, []Site{{"my-queue.cu:31", 1}}, x.Sites())
}

// Every mutant of a compiler's module is a module.
func TestMutants(t *testing.T) {
	source, err := os.ReadFile("../../../gpu/examples/ticket.ptx")
	require.NoError(t, err)
	kernels := []string{"stealproof_enq", "stealproof_deq"}
	x, err := Read("ticket.ptx", string(source), kernels...)
	require.NoError(t, err)
	all := x.Mutants()
	require.Greater(t, len(all), 40)
	operators := map[string]int{}
	for _, p := range all {
		operators[p.Operator.Name]++
		again, err := Parse(p.String())
		require.NoError(t, err)
		y, err := x.Apply(again)
		require.NoError(t, err, p)
		_, err = machine.Decode(y.module, kernels...)
		require.NoError(t, err, p)
		require.True(t, y.Changed(kernels[0]) || y.Changed(kernels[1]), p)
	}
	for _, name := range []string{"drop", "twice", "plus-one", "blind", "never", "split", "weaker", "narrower"} {
		assert.Positive(t, operators[name], name)
	}
}

// A barrier is left out, and nothing else becomes of it.
func TestMutantsOfBarriers(t *testing.T) {
	x := text(t, module(aStore, "bar.sync 0;", "bar.red.popc.u32 %r1, 0, %p1;", "bar.warp.sync -1; // site met"))
	var barriers []string
	for _, p := range x.Mutants() {
		if p.Site != "b" && p.Site != "m.ptx:7" {
			barriers = append(barriers, p.String())
			assert.False(t, x.OnlyOrders(p))
		}
	}
	assert.Equal(t, []string{"m.ptx:9.drop", "met.drop"}, barriers)
	all, err := Parse("met.drop")
	require.NoError(t, err)
	assert.Len(t, x.Near(all[0]), 1)
	all, err = Parse("met.plus-one")
	require.NoError(t, err)
	_, err = x.Apply(all)
	assert.ErrorContains(t, err, "it does not fit")
}
