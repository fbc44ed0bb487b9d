package history

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lineage"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// Processes holds which process of the current sandbox runs which program.
type Processes struct {
	workdir  string
	Programs map[int]programs.Program
	Parents  map[int]int
	// Server is the pid of the first process; Entry is the server's own script
	// or program that it runs, Command the command line that it was started with.
	Server  int
	Entry   string
	Command []string
	// Lineage tells the scripts of an installation from the package manager;
	// asking are the scripts that used the network, by sandbox.
	Lineage lineage.Lineage
	asking  map[int]*lineage.Asking
}

func newProcesses(workdir string) *Processes {
	p := &Processes{workdir: workdir, asking: map[int]*lineage.Asking{}}
	p.restart()
	return p
}

// restart clears the state when a sandbox ends.
func (p *Processes) restart() {
	p.Programs, p.Parents = map[int]programs.Program{}, map[int]int{}
	p.Server, p.Entry, p.Command = 0, "", nil
}

// forked adds a child process.
func (p *Processes) forked(e *mcpsf.Event) {
	if e.Process != nil && !e.Process.Thread && e.Process.Child != 0 {
		p.Programs[e.Process.Child] = p.Programs[e.PID]
		p.Parents[e.Process.Child] = e.PID
	}
}

// executed adds that a process executes a program.
func (p *Processes) executed(e *mcpsf.Event) {
	if e.Process == nil || e.Process.Error != "" {
		return
	}
	prog := programs.Program{Path: e.Process.Path, Args: e.Process.Args}
	// A script with a #! line is reported twice: as itself, then as its
	// interpreter with the same arguments.
	if before := p.Programs[e.PID]; len(prog.Args) > 0 && slices.Equal(before.Args, prog.Args) &&
		before.Path != prog.Path && before.Path == paths.Absolute(prog.Args[0], p.workdir) {
		prog.Script = before.Path
	}
	if p.Server == 0 {
		p.Server, p.Command = e.PID, e.Process.Args
	}
	if e.PID == p.Server {
		p.Entry = programs.EntryOf(prog, p.workdir)
	}
	_, prog.Installer = programs.NameOf(prog, programs.Installers())
	p.Programs[e.PID] = prog
	if e.PPID != 0 {
		p.Parents[e.PID] = e.PPID
	}
}

// StartedWithPort tells whether the command line of the server names a port on this
// machine.
func (p *Processes) StartedWithPort(port int) bool {
	suffix := ":" + strconv.Itoa(port)
	return slices.ContainsFunc(p.Command, func(arg string) bool {
		for _, host := range []string{"localhost", "127.0.0.1", "[::1]"} {
			_, after, found := strings.Cut(arg, host+suffix)
			if found && (after == "" || strings.IndexByte("/?#,; ", after[0]) >= 0) {
				return true
			}
		}
		return false
	})
}

// scriptBehind returns the script an event belongs to. Network events do not
// name the process, so the scripts that used the network count.
func (p *Processes) scriptBehind(e *mcpsf.Event, box int) *lineage.Script {
	switch asked := p.asking[box]; {
	case e.PID != 0:
		return p.Lineage.Of(e.PID).Script
	case asked == nil:
		return nil
	case e.Kind == mcpsf.KindNetDNS:
		return asked.Resolver
	case e.Kind == mcpsf.KindNetHTTP && e.HTTP == nil:
		return asked.Gateway
	case e.Net != nil && !lineage.ToGateway(e.Net):
		return asked.Others
	}
	return nil
}

// StartedByProgram tells whether a system program started the event's process by
// itself, as tar does with gzip and make with every line. The server,
// interpreters of its code, and programs that only run a given command do not
// count.
func (p *Processes) StartedByProgram(f *event.Fields) bool {
	parent := p.Parents[f.PID]
	if parent == 0 || parent == p.Server {
		return false
	}
	prog := p.Programs[parent]
	if !paths.IsSystem(prog.Path) || programs.IsShell(prog.Path, prog.Args) || programs.PassesOn(path.Base(prog.Path)) {
		return false
	}
	if programs.IsRuntime(path.Base(prog.Path)) {
		return len(prog.Args) > 1 && paths.IsSystem(path.Clean(prog.Args[1]))
	}
	return true
}

// Runs calls foreign for the program's file and for the script that an
// interpreter was started for.
func (p *Processes) Runs(f *event.Fields, foreign func(string) bool) bool {
	if foreign(f.Path) {
		return true
	}
	if script := p.Programs[f.PID].Script; script != "" {
		return foreign(script)
	}
	var inline []string // options after which the code follows
	switch {
	case programs.IsShell(f.Path, f.Args):
		inline = []string{"-c"}
	case programs.IsRuntime(path.Base(f.Path)):
		inline = []string{"-c", "-e", "-p", "-m", "--eval", "--print"}
	default:
		return false
	}
	script := programs.ScriptOf(f.Args, inline)
	return script != "" && foreign(paths.Absolute(script, p.workdir))
}
