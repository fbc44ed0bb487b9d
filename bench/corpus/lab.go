package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
)

// maxLine bounds one event.
const maxLine = 16 << 20

// stopTime is how long a binary that was told to stop may clean up.
const stopTime = 30 * time.Second

// lab assesses examples with the mcpsf binary.
type lab struct {
	mcpsf string
	// temp holds the input of the binary, reports its output.
	temp, reports string
	seed          uint64
}

// kept judges an example by the report of an earlier run.
func (l *lab) kept(e *example) *result {
	r, events, err := readRun(filepath.Join(l.reports, e.Name))
	if err != nil {
		return &result{example: e, outcome: broken, reasons: []string{err.Error()}}
	}
	return judge(e, r, events)
}

// keep puts the run of an example on a shelf.
func (l *lab) keep(dir string, e *example) error {
	r, events, err := readRun(filepath.Join(l.reports, e.Name))
	if err != nil {
		return err
	}
	s, err := openShelf(dir)
	if err != nil {
		return err
	}
	return s.put(e.Name, r, events)
}

// assess runs one example and judges it.
func (l *lab) assess(ctx context.Context, e *example) (*result, error) {
	dir, err := stage(e, l.temp)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(filepath.Dir(dir))
	out := filepath.Join(l.reports, e.Name)
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	args := []string{"assess", dir, "--quiet", "--fail-on", "never", "--profile", e.profile(), "--seed", fmt.Sprint(l.seed), "--output", out}
	if e.Agent {
		args = append(args, "--agent")
	}
	for _, kv := range e.Env {
		args = append(args, "--env", kv)
	}
	if command := command(e); command != nil {
		args = append(append(args, "--"), command...)
	}
	cmd := exec.CommandContext(ctx, l.mcpsf, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	// A binary that is told to stop removes its sandbox; one that is killed cannot.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopTime
	// The report says whether something was found, not the exit code.
	failed := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r, events, err := readRun(out)
	if err != nil {
		why := strings.TrimSpace(said.String())
		return &result{example: e, outcome: broken, reasons: []string{fmt.Sprintf("%v; %v; %.300s", err, failed, why)}}, nil
	}
	return judge(e, r, events), os.WriteFile(l.mark(e), nil, 0o644)
}

// command returns how the server is started, nil to let mcpsf find it.
func command(e *example) []string {
	if len(e.Args) == 0 {
		return nil
	}
	return append([]string{interpreter(e), e.Server}, e.Args...)
}

func interpreter(e *example) string {
	if filepath.Ext(e.Server) == ".mjs" {
		return "node"
	}
	return "python3"
}

// stage copies the example to a folder of its package's name, without the case
// file.
func stage(e *example, temp string) (string, error) {
	top, err := os.MkdirTemp(temp, "mcpsf-corpus-")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(top, e.Package)
	if err := os.CopyFS(dir, os.DirFS(e.Dir)); err != nil {
		return "", err
	}
	return dir, os.Remove(filepath.Join(dir, caseFile))
}

// readRun reads the files of a run.
func readRun(dir string) (*mcpsf.Report, []mcpsf.Event, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		return nil, nil, errors.New("there is no report")
	}
	r := &mcpsf.Report{}
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, nil, fmt.Errorf("reading the report: %w", err)
	}
	f, err := os.Open(filepath.Join(dir, "events.jsonl"))
	if err != nil {
		return nil, nil, errors.New("there are no events")
	}
	defer f.Close()
	var events []mcpsf.Event
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var e mcpsf.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, nil, fmt.Errorf("reading the events: %w", err)
		}
		events = append(events, e)
	}
	return r, events, lines.Err()
}
