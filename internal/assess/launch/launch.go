// Package launch finds the ways to start a server: as its package declares it, as its
// documentation says, and, after a failed start, as its error message demands.
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

// Via is the transport to a server.
type Via uint8

const (
	// Streams uses its standard streams, unless it listens and prints nothing there.
	Streams Via = iota
	// HTTP uses connections to the address where it listens.
	HTTP
	// StreamsOnly uses its standard streams, even if it listens.
	StreamsOnly
)

// Launch is one way to start the server.
type Launch struct {
	// Command and Env are complete.
	Command, Env []string
	// Given is the part of the command that comes from the user or us, not from
	// the package: it can explain accesses.
	Given []string
	// Candidate is the index of the artifact's candidate that it comes from.
	Candidate int
	// Extra are the arguments after the candidate's own; Vars are the variables
	// that were added for this start.
	Extra, Vars []string
	Why         string
	Via         Via
}

// Key is equal for two launches that start the same.
func (l *Launch) Key() string {
	return strings.Join(l.Command, "\x00") + "\x01" + strings.Join(l.Env, "\x00") + string(rune(l.Via))
}

// WhereItListens returns further ways to a server that listens but did not answer over
// its streams: over HTTP, and, if it was cut short, over its streams again.
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
	// ToolchainEnv are the variables of the runtime's image. InterpreterDir is
	// the directory of a mounted interpreter, "" for one of the system.
	ToolchainEnv   []string
	InterpreterDir string
	// Installed says that the server was installed: its programs are on the PATH.
	Installed bool
}

// First returns the ways that are known before the first start: every candidate
// as its author starts it, and unchanged.
func (p *Planner) First(wanted []string) []*Launch {
	a, target := p.Artifact, p.Target
	if len(target.Command) > 0 || len(a.Candidates) == 0 {
		return []*Launch{{Command: a.Command, Env: p.environment(nil), Given: target.Command}}
	}
	hint := p.hint()
	var list []*Launch
	for i, c := range a.Candidates {
		if i > 0 && a.Install == nil && !c.Chosen {
			continue // the user chose another candidate
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

// attempt returns the launch of a candidate with further arguments and variables.
func (p *Planner) attempt(candidate int, extra, vars []string, why string) *Launch {
	command := p.Artifact.Candidates[candidate].Command
	return &Launch{
		Command: append(slices.Clone(command), extra...), Env: p.environment(vars),
		Given: append(slices.Clone(p.Target.Args), extra...),
		Extra: extra, Vars: vars, Candidate: candidate, Why: why,
	}
}

// environment returns the artifact's environment, with the variables of one
// start and the PATH to installed programs. The user's own values win.
func (p *Planner) environment(vars []string) []string {
	env := append(planted.Environment(p.Home), p.ToolchainEnv...)
	if p.Installed {
		env = append(env, "PATH="+strings.Join(append(install.Programs(), p.programs(env)), ":"))
	}
	env = append(env, vars...)
	return append(env, p.Artifact.Env...)
}

// programs returns the PATH without the installed programs.
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

// Repaired returns further ways, based on what the server printed and its exit
// code, -1 if unknown.
func (p *Planner) Repaired(try *Launch, said string, code int, wanted []string) []*Launch {
	var list []*Launch
	decoyEnv := planted.Environment(p.Home) // without the variables of the decoy home
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
	// It may have got to where it needs the variables that only its code names.
	if len(wanted) > 0 && len(try.Extra) > 0 {
		list = append(list, p.attempt(try.Candidate, try.Extra, append(slices.Clone(try.Vars), wanted...), "with every credential it reads"))
	}
	return list
}

// Asked returns the same way with the variables that tools asked for when they refused
// their calls, nil if they named none.
func (p *Planner) Asked(try *Launch, refusals string) *Launch {
	for _, fix := range entry.Diagnose(refusals, "", 0, entry.Attempt{Args: try.Extra, Env: try.Env}) {
		named := slices.DeleteFunc(slices.Clone(fix.Env), func(name string) bool {
			return !strings.Contains(refusals, name) // an argument, not a variable
		})
		if _, vars := p.apply(entry.Fix{Env: named}); len(vars) > 0 && len(fix.Args) == 0 {
			with := *try
			with.Vars = append(slices.Clone(try.Vars), vars...)
			with.Env, with.Why = p.environment(with.Vars), "its tools asked for it: "+fix.Why
			return &with
		}
	}
	return nil
}

// apply returns the arguments and variables that a server asked for.
func (p *Planner) apply(fix entry.Fix) (args, vars []string) {
	var wanted []entry.Var
	for _, v := range fix.Env {
		name, value, _ := strings.Cut(v, "=")
		wanted = append(wanted, entry.Var{Name: name, Value: value})
	}
	return entry.Fill(fix.Args, wanted, Places(p.Home), p.credential)
}

// credential makes a well-formed credential that is valid nowhere.
func (p *Planner) credential(name, example string) string {
	value, _ := decoys.Credential(p.Seed, name, example)
	return value
}
