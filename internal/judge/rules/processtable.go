package rules

import (
	"path"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// processTable is which process of the present sandbox runs what.
type processTable struct {
	workdir  string
	programs map[int]program
	parents  map[int]int
	// server is the pid of the first process, entry the script or program of its
	// own that it runs.
	server int
	entry  string
	// lineage tells the scripts of an installation from the package manager,
	// asking is what scripts asked of the network, by sandbox.
	lineage lineage
	asking  map[int]*asking
}

func newProcessTable(workdir string) *processTable {
	p := &processTable{workdir: workdir, asking: map[int]*asking{}}
	p.restart()
	return p
}

// restart forgets what ended with a sandbox.
func (p *processTable) restart() {
	p.programs, p.parents = map[int]program{}, map[int]int{}
	p.server, p.entry = 0, ""
}

// forked takes in that a process has a child.
func (p *processTable) forked(e *mcpsf.Event) {
	if e.Process != nil && !e.Process.Thread && e.Process.Child != 0 {
		p.programs[e.Process.Child] = p.programs[e.PID]
		p.parents[e.Process.Child] = e.PID
	}
}

// executed takes in that a process runs another program.
func (p *processTable) executed(e *mcpsf.Event) {
	if e.Process == nil || e.Process.Error != "" {
		return
	}
	prog := program{path: e.Process.Path, args: e.Process.Args}
	// A script that names its interpreter is told first as itself, and then
	// as the interpreter with the very same arguments.
	if before := p.programs[e.PID]; len(prog.args) > 0 && slices.Equal(before.args, prog.args) &&
		before.path != prog.path && before.path == absolute(prog.args[0], p.workdir) {
		prog.script = before.path
	}
	if p.server == 0 {
		p.server = e.PID
	}
	if e.PID == p.server {
		p.entry = entryOf(prog, p.workdir)
	}
	_, prog.installer = ownerName(prog, installers())
	p.programs[e.PID] = prog
	if e.PPID != 0 {
		p.parents[e.PID] = e.PPID
	}
}

// scriptBehind finds the script an event belongs to. What the network was asked
// says only that, not by whom.
func (p *processTable) scriptBehind(e *mcpsf.Event, box int) *script {
	switch asked := p.asking[box]; {
	case e.PID != 0:
		return p.lineage.of(e.PID).script
	case asked == nil:
		return nil
	case e.Kind == mcpsf.KindNetDNS:
		return asked.resolver
	case e.Kind == mcpsf.KindNetHTTP && e.HTTP == nil:
		return asked.gateway
	case e.Net != nil && !toGateway(e.Net):
		return asked.others
	}
	return nil
}

// startedByProgram tells whether a program of the system started the event's
// process on its own account, as tar does with gzip and make with every line.
// The server itself, whatever runs its code, and programs that merely run what
// they are given are no such programs.
func (p *processTable) startedByProgram(f *fields) bool {
	parent := p.parents[f.pid]
	if parent == 0 || parent == p.server {
		return false
	}
	prog := p.programs[parent]
	if !isSystem(prog.path) || isShell(prog.path, prog.args) || passesOn(path.Base(prog.path)) {
		return false
	}
	if isRuntime(path.Base(prog.path)) {
		return len(prog.args) > 1 && isSystem(path.Clean(prog.args[1]))
	}
	return true
}

// runs asks about the file that a program was started from, and about the
// script that an interpreter was started for.
func (p *processTable) runs(f *fields, foreign func(string) bool) bool {
	if foreign(f.Path) {
		return true
	}
	if script := p.programs[f.pid].script; script != "" {
		return foreign(script)
	}
	var inline []string // options that make the rest of the line the code
	switch {
	case isShell(f.Path, f.Args):
		inline = []string{"-c"}
	case isRuntime(path.Base(f.Path)):
		inline = []string{"-c", "-e", "-p", "-m", "--eval", "--print"}
	default:
		return false
	}
	script := scriptOf(f.Args, inline)
	return script != "" && foreign(absolute(script, p.workdir))
}
