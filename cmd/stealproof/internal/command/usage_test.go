package command_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// commands lists those that the help shows, as messages do.
func commands(t *testing.T) string {
	t.Helper()
	_, list, found := strings.Cut(commandtest.Run(t).Out, "\nAvailable Commands:\n")
	require.True(t, found)
	list, _, _ = strings.Cut(list, "\n\n")
	var names []string
	for line := range strings.Lines(list) {
		if name := strings.Fields(line)[0]; name != "help" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func TestCommandsThatScriptsCall(t *testing.T) {
	for _, name := range []string{"verify", "check", "explore", "replay", "litmus", "convert", "version", "completion"} {
		assert.Contains(t, strings.Split(commands(t), ", "), name)
	}
}

func TestBadCommandLines(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"history.jsonl": commandtest.Holding})
	tests := []struct {
		args string
		want string
	}{
		{"chek", `unknown command "chek": expected one of ` + commands(t) + ` (see "stealproof --help")`},
		{"help chek", `unknown command "chek": expected one of ` + commands(t) + ` (see "stealproof --help")`},
		{"--bogus", `unknown flag: --bogus (see "stealproof --help")`},
		{"-x", `unknown shorthand flag: 'x' in -x (see "stealproof --help")`},
		{"check", `check: expected a history file, or '-' for standard input (see "stealproof check --help")`},
		{"check --bogus history.jsonl", `unknown flag: --bogus (see "stealproof check --help")`},
		{"check --timeout soon history.jsonl", `--timeout "soon": expected a duration, as in 30s or 5m (see "stealproof check --help")`},
		{"check --timeout -1s history.jsonl", `--timeout -1s: expected a duration above 0, or 0 for none`},
		{"check --jobs -1 history.jsonl", `--jobs -1: expected at least 1, or 0 for one per processor`},
		{"check --jobs many history.jsonl", `--jobs "many": expected a number (see "stealproof check --help")`},
		{"check --memory -1 history.jsonl", `--memory "-1": expected a number from 0 up (see "stealproof check --help")`},
		{"check --quiet=perhaps history.jsonl", `--quiet "perhaps": expected true or false (see "stealproof check --help")`},
		{"check history.jsonl --model", `flag needs an argument: --model (see "stealproof check --help")`},
		{"check --model stack history.jsonl", `--model: unknown model "stack": expected one of wsdeque, fifo, range, bag`},
		{"check --checker oracle history.jsonl", `unknown checker "oracle": expected one of auto, monitor, porcupine`},
		{"completion tcsh", `unknown command "completion tcsh": expected one of bash, fish, powershell, zsh (see "stealproof completion --help")`},
		{"verify twice", `verify: expected no arguments, found "twice" (see "stealproof verify --help")`},
		{"verify --quick --long", `--quick and --long exclude each other`},
		{"version 2", `version: expected no arguments, found "2" (see "stealproof version --help")`},
		{"replay", `replay: expected one saved case ('-' is standard input), or a folder of them, found 0 arguments (see "stealproof replay --help")`},
		{"replay a b", `replay: expected one saved case ('-' is standard input), or a folder of them, found 2 arguments (see "stealproof replay --help")`},
		{"explore", `explore: expected one structure, as in abp:width=1 (--list shows them), found 0 arguments (see "stealproof explore --help")`},
		{"explore abp tz", `explore: expected one structure, as in abp:width=1 (--list shows them), found 2 arguments (see "stealproof explore --help")`},
		{"explore --runs x abp", `--runs "x": expected a number (see "stealproof explore --help")`},
		{"explore --seed -3 abp", `--seed "-3": expected a number from 0 up (see "stealproof explore --help")`},
		{"explore --runs 0 abp", `--runs 0: expected at least 1`},
		{"explore --jobs -1 abp", `--jobs -1: expected at least 1, or 0 for one per processor`},
		{"explore --jobs 1000000000 abp", `--jobs 1000000000: expected at most 4096`},
		{"check --jobs 1000000000 history.jsonl", `--jobs 1000000000: expected at most 4096`},
		{"mutants --jobs 1000000000 abp", `--jobs 1000000000: expected at most 4096`},
		{"litmus --jobs 1000000000 test.litmus", `--jobs 1000000000: expected at most 4096`},
		{"explore --for -3s abp", `--for "-3s": expected a duration above 0, as in 30s or 5m (see "stealproof explore --help")`},
		{"explore --for 3s --runs 7 abp", `--runs and --for exclude each other`},
		{"explore --memory weak abp", `--memory "weak": expected sc, native, ptx, rc11, tso, or where the processes run as in ptx:place=block`},
		{"explore --memory PTX abp", `--memory "PTX": expected sc, native, ptx, rc11, tso, or where the processes run as in ptx:place=block`},
		{"explore --memory ptx:block abp", `--memory "ptx:block": expected sc, native, ptx, rc11, tso, or where the processes run as in ptx:place=block`},
		{"explore --memory native:place=block abp", `--memory native:place=block: native has no settings`},
		{"explore --memory sc:place=block abp", `--memory: sc:place=block: sc has no settings`},
		{"explore --memory ptx:place=galaxy abp", `--memory: ptx: place=galaxy: expected block, cluster, gpu or system, or GPU.CLUSTER.BLOCK of every process, as in 0.0.0+0.0.1`},
		{"explore --memory ptx:place=-1.0.0+0.0.0+0.0.1 abp", `--memory: ptx: place=-1.0.0+0.0.0+0.0.1: expected block, cluster, gpu or system, or GPU.CLUSTER.BLOCK of every process, as in 0.0.0+0.0.1`},
		{"explore --memory ptx:place=0.0.0+0.0.1 abp", `ptx: place=0.0.0+0.0.1: expected a place for each of 3 processes, found 2`},
		{"explore --memory native --strategy pct abp", `--strategy does not apply to --memory native: there the machine decides who goes next`},
		{"explore deque", `unknown structure "deque": expected one of abp, tz, the, blocking, static, list`},
		{"explore ABP", `structure "ABP": expected a name, then settings as in "abp:width=2"`},
		{"explore abp:width", `structure "abp:width": setting "width": expected name=value`},
		{"explore abp:breadth=1", `structure abp: unknown setting "breadth": expected one of defect, mutant, orders, variant, width, capacity`},
		{"explore abp:capacity=0", `structure abp: capacity=0: expected a number from 1 to 1048576`},
		{"explore abp:variant=proven", `structure abp: variant=proven: expected one of fenced, book, release2011`},
		{"explore list:defect=none", `structure list: unknown defect "none": expected one of `},
		{"explore abp:orders=steal-read-head.release", `structure abp: orders=steal-read-head.release: steal-read-head is a load: expected one of weak, relaxed, acquire, sc`},
		{"explore abp:orders=pop-swap-head.weak", `structure abp: orders=pop-swap-head.weak: pop-swap-head is a cas: expected one of relaxed, acquire, release, acq_rel, sc`},
		{"explore abp:orders=pop-fence-tail-head.relaxed", `structure abp: orders=pop-fence-tail-head.relaxed: pop-fence-tail-head is a fence: expected one of weak, acquire, release, acq_rel, sc`},
		{"explore abp:orders=steal-read-head.weak+steal-read-head.acquire", `structure abp: orders=steal-read-head.weak+steal-read-head.acquire: access "steal-read-head" is given twice`},
		{"explore abp:orders=steal-read-head.strong", `structure abp: orders=steal-read-head.strong: unknown order "strong": expected one of weak, relaxed, acquire, release, acq_rel, sc`},
		{"explore abp:orders=peek.weak", `structure abp: orders=peek.weak: no access "peek": expected one of push-read-tail, `},
		{"explore --strategy luck abp", `unknown strategy "luck": expected one of bytes, choices, directed, mix, pct, random, round-robin`},
		{"explore --strategy pct:width=3 abp", `strategy pct: unknown setting "width": expected one of seed, steps, depth`},
		{"explore --strategy pct:depth=0 abp", `strategy pct: depth=0: expected a number from 1 to 100`},
		{"explore --strategy pct:depth abp", `--strategy: schedule "pct:depth": setting "depth": expected name=value`},
		{"explore --strategy choices:9*x abp", `--strategy: choice "9*x": expected a process, process/outcome, or either *times`},
		{"explore --strategy directed abp", `strategy directed: at=: no such location: expected one of `},
		{"explore --owner 0 abp", `--owner 0: expected 1 to 10000 operations`},
		{"explore --owner 3 tz", `--owner does not apply to tz: it has processes without an owner`},
		{"explore --thieves 2x2 list", `--thieves does not apply to list: it has processes without an owner`},
		{"explore --processes 2x2 abp", `--processes does not apply to abp: it has an owner and thieves`},
		{"explore --thieves 2y2 abp", `--thieves "2y2": expected processes x operations, as in 2x3, or the operations of each, as in 3+2`},
		{"explore --thieves 2x abp", `--thieves "2x": expected processes x operations, as in 2x3, or the operations of each, as in 3+2`},
		{"explore --thieves 999999999x2 abp", `--thieves "999999999x2": expected at most 64 processes, of at most 10000 operations each`},
		{"explore --processes 3+ tz", `--processes "3+": expected processes x operations, as in 2x3, or the operations of each, as in 3+2`},
		{"explore --memory ptx:buffering=yes abp", `--memory ptx:buffering=yes: load buffering is made by explore --exhaustive, explore --fences and compare alone`},
		{"explore --memory ptx:buffering=yes --exhaustive --races abp", `--races: no races are looked for in executions with load buffering: leave buffering=yes out`},
		{"explore --memory ptx:buffering=yes --exhaustive --clients 2 abp", `structure abp: a search of all clients does not make executions with load buffering: leave buffering=yes out`},
		{"explore --memory ptx:buffering=yes --exhaustive --processes 1+1 static", `structure static: load buffering is not made in programs with phases, since what the host does between them is not followed: leave buffering=yes out`},
		{"progress --memory ptx:buffering=yes abp", `--memory ptx:buffering=yes: load buffering is made by explore --exhaustive, explore --fences and compare alone`},
		{"mutants --memory ptx:buffering=yes abp", `--memory ptx:buffering=yes: load buffering is made by explore --exhaustive, explore --fences and compare alone`},
		{"explore --fences abp", `--fences needs a weak memory, as in --memory ptx, rc11 or tso: on a sequentially consistent one no fence is needed`},
		{"explore --memory ptx --fences=x abp", `--fences=x: expected orders or fences`},
		{"explore --memory ptx --fences= abp", `--fences=: expected orders or fences`},
		{"explore --memory ptx --fences --exhaustive abp", `--exhaustive does not apply to --fences: it makes random and exhaustive searches of its own, --runs limits the random ones`},
		{"explore --memory ptx --fences --for 5s abp", `--for does not apply to --fences: it makes random and exhaustive searches of its own, --runs limits the random ones`},
		{"explore --memory ptx --fences --history h.jsonl abp", `--history does not apply to --fences: it makes random and exhaustive searches of its own, --runs limits the random ones`},
		{"explore --memory ptx --fences --program 0:push abp", `--program does not apply to --fences: what one program needs is not what others do`},
		{"explore --memory ptx --fences --save history.jsonl abp", `--save history.jsonl: expected a folder for the counterexamples, found a file`},
		{"explore --program 0:push --owner 3 abp", `--owner does not apply to --program: it says itself what each process does`},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			o := commandtest.Run(t, strings.Fields(test.args)...)
			assert.Equal(t, exit.Usage, o.Code)
			assert.Empty(t, o.Out, "what went wrong stands on standard error")
			assert.Equal(t, 1, strings.Count(o.Err, "\n"), "one line: %s", o.Err)
			if strings.HasSuffix(test.want, " ") { // and then a list that may grow
				assert.Contains(t, o.Err, "stealproof: "+test.want)
			} else {
				o.RequireRefused(t, test.want)
			}
		})
	}
}

// What a shell makes of "$RUN" where RUN is not set.
func TestEmptyNames(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"history.jsonl": commandtest.Holding})
	commandtest.Run(t, "check", "history.jsonl", "").RequireRefused(t, `check: the name of file 2 is empty (see "stealproof check --help")`)
	commandtest.Run(t, "convert", "", "out.sph").RequireRefused(t, `convert: the name of file 1 is empty (see "stealproof convert --help")`)
	commandtest.Run(t, "convert", "history.jsonl", "").RequireRefused(t, `convert: the name of file 2 is empty (see "stealproof convert --help")`)
}

func TestHelpIsASuccess(t *testing.T) {
	for _, args := range []string{"", "help", "--help", "help check", "check --help", "check -h", "help help", "explore --help", "replay --help", "verify --help", "completion bash"} {
		o := commandtest.Run(t, strings.Fields(args)...)
		assert.Equal(t, exit.Holds, o.Code, args)
		assert.Empty(t, o.Err, args)
		assert.NotEmpty(t, o.Out, args)
	}
	assert.Equal(t, commandtest.Run(t, "check", "--help").Out, commandtest.Run(t, "help", "check").Out)
}

func TestHelpNamesEveryCommandAndExitCode(t *testing.T) {
	help := commandtest.Run(t).Out
	for command := range strings.SplitSeq(commands(t), ", ") {
		assert.Contains(t, help, "\n  "+command+" ")
		text := commandtest.Run(t, "help", command).Out
		assert.Contains(t, text, "Usage:\n  stealproof "+command, command)
		for line := range strings.SplitSeq(text, "\n") {
			assert.NotRegexp(t, `\s$`, line)
		}
	}
	for _, code := range []string{"0 everything", "1 a violation", "2 the command line", "3 undecided"} {
		assert.Contains(t, strings.ReplaceAll(help, "\n", " "), code)
	}
}

func TestVersion(t *testing.T) {
	o := commandtest.Run(t, "version")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Equal(t, o, commandtest.Run(t, "--version"))
	assert.Regexp(t, `^stealproof \S+, history format 1, case format 1, go\S+ \w+/\w+\n$`, o.Out)
}
