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
		assert.LessOrEqual(t, len(d.Defects), 64)
	}
}

func TestSpecsChooseModulesAndSwitches(t *testing.T) {
	for text, want := range map[string]Config{
		"abp":                                       {Module: "abp", Numbers: [8]uint64{1024, 16, 128}},
		"abp:width=32,capacity=100000":              {Module: "abp-wide", Numbers: [8]uint64{100000, 32, 128}},
		"abp:variant=book,gap=8":                    {Module: "abp-book", Numbers: [8]uint64{1024, 16, 8}},
		"abp:variant=release2011":                   {Module: "abp-release2011", Numbers: [8]uint64{1024, 16, 128}},
		"abp:without=all":                           {Module: "abp", Without: 127, Numbers: [8]uint64{1024, 16, 128}},
		"abp:without=steal-head-tail+pop-tail-head": {Module: "abp", Without: 1<<1 | 1<<5, Numbers: [8]uint64{1024, 16, 128}},
		"abp:defect=tail-before-task+pop-store":     {Module: "abp", Defects: 1 | 1<<8, Numbers: [8]uint64{1024, 16, 128}},
		"tz:variant=original,vnull=elsewhere":       {Module: "tz", Defects: 3, Numbers: [8]uint64{64, 2, 1, 128}},
		"the:fill=end-first,compare=difference":     {Module: "the", Numbers: [8]uint64{2, 0, 2, 128}},
		"tz:variant=skeleton,declare=8":             {Module: "tz-skeleton", Params: model.Params{Capacity: 8}, Numbers: [8]uint64{64, 2, 0, 128}},
		"the:base=2147483600":                       {Module: "the", Numbers: [8]uint64{0, 0, 0, 128, 2147483600}, Lowest: 2147483600},
		"blocking:variant=printed":                  {Module: "blocking", Numbers: [8]uint64{64, 1, 128}},
	} {
		spec, err := model.ParseSpec(text)
		require.NoError(t, err)
		c, err := Resolve(spec)
		require.NoError(t, err, text)
		assert.Equal(t, want, Config{Module: c.Module, Without: c.Without, Defects: c.Defects, Numbers: c.Numbers, Lowest: c.Lowest, Params: params(c, want)}, text)
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
		"queue":                               `unknown structure "queue": expected one of abp, tz, the, blocking, static, list`,
		"abp:wide=1":                          `structure abp: unknown setting "wide": expected one of defect, without, capacity, width, gap, variant`,
		"tz:without=all":                      `structure tz: unknown setting "without": expected one of defect, capacity, every, vnull, gap, variant, declare`,
		"abp:width=17":                        `structure abp: width=17: expected 0 to 16, or 32`,
		"abp:width=33":                        `structure abp: width=33: expected a number from 0 to 32`,
		"abp:width=32,variant=book":           `structure abp: width=32: only the variant fenced has it`,
		"abp:capacity=65536":                  `structure abp: capacity=65536: a 16-bit index allows at most 65535; width=32 allows more`,
		"abp:gap=12":                          `structure abp: gap=12: expected a multiple of 8`,
		"abp:variant=old":                     `structure abp: variant=old: expected one of fenced, book, release2011`,
		"the:without=fence":                   `structure the: unknown fence "fence": expected one of pop-beg-end, steal-end-beg`,
		"tz:variant=skeleton,defect=one-null": `structure tz: variant=skeleton: it has neither defects nor a vnull`,
		"list:defect=none":                    `structure list: unknown defect "none": expected one of no-lock, pop-unlocked, push-unlocked, lock-in-two-steps, unlock-early, pop-too-much, push-unchecked`,
	} {
		spec, err := model.ParseSpec(text)
		require.NoError(t, err)
		_, err = Resolve(spec)
		assert.EqualError(t, err, want)
	}
}
