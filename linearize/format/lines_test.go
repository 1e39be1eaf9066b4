package format

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A reader that never has anything, and never says so, ends the reading.
func TestReadersWithoutProgress(t *testing.T) {
	_, err := Read(nothingYet{}, "idle.jsonl", Options{})
	assert.EqualError(t, err, "idle.jsonl: cannot be read: "+io.ErrNoProgress.Error())
}

type nothingYet struct{}

func (nothingYet) Read([]byte) (int, error) { return 0, nil }
