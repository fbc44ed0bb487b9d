// Command cve replays published vulnerabilities of MCP servers. It reads a list of
// advisories, each with a vulnerable and a fixed version. The mcpsf binary assesses
// both as a user would, without knowing the advisory. It writes a file of results
// and the page docs/cve-replay.md, which says what was found unaided, by which
// call, and what was not.
//
//	go run ./bench/cve                     from the top folder of the repository
//	go run ./bench/cve -only git           those whose source or advisory contains this
//	go run ./bench/cve -render             only write the page anew
//
// It needs the network and takes an hour or more. Sources that have a
// result are not run again, unless -again is set.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/bench/binary"
	"github.com/mcpsf/mcpsf/bench/command"
)

func main() {
	os.Exit(command.Run("cve", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Environ())
	}))
}

// settings say what is run and where the files are.
type settings struct {
	list, results, page string
	mcpsf, only, date   string
	seed                uint64
	again, render       bool
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("cve", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.list, "list", "bench/cve/advisories.yaml", "the advisories")
	flags.StringVar(&s.results, "results", "bench/cve/results.json", "where results are kept")
	flags.StringVar(&s.page, "page", "docs/cve-replay.md", "the page to write")
	flags.StringVar(&s.mcpsf, "mcpsf", "", "the binary to use (default: built from ./cmd/mcpsf)")
	flags.StringVar(&s.only, "only", "", "run only what contains this in its source or advisory")
	flags.StringVar(&s.date, "date", time.Now().UTC().Format(time.DateOnly), "the date on the page")
	flags.Uint64Var(&s.seed, "seed", 7, "the seed of decoys and inputs")
	flags.BoolVar(&s.again, "again", false, "run those anew that have a result")
	flags.BoolVar(&s.render, "render", false, "run nothing, only write the page")
	if err := flags.Parse(args); err != nil {
		return s, flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("%q: there are only flags", flags.Arg(0))
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer, env []string) error {
	set, err := parse(args, stderr)
	if err != nil {
		return err
	}
	list, err := readList(set.list)
	if err != nil {
		return err
	}
	known, err := readResults(set.results)
	if err != nil {
		return err
	}
	if !set.render {
		if err := replay(ctx, &set, list, known, stdout, env); err != nil {
			return err
		}
	}
	text := page(list, known, set.date)
	if err := os.WriteFile(set.page, []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Fprint(stdout, summary(list, known))
	return nil
}

// replay runs what has no result yet. A source with several advisories is run
// once.
func replay(ctx context.Context, set *settings, list []advisory, known results, stdout io.Writer, env []string) error {
	b, err := binary.New(ctx, "cve", set.mcpsf, env)
	if err != nil {
		return err
	}
	defer b.Close()
	l := &lab{set: set, binary: b}
	for _, source := range sources(list, set.only) {
		if known[source] != nil && !set.again {
			continue
		}
		r, err := l.assess(ctx, source)
		if err != nil {
			return err
		}
		known[source] = r
		fmt.Fprintf(stdout, "%-60s %3.0f s, %d tools, %d findings of attacks %s\n", source, r.Seconds, r.Tools, len(r.Findings), r.Error)
		if err := writeResults(set.results, known); err != nil {
			return err
		}
	}
	return nil
}

// sources returns what is to be run: vulnerable versions before fixed ones, and
// those without an expectation last.
func sources(list []advisory, only string) []string {
	var all []string
	add := func(a *advisory, source string) {
		if source != "" && !slices.Contains(all, source) && strings.Contains(source+" "+a.ID, only) {
			all = append(all, source)
		}
	}
	for _, unseen := range []bool{false, true} {
		for i := range list {
			if (list[i].Unseen != "") == unseen {
				add(&list[i], list[i].Vulnerable)
			}
		}
		for i := range list {
			if (list[i].Unseen != "") == unseen {
				add(&list[i], list[i].Fixed)
			}
		}
	}
	return all
}
