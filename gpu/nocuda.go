//go:build !cuda

package gpu

import (
	"context"
	"errors"
)

var errNoCUDA = errors.New("this build has no CUDA: build with -tags cuda, see docs/gpu.md")

// List returns the devices.
func List() ([]Device, error) { return nil, errNoCUDA }

// Calibrate measures a device's clock.
func Calibrate(int) (*Calibration, error) { return nil, errNoCUDA }

// Runner launches one structure again and again.
type Runner struct{}

// Open prepares a device, its memory and the module.
func Open(Options) (*Runner, error) { return nil, errNoCUDA }

// Launch runs the structure once.
func (*Runner) Launch(context.Context, uint64) (*Launch, error) { return nil, errNoCUDA }

// Blocks says how the launches are cut: so many blocks of so many warps.
func (*Runner) Blocks() (blocks, warps int) { return 0, 0 }

// Object is the memory of an object as the last launch left it.
func (*Runner) Object(int) []byte { return nil }

// Close gives everything back.
func (*Runner) Close() error { return nil }
