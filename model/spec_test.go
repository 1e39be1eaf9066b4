package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func TestSpecAndSchedulePrintInOrder(t *testing.T) {
	s, err := model.ParseSpec(" abp:width=2,defect=a+b,capacity=8\n")
	require.NoError(t, err)
	assert.Equal(t, model.Spec{Structure: "abp", Settings: model.Settings{"width": "2", "defect": "a+b", "capacity": "8"}}, s)
	assert.Equal(t, "abp:capacity=8,defect=a+b,width=2", s.String())

	sched, err := model.ParseSchedule("directed:until=same,at=head#2")
	require.NoError(t, err)
	assert.Equal(t, "directed:at=head#2,until=same", sched.String())

	sched, err = model.ParseSchedule("choices:0*5,1/2,0/1*2,0")
	require.NoError(t, err)
	assert.Equal(t, model.Choices{{model.Choice{}, 5}, {model.Choice{Process: 1, Pick: 2}, 1}, {model.Choice{Pick: 1}, 2}, {model.Choice{}, 1}}, sched.Choices)
	assert.Equal(t, 9, sched.Choices.Len())
	assert.Equal(t, "choices:0*5,1/2,0/1*2,0", sched.String())
}

func TestSpecWithLeavesTheOriginal(t *testing.T) {
	for _, s := range []model.Spec{{Structure: "abp"}, {Structure: "abp", Settings: model.Settings{"width": "2"}}} {
		before := s.String()
		assert.Equal(t, "abp:width=4", s.With("width", "4").String())
		assert.Equal(t, before, s.String())
	}
}

func TestBadSpecs(t *testing.T) {
	for text, want := range map[string]string{
		"":               `structure "": expected a name, then settings as in "abp:width=2"`,
		"Abp":            `structure "Abp": expected a name, then settings as in "abp:width=2"`,
		"a b":            `structure "a b": expected a name, then settings as in "abp:width=2"`,
		":width=2":       `structure ":width=2": expected a name, then settings as in "abp:width=2"`,
		"abp:width":      `structure "abp:width": setting "width": expected name=value`,
		"abp:width=":     `structure "abp:width=": setting "width=": expected name=value`,
		"abp:=2":         `structure "abp:=2": setting "=2": expected name=value`,
		"abp:width=2,":   `structure "abp:width=2,": setting "": expected name=value`,
		"abp:Width=2":    `structure "abp:Width=2": setting "Width=2": expected name=value`,
		"abp:width=2 3":  `structure "abp:width=2 3": setting "width=2 3": expected name=value`,
		"abp:w=2\u0085,": `structure "abp:w=2\u0085,": setting "w=2\u0085": expected name=value`,
		"abp:a=1,a=1":    `structure "abp:a=1,a=1": setting "a" is given twice`,
	} {
		_, err := model.ParseSpec(text)
		assert.EqualError(t, err, want)
	}
}

func TestBadSchedules(t *testing.T) {
	for text, want := range map[string]string{
		"":                     `schedule "": expected a strategy's name, then settings as in "random:seed=7"`,
		"Random":               `schedule "Random": expected a strategy's name, then settings as in "random:seed=7"`,
		"pct:depth":            `schedule "pct:depth": setting "depth": expected name=value`,
		"choices:x":            `choice "x": expected a process, process/outcome, or either *times`,
		"choices:1,":           `choice "": expected a process, process/outcome, or either *times`,
		"choices:-1":           `choice "-1": expected a process, process/outcome, or either *times`,
		"choices:65536":        `choice "65536": expected a process, process/outcome, or either *times`,
		"choices:1*0":          `choice "1*0": expected a process, process/outcome, or either *times`,
		"choices:1/":           `choice "1/": expected a process, process/outcome, or either *times`,
		"choices:1/65536":      `choice "1/65536": expected a process, process/outcome, or either *times`,
		"choices:1*2/3":        `choice "1*2/3": expected a process, process/outcome, or either *times`,
		"choices:1*":           `choice "1*": expected a process, process/outcome, or either *times`,
		"choices:1*2*3":        `choice "1*2*3": expected a process, process/outcome, or either *times`,
		"choices:1*2147483648": `choice "1*2147483648": expected a process, process/outcome, or either *times`,
		"choices:1 ,2":         `choice "1 ": expected a process, process/outcome, or either *times`,
	} {
		_, err := model.ParseSchedule(text)
		assert.EqualError(t, err, want)
	}
}
