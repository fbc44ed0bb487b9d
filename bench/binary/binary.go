// Package binary runs the mcpsf binary for benchmarks that measure it as a user
// runs it.
//
// In: the path of a binary, or none to build one, and command lines. Out: its
// stderr and the reports it wrote.
package binary

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
)

const (
	// MaxReport bounds how much of a report or of its events is read.
	MaxReport = 1 << 30
	// grace is how long a binary that was asked to stop may clean up.
	grace = 30 * time.Second
	// ceiling is the time after which a binary is killed.
	ceiling = 30 * time.Minute
)

// Binary is the measured mcpsf binary, and a working directory.
type Binary struct {
	// Dir is removed by Close.
	Dir string
	// Env is the environment of every run, unless another is given.
	Env []string

	path string
}

// New makes a working directory whose name begins with "mcpsf-" and name. It
// builds the binary there, from the repository in the current directory, unless
// path names one.
func New(ctx context.Context, name, path string, env []string) (*Binary, error) {
	dir, err := os.MkdirTemp("", "mcpsf-"+name+"-")
	if err != nil {
		return nil, err
	}
	b := &Binary{Dir: dir, Env: append(env, "LC_ALL=C.UTF-8"), path: path}
	if err := os.Chmod(dir, 0o755); err != nil { // under root, the sandbox runs as another user
		b.Close()
		return nil, err
	}
	if path == "" {
		b.path = filepath.Join(dir, "mcpsf")
		build := exec.CommandContext(ctx, "go", "build", "-o", b.path, "./cmd/mcpsf")
		build.Env = append(slices.Clip(env), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			b.Close()
			return nil, fmt.Errorf("building mcpsf: %w\n%s", err, out)
		}
	}
	return b, nil
}

// Close removes the working directory.
func (b *Binary) Close() { os.RemoveAll(b.Dir) }

// Run runs the binary with these arguments and returns its stderr, whatever its
// exit status. A nil env means Env. The error is that of ctx,
// [context.DeadlineExceeded] if the binary did not end by itself, or says that
// it cannot be run.
func (b *Binary) Run(ctx context.Context, env []string, args ...string) (string, error) {
	stderr, _, err := b.Exit(ctx, env, args...)
	return stderr, err
}

// Exit is [Binary.Run] with the exit status.
func (b *Binary) Exit(ctx context.Context, env []string, args ...string) (stderr string, status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, ceiling)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.path, args...)
	var said bytes.Buffer
	if env == nil {
		env = b.Env
	}
	cmd.Env, cmd.Stderr = env, &said
	// An interrupt from the terminal goes to this program only; it stops the
	// binary in turn, which then removes its sandbox.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = grace
	err = cmd.Run()
	if ctx.Err() != nil {
		return said.String(), 0, ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return "", 0, fmt.Errorf("running %s: %w", b.path, err)
	}
	return said.String(), cmd.ProcessState.ExitCode(), nil
}

// Report reads the report of a run.
func Report(path string) (*mcpsf.Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rep := &mcpsf.Report{}
	if err := json.NewDecoder(io.LimitReader(f, MaxReport)).Decode(rep); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rep, nil
}
