package rules

import "github.com/mcpsf/mcpsf"

// run is what one pass over the events remembers, each part of it what has to do
// with one thing. Its size is bounded by that of the events themselves.
type run struct {
	declared *declaration
	// box counts the sandboxes, one after the other; installing is set while the
	// present one is that of an installation.
	box        int
	installing bool

	calls     *callLog
	processes *processTable
	files     *fileLog
	clients   *clientLog
	answers   *answerLog
	traffic   *traffic
	domains   *domains
	texts     texts
	served    reachability
}

func newRun(d *declaration) *run {
	return &run{
		declared: d, calls: newCallLog(d), processes: newProcessTable(d.scope.WorkDir), files: newFileLog(d.places),
		clients: newClientLog(), answers: newAnswerLog(), traffic: newTraffic(), domains: newDomains(), texts: texts{},
	}
}

// restart forgets what ended with a sandbox.
func (r *run) restart() {
	r.files.restart(r.installing)
	r.installing = false
	r.calls.restart()
	r.processes.restart()
	r.answers.told = nil
}

// before takes in what the rules must know when they look at e.
func (r *run) before(e *mcpsf.Event) {
	r.processes.lineage.see(e)
	switch e.Kind {
	case mcpsf.KindSandboxStart:
		r.box++
		r.restart()
		r.installing = e.Phase == mcpsf.PhaseInstall
	case mcpsf.KindMCPNotification:
		r.calls.notified(e)
	case mcpsf.KindMCPRequest:
		r.calls.request(e)
	case mcpsf.KindMCPResponse:
		r.calls.response(e)
	case mcpsf.KindProcessExec:
		r.processes.executed(e)
	case mcpsf.KindProcessFork:
		r.processes.forked(e)
	}
	if e.File != nil {
		r.files.before(e)
	}
}

// after takes in what e changes for the events behind it.
func (r *run) after(e *mcpsf.Event) {
	if e.Kind == mcpsf.KindMCPStderr && e.MCP != nil {
		r.calls.logged = lineOf(e.MCP)
	}
	r.answers.see(e)
	if e.File != nil {
		r.files.after(e, r.processes.programs[e.PID])
	}
}

// program is what the process of an event runs.
func (r *run) program(f *fields) program { return r.processes.programs[f.pid] }

// foresee returns what collects, from all events, what is judged by what comes
// later: events are many and large, and each walk through them costs as much as
// a few rules.
func (r *run) foresee() func(*mcpsf.Event) {
	traffic, processes := r.traffic.foresee(r.declared.tools), r.foreseeProcesses()
	return func(e *mcpsf.Event) {
		processes(e)
		traffic(e)
		r.texts.foresee(e)
		r.served.see(e)
	}
}

// foreseeProcesses collects who uses the network, because what a client reads
// before it connects is judged by that, and because what the network was asked
// may be told before the process that asked. What an installation writes in a
// tree is told when the writer ends.
func (r *run) foreseeProcesses() func(*mcpsf.Event) {
	var l lineage
	box := 0
	return func(e *mcpsf.Event) {
		l.see(e)
		if e.Kind == mcpsf.KindSandboxStart {
			box++
		}
		if tree := temporaryTree(e); tree != "" {
			r.files.temporary[tree] = r.files.temporary[tree] || l.of(e.PID).script == nil
		}
		r.clients.see(box, e)
		if !connects(e) {
			return
		}
		if r.processes.asking[box] == nil {
			r.processes.asking[box] = &asking{}
		}
		r.processes.asking[box].see(&l, e)
	}
}

// ownWords tells whether what the server answers can be nobody's but its own:
// the files it sees are ours, and so are all the hosts that have answered it.
func (r *run) ownWords() bool { return r.box > 0 && !r.answers.reached }
