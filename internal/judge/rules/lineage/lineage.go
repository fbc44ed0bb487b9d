package lineage

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// Lineage tells which processes of an installation belong to a script.
//
// The first process is ours: it becomes the package manager, or is a shell or a Python
// that starts it, and what these execute is ours too. Anything else that a
// package manager executes is a script: the shell that npm gives a line of
// package.json to, the Python in which pip runs a build. The exceptions are the
// manager itself and a few system programs that it queries. Every process that a
// script starts belongs to the script, whatever its name and parent.
type Lineage struct {
	first int
	known map[int]kin
	// starter is set while the first process is no manager, but starts some. preparing
	// is set while it makes a virtual environment, before the first manager: no foreign
	// code exists yet.
	starter, preparing bool
	// Ended is set once the manager has exited by itself.
	Ended bool
}

// kin is what a process belongs to; the zero value is the manager itself.
type kin struct {
	Script *Script
	helper bool
	// ours is set for a child of our first process until it executes a program.
	ours bool
	// tried is the first path that the process failed to execute.
	tried string
}

// Script is one start of foreign code by the package manager.
type Script struct {
	args []string
	// pkg is the package whose script it is, if that is known.
	pkg string
	// Stole is set once the script has read a decoy.
	Stole bool
}

// See adds an event.
func (l *Lineage) See(e *mcpsf.Event) {
	if e.Kind == mcpsf.KindSandboxStart {
		*l = Lineage{}
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
			k := l.Of(e.PID)
			k.ours = l.starter && e.PID == l.first
			l.known[d.Child] = k
		}
	case mcpsf.KindProcessExec:
		l.exec(e.PID, programs.Program{Path: d.Path, Args: d.Args})
	case mcpsf.KindProcessExit:
		l.Ended = l.Ended || e.PID == l.first && d.Signal == ""
	}
}

func (l *Lineage) exec(pid int, prog programs.Program) {
	if l.first == 0 {
		l.first = pid
		l.known = map[int]kin{pid: {}}
	}
	_, manages := programs.NameOf(prog, programs.Installers())
	if pid == l.first {
		l.preparing = !manages && programs.IsRuntime(path.Base(prog.Path))
		l.starter = l.preparing || programs.IsShell(prog.Path, nil)
	}
	k := l.Of(pid)
	if k.ours && (manages || runsPip(prog.Args)) {
		l.preparing = false
	}
	switch {
	case pid == l.first || l.preparing || k.Script != nil:
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
	l.known[pid] = kin{Script: &Script{args: prog.Args, pkg: packageOf(k.tried)}}
}

// runsPip tells whether a Python runs the pip of its environment.
func runsPip(args []string) bool {
	i := slices.Index(args, "-m")
	return i > 0 && i+1 < len(args) && args[i+1] == "pip"
}

// notFound records the first path that a process failed to execute.
func (l *Lineage) notFound(e *mcpsf.Event) {
	k, ok := l.known[e.PID]
	if ok && e.Kind == mcpsf.KindProcessExec && k.tried == "" {
		k.tried = e.Process.Path
		l.known[e.PID] = k
	}
}

// packageOf returns the package whose script npm is about to run. npm looks for
// the shell first in the .bin folder of that package, before any of its code
// runs.
func packageOf(tried string) string {
	own, _ := path.Split(tried)
	dir, ok := strings.CutSuffix(own, "/node_modules/.bin/")
	i := strings.LastIndex(dir, "/node_modules/")
	if !ok || i < 0 {
		return ""
	}
	return dir[i+len("/node_modules/"):]
}

// String describes the script for people. It shows only the base name of paths,
// and no temporary paths.
func (s *Script) String() string {
	var words []string
	for _, arg := range s.args {
		switch {
		case !path.IsAbs(arg) || strings.ContainsAny(arg, " \n"):
			words = append(words, arg)
		case !paths.Temporary(arg):
			words = append(words, path.Base(arg))
		}
	}
	text := quote.Text(strings.Join(words, " "))
	if s.pkg != "" {
		text += " of " + quote.Text(s.pkg)
	}
	return text
}

// Of returns what pid belongs to. A process whose start was not observed counts
// as a script, not as the manager.
func (l *Lineage) Of(pid int) kin {
	k, ok := l.known[pid]
	if !ok && l.known != nil {
		k = kin{Script: &Script{}}
		l.known[pid] = k
	}
	return k
}

// asksSystem tells whether package managers run a program for themselves: to
// describe the system in a header, and to fetch from git.
func asksSystem(prog programs.Program) bool {
	name := path.Base(prog.Path)
	if programs.IsShell(prog.Path, nil) && len(prog.Args) > 0 {
		name = path.Base(prog.Args[0]) // a script of the system
		if programs.IsShell(name, nil) {
			return false
		}
	}
	return paths.IsSystem(prog.Path) && slices.Contains([]string{"git", "lsb_release", "uname", "rustc"}, name)
}

// helps tells whether a helper only executes another system program. git runs
// any command in its settings, and a script may have written those.
func helps(prog programs.Program) bool {
	inline := programs.IsShell(prog.Path, prog.Args) && slices.Contains(prog.Args, "-c")
	return paths.IsSystem(prog.Path) && !inline && !programs.IsRuntime(path.Base(prog.Path))
}

// The network of an installation: the resolver and the gateway to the package
// registries. All other hosts are fake.

// ToResolver tells whether a connection goes to the resolver of the sandbox.
func ToResolver(d *mcpsf.NetDetail) bool {
	return d.Port == 53 && (d.Address == mcpsf.NetRouter4 || d.Address == mcpsf.NetRouter6)
}

// ToGateway tells whether a connection goes to the gateway to the registries.
func ToGateway(d *mcpsf.NetDetail) bool {
	return d.Port == 80 && d.Address == mcpsf.NetGateway4
}

// Asking are the scripts of a sandbox that contacted the resolver, the gateway
// and other hosts. Network events do not name the process. The manager asks only
// for packages, so other requests are attributed to the script, or to an unnamed
// one if there were several.
type Asking struct{ Resolver, Gateway, Others *Script }

// See adds a connection.
func (a *Asking) See(l *Lineage, e *mcpsf.Event) {
	if e.Kind != mcpsf.KindNetConnect || e.Phase != mcpsf.PhaseInstall || e.Net == nil {
		return
	}
	s := l.Of(e.PID).Script
	if ToResolver(e.Net) {
		a.Resolver = eitherOf(a.Resolver, s)
	}
	if ToGateway(e.Net) {
		a.Gateway = eitherOf(a.Gateway, s)
		return
	}
	a.Others = eitherOf(a.Others, s)
}

func eitherOf(a, b *Script) *Script {
	switch {
	case a == nil || a == b:
		return b
	case b == nil:
		return a
	}
	return &Script{}
}
