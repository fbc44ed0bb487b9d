package history

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lineage"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// Run is what one pass over the events remembers, each part of it what has to do
// with one thing. Its size is bounded by that of the events themselves.
type Run struct {
	Declared *declared.Declaration
	// Box counts the sandboxes, one after the other; installing is set while the
	// present one is that of an installation.
	Box        int
	installing bool

	Calls     *Calls
	Processes *Processes
	Files     *Files
	Clients   *Clients
	Answers   *Answers
	Traffic   *Traffic
	Domains   *hostname.Domains
	Texts     Texts
	Served    Reachability
}

// New begins a run with nothing but what is declared.
func New(d *declared.Declaration) *Run {
	return &Run{
		Declared: d, Calls: newCalls(d), Processes: newProcesses(d.Scope.WorkDir), Files: newFiles(d.Places),
		Clients: newClients(), Answers: newAnswers(), Traffic: newTraffic(), Domains: hostname.NewDomains(), Texts: Texts{},
	}
}

// restart forgets what ended with a sandbox.
func (r *Run) restart() {
	r.Files.restart(r.installing)
	r.installing = false
	r.Calls.restart()
	r.Processes.restart()
	r.Answers.told = nil
}

// Before takes in what the rules must know when they look at e.
func (r *Run) Before(e *mcpsf.Event) {
	r.Processes.Lineage.See(e)
	switch e.Kind {
	case mcpsf.KindSandboxStart:
		r.Box++
		r.restart()
		r.installing = e.Phase == mcpsf.PhaseInstall
	case mcpsf.KindMCPNotification:
		r.Calls.notified(e)
	case mcpsf.KindMCPRequest:
		r.Calls.request(e)
	case mcpsf.KindMCPResponse:
		r.Calls.response(e)
	case mcpsf.KindProcessExec:
		r.Processes.executed(e)
	case mcpsf.KindProcessFork:
		r.Processes.forked(e)
	}
	if e.File != nil {
		r.Files.before(e)
	}
}

// After takes in what e changes for the events behind it.
func (r *Run) After(e *mcpsf.Event) {
	if e.Kind == mcpsf.KindMCPStderr && e.MCP != nil {
		r.Calls.Logged = event.LineOf(e.MCP)
	}
	r.Answers.see(e)
	if e.File != nil {
		r.Files.after(e, r.Processes.Programs[e.PID])
	}
}

// Program is what the process of an event runs.
func (r *Run) Program(f *event.Fields) programs.Program { return r.Processes.Programs[f.PID] }

// Foresee returns what collects, from all events, what is judged by what comes
// later: events are many and large, and each walk through them costs as much as
// a few rules.
func (r *Run) Foresee() func(*mcpsf.Event) {
	traffic, processes := r.Traffic.foresee(r.Declared.Tools), r.foreseeProcesses()
	return func(e *mcpsf.Event) {
		processes(e)
		traffic(e)
		r.Texts.foresee(e)
		r.Served.see(e)
	}
}

// foreseeProcesses collects who uses the network, because what a client reads
// before it connects is judged by that, and because what the network was asked
// may be told before the process that asked. What an installation writes in a
// tree is told when the writer ends.
func (r *Run) foreseeProcesses() func(*mcpsf.Event) {
	var l lineage.Lineage
	box := 0
	return func(e *mcpsf.Event) {
		l.See(e)
		if e.Kind == mcpsf.KindSandboxStart {
			box++
		}
		if tree := temporaryTree(e); tree != "" {
			r.Files.temporary[tree] = r.Files.temporary[tree] || l.Of(e.PID).Script == nil
		}
		r.Clients.see(box, e)
		if !connects(e) {
			return
		}
		if r.Processes.asking[box] == nil {
			r.Processes.asking[box] = &lineage.Asking{}
		}
		r.Processes.asking[box].See(&l, e)
	}
}

// OwnWords tells whether what the server answers can be nobody's but its own:
// the files it sees are ours, and so are all the hosts that have answered it.
func (r *Run) OwnWords() bool { return r.Box > 0 && !r.Answers.reached }
