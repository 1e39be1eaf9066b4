package gpu

// Defect is a mistake that can be planted in a kernel, or a fence that can be left out
// of it: patches of the module's PTX, as package ref/ptx/patch reads them. The kernels
// know nothing of it.
type Defect struct {
	// Name is that of ref/defects.go, where there is one.
	Name, Doc string
	Patches   string
	// wide are the patches of abp with indices of 32 bits, where they differ.
	wide string
}

var abpFences = []Defect{
	{Name: "push-task-tail", Doc: "push: fence task, tail", Patches: "push_fence_task_tail.drop"},
	{Name: "steal-head-tail", Doc: "steal: fence head, tail", Patches: "steal_fence_head_tail.drop"},
	{Name: "steal-tail-task", Doc: "steal: fence tail, task", Patches: "steal_fence_tail_task.drop"},
	{Name: "steal-task-head", Doc: "steal: fence task, head", Patches: "steal_fence_task_head.drop"},
	{Name: "pop-task-tail", Doc: "pop: fence task, tail", Patches: "pop_fence_task_tail.drop"},
	{Name: "pop-tail-head", Doc: "pop: fence tail, head", Patches: "pop_fence_tail_head.drop"},
	{Name: "pop-tail-head-on-reset", Doc: "pop: fence tail, head on reset", Patches: "pop_fence_reset.drop"},
}

var theFences = []Defect{
	{Name: "pop-beg-end", Doc: "pop: fence beg, end", Patches: "pop_fence_beg_end.drop"},
	{Name: "steal-end-beg", Doc: "steal: fence end, beg", Patches: "steal_fence_end_beg.drop"},
}

var abpDefects = []Defect{
	{Name: "tail-before-task", Doc: "push announces the task before it has stored it", Patches: "push_write_task.behind=push_write_tail"},
	{Name: "tail-before-head", Doc: "steal reads tail before head", Patches: "steal_read_tail.before=steal_read_head"},
	{Name: "task-after-cas", Doc: "steal reads the task after it has taken it", Patches: "steal_read_task.behind=steal_swap_head"},
	{Name: "steal-store", Doc: "steal stores the new head instead of swapping it", Patches: "steal_swap_head.blind"},
	{Name: "steal-off-by-one", Doc: "steal finds a task where index equals tail", Patches: "steal_read_tail.plus-one"},
	{Name: "steal-ignores-tail", Doc: "steal does not look at tail", Patches: "steal_read_tail.value=0xffffffff"},
	{Name: "head-before-tail", Doc: "pop reads head before it has lowered tail", Patches: "pop_read_head.before=pop_write_tail"},
	{Name: "pop-off-by-one", Doc: "pop takes the last task without swapping head", Patches: "pop_index.plus-one"},
	{Name: "pop-store", Doc: "pop stores the new head for the last task instead of swapping it", Patches: "pop_swap_head.blind"},
	{Name: "head-reset-first", Doc: "pop resets head before tail", Patches: "pop_reset_tail.behind=pop_swap_head/pop_reset_head"},
	{Name: "tail-not-reset", Doc: "pop leaves tail where it was when it resets head", Patches: "pop_reset_tail.drop"},
	{Name: "counter-kept-on-swap", Doc: "pop does not count when it swaps head", Patches: "pop_swap_head.plus=-0x10000", wide: "pop_swap_head.plus=-0x100000000"},
	{Name: "counter-kept-on-store", Doc: "pop does not count when it stores head", Patches: "pop_reset_head.plus=-0x10000", wide: "pop_reset_head.plus=-0x100000000"},
	{Name: "no-capacity-check", Doc: "push takes one task more than there is room for", Patches: "push_room.plus-one"},
}

var tzDefects = []Defect{
	{Name: "tail-read-late", Doc: "a dequeue reads tail only after the slot, as published", Patches: "tail_first.value=0"},
	{Name: "positions-modulo", Doc: "head and tail are slot numbers that come back after a round, as published", Patches: "rounds.value=1"},
	{Name: "one-null", Doc: "the two nulls are the same", Patches: "first_vnull.value=0x8000000000000000+other_null.value=0"},
	{Name: "null-not-switched", Doc: "a dequeue of slot 0 leaves the null of the round before", Patches: "other_null.value=0"},
	{Name: "vnull-not-published", Doc: "nobody writes vnull", Patches: "deq_write_vnull.drop"},
	{Name: "no-full-check", Doc: "an enqueue on a full queue helps head along instead of giving up", Patches: "enq_read_slot_behind_head.value=0x8000000000000000"},
	{Name: "no-help-head", Doc: "an enqueue does not advance a head that stands in its way", Patches: "enq_write_vnull_to_help.drop+enq_swap_head_to_help.drop"},
	{Name: "no-help-tail", Doc: "a dequeue does not advance a tail that stands in its way", Patches: "deq_read_tail.drop=0xffffffffffffffff"},
	{Name: "enq-tail-unchecked", Doc: "an enqueue does not look whether tail has changed",
		Patches: "enq_check_tail_in_scan.reuse=enq_read_tail+enq_check_tail_after_scan.reuse=enq_read_tail+enq_check_tail_before_swap.reuse=enq_read_tail"},
	// what it has read is not 0, which a GPU's compiler cannot know: where it does, one of 2025 crashes
	{Name: "empty-unchecked", Doc: "a dequeue calls the queue empty at the first null", Patches: "hasty.reuse=deq_read_slot"},
	{Name: "enq-store", Doc: "an enqueue stores its value instead of swapping it", Patches: "enq_swap_slot.blind"},
	{Name: "deq-store", Doc: "a dequeue stores the null instead of swapping it", Patches: "deq_swap_slot.blind"},
	{Name: "head-store", Doc: "a dequeue stores head instead of swapping it", Patches: "deq_swap_head.blind"},
	{Name: "tail-store", Doc: "an enqueue stores tail instead of swapping it", Patches: "enq_swap_tail.blind"},
	{Name: "full-as-enqueued", Doc: "an enqueue on a full queue reports success", Patches: "enq_full.value=1"},
}

// tzOriginal makes the published queue of the mended one.
const tzOriginal = "tail_first.value=0+rounds.value=1"

var theDefects = []Defect{
	{Name: "steal-unlocked", Doc: "steals do not lock", Patches: "steal_lock.drop+steal_unlock.drop"},
	{Name: "pop-unlocked", Doc: "an owner that meets a thief goes on without the lock", Patches: "owner_lock.drop+owner_unlock.drop"},
	{Name: "lock-in-two-steps", Doc: "the lock is tested and set in two accesses", Patches: "steal_lock.split+owner_lock.split"},
	{Name: "end-before-beg", Doc: "pop reads end before it has advanced beg", Patches: "pop_read_end.before=pop_advance_beg"},
	{Name: "beg-before-end", Doc: "steal reads beg before it has retreated end", Patches: "steal_read_beg.behind=steal_read_end"},
	{Name: "steal-keeps", Doc: "a steal that meets the owner does not undo", Patches: "steal_undo_end.drop"},
	{Name: "pop-off-by-one", Doc: "pop lets beg pass end by one", Patches: "pop_read_end.plus-one"},
	{Name: "steal-off-by-one", Doc: "steal lets end pass beg by one", Patches: "steal_read_beg.minus-one"},
	{Name: "pop-blind", Doc: "pop does not look at end", Patches: "pop_read_end.reuse=pop_advance_beg"},
	{Name: "steal-blind", Doc: "steal does not look at beg", Patches: "steal_read_beg.reuse=steal_retreat_end"},
	{Name: "push-unchecked", Doc: "push does not look whether its interval fits", Patches: "push_upper.reuse=push_read_beg"},
}

var blockingDefects = []Defect{
	{Name: "no-lock", Doc: "nobody locks", Patches: "enq_lock.drop+enq_unlock.drop+deq_lock.drop+deq_unlock.drop"},
	{Name: "enq-unlocked", Doc: "enqueues do not lock", Patches: "enq_lock.drop+enq_unlock.drop"},
	{Name: "deq-unlocked", Doc: "dequeues do not lock", Patches: "deq_lock.drop+deq_unlock.drop"},
	{Name: "lock-in-two-steps", Doc: "the lock is tested and set in two accesses", Patches: "enq_lock.split+deq_lock.split"},
	{Name: "unlock-early", Doc: "an operation releases the lock before it acts", Patches: "enq_unlock.behind=enq_lock+deq_unlock.behind=deq_lock"},
	{Name: "no-full-check", Doc: "an enqueue does not look whether there is room", Patches: "enq_room.value=0xffffffff"},
	{Name: "full-off-by-one", Doc: "an enqueue uses one slot more than there is", Patches: "enq_room.plus-one"},
	{Name: "empty-off-by-one", Doc: "a dequeue takes the last value for nothing", Patches: "deq_least.plus-one"},
	{Name: "end-first", Doc: "an enqueue announces its value before it is stored", Patches: "write_data.exchange=write_end"},
}

var staticDefects = []Defect{
	{Name: "take-in-put-phase", Doc: "a take reads the array that is being written", Patches: "take_read_phase.plus-one"},
	{Name: "no-fetch-and-add", Doc: "a put reads tail and stores it in two accesses", Patches: "put_add_tail.split"},
	{Name: "tail-not-reset", Doc: "the host does not reset tail between phases", Patches: "host_write_tail.drop"},
	{Name: "not-swapped", Doc: "the host does not swap the arrays between phases", Patches: "host_write_phase.drop"},
	{Name: "count-off-by-one", Doc: "the host counts one task too many", Patches: "host_read_tail.plus-one"},
	{Name: "block-repeated", Doc: "a process runs the same block twice", Patches: "take_write_block.drop"},
	{Name: "no-capacity-check", Doc: "a put takes one task more than there is room for", Patches: "put_room.plus-one"},
	{Name: "empty-claimed", Doc: "a take calls the bag empty when its own share is used up", Patches: "take_nothing_left.value=3"},
}

var listDefects = []Defect{
	{Name: "no-lock", Doc: "nobody locks", Patches: "push_lock.drop+push_unlock.drop+pop_lock.drop+pop_unlock.drop"},
	{Name: "pop-unlocked", Doc: "pops do not lock", Patches: "pop_lock.drop+pop_unlock.drop"},
	{Name: "push-unlocked", Doc: "pushes do not lock", Patches: "push_lock.drop+push_unlock.drop"},
	{Name: "lock-in-two-steps", Doc: "the lock is tested and set in two accesses", Patches: "push_lock.split+pop_lock.split"},
	{Name: "unlock-early", Doc: "an operation releases the lock before it acts", Patches: "push_unlock.behind=push_lock+pop_unlock.behind=pop_lock"},
	{Name: "pop-too-much", Doc: "a pop takes its size without looking at the end", Patches: "pop_most.value=0xffffffff"},
	{Name: "push-unchecked", Doc: "a push does not look whether its interval fits", Patches: "push_upper.reuse=read_beg"},
}
