package gpu

import (
	"fmt"
	"time"

	"stealproof/model"
)

// Options say what to run. Defaults gives the values that a command starts from.
type Options struct {
	Device int
	// Spec names a structure of this package. Image replaces its module by one
	// of somebody else, in PTX, cubin or fatbin; Kind and Params then say what
	// it promises.
	Spec  model.Spec
	Image []byte
	// Patched is the text of the structure's module with the patches of its Config, for
	// a spec that has some.
	Patched []byte
	Kind    model.Kind
	Params  model.Params

	Objects    int // queues at the same time
	Processes  int // of each
	Operations int // of each process
	Puts       int // of 100 bursts
	Burst      int // operations of the same sort in a row, at most
	Sizes      int // range: largest size asked for
	Phases     int // bag

	Nap       time.Duration // longest nap at an occasion; 0: none
	NapOneIn  int           // occasions
	OwnerNaps bool          // process 0 of an object naps as well

	Stress  int  // warps that hammer other lines
	Shuffle bool // random placement, else processes of an object lie far apart

	Performed bool // capture mode: a fence before the second stamp
	Unlogged  bool // no recording, to measure what it costs
	Announce  bool // log calls before they start, for kernels that may hang
	HostLogs  bool // the device writes its logs to the host's memory, where they outlive a trap

	Patience int           // attempts until a loop gives up
	Timeout  time.Duration // of a launch
	// Spread widens every return by so many ns: see Calibration.
	Spread uint64
	// Resolution of the clock in ns, for the header of the histories.
	Resolution uint64
}

// Defaults are the options that the command starts from.
func Defaults() Options {
	return Options{
		Objects: 64, Processes: 4, Operations: 10000, Puts: 50, Burst: 8, Sizes: 4, Phases: 100,
		NapOneIn: 1, Patience: 1 << 20, Timeout: 20 * time.Second,
	}
}

// Check refuses options that make no sense.
func (o *Options) Check() error {
	for _, b := range []struct {
		name            string
		value, min, max int
	}{
		{"groups", o.Objects, 1, 1 << 20},
		{"processes", o.Processes, 1, 1 << 10},
		{"ops", o.Operations, 1, 1 << 24},
		{"mix", o.Puts, 0, 100},
		{"burst", o.Burst, 1, 1 << 16},
		{"sizes", o.Sizes, 1, 31},
		{"phases", o.Phases, 1, 1 << 20},
		{"nap-one-in", o.NapOneIn, 1, 1 << 30},
		{"stress", o.Stress, 0, 1 << 16},
		{"patience", o.Patience, 1, 1 << 30},
	} {
		if b.value < b.min || b.value > b.max {
			return fmt.Errorf("%s: %d is not within %d and %d", b.name, b.value, b.min, b.max)
		}
	}
	if o.Nap < 0 || o.Nap > time.Second {
		return fmt.Errorf("naps: %s is not within 0 and 1s", o.Nap)
	}
	if o.Timeout <= 0 {
		return fmt.Errorf("timeout: expected a duration above 0")
	}
	return nil
}

// Device is a CUDA device.
type Device struct {
	Index           int
	Name            string
	Major, Minor    int // compute capability
	Multiprocessors int
	ClockMHz        int
	MemoryMB        int
	Driver          string // CUDA version that the driver supports
}

// Calibration is what was measured of a device's clock.
type Calibration struct {
	Device Device
	Tick   uint64 // smallest step, ns
	Reads  uint64
	// Pairs of multiprocessors handed stamps to each other, Handovers in all.
	Pairs, Handovers uint64
	// Smallest is the shortest time from a stamp to one that was taken after it
	// had arrived elsewhere.
	Smallest uint64
	// Backward counts stamps that were ahead of the clock where they arrived,
	// or of an earlier one on the same multiprocessor; Furthest is by how much.
	Backward, Furthest uint64
	// Skew is half of the largest difference between the two directions of a
	// pair: how far two clocks may be apart.
	Skew uint64
	// Unanswered pairs measured nothing.
	Unanswered uint64
}

// Err says why this clock must not be judged on, or nil.
func (c *Calibration) Err() error {
	switch {
	case c.Tick == 0 || c.Handovers == 0:
		return fmt.Errorf("the clock of %s could not be measured: no history of it can be judged", c.Device.Name)
	case c.Backward > 0:
		return fmt.Errorf("the clock of %s stepped back %d times in %d hand-overs, by up to %d ns: no history of it can be judged",
			c.Device.Name, c.Backward, c.Handovers, c.Furthest)
	}
	return nil
}

// Spread is how much every return is widened by: nothing, as long as no pair of
// clocks is further apart than a stamp needs to travel.
func (c *Calibration) Spread() uint64 {
	if 2*c.Skew < c.Smallest {
		return 0
	}
	return c.Skew
}

// Launch is what one launch brought back.
type Launch struct {
	Seed    uint64
	History *model.History // nil if nothing was logged
	// Operations that were logged, or that were asked for if nothing was.
	Operations int
	Elapsed    time.Duration // of the kernel
	Dropped    uint64        // operations for which a log had no room
	// Hang says why the launch counts as hung, or is empty.
	Hang string
	// Trap is the driver's error where the device ended the kernel for what it did,
	// or empty. The log is lost then, unless it was in the host's memory.
	Trap string
	// Partial: the kernel still runs, or has trapped, so operations that it is in
	// the middle of are missing, unless they were announced.
	Partial bool
}
