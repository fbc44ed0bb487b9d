// Command depth measures how many tools of public MCP servers really work, with
// two builds of mcpsf side by side: a tool that fails at its first check shows
// nothing, and no attack reaches what lies behind it. It reads the list of
// bench/startup, assesses each server with both binaries, one after another, and
// writes the page docs/depth.md.
//
//	go run ./bench/depth -before OLD -after NEW         from the top folder of the repository
//	go run ./bench/depth ... -only pypi:,server-memory  those whose source contains one of these
//	go run ./bench/depth ... -page FILE                 write the page there
//	go run ./bench/depth ... -render                    run nothing, only write the page
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
	"github.com/mcpsf/mcpsf/bench/serverlist"
	"github.com/mcpsf/mcpsf/bench/twobuilds"
)

func main() {
	os.Exit(command.Run("depth", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Environ())
	}))
}

// defaults are the settings without any flag.
func defaults() twobuilds.Settings {
	return twobuilds.Settings{
		List: "bench/startup/servers.txt", Work: "reports/depth", Page: "docs/depth.md",
		Profile: "safe", Timeout: 10 * time.Minute, // an installation may take half of it
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer, env []string) error {
	set := defaults()
	if err := set.Parse("depth", args, stderr); err != nil {
		return err
	}
	servers, err := serverlist.Read(set.List)
	if err != nil {
		return err
	}
	var sources []string
	accounts := map[string]string{}
	for _, s := range servers {
		sources = append(sources, s.Source)
		accounts[s.Source] = s.Account
	}
	l := &twobuilds.Lab[*result]{Name: "depth", Settings: set, Blank: func() *result { return &result{} }, Stdout: stdout, Env: env}
	list, err := l.Compare(ctx, sources)
	if err != nil {
		return err
	}
	text, err := newPage(list, accounts).text()
	if err != nil {
		return err
	}
	return set.Write(text, stdout)
}
