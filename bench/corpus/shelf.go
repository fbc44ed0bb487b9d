package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	judgement "github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
)

// shelf keeps runs, each in one small file, to judge them again.
type shelf struct {
	packer

	dir string
	set *rules.Set
}

// newShelf opens a shelf to judge its runs.
func newShelf(dir string) (*shelf, error) {
	s, err := openShelf(dir)
	if err != nil {
		return nil, err
	}
	s.set, err = rules.Builtin()
	return s, err
}

// openShelf opens a shelf, possibly a new one without a dictionary.
func openShelf(dir string) (*shelf, error) {
	dictionary, err := readDictionary(filepath.Join(dir, dictionaryFile))
	return &shelf{packer: packer{dictionary}, dir: dir}, err
}

func (s *shelf) file(name string) string { return filepath.Join(s.dir, name+".jsonl.zst") }

func (s *shelf) has(name string) bool {
	_, err := os.Stat(s.file(name))
	return err == nil
}

// put keeps a run.
func (s *shelf) put(name string, r *mcpsf.Report, events []mcpsf.Event) error {
	packed, err := s.pack(r, events)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(s.file(name), packed, 0o644)
}

// get reads a run back.
func (s *shelf) get(name string) (*mcpsf.Report, []mcpsf.Event, error) {
	f, err := os.Open(s.file(name))
	if err != nil {
		return nil, nil, fmt.Errorf("no run of it was kept; record one: %w", err)
	}
	defer f.Close()
	return s.unpack(f)
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
