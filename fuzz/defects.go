package fuzz

import (
	"context"

	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// Planted is a defect that the default strategy must find within a number of
// runs: the proof that what passes was looked at.
type Planted struct {
	// Spec plants the defect.
	Spec string
	// Shape is that of the random programs, DefaultShape if empty; Program
	// takes their place where the defect needs a particular one.
	Shape   programs.Shape
	Program string
	// Runs is the bound: four times what the slowest of ten seeds needed,
	// rounded up, and at least the schedules of a few random programs.
	Runs int
	// Why says how it becomes visible.
	Why string
}

// Register lists what a campaign must find: every planted defect of every structure,
// and the settings that must fail, such as too narrow a counter.
var Register = []Planted{
	// abp: sequences of accesses that a fence or an order must keep
	{Spec: "abp:defect=tail-before-task", Runs: 200, Why: "a thief reads the slot before the task is there: a value comes out that was never put in, or an old one again"},
	{Spec: "abp:defect=tail-before-head", Runs: 900, Why: "the owner empties and refills the deque between the two reads, and an old tail passes for a new head"},
	{Spec: "abp:defect=task-after-cas", Runs: 3000, Why: "the owner overwrites the slot between the thief's swap and its read"},
	{Spec: "abp:defect=head-before-tail", Runs: 1000, Why: "thieves take the last task after the owner has looked at head, and the owner takes it too"},
	{Spec: "abp:defect=head-reset-first", Runs: 5000, Why: "head is back at 0 while tail is not: a thief finds tasks that are gone"},
	// abp: steps left out or done wrongly
	{Spec: "abp:defect=steal-store", Runs: 200, Why: "two thieves take the same task"},
	{Spec: "abp:defect=steal-off-by-one", Runs: 200, Why: "a thief takes what lies beyond tail"},
	{Spec: "abp:defect=steal-ignores-tail", Runs: 200, Why: "a thief takes what lies beyond tail"},
	{Spec: "abp:defect=pop-off-by-one", Runs: 700, Why: "owner and thief take the last task"},
	{Spec: "abp:defect=pop-store", Runs: 2000, Why: "owner and thief take the last task"},
	{Spec: "abp:defect=tail-not-reset", Runs: 500, Why: "tail stays behind head's reset: tasks come out twice"},
	{Spec: "abp:defect=counter-kept-on-swap", Runs: 800, Why: "a thief that slept over a reset swaps head though it was reset"},
	{Spec: "abp:defect=counter-kept-on-store", Runs: 5000, Why: "as before, when the last task went to a thief"},
	{Spec: "abp:capacity=2,defect=no-capacity-check", Runs: 600, Why: "the third push writes behind the array"},
	{Spec: "abp:width=0", Runs: 400, Why: "no counter: the first reset is overlooked"},
	{Spec: "abp:width=1", Shape: programs.Shape{10, 2, 2}, Runs: 3000, Why: "two resets while a thief sleeps bring head back"},
	{Spec: "abp:width=2", Shape: programs.Shape{14, 2, 2}, Runs: 40000, Why: "four resets while a thief sleeps"},
	{Spec: "abp:width=3", Program: "0: [push pop]*12\n1: steal steal\n", Runs: 70000, Why: "eight resets while a thief sleeps"},
	{Spec: "abp:width=4", Program: "0: [push pop]*20\n1: steal steal\n", Runs: 400000, Why: "sixteen resets while a thief sleeps"},

	// tz
	{Spec: "tz:defect=tail-read-late", Runs: 5000, Why: "values that arrive while a dequeue looks at a null are passed over"},
	{Spec: "tz:capacity=3,defect=positions-modulo", Shape: programs.Shape{3, 3, 2}, Runs: 40000, Why: "a process that slept through one round moves head or tail by mistake"},
	{Spec: "tz:capacity=3,every=1,defect=one-null", Shape: programs.Shape{6, 6}, Runs: 500, Why: "an enqueuer that slept through a round takes the slot for the one it saw"},
	{Spec: "tz:capacity=3,every=1,defect=null-not-switched", Program: "0: enq deq\n1: enq deq enq deq\n2: enq deq\n", Runs: 2000, Why: "as with one null"},
	{Spec: "tz:capacity=3,every=1,defect=vnull-not-published", Program: "0: enq deq enq deq\n1: enq deq enq deq enq deq\n", Runs: 20000, Why: "every round leaves the same null"},
	{Spec: "tz:capacity=3,every=1,vnull=elsewhere", Program: "0: enq deq enq deq\n1: enq deq enq deq enq deq\n", Runs: 20000, Why: "the opposite condition publishes nothing new at slot 0"},
	{Spec: "tz:capacity=3,defect=no-full-check", Shape: programs.Shape{6, 4}, Runs: 200, Why: "head is pushed over values, which are lost"},
	{Spec: "tz:capacity=3,defect=no-help-head", Shape: programs.Shape{8, 8}, Runs: 200, Why: "an enqueue waits for a head that nobody moves"},
	{Spec: "tz:capacity=4,defect=no-help-tail", Shape: programs.Shape{5, 5}, Runs: 200, Why: "a value behind tail is overlooked, or taken twice"},
	{Spec: "tz:defect=enq-tail-unchecked", Shape: programs.Shape{6, 4, 2}, Runs: 2000, Why: "an enqueue lands in a slot that is not the next"},
	{Spec: "tz:defect=empty-unchecked", Runs: 200, Why: "a head that lags makes the queue look empty"},
	{Spec: "tz:defect=enq-store", Runs: 200, Why: "two enqueues use the same slot"},
	{Spec: "tz:defect=deq-store", Runs: 200, Why: "two dequeues take the same value"},
	{Spec: "tz:capacity=5,every=1,defect=head-store", Shape: programs.Shape{6, 4, 4}, Runs: 5000, Why: "head moves back"},
	{Spec: "tz:capacity=4,defect=tail-store", Shape: programs.Shape{5, 5}, Runs: 20000, Why: "tail moves back"},
	{Spec: "tz:capacity=3,defect=full-as-enqueued", Shape: programs.Shape{6, 4}, Runs: 200, Why: "a value that went nowhere"},
	{Spec: "tz:variant=original", Runs: 5000, Why: "values that arrive while a dequeue looks at a null are passed over, and younger ones leave first"},
	{Spec: "tz:variant=skeleton", Runs: 200, Why: "on an empty queue a dequeue never ends; a late enqueue lands behind beg"},

	// the
	{Spec: "the:defect=steal-unlocked", Runs: 200, Why: "two thieves retreat end at once"},
	{Spec: "the:defect=pop-unlocked", Runs: 200, Why: "the owner takes what is left while a thief has it"},
	{Spec: "the:defect=lock-in-two-steps", Runs: 200, Why: "two thieves hold the lock"},
	{Spec: "the:defect=end-before-beg", Runs: 700, Why: "owner and thief both see the other's old end of the interval"},
	{Spec: "the:defect=beg-before-end", Runs: 2000, Why: "as before"},
	{Spec: "the:defect=steal-keeps", Runs: 200, Why: "what the thief gave up is lost"},
	{Spec: "the:defect=pop-off-by-one", Runs: 300, Why: "the owner takes an index beyond end"},
	{Spec: "the:defect=steal-off-by-one", Runs: 200, Why: "a thief takes an index below beg"},
	{Spec: "the:defect=pop-blind", Runs: 200, Why: "the owner takes what was stolen"},
	{Spec: "the:defect=steal-blind", Runs: 200, Why: "a thief takes what was popped"},
	{Spec: "the:defect=push-unchecked", Runs: 200, Why: "a push that does not adjoin spoils the interval"},
	{Spec: "the:fill=beg-first", Runs: 200, Why: "a thief sees the new beg with the old end"},
	{Spec: "the:fill=end-first", Runs: 200, Why: "a thief sees the new end with the old beg"},
	{Spec: "the:failed=empty", Runs: 400, Why: "a thief calls empty what the owner gives back"},
	{Spec: "the:failed=empty-if-equal", Runs: 400000, Why: "the owner's pop has reached end but is undone"},
	{Spec: "the:compare=unsigned", Shape: programs.Shape{4, 2, 2}, Runs: 200, Why: "end retreats below 0 and looks huge"},

	// blocking
	{Spec: "blocking:defect=no-lock", Runs: 200, Why: "two operations at once"},
	{Spec: "blocking:defect=enq-unlocked", Runs: 200, Why: "two enqueues at once"},
	{Spec: "blocking:defect=deq-unlocked", Runs: 200, Why: "two dequeues at once"},
	{Spec: "blocking:defect=lock-in-two-steps", Runs: 200, Why: "two operations at once"},
	{Spec: "blocking:defect=unlock-early", Runs: 200, Why: "two operations at once"},
	{Spec: "blocking:capacity=2,defect=no-full-check", Runs: 200, Why: "values are overwritten"},
	{Spec: "blocking:capacity=2,defect=full-off-by-one", Runs: 200, Why: "one value is overwritten"},
	{Spec: "blocking:defect=empty-off-by-one", Runs: 200, Why: "empty with a value inside"},
	{Spec: "blocking:defect=deq-unlocked+end-first", Runs: 200, Why: "a dequeue reads the slot before the value is there"},
	{Spec: "blocking:variant=printed", Runs: 200, Why: "whoever gets the lock at once does nothing"},

	// static
	{Spec: "static:defect=take-in-put-phase", Runs: 200, Why: "a take reads a slot that is reserved and not yet written, or the same task again in the next phase"},
	{Spec: "static:defect=no-fetch-and-add", Runs: 200, Why: "two puts use the same slot, and a stale one comes out"},
	{Spec: "static:defect=tail-not-reset", Runs: 200, Why: "tasks of two phases before come out again"},
	{Spec: "static:defect=not-swapped", Runs: 200, Why: "a take reads the array that nobody filled"},
	{Spec: "static:defect=count-off-by-one", Runs: 200, Why: "a take reads a slot that nobody wrote"},
	{Spec: "static:defect=block-repeated", Runs: 200, Why: "a task is run twice"},
	{Spec: "static:capacity=2,defect=no-capacity-check", Runs: 200, Why: "a put writes behind the array"},
	{Spec: "static:defect=empty-claimed", Runs: 200, Why: "others have tasks left"},

	// list
	{Spec: "list:defect=no-lock", Runs: 200, Why: "two pops take the same indices"},
	{Spec: "list:defect=pop-unlocked", Runs: 200, Why: "two pops take the same indices"},
	{Spec: "list:defect=push-unlocked", Runs: 200, Why: "a pop sees half of a push"},
	{Spec: "list:defect=lock-in-two-steps", Runs: 200, Why: "two pops take the same indices"},
	{Spec: "list:defect=unlock-early", Runs: 200, Why: "two pops take the same indices"},
	{Spec: "list:defect=pop-too-much", Runs: 200, Why: "indices come out that were never put in"},
	{Spec: "list:defect=push-unchecked", Runs: 200, Why: "a push that does not adjoin spoils the interval"},
}

// Find looks for the defect with the default strategy, within its bound.
func (p Planted) Find(ctx context.Context, seed uint64) (*Result, error) {
	c, err := p.campaign(p.Spec, seed)
	if err != nil {
		return nil, err
	}
	return c.Run(ctx)
}

// campaign is the one that looks for the defect; on another spec it is the
// same without the defect.
func (p Planted) campaign(spec string, seed uint64) (*Campaign, error) {
	s, err := model.ParseSpec(spec)
	if err != nil {
		return nil, err
	}
	subject, err := ref.NewSubject(s, model.Spec{})
	if err != nil {
		return nil, err
	}
	c := &Campaign{Subject: subject, Shape: p.Shape, Seed: seed, Runs: p.Runs, Schedule: model.Schedule{Strategy: schedule.Default}}
	if p.Program == "" {
		return c, nil
	}
	program, err := subject.ParseProgram(p.Program)
	c.Program = &program
	return c, err
}
