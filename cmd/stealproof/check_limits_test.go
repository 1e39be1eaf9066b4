package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// uncertifiable holds, but what its steal took that never came back cannot be
// said: indices are put in twice.
const uncertifiable = `{"format":"stealproof-history","version":1,"model":"range"}
{"process":0,"op":"push","result":"ok","range":[80,83],"call":1,"return":2}
{"process":0,"op":"push","result":"ok","range":[80,82],"call":2,"return":2}
{"process":0,"op":"pop","result":"ok","range":[80,82],"size":3,"call":2,"return":2}
{"process":0,"op":"push","result":"ok","range":[79,80],"call":2,"return":3}
{"process":0,"op":"pop","result":"ok","range":[79,80],"size":3,"call":3,"return":3}
{"process":1,"op":"steal","call":2}
`

// A verdict that was to be confirmed, and was not, must not end in success.
func TestNotCertifiedIsNoSuccess(t *testing.T) {
	inFolder(t, map[string]string{"open.jsonl": uncertifiable, "good.jsonl": holding, "twice.jsonl": violated})
	const why = "porcupine decided, and what the operations that never came back took is not known"
	assert.Equal(t, exitHolds, stealproof(t, "check", "open.jsonl").code, "nobody asked for a certificate")

	o := stealproof(t, "check", "--certify", "open.jsonl")
	assert.Equal(t, exitUndecided, o.code)
	assert.Contains(t, o.out, "open.jsonl: note: certificates: of 1 object (6 operations) not certified: "+why+"\n")
	assert.Contains(t, o.out, "open.jsonl: linearizable, not certified: 6 operations on 1 object, by ")
	assert.Equal(t, o.code, stealproof(t, "check", "--certify", "--quiet", "open.jsonl").code)
	assert.Contains(t, stealproof(t, "check", "--certify", "--quiet", "open.jsonl").out, "not certified", "nor is it passed over in silence")
	assert.Contains(t, stealproof(t, "check", "--certify", "--github", "open.jsonl").out, "::warning file=open.jsonl,title=not certified on object 0::"+why+"\n")

	o = stealproof(t, "check", "--certify", "--json", "--junit", "report.xml", "open.jsonl", "good.jsonl")
	assert.Equal(t, exitUndecided, o.code)
	var report struct {
		Verdict     string
		Uncertified []struct {
			Object int
			Reason string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(strings.SplitN(o.out, "\n", 2)[0]), &report))
	assert.Equal(t, "linearizable", report.Verdict, "the verdict stands")
	require.Len(t, report.Uncertified, 1)
	assert.Equal(t, why, report.Uncertified[0].Reason)
	text, err := os.ReadFile("report.xml")
	require.NoError(t, err)
	assert.NoError(t, xml.Unmarshal(text, new(junitSuite)))
	assert.Contains(t, string(text), `tests="2" failures="0" errors="1"`)
	assert.Contains(t, string(text), "linearizable, not certified: "+why)

	assert.Equal(t, exitViolation, stealproof(t, "check", "--certify", "open.jsonl", "twice.jsonl").code, "1 wins over 3")
}

// trickle gives a little, and then nothing for ever.
type trickle struct {
	text  io.Reader
	never chan struct{}
}

func (s trickle) Read(p []byte) (int, error) {
	if n, err := s.text.Read(p); err == nil {
		return n, nil
	}
	<-s.never
	return 0, io.EOF
}

// A pipe that nothing comes out of any more does not outlast the time limit.
func TestTimeLimitHoldsForReading(t *testing.T) {
	inFolder(t, map[string]string{"good.jsonl": holding, "twice.jsonl": violated})
	const why = "the time limit of 20ms was met while it was read"
	beginnings := map[string]string{
		"check --timeout 20ms -":                         holding,
		"check --timeout 20ms --from edn --model fifo -": "{:process 0, :type :invoke, :f :enqueue, :value 1}",
		"check --timeout 20ms --from jsonl.gz -":         zipped(t, holding)[:20],
	}
	for args, want := range map[string]string{
		"check --timeout 20ms -":                         "-: undecided: " + why + "\n",
		"check --timeout 20ms --from jsonl.gz -":         "-: undecided: " + why + "\n",
		"check --timeout 20ms --quiet -":                 "-: undecided: " + why + "\n",
		"check --timeout 20ms --from edn --model fifo -": "-: undecided: " + why + "\n",
		"check --timeout 20ms --json -":                  `"undecided":[{"object":0,"reason":"` + why + `"}]`,
		"check --timeout 20ms --github -":                "::warning file=-,title=undecided::" + why + "\n",
	} {
		in := trickle{strings.NewReader(beginnings[args]), make(chan struct{})}
		var out, errs bytes.Buffer
		assert.Equal(t, exitUndecided, run(t.Context(), strings.Fields(args), in, &out, &errs), args)
		assert.Contains(t, out.String(), want, args)
		assert.Empty(t, errs.String(), args)
		close(in.never)
	}
}

// The limit is that of each file: one that takes too long does not keep the
// others from a report of their own.
func TestTimeLimitIsOfEachFile(t *testing.T) {
	begun := time.Now().Add(time.Hour)
	ctx, end := checkFlags{timeout: time.Minute}.limited(t.Context(), begun)
	defer end()
	deadline, limited := ctx.Deadline()
	assert.True(t, limited)
	assert.Equal(t, begun.Add(time.Minute), deadline)

	inFolder(t, map[string]string{"good.jsonl": holding, "bad.jsonl": broken})
	o := stealproof(t, "check", "--timeout", "1ns", "--junit", "report.xml", "good.jsonl", "bad.jsonl", "good.jsonl")
	assert.Equal(t, exitUndecided, o.code)
	assert.Equal(t, 3, strings.Count(o.out, "the time limit of 1ns was met while it was read\n"))
	text, err := os.ReadFile("report.xml")
	require.NoError(t, err)
	assert.Contains(t, string(text), `tests="3" failures="0" errors="3"`)
}
