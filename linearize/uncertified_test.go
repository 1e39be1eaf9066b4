package linearize

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/limits"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// A verdict that the certificate's search cannot confirm within its limit
// stands, and is reported as unconfirmed.
func TestWhatIsNotCertified(t *testing.T) {
	// A violation that is found directly, among operations that keep any search
	// busy: too many to be left out in the time that the minimiser has.
	h := hopeless(0)
	o := &object{History: h}
	c := &checking{options: Options{Certify: true}}
	certified := func(r result) *Report {
		c.guard = limits.New(t.Context(), time.Now(), c.options.limits(limits.Own{Time: time.Millisecond}))
		defer c.guard.Close()
		return newReport(h, []*object{o}, []result{c.certified(o, r)}, true)
	}
	r := certified(result{Finding: finding.Violates(finding.Violation{Ops: h.Places()})})
	require.Equal(t, model.Violation, r.Verdict)
	require.Len(t, r.Uncertified, 1)
	require.Equal(t, fmt.Sprintf("the general search did not decide on the %d operations shown: the general search did not decide within 1ms, a limit of its own: --timeout or --checker porcupine lets it go on", len(h.Ops)), r.Uncertified[0].Msg)
	require.Contains(t, strings.Join(r.Notes, "\n"), "certificates: of 1 object (36 operations) not certified: the general search did not decide")

	// An order that porcupine found and, asked again, did not find in time.
	r = certified(result{Finding: finding.Finding{Verdict: model.Linearizable}})
	require.Equal(t, model.Linearizable, r.Verdict)
	require.Len(t, r.Uncertified, 1)
	require.Contains(t, r.Uncertified[0].Msg, "the general search said that there is an order, and then did not say which: the general search did not decide")
}

// Where indices are put in twice, nobody can say which of them an operation took
// that never came back, so the order that porcupine finds does not replay.
func TestPendingRemovalsThatCannotBeCertified(t *testing.T) {
	h := testkit.Read(model.Range, "",
		`{"process":0,"op":"push","result":"ok","range":[80,83],"call":1,"return":2}`,
		`{"process":0,"op":"push","result":"ok","range":[80,82],"call":2,"return":2}`,
		`{"process":0,"op":"pop","result":"ok","range":[80,82],"size":3,"call":2,"return":2}`,
		`{"process":0,"op":"push","result":"ok","range":[79,80],"call":2,"return":3}`,
		`{"process":0,"op":"pop","result":"ok","range":[79,80],"size":3,"call":3,"return":3}`,
		`{"process":1,"op":"steal","call":2}`)
	r := Check(t.Context(), h, Options{Certify: true})
	require.Equal(t, model.Linearizable, r.Verdict)
	require.Len(t, r.Uncertified, 1)
	require.Equal(t, "the general search decided, and what the operations that never came back took is not known", r.Uncertified[0].Msg)
	text, err := r.JSON("x", nil)
	require.NoError(t, err)
	require.Contains(t, string(text), `"verdict":"linearizable"`)
	require.Contains(t, string(text), `"uncertified":[{"object":0,"reason":"the general search decided, and what`)
}
