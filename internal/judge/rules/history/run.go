package history

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lineage"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// Run is the state of one pass over the events, one part for each topic. Its
// size is bounded by the size of the events.
type Run struct {
	Declared *declared.Declaration
	// Box counts the sandboxes; installing is set while the current one is that
	// of an installation.
	Box        int
	installing bool

	Calls     *Calls
	Processes *Processes
	Files     *Files
	Clients   *Clients
	Answers   *Answers
	Traffic   *Traffic
	Outgoing  *Outgoing
	Held      Held
	Domains   *hostname.Domains
	Texts     Texts
	Served    Reachability
	Crashes   Crashes
	Repeated  *Repeated
	commands  *commands
}

// New returns a run that knows nothing but the declaration.
func New(d *declared.Declaration) *Run {
	return &Run{
		Declared: d, Calls: newCalls(d), Processes: newProcesses(d.Scope.WorkDir), Files: newFiles(d.Places),
		Clients: newClients(), Answers: newAnswers(), Traffic: newTraffic(), Outgoing: newOutgoing(), Domains: hostname.NewDomains(), Texts: Texts{}, Repeated: newRepeated(d),
		commands: newCommands(),
	}
}

// restart clears the state when a sandbox ends.
func (r *Run) restart() {
	r.Files.restart(r.installing)
	r.installing = false
	r.Calls.restart()
	r.Processes.restart()
	r.Answers.told = nil
	r.commands.restart()
	r.Outgoing.restart()
	r.Held.restart()
}

// Before adds what the rules must know when they examine e.
func (r *Run) Before(e *mcpsf.Event) {
	r.Processes.Lineage.See(e)
	r.Crashes.see(e, r.Processes.Server)
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
	r.commands.see(e, r.Calls, r.Declared.Scope.WorkDir)
	if e.Net != nil {
		r.Outgoing.see(e, r.domainOf(e))
	}
}

// After adds the effects of e on later events.
func (r *Run) After(e *mcpsf.Event) {
	if e.Kind == mcpsf.KindMCPStderr && e.MCP != nil {
		r.Calls.Logged = event.LineOf(e.MCP)
	}
	r.Answers.see(e)
	if e.File != nil {
		r.Files.after(e, r.Processes.Programs[e.PID])
	}
}

// Program returns what the process of an event runs.
func (r *Run) Program(f *event.Fields) programs.Program { return r.Processes.Programs[f.PID] }

// Foresee returns a function that collects, from all events, what depends on
// later events. All parts share one walk, because events are many and large and
// each walk costs as much as a few rules.
func (r *Run) Foresee() func(*mcpsf.Event) {
	traffic, processes := r.Traffic.foresee(), r.foreseeProcesses()
	return func(e *mcpsf.Event) {
		processes(e)
		traffic(e)
		r.foreseeOwnService(e)
		r.Texts.foresee(e)
		r.Served.see(e)
		r.Repeated.foresee(e)
	}
}

// foreseeOwnService notes the hosts that the user's configuration of a service leads to,
// for a server that the user chose for that service: a server for Kubernetes finds its
// cluster in the kubeconfig. That it signed in there with what the file says, and that the
// secret belongs there, shows which host it is.
func (r *Run) foreseeOwnService(e *mcpsf.Event) {
	if e.Leak == nil || e.Net == nil || !e.Leak.Belongs || e.Leak.Given || e.Leak.Configured || !r.Declared.Purpose.Covers(string(e.Phase), e.Leak.Source) {
		return
	}
	own := declared.HostClaim{By: declared.ByConfiguration, Source: quote.Text(e.Leak.Source)}
	if claims := r.Declared.Hosts.Hosts; e.Net.Name != "" && claims[e.Net.Name].By < own.By && len(claims) < lex.MaxListed {
		claims[e.Net.Name] = own // that host alone
	}
}

// foreseeProcesses collects which processes use the network. Reads of a network
// client depend on its later connection, and a network event may come before the
// event of its process. Temporary trees are collected here too, because a write
// is reported only when the writer ends.
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

// OwnWords tells whether the server's answers can come only from the server
// itself: all files are ours, and only fake hosts answered.
func (r *Run) OwnWords() bool { return r.Box > 0 && !r.Answers.reached }
