package litmus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/model"
	"stealproof/ref/litmus"
)

// expectations are verdicts that somebody has written down.
type expectations struct {
	file  string
	lines []expectation
}

type expectation struct {
	line int
	path string
	want litmus.Verdict
}

func readExpectations(file string) (*expectations, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, files.Error(file, err)
	}
	e := &expectations{file: file}
	seen := map[string]int{}
	for i, line := range strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		comma := strings.LastIndexByte(line, ',')
		path := strings.Trim(strings.TrimSpace(line[:max(comma, 0)]), `"`)
		verdict := map[string]litmus.Verdict{"1": litmus.Holds, "0": litmus.Fails}[strings.TrimSpace(line[comma+1:])]
		if path == "" || verdict == litmus.Undecided {
			return nil, fmt.Errorf("%s:%d: expected PATH,1 (holds) or PATH,0 (fails), found %.60q", file, i+1, line)
		}
		path = filepath.Clean(filepath.FromSlash(path))
		if first, twice := seen[path]; twice {
			return nil, fmt.Errorf("%s:%d: %s is listed on line %d already", file, i+1, path, first)
		}
		seen[path] = i + 1
		e.lines = append(e.lines, expectation{i + 1, path, verdict})
	}
	if len(e.lines) == 0 {
		return nil, fmt.Errorf("%s: expected lines PATH,1 (holds) and PATH,0 (fails), found none", file)
	}
	return e, nil
}

// files are the tests that are listed: below the working folder, or where the
// list is.
func (e *expectations) files() []string {
	var files []string
	for _, x := range e.lines {
		beside := filepath.Join(filepath.Dir(e.file), x.path)
		if _, err := os.Stat(x.path); err == nil {
			files = append(files, x.path)
		} else if _, err := os.Stat(beside); err == nil {
			files = append(files, beside)
		}
	}
	return files
}

// answerIndex finds answers by the paths of their files.
type answerIndex struct {
	answers  []answer
	absolute map[string]int   // the first answer of each file
	whole    map[string][]int // the first two by the path as it was given
	endings  map[string][]int // and by everything that such a path ends with
}

func newAnswerIndex(answers []answer) *answerIndex {
	x := &answerIndex{answers: answers, absolute: map[string]int{}, whole: map[string][]int{}, endings: map[string][]int{}}
	note := func(among map[string][]int, path string, i int) {
		if len(among[path]) < 2 {
			among[path] = append(among[path], i)
		}
	}
	for i := range answers {
		if file := absolute(answers[i].file); !has(x.absolute, file) {
			x.absolute[file] = i
		}
		file := filepath.Clean(answers[i].file)
		note(x.whole, file, i)
		for _, ending := range pathEndings(file) {
			note(x.endings, ending, i)
		}
	}
	return x
}

func has[V any](m map[string]V, key string) bool {
	_, found := m[key]
	return found
}

// pathEndings are the path, what follows its first separator, its second, and so on.
func pathEndings(path string) []string {
	endings := []string{path}
	for i := range len(path) {
		if path[i] == filepath.Separator && i+1 < len(path) {
			endings = append(endings, path[i+1:])
		}
	}
	return endings
}

// find matches a listed path with the files that were asked for: the same file,
// seen from the working folder or from the list; otherwise the one of which the
// one path ends with the other, if there is only one.
func (x *answerIndex) find(e *expectations, line expectation) (*answer, error) {
	fits := []int{}
	for _, path := range []string{line.path, filepath.Join(filepath.Dir(e.file), line.path)} {
		if i, found := x.absolute[absolute(path)]; found {
			fits = append(fits, i)
		}
	}
	if len(fits) > 0 {
		return &x.answers[slices.Min(fits)], nil
	}
	fits = append(fits, x.endings[line.path]...)
	for _, ending := range pathEndings(line.path) {
		fits = append(fits, x.whole[ending]...)
	}
	slices.Sort(fits)
	switch fits = slices.Compact(fits); len(fits) {
	case 0:
		return nil, nil
	case 1:
		return &x.answers[fits[0]], nil
	}
	return nil, fmt.Errorf("%s:%d: %s may be %s or %s: expected one of them", e.file, line.line, line.path, x.answers[fits[0]].file, x.answers[fits[1]].file)
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

// found puts an expectation that is not met into the report: it stands in the list.
func (e *expectations) found(con *console.Console, x expectation, item, what string) {
	con.Report.Find(report.Finding{Item: item, Kind: report.Unexpected, Message: what, File: e.file, Line: x.line})
}

// compare names what differs from the expectations, and what of them was
// not looked at. The error is exit.ErrReported.
func (e *expectations) compare(con *console.Console, answers []answer) (verdict model.Verdict, wrong error) {
	verdict = model.Linearizable
	agree, differ, missing := 0, 0, 0
	index := newAnswerIndex(answers)
	for _, x := range e.lines {
		answer, err := index.find(e, x)
		switch {
		case err != nil:
			con.Say("%v", err)
			wrong = exit.ErrReported
		case answer == nil:
			missing++
			con.Print("not found: %s: listed in %s, line %d\n", x.path, e.file, x.line)
			con.Report.Add(report.Item{Name: x.path, Verdict: model.NotRun.String(), Expected: x.want.String()})
			e.found(con, x, x.path, "not found: "+x.path)
		case answer.err != nil:
			differ++
			con.Print("differs: %s: expected %s, found no test\n", answer.file, x.want)
			e.found(con, x, answer.file, fmt.Sprintf("%s: expected %s, found no test", answer.file, x.want))
		case answer.result.Verdict != x.want:
			differ++
			con.Print("differs: %s %s: expected %s, found %s\n", answer.file, answer.test.Name, x.want, answer.result.Verdict)
			e.found(con, x, answer.file, fmt.Sprintf("%s %s: expected %s, found %s", answer.file, answer.test.Name, x.want, answer.result.Verdict))
		default:
			agree++
		}
	}
	if differ+missing > 0 {
		verdict = model.Violation
	}
	fmt.Fprintf(con.Err, "%s: %s as expected, %d differ, %d not found\n", e.file, words.Plural(agree, "test"), differ, missing)
	return verdict, wrong
}
