package rules

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// withoutBrowser omits what the host's browser does for its own work: the shell that
// starts it, the programs that it starts of its own folder, its looks at the machine,
// and connections that it opened in advance and closed unused. All else that it does
// is the server's: what it sends, reads and writes.
//
// Which program the browser is says the beginning of the sandbox. It is in a folder
// that nobody can write to there, so that no other program has its path.
func withoutBrowser(events []mcpsf.Event) []mcpsf.Event {
	if !slices.ContainsFunc(events, func(e mcpsf.Event) bool { return e.Sandbox != nil && e.Sandbox.Browser != "" }) {
		return events
	}
	w := &browserWatch{}
	return slices.DeleteFunc(slices.Clone(events), func(e mcpsf.Event) bool { return w.isItsOwn(&e) })
}

// browserWatch follows the browser's processes in one sandbox.
type browserWatch struct {
	program string
	// scripts are the arguments of processes that began with our script.
	scripts map[int][]string
	// running are the browser's processes, also those that ended.
	running map[int]bool
	// read are the hosts to which it sent something that was read.
	read map[string]bool
}

// isItsOwn tells whether the browser did this for its own work.
func (w *browserWatch) isItsOwn(e *mcpsf.Event) bool {
	switch {
	case e.Kind == mcpsf.KindSandboxStart:
		*w = browserWatch{scripts: map[int][]string{}, running: map[int]bool{}, read: map[string]bool{}}
		if e.Sandbox != nil {
			w.program = e.Sandbox.Browser
		}
	case w.program == "":
	case starts(*e):
		return w.started(e)
	case e.Kind == mcpsf.KindProcessFork && e.Process != nil && !e.Process.Thread:
		w.running[e.Process.Child] = w.running[e.PID]
	case !w.running[e.PID]:
	case e.Kind == mcpsf.KindNetHTTP && e.Net != nil:
		w.read[e.Net.Name] = true
	case e.Kind == mcpsf.KindNetTLS:
		return w.isUnused(e)
	case e.Kind == mcpsf.KindPrivilegeAttempt:
		return e.Privilege != nil && (e.Privilege.Syscall == "capset" || w.isOfItself(e.Privilege.Detail)) // it gives rights up
	}
	return e.Kind == mcpsf.KindProbeSandbox && w.running[e.PID]
}

// isOfItself tells whether a file under /proc is about one of the browser's processes:
// it looks how much memory they use.
func (w *browserWatch) isOfItself(file string) bool {
	rest, found := strings.CutPrefix(path.Clean(file), "/proc/")
	process, what, _ := strings.Cut(rest, "/")
	pid, err := strconv.Atoi(process)
	return found && err == nil && w.running[pid] && what != "mem" // which can be written to
}

// started tells whether a program is one that our script or the browser started for
// its own work. The script itself is what the server started.
func (w *browserWatch) started(e *mcpsf.Event) bool {
	args, script := w.scripts[e.PID]
	switch {
	case e.Process.Path == mcpsf.BrowserScript:
		w.scripts[e.PID] = e.Process.Args
		return false
	case script && slices.Equal(args, e.Process.Args): // the shell of its first line
		return true
	case mcpsf.IsBrowser(e.Process.Path, w.program):
		own := script || w.running[e.PID]
		w.running[e.PID] = true
		delete(w.scripts, e.PID)
		return own
	}
	delete(w.scripts, e.PID)
	delete(w.running, e.PID)
	return false
}

// isUnused tells whether a connection was opened in advance, to a host whose
// certificate the browser trusts, and then not used.
func (w *browserWatch) isUnused(e *mcpsf.Event) bool {
	return e.TLS != nil && e.Net != nil && w.read[e.Net.Name] && strings.Contains(e.TLS.Rejected, "without a word")
}
