//go:build !linux

package main

import (
	"os"
	"testing"
)

func terminal(t testing.TB) (outer, inner *os.File) {
	t.Skip("terminals are made in another way on this system")
	return nil, nil
}
