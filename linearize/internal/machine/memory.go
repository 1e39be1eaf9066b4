// Package machine says what the machine has.
package machine

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// fallbackMemory is the limit where the machine does not say what it has.
const fallbackMemory = 2 << 30

// Memory is half of what this process may have: the collector lets the
// heap grow well beyond what is live, and others want to live as well.
func Memory() uint64 {
	most := machineMemory("/proc/meminfo")
	for _, limit := range groupLimits("/proc/self/cgroup", "/sys/fs/cgroup") {
		most = min(most, limit)
	}
	if most == math.MaxUint64 {
		return fallbackMemory
	}
	return most / 2
}

// machineMemory is what Linux says is available, or no limit.
func machineMemory(file string) uint64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return math.MaxUint64
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 3 && words[0] == "MemAvailable:" && words[2] == "kB" {
			if kb, err := strconv.ParseUint(words[1], 10, 54); err == nil {
				return kb << 10
			}
		}
	}
	return math.MaxUint64
}

// groupLimits are the limits of the control groups that the process is in, of
// both versions, from its own up to the root.
func groupLimits(membership, root string) []uint64 {
	text, err := os.ReadFile(membership)
	if err != nil {
		return nil
	}
	var limits []uint64
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		top, file := root, "memory.max"
		if strings.Contains(parts[1], "memory") {
			top, file = filepath.Join(root, "memory"), "memory.limit_in_bytes"
		} else if parts[1] != "" {
			continue
		}
		for dir := filepath.Clean("/" + parts[2]); ; dir = filepath.Dir(dir) {
			if text, err := os.ReadFile(filepath.Join(top, dir, file)); err == nil {
				if n, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64); err == nil {
					limits = append(limits, n)
				}
			}
			if dir == "/" {
				break
			}
		}
	}
	return limits
}
