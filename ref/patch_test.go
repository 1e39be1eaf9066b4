package ref

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// sample is a text for patches: it reads x, stores what it read to y, fences,
// swaps x, and returns what y held before.
type sample struct {
	x, y                                     Location
	readX, readY, writeY, fence, swapX, free Access
}

func (s *sample) sites() []site {
	return []site{
		{"read x", &s.readX, variants{relaxed}}, {"read y", &s.readY, variants{acquired}}, {"write y", &s.writeY, variants{relaxed}},
		{"fence", &s.fence, variants{seqCst}}, {"swap x", &s.swapX, variants{relaxed}}, {"free", &s.free, variants{released}},
	}
}

func (s *sample) Do(m Memory, o *model.Operation) {
	o.Result = model.Empty
	x := m.Load(s.x, s.readX)
	y := m.Load(s.y, s.readY)
	m.Store(s.y, x+10, s.writeY)
	m.Fence(s.fence)
	if _, swapped := m.CompareAndSwap(s.x, x, x+1, s.swapX); swapped {
		o.Value, o.Result = y, model.OK
	}
	m.Store(s.x, 100, s.free)
}

// orderLog notes the accesses that are made, each with its site.
type orderLog struct {
	hostMemory
	log []string
}

func (l *orderLog) note(what string, a Access) { l.log = append(l.log, fmt.Sprint(what, a.Site)) }

func (l *orderLog) Load(at Location, a Access) uint64 {
	l.note("load", a)
	return l.hostMemory.Load(at, a)
}

func (l *orderLog) Store(at Location, v uint64, a Access) {
	l.note(fmt.Sprint("store ", v, " "), a)
	l.hostMemory.Store(at, v, a)
}

func (l *orderLog) CompareAndSwap(at Location, old, new uint64, a Access) (uint64, bool) {
	l.note("cas", a)
	return l.hostMemory.CompareAndSwap(at, old, new, a)
}

func (l *orderLog) Fence(a Access) { l.note("fence", a) }

// Each change does to the accesses what it says, and nothing to others.
func TestChangesOfPatches(t *testing.T) {
	const asWritten = "[load0 load1 store 15 2 fence3 cas4 store 100 5] 6 ok"
	for _, c := range []struct {
		change change
		want   string
	}{
		{number("unknown", 1), asWritten},
		{leaveOut("read x").during(model.Put), asWritten},
		{leaveOut("write y", "free").only(Store, "y"), "[load0 load1 fence3 cas4 store 100 5] 6 ok"},
		{leaveOut("fence"), asWritten}, // a fence is left out by its order: weakest
		{leaveOutAs(7, "read y"), "[load0 store 15 2 fence3 cas4 store 100 5] 7 ok"},
		{storeOnly("swap x"), "[load0 load1 store 15 2 fence3 store 6 4 store 100 5] 6 ok"},
		{inTwoSteps("swap x"), "[load0 load1 store 15 2 fence3 load4 store 6 4 store 100 5] 6 ok"},
		{inTwoSteps("swap x", "read x", "write y"), "[load0 load1 store 15 2 fence3 load0 store 6 2 store 100 5] 6 ok"},
		{moveBehind("swap x", "write y", "fence"), "[load0 load1 cas4 store 15 2 fence3 store 100 5] 6 ok"},
		{moveBehind("write y", "read y"), "[load0 store 15 2 load1 fence3 cas4 store 100 5] 15 ok"},
		{moveToTheEnd("write y"), "[load0 load1 fence3 cas4 store 100 5 store 15 2] 6 ok"},
		{loadEarly("read y", "y", "read x", "fence"), "[load1 load0 store 15 2 fence3 cas4 store 100 5] 6 ok"},
		{storeEarly("free", "x", 3, "swap x"), "[load0 load1 store 15 2 fence3 cas4 store 3 5] 6 ok"},
		{storeEarly("free", "x", 3, "read x"), "[load0 store 3 5 load1 store 15 2 fence3 cas4] 0 empty"},
		{offBy(-1, "read x"), "[load0 load1 store 14 2 fence3 cas4 store 100 5] 0 empty"},
		{offBy(3, "read y").inBits("bits"), "[load0 load1 store 15 2 fence3 cas4 store 100 5] 1 ok"},
		{tellsNumber(8, "read y"), "[load0 load1 store 15 2 fence3 cas4 store 100 5] 8 ok"},
		{tells("read y", "read x"), "[load0 load1 store 15 2 fence3 cas4 store 100 5] 5 ok"},
		{tells("read x", "write y"), asWritten}, // not made yet
		{tellsUpperEnd("read y"), "[load0 load1 store 15 2 fence3 cas4 store 100 5] 77 ok"},
		{puts("write y", "read x"), "[load0 load1 store 5 2 fence3 cas4 store 100 5] 6 ok"},
		{keepsCounter("write y", "read y"), "[load0 load1 store 7 2 fence3 cas4 store 100 5] 6 ok"},
		{loadInstead("read y", "x", "read x").atMost("bits"), "[load0 load0 store 15 2 fence3 cas4 store 100 5] 3 ok"},
		{answers(model.Take, model.OK, model.Abort), "[load0 load1 store 15 2 fence3 cas4 store 100 5] 6 abort"},
	} {
		d := &Design{Name: "sample", Sites: names(new(sample).sites()), counter: func(*Config) uint64 { return 4 },
			declared: func() []site { return new(sample).sites() }}
		config := &Config{Design: d, values: model.Settings{"bits": "3"}}
		space := &Space{}
		s := &sample{x: space.Word("x", 5), y: space.Word("y", 6)}
		config.bind(s.sites())
		m := &orderLog{hostMemory: hostMemory{[]uint64{5, 6}}}
		o := model.Operation{Op: model.Take, To: 77}
		patched{s, patch{c.change}.apply(config, space, new(atomic.Bool))}.Do(m, &o)
		assert.Equal(t, c.want, fmt.Sprint(m.log, " ", o.Value, " ", o.Result), "%+v", c.change)
	}
}

// Every planted defect names accesses, words, settings and numbers that its
// structure has, and is not the structure as it is.
func TestDefectsFitTheirStructures(t *testing.T) {
	built := func(spec string) Structure {
		setup, err := mustSubject(t, spec).Prepare(model.Program{Processes: [][]model.Step{nil}})
		require.NoError(t, err, spec)
		return setup.structures[0]
	}
	for _, d := range Designs() {
		for _, df := range d.Defects {
			assert.NotEqual(t, built(d.Name), built(d.Name+":defect="+df.Name), "%s: %s", d.Name, df.Name)
		}
	}
}
