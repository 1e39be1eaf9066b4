package main

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What may import what, and why, is said in docs/architecture.md. A new package
// gets a place in the layers of its folder, and that is all.

// mayImport says which folders at the top the libraries may import of the others;
// cmd may import everything.
var mayImport = map[string][]string{
	"model":     {},
	"ref":       {"model"},
	"gpu":       {"model"},
	"linearize": {"model"},
	"fuzz":      {"model", "ref", "linearize"},
}

func TestImportRule(t *testing.T) {
	for _, f := range goFiles(t) {
		allowed, isLibrary := mayImport[f.folder()]
		if !isLibrary || f.isTest() {
			continue
		}
		for _, p := range f.ours() {
			folder := strings.SplitN(p, "/", 2)[0]
			assert.Truef(t, folder == f.folder() || slices.Contains(allowed, folder),
				"%s imports %s: %s may import %v of the repository", f.path, p, f.folder(), allowed)
		}
	}
}

// ours are the packages of the repository that a file imports, without the name of
// the module.
func (f goFile) ours() []string {
	var all []string
	for _, p := range f.imports() {
		if ours, found := strings.CutPrefix(p, "stealproof/"); found {
			all = append(all, ours)
		}
	}
	return all
}

// layers are the packages of a folder, "." is the folder itself: each imports of
// them only such as stand on a line before its own.
var layers = map[string][]string{
	"model": {"."},
	"gpu":   {"."},
	"ref": {
		"axioms ptx/syntax",
		"internal/weak",
		".",
		"litmus ptx/machine ptx/patch ptx/lint",
		"litmus/library litmus/module litmus/picture",
		"ptx ptx/instances",
	},
	"linearize": {
		"internal/machine internal/wording internal/timing internal/certify internal/witness record",
		"internal/finding internal/general internal/search internal/testkit",
		"internal/limits internal/causal internal/explain internal/monitor",
		"internal/minimise",
		". format", // who checks what it recorded itself needs no files
		"draw/page draw/page/pagetest format/parquet",
		"draw",
	},
	"fuzz": {
		"choice trace internal/lines internal/workers internal/given internal/queues exhaust/internal/rounds",
		"exhaust/internal/graph exhaust/internal/buffering",
		"programs schedule",
		". sites",
		"exhaust",
		"shrink mutate progress compare",
		"fences",
		"queuetest",
	},
	"cmd/stealproof/internal": {
		"exit words usage report",
		"files report/reporttest",
		"console",
		"subject version",
		"cases",
		"explore/search",
		"explore/runs explore/exhaustive explore/fences",
		"compare",
		"histories explore replay litmus progress mutants lint verify gpu manual",
		"command",
		"commandtest",
	},
	"cmd/stealproof": {"."},
}

func TestImportRuleInsideFolders(t *testing.T) {
	type place struct {
		folder string
		line   int
	}
	places := map[string]place{}
	for folder, lines := range layers {
		for i, line := range lines {
			for name := range strings.FieldsSeq(line) {
				places[path.Join(folder, name)] = place{folder, i + 1}
			}
		}
	}
	for _, f := range goFiles(t) {
		if f.isTest() {
			continue
		}
		own, known := places[path.Dir(f.path)]
		assert.Truef(t, known, "%s is on no line of the layers", path.Dir(f.path))
		for _, p := range f.ours() {
			if other := places[p]; other.folder == own.folder && known {
				assert.Lessf(t, other.line, own.line, "%s imports %s, which stands on no line before its own", f.path, p)
			}
		}
	}
}

// needless is what a package must not reach through others of ours: whoever tests
// a queue would link it with every test.
var needless = map[string][]string{
	"linearize":      {"github.com/parquet-go/parquet-go", "html/template", "text/template", "github.com/spf13/cobra", "stealproof/linearize/format"},
	"fuzz/queuetest": {"github.com/parquet-go/parquet-go", "html/template", "text/template", "github.com/spf13/cobra", "stealproof/ref/ptx"},
}

func TestNothingNeedlessIsImported(t *testing.T) {
	imports := map[string]map[string]bool{} // of each package
	for _, f := range goFiles(t) {
		if f.isTest() {
			continue
		}
		own := path.Dir(f.path)
		if imports[own] == nil {
			imports[own] = map[string]bool{}
		}
		for _, p := range f.imports() {
			imports[own][p] = true
		}
	}
	for pkg, unwanted := range needless {
		require.NotEmpty(t, imports[pkg], pkg)
		through := map[string]string{} // who imports it
		reach(imports, pkg, through)
		for _, p := range unwanted {
			assert.Emptyf(t, through[p], "%s reaches %s", pkg, p)
		}
	}
	through := map[string]string{}
	reach(imports, "cmd/stealproof", through)
	assert.Equal(t, "linearize/format/parquet", through["github.com/parquet-go/parquet-go"], "the command writes tables")
}

// reach notes for all packages that one imports, directly or through others of
// ours, who imports them.
func reach(imports map[string]map[string]bool, pkg string, through map[string]string) {
	for p := range imports[pkg] {
		if through[p] == "" {
			through[p] = pkg
			reach(imports, strings.TrimPrefix(p, "stealproof/"), through)
		}
	}
}

func TestFoldersAreSmall(t *testing.T) {
	const most = 30
	files := map[string]int{}
	for _, f := range goFiles(t) {
		if !f.isTest() {
			files[path.Dir(f.path)]++
		}
	}
	for folder, n := range files {
		assert.LessOrEqual(t, n, most, "%s: %d files, which is more than anybody overlooks", folder, n)
	}
}
