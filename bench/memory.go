package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// memory is what the processes started from here use, in MB, as the host counts
// it: a page that several processes share counts in parts (PSS), so that the sum
// is right.
type memory struct {
	// server is the target's own memory: what gVisor gave it, and the host's
	// programs and libraries it has mapped. Natively it is everything.
	server float64
	// sandbox is the rest: gVisor's kernel, its file server, the supervisor,
	// gVisor's share of the processes that run the target's code, and the ring
	// of records.
	sandbox float64
}

func measureMemory() (memory, error) {
	var sum memory
	self, err := os.Executable()
	if err != nil {
		return sum, fmt.Errorf("measuring memory: %w", err)
	}
	seen := map[string]bool{}
	for _, pid := range descendants(os.Getpid()) {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
		if err != nil {
			return sum, fmt.Errorf("measuring memory: %w", err)
		}
		// gVisor runs the threads of the target as processes that share one
		// address space; it counts once.
		if seen[string(raw)] {
			continue
		}
		seen[string(raw)] = true
		program, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		for file, megabytes := range mapped(raw) {
			if program != self || ofServer(file, self) {
				sum.server += megabytes
			} else {
				sum.sandbox += megabytes
			}
		}
	}
	return sum, nil
}

// ofServer tells the target's mappings in gVisor's processes from gVisor's own.
func ofServer(file, self string) bool {
	if strings.HasPrefix(file, "/memfd:") {
		return strings.HasPrefix(file, "/memfd:runsc-memory")
	}
	return strings.HasPrefix(file, "/") && file != self
}

// mapped sums up PSS by mapped file; memory without a file is "".
func mapped(smaps []byte) map[string]float64 {
	sum := map[string]float64{}
	file := ""
	for line := range bytes.Lines(smaps) {
		fields := strings.Fields(string(line))
		switch {
		case len(fields) >= 5 && strings.Contains(fields[0], "-"):
			file = strings.Join(fields[5:], " ")
		case len(fields) == 3 && fields[0] == "Pss:":
			kibibytes, _ := strconv.ParseFloat(fields[1], 64)
			sum[file] += kibibytes * 1024 / 1e6
		}
	}
	return sum
}

// descendants lists the processes below pid.
func descendants(pid int) []int {
	children := map[int][]int{}
	found, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range found {
		raw, err := os.ReadFile(name)
		if err != nil {
			continue // ended meanwhile
		}
		var child, parent int
		var state string
		_, behind, _ := strings.Cut(string(raw), ") ")
		_, _ = fmt.Sscan(string(raw), &child)
		_, _ = fmt.Sscan(behind, &state, &parent)
		children[parent] = append(children[parent], child)
	}
	below := slices.Clone(children[pid])
	for i := 0; i < len(below); i++ {
		below = append(below, children[below[i]]...)
	}
	return below
}
