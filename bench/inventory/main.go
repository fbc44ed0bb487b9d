// Command inventory measures how fast the packages of a server are found.
// It prints the time, packages per second and peak memory for a generated npm
// project with a thousand dependencies, in the lock file and installed.
//
//	go run ./bench/inventory             a generated tree
//	go run ./bench/inventory -dir DIR    an existing tree; -json shows it
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mcpsf/mcpsf/internal/static/inventory"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "inventory:", err)
		os.Exit(1)
	}
}

// settings say what is measured.
type settings struct {
	dir              string
	packages, rounds int
	json             bool
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("inventory", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.dir, "dir", "", "a directory to measure instead of a made-up one")
	flags.IntVar(&s.packages, "packages", 1000, "how many dependencies the made-up project has")
	flags.IntVar(&s.rounds, "rounds", 5, "how often; the best counts, the others were disturbed")
	flags.BoolVar(&s.json, "json", false, "write what was found, and measure nothing")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 || s.packages < 1 || s.rounds < 1 {
		return s, errors.New("there are only flags, and every count has to be at least 1")
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if s.dir == "" {
		dir, err := os.MkdirTemp("", "inventory-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := write(dir, s.packages); err != nil {
			return err
		}
		s.dir = dir
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var best, used time.Duration
	var result *inventory.Result
	for i := range s.rounds + 1 { // the first is cold
		began, before := time.Now(), processorTime()
		if result, err = inventory.Read(ctx, root.FS(), nil); err != nil {
			return err
		}
		if took := time.Since(began); i > 0 && (best == 0 || took < best) {
			best, used = took, processorTime()-before
		}
		if s.json {
			enc := json.NewEncoder(stdout)
			enc.SetIndent("", "  ")
			return enc.Encode(result)
		}
	}
	t := result.Totals
	fmt.Fprintf(stdout, "%d files, of which %d were read (%.1f MB), warm, best of %d\n\n", t.Seen, t.Files, float64(t.Bytes)/1e6, s.rounds)
	fmt.Fprintf(stdout, "packages            %8d (%d installed, %d direct, %d for development)\n", t.Packages, t.Installed, t.Direct, t.Dev)
	fmt.Fprintf(stdout, "time                %8.3f s (%.3f s of the processor's)\n", best.Seconds(), used.Seconds())
	fmt.Fprintf(stdout, "per second          %8.0f packages\n", float64(t.Packages)/best.Seconds())
	fmt.Fprintf(stdout, "peak memory         %8.1f MB\n", float64(peakMemory())/1e6)
	return nil
}
