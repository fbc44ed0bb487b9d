// Command public assesses public MCP servers with two builds of mcpsf and shows
// what has changed: a change that finds more in the corpus may raise false alarms
// on servers that people use. It reads a list of pinned npm and PyPI packages,
// assesses each with both binaries, one after another, and writes a table.
//
//	go run ./bench/public -before OLD -after NEW         from the top folder of the repository
//	go run ./bench/public ... -only pypi:,server-memory  those whose source contains one of these
//	go run ./bench/public ... -page FILE                 write the table there
//	go run ./bench/public ... -render                    run nothing, only write the table
//
// It needs the network and takes hours. The result of a server with a binary is
// kept in the work folder, and not made again: the run may be interrupted at any
// time, and a new build is compared with the old results of the other.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/bench/command"
)

func main() {
	os.Exit(command.Run("public", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Environ())
	}))
}

// settings say what is run and where the files are.
type settings struct {
	list, work, page string
	before, after    string
	only, profile    string
	timeout          time.Duration
	render           bool
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("public", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.list, "list", "bench/public/servers.yaml", "the servers")
	flags.StringVar(&s.before, "before", "", "the binary to compare with")
	flags.StringVar(&s.after, "after", "", "the binary to try")
	flags.StringVar(&s.work, "work", "reports/public", "the folder for results and reports")
	flags.StringVar(&s.page, "page", "", "a file for the table (default: printed)")
	flags.StringVar(&s.only, "only", "", "only servers whose source contains one of these, separated by commas")
	flags.StringVar(&s.profile, "profile", "balanced", "the profile of the assessments")
	flags.DurationVar(&s.timeout, "timeout", 5*time.Minute, "how long a server may be driven")
	flags.BoolVar(&s.render, "render", false, "run nothing, only write the table")
	if err := flags.Parse(args); err != nil {
		return s, flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("%q: there are only flags", flags.Arg(0))
	}
	if s.before == "" || s.after == "" {
		return s, errors.New("-before and -after name the two binaries")
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer, env []string) error {
	set, err := parse(args, stderr)
	if err != nil {
		return err
	}
	servers, err := readList(set.list)
	if err != nil {
		return err
	}
	servers = slices.DeleteFunc(servers, func(s server) bool { return !chosen(s.Source, set.only) })
	done, err := readResults(filepath.Join(set.work, resultsFile))
	if err != nil {
		return err
	}
	l, err := newLab(ctx, &set, env)
	if err != nil {
		return err
	}
	defer l.close()
	if !set.render {
		if err := l.measure(ctx, servers, done, stdout); err != nil {
			return err
		}
	}
	text := table(pairsOf(servers, done, l))
	if set.page == "" {
		_, err := io.WriteString(stdout, text)
		return err
	}
	return os.WriteFile(set.page, []byte(text), 0o644)
}

// chosen tells whether a source is selected.
func chosen(source, only string) bool {
	return slices.ContainsFunc(strings.Split(only, ","), func(part string) bool { return strings.Contains(source, part) })
}
