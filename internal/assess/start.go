package assess

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/entry"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// launch is one way to start the server.
type launch struct {
	// command and env are complete.
	command, env []string
	// given is what of the command is the user's or ours, not the package's:
	// it explains what the server does with it.
	given []string
	// candidate is the artifact's candidate that it comes from.
	candidate int
	// extra are the arguments behind the candidate's own, and vars the
	// variables that were added for this start.
	extra, vars []string
	why         string
	// reach is how it is spoken to.
	reach reach
}

// start tries the ways to start the server until one answers. The first way
// stands for all if none does.
func (st *stage) start(ctx context.Context) (*detonation, *launch, error) {
	wanted := st.wanted()
	queue := st.attempts(wanted)
	say := st.firstTalk()
	var made tries
	var best *detonation
	var chosen *launch
	var unheard []string
	for len(queue) > 0 {
		try := queue[0]
		queue = queue[1:]
		if !made.another(try) {
			continue
		}
		d, err := st.detonate(ctx, try, say)
		if err != nil {
			return nil, nil, err
		}
		st.totals = append(st.totals, observedOf(d))
		st.note(try, d)
		if best == nil || d.session.Initialized {
			best, chosen = d, try
		}
		if d.session.Initialized {
			break
		}
		if try.reach == byHTTP {
			unheard = append(unheard, "what it says where it listens: "+strings.Join(d.session.Irregularities, "; "))
		}
		if ways := otherwise(try, d); len(ways) > 0 {
			queue = append(ways, queue...)
			continue
		}
		if len(st.opts.Target.Command) > 0 {
			continue
		}
		made.failed(try, d.session.Closed != "crashed")
		queue = append(st.fixed(try, d, wanted), queue...)
	}
	if best == nil {
		return nil, nil, fmt.Errorf("there is no way to start %s", st.artifact.Name)
	}
	if !best.session.Initialized {
		st.undone = append(st.undone, unheard...)
	}
	if best.session.Initialized && chosen.reach == byStreams {
		chosen.reach = byStreamsOnly // it answers there, however long it takes the next time
	}
	st.artifact.Command, st.artifact.Env = chosen.command, chosen.env
	return best, chosen, nil
}

// attempts are the ways that are known before anything was tried: every
// candidate as its author says it is started, and as it is.
func (st *stage) attempts(wanted []string) []*launch {
	a, target := st.artifact, st.opts.Target
	if len(target.Command) > 0 || len(a.Candidates) == 0 {
		return []*launch{{command: a.Command, env: st.environment(nil), given: target.Command}}
	}
	hint := st.hint()
	var list []*launch
	for i, c := range a.Candidates {
		if i > 0 && a.Install == nil && !c.Chosen {
			continue // the one that was chosen is the server
		}
		if len(hint.args)+len(hint.vars) > 0 && len(target.Args) == 0 {
			list = append(list, st.attempt(i, hint.args, hint.vars, hint.why))
		}
		list = append(list, st.attempt(i, nil, nil, c.Why))
	}
	if len(wanted) > 0 && len(list) > 0 {
		list = append(list, st.attempt(0, hint.args, append(slices.Clone(hint.vars), wanted...), "with every credential it reads"))
	}
	return list
}

// attempt starts a candidate with further arguments and variables.
func (st *stage) attempt(candidate int, extra, vars []string, why string) *launch {
	command := st.artifact.Candidates[candidate].Command
	return &launch{
		command: append(slices.Clone(command), extra...), env: st.environment(vars),
		given: append(slices.Clone(st.opts.Target.Args), extra...),
		extra: extra, vars: vars, candidate: candidate, why: why,
	}
}

// environment is the artifact's, with what was added for one start and, for
// what was installed, the way to its programs. The user's own values win.
func (st *stage) environment(vars []string) []string {
	env := append(exported(st.home), st.equipment.env...)
	if st.archive != "" {
		env = append(env, "PATH="+strings.Join(append(install.Programs(), st.programs(env)), ":"))
	}
	env = append(env, vars...)
	return append(env, st.artifact.Env...)
}

// programs is the PATH without what was installed.
func (st *stage) programs(env []string) string {
	search := "/usr/local/bin:/usr/bin:/bin"
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "PATH="); ok {
			search = value
		}
	}
	if e := st.equipment; e.interpreter.Mount != "" {
		search = path.Dir(e.interpreter.Program) + ":" + search
	}
	return search
}

// fixed are further ways, by what the server said when it failed.
func (st *stage) fixed(try *launch, d *detonation, wanted []string) []*launch {
	code := -1
	if d.exit.Known {
		code = d.exit.Code
	}
	var list []*launch
	bait := exported(st.home) // was there before, and is not what it was started with
	env := slices.DeleteFunc(slices.Clone(try.env), func(kv string) bool { return slices.Contains(bait, kv) })
	for _, fix := range entry.Diagnose(d.said, "", code, entry.Attempt{Args: try.extra, Env: env}) {
		args, vars := st.apply(fix)
		if len(args)+len(vars) == 0 {
			continue
		}
		extra := args
		if !fix.Replace {
			extra = append(slices.Clone(try.extra), args...)
		}
		list = append(list, st.attempt(try.candidate, extra, append(slices.Clone(try.vars), vars...), "it asked for it: "+fix.Why))
	}
	// It may have got further, to where it needs what only its code names.
	if len(wanted) > 0 && len(try.extra) > 0 {
		list = append(list, st.attempt(try.candidate, try.extra, append(slices.Clone(try.vars), wanted...), "with every credential it reads"))
	}
	return list
}

// apply fills in what a server asked for.
func (st *stage) apply(fix entry.Fix) (args, vars []string) {
	var wanted []entry.Var
	for _, v := range fix.Env {
		name, value, _ := strings.Cut(v, "=")
		wanted = append(wanted, entry.Var{Name: name, Value: value})
	}
	return entry.Fill(fix.Args, wanted, places(st.home), st.credential)
}

// credential makes a well-formed one that opens nothing.
func (st *stage) credential(name, example string) string {
	value, _ := decoys.Credential(st.opts.Seed, name, example)
	return value
}

// note writes into the artifact how a candidate fared.
func (st *stage) note(try *launch, d *detonation) {
	list := st.artifact.Candidates
	if try.candidate >= len(list) {
		return
	}
	c := &list[try.candidate]
	for i := range list {
		list[i].Chosen = list[i].Chosen && !d.session.Initialized
	}
	c.Chosen = c.Chosen || d.session.Initialized
	outcome := "answered initialize"
	if !d.session.Initialized {
		outcome = "did not answer initialize"
		if words := lastWords(d.said); words != "" {
			outcome += ": " + words
		}
	}
	if len(try.extra) > 0 {
		outcome = "with " + strings.Join(try.extra, " ") + ": " + outcome
	}
	if c.Outcome != "" {
		outcome = c.Outcome + "; " + outcome
	}
	c.Outcome = outcome
}

func observedOf(d *detonation) observed {
	return observed{Kernel: d.kernel, Received: d.received, Trouble: trouble(d.watch, &d.exit), Unlooked: d.unlooked}
}

// places are what arguments of a server can point at.
func places(home *decoys.Home) entry.Places {
	p := home.Places
	return entry.Places{Dir: p.Dir, File: p.File, NewFile: p.NewFile, Repo: p.Repo, Database: p.Database}
}
