package gpu

import (
	"encoding/binary"
	"errors"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func TestPlacementKeepsProcessesApart(t *testing.T) {
	w := newWritten(t, "abp", func(o *Options) { o.Stress = 3 })
	assert.Equal(t, []uint32{0, 2, 1, 3, stressSlot, stressSlot, stressSlot, idleSlot}, w.placement(8, 1))
	w.Shuffle = true
	shuffled := w.placement(8, 1)
	assert.EqualValues(t, uint32(idleSlot), shuffled[7], "a slot behind the last is never used")
	assert.Equal(t, shuffled, w.placement(8, 1), "the seed decides")
	assert.ElementsMatch(t, []uint32{0, 2, 1, 3, stressSlot, stressSlot, stressSlot, idleSlot}, shuffled)
	assert.NotEqual(t, shuffled, w.placement(8, 2))
}

func TestBlocksAreResidentAtOnce(t *testing.T) {
	resident := func(warps int) (int, error) { return 2 * min(32, 64/warps), nil } // two multiprocessors
	for _, test := range []struct{ slots, warps, blocks int }{{1, 1, 1}, {64, 1, 64}, {65, 2, 33}, {128, 2, 64}} {
		warps, blocks, err := warpsPerBlock(test.slots, resident)
		require.NoError(t, err)
		assert.Equal(t, test.warps, warps)
		assert.Equal(t, test.blocks, blocks)
	}
	_, _, err := warpsPerBlock(129, resident)
	assert.EqualError(t, err, "129 processes and stress warps cannot all be resident at once on this device, 128 can: choose fewer")
	blocks, err := blockEach(16, 256, resident)
	require.NoError(t, err)
	assert.Equal(t, 16, blocks)
	_, err = blockEach(17, 256, resident)
	assert.EqualError(t, err, "17 processes and stress blocks of 256 threads cannot all be resident at once on this device, 16 can: choose fewer")
	failed := errors.New("no device")
	_, _, err = warpsPerBlock(1, func(int) (int, error) { return 0, failed })
	assert.Equal(t, failed, err)
}

func TestRunIsLaidOutAsInTheHeader(t *testing.T) {
	w := newWritten(t, "abp:width=2,without=steal-head-tail,defect=steal-store", func(o *Options) { o.Performed = true })
	b := w.run(addresses{memory: 1, log: 2, placement: 3, control: 4, stress: 5}, 77)
	require.Len(t, b, runBytes)
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	assert.EqualValues(t, abiVersion, u32(0))
	assert.EqualValues(t, flagRecord|flagPerformed, u32(4))
	assert.EqualValues(t, 2, u32(8))
	assert.EqualValues(t, 77, u64(48))
	assert.EqualValues(t, 1, u64(56))
	assert.EqualValues(t, 2, u64(72))
	assert.EqualValues(t, 3, u64(88))
	assert.EqualValues(t, 4, u64(96))
	assert.EqualValues(t, 5, u64(104))
	assert.EqualValues(t, 4, u64(128), "records per process")
	assert.EqualValues(t, 0, u64(136), "apart")
	assert.EqualValues(t, 0, u64(144), "lowest")
	assert.EqualValues(t, 2, u32(152), "processes")
	assert.EqualValues(t, 0, u64(160), "reserved")
	assert.EqualValues(t, 0, u64(168), "reserved")
	assert.EqualValues(t, 1024, u64(176), "capacity")
	assert.EqualValues(t, 2, u64(184), "width")
}

func TestRunsTakeTheKernelThatDoesNoMore(t *testing.T) {
	for want, change := range map[string]func(o *Options){
		"stealproof_run_bare": func(o *Options) { o.Unlogged, o.Performed = true, false },
		"stealproof_run_raw":  func(o *Options) { o.OwnerNaps = true },
		"stealproof_run":      func(o *Options) { o.Announce = true },
	} {
		assert.Equal(t, want, newWritten(t, "abp", change).entry())
	}
	assert.Equal(t, "stealproof_run", newWritten(t, "abp", func(o *Options) { o.Spread = 1 }).entry())
	assert.Equal(t, "stealproof_run", newWritten(t, "abp", func(o *Options) { o.Performed = true }).entry())
}

// The numbers of the header are repeated in Go: they must be the same.
func TestNumbersAreThoseOfTheHeader(t *testing.T) {
	text, err := os.ReadFile("include/stealproof.cuh")
	require.NoError(t, err)
	for name, want := range map[string]uint64{
		"abi_version": abiVersion, "flag_record": flagRecord, "flag_performed": flagPerformed, "flag_announce": flagAnnounce, "flag_owner_naps": flagOwnerNaps, "flag_apart": flagApart,
		"op_pause":   opPause,
		"state_idle": stateIdle, "state_started": stateStarted, "state_done": stateDone, "state_stuck": stateStuck, "state_stopped": stateStopped, "state_late": stateLate,
		"stress_slot": stressSlot, "idle_slot": idleSlot, "guard_word": guardWord,
	} {
		m := regexp.MustCompile(`\b` + name + ` = ([0-9a-fx']+)`).FindSubmatch(text)
		require.NotNil(t, m, name)
		got, err := strconv.ParseUint(string(slices.DeleteFunc(m[1], func(c byte) bool { return c == '\'' })), 0, 64)
		require.NoError(t, err, name)
		assert.Equal(t, want, got, name)
	}
	for op, name := range map[model.Op]string{model.Push: "push", model.Take: "take"} {
		assert.Equal(t, name, op.String())
	}
	assert.Contains(t, string(text), "enum op : u32 { op_push = 1, op_pop, op_steal, op_enq, op_deq, op_put, op_take, op_pause = 15 };")
	assert.Equal(t, []model.Op{1, 2, 3, 4, 5, 6, 7}, []model.Op{model.Push, model.Pop, model.Steal, model.Enq, model.Deq, model.Put, model.Take})
	assert.Contains(t, string(text), "enum result : u32 { never = 0, ok, full, empty, aborted };")
	assert.Equal(t, []model.Result{0, 1, 2, 3, 4}, []model.Result{model.Unknown, model.OK, model.Full, model.Empty, model.Abort})
	assert.Contains(t, string(text), "enum kind : u32 { wsdeque = 1, fifo = 2, range = 3, bag = 4 };")
	assert.Equal(t, []model.Kind{1, 2, 3, 4}, model.Kinds)
}

func TestPairings(t *testing.T) {
	assert.Equal(t, []int{1, 0, 3, 2, 4}, pairing(5, 1))
	assert.Equal(t, []int{2, 3, 0, 1, 4}, pairing(5, 2))
	for shift := 1; shift < 132; shift++ {
		p := pairing(132, shift)
		for i, j := range p {
			assert.Equal(t, i, p[j])
		}
	}
}

func TestCalibrationJudgesTheClock(t *testing.T) {
	pair := func(there, back, backward uint64) *Calibration {
		out := make([]byte, 2*48)
		for b, smallest := range []uint64{there, back} {
			for i, v := range []uint64{uint64(b), 10, smallest, backward, backward * 32, 0} {
				binary.LittleEndian.PutUint64(out[b*48+i*8:], v)
			}
		}
		c := &Calibration{Tick: 32, Smallest: 1 << 60, Device: Device{Name: "X"}}
		c.collect(out, []int{1, 0})
		return c
	}
	c := pair(768, 800, 0)
	require.NoError(t, c.Err())
	assert.EqualValues(t, 768, c.Smallest)
	assert.EqualValues(t, 16, c.Skew)
	assert.Zero(t, c.Spread(), "clocks nearer to each other than a stamp's way")
	assert.EqualValues(t, 20, c.Handovers)

	c = pair(100, 1400, 0)
	require.NoError(t, c.Err())
	assert.EqualValues(t, 650, c.Spread())

	assert.EqualError(t, pair(768, 800, 3).Err(), "the clock of X stepped back 6 times in 20 hand-overs, by up to 96 ns: no history of it can be judged")
	assert.ErrorContains(t, (&Calibration{Tick: 32}).Err(), "could not be measured")
}
