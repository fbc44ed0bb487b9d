package rules

import (
	"path"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// attacks are what became of the attacks of a run.
type attacks struct {
	declared *declaration
	calls    *callLog
	siege    siege
	// enumerated are the files that a tool comes upon whatever it is asked for.
	enumerated enumerated
	// anchored are the tools that keep to a folder of their own, differ the
	// answers to attacks that bring in a condition.
	anchored anchored
	differ   differ
	cost     outcomes
}

func newAttacks(d *declaration, calls *callLog) *attacks {
	return &attacks{declared: d, calls: calls, siege: siege{}, enumerated: enumerated{}, anchored: anchored{}, differ: differ{}}
}

// foresee collects from all events what the attacks came to; finish concludes.
func (o *attacks) foresee() (see func(*mcpsf.Event), finish func()) {
	shots := gallery{byCall: map[string]*shot{}}
	siege, anchored, differ := o.siege.foresee(), o.anchored.foresee(o.declared.scope), o.differ.foresee()
	see = func(e *mcpsf.Event) {
		siege(e)
		anchored(e)
		differ(e)
		shots.see(e)
	}
	return see, func() {
		shots.close()
		o.cost.foresee(shots.shots)
	}
}

// proves tells whether the event shows that the attack its call made has
// succeeded: it is what only that brings about.
func (o *attacks) proves(f *fields) bool {
	a := o.calls.attackOf(f.Call)
	if a == nil || a.Marker == "" {
		return false
	}
	switch a.Sign {
	case mcpsf.SignQuery:
		return asCode(f, a)
	case mcpsf.SignCost:
		return f.Kind == string(mcpsf.KindMCPRequest) && o.cost.costly[f.Call] || o.amplifies(f) || f.Limit != "" && f.Pending
	case mcpsf.SignExec:
		return f.Kind == string(mcpsf.KindProcessExec) && f.Error == "" && slices.ContainsFunc(named(f), func(s string) bool { return path.Base(s) == a.Marker })
	case mcpsf.SignArgument:
		return f.Kind == string(mcpsf.KindProcessExec) && f.Error == "" && a.IsOption(f.Args)
	case mcpsf.SignOpen:
		return f.Error == "" && a.Opens(f.Path) && !o.enumerated[enumeration{f.Tool, path.Clean(a.Marker)}]
	case mcpsf.SignRequest:
		return f.Host == a.Marker || f.named == a.Marker || f.Address == a.Marker
	case mcpsf.SignAnswer, mcpsf.SignEcho:
		return f.Shown || a.Class == "log-injection" && o.forged(f, a.Marker)
	case mcpsf.SignDiffer:
		return o.evaluates(f, a)
	}
	return false
}

// siege is what came of the attacks that a tool without limits would not
// withstand either: how many were made at each place, and how many succeeded.
type siege map[siegePlace]struct{ made, succeeded int }

// siegePlace is where an attack was made. What is written in another way is
// another place: who reads the one may be deaf to the other.
type siegePlace struct {
	class, tool, place string
	encoded            bool
}

func (s siege) foresee() func(*mcpsf.Event) {
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
		return canonical(e.Net.Address) == a.Marker || e.Net.Name == a.Marker
	}
	return false
}

func placeOf(e *mcpsf.Event) siegePlace {
	return siegePlace{e.MCP.Attack.Class, e.MCP.Tool, e.MCP.Attack.Place, e.MCP.Attack.Encoded}
}

func (f *fields) siegePlace() siegePlace { return siegePlace{f.Attack, f.Tool, f.Place, f.encoded} }

// unlimited tells whether the tool does whatever it is asked where the attack
// was made: it has no limit that it tells of or that was seen, and withstood
// nothing.
func (o *attacks) unlimited(f *fields) bool {
	at := f.siegePlace()
	switch f.Attack {
	case "path-traversal":
		if slices.ContainsFunc(o.declared.scope.Command, path.IsAbs) || o.anchored[at] {
			return false
		}
	case "ssrf":
		if o.declared.tools.namesItsHosts(f.Tool, f.Place) {
			return false
		}
	}
	n := o.siege[at]
	return n.made > 0 && n.succeeded >= n.made
}

// named are the program that runs and the script that it runs: what is on the
// PATH may be one.
func named(f *fields) []string {
	return append([]string{f.Path}, f.Args[:min(len(f.Args), 2)]...)
}

// asked tells whether the attack of the call itself asked for the subject: that
// is no choice of the server's, and the rules about attacks judge it.
func (o *attacks) asked(f *fields) bool {
	a := o.calls.attackOf(f.Call)
	if a == nil || a.Marker == "" {
		return false
	}
	return o.proves(f) || path.Clean(f.Subject) == path.Clean(a.Marker) || f.Program != "" && path.Base(f.Program) == a.Marker
}
