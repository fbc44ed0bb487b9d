// Command everything assesses servers that have one of everything the protocol
// offers, made with the official SDKs for TypeScript, Python and Go, over each
// transport, with the mcpsf binary. It writes a table of the features that were used.
//
//	go run ./bench/everything              all of them, into docs/conformance.md
//	go run ./bench/everything -only py     those whose name contains this; the
//	                                       table goes to the standard output
//	go run ./bench/everything -mcpsf PATH  with another binary
//
// It exits with 1 if something that a server offers was not used.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf/bench/command"
)

func main() {
	os.Exit(command.Run("everything", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("everything", flag.ContinueOnError)
	flags.SetOutput(stderr)
	binary := flags.String("mcpsf", "bin/mcpsf", "the binary to try")
	only := flags.String("only", "", "only servers and transports whose name contains this")
	page := flags.String("page", "docs/conformance.md", "the document that the table is written into")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	temp, err := os.MkdirTemp("", "mcpsf-everything-")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(temp)
	var columns []*column
	for _, c := range all() {
		if !strings.Contains(c.name(), *only) {
			continue
		}
		if err := c.assess(ctx, *binary, temp); err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
		fmt.Fprintf(stderr, "%-28s %s\n", c.name(), c.told())
		columns = append(columns, c)
	}
	if *only != "" {
		_, err = io.WriteString(stdout, table(columns))
	} else {
		err = publish(*page, table(columns))
	}
	if err != nil {
		return err
	}
	for _, c := range columns {
		if len(c.missed()) > 0 {
			return errors.New("not everything was used")
		}
	}
	return nil
}

// column is one server over one transport.
type column struct {
	server    *server
	transport string
	// messages counts the messages of a run, and pages the requests for a further page.
	messages map[messageKind]int
	pages    int
	// revision is the protocol revision that was used.
	revision string
}

func (c *column) name() string { return c.server.name + ", " + c.transport }

// assess runs the server in the sandbox.
func (c *column) assess(ctx context.Context, binary, temp string) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return fmt.Errorf("finding the binary: %w", err)
	}
	source, err := c.server.source(ctx, temp)
	if err != nil {
		return err
	}
	out := filepath.Join(temp, "report")
	command := append([]string{c.server.command}, c.server.arguments[c.transport]...)
	args := append([]string{"assess", source, "--profile", "balanced", "--quiet", "--fail-on", "never", "--output", out, "--"}, command...)
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = temp
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("assessing it: %w: %s", err, text[max(0, len(text)-400):])
	}
	return c.read(out)
}
