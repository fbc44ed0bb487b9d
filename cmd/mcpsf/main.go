// Command mcpsf runs an untrusted MCP server inside an embedded gVisor sandbox,
// observes everything it does, and says with evidence whether an agent should
// use it.
//
// root.go lists the commands. Each is in a package below internal, in a file of
// its own name.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// version is set by the linker in released builds.
var version = "dev"

func main() {
	// The sandbox's processes are this program under other names; they must not
	// reach our own command line.
	box.Dispatch()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	stop()
	os.Exit(code)
}
