package draw

import (
	"fmt"
	"slices"

	"stealproof/linearize"
	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// page is what the HTML of the timeline shows.
type page struct {
	Title, Sentence  string
	File, Numbered   string // numbered are operations, by line or by record
	Notes            []string
	Width, Height    int
	NameWidth, NameX int
	Rows             []pageRow
	Bars             []pageBar
	Ticks            []pageTick
	Operations       []pageOperation
}

type pageRow struct {
	Name         string
	Y, Line, Alt int
	Odd          bool
}

type pageBar struct {
	X, Y, Width, Height int
	TextX, TextY        int
	Class, Label, Title string
	Pending             bool
}

type pageTick struct {
	X, Y1, Y2, LabelY int
	Label             string
}

// pageOperation is a line of the table below the picture.
type pageOperation struct {
	Line, Process uint32
	Label         string
	Call, Return  string
	Contradicting bool
}

func (t *timeline) page(v linearize.Violation) *page {
	p := &page{
		Title:     fmt.Sprintf("Violation (%s) on object %d", v.Kind, v.Object),
		Sentence:  v.Explanation,
		File:      t.origin.File,
		Numbered:  t.numbered(),
		Width:     t.width - t.nameWidth(),
		Height:    topMargin + len(t.rows)*rowHeight + axisHeight,
		NameWidth: t.nameWidth(),
		NameX:     t.nameWidth() - padding,
	}
	for i, process := range t.rows {
		p.Rows = append(p.Rows, pageRow{Name: rowName(process), Y: topMargin + i*rowHeight, Line: topMargin + i*rowHeight + rowHeight/2 + 4, Alt: rowHeight, Odd: i%2 == 1})
	}
	for _, b := range t.bars {
		p.Bars = append(p.Bars, t.pageBar(b))
		if b.marked {
			p.Operations = append(p.Operations, operationLine(b))
		}
	}
	p.Ticks = t.ticks()
	p.Notes = t.notes()
	return p
}

func rowName(process uint32) string { return fmt.Sprintf("process %d", process) }

func (t *timeline) pageBar(b *bar) pageBar {
	y := topMargin + b.row*rowHeight + (rowHeight-barHeight)/2
	class := "near"
	if b.marked {
		class = "marked"
	}
	return pageBar{
		X: b.x, Y: y, Width: b.end - b.x, Height: barHeight,
		TextX: b.x + padding/2, TextY: y + barHeight/2 + 4,
		Class: class, Label: b.label, Title: t.sentenceOf(b.op), Pending: b.op.Pending(),
	}
}

func operationLine(b *bar) pageOperation {
	o := b.op
	line := pageOperation{Line: o.Line, Process: o.Process, Label: wording.Phrase(o), Call: fmt.Sprint(o.Call), Return: "never", Contradicting: b.marked}
	if o.Result == model.Unknown {
		line.Label = b.label
	}
	if !o.Pending() {
		line.Return = fmt.Sprint(o.Return)
	}
	return line
}

// ticks labels the stops of the axis where there is room, as distances from
// the first if the numbers are long.
func (t *timeline) ticks() []pageTick {
	var ticks []pageTick
	bottom := topMargin + len(t.rows)*rowHeight
	free := t.nameWidth()
	for _, s := range t.stamps {
		tick := pageTick{X: s.x, Y1: topMargin, Y2: bottom, LabelY: bottom + 18}
		label := t.stopLabel(s)
		if half := digit * len(label) / 2; s.x-half >= free {
			tick.Label = label
			tick.Y2 += 5
			free = s.x + half + padding/2
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// numbered says what the numbers of operations count.
func (t *timeline) numbered() string {
	if t.origin.Records {
		return "record"
	}
	return "line"
}

// stopLabel says when a stop is.
func (t *timeline) stopLabel(s stop) string {
	switch {
	case s.at < t.first:
		return "earlier"
	case s.at > t.last:
		return "later"
	}
	return fmt.Sprint(s.at - t.zero())
}

const longStamp = 1_000_000_000

// zero is what the axis counts from.
func (t *timeline) zero() uint64 {
	if t.last >= longStamp {
		return t.first
	}
	return 0
}

func (t *timeline) notes() []string {
	axis := "The axis is not to scale: moments stand in their order, labels say when."
	if t.beyond() {
		axis += " What began before the marked operations, or ended after them, is cut off there."
	}
	if unit := t.h.Clock.Unit; unit != "" {
		axis += " Times are in " + unit + "."
	}
	if t.zero() > 0 {
		axis += fmt.Sprintf(" Labels count from %d.", t.zero())
	}
	notes := []string{axis}
	if t.nearby > 0 {
		notes = append(notes, t.paleNote())
	}
	if t.left > 0 {
		notes = append(notes, fmt.Sprintf("%d more operations belong to the violation and are not drawn.", t.left))
	}
	return notes
}

// beyond says whether the axis has a place for earlier or later.
func (t *timeline) beyond() bool {
	return slices.ContainsFunc(t.stamps, func(s stop) bool { return s.at < t.first || s.at > t.last })
}

func (t *timeline) paleNote() string {
	pale := "The pale operation was"
	if t.nearby > 1 {
		pale = fmt.Sprintf("The %d pale operations were", t.nearby)
	}
	return pale + " under way on the same object meanwhile; the marked ones have no legal order even without."
}
