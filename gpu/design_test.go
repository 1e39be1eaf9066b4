package gpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func TestEveryDesignHasItsModule(t *testing.T) {
	for _, d := range Designs {
		c, err := Resolve(model.Spec{Structure: d.Name})
		require.NoError(t, err)
		_, err = Module(c.Module)
		assert.NoError(t, err, d.Name)
		assert.Empty(t, c.Patches, d.Name)
	}
}

func TestSpecsChooseModulesAndPatches(t *testing.T) {
	for text, want := range map[string]Config{
		"abp":                                        {Module: "abp", Numbers: [8]uint64{1024, 16, 128}},
		"abp:width=32,capacity=100000":               {Module: "abp-wide", Numbers: [8]uint64{100000, 32, 128}},
		"abp:variant=book,gap=8":                     {Module: "abp-book", Numbers: [8]uint64{1024, 16, 8}},
		"abp:variant=release2011":                    {Module: "abp-release2011", Numbers: [8]uint64{1024, 16, 128}},
		"abp:without=all":                            {Module: "abp", Patches: "push_fence_task_tail.drop+steal_fence_head_tail.drop+steal_fence_tail_task.drop+steal_fence_task_head.drop+pop_fence_tail_head.drop+pop_fence_reset.drop", Numbers: [8]uint64{1024, 16, 128}},
		"abp:variant=release2011,without=all":        {Module: "abp-release2011", Patches: "push_fence_task_tail.drop+steal_fence_task_head.drop+pop_fence_task_tail.drop", Numbers: [8]uint64{1024, 16, 128}},
		"abp:width=32,defect=counter-kept-on-swap":   {Module: "abp-wide", Patches: "pop_swap_head.plus=-0x100000000", Numbers: [8]uint64{1024, 32, 128}},
		"abp:defect=pop-store,without=pop-tail-head": {Module: "abp", Patches: "pop_fence_tail_head.drop+pop_swap_head.blind", Numbers: [8]uint64{1024, 16, 128}},
		"abp:without=steal-head-tail+pop-tail-head":  {Module: "abp", Patches: "steal_fence_head_tail.drop+pop_fence_tail_head.drop", Numbers: [8]uint64{1024, 16, 128}},
		"abp:defect=tail-before-task+pop-store":      {Module: "abp", Patches: "push_write_task.behind=push_write_tail+pop_swap_head.blind", Numbers: [8]uint64{1024, 16, 128}},
		"tz:variant=original,vnull=elsewhere":        {Module: "tz", Patches: tzOriginal, Numbers: [8]uint64{64, 2, 1, 128}},
		"the:fill=end-first,compare=difference":      {Module: "the", Numbers: [8]uint64{2, 0, 2, 128}},
		"tz:variant=skeleton,declare=8":              {Module: "tz-skeleton", Params: model.Params{Capacity: 8}, Numbers: [8]uint64{64, 2, 0, 128}},
		"the:base=2147483600":                        {Module: "the", Numbers: [8]uint64{0, 0, 0, 128, 2147483600}, Lowest: 2147483600},
		"blocking:variant=printed":                   {Module: "blocking", Numbers: [8]uint64{64, 1, 128}},
	} {
		spec, err := model.ParseSpec(text)
		require.NoError(t, err)
		c, err := Resolve(spec)
		require.NoError(t, err, text)
		assert.Equal(t, want, Config{Module: c.Module, Patches: c.Patches, Numbers: c.Numbers, Lowest: c.Lowest, Params: params(c, want)}, text)
	}
}

// params are looked at where the test wants some.
func params(c *Config, want Config) model.Params {
	if want.Params == (model.Params{}) {
		return want.Params
	}
	return c.Params
}

func TestBadSpecs(t *testing.T) {
	for text, want := range map[string]string{
		"queue":                     `unknown structure "queue": expected one of abp, tz, the, blocking, static, list`,
		"abp:wide=1":                `structure abp: unknown setting "wide": expected one of defect, without, capacity, width, gap, variant`,
		"tz:without=all":            `structure tz: unknown setting "without": expected one of defect, capacity, every, vnull, gap, variant, declare`,
		"abp:width=17":              `structure abp: width=17: expected 0 to 16, or 32`,
		"abp:width=33":              `structure abp: width=33: expected a number from 0 to 32`,
		"abp:width=32,variant=book": `structure abp: width=32: only the variant fenced has it`,
		"abp:capacity=65536":        `structure abp: capacity=65536: a 16-bit index allows at most 65535; width=32 allows more`,
		"abp:gap=12":                `structure abp: gap=12: expected a multiple of 8`,
		"abp:variant=old":           `structure abp: variant=old: expected one of fenced, book, release2011`,
		"the:without=fence":         `structure the: unknown fence "fence": expected one of pop-beg-end, steal-end-beg`,
		"abp:without=pop-task-tail": `structure abp: unknown fence "pop-task-tail": expected one of push-task-tail, steal-head-tail, steal-tail-task, steal-task-head, pop-tail-head, pop-tail-head-on-reset`,
		"abp:variant=book,without=push-task-tail": `structure abp: unknown fence "push-task-tail": there is none`,
		"abp:defect=pop":                      `structure abp: unknown defect "pop": expected one of tail-before-task, tail-before-head, task-after-cas, steal-store, steal-off-by-one, steal-ignores-tail, head-before-tail, pop-off-by-one, pop-store, head-reset-first, tail-not-reset, counter-kept-on-swap, counter-kept-on-store, no-capacity-check`,
		"tz:variant=skeleton,defect=one-null": `structure tz: variant=skeleton: it has neither defects nor a vnull`,
		"list:defect=none":                    `structure list: unknown defect "none": expected one of no-lock, pop-unlocked, push-unlocked, lock-in-two-steps, unlock-early, pop-too-much, push-unchecked`,
	} {
		spec, err := model.ParseSpec(text)
		require.NoError(t, err)
		_, err = Resolve(spec)
		assert.EqualError(t, err, want)
	}
}
