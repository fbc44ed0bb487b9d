// Command startup measures how many public MCP servers mcpsf starts without
// any configuration. It reads a list of pinned npm and PyPI packages, assesses each
// with the mcpsf binary, one after another, and writes a file with one result per
// line and the page docs/startup-rate.md.
//
//	go run ./bench/startup                      from the top folder of the repository
//	go run ./bench/startup -only pypi:          those whose source contains this
//	go run ./bench/startup -render              only write the page anew
//
// It needs the network and takes hours. Servers that have a result are not
// run again, so it may be interrupted at any time; -again repeats the servers that
// did not list their tools.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/bench/binary"
	"github.com/mcpsf/mcpsf/bench/command"
	"github.com/mcpsf/mcpsf/bench/serverlist"
)

func main() {
	os.Exit(command.Run("startup", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Environ())
	}))
}

// settings say what is run and where the files are.
type settings struct {
	list, results, page string
	mcpsf               string
	only                string
	reports             string
	date                string
	timeout             time.Duration
	fresh, again        bool
	render              bool
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("startup", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.list, "list", "bench/startup/servers.txt", "the servers")
	flags.StringVar(&s.results, "results", "bench/startup/results.jsonl", "where results are kept, one per line")
	flags.StringVar(&s.page, "page", "docs/startup-rate.md", "the page to write")
	flags.StringVar(&s.mcpsf, "mcpsf", "", "the binary to measure (default: built from ./cmd/mcpsf)")
	flags.StringVar(&s.only, "only", "", "run only servers whose source contains this")
	flags.StringVar(&s.reports, "reports", "", "keep every report in this directory")
	flags.StringVar(&s.date, "date", time.Now().UTC().Format(time.DateOnly), "the date on the page")
	flags.DurationVar(&s.timeout, "timeout", 90*time.Second, "how long a server may be driven")
	flags.BoolVar(&s.fresh, "fresh", false, "give every server an empty cache")
	flags.BoolVar(&s.again, "again", false, "run those once more that did not list their tools")
	flags.BoolVar(&s.render, "render", false, "run nothing, only write the page")
	if err := flags.Parse(args); err != nil {
		return s, flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("%q: there are only flags", flags.Arg(0))
	}
	if _, err := time.Parse(time.DateOnly, s.date); err != nil {
		return s, fmt.Errorf("-date %q: a date looks like 2006-01-02", s.date)
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer, env []string) error {
	set, err := parse(args, stderr)
	if err != nil {
		return err
	}
	servers, err := serverlist.Read(set.list)
	if err != nil {
		return err
	}
	done, err := readResults(set.results)
	if err != nil {
		return err
	}
	if !set.render {
		if err := measure(ctx, set, servers, done, stdout, env); err != nil {
			return err
		}
	}
	return writePage(set.page, &page{Date: set.date, Servers: servers, Results: done})
}

// measure assesses the servers that done lacks and adds the results.
func measure(ctx context.Context, set settings, servers []serverlist.Server, done map[string]*result, stdout io.Writer, env []string) error {
	b, err := binary.New(ctx, "startup", set.mcpsf, env)
	if err != nil {
		return err
	}
	defer b.Close()
	l := &lab{set: set, binary: b}
	for i, s := range servers {
		old := done[s.Source]
		if !strings.Contains(s.Source, set.only) || old != nil && (!set.again || old.Listed) {
			continue
		}
		r, err := l.assess(ctx, s)
		switch {
		case ctx.Err() != nil:
			return errors.New("interrupted; what was finished is kept")
		case err != nil:
			return err
		}
		if err := appendResult(set.results, r); err != nil {
			return err
		}
		done[s.Source] = r
		fmt.Fprintf(stdout, "%3d/%d  %-60s %s\n", i+1, len(servers), s.Source, r.outcome())
	}
	return nil
}
