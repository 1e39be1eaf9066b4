package gpu

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
)

var ptxTarget = regexp.MustCompile(`(?m)^\s*\.target\s+sm_(\d+)`)

// checkTarget refuses PTX for a newer device, which the driver only calls invalid.
func checkTarget(image []byte, device Device) error {
	if bytes.HasPrefix(image, []byte("\x7fELF")) {
		return nil // a cubin: the driver says it well
	}
	m := ptxTarget.FindSubmatch(image)
	if m == nil {
		return nil
	}
	if target, err := strconv.Atoi(string(m[1])); err == nil && target > 10*device.Major+device.Minor {
		return fmt.Errorf("this module is for a newer GPU: compute capability %d.%d, %s has %d.%d: build it for this one", target/10, target%10, device.Name, device.Major, device.Minor)
	}
	return nil
}
