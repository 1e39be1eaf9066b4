package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// Whatever the text is, parsing it must not panic, and what parses must print
// to something that parses to the same.

func FuzzProgram(f *testing.F) {
	for _, text := range []string{
		"0: push push(7) pop [push pop]*3\n1: steal steal@1",
		"0: push[8,16) push(last) pop(4) |\n1: steal(2) | # all",
		"0: [[[push]*16777216]*16777216]*16777216",
		"0: [[enq(9223372036854775807) deq]*2 enq]*3\n\n1: |",
		"0:\n1: put@65536 take",
		"0: push\n+1: pop\r",
	} {
		for k := range model.Kinds {
			f.Add(uint8(k), text)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		k := model.Kinds[int(kind)%len(model.Kinds)]
		p, err := model.ParseProgram(k, text)
		if err != nil {
			assert.Empty(t, p)
			assertOneLine(t, err)
			return
		}
		again, err := model.ParseProgram(k, p.String())
		require.NoError(t, err)
		assert.Equal(t, p, again)
		assert.Equal(t, p, p.Clone())
		if p.Len() > 1<<12 {
			return
		}
		operations := 0
		for _, process := range p.Expand() {
			operations += len(process)
		}
		assert.Equal(t, p.Len(), operations)
		_ = p.Validate(k, model.Params{})
	})
}

func FuzzSchedule(f *testing.F) {
	for _, text := range []string{"random:seed=7", "pct:depth=3,seed=7", "choices:0*5,1,0*2", "choices", "choices:1*2147483647", "directed:at=head#2,until=same", "a:b=c=d,e=\u00a0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := model.ParseSchedule(text)
		if err == nil {
			again, err := model.ParseSchedule(s.String())
			require.NoError(t, err)
			assert.Equal(t, s, again)
		} else {
			assertOneLine(t, err)
		}
		spec, err := model.ParseSpec(text)
		if err == nil {
			again, err := model.ParseSpec(spec.String())
			require.NoError(t, err)
			assert.Equal(t, spec, again)
		} else {
			assertOneLine(t, err)
		}
	})
}

func FuzzCase(f *testing.F) {
	f.Add(savedCase)
	f.Add("stealproof-case 1\nnote: a  b\nschedule: random:seed=7\nstructure: tz:x=1\nmodel: fifo\nverdict: not run\nprogram:\n0: [enq deq]*2\n")
	f.Add("stealproof-case 1\nmodel: range\nstructure: the\nschedule: choices\nprogram:\n0: push[1,2) pop(1)")
	f.Add("stealproof-case 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := model.ParseCase(text)
		if err != nil {
			assert.Empty(t, c)
			assertOneLine(t, err)
			return
		}
		again, err := model.ParseCase(c.String())
		require.NoError(t, err)
		assert.Equal(t, c, again)
	})
}

func assertOneLine(t *testing.T, err error) {
	t.Helper()
	assert.NotContains(t, err.Error(), "\n")
	assert.Less(t, len(err.Error()), 1000, "a message is for reading")
}
