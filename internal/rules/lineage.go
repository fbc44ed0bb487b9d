package rules

import (
	"path"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// lineage tells which processes of an installation belong to a script.
//
// The first process is ours: it becomes the package manager, or starts it. What
// a package manager executes is a script: the shell that npm gives a line of
// package.json to, the Python that pip runs a build in. The exceptions are the
// manager itself once more, and the few programs of the system it asks a
// question. Everything a script starts belongs to it for ever, however it is
// called and whoever its parent becomes.
type lineage struct {
	first int
	known map[int]kin
	// preparing is set while the first process makes a virtual environment,
	// before it becomes pip. No foreign code is there yet.
	preparing bool
	// ended is set once the manager has.
	ended bool
}

// kin is what a process belongs to; nothing is the manager itself.
type kin struct {
	script *script
	helper bool
}

// script is one start of foreign code by the package manager.
type script struct {
	args []string
	// stole is set once it has read a planted secret.
	stole bool
}

// see takes in an event.
func (l *lineage) see(e *mcpsf.Event) {
	if e.Kind == mcpsf.KindSandboxStart {
		*l = lineage{}
	}
	d := e.Process
	if e.Phase != mcpsf.PhaseInstall || d == nil || d.Error != "" {
		return
	}
	switch e.Kind {
	case mcpsf.KindProcessFork:
		if !d.Thread && d.Child != 0 && l.known != nil {
			l.known[d.Child] = l.of(e.PID)
		}
	case mcpsf.KindProcessExec:
		l.exec(e.PID, program{path: d.Path, args: d.Args})
	case mcpsf.KindProcessExit:
		l.ended = l.ended || e.PID == l.first
	}
}

func (l *lineage) exec(pid int, prog program) {
	if l.first == 0 {
		l.first = pid
		l.known = map[int]kin{pid: {}}
	}
	_, manages := ownerName(prog, installers())
	if pid == l.first {
		l.preparing = !manages && isRuntime(path.Base(prog.path))
	}
	k := l.of(pid)
	switch {
	case pid == l.first || l.preparing || k.script != nil:
		return
	case k.helper:
		if helps(prog) {
			return
		}
	default:
		if manages {
			return
		}
		if asksSystem(prog) {
			l.known[pid] = kin{helper: true}
			return
		}
	}
	l.known[pid] = kin{script: &script{args: prog.args}}
}

// of returns what pid belongs to. A process nobody has seen the beginning of
// is not taken for the manager.
func (l *lineage) of(pid int) kin {
	k, ok := l.known[pid]
	if !ok && l.known != nil {
		k = kin{script: &script{}}
		l.known[pid] = k
	}
	return k
}

// asksSystem knows the programs that package managers run on their own
// account: for the header that says who they are, and to fetch from git.
func asksSystem(prog program) bool {
	name := path.Base(prog.path)
	if isShell(prog.path, nil) && len(prog.args) > 0 {
		name = path.Base(prog.args[0]) // a script of the system's
		if isShell(name, nil) {
			return false
		}
	}
	return isSystem(prog.path) && slices.Contains([]string{"git", "lsb_release", "uname", "rustc"}, name)
}

// helps tells whether a helper merely goes on to another program of the
// system's. git runs any line that its settings hold, and a script may have
// written those.
func helps(prog program) bool {
	inline := isShell(prog.path, prog.args) && slices.Contains(prog.args, "-c")
	return isSystem(prog.path) && !inline && !isRuntime(path.Base(prog.path))
}

// scriptOf finds the script an event belongs to. What the network was asked
// says only that, not by whom.
func (r *run) scriptOf(e *mcpsf.Event) *script {
	switch asked := r.history.asking[r.box]; {
	case e.PID != 0:
		return r.lineage.of(e.PID).script
	case asked == nil:
		return nil
	case e.Kind == mcpsf.KindNetDNS:
		return asked.resolver
	case e.Kind == mcpsf.KindNetHTTP:
		return asked.gateway
	}
	return nil
}

// The network of an installation: the resolver and the gateway to the package
// registries. Nothing else can be reached.
const gatewayAddress = "192.168.1.10"

func toResolver(d *mcpsf.NetDetail) bool {
	return d.Port == 53 && (d.Address == mcpsf.NetRouter4 || d.Address == mcpsf.NetRouter6)
}

func toGateway(d *mcpsf.NetDetail) bool {
	return d.Port == 80 && d.Address == gatewayAddress
}

// asking are the first scripts of a sandbox that spoke to the resolver and to
// the gateway. What those were asked does not say by whom; the manager itself
// asks for packages alone, so what else was asked is laid at the script's door.
type asking struct{ resolver, gateway *script }

func (a *asking) see(l *lineage, e *mcpsf.Event) {
	if e.Kind != mcpsf.KindNetConnect || e.Phase != mcpsf.PhaseInstall || e.Net == nil {
		return
	}
	s := l.of(e.PID).script
	if a.resolver == nil && toResolver(e.Net) {
		a.resolver = s
	}
	if a.gateway == nil && toGateway(e.Net) {
		a.gateway = s
	}
}
