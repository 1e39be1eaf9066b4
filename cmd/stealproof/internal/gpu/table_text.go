package gpu

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"stealproof/cmd/stealproof/internal/version"
)

// commandLine is the command as it can be repeated.
func commandLine(cmd *cobra.Command, args []string) string {
	words := append([]string{"stealproof", "gpu", cmd.Name()}, args...)
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		switch fl.Name {
		case "out", "date":
		default:
			words = append(words, "--"+fl.Name+"="+strings.Trim(fl.Value.String(), "[]"))
		}
	})
	return strings.Join(words, " ")
}

// markdown is the whole text.
func (t *table) markdown() string {
	var b strings.Builder
	t.head(&b)
	for i, s := range t.sections {
		t.section(&b, s, t.cells[i])
	}
	if len(t.resets) > 0 {
		t.wraps(&b)
	}
	return b.String()
}

const howToRead = `A cell counts the objects that violate what the structure promises, as in
**78 of 6600**: of the objects that were run, 78. Behind it stand the violating
objects per million operations, and the time on the device until the first
violation was complete. *Not observed* says in how many operations, and is no
proof that it cannot happen. Every launch was decided, and what was not says so.
`

func (t *table) head(b *strings.Builder) {
	d, f := t.calibration.Device, t.flags
	fmt.Fprintf(b, "# Seen on an %s\n\n", d.Name)
	driver := "for CUDA " + d.Driver
	if v := driverVersion(); v != "" {
		driver = v + ", " + driver
	}
	ends := fmt.Sprintf("after %s, %d launches, or %d violating objects", f.cell, f.launches, f.enough)
	if f.within > 0 {
		ends += fmt.Sprintf("; sooner where all cells would not end within %s", f.within)
	}
	for _, line := range [][2]string{
		{"device", fmt.Sprintf("%s, compute capability %d.%d, %d multiprocessors at %d MHz", d.Name, d.Major, d.Minor, d.Multiprocessors, d.ClockMHz)},
		{"driver", driver},
		{"clock", describeClock(t.calibration)},
		{"date", f.date},
		{"program", "stealproof " + version.Name()},
		{"command", "`" + t.command + "`"},
		{"capture", f.capture},
		{"seed", fmt.Sprintf("%d for the first launch of each cell, then the next ones", f.seed)},
		{"a cell ends", ends},
	} {
		fmt.Fprintf(b, "- %s: %s\n", line[0], line[1])
	}
	fmt.Fprintf(b, "\n%s\n", howToRead)
	fmt.Fprintf(b, "A cell can be run again: `stealproof gpu run STRUCTURE --check --keep-going --capture %s --seed %d --repeat N`\nwith the flags of its table and of its column.\n", f.capture, f.seed)
}

func (t *table) section(b *strings.Builder, s tableSection, cells [][]tableCell) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n- all: `%s`\n", s.title, s.about, s.flags)
	for _, c := range s.columns {
		fmt.Fprintf(b, "- %s: `%s`\n", c.name, c.flags)
	}
	b.WriteString("\n| | structure |")
	for _, c := range s.columns {
		fmt.Fprintf(b, " %s |", c.name)
	}
	b.WriteString("\n| --- | --- |" + strings.Repeat(" --- |", len(s.columns)) + "\n")
	for i, r := range s.rows {
		fmt.Fprintf(b, "| %s | `%s` |", r.name, r.spec)
		for _, c := range cells[i] {
			fmt.Fprintf(b, " %s |", c)
		}
		b.WriteString("\n")
	}
}

const aboutWraps = `Each reset of a deque counts its counter up by one. The rates are those of one
deque, the mean of a launch, read from counters of 32 bits that nothing else was
done to meanwhile, not even recording. Behind them: after how long a counter of so
many bits is back where it was. A thief that sleeps for that long between reading
head and swapping it can take a task that was taken before.
`

func (t *table) wraps(b *strings.Builder) {
	fmt.Fprintf(b, "\n## abp: time until the counter goes round\n\n%s\n", aboutWraps)
	for _, r := range t.resets {
		fmt.Fprintf(b, "- %s: `%s %s`\n", r.name, r.spec, r.flags)
	}
	b.WriteString("\n| | resets a second | 1 bit |")
	for _, width := range wrapWidths[1:] {
		fmt.Fprintf(b, " %d bits |", width)
	}
	b.WriteString("\n| --- | --- |" + strings.Repeat(" --- |", len(wrapWidths)) + "\n")
	for _, r := range t.resets {
		b.WriteString(r.row())
	}
}
