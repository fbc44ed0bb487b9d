package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// usage is the time and memory of a program.
type usage struct {
	Wall, CPU time.Duration
	// Memory is the peak memory of its largest process.
	Memory int64
	Code   int
	Stderr string
}

// measureChild runs a command and writes its usage to a file. It runs in a
// process of its own: the system's figure for a child's memory includes its
// parent's memory at the fork, and this parent is small.
func measureChild(ctx context.Context, file string, command []string) error {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	stderr := &tail{}
	cmd.Stderr = stderr
	began := time.Now()
	err := cmd.Run()
	u := usage{Wall: time.Since(began), Stderr: stderr.String()}
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return err
	}
	state := cmd.ProcessState
	u.Code, u.CPU, u.Memory = state.ExitCode(), state.UserTime()+state.SystemTime(), peakOf(state)
	data, err := json.Marshal(u)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// tail keeps the end of what is written to it.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-2000):]
	return len(p), nil
}

func (t *tail) String() string { return string(t.kept) }

// once runs a command that must exit with one of these codes.
func (s *settings) once(ctx context.Context, codes []int, env []string, command ...string) (usage, error) {
	var u usage
	self, err := os.Executable()
	if err != nil {
		return u, err
	}
	file := filepath.Join(s.work, "usage.json")
	cmd := exec.CommandContext(ctx, self, append([]string{"-measure", file, "--"}, command...)...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return u, fmt.Errorf("%s: %w: %s", command[0], err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return u, err
	}
	if err := json.Unmarshal(data, &u); err != nil {
		return u, err
	}
	if !slices.Contains(codes, u.Code) {
		return u, fmt.Errorf("%s ended with %d: %s", command[0], u.Code, u.Stderr)
	}
	return u, nil
}

// median takes the median of each figure separately.
func median(all []usage) usage {
	return usage{
		Wall:   middle(all, func(u usage) time.Duration { return u.Wall }),
		CPU:    middle(all, func(u usage) time.Duration { return u.CPU }),
		Memory: middle(all, func(u usage) int64 { return u.Memory }),
	}
}

func middle[T cmp.Ordered](all []usage, of func(usage) T) T {
	var list []T
	for _, u := range all {
		list = append(list, of(u))
	}
	slices.Sort(list)
	return list[(len(list)-1)/2]
}
