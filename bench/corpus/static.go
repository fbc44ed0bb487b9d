package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"go.yaml.in/yaml/v3"
	"golang.org/x/sync/errgroup"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/inspection"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
)

// readSource is the argument with which this program starts itself to read source.
const readSource = "read-source"

// vulnerableClass is the class of honest samples that can be made to do harm.
const vulnerableClass = "vulnerable"

// sample is a folder of corpus/static: source that is read and never run.
type sample struct {
	name      string
	Title     string   `yaml:"title"`
	Malicious bool     `yaml:"malicious"`
	Class     string   `yaml:"class"`
	Expect    []string `yaml:"expect"`
	Not       []string `yaml:"not"`

	// alarms are the findings above LOW that a user is shown.
	alarms []string
}

func (s *sample) harmful() bool { return s.Malicious || s.Class == vulnerableClass }

func loadSamples(dir, only string) ([]*sample, error) {
	folders, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a corpus need not have any
	}
	if err != nil {
		return nil, fmt.Errorf("reading the samples of source: %w", err)
	}
	var list []*sample
	for _, f := range folders {
		if !chosen(f.Name(), only) {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, f.Name(), caseFile))
		if err != nil {
			return nil, err
		}
		s := &sample{name: f.Name()}
		d := yaml.NewDecoder(bytes.NewReader(raw))
		d.KnownFields(true)
		if err := d.Decode(s); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		list = append(list, s)
	}
	return list, nil
}

// readSamples scans every sample as "mcpsf scan" would.
func readSamples(ctx context.Context, dir, only string) ([]*sample, error) {
	list, err := loadSamples(dir, only)
	if err != nil {
		return nil, err
	}
	set, err := rules.Builtin()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "corpus-static-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	for i, s := range list {
		group.Go(func() error {
			place := filepath.Join(temp, fmt.Sprint(i))
			if err := s.scan(ctx, filepath.Join(dir, s.name), place, set, self); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			return nil
		})
	}
	return list, group.Wait()
}

// scan reads one sample, under a neutral name.
func (s *sample) scan(ctx context.Context, from, place string, set *rules.Set, self string) error {
	dir := filepath.Join(place, "server")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, caseFile)); err != nil {
		return err
	}
	result, err := assess.Scan(ctx, &assess.Options{
		Target: mcpsf.Target{Source: dir}, Rules: set, Seed: 1,
		Inspect: &inspection.Options{Self: []string{self, readSource}, Missing: "not asked here", Release: func() {}, NoInstall: true},
		Output:  assess.Output{Events: func(string) (io.WriteCloser, error) { return discard{io.Discard}, nil }},
		Caller: assess.Caller{
			Progress: progress.Silent{}, Logger: slog.New(slog.DiscardHandler), Now: time.Now, TempDir: filepath.Join(place, "run"),
		},
	})
	if err != nil {
		return err
	}
	if result.Report.Inspection == nil || result.Report.Inspection.Files.Source == 0 {
		return errors.New("nothing of it was read")
	}
	s.alarms = findingsIn(result.Report.Findings, mcpsf.SeverityMedium)
	return nil
}

type discard struct{ io.Writer }

func (discard) Close() error { return nil }
