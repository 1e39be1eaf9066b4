package histories_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/command"
	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
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
	commandtest.InFolder(t, map[string]string{"open.jsonl": uncertifiable, "good.jsonl": commandtest.Holding, "twice.jsonl": commandtest.Violated})
	const why = "the general search decided, and what the operations that never came back took is not known"
	assert.Equal(t, exit.Holds, commandtest.Run(t, "check", "open.jsonl").Code, "nobody asked for a certificate")

	o := commandtest.Run(t, "check", "--certify", "open.jsonl")
	assert.Equal(t, exit.Undecided, o.Code)
	assert.Contains(t, o.Out, "open.jsonl: note: certificates: of 1 object (6 operations) not certified: "+why+"\n")
	assert.Contains(t, o.Out, "open.jsonl: linearizable, not certified: 6 operations on 1 object, by ")
	assert.Equal(t, o.Code, commandtest.Run(t, "check", "--certify", "--quiet", "open.jsonl").Code)
	assert.Contains(t, commandtest.Run(t, "check", "--certify", "--quiet", "open.jsonl").Out, "not certified", "nor is it passed over in silence")
	assert.Contains(t, commandtest.Run(t, "check", "--certify", "--github", "open.jsonl").Out, "::warning file=open.jsonl,title=not certified on object 0::"+why+"\n")

	o = commandtest.Run(t, "check", "--certify", "--json", "--junit", "report.xml", "open.jsonl", "good.jsonl")
	assert.Equal(t, exit.Undecided, o.Code)
	var report struct {
		Verdict     string
		Uncertified []struct {
			Object int
			Reason string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(strings.SplitN(o.Out, "\n", 2)[0]), &report))
	assert.Equal(t, "linearizable", report.Verdict, "the verdict stands")
	require.Len(t, report.Uncertified, 1)
	assert.Equal(t, why, report.Uncertified[0].Reason)
	text, err := os.ReadFile("report.xml")
	require.NoError(t, err)
	assert.NoError(t, xml.Unmarshal(text, new(xmlNode)))
	assert.Contains(t, string(text), `tests="2" failures="0" errors="1"`)
	assert.Contains(t, string(text), "linearizable, not certified: "+why)

	assert.Equal(t, exit.Violation, commandtest.Run(t, "check", "--certify", "open.jsonl", "twice.jsonl").Code, "1 wins over 3")
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
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "twice.jsonl": commandtest.Violated})
	const why = "the time limit of 20ms was met while it was read"
	beginnings := map[string]string{
		"check --timeout 20ms -":                         commandtest.Holding,
		"check --timeout 20ms --from edn --model fifo -": "{:process 0, :type :invoke, :f :enqueue, :value 1}",
		"check --timeout 20ms --from jsonl.gz -":         commandtest.Zipped(t, commandtest.Holding)[:20],
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
		assert.Equal(t, exit.Undecided, command.Run(t.Context(), strings.Fields(args), in, &out, &errs), args)
		assert.Contains(t, out.String(), want, args)
		assert.Empty(t, errs.String(), args)
		close(in.never)
	}
}

// The limit is that of each file: one that takes too long does not keep the
// others from a report of their own.
func TestTimeLimitIsOfEachFile(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "bad.jsonl": commandtest.Broken})
	o := commandtest.Run(t, "check", "--timeout", "1ns", "--junit", "report.xml", "good.jsonl", "bad.jsonl", "good.jsonl")
	assert.Equal(t, exit.Undecided, o.Code)
	assert.Equal(t, 3, strings.Count(o.Out, "the time limit of 1ns was met while it was read\n"))
	text, err := os.ReadFile("report.xml")
	require.NoError(t, err)
	assert.Contains(t, string(text), `tests="3" failures="0" errors="3"`)
}
