package attack

import (
	"path"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/history"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
)

// Outcomes holds the results of the attacks of a run.
type Outcomes struct {
	declared *declared.Declaration
	calls    *history.Calls
	plain    plainResults
	// Enumerated are the attacked files that a tool also opens when no call asks for them.
	Enumerated Enumerated
	// anchored are the tools that stay in a folder of their own. differ holds
	// the answers to attacks that inject a true or false condition.
	anchored anchored
	differ   differ
	Cost     Costs
}

// New returns empty Outcomes; calls are those of the run.
func New(d *declared.Declaration, calls *history.Calls) *Outcomes {
	return &Outcomes{declared: d, calls: calls, plain: plainResults{}, Enumerated: Enumerated{}, anchored: anchored{}, differ: differ{}}
}

// Foresee returns see, called for every event, and finish, called after the last.
func (o *Outcomes) Foresee() (see func(*mcpsf.Event), finish func()) {
	attacks := newAttackLog()
	plain, anchored, differ := o.plain.foresee(), o.anchored.foresee(o.declared.Scope), o.differ.foresee()
	see = func(e *mcpsf.Event) {
		plain(e)
		anchored(e)
		differ(e)
		attacks.see(e)
	}
	return see, func() {
		attacks.close()
		o.Cost.foresee(attacks.calls)
	}
}

// Proves tells whether the event shows the sign that only a successful attack of
// its call can cause.
func (o *Outcomes) Proves(f *event.Fields) bool {
	a := o.calls.AttackOf(f.Call)
	if a == nil || a.Marker == "" {
		return false
	}
	switch a.Sign {
	case mcpsf.SignQuery:
		return asCode(f, a)
	case mcpsf.SignCost:
		return f.Kind == string(mcpsf.KindMCPRequest) && o.Cost.costly[f.Call] || o.amplifies(f) || f.Limit != "" && f.Pending
	case mcpsf.SignExec:
		return f.Kind == string(mcpsf.KindProcessExec) && f.Error == "" && slices.ContainsFunc(named(f), func(s string) bool { return path.Base(s) == a.Marker })
	case mcpsf.SignArgument:
		return f.Kind == string(mcpsf.KindProcessExec) && f.Error == "" && a.IsOption(f.Args)
	case mcpsf.SignOpen:
		return f.Error == "" && a.Opens(f.Path) && !o.Enumerated[enumeration{f.Tool, path.Clean(a.Marker)}]
	case mcpsf.SignRequest:
		return f.Host == a.Marker || f.Named == a.Marker || f.Address == a.Marker
	case mcpsf.SignAnswer, mcpsf.SignEcho:
		return f.Shown || a.Class == "log-injection" && o.forged(f, a.Marker)
	case mcpsf.SignDiffer:
		return o.evaluates(f, a)
	}
	return false
}

// plainResults counts, for each place, how many attacks were made and succeeded
// whose payload even a tool without limits would accept.
type plainResults map[attackPlace]struct{ made, succeeded int }

// attackPlace is the argument that was attacked. An encoded payload counts as a
// different place, because a tool may decode one form and not the other.
type attackPlace struct {
	class, tool, place string
	encoded            bool
}

func (s plainResults) foresee() func(*mcpsf.Event) {
	calls := map[string]*mcpsf.Event{}
	done := map[string]bool{}
	var newest *mcpsf.Event // a pool thread may still carry the label of the previous call
	return func(e *mcpsf.Event) {
		if e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && !e.MCP.FromServer {
			newest = nil
			if e.MCP.Attack == nil || !e.MCP.Attack.Plain {
				return
			}
			calls[e.Call], newest = e, e
			at := placeOf(e)
			n := s[at]
			n.made++
			s[at] = n
			return
		}
		r := calls[e.Call]
		if r == nil || !reached(e, r.MCP.Attack) {
			r = newest
		}
		if r == nil || done[r.Call] || !reached(e, r.MCP.Attack) {
			return
		}
		done[r.Call] = true
		n := s[placeOf(r)]
		n.succeeded++
		s[placeOf(r)] = n
	}
}

// reached tells whether an event opens the file or contacts the host of the attack.
func reached(e *mcpsf.Event, a *mcpsf.AttackDetail) bool {
	switch {
	case e.File != nil:
		return e.File.Error == "" && a.Opens(e.File.Path)
	case e.Net != nil:
		return hostname.Canonical(e.Net.Address) == a.Marker || e.Net.Name == a.Marker
	}
	return false
}

func placeOf(e *mcpsf.Event) attackPlace {
	return attackPlace{e.MCP.Attack.Class, e.MCP.Tool, e.MCP.Attack.Place, e.MCP.Attack.Encoded}
}

func placeIn(f *event.Fields) attackPlace { return attackPlace{f.Attack, f.Tool, f.Place, f.Encoded} }

// Unlimited tells whether the tool accepts any value for the attacked argument:
// it declares no limit, none was observed, and every plain attack succeeded.
func (o *Outcomes) Unlimited(f *event.Fields) bool {
	at := placeIn(f)
	switch f.Attack {
	case "path-traversal":
		if slices.ContainsFunc(o.declared.Scope.Command, path.IsAbs) || o.anchored[at] || o.declared.Tools.NamesItsFolder(f.Tool, f.Place) {
			return false
		}
	case "ssrf":
		if o.declared.Tools.NamesItsHosts(f.Tool, f.Place) {
			return false
		}
	}
	n := o.plain[at]
	return n.made > 0 && n.succeeded >= n.made
}

// named returns the program that runs and its first two arguments, one of which
// may be the script that it runs.
func named(f *event.Fields) []string {
	return append([]string{f.Path}, f.Args[:min(len(f.Args), 2)]...)
}

// Asked tells whether the attack payload itself asked for the subject. Then the
// server did not choose it, and the rules about attacks judge it.
func (o *Outcomes) Asked(f *event.Fields) bool {
	a := o.calls.AttackOf(f.Call)
	if a == nil || a.Marker == "" {
		return false
	}
	return o.Proves(f) || path.Clean(f.Subject) == path.Clean(a.Marker) || f.Program != "" && path.Base(f.Program) == a.Marker
}
