package litmus

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/axioms"
)

// everything uses all of the dialect.
const everything = `(* a comment (* in another *) *)
PTX every-thing+of.it
"a text with { braces,
over two lines"
{
x=0; P0:r0=1;y = 7 ;; P1:r10=-3
}
 P0@cta 0,gpu 0            | P1 @ cta 1 , gpu 0                  ; // a comment
 LC00:                     |                                     ;
 st.weak x, 1              | ld.weak r0, x                       ;
 st.relaxed.cta x, r0      | ld.relaxed.cluster r1, y            ;
 st.release.sys x, -2      | ld.acquire.gpu r2, y                ;
 ld r1, 5                  | ld r3, r1                           ;
 add r1, r1, 2             | sub r3, 1, r3                       ;
 mul r1, r1, 2             | div r3, 8, 2                        ;
 fence.sc.gpu              | fence.acq_rel.cta                   ;
 fence.acquire.sys         | fence.release.cluster               ;
 bar.cta.sync 1            | bar.cta.arrive 1, r0                ;
 bar.cta.sync 1, 2, 2      | bar.cta.arrive 1, 2, r1             ;
 atom.relaxed.gpu.add r4, x, 1   | atom.acquire.gpu.exch r4, x, r1     ;
 atom.acq_rel.gpu.cas r4, x, 1,2 | atom.release.cta.inc r4, x, 3       ;
 red.relaxed.gpu.max x, 1        | red.release.gpu.xor x, 1            ;
 beq r0, 1, LC01           | bne r0, r1, LC01                    ;
 bge r0, 1, LC01           | ble r0, r1, LC01                    ;
 bgt r0, 1, LC01           | blt r0, r1, LC01                    ;
 goto LC01                 | LC01: ld r0, 1                      ;
 LC01:                     |                                     ;
locations [x; P0:r1;]
filter (x == 1 \/ ~(P1:r0 != 0))
forall (P0:r0 = 1 /\ (y == 7 \/ 0 == 0))
`

func TestParse(t *testing.T) {
	test, err := Parse("every.litmus", everything)
	require.NoError(t, err)
	assert.Equal(t, "every-thing+of.it", test.Name)
	assert.Equal(t, []string{"x", "y"}, test.Locations)
	assert.Equal(t, []int64{0, 7}, test.Initial)
	assert.Equal(t, axioms.Place{GPU: 0, Cluster: 1, CTA: 1}, test.Threads[1].Place, "each block is a cluster of its own")
	assert.Equal(t, int64(-3), test.Threads[1].Initial[0])
	assert.Len(t, test.Threads[0].Code, 17)
	assert.Equal(t, `forall (P0:r0 == 1 /\ (y == 7 \/ 0 == 0))`, test.statementText())
	_, err = Parse("every.litmus", strings.ReplaceAll(everything, "\n", "\r\n"))
	assert.NoError(t, err, "lines may end as on Windows")
}

// Others write the same in other ways.
func TestSpellingsOfOthers(t *testing.T) {
	const ours = `PTX t
{ x=0; P0:r0=16; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak x, r0  | ld.weak r0, x  ;
 bar.cta.sync 1 | bar.cta.sync 1 ;
locations [x; P0:r0]
filter (x == 16)
`
	const others = `ptx t
{ x=0; 0:r0=0x10; };
 P0@cta 0,gpu 0     | 1@cta 0,gpu 0      ;
 st.weak x, r0      | ld.weak r0, x      ;
 barrier.cta.sync 1 | barrier.cta.sync 1 ;
locations [x; 0:r0;];
filter (x == 16);
`
	for one, other := range map[string]string{
		"exists (P0:r0 == 1)":                                    "exists (0:r0 = 1)",
		"~exists (~(P1:r0 == 1))":                                "not exists (not (1:r0 = 1));",
		"exists (x == 1)":                                        "exists ([x] = 0x1)",
		"exists (~(x == 1) \\/ P0:r0 == 1)":                      "exists ([x] = 1 => 0:r0 = 1)",
		"exists (~(x == 1) \\/ (~(x == 2) \\/ x == 3))":          "exists (x = 1 => x=2 => x=3)",
		"forall (x >= 1 /\\ x <= 2 /\\ P1:r0 < 3 /\\ P1:r0 > 0)": "forall (x>=1 /\\ x<=2 /\\ 1:r0<3 /\\ 1 : r0>0)",
		"exists (0 == x)":                                        "exists (0 = x)",
	} {
		want, err := Parse("ours", ours+one)
		require.NoError(t, err, one)
		got, err := Parse("others", others+other)
		require.NoError(t, err, other)
		assert.Equal(t, one, want.statementText(), "written as it is read")
		for _, test := range []*Test{want, got} { // where it stands in the file may differ
			for _, th := range test.Threads {
				for i := range th.Code {
					th.Code[i].At = Position{}
				}
			}
		}
		assert.Equal(t, want, got, other)
	}
}

// oneThread is a test around one cell.
func oneThread(cell string) string {
	return "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 ;\n " + cell + " ;\nexists (x == 1)\n"
}

func TestParseErrors(t *testing.T) {
	head := "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
	for text, want := range map[string]string{
		"":                                       `1:1: expected "PTX" and a name, found the end of the file`,
		"AArch64 MP\n{}":                         `1:1: expected "PTX" and a name, found "AArch64"`,
		"PTX\n{}":                                `1:4: expected a name after "PTX", on the same line`,
		"PTX t\n":                                `2:1: expected declarations in braces, found the end of the file`,
		"PTX t\n\"open {":                        `2:1: the text has no end: expected '"'`,
		"PTX t\n(* open {":                       `2:1: the comment has no end: expected "*)"`,
		"PTX t\n{ x=0":                           `2:6: expected ";" or "}", found the end of the file`,
		"PTX t\n{ x:r1=0 }":                      `2:3: expected a thread, as in P0, before ':', found "x"`,
		"PTX t\n{ x=1; x=2; }":                   `2:8: location x is declared twice`,
		"PTX t\n{ r1=2; }":                       `2:3: expected a location, found "r1"`,
		"PTX t\n{ x 1; }":                        `2:5: expected "=", found "1"`,
		"PTX t\n{ x=1x; }":                       `2:5: expected a number of at most 64 bits, found "1x"`,
		"PTX t\n{ x=99999999999999999999; }":     `2:5: expected a number of at most 64 bits, found "99999999999999999999"`,
		"PTX t\n{ 0=1; }":                        `2:4: expected ":" and a register of thread 0, found "="`,
		"PTX t\n{ 1x:r0=1; }":                    `2:3: expected a declaration, as in "x=0" or "P0:r1=0", or "}", found "1x"`,
		"PTX t\n{ x=0xg; }":                      `2:5: expected a number of at most 64 bits, found "0xg"`,
		"PTX t\n{ x=&y; }":                       `2:5: expected a number, found "&": the dialect has no addresses, registers and locations hold numbers`,
		"PTX t\n{ 0:r0=x; }":                     `2:8: expected a number, found "x": the dialect has no addresses, registers and locations hold numbers`,
		"PTX t\n{ x aliases y; }":                `2:5: expected "=", or "@" and a proxy, found "aliases"`,
		"PTX t\n{ x @ async aliases y; }":        `2:7: expected a proxy: generic, constant, surface or texture, found "async"`,
		"PTX t\n{ x @ texture y; }":              `2:15: expected "aliases", found "y"`,
		"PTX t\n{ x @ texture aliases x; }":      `2:23: expected another location, found "x"`,
		"PTX t\n{ x @ texture aliases y; x=1; }": `2:26: location x is declared twice`,
		"PTX t\n{ x=1; x @ texture aliases y; }": `2:8: location x is declared twice`,
		"PTX t\n{ y @ generic aliases x; x @ generic aliases z; }": `2:26: x is named above as a location of its own: expected this before`,
		"PTX t\n{ P7:r0=1; }\n P0@cta 0,gpu 0 ;\nexists (x==1)":    `2:3: there is no thread P7: expected one of P0`,
		"PTX t\n{}\n P0 ;":                                               `3:5: expected "@" and where the thread runs, as in "P0@cta 0,gpu 0", found ";"`,
		"PTX t\n{}\n P0@gpu 0 ;":                                         `3:11: thread P0: expected the block where it runs, as in "cta 0"`,
		"PTX t\n{}\n P0@cta 0,cta 1 ;":                                   `3:11: cta stands here twice`,
		"PTX t\n{}\n P0@warp 0 ;":                                        `3:5: expected "cta", "cluster" or "gpu", found "warp"`,
		"PTX t\n{}\n P0@cta -1,gpu 0 ;":                                  `3:9: expected the number of the cta from 0 to 1048576, found -1`,
		"PTX t\n{}\n P0@cta 0,gpu 0 | P0@cta 0,gpu 0 ;":                  `3:19: thread P0 stands here twice`,
		"PTX t\n{}\n P0@cta 0,gpu 0 | P1@cta 0,cluster 0,gpu 0 ;":        `3:19: expected a cluster for every thread, or for none`,
		head + " st.weak x, 1 ;\nexists (x==1)":                          `4:15: the row ends after 1 of 2 cells: expected "|"`,
		head + " st.weak x, 1 | | ;\nexists (x==1)":                      `4:19: there is no thread for this cell: expected 2 in a row`,
		head + " st.weak x, 1 | ld.weak r0, x\nexists (x==1)":            `5:1: expected "|" or ";", found "exists"`,
		head + " | ;\n":                                                  `5:1: expected an instruction: one of ` + instructionNames + `; or a statement: exists, ~exists or forall, found the end of the file`,
		head + " st.weak x, 1 |\nexists (x==1)":                          `5:1: expected "|" or ";" and the rest of the row, found "exists"`,
		head + " st.weak x, 1 | 7 ;\nexists (x==1)":                      `4:17: expected an instruction: one of ` + instructionNames + `, found "7"`,
		head + " | ;\nexists (P2:r0 == 1)":                               `5:9: there is no thread "P2": expected one of P0, P1`,
		head + " ld.weak r1, x | ;\nexists (P1:r1 == 1)":                 `5:12: register r1 is neither declared for P1 nor named by an instruction of it: P1 has no register`,
		head + " | ld.weak r10, x ;\n | ld r2, 1 ;\nexists (P1:r1 == 1)": `6:12: register r1 is neither declared for P1 nor named by an instruction of it: expected one of r2, r10`,
		head + " | ;\nfilter (x == 0 /\\ z == 0) exists (x == 1)":        `5:19: location z is neither declared nor named by an instruction: expected one of x`,
		head + " st.weak y, 1 | ;\nlocations [x; z] exists (x == 1)":     `5:15: location z is neither declared nor named by an instruction: expected one of x, y`,
		head + " | ;\nlocations [P0:r0] exists (x == 1)":                 `5:15: register r0 is neither declared for P0 nor named by an instruction of it: P0 has no register`,
		head + " | ;\nlocations [P2:r0] exists (x == 1)":                 `5:12: there is no thread "P2": expected one of P0, P1`,
		head + " | ;\nexists (r0 == 1)":                                  `5:9: expected the thread of register r0, as in P0:r0`,
		head + " | ;\nexists (P0:x == 1)":                                `5:12: expected a register, as in r0, found "x"`,
		head + " | ;\nexists (x # 1)":                                    `5:11: unexpected '#'`,
		head + " | ;\nexists (x 1)":                                      `5:11: expected "==", "!=", "<", "<=", ">" or ">=", found "1"`,
		head + " | ;\nexists (x => 1)":                                   `5:11: expected "==", "!=", "<", "<=", ">" or ">=", found "=>"`,
		head + " | ;\nexists (x[0] == 1)":                                `5:10: expected "==", "!=", "<", "<=", ">" or ">=", found "["`,
		head + " | ;\nexists ([r0] == 1)":                                `5:10: expected a location, found "r0"`,
		head + " | ;\nexists ([z] == 1)":                                 `5:10: location z is neither declared nor named by an instruction: expected one of x`,
		head + " | ;\nexists (2:r0 == 1)":                                `5:9: there is no thread "2": expected one of P0, P1`,
		head + " | ld r2, 1 ;\nexists (1:r1 == 1)":                       `5:11: register r1 is neither declared for P1 nor named by an instruction of it: expected one of r2`,
		head + " | ;\nlocations [0] exists (x == 1)":                     `5:12: expected a location or a register of a thread, found "0"`,
		head + " | ;\nfinal (x == 1)":                                    `5:1: unknown instruction "final": expected one of ` + instructionNames,
		head + " | ;\nexists (x == 1":                                    `5:15: expected "/\", "\/" or ")", found the end of the file`,
		head + " | ;\nexists (x == 1) y":                                 `5:17: expected "/\", "\/" or the end of the file, found "y"`,
		head + " | ;\n~forall (x == 1)":                                  `5:2: expected "exists" after "~", found "forall"`,
		head + " | ;\nfilter (x == 1)":                                   `5:16: expected a statement: exists, ~exists or forall, found the end of the file`,
		head + " | ;\nlocations [x y] exists(x=1)":                       `5:14: expected ";" or "]", found "y"`,
		oneThread("mov r0, 1"):                                           `4:2: unknown instruction "mov": expected one of ` + instructionNames,
		oneThread("ld.volatile r0, x"):                                   `4:5: "ld.volatile": expected "ld.relaxed.sys", which is what PTX takes a volatile access for`,
		oneThread("ld.sc.sys r0, x"):                                     `4:5: "ld.sc.sys": PTX has fences of order sc, but no accesses: expected "fence.sc.sys" and behind it "ld.acquire.sys", as a compiler would have it`,
		oneThread("st.sc x, 1"):                                          `4:5: "st.sc": PTX has fences of order sc, but no accesses: expected "fence.sc.gpu" and behind it "st.release.gpu", as a compiler would have it`,
		oneThread("atom.sc.cta.cas r0, x, 0, 1"):                         `4:7: "atom.sc.cta.cas": PTX has fences of order sc, but no accesses: expected "fence.sc.cta" and behind it "atom.acq_rel.cta.cas", as a compiler would have it`,
		oneThread("red.sc.gpu.add x, 1"):                                 `4:6: "red.sc.gpu.add": PTX has fences of order sc, but no accesses: expected "fence.sc.gpu" and behind it "red.acq_rel.gpu.add", as a compiler would have it`,
		oneThread("ld.relaxed r0, x"):                                    `4:12: "ld.relaxed" ends too early: expected .cta, cluster, gpu or sys`,
		oneThread("ld.weak.gpu r0, x"):                                   `4:10: "ld.weak.gpu": a weak access has no scope`,
		oneThread("ld.acquire.gpu.x r0, x"):                              `4:17: "ld.acquire.gpu.x": expected nothing after "ld.acquire.gpu", found "x"`,
		oneThread("ld.release.gpu r0, x"):                                `4:5: "ld.release.gpu": expected weak, relaxed or acquire, found "release"`,
		oneThread("st.acquire.gpu x, 1"):                                 `4:5: "st.acquire.gpu": expected weak, relaxed or release, found "acquire"`,
		oneThread("st.weak x"):                                           `4:12: expected ",", found ";"`,
		oneThread("st.weak r0, 1"):                                       `4:10: expected a location, found "r0"`,
		oneThread("st.weak x, y"):                                        `4:13: expected a register or a number, found "y"`,
		oneThread("ld r0, x"):                                            `4:9: expected a register or a number, found "x"`,
		oneThread("ld.weak x, r0"):                                       `4:10: expected a register, as in r0, found "x"`,
		oneThread("fence.sc"):                                            `4:10: "fence.sc" ends too early: expected .cta, cluster, gpu or sys`,
		oneThread("fence.weak.gpu"):                                      `4:8: "fence.weak.gpu": expected acquire, release, acq_rel or sc, found "weak"`,
		oneThread("fence.proxy"):                                         `4:13: "fence.proxy" ends too early: expected .alias, generic, constant, surface or texture`,
		oneThread("fence.proxy.async"):                                   `4:14: "fence.proxy.async": expected alias, generic, constant, surface or texture, found "async"`,
		oneThread("fence.proxy.alias.gpu"):                               `4:20: "fence.proxy.alias.gpu": expected nothing after "fence.proxy.alias", found "gpu"`,
		oneThread("tld r0, x"):                                           `4:5: "tld" ends too early: expected .weak, relaxed or acquire`,
		oneThread("sttex.weak x, 1"):                                     `4:2: unknown instruction "sttex.weak": expected one of ` + instructionNames,
		oneThread("bar.sync 0"):                                          `4:6: "bar.sync": expected cta, found "sync"`,
		oneThread("bar.cta.sync 0, 1, 2 ;\n bar.cta.sync 0, 1"):          `5:2: expected a number of participants, as line 4 has it for barrier 0`,
		oneThread("membar.gl"):                                           `4:2: "membar.gl": expected "fence.sc.gpu", which is what PTX takes it for`,
		oneThread("membar.gpu"):                                          `4:9: "membar.gpu": expected cta, gl or sys, found "gpu"`,
		oneThread("bar.gpu.sync 0"):                                      `4:6: "bar.gpu.sync": expected cta, found "gpu"`,
		oneThread("bar.cta.wait 0"):                                      `4:10: "bar.cta.wait": expected sync or arrive, found "wait"`,
		oneThread("bar.cta.sync"):                                        `4:15: expected the number of the barrier, found ";"`,
		oneThread("atom.weak.gpu.add r0, x, 1"):                          `4:7: "atom.weak.gpu.add": expected relaxed, acquire, release or acq_rel, found "weak"`,
		oneThread("atom.relaxed.gpu.nand r0, x, 1"):                      `4:19: "atom.relaxed.gpu.nand": expected add, sub, mul, div, and, or, xor, inc, min, max, exch or cas, found "nand"`,
		oneThread("red.relaxed.gpu.exch x, 1"):                           `4:18: "red.relaxed.gpu.exch": expected add, sub, mul, div, and, or, xor, inc, min or max, found "exch"`,
		oneThread("beq r0, 1, there"):                                    `4:13: expected a label, as in LC0, found "there"`,
		oneThread("goto LC7"):                                            `4:7: there is no label LC7 in P0`,
		oneThread("LC1: ; LC1:"):                                         `4:9: label LC1 stands in this thread twice`,
		oneThread("\xff"):                                                `4:2: byte 0xff is not text: expected UTF-8`,
	} {
		_, err := Parse("t.litmus", text)
		assert.EqualError(t, err, "t.litmus:"+want, text)
	}
}

// What the message says instead of an access of order sc can be read.
func TestWhatStandsForAnAccessOfOrderSC(t *testing.T) {
	for instruction, operands := range map[string]string{"ld.sc": " r0, x", "st.sc.cta": " x, 1", "atom.sc.sys.exch": " r0, x, 1", "red.sc.cluster.max": " x, 1"} {
		_, err := Parse("t", oneThread(instruction+operands))
		require.ErrorContains(t, err, "PTX has fences of order sc")
		parts := strings.Split(err.Error(), `"`) // the instruction, the fence, what stands behind it
		require.Len(t, parts, 7)
		test, err := Parse("t", strings.Replace(oneThread(parts[3]+" ;\n"+parts[5]+operands), "exists", "forall", 1))
		require.NoError(t, err)
		assert.Equal(t, axioms.SC, test.Threads[0].Code[0].Order)
		assert.GreaterOrEqual(t, test.Threads[0].Code[1].Order, axioms.Acquire)
	}
}

// What is declared may be asked for, though no instruction names it.
func TestDeclaredNamesMayBeAskedFor(t *testing.T) {
	test, err := Parse("t.litmus", "PTX t\n{ x=3; P0:r7=2; }\n P0@cta 0,gpu 0 ;\n ;\nexists (x == 3 /\\ P0:r7 == 2)")
	require.NoError(t, err)
	assert.Equal(t, Holds, Decide(t.Context(), test, Options{}).Verdict)
}

func TestDeepConditionsAreRefused(t *testing.T) {
	text := strings.Replace(oneThread(""), "(x == 1)", strings.Repeat("(", 5000)+"x == 1", 1)
	_, err := Parse("t.litmus", text)
	assert.ErrorContains(t, err, "the condition nests deeper than 1000")
}

// FuzzParse: whatever is read, there is a test or an error with a place; and a
// test that is read can be decided, within the time given.
func FuzzParse(f *testing.F) {
	f.Add(everything)
	f.Add(oneThread("st.weak x, 1"))
	files, err := filepath.Glob("testdata/*.litmus")
	require.NoError(f, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		test, err := Parse("fuzz.litmus", text)
		if err != nil {
			var input *InputError
			require.ErrorAs(t, err, &input)
			require.Positive(t, input.Line)
			require.Positive(t, input.Column)
			require.NotContains(t, input.Msg, "\n")
			return
		}
		require.NotEmpty(t, test.Threads)
		require.NotEmpty(t, test.statementText())
		seen := 0
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond) // the search grows exponentially
		defer cancel()
		_, _ = Each(ctx, test, Options{Unroll: 1}, func(e *Execution) bool {
			seen++
			require.Nil(t, axioms.Check(axioms.PTX, e.Graph))
			require.Empty(t, e.Relations().Open())
			return seen < 100
		})
	})
}
