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
	"io"
	"os"
	"time"

	"github.com/mcpsf/mcpsf/bench/command"
	"github.com/mcpsf/mcpsf/bench/twobuilds"
)

func main() {
	os.Exit(command.Run("public", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Environ())
	}))
}

// defaults are the settings without any flag.
func defaults() twobuilds.Settings {
	return twobuilds.Settings{List: "bench/public/servers.yaml", Work: "reports/public", Profile: "balanced", Timeout: 5 * time.Minute}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer, env []string) error {
	set := defaults()
	if err := set.Parse("public", args, stderr); err != nil {
		return err
	}
	sources, err := readList(set.List)
	if err != nil {
		return err
	}
	l := &twobuilds.Lab[*result]{Name: "public", Settings: set, Blank: func() *result { return &result{} }, Stdout: stdout, Env: env}
	list, err := l.Compare(ctx, sources)
	if err != nil {
		return err
	}
	return set.Write(table(list), stdout)
}
