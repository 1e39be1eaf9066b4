package gpu

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"stealproof/model"
)

// The interface to the kernels, as include/stealproof.cuh lays it down.
const (
	abiVersion      = 3
	oldestVersion   = 2 // it lacks the kernels of single operations, which a launch does not use
	runBytes        = 240
	headBytes       = 64
	recordBytes     = 16
	guardBytes      = 8
	controlBytes    = 5 * 128
	guardWord       = 0x5eed6a5d57ea19f0
	stressSlot      = 0xffffffff
	idleSlot        = 0xfffffffe
	memoryGuard     = 64 // bytes behind each object that must stay as they are
	memoryGuardByte = 0xa5
	stressWords     = 1 << 22

	flagRecord    = 1
	flagPerformed = 2
	flagAnnounce  = 4
	flagOwnerNaps = 8
	flagApart     = 16

	opPause = 15 // a record that is no operation: the next one is called then
)

// States of a process's log.
const (
	stateIdle = iota
	stateStarted
	stateDone
	stateStuck
	stateStopped
	stateLate
)

// layout is where everything of a launch lies in the device's memory.
type layout struct {
	Options
	config       *Config
	slots        int // warps of the launch
	objectStride uint64
	logStride    uint64
}

func newLayout(o Options, c *Config) *layout {
	l := &layout{Options: o, config: c, slots: o.Objects*o.Processes + o.Stress}
	l.logStride = roundUp(headBytes+recordBytes*uint64(l.capacity())+guardBytes, 128)
	return l
}

// capacity is the number of records that a process's log has room for: one for
// each operation, and one for each pause between two phases.
func (l *layout) capacity() int {
	switch {
	case l.Unlogged:
		return 0
	case l.config.Kind == model.Bag:
		return l.Operations + l.Phases - 1
	}
	return l.Operations
}

// withObjects lays out objects of a size that the module has told.
func (l *layout) withObjects(bytes uint64) { l.objectStride = roundUp(bytes+memoryGuard, 128) }

func (l *layout) processes() int { return l.Objects * l.Processes }

func (l *layout) logBytes() uint64 { return l.logStride * uint64(l.processes()) }

func (l *layout) memoryBytes() uint64 { return l.objectStride * uint64(l.Objects) }

func roundUp(n, to uint64) uint64 { return (n + to - 1) / to * to }

// addresses of the device.
type addresses struct{ memory, log, placement, control, stress uint64 }

// run is struct run of the header.
func (l *layout) run(a addresses, seed uint64) []byte {
	b := make([]byte, 0, runBytes)
	u32 := func(v int) { b = binary.LittleEndian.AppendUint32(b, uint32(v)) }
	u64 := func(v uint64) { b = binary.LittleEndian.AppendUint64(b, v) }
	u32(abiVersion)
	u32(l.flags())
	for _, v := range []int{l.Objects, l.Processes, l.Operations, l.slots, l.Burst, l.Puts, int(l.Nap.Nanoseconds()), l.NapOneIn, l.Phases, l.Sizes} {
		u32(v)
	}
	for _, v := range []uint64{seed, a.memory, l.objectStride, a.log, l.logStride, a.placement, a.control, a.stress, stressWords, 2e9, uint64(l.capacity()), l.apart(), l.config.Lowest} {
		u64(v)
	}
	u32(l.Processes)
	u32(l.Patience)
	u64(0) // reserved
	u64(0)
	for _, v := range l.config.Numbers {
		u64(v)
	}
	return b
}

func (l *layout) flags() int {
	flags := 0
	for flag, set := range map[int]bool{
		flagRecord: !l.Unlogged, flagPerformed: l.Performed, flagAnnounce: l.Announce && !l.Unlogged, flagApart: l.apart() > 0 && !l.Unlogged,
		flagOwnerNaps: l.OwnerNaps || l.config.Kind == model.FIFO || l.config.Kind == model.Bag || l.config.Params.Shared,
	} {
		if set {
			flags |= flag
		}
	}
	return flags
}

// apart is how much later than an operation's return the next one of its process
// is called at the least: 0, at the same stamp. Where clocks are so far apart that
// returns are widened, that must fit in between. And whether a bounded queue was
// full is hard to decide where stamps tie.
func (l *layout) apart() uint64 {
	bounded := l.config.Params.Capacity > 0 && (l.config.Kind == model.FIFO || l.config.Kind == model.Bag)
	if l.Spread > 0 || bounded {
		return l.Spread + 1
	}
	return 0
}

// entry is the kernel to launch. What a run does not ask for is left out of it
// when it is compiled: even a test of a flag costs time at every operation.
func (l *layout) entry() string {
	switch l.flags() &^ flagOwnerNaps {
	case 0:
		return "stealproof_run_bare"
	case flagRecord:
		return "stealproof_run_raw"
	}
	return "stealproof_run"
}

// placement says which process runs where: those of an object lie as many
// slots apart as there are objects, so in different blocks, or anywhere.
func (l *layout) placement(slots int, seed uint64) []uint32 {
	place := make([]uint32, slots)
	for i := range place {
		switch {
		case i < l.processes():
			object, process := i%l.Objects, i/l.Objects
			place[i] = uint32(object*l.Processes + process)
		case i < l.slots:
			place[i] = stressSlot
		default:
			place[i] = idleSlot
		}
	}
	if l.Shuffle {
		r := rand.New(rand.NewPCG(seed, 1))
		r.Shuffle(l.slots, func(i, j int) { place[i], place[j] = place[j], place[i] })
	}
	return place
}

// warpsPerBlock is the least number with which all slots are resident at once:
// the fewer, the more multiprocessors take part. resident says how many blocks
// of so many warps are.
func warpsPerBlock(slots int, resident func(warps int) (int, error)) (warps, blocks int, err error) {
	most := 0
	for warps = 1; warps <= 32; warps *= 2 {
		n, err := resident(warps)
		if err != nil {
			return 0, 0, err
		}
		if blocks = (slots + warps - 1) / warps; blocks <= n {
			return warps, blocks, nil
		}
		most = max(most, n*warps)
	}
	return 0, 0, fmt.Errorf("%d processes and stress warps cannot all be resident at once on this device, %d can: choose fewer", slots, most)
}

// blockEach gives every slot a block of so many threads, if all are resident at once.
func blockEach(slots, threads int, resident func(warps int) (int, error)) (blocks int, err error) {
	n, err := resident(threads / 32)
	if err == nil && slots > n {
		err = fmt.Errorf("%d processes and stress blocks of %d threads cannot all be resident at once on this device, %d can: choose fewer", slots, threads, n)
	}
	return slots, err
}
