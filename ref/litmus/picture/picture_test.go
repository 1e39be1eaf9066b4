package picture_test

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/litmus"
	"stealproof/ref/litmus/library"
	"stealproof/ref/litmus/picture"
)

// requireXML asks for a picture that is well formed, and returns its texts.
func requireXML(t testing.TB, svg string) string {
	t.Helper()
	var b strings.Builder
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		require.NoError(t, err, svg)
		if text, isText := token.(xml.CharData); isText {
			b.Write(text)
		}
	}
}

// TestDraw: every generated test has a picture: of a witness, or of a cycle.
func TestDraw(t *testing.T) {
	for i, g := range library.Tests() {
		if testing.Short() && i%36 != 0 || i%12 != 0 && os.Getenv("STEALPROOF_LARGE") == "" {
			continue
		}
		test, err := litmus.Parse(g.Name, g.Text)
		require.NoError(t, err)
		r := litmus.Decide(t.Context(), test, litmus.Options{})
		text := requireXML(t, picture.Draw(t.Context(), test, litmus.Options{}, r))
		assert.Contains(t, text, g.Name)
		if r.Verdict == litmus.Holds {
			assert.Contains(t, text, ": allowed by ptx", g.Name)
		} else {
			assert.Contains(t, text, ": forbidden by ptx, axiom ", g.Name)
		}
	}
}

func TestDrawWhatNoValuesReach(t *testing.T) {
	test, err := litmus.Parse("t", oneThread("fence.sc.gpu"))
	require.NoError(t, err)
	text := requireXML(t, picture.Draw(t.Context(), test, litmus.Options{}, litmus.Decide(t.Context(), test, litmus.Options{})))
	assert.Contains(t, text, "x == 1: no choice of reads yields these values")
}

// A picture says who waits for ever.
func TestDrawWaiting(t *testing.T) {
	test, err := litmus.Parse("t", oneThread("st.weak x, 1 ;\n bar.cta.sync 3, 0, 2 ;\n st.weak x, 2"))
	require.NoError(t, err)
	text := requireXML(t, picture.Draw(t.Context(), test, litmus.Options{}, litmus.Decide(t.Context(), test, litmus.Options{})))
	assert.Contains(t, text, "x == 1: allowed by ptx, only by executions in which somebody waits for ever")
	assert.Contains(t, text, "bar.sync 3, for ever")
}

// oneThread is a test around one cell.
func oneThread(cell string) string {
	return "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 ;\n " + cell + " ;\nexists (x == 1)\n"
}
