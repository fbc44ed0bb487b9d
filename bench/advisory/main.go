// Command advisory measures the database of advisories: how long it takes to
// import exports of full size, to open the database, and to look up a thousand
// packages, and how much memory that takes. For comparison osv-scalibr's own
// matcher looks up the same packages in the same exports, and our matcher must
// find everything that it finds. The exports are generated here, with records of
// the structure and the length of real ones.
//
//	go run ./bench/advisory               265,000 records, about two minutes
//	go run ./bench/advisory -dir DIR      keep the exports there for next time
//	go run ./bench/advisory -alone        without the other matcher
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf/bench/advisory/export"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "advisory:", err)
		os.Exit(1)
	}
}

// settings say what is measured.
type settings struct {
	size   export.Size
	dir    string
	rounds int
	alone  bool
	// step is set in the child processes: one for each measurement, so that
	// memory is measured separately.
	step string
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("advisory", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.size.Malicious, "malicious", 220_000, "records about malicious npm packages")
	flags.IntVar(&s.size.Vulnerable, "vulnerable", 30_000, "records about vulnerable npm packages")
	flags.IntVar(&s.size.Python, "python", 15_000, "records about Python packages")
	flags.IntVar(&s.rounds, "rounds", 3, "how often; the best counts, the others were disturbed")
	flags.StringVar(&s.dir, "dir", "", "where the exports are kept (default: nowhere)")
	flags.BoolVar(&s.alone, "alone", false, "without the other matcher")
	flags.StringVar(&s.step, "step", "", "used by the program itself")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 || s.rounds < 1 || s.size.Malicious < 1 || s.size.Vulnerable < 10 || s.size.Python < 10 {
		return s, errors.New("there are only flags, and every count has to be at least 10")
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if s.step != "" {
		return doStep(ctx, s, stdout)
	}
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "bench-advisory-"); err != nil {
			return err
		}
		defer os.RemoveAll(s.dir)
	}
	if err := prepare(s, stderr); err != nil {
		return err
	}
	return measure(ctx, s, stdout)
}

// prepare makes the exports, unless they exist.
func prepare(s settings, stderr io.Writer) error {
	name := filepath.Join(s.dir, sampleName)
	if have, err := readSample(s.dir); err == nil && have.Size == s.size {
		return nil
	}
	fmt.Fprintln(stderr, "making the exports ...")
	packages, err := export.Generate(s.dir, s.size, nil)
	if err != nil {
		return err
	}
	data, err := json.Marshal(sample{s.size, packages})
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// sampleName is the file with the packages that are looked up.
const sampleName = "sample.json"

type sample struct {
	Size     export.Size
	Packages []export.Wanted
}

func readSample(dir string) (sample, error) {
	var s sample
	data, err := os.ReadFile(filepath.Join(dir, sampleName))
	if err != nil {
		return s, err
	}
	err = json.Unmarshal(data, &s)
	return s, err
}
