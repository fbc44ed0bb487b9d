package history

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// A tool that runs commands may do what the command that we sent does, and
// nothing else. This file tells which processes the caller's command started. A
// command that the server itself proposed is not the caller's.

// commands are the processes of the current sandbox that run the caller's
// commands, and the tools that take commands.
type commands struct {
	// processes have text of the caller, or the name of a file of the caller's,
	// in their command line, or descend from one that has.
	processes map[int]bool
	// files hold the caller's code: they are as long as an argument, or such a
	// process made them.
	files map[string]bool
	// tools are those that ran the whole value of an argument that is called a
	// command. They are known for the whole run.
	tools map[string]bool
}

func newCommands() *commands {
	return &commands{processes: map[int]bool{}, files: map[string]bool{}, tools: map[string]bool{}}
}

// restart clears the state when a sandbox ends.
func (m *commands) restart() {
	clear(m.processes)
	clear(m.files)
}

// see adds an event.
func (m *commands) see(e *mcpsf.Event, calls *Calls, workdir string) {
	switch {
	case e.Process != nil && e.Kind == mcpsf.KindProcessFork && m.processes[e.PID]:
		m.processes[e.Process.Child] = true
	case e.Process != nil && e.Kind == mcpsf.KindProcessExec && e.Process.Error == "":
		m.executed(e, calls, workdir)
	case e.File != nil && e.File.Error == "" && m.holdsCode(e, calls):
		m.files[e.File.Path] = true
	}
}

func (m *commands) executed(e *mcpsf.Event, calls *Calls, workdir string) {
	c, args := calls.working(e.Call), e.Process.Args
	if c == nil {
		return
	}
	if c.tool != "" && !m.tools[c.tool] && c.mayNameCommand() && slices.ContainsFunc(c.Each(), func(a argument) bool {
		return !a.ByServer() && declared.NamesCommand(a.Name) && a.Value != "" && slices.Contains(args, a.Value)
	}) {
		m.tools[c.tool] = true
	}
	if m.runs(c, calls) && (m.files[e.Process.Path] || standsIn(c.ownValues(), args) || slices.ContainsFunc(args, func(a string) bool {
		return m.files[paths.Absolute(a, workdir)]
	})) {
		m.processes[e.PID] = true
	}
}

// runs tells whether a call is for a tool that runs commands. For others nothing
// is looked at: most calls are theirs.
func (m *commands) runs(c *Call, calls *Calls) bool {
	return c != nil && (m.tools[c.tool] || calls.declared.Executes(c.tool, c.prompt))
}

// mayNameCommand tells quickly whether an argument can be called a command.
func (c *Call) mayNameCommand() bool {
	if c.command == nil {
		may := declared.MayNameCommand(c.Params)
		c.command = &may
	}
	return *c.command
}

// holdsCode tells whether an event makes a file that holds code of the caller.
func (m *commands) holdsCode(e *mcpsf.Event, calls *Calls) bool {
	switch e.Kind {
	case mcpsf.KindFileCreate:
		return m.processes[e.PID]
	case mcpsf.KindFileOpen:
		return m.processes[e.PID] && strings.ContainsAny(e.File.Flags, "wc")
	case mcpsf.KindFileWrite:
		if m.processes[e.PID] {
			return true
		}
		c := calls.working(e.Call)
		return m.runs(c, calls) && slices.ContainsFunc(c.Each(), func(a argument) bool {
			more := e.File.Bytes - int64(len(a.Value)) // some end the last line
			return !a.ByServer() && a.Value != "" && more >= 0 && more <= 1
		})
	}
	return false
}

// RanCommand tells whether a tool has run the whole value of an argument that is
// called a command.
func (r *Run) RanCommand(tool string) bool { return r.commands.tools[tool] }

// RunsForCaller tells whether the process of an event runs what the caller asked
// for: its command line, or that of a process above it, has text of the caller
// or the name of a file with the caller's code; or it reads its commands from
// standard input.
func (r *Run) RunsForCaller(f *event.Fields) bool {
	if r.commands.processes[f.PID] {
		return true
	}
	return f.Kind == string(mcpsf.KindProcessExec) && len(f.Args) == 1 &&
		(programs.IsShell(f.Path, f.Args) || programs.IsRuntime(path.Base(f.Path)))
}

// Tool returns the tool that an event is work for: that of its call, or the one
// called last if the call is only a message that tests how the server reads.
func (r *Run) Tool(f *event.Fields) string {
	if f.Tool == "" {
		if c := r.Calls.working(f.Call); c != nil {
			return c.tool
		}
	}
	return f.Tool
}

// working returns the call that an event belongs to. While malformed messages
// are sent, late work of a tool gets the label of a message after its call.
func (l *Calls) working(id string) *Call {
	c := l.ByID[id]
	if c != nil && c.tool == "" && l.lastTool != nil && (c.Attack != nil && c.Attack.Class == mcpsf.ClassProtocol || c.Method == "ping") {
		return l.lastTool
	}
	return c
}
