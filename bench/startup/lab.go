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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
)

const (
	maxReport = 64 << 20 // bytes of a report or of a result line
	maxStderr = 2000     // bytes kept of what a server wrote when it failed
	// grace is what a binary that was asked to stop gets to clean up.
	grace = 30 * time.Second
	// ceiling ends a binary that does not end itself.
	ceiling = 30 * time.Minute
)

// lab runs the binary.
type lab struct {
	set settings
	env []string
	dir string
}

// newLab makes a working directory and, unless one was named, the binary.
func newLab(ctx context.Context, set settings, env []string) (*lab, error) {
	dir, err := os.MkdirTemp("", "mcpsf-startup-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // root's sandbox is another user's
		return nil, err
	}
	l := &lab{set: set, dir: dir, env: append(env, "LC_ALL=C.UTF-8")}
	if set.mcpsf == "" {
		l.set.mcpsf = filepath.Join(dir, "mcpsf")
		build := exec.CommandContext(ctx, "go", "build", "-o", l.set.mcpsf, "./cmd/mcpsf")
		build.Env = append(slices.Clip(env), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			l.close()
			return nil, fmt.Errorf("building mcpsf: %w\n%s", err, out)
		}
	}
	return l, nil
}

func (l *lab) close() { os.RemoveAll(l.dir) }

// assess runs one server. Whatever mcpsf answers is a result; an error is a
// failure of this program.
func (l *lab) assess(ctx context.Context, s server) (*result, error) {
	out := filepath.Join(l.dir, "report")
	if l.set.reports != "" {
		out = filepath.Join(l.set.reports, safeName(s.Source))
	}
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	env := l.env
	if l.set.fresh {
		cache, err := os.MkdirTemp(l.dir, "cache-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(cache)
		env = append(env, "MCPSF_CACHE="+filepath.Join(cache, "mcpsf"))
		if err := os.Chmod(cache, 0o755); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	stderr, err := l.execute(ctx, s.Source, out, env)
	if err != nil {
		return nil, err
	}
	r := &result{Source: s.Source, Account: s.Account, Date: l.set.date, Seconds: steps(stderr)}
	r.Seconds["total"] = time.Since(began).Seconds()
	rep, err := readReport(filepath.Join(out, "report.json"))
	switch {
	case errors.Is(err, os.ErrNotExist):
		r.Error = lastLine(stderr)
	case err != nil:
		return nil, err
	default:
		r.fill(rep)
	}
	if !r.Listed {
		r.Stderr = complaints(filepath.Join(out, "events.jsonl"))
	}
	return r, nil
}

// execute returns what the binary wrote to stderr: its progress, and the
// error where there was one.
func (l *lab) execute(ctx context.Context, source, out string, env []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, ceiling)
	defer cancel()
	cmd := exec.CommandContext(ctx, l.set.mcpsf, "assess", source, "--format", "json", "-o", out,
		"--fail-on", "never", "--timeout", l.set.timeout.String())
	var stderr bytes.Buffer
	cmd.Env, cmd.Stderr = env, &stderr
	// An interrupt of the terminal is for this program; it stops the binary
	// in turn, which then removes its sandbox.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = grace
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		return "", fmt.Errorf("running %s: %w", l.set.mcpsf, err)
	}
	return stderr.String(), nil
}

// step matches a finished line of mcpsf's progress.
var step = regexp.MustCompile(`^\S+\s+(resolve|install|start|drive)\s.*?(?:(\d+) min ?)?(?:(\d+(?:\.\d+)?) (ms|s))?$`)

// steps reads the seconds of each step out of the progress.
func steps(stderr string) map[string]float64 {
	seconds := map[string]float64{}
	for line := range strings.Lines(stderr) {
		m := step.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		minutes, _ := strconv.ParseFloat(m[2], 64)
		rest, _ := strconv.ParseFloat(m[3], 64)
		if m[4] == "ms" {
			rest /= 1000
		}
		seconds[m[1]] += 60*minutes + rest
	}
	return seconds
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

// complaints is the end of the server's stderr.
func complaints(events string) string {
	f, err := os.Open(events)
	if err != nil {
		return ""
	}
	defer f.Close()
	var stderr string
	for lines := json.NewDecoder(f); ; {
		var e mcpsf.Event
		if err := lines.Decode(&e); err != nil {
			return stderr
		}
		var text string
		if e.Kind == mcpsf.KindMCPStderr && e.MCP != nil && json.Unmarshal(e.MCP.Body, &text) == nil {
			stderr = tail(stderr+text+"\n", maxStderr)
		}
	}
}
