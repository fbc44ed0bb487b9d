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

// Outcomes are what became of the attacks of a run.
type Outcomes struct {
	declared *declared.Declaration
	calls    *history.Calls
	plain    plainResults
	// Enumerated are the files that a tool comes upon whatever it is asked for.
	Enumerated Enumerated
	// anchored are the tools that keep to a folder of their own, differ the
	// answers to attacks that bring in a condition.
	anchored anchored
	differ   differ
	Cost     Costs
}

// New begins with nothing; calls are those of the run.
func New(d *declared.Declaration, calls *history.Calls) *Outcomes {
	return &Outcomes{declared: d, calls: calls, plain: plainResults{}, Enumerated: Enumerated{}, anchored: anchored{}, differ: differ{}}
}

// Foresee collects from all events what the attacks came to; finish concludes.
func (o *Outcomes) Foresee() (see func(*mcpsf.Event), finish func()) {
	attacks := attackLog{byCall: map[string]*attackCall{}}
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

// Proves tells whether the event shows that the attack its call made has
// succeeded: it is what only that brings about.
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

// plainResults is what came of the attacks that a tool without limits would not
// withstand either: how many were made at each place, and how many succeeded.
type plainResults map[attackPlace]struct{ made, succeeded int }

// attackPlace is where an attack was made. What is written in another way is
// another place: a tool may decode the one and not the other.
type attackPlace struct {
	class, tool, place string
	encoded            bool
}

func (s plainResults) foresee() func(*mcpsf.Event) {
	calls := map[string]*mcpsf.Event{}
	done := map[string]bool{}
	var newest *mcpsf.Event // a thread of a pool may carry the name of the call before
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

// reached tells whether an event is about a file or an address.
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

// Unlimited tells whether the tool does whatever it is asked where the attack
// was made: it has no limit that it tells of or that was seen, and withstood
// nothing.
func (o *Outcomes) Unlimited(f *event.Fields) bool {
	at := placeIn(f)
	switch f.Attack {
	case "path-traversal":
		if slices.ContainsFunc(o.declared.Scope.Command, path.IsAbs) || o.anchored[at] {
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

// named are the program that runs and the script that it runs: what is on the
// PATH may be one.
func named(f *event.Fields) []string {
	return append([]string{f.Path}, f.Args[:min(len(f.Args), 2)]...)
}

// Asked tells whether the attack of the call itself asked for the subject: that
// is no choice of the server's, and the rules about attacks judge it.
func (o *Outcomes) Asked(f *event.Fields) bool {
	a := o.calls.AttackOf(f.Call)
	if a == nil || a.Marker == "" {
		return false
	}
	return o.Proves(f) || path.Clean(f.Subject) == path.Clean(a.Marker) || f.Program != "" && path.Base(f.Program) == a.Marker
}
