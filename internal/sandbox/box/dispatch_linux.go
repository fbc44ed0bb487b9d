package box

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/subcommands"
	"gvisor.dev/gvisor/runsc/cli"
	"gvisor.dev/gvisor/runsc/cmd"
	"gvisor.dev/gvisor/runsc/cmd/util"

	"github.com/mcpsf/mcpsf/internal/sandbox/sentry"
)

const supervisorName = "mcpsf-supervisor"

// Dispatch takes over if the process was started in one of the sandbox's
// roles, and then does not return. Every main that can start a sandbox, test
// binaries included, calls it before anything else.
func Dispatch() {
	switch {
	case filepath.Base(os.Args[0]) == supervisorName:
		os.Exit(supervise())
	case isRunscRole(os.Args):
		sentry.Register(nil, nil)
		cli.Run(map[util.SubCommand]string{
			new(cmd.Boot): "", new(cmd.Gofer): "", new(cmd.Umount): "",
		}, []subcommands.Command{})
		os.Exit(1)
	}
}

// isRunscRole recognises how gVisor starts itself again. It uses three names;
// missing one would make the sandbox wait for ever.
func isRunscRole(args []string) bool {
	switch args[0] {
	case "runsc-sandbox", "runsc-gofer":
		return true
	case "/proc/self/exe":
		first := slices.IndexFunc(args[1:], func(a string) bool { return !strings.HasPrefix(a, "-") })
		return first >= 0 && slices.Contains([]string{"boot", "gofer", "umount"}, args[1+first])
	}
	return false
}
