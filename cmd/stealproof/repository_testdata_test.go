package main

import (
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patterns are the names and globs by which tests and embeds of a folder refer
// to files, relative to the root.
func patterns(all []goFile) []string {
	var found []string
	for _, f := range all {
		folder := path.Dir(f.path)
		for _, group := range f.syntax.Comments {
			for _, c := range group.List {
				if list, isEmbed := strings.CutPrefix(c.Text, "//go:embed "); isEmbed {
					for pattern := range strings.FieldsSeq(list) {
						found = append(found, path.Join(folder, pattern))
					}
				}
			}
		}
		if !f.isTest() {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(text, "testdata/") {
					found = append(found, path.Join(folder, text))
				}
			}
			return true
		})
	}
	return found
}

// functions lists the tests and fuzz targets of each folder, as folder/Name.
func functions(all []goFile) map[string]bool {
	found := map[string]bool{}
	for _, f := range all {
		for _, decl := range f.syntax.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && f.isTest() && d.Recv == nil {
				found[path.Join(path.Dir(f.path), d.Name.Name)] = true
			}
		}
	}
	return found
}

// usedBy says whether something reads the file: the engine of fuzz targets and
// of rapid by the name of the function, everything else by a name or a glob.
func usedBy(file string, known []string, function map[string]bool) bool {
	folder, inside, _ := strings.Cut(file, "/testdata/")
	parts := strings.Split(inside, "/")
	switch {
	case parts[0] == "fuzz" && len(parts) == 3:
		return function[path.Join(folder, parts[1])]
	case parts[0] == "rapid" && len(parts) == 3:
		name, _, _ := strings.Cut(parts[1], "_")
		return function[path.Join(folder, name)]
	case parts[0] == "stealproof" && len(parts) == 3:
		return function[path.Join(folder, parts[1])]
	}
	for _, pattern := range known {
		if ok, err := path.Match(pattern, file); ok && err == nil {
			return true
		}
	}
	return false
}

func TestNoFileUnderTestdataIsOrphaned(t *testing.T) {
	all := goFiles(t)
	known, function := patterns(all), functions(all)
	for _, file := range files(t) {
		if strings.Contains(file, "/testdata/") {
			assert.Truef(t, usedBy(file, known, function), "%s: no test and no embed refers to it", file)
		}
	}
}

func TestWhatCountsAsOrphaned(t *testing.T) {
	known := []string{"linearize/format/testdata/good/*", "ref/testdata/one.golden"}
	function := map[string]bool{"model/FuzzCase": true, "model/TestTexts": true}
	for file, want := range map[string]bool{
		"linearize/format/testdata/good/a.jsonl": true,
		"linearize/format/testdata/bad/a.jsonl":  false,
		"ref/testdata/one.golden":                true,
		"ref/testdata/two.golden":                false,
		"model/testdata/fuzz/FuzzCase/1234":      true,
		"model/testdata/fuzz/FuzzGone/1234":      false,
		"fuzz/testdata/fuzz/FuzzCase/1234":       false,
		"model/testdata/rapid/TestTexts_a/1":     true,
		"model/testdata/rapid/TestGone/1":        false,
		"model/testdata/fuzz/FuzzCase/sub/1234":  false,
	} {
		assert.Equal(t, want, usedBy(file, known, function), file)
	}
}

func TestEverySavedCaseIsAmongTheFindings(t *testing.T) {
	findings, err := os.ReadFile(filepath.Join(root, "docs", "findings.md"))
	require.NoError(t, err)
	fences, err := os.ReadFile(filepath.Join(root, "docs", "fences.md"))
	require.NoError(t, err)
	cases, err := filepath.Glob(filepath.Join(root, "fuzz", "testdata", "cases", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, c := range cases {
		assert.True(t, strings.Contains(string(findings)+string(fences), filepath.Base(c)), "%s: a counterexample that no finding speaks of", c)
	}
}
