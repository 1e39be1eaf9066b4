package gpu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"stealproof/gpu"
	"stealproof/model"
)

// tableSection is a table about one structure. All that its cells are run with
// stands in the flags of `stealproof gpu run`, so that each can be run again.
type tableSection struct {
	structure, title, about string
	flags                   string
	columns                 []tableColumn
	rows                    []tableRow
}

type tableColumn struct{ name, flags string }

// tableRow is what is run. The structures that are whole must hold.
type tableRow struct {
	name, spec string
	whole      bool
}

// tableSections are all tables, or those about some structures.
func tableSections(multiprocessors int, only []string) []tableSection {
	all := []tableSection{
		abpFences(multiprocessors), abpDefects(multiprocessors), abpWidths(multiprocessors), tzSection(multiprocessors), theSection(multiprocessors),
		blockingSection(multiprocessors), staticSection(multiprocessors), listSection(multiprocessors),
	}
	if len(only) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(s tableSection) bool { return !slices.Contains(only, s.structure) })
}

// crowd is so many queues that each multiprocessor gets so many processes.
func crowd(multiprocessors, each, processes int) string {
	return fmt.Sprintf("--groups %d --processes %d", max(1, multiprocessors*each/processes), processes)
}

// hammering is six warps of stress on each multiprocessor, and random placement.
func hammering(multiprocessors int) string {
	return fmt.Sprintf("--stress %d --shuffle", 6*multiprocessors)
}

// levels of stress: none, naps, stress.
func levels(multiprocessors, each, processes int, naps string) []tableColumn {
	size := crowd(multiprocessors, each, processes)
	return []tableColumn{{"none", size}, {"naps", size + " " + naps}, {"stress", size + " " + hammering(multiprocessors)}}
}

func thieves(multiprocessors int) []tableColumn {
	var columns []tableColumn
	for _, n := range []int{3, 7} {
		for _, c := range levels(multiprocessors, 20, n+1, "--naps 2us --nap-one-in 4") {
			name := fmt.Sprintf("%d thieves", n)
			if c.name != "none" {
				name += ", " + c.name
			}
			columns = append(columns, tableColumn{name, c.flags})
		}
	}
	return columns
}

func abpFences(multiprocessors int) tableSection {
	s := tableSection{structure: "abp", title: "abp: published variants, and fences left out", flags: "--ops 1000", columns: thieves(multiprocessors),
		about: "The deque of Arora, Blumofe and Plaxton: whole, with all fences; the listing of the book; the release of 2011; and whole without one fence.",
		rows: []tableRow{
			{"whole", "abp", true}, {"the book's listing", "abp:variant=book", false}, {"release of 2011", "abp:variant=release2011", false},
			{"without any fence", "abp:without=all", false},
		}}
	for _, fence := range gpu.Names(design("abp").Fences) {
		if fence != "pop-task-tail" { // only the release of 2011 has it
			s.rows = append(s.rows, tableRow{"without " + fence, "abp:without=" + fence, false})
		}
	}
	return s
}

func abpDefects(multiprocessors int) tableSection {
	return tableSection{structure: "abp", title: "abp: defects", flags: "--ops 250", about: "One step changed or left out, as named in `stealproof explore --list`.",
		columns: levels(multiprocessors, 2, 4, "--naps 2us --nap-one-in 4"), rows: defects("abp", "")}
}

func abpWidths(multiprocessors int) tableSection {
	small, crowded := crowd(multiprocessors, 2, 4), crowd(multiprocessors, 2, 8)
	s := tableSection{structure: "abp", title: "abp: width of the counter", flags: "--ops 1000 --burst 2 --mix 45",
		about: "So many bits count the resets of the deque. A thief that sleeps while the counter goes round takes what was taken before.",
		columns: []tableColumn{
			{"3 thieves, naps up to 20 µs", small + " --naps 20us"}, {"3 thieves, up to 100 µs", small + " --naps 100us"}, {"7 thieves, up to 100 µs", crowded + " --naps 100us"},
		}}
	for _, width := range []int{0, 1, 2, 4, 8, 16} {
		s.rows = append(s.rows, tableRow{fmt.Sprintf("%d bits", width), fmt.Sprintf("abp:width=%d", width), width == 16})
	}
	s.rows[1].name = "1 bit"
	return s
}

func tzSection(multiprocessors int) tableSection {
	rows := []tableRow{
		{"whole (mended), no slot used twice", "tz:capacity=2048", true}, {"whole (mended), four slots", "tz:capacity=4", false},
		{"as published", "tz:capacity=4,variant=original", false}, {"skeleton of 2008", "tz:capacity=64,variant=skeleton", false},
	}
	return tableSection{structure: "tz", title: "tz", flags: "--ops 500 --patience 20000",
		about: `The queue of Tsigas and Zhang. With four slots a process that naps misses whole
rounds; two nulls survive one use of a slot meanwhile, not two, so the defects are to
be compared with the row of the whole one with four slots.`,
		columns: levels(multiprocessors, 2, 4, "--naps 200us --nap-one-in 32"), rows: append(rows, defects("tz", "capacity=4,")...)}
}

func theSection(multiprocessors int) tableSection {
	rows := []tableRow{{"whole", "the", true}}
	for _, setting := range []string{"fill=beg-first", "fill=end-first", "failed=empty", "failed=empty-if-equal", "compare=unsigned", "base=2147483600", "base=2147483600,compare=difference", "base=4294967000,compare=difference", "without=pop-beg-end", "without=steal-end-beg", "without=all"} {
		rows = append(rows, tableRow{setting, "the:" + setting, false})
	}
	return tableSection{structure: "the", title: "the", flags: "--ops 500 --patience 100000", about: "The range queue with the protocol of Dijkstra: whole, with the choices that its listings leave open, without its fences, and with defects.",
		columns: levels(multiprocessors, 2, 4, "--naps 2us --nap-one-in 4"), rows: append(rows, defects("the", "", "steal-unlocked", "end-before-beg", "beg-before-end", "steal-keeps")...)}
}

func blockingSection(multiprocessors int) tableSection {
	rows := []tableRow{{"whole", "blocking", true}, {"as printed", "blocking:variant=printed", false}}
	return tableSection{structure: "blocking", title: "blocking", flags: "--ops 500 --patience 100000", about: "The queue with a lock.",
		columns: levels(multiprocessors, 2, 4, "--naps 2us --nap-one-in 4"), rows: append(rows, defects("blocking", "", "no-lock", "unlock-early")...)}
}

func staticSection(multiprocessors int) tableSection {
	return tableSection{structure: "static", title: "static", flags: "--ops 500 --phases 50", about: "The task bag that is filled in one phase and emptied in the next.",
		columns: levels(multiprocessors, 2, 4, "--naps 2us --nap-one-in 4"), rows: append([]tableRow{{"whole", "static", true}}, defects("static", "", "no-fetch-and-add", "block-repeated")...)}
}

func listSection(multiprocessors int) tableSection {
	return tableSection{structure: "list", title: "list", flags: "--ops 250 --patience 100000", about: "The shared list of ranges with a lock.",
		columns: levels(multiprocessors, 2, 4, "--naps 2us --nap-one-in 4"), rows: append([]tableRow{{"whole", "list", true}}, defects("list", "", "no-lock", "unlock-early")...)}
}

func design(name string) *gpu.Design {
	return gpu.Designs[slices.IndexFunc(gpu.Designs, func(d *gpu.Design) bool { return d.Name == name })]
}

// defects are rows of a structure, one for each defect, or for those named.
func defects(structure, settings string, names ...string) []tableRow {
	if len(names) == 0 {
		names = gpu.Names(design(structure).Defects)
	}
	var rows []tableRow
	for _, name := range names {
		rows = append(rows, tableRow{name, structure + ":" + settings + "defect=" + name, false})
	}
	return rows
}

// parse reads flags as gpu run does.
func (t *table) parse(spec, flags string) (gpu.Options, error) {
	var f launchFlags
	fl := pflag.NewFlagSet(spec, pflag.ContinueOnError)
	f.register(fl)
	if t.patched == nil {
		t.patched = f.patched.once()
	}
	f.patched = t.patched
	if err := fl.Parse(strings.Fields(flags)); err != nil {
		return gpu.Options{}, err
	}
	f.capture, f.Timeout, f.Device = t.flags.capture, t.flags.timeout, t.flags.device
	o, err := f.options([]string{spec})
	o.Resolution, o.Spread = t.calibration.Tick, t.calibration.Spread()
	return o, err
}

// kindOf is what a module of somebody else says it is, or what our structure is.
func kindOf(o gpu.Options) model.Kind {
	if o.Image != nil {
		return o.Kind
	}
	return design(o.Spec.Structure).Kind
}
