package gpu

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"strings"

	"stealproof/model"
)

//go:embed testdata/*.jsonl.gz testdata/expected.txt
var stored embed.FS

// StoredHistory is a history that was captured from a device and is kept. Its
// header says where it comes from.
type StoredHistory struct {
	Name    string
	Verdict model.Verdict
	Kind    string // of the violation, empty if there is none
	Text    []byte // JSON Lines
}

// StoredHistories returns the histories that the project keeps, with the
// verdicts that testdata/expected.txt gives them: a line per file, its name, the
// verdict, and the kind of the violation.
func StoredHistories() ([]StoredHistory, error) {
	list, err := stored.ReadFile("testdata/expected.txt")
	if err != nil {
		return nil, err
	}
	var all []StoredHistory
	for i, line := range strings.Split(strings.TrimSpace(string(list)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		h, err := storedHistory(strings.Fields(line))
		if err != nil {
			return nil, fmt.Errorf("testdata/expected.txt:%d: %w", i+1, err)
		}
		all = append(all, h)
	}
	return all, nil
}

func storedHistory(fields []string) (h StoredHistory, err error) {
	if len(fields) < 2 || len(fields) > 3 {
		return h, fmt.Errorf("expected a file, a verdict and the kind of a violation")
	}
	h.Name = fields[0]
	if h.Verdict, err = model.ParseVerdict(fields[1]); err != nil {
		return h, err
	}
	if len(fields) == 3 {
		h.Kind = fields[2]
	}
	packed, err := stored.ReadFile("testdata/" + h.Name)
	if err != nil {
		return h, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return h, err
	}
	h.Text, err = io.ReadAll(z)
	return h, err
}
