package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/mcpsf/mcpsf"
	judgement "github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
)

// shelf keeps runs, each in one small file, to judge them again: the report
// without what was found, and below it the events.
type shelf struct {
	dir string
	set *rules.Set
}

func newShelf(dir string) (*shelf, error) {
	set, err := rules.Builtin()
	if err != nil {
		return nil, err
	}
	return &shelf{dir, set}, nil
}

func (s *shelf) file(name string) string { return filepath.Join(s.dir, name+".jsonl.zst") }

func (s *shelf) has(name string) bool {
	_, err := os.Stat(s.file(name))
	return err == nil
}

// put keeps a run.
func (s *shelf) put(name string, r *mcpsf.Report, events []mcpsf.Event) error {
	kept := *r
	kept.Findings, kept.Accesses, kept.Waived, kept.Recommendations, kept.Summary = nil, nil, nil, nil, ""
	kept.Verdict = mcpsf.Verdict{}
	var out bytes.Buffer
	pressed, err := zstd.NewWriter(&out, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	head, err := json.Marshal(&kept)
	if err != nil {
		return err
	}
	if _, err := pressed.Write(append(head, '\n')); err != nil {
		return err
	}
	log := trace.Create(pressed)
	for _, e := range events {
		if err := log.Write(e); err != nil {
			return err
		}
	}
	if err := errors.Join(log.Close(), pressed.Close()); err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(s.file(name), out.Bytes(), 0o644)
}

// get reads a run back.
func (s *shelf) get(name string) (*mcpsf.Report, []mcpsf.Event, error) {
	f, err := os.Open(s.file(name))
	if err != nil {
		return nil, nil, fmt.Errorf("no run of it was kept; record one: %w", err)
	}
	defer f.Close()
	pressed, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, nil, err
	}
	defer pressed.Close()
	lines := bufio.NewReader(pressed)
	head, err := lines.ReadBytes('\n')
	if err != nil {
		return nil, nil, fmt.Errorf("reading the report: %w", err)
	}
	r := &mcpsf.Report{}
	if err := json.Unmarshal(head, r); err != nil {
		return nil, nil, fmt.Errorf("reading the report: %w", err)
	}
	var events []mcpsf.Event
	err = trace.Read(lines, func(e mcpsf.Event) error { events = append(events, e); return nil })
	return r, events, err
}

// judge judges a kept run by today's rules.
func (s *shelf) judge(e *example) *result {
	r, events, err := s.get(e.Name)
	if err == nil {
		err = judgement.Apply(r, events, s.set)
	}
	if err != nil {
		return &result{example: e, outcome: broken, reasons: []string{err.Error()}}
	}
	return judge(e, r, events)
}
