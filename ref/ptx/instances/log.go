package instances

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Log is what came out of the instances of all forms on some machine.
type Log struct {
	Machine   string // where they ran
	Seed      uint64
	Instances int // of each form
	Forms     []FormLog
}

// FormLog is what came out of one form: Results words of each instance.
type FormLog struct {
	Name    string
	Results []uint64
}

const magic = "stealproof-instances 1"

// Write writes a log: compressed text, a line for the log and one for each form.
func (l *Log) Write(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(z)
	fmt.Fprintf(b, "%s\tseed %d\tinstances %d\t%s\n", magic, l.Seed, l.Instances, l.Machine)
	for _, f := range l.Forms {
		b.WriteString(f.Name)
		for _, v := range f.Results {
			fmt.Fprintf(b, "\t%x", v)
		}
		b.WriteByte('\n')
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return z.Close()
}

// ReadLog reads a log.
func ReadLog(r io.Reader) (*Log, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<26)
	l := &Log{}
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if l.Instances == 0 {
			if len(fields) != 4 || fields[0] != magic {
				return nil, fmt.Errorf("a log of instances is expected, which begins with %q", magic)
			}
			if _, err := fmt.Sscanf(fields[1]+" "+fields[2], "seed %d instances %d", &l.Seed, &l.Instances); err != nil || l.Instances < 1 {
				return nil, fmt.Errorf("seed and number of instances are expected, found %q", lines.Text())
			}
			l.Machine = fields[3]
			continue
		}
		f := FormLog{Name: fields[0]}
		for _, field := range fields[1:] {
			v, err := strconv.ParseUint(field, 16, 64)
			if err != nil {
				return nil, fmt.Errorf("form %s: %w", f.Name, err)
			}
			f.Results = append(f.Results, v)
		}
		if len(f.Results) != Results*l.Instances {
			return nil, fmt.Errorf("form %s: %d results, expected %d", f.Name, len(f.Results), Results*l.Instances)
		}
		l.Forms = append(l.Forms, f)
	}
	return l, lines.Err()
}
