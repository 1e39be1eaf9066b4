package syntax

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// corpus are the modules in the repository: all of them made by a compiler.
func corpus(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"ptx/*.ptx", "examples/*.ptx", "testdata/bad/*.ptx"} {
		files, err := filepath.Glob("../../../gpu/" + pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			all[filepath.Base(file)] = string(text)
		}
	}
	return all
}

func TestModulesOfTheRepository(t *testing.T) {
	for file, text := range corpus(t) {
		m, err := Parse(file, text)
		require.NoError(t, err)
		assert.Equal(t, strings.Count(text, ".entry"), len(m.Functions), file)
		for _, f := range m.Functions {
			for _, in := range f.Code {
				require.Contains(t, text, in.Text)
				if strings.HasPrefix(in.Op, "bra") {
					require.Equal(t, IsLabel, in.Operands[0].Kind, "%s:%d", file, in.Line)
				}
			}
		}
	}
}

const head = ".version 7.0\n.target sm_70\n.address_size 64\n"

// parse reads a module that must be right.
func parse(t *testing.T, text string) *Module {
	t.Helper()
	m, err := Parse("m.ptx", head+text)
	require.NoError(t, err)
	return m
}

// body reads the body of a function that must be right.
func parseBody(t *testing.T, text string) *Function {
	t.Helper()
	return parse(t, ".visible .entry f(.param .u64 p) {\n"+text+"\n}\n").Functions[0]
}

func TestHead(t *testing.T) {
	m, err := Parse("m.ptx", "// Generated\n.version 8.7\n.target sm_90a, debug\n.address_size 64\n")
	require.NoError(t, err)
	assert.Equal(t, &Module{File: "m.ptx", Major: 8, Minor: 7, Target: "sm_90a"}, m)
}

func TestVariables(t *testing.T) {
	m := parse(t, `
.visible .global .align 4 .u32 word = 2;
.const .align 1 .b8 bytes[] = {1, 2, 0xff};
.global .u64 table[2] = {word, generic(bytes)+1};
.extern .shared .align 16 .b8 dynamic[];
.global .attribute(.managed) .s32 rows[2][3] = {{1, -2}, {3, 4}};
.global .v2 .f32 pair = {0f3F800000, 0f00000000};
`)
	find := func(name string) *Variable {
		v := m.Variable(name)
		require.NotNil(t, v, name)
		return v
	}
	assert.Equal(t, []Value{{Number: 2, Line: 5}}, find("word").Init)
	assert.EqualValues(t, 4, find("word").Size())
	assert.EqualValues(t, 3, find("bytes").Size())
	assert.Equal(t, InConst, find("bytes").Space)
	assert.Equal(t, []Value{{Symbol: "word", Line: 7}, {Symbol: "bytes", Generic: true, Number: 1, Line: 7}}, find("table").Init)
	assert.True(t, find("dynamic").Extern)
	assert.EqualValues(t, 16, find("dynamic").Align)
	assert.EqualValues(t, 24, find("rows").Size())
	assert.EqualValues(t, ^uint64(1), find("rows").Init[1].Number)
	assert.EqualValues(t, 8, find("pair").Size())
	assert.EqualValues(t, 0x3f800000, find("pair").Init[0].Number)
}

func TestRegistersHaveNumbersWhenTheyAreUsed(t *testing.T) {
	f := parseBody(t, `
	.reg .pred %p<2>;
	.reg .b32 %r<1000>, x;
	mov.u32 %r999, 0x10;
	@!%p1 add.s32 x, %r999, -1;
	{ .reg .u64 x; mov.u64 x, %clock64; }
	mov.u32 x, 017;`)
	var names []string
	for _, r := range f.Registers {
		names = append(names, r.Name)
	}
	assert.Equal(t, []string{"x", "%r999", "%p1", "x"}, names)
	assert.EqualValues(t, 64, f.Registers[3].Type.Bits)
	assert.Equal(t, 2, f.Code[1].Guard)
	assert.True(t, f.Code[1].GuardNot)
	assert.Equal(t, Operand{Kind: IsInteger, Value: ^uint64(0)}, f.Code[1].Operands[2])
	assert.Equal(t, Operand{Kind: IsSpecial, Name: "%clock64"}, f.Code[2].Operands[1])
	assert.EqualValues(t, 3, f.Code[2].Operands[0].Register)
	assert.EqualValues(t, 0, f.Code[3].Operands[0].Register, "the register outside of the block")
	assert.EqualValues(t, 15, f.Code[3].Operands[1].Value)
}

func TestOperands(t *testing.T) {
	f := parseBody(t, `
	.reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .f32 %f<2>;
	.local .align 8 .b8 depot[16];
	ld.global.L2::128B.v2.u32 {%r1, _}, [%rd1+-8];
	st.local.u32 [depot+4], %r2;
	setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p1;
	mov.f32 %f1, 0fBF800000;
	ld.param.u64 %rd1, [p];
	st.u32 [16], WARP_SZ;
	mov.u64 %rd2, depot+8;`)
	code := f.Code
	assert.Equal(t, "ld.global.L2::128B.v2.u32", code[0].Op)
	assert.Equal(t, IsVector, code[0].Operands[0].Kind)
	assert.Equal(t, IsSink, code[0].Operands[0].Elements[1].Kind)
	assert.Equal(t, IsRegister, code[0].Operands[1].Base)
	assert.EqualValues(t, -8, int64(code[0].Operands[1].Value))
	assert.Same(t, f.Variables[0], code[1].Operands[0].Variable)
	assert.Equal(t, IsPair, code[2].Operands[0].Kind)
	assert.True(t, code[2].Operands[3].Not)
	assert.Equal(t, Operand{Kind: IsFloat, Bits: 32, Value: 0xbf800000}, code[3].Operands[1])
	assert.Same(t, f.Params[0], code[4].Operands[1].Variable)
	assert.Equal(t, IsInteger, code[5].Operands[0].Base)
	assert.EqualValues(t, 32, code[5].Operands[1].Value)
	assert.EqualValues(t, 8, code[6].Operands[1].Value)
}

func TestLabelsAndTables(t *testing.T) {
	f := parseBody(t, `
	.reg .b32 %r<2>;
	$L_brx_0: .branchtargets $A, $B;
$A:	bra.uni $B;
	{ bra $A; $A: bra $A; }
$B:	brx.idx %r1, $L_brx_0;
	bra $C;
$C:`)
	to := func(i int) uint64 { return f.Code[i].Operands[len(f.Code[i].Operands)-1].Value }
	assert.EqualValues(t, 3, to(0))
	assert.EqualValues(t, 2, to(1), "the label of the block")
	assert.EqualValues(t, 2, to(2))
	assert.Equal(t, IsTable, f.Code[3].Operands[1].Kind)
	assert.Equal(t, [][]int{{0, 3}}, f.Tables)
	assert.EqualValues(t, 5, to(4), "behind the last instruction")
}

func TestCalls(t *testing.T) {
	m := parse(t, `
.func (.param .b32 result) add(.param .b32 a, .reg .u64 b);
.weak .func (.reg .b32 r) inc (.reg .b32 x) .noreturn
{ add.u32 r, x, 1; ret; }
.entry k() .maxntid 128, 1, 1 .minnctapersm 2
{
	.reg .b32 %r<3>; .reg .b64 %rd<2>;
	{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r1;
	  call.uni (r0), add, (p0, %rd1);
	  ld.param.b32 %r2, [r0]; }
	prototype_0 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .b64 _);
	call inc;
}`)
	assert.False(t, m.Functions[0].Body)
	assert.Equal(t, InRegister, m.Functions[0].Params[1].Space)
	call := m.Functions[2].Code[1]
	assert.Equal(t, "call.uni", call.Op)
	assert.Equal(t, IsList, call.Operands[0].Kind)
	assert.Equal(t, "add", call.Operands[1].Name)
	assert.Len(t, call.Operands[2].Elements, 2)
	assert.Same(t, m.Functions[2].Variables[0], call.Operands[2].Elements[0].Variable)
}

func TestWhereItComesFrom(t *testing.T) {
	m := parse(t, `
.file 1 "/home/me/queue.cu", 1700000000, 1234
.entry k()
{
	.loc	1 12 3
	membar.gl; // site first
	.loc	2 7 1, function_name $L__info_string0+8, inlined_at 1 20 5
	membar.gl; membar.cta; // site both
	/* over
	   lines */ exit; // no site
}
.file	2 "other.h"
.section	.debug_str
{
$L__info_string0: .b8 95, 90
.b8 0
}
`)
	code := m.Functions[0].Code
	assert.Equal(t, "/home/me/queue.cu:12:3", code[0].Source.String())
	assert.Equal(t, "first", code[0].Site)
	assert.Equal(t, "other.h:7:1 from /home/me/queue.cu:20:5", code[1].Source.String())
	assert.Equal(t, "both", code[1].Site)
	assert.Equal(t, "both", code[2].Site)
	assert.Empty(t, code[3].Site)
	assert.Equal(t, 13, code[3].Line)
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, message string }{
		{"", "m.ptx:1: expected .version, which every PTX module begins with, found the end of the text"},
		{"hello", "m.ptx:1: expected .version, which every PTX module begins with, found hello"},
		{"\x7fELF\x02", "m.ptx:1: this is no PTX: a byte that its text never has"},
		{".version 5.0\n.target sm_70\n", "m.ptx:1: .version 5.0: expected 6.0 to 9.x"},
		{".version 99.1\n", "m.ptx:1: .version 99.1: expected 6.0 to 9.x"},
		{".version seven\n", "m.ptx:1: expected a version as in 7.0, found seven"},
		{".version 7.0\n.target sm_52\n", "m.ptx:2: .target sm_52: PTX has a memory model for sm_70 and above; compile for one of them, as with nvcc -arch=sm_70"},
		{".version 7.0\n.target sm_70\n.address_size 32\n", "m.ptx:3: .address_size 32: expected 64"},
		{head + ".surprise x;", "m.ptx:4: unknown directive .surprise"},
		{head + ".visible", "m.ptx:4: expected a variable or a function, found the end of the text"},
		{head + ".global .u32 x", "m.ptx:4: expected ';', found the end of the text"},
		{head + ".global .u33 x;", "m.ptx:4: unknown type .u33 of a variable"},
		{head + ".global .u32 x = {1, 2;", "m.ptx:4: expected ',' or '}', found ;"},
		{head + ".global .u32 x[2] = {1, 2, 3};", "m.ptx:4: variable x has 3 values, but room for 2"},
		{head + ".global .b8 x[1000000][1000000][1000000];", "m.ptx:4: variable x: it is too large"},
		{head + ".global .align 3 .b8 x;", "m.ptx:4: .align 3: expected a power of two"},
		{head + "/* without end", "m.ptx:4: a comment that begins here does not end"},
		{head + ".file 1 \"queue.cu\n", "m.ptx:4: a string that begins here does not end on its line"},
		{head + ".section .debug {\n", "m.ptx:4: a section that begins here does not end"},
		{head + ".entry f() {\n\tret;\n", "m.ptx:6: expected '}', found the end of the text, inside of function f, which begins in line 4"},
		{head + ".entry f() {\n\tadd.s32", "m.ptx:5: expected an operand, found the end of the text, inside of function f, which begins in line 4"},
		{head + ".entry f() {\n\tadd.s32 %r1, 1, 1;", "m.ptx:5: expected '}', found the end of the text, inside of function f, which begins in line 4"},
		{head + ".entry f() { .reg .b32 %r<99999999>; }", "m.ptx:4: %r<99999999>: at most 1048576 registers"},
		{head + ".entry f() { .reg .c32 %r<9>; }", "m.ptx:4: unknown type .c32 of registers"},
		{head + ".entry f() { @p bra x; }", "m.ptx:4: unknown predicate p"},
		{head + ".entry f() { ld.u32 x, [y]; }", "m.ptx:4: unknown name y"},
		{head + ".entry f() {\nx:\nx: }", "m.ptx:6: label x stands here for the second time"},
		{head + ".entry f() { t: .branchtargets nowhere; }", "m.ptx:4: unknown label nowhere"},
		{head + ".entry f() { .unheard; }", "m.ptx:4: unknown directive .unheard"},
		{head + ".entry f() { .reg .v2 .b32 %v; }", "m.ptx:4: unknown type .v2 of registers"},
		{head + ".entry f() { .reg .b32 r; vadd.u32 r.b0, r, r; }", "m.ptx:4: r.b0: parts of a register are not supported"},
		{head + ".entry f()" + strings.Repeat("{", 2000), "m.ptx:4: more than 1000 blocks in one another"},
		{head + ".entry f() { x " + strings.Repeat("(", 2000), "m.ptx:4: an operand with more than 4 lists in one another"},
	} {
		_, err := Parse("m.ptx", c.text)
		var e *Error
		if assert.True(t, errors.As(err, &e), "%q: %v", c.text, err) {
			assert.Equal(t, c.message, err.Error())
		}
	}
}

func TestLargeModulesAreRefusedAtOnce(t *testing.T) {
	_, err := Parse("m.ptx", strings.Repeat("x", 100<<20))
	assert.EqualError(t, err, "m.ptx:1: a module of 104857600 bytes: at most 16777216 are read")
}

// Wherever a module is cut off, that is said, with a line of the text.
func TestCutOffAnywhere(t *testing.T) {
	text := corpus(t)["ticket.ptx"]
	lines := strings.Count(text, "\n")
	step := 37
	if testing.Short() {
		step = 997
	}
	for n := 0; n < len(text); n += step {
		_, err := Parse("m.ptx", text[:n])
		var e *Error
		if errors.As(err, &e) {
			assert.LessOrEqual(t, e.Line, lines+1)
			assert.Positive(t, e.Line)
		} else {
			assert.NoError(t, err) // between two functions nothing is missing
		}
	}
}

func FuzzParse(f *testing.F) {
	// small ones: of a whole module little would be tried in the time
	f.Add(head + ".visible .global .align 4 .u32 abi = 3;\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\t.reg .pred %p<2>;\n\t.reg .b64 %rd<3>;\n" +
		"\tld.param.u64 %rd1, [k_param_0];\n$L1:\n\tatom.add.u64 %rd2, [%rd1+8], 1; // site count\n\tsetp.eq.s64 %p1, %rd2, 0;\n\t@%p1 bra $L1;\n\tret;\n}\n")
	f.Add(head + ".func (.param .b32 r) g(.reg .u64 b);\n.entry k() .maxntid 1, 1, 1 { .param .b32 p0; call.uni (p0), g, (1); .loc 1 2 3\n exit; }")
	f.Add(head + ".entry f() { .reg .b32 %r<3>; t: .branchtargets t; brx.idx %r1, t; { .reg .pred p; @!p mov.b32 {%r1, _}, [%r2+-8]; } }")
	f.Add(head + ".global .u64 x[] = {{1, generic(x)+8}, {-0f3F800000}};\n.section .debug { .b8 1 }")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse("m.ptx", text)
		if err != nil {
			var e *Error
			require.True(t, errors.As(err, &e))
			return
		}
		for _, fn := range m.Functions {
			for _, in := range fn.Code {
				for _, o := range in.Operands {
					if o.Kind == IsLabel {
						require.LessOrEqual(t, o.Value, uint64(len(fn.Code)))
					}
				}
			}
		}
	})
}

// A module of 5,000 lines is there in far less than 50 ms.
func BenchmarkParse(b *testing.B) {
	text := corpus(b)["tz.ptx"]
	b.SetBytes(int64(len(text)))
	b.ReportMetric(float64(strings.Count(text, "\n")), "lines")
	for b.Loop() {
		if _, err := Parse("tz.ptx", text); err != nil {
			b.Fatal(err)
		}
	}
}
