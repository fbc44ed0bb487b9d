// Package launch finds the ways to start a server: as its package declares it, as its
// documentation says, and, after a start that failed, as its error message asks for.
package launch

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/entry"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/assess/planted"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// Via is how a server is spoken to.
type Via uint8

const (
	// Streams is over its standard streams, unless it listens and says nothing there.
	Streams Via = iota
	// HTTP is over connections to where it listens.
	HTTP
	// StreamsOnly is over its standard streams, wherever else it listens.
	StreamsOnly
)

// Launch is one way to start the server.
type Launch struct {
	// Command and Env are complete.
	Command, Env []string
	// Given is what of the command is the user's or ours, not the package's: it explains
	// what the server does with it.
	Given []string
	// Candidate is the artifact's candidate that it comes from.
	Candidate int
	// Extra are the arguments behind the candidate's own, and Vars the variables that were
	// added for this start.
	Extra, Vars []string
	Why         string
	Via         Via
}

// Key is the same for two launches that do the same.
func (l *Launch) Key() string {
	return strings.Join(l.Command, "\x00") + "\x01" + strings.Join(l.Env, "\x00") + string(rune(l.Via))
}

// WhereItListens are the further ways to a server that did not answer over its streams but
// listens: there, and, if it was not waited for, over its standard streams after all.
func (l *Launch) WhereItListens() []*Launch {
	if l.Via != Streams {
		return nil
	}
	there, patient := *l, *l
	there.Via, there.Why = HTTP, "it listens"
	patient.Via = StreamsOnly
	return []*Launch{&there, &patient}
}

// Planner finds the ways to start a server.
type Planner struct {
	Artifact *mcpsf.Artifact
	Target   mcpsf.Target
	Home     *decoys.Home
	Seed     uint64
	// ToolchainEnv is what the image of the runtime wants to be set, and InterpreterDir
	// where a mounted interpreter is, "" for one of the system's.
	ToolchainEnv   []string
	InterpreterDir string
	// Installed says that the server was installed: its programs are on the PATH.
	Installed bool
}

// First are the ways that are known before anything was tried: every
// candidate as its author says it is started, and as it is.
func (p *Planner) First(wanted []string) []*Launch {
	a, target := p.Artifact, p.Target
	if len(target.Command) > 0 || len(a.Candidates) == 0 {
		return []*Launch{{Command: a.Command, Env: p.environment(nil), Given: target.Command}}
	}
	hint := p.hint()
	var list []*Launch
	for i, c := range a.Candidates {
		if i > 0 && a.Install == nil && !c.Chosen {
			continue // the one that was chosen is the server
		}
		if len(hint.args)+len(hint.vars) > 0 && len(target.Args) == 0 {
			list = append(list, p.attempt(i, hint.args, hint.vars, hint.why))
		}
		list = append(list, p.attempt(i, nil, nil, c.Why))
	}
	if len(wanted) > 0 && len(list) > 0 {
		list = append(list, p.attempt(0, hint.args, append(slices.Clone(hint.vars), wanted...), "with every credential it reads"))
	}
	return list
}

// attempt starts a candidate with further arguments and variables.
func (p *Planner) attempt(candidate int, extra, vars []string, why string) *Launch {
	command := p.Artifact.Candidates[candidate].Command
	return &Launch{
		Command: append(slices.Clone(command), extra...), Env: p.environment(vars),
		Given: append(slices.Clone(p.Target.Args), extra...),
		Extra: extra, Vars: vars, Candidate: candidate, Why: why,
	}
}

// environment is the artifact's, with what was added for one start and, for
// what was installed, the way to its programs. The user's own values win.
func (p *Planner) environment(vars []string) []string {
	env := append(planted.Environment(p.Home), p.ToolchainEnv...)
	if p.Installed {
		env = append(env, "PATH="+strings.Join(append(install.Programs(), p.programs(env)), ":"))
	}
	env = append(env, vars...)
	return append(env, p.Artifact.Env...)
}

// programs is the PATH without what was installed.
func (p *Planner) programs(env []string) string {
	search := "/usr/local/bin:/usr/bin:/bin"
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "PATH="); ok {
			search = value
		}
	}
	if p.InterpreterDir != "" {
		search = p.InterpreterDir + ":" + search
	}
	return search
}

// Repaired are further ways, by what the server printed and the code it exited with, -1 if
// that is not known.
func (p *Planner) Repaired(try *Launch, said string, code int, wanted []string) []*Launch {
	var list []*Launch
	decoyEnv := planted.Environment(p.Home) // the variables of the decoy home are not what it was started with
	env := slices.DeleteFunc(slices.Clone(try.Env), func(kv string) bool { return slices.Contains(decoyEnv, kv) })
	for _, fix := range entry.Diagnose(said, "", code, entry.Attempt{Args: try.Extra, Env: env}) {
		args, vars := p.apply(fix)
		if len(args)+len(vars) == 0 {
			continue
		}
		extra := args
		if !fix.Replace {
			extra = append(slices.Clone(try.Extra), args...)
		}
		list = append(list, p.attempt(try.Candidate, extra, append(slices.Clone(try.Vars), vars...), "it asked for it: "+fix.Why))
	}
	// It may have got further, to where it needs what only its code names.
	if len(wanted) > 0 && len(try.Extra) > 0 {
		list = append(list, p.attempt(try.Candidate, try.Extra, append(slices.Clone(try.Vars), wanted...), "with every credential it reads"))
	}
	return list
}

// apply fills in what a server asked for.
func (p *Planner) apply(fix entry.Fix) (args, vars []string) {
	var wanted []entry.Var
	for _, v := range fix.Env {
		name, value, _ := strings.Cut(v, "=")
		wanted = append(wanted, entry.Var{Name: name, Value: value})
	}
	return entry.Fill(fix.Args, wanted, Places(p.Home), p.credential)
}

// credential makes a well-formed one that opens nothing.
func (p *Planner) credential(name, example string) string {
	value, _ := decoys.Credential(p.Seed, name, example)
	return value
}
