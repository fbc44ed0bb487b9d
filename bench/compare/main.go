// Command compare compares "mcpsf scan" with OSV-Scanner: the same installed
// servers, the same exports of advisories, one run. It prints packages,
// vulnerabilities, time and memory of both, and every difference with the correct
// answer, and writes docs/static-comparison.md.
//
// The servers are real ones from npm and PyPI. They are installed without running
// any of their code. The exports are generated (bench/advisory/export): of the
// size of real ones, and with records about the packages of these servers for
// which the correct answer is known.
//
//	go run ./bench/compare                   all ten, about half an hour
//	go run ./bench/compare -keep DIR         keep trees and exports for next time
//	go run ./bench/compare -keep DIR -kept   judge the results of the last time again
//	go run ./bench/compare -only NAME        some
//	go run ./bench/compare -tree DIR         how long scan takes for a tree, part by part
//	go run ./bench/compare -page FILE        write the page there
//
// It exits with 1 if mcpsf misses anything that OSV-Scanner finds, or that is
// known to exist.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf/bench/advisory/export"
	"github.com/mcpsf/mcpsf/bench/command"
)

func main() {
	os.Exit(command.Run("compare", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}))
}

// settings say what is compared.
type settings struct {
	mcpsf, peer     string
	keep, only      string
	tree, page      string
	measure         string
	rounds          int
	kept            bool
	size            export.Size
	command         []string
	stdout, stderr  io.Writer
	exports, place  string
	databases, work string
}

func parse(args []string, stdout, stderr io.Writer) (*settings, error) {
	s := &settings{stdout: stdout, stderr: stderr}
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.mcpsf, "mcpsf", "bin/mcpsf", "the binary of mcpsf")
	flags.StringVar(&s.peer, "osv-scanner", ".bin/osv-scanner-"+peerVersion, "the binary of OSV-Scanner")
	flags.StringVar(&s.keep, "keep", "", "where trees and exports are kept (default: nowhere)")
	flags.StringVar(&s.only, "only", "", "only servers whose name contains this")
	flags.StringVar(&s.tree, "tree", "", "measure a scan of this directory, part by part; an empty one is filled first")
	flags.StringVar(&s.page, "page", "", "a document to write")
	flags.BoolVar(&s.kept, "kept", false, "scan nothing; judge what is in -keep from the last time")
	flags.IntVar(&s.rounds, "rounds", 3, "how often; the median counts")
	flags.IntVar(&s.size.Malicious, "malicious", 220_000, "records about malicious npm packages")
	flags.IntVar(&s.size.Vulnerable, "vulnerable", 30_000, "records about vulnerable npm packages")
	flags.IntVar(&s.size.Python, "python", 15_000, "records about Python packages")
	flags.StringVar(&s.measure, "measure", "", "used by the program itself: run a command and write here what it took")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	s.command = flags.Args()
	if s.measure == "" && len(s.command) > 0 || s.measure != "" && len(s.command) == 0 || s.rounds < 1 {
		return nil, errors.New("there are only flags, and at least one round")
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stdout, stderr)
	if err != nil {
		return err
	}
	if s.measure != "" {
		return measureChild(ctx, s.measure, s.command)
	}
	release, err := s.prepare()
	defer release()
	if err != nil {
		return err
	}
	if s.tree != "" {
		return s.parts(ctx)
	}
	return s.compare(ctx)
}

// prepare finds the programs and makes a working directory.
func (s *settings) prepare() (release func(), err error) {
	release = func() {}
	for _, file := range []*string{&s.mcpsf, &s.peer} {
		if *file, err = filepath.Abs(*file); err != nil {
			return release, err
		}
	}
	if _, err := os.Stat(s.mcpsf); err != nil {
		return release, fmt.Errorf("%w; try: make build", err)
	}
	if s.place, err = filepath.Abs(s.keep); s.keep == "" {
		s.place, err = os.MkdirTemp("", "bench-compare-")
		release = func() { _ = os.RemoveAll(s.place) }
	}
	s.exports = filepath.Join(s.place, "exports", "osv-scalibr")
	s.databases, s.work = filepath.Join(s.place, "cache"), filepath.Join(s.place, "reports")
	return release, err
}
