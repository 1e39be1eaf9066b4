package linearize

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/linearize/format"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

var ownModels = []struct {
	kind  model.Kind
	model *model.Model
}{
	{model.Bag, model.Stack(0)},
	{model.Bag, model.Stack(2)},
	{model.FIFO, model.Relaxed(1)},
	{model.Bag, model.AtLeastOnce()},
	{model.WSDeque, model.CircularDeque(2)},
}

// Small histories, right and damaged, are decided as by trying every order.
func TestModelsOfOnesOwnAgreeWithTryingEveryOrder(t *testing.T) {
	for _, own := range ownModels {
		t.Run(own.model.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 13))
			right, wrong := 0, 0
			for right+wrong < 800 {
				m := &testkit.Maker{Rand: r, Kind: own.kind, Params: model.Params{Model: own.model}}
				h := m.Make()
				h.Params.Capacity = 0 // which the maker draws
				if h.Validate() != nil || len(h.Ops) == 0 || len(h.Ops) > 9 {
					continue
				}
				want := model.Violation
				if testkit.BruteForce(h) {
					want = model.Linearizable
					right++
				} else {
					wrong++
				}
				report := Check(t.Context(), h, Options{Certify: true})
				require.Equal(t, want, report.Verdict, "%v\n%s", report.Undecided, testkit.Describe(h))
				if !h.HasLost() {
					require.Equal(t, want == model.Linearizable, CheckSmall(h), testkit.Describe(h))
				}
			}
			assert.Greater(t, right, 200)
			assert.Greater(t, wrong, 200)
		})
	}
}

func history(k model.Kind, m *model.Model, text string) *model.History {
	h := &model.History{Kind: k, Params: model.Params{Model: m}}
	for i, word := range testkitWords(text) {
		o := model.Operation{Op: word.op, Value: word.value, Result: word.result, Call: uint64(2*i + 1), Return: uint64(2*i + 2)}
		h.Ops = append(h.Ops, o)
	}
	return h
}

type ownWord struct {
	op     model.Op
	value  uint64
	result model.Result
}

func testkitWords(text string) (words []ownWord) {
	for _, c := range text {
		switch {
		case c >= '1' && c <= '9':
			words = append(words, ownWord{model.Put, uint64(c - '0'), model.OK})
		case c >= 'a' && c <= 'i':
			words = append(words, ownWord{model.Take, uint64(c-'a') + 1, model.OK})
		case c == '0':
			words = append(words, ownWord{model.Take, model.NoValue, model.Empty})
		case c == '+':
			words = append(words, ownWord{model.Put, model.NoValue, model.Full})
		case c == '?':
			words = append(words, ownWord{model.Take, model.NoValue, model.Abort})
		}
	}
	return words
}

// What each model promises, one operation after the other: digits are put, letters
// taken, 0 finds it empty, + full, and ? gives up.
func TestWhatModelsOfOnesOwnPromise(t *testing.T) {
	for _, test := range []struct {
		model        *model.Model
		right, wrong []string
	}{
		{model.Stack(2), []string{"12ba0", "1a2b0", "12+b?a0"}, []string{"12ab", "1+", "123", "10"}},
		{model.Relaxed(1), []string{"123bac0", "12ab0"}, []string{"123c", "120"}},
		{model.AtLeastOnce(), []string{"1aa0a", "12baab0"}, []string{"b1", "1a20", "10"}},
	} {
		for _, text := range test.right {
			r := Check(t.Context(), history(model.Bag, test.model, text), Options{})
			assert.Equal(t, model.Linearizable, r.Verdict, "%s: %s", test.model, text)
		}
		for _, text := range test.wrong {
			r := Check(t.Context(), history(model.Bag, test.model, text), Options{})
			require.Equal(t, model.Violation, r.Verdict, "%s: %s", test.model, text)
			assert.Equal(t, "other", r.Violations[0].Kind)
			assert.Contains(t, r.Violations[0].Explanation, fmt.Sprintf("fits both their times and the model %s: ", test.model))
		}
	}
}

func TestModelsOfOnesOwnHaveNoMonitorAndNoFile(t *testing.T) {
	h := history(model.Bag, model.Stack(0), "12ba")
	r := Check(t.Context(), h, Options{Checker: Monitor})
	assert.Equal(t, model.Undecided, r.Verdict)
	assert.Contains(t, r.Undecided[0].Msg, "there is no monitor for a model of one's own (stack)")
	for _, name := range []string{"h.jsonl", "h.sph", "h.jsonl.gz"} {
		path := t.TempDir() + "/" + name
		assert.EqualError(t, format.WriteFile(path, h), path+": a history of the model stack cannot be written: files know no models but those of the format")
	}
}
