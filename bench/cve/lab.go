package main

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
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
)

const (
	// grace is what a binary that was asked to stop gets to clean up.
	grace = 30 * time.Second
	// ceiling ends a binary that does not end itself.
	ceiling = 30 * time.Minute
)

// lab runs the binary.
type lab struct {
	set *settings
	env []string
	dir string
	bin string
}

func newLab(ctx context.Context, set *settings, env []string) (*lab, error) {
	dir, err := os.MkdirTemp("", "mcpsf-cve-")
	if err != nil {
		return nil, err
	}
	l := &lab{set: set, dir: dir, env: append(env, "LC_ALL=C.UTF-8"), bin: set.mcpsf}
	if err := os.Chmod(dir, 0o755); err != nil {
		l.close()
		return nil, err
	}
	if l.bin == "" {
		l.bin = filepath.Join(dir, "mcpsf")
		build := exec.CommandContext(ctx, "go", "build", "-o", l.bin, "./cmd/mcpsf")
		build.Env = append(slices.Clip(env), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			l.close()
			return nil, fmt.Errorf("building mcpsf: %w\n%s", err, out)
		}
	}
	return l, nil
}

func (l *lab) close() { os.RemoveAll(l.dir) }

// assess runs one source. Whatever mcpsf answers is a result; an error is a
// failure of this program.
func (l *lab) assess(ctx context.Context, source string) (*result, error) {
	out := filepath.Join(l.dir, "report")
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	began := time.Now()
	stderr, err := l.execute(ctx, source, out)
	if err != nil {
		return nil, err
	}
	r := &result{Seconds: time.Since(began).Round(time.Second).Seconds()}
	rep, err := readReport(filepath.Join(out, "report.json"))
	if errors.Is(err, os.ErrNotExist) {
		r.Error = lastLine(stderr)
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	shown, tried, err := successes(filepath.Join(out, "events.jsonl"))
	if err != nil {
		return nil, err
	}
	r.fill(rep, shown, tried)
	return r, nil
}

// execute runs the binary as a user would, and returns its stderr.
func (l *lab) execute(ctx context.Context, source, out string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, ceiling)
	defer cancel()
	source, args, _ := strings.Cut(source, dashes)
	line := append([]string{"assess"}, strings.Fields(source)...)
	line = append(line, "--profile", "balanced", "--seed", strconv.FormatUint(l.set.seed, 10), "-o", out, "-q", "--fail-on", "never")
	if args != "" {
		line = append(append(line, "--"), strings.Fields(args)...)
	}
	cmd := exec.CommandContext(ctx, l.bin, line...)
	var stderr bytes.Buffer
	cmd.Env, cmd.Stderr = l.env, &stderr
	// An interrupt of the terminal is for this program; it stops the binary in
	// turn, which then removes its sandbox.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = grace
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return "", fmt.Errorf("running %s: %w", l.bin, err)
	}
	return stderr.String(), nil
}

func readReport(path string) (*mcpsf.Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rep := &mcpsf.Report{}
	if err := json.NewDecoder(io.LimitReader(f, maxReport)).Decode(rep); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rep, nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
