package litmus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
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
		return nil, console.FileError(file, err)
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

// find matches a listed path with the files that were asked for: the same file,
// seen from the working folder or from the list; otherwise the one that shares
// the most folders with it, if there is one that fits to the end.
func (e *expectations) find(x expectation, answers []answer) (*answer, error) {
	beside := absolute(filepath.Join(filepath.Dir(e.file), x.path))
	for i := range answers {
		if file := absolute(answers[i].file); file == absolute(x.path) || file == beside {
			return &answers[i], nil
		}
	}
	var found *answer
	for i := range answers {
		file := filepath.Clean(answers[i].file)
		if !endsWithPath(file, x.path) && !endsWithPath(x.path, file) {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%s:%d: %s may be %s or %s: expected one of them", e.file, x.line, x.path, found.file, answers[i].file)
		}
		found = &answers[i]
	}
	return found, nil
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

func endsWithPath(path, end string) bool {
	return path == end || strings.HasSuffix(path, string(filepath.Separator)+end)
}

// compare names what differs from the expectations, and what of them was
// not looked at. The error is Reported.
func (e *expectations) compare(con *console.Console, answers []answer) (verdict model.Verdict, wrong error) {
	verdict = model.Linearizable
	agree, differ, missing := 0, 0, 0
	for _, x := range e.lines {
		answer, err := e.find(x, answers)
		switch {
		case err != nil:
			con.Say("%v", err)
			wrong = exit.Reported
		case answer == nil:
			missing++
			con.Print("not found: %s: listed in %s, line %d\n", x.path, e.file, x.line)
		case answer.err != nil:
			differ++
			con.Print("differs: %s: expected %s, found no test\n", answer.file, x.want)
		case answer.result.Verdict != x.want:
			differ++
			con.Print("differs: %s %s: expected %s, found %s\n", answer.file, answer.test.Name, x.want, answer.result.Verdict)
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
