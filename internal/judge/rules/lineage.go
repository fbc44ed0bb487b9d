package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// lineage tells which processes of an installation belong to a script.
//
// The first process is ours: it becomes the package manager, or is a shell that
// starts it, and what that shell executes is ours as well. What a package
// manager executes is a script: the shell that npm gives a line of
// package.json to, the Python that pip runs a build in. The exceptions are the
// manager itself once more, and the few programs of the system it asks a
// question. Everything a script starts belongs to it for ever, however it is
// called and whoever its parent becomes.
type lineage struct {
	first int
	known map[int]kin
	// shell is set if the first process is one; preparing while it makes a
	// virtual environment, before it becomes pip: no foreign code is there yet.
	shell, preparing bool
	// ended is set once the manager has, by itself.
	ended bool
}

// kin is what a process belongs to; nothing is the manager itself.
type kin struct {
	script *script
	helper bool
	// ours is set for a child of our shell until it executes something.
	ours bool
	// tried is the first program that was not found.
	tried string
}

// script is one start of foreign code by the package manager.
type script struct {
	args []string
	// pkg is the package whose script it is, if that is known.
	pkg string
	// stole is set once it has read a planted secret.
	stole bool
}

// see takes in an event.
func (l *lineage) see(e *mcpsf.Event) {
	if e.Kind == mcpsf.KindSandboxStart {
		*l = lineage{}
	}
	d := e.Process
	if e.Phase != mcpsf.PhaseInstall || d == nil {
		return
	}
	if d.Error != "" {
		l.notFound(e)
		return
	}
	switch e.Kind {
	case mcpsf.KindProcessFork:
		if !d.Thread && d.Child != 0 && l.known != nil {
			k := l.of(e.PID)
			k.ours = l.shell && e.PID == l.first
			l.known[d.Child] = k
		}
	case mcpsf.KindProcessExec:
		l.exec(e.PID, program{path: d.Path, args: d.Args})
	case mcpsf.KindProcessExit:
		l.ended = l.ended || e.PID == l.first && d.Signal == ""
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
		l.shell = isShell(prog.path, nil)
	}
	k := l.of(pid)
	switch {
	case pid == l.first || l.preparing || k.script != nil:
		return
	case k.ours:
		l.known[pid] = kin{}
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
	l.known[pid] = kin{script: &script{args: prog.args, pkg: packageOf(k.tried)}}
}

// notFound remembers where a process looked first for what it is to execute.
func (l *lineage) notFound(e *mcpsf.Event) {
	k, ok := l.known[e.PID]
	if ok && e.Kind == mcpsf.KindProcessExec && k.tried == "" {
		k.tried = e.Process.Path
		l.known[e.PID] = k
	}
}

// packageOf knows whose script npm is about to run: it looks for the shell
// first among the programs of that package's own dependencies, before any
// code of the package runs.
func packageOf(tried string) string {
	own, _ := path.Split(tried)
	dir, ok := strings.CutSuffix(own, "/node_modules/.bin/")
	i := strings.LastIndex(dir, "/node_modules/")
	if !ok || i < 0 {
		return ""
	}
	return dir[i+len("/node_modules/"):]
}

// String is the script for humans. What a path leads to says enough, and
// temporary names say nothing.
func (s *script) String() string {
	var words []string
	for _, arg := range s.args {
		switch {
		case !path.IsAbs(arg) || strings.ContainsAny(arg, " \n"):
			words = append(words, arg)
		case !temporary(arg):
			words = append(words, path.Base(arg))
		}
	}
	text := quote(strings.Join(words, " "))
	if s.pkg != "" {
		text += " of " + quote(s.pkg)
	}
	return text
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

// The network of an installation: the resolver and the gateway to the package
// registries. Whatever else answers is made up.

func toResolver(d *mcpsf.NetDetail) bool {
	return d.Port == 53 && (d.Address == mcpsf.NetRouter4 || d.Address == mcpsf.NetRouter6)
}

func toGateway(d *mcpsf.NetDetail) bool {
	return d.Port == 80 && d.Address == mcpsf.NetGateway4
}

// asking are the scripts of a sandbox that spoke to the resolver, to the
// gateway, and to others. What those were asked does not say by whom; the manager itself asks
// for packages alone, so what else was asked is laid at the script's door, or,
// if there were several, at that of one without a name.
type asking struct{ resolver, gateway, others *script }

func (a *asking) see(l *lineage, e *mcpsf.Event) {
	if e.Kind != mcpsf.KindNetConnect || e.Phase != mcpsf.PhaseInstall || e.Net == nil {
		return
	}
	s := l.of(e.PID).script
	if toResolver(e.Net) {
		a.resolver = eitherOf(a.resolver, s)
	}
	if toGateway(e.Net) {
		a.gateway = eitherOf(a.gateway, s)
		return
	}
	a.others = eitherOf(a.others, s)
}

func eitherOf(a, b *script) *script {
	switch {
	case a == nil || a == b:
		return b
	case b == nil:
		return a
	}
	return &script{}
}
