package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
)

// The rules of the repository, held by tests. What may import what, and why,
// is said in docs/architecture.md.

const root = "../.."

// goFile is a parsed file of the repository; its path is relative to the root,
// with slashes.
type goFile struct {
	path   string
	syntax *ast.File
}

func (f goFile) folder() string { return strings.SplitN(f.path, "/", 2)[0] }

func (f goFile) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

var fileSet = token.NewFileSet()

// files lists every file below the root, without what git keeps for itself.
func files(t testing.TB) []string {
	t.Helper()
	var all []string
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if !d.IsDir() {
			name, err = filepath.Rel(root, name)
			all = append(all, filepath.ToSlash(name))
		}
		return err
	}))
	require.Contains(t, all, "go.mod", "the root of the repository")
	return all
}

// goFiles are all Go files, which are parsed once for all tests.
func goFiles(t testing.TB) []goFile {
	t.Helper()
	parsed.Do(func() { parsed.files = parseAll(t) })
	require.Greater(t, len(parsed.files), 50)
	return parsed.files
}

var parsed struct {
	sync.Once
	files []goFile
}

func parseAll(t testing.TB) []goFile {
	t.Helper()
	var all []goFile
	for _, name := range files(t) {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		syntax, err := parser.ParseFile(fileSet, filepath.Join(root, name), nil, parser.ParseComments)
		require.NoError(t, err)
		all = append(all, goFile{name, syntax})
	}
	return all
}

// imports maps the names by which a file knows packages to their paths.
func (f goFile) imports() map[string]string {
	m := map[string]string{}
	for _, spec := range f.syntax.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(strings.TrimSuffix(p, "/v2"))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		m[name] = p
	}
	return m
}

func TestFoldersAtTheTop(t *testing.T) {
	allowed := []string{".ci", ".git", "cmd", "docs", "fuzz", "gpu", "linearize", "model", "ref"}
	ignored, err := os.ReadFile(filepath.Join(root, ".gitignore")) // what is built here belongs to nobody
	require.NoError(t, err)
	for line := range strings.FieldsSeq(string(ignored)) {
		allowed = append(allowed, strings.Trim(line, "/"))
	}
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() {
			assert.Contains(t, allowed, e.Name(), "a folder at the top that is none of the design's")
		}
	}
}

// forbidden is what a library must not do: end the process, or draw on
// randomness that no caller can repeat.
var forbidden = map[string]func(name string) bool{
	"os":            func(name string) bool { return name == "Exit" },
	"syscall":       func(name string) bool { return name == "Exit" },
	"log":           func(name string) bool { return strings.HasPrefix(name, "Fatal") },
	"math/rand":     isTopLevelRandom,
	"math/rand/v2":  isTopLevelRandom,
	"crypto/rand":   func(string) bool { return true },
	"hash/maphash":  func(name string) bool { return name == "MakeSeed" },
	"testing/quick": func(string) bool { return true },
}

// isTopLevelRandom accepts generators that are seeded by their caller, and
// names of types.
func isTopLevelRandom(name string) bool {
	return !slices.Contains([]string{"New", "NewSource", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "Source", "Source64", "PCG", "ChaCha8", "Zipf"}, name)
}

func TestLibrariesNeitherExitNorRollDice(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.folder() == "cmd" || f.isTest() {
			continue
		}
		imports := f.imports()
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				pkg, name := selected(imports, s)
				refuse := forbidden[pkg]
				assert.Falsef(t, refuse != nil && refuse(name), "%s: a library must not use %s.%s", fileSet.Position(n.Pos()), pkg, name)
			}
			if call, ok := n.(*ast.CallExpr); ok && makesRandom(imports, call) {
				assert.Falsef(t, readsClock(imports, call), "%s: randomness seeded from the clock", fileSet.Position(n.Pos()))
			}
			return true
		})
	}
}

// selected resolves package.Name; the package is empty if it is no package.
func selected(imports map[string]string, s *ast.SelectorExpr) (pkg, name string) {
	if x, ok := s.X.(*ast.Ident); ok && x.Obj == nil {
		return imports[x.Name], s.Sel.Name
	}
	return "", s.Sel.Name
}

func makesRandom(imports map[string]string, call *ast.CallExpr) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, name := selected(imports, s)
	return strings.HasPrefix(pkg, "math/rand") && strings.HasPrefix(name, "New") || name == "Seed"
}

func readsClock(imports map[string]string, call *ast.CallExpr) (found bool) {
	ast.Inspect(call, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			pkg, name := selected(imports, s)
			found = found || pkg == "time" && name == "Now"
		}
		return true
	})
	return found
}

// Packages whose names end in "test", such as queuetest, are for tests: they alone
// may register flags and import testing, and nothing of them may show up in the
// command.
func TestTheCommandHasNothingOfTests(t *testing.T) {
	forTests := func(name string) bool { return strings.HasSuffix(name, "test") }
	for _, f := range goFiles(t) {
		if f.isTest() || forTests(path.Dir(f.path)) {
			continue
		}
		for _, p := range f.imports() {
			assert.False(t, p == "testing" || p == "flag" || strings.HasPrefix(p, "stealproof/") && forTests(p), "%s imports %s", f.path, p)
		}
	}
	assert.NotContains(t, commandtest.Run(t, "explore", "--help").Out, "stealproof.seed")
}

func TestOnlyOneFileImportsPorcupine(t *testing.T) {
	var importing []string
	for _, f := range goFiles(t) {
		for _, p := range f.imports() {
			if strings.HasPrefix(p, "github.com/anishathalye/porcupine") {
				importing = append(importing, f.path)
			}
		}
	}
	assert.Equal(t, []string{"linearize/internal/general/porcupine.go"}, importing)
}

// methods that every Go programmer knows need no comment.
var wellKnown = []string{"String", "Error", "Unwrap", "Is", "Len", "Less", "Swap", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "Read", "Write", "Close"}

func TestExportedNamesHaveComments(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.isTest() {
			continue
		}
		for _, decl := range f.syntax.Decls {
			for _, name := range uncommented(decl) {
				assert.Failf(t, "exported and without a comment", "%s: %s", fileSet.Position(decl.Pos()), name)
			}
		}
	}
}

// uncommented lists the exported names that a declaration leaves unexplained.
func uncommented(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		isMethod := d.Recv != nil
		if isMethod && (!ast.IsExported(receiver(d)) || slices.Contains(wellKnown, d.Name.Name)) {
			return nil
		}
		if d.Name.IsExported() && d.Doc == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && s.Doc == nil && d.Doc == nil {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}

func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
