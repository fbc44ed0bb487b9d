package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// proves tells whether the event shows that the attack its call made has
// succeeded: it is what only that brings about.
func (r *run) proves(f *fields) bool {
	a := r.attackOf(f)
	if a == nil || a.Marker == "" {
		return false
	}
	switch a.Sign {
	case mcpsf.SignExec:
		return f.Kind == string(mcpsf.KindProcessExec) && f.Error == "" && slices.ContainsFunc(named(f), func(s string) bool { return path.Base(s) == a.Marker })
	case mcpsf.SignArgument:
		return f.Kind == string(mcpsf.KindProcessExec) && f.Error == "" && isOption(f.Args, a.Marker)
	case mcpsf.SignOpen:
		return f.Error == "" && opens(f.Path, a.Marker)
	case mcpsf.SignRequest:
		return f.Host == a.Marker || f.named == a.Marker || f.Address == a.Marker
	case mcpsf.SignAnswer, mcpsf.SignEcho:
		return f.Shown
	}
	return false
}

// isOption tells whether an argument stands where a program may take it for an
// option: before "--", and not behind one that takes a value. Those of a single
// hyphen mostly do (-e, -name), those of two mostly have theirs behind a "=".
func isOption(args []string, arg string) bool {
	for i := 1; i < len(args); i++ {
		switch before := args[i-1]; {
		case args[i] == "--" || args[i] == "--end-of-options":
			return false
		case args[i] != arg:
		case i == 1 || !strings.HasPrefix(before, "-") || strings.HasPrefix(before, "--"):
			return true
		}
	}
	return false
}

// opens tells whether a path is that of a marker; servers append an ending.
func opens(name, marker string) bool {
	rest, ok := strings.CutPrefix(path.Clean(name), path.Clean(marker))
	return ok && (rest == "" || rest[0] == '.' && !strings.Contains(rest, "/"))
}

// siege is what came of the attacks that a tool without limits would not
// withstand either: how many were made at each place, and how many succeeded.
type siege map[siegePlace]struct{ made, succeeded int }

type siegePlace struct{ class, tool, place string }

func (s siege) foresee(events []mcpsf.Event) {
	calls := map[string]*mcpsf.Event{}
	done := map[string]bool{}
	for i := range events {
		e := &events[i]
		if e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && !e.MCP.FromServer && e.MCP.Attack != nil && e.MCP.Attack.Plain {
			calls[e.Call] = e
			at := placeOf(e)
			n := s[at]
			n.made++
			s[at] = n
			continue
		}
		r := calls[e.Call]
		if r == nil || done[e.Call] || !reached(e, r.MCP.Attack.Marker) {
			continue
		}
		done[e.Call] = true
		n := s[placeOf(r)]
		n.succeeded++
		s[placeOf(r)] = n
	}
}

// reached tells whether an event is about a file or an address.
func reached(e *mcpsf.Event, marker string) bool {
	switch {
	case e.File != nil:
		return e.File.Error == "" && opens(e.File.Path, marker)
	case e.Net != nil:
		return e.Net.Address == marker || e.Net.Name == marker
	}
	return false
}

func placeOf(e *mcpsf.Event) siegePlace {
	return siegePlace{e.MCP.Attack.Class, e.MCP.Tool, e.MCP.Attack.Place}
}

// unlimited tells whether the tool does whatever it is asked where the attack
// was made: it was not given a folder to keep to, and withstood nothing.
func (r *run) unlimited(f *fields) bool {
	if f.Attack == "path-traversal" && slices.ContainsFunc(r.scope.Command, path.IsAbs) {
		return false
	}
	n := r.siege[siegePlace{f.Attack, f.Tool, f.Place}]
	return n.made > 0 && n.succeeded >= n.made
}

// named are the program that runs and the script that it runs: what is on the
// PATH may be one.
func named(f *fields) []string {
	return append([]string{f.Path}, f.Args[:min(len(f.Args), 2)]...)
}

func (r *run) attackOf(f *fields) *mcpsf.AttackDetail {
	if c := r.calls[f.Call]; c != nil {
		return c.attack
	}
	return nil
}

// asked tells whether the attack of the call itself asked for the subject: that
// is no choice of the server's, and the rules about attacks judge it.
func (r *run) asked(f *fields) bool {
	a := r.attackOf(f)
	if a == nil || a.Marker == "" {
		return false
	}
	return r.proves(f) || path.Clean(f.Subject) == path.Clean(a.Marker) || f.Program != "" && path.Base(f.Program) == a.Marker
}
