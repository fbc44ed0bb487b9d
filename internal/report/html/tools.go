package html

import (
	"cmp"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Bounds of what the server used.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxTools    = 120
	maxAccesses = 1200
)

type toolsView struct {
	List []toolView
	// More is how many tools, or accesses, are in report.json only.
	More int
}

// toolView is what one tool used.
type toolView struct {
	Name string
	// Called is false for what happened outside of tools.
	Called      bool
	Description string
	// Loud are the accesses that need attention; Plain are those that any program makes.
	Loud, Plain []accessView
	// Bare says that there were none.
	Bare        bool
	Unexplained int
}

type accessView struct {
	Kind, Name string
	Count      string
	Event      int64
	Linked     bool
	Decoy      string
	Why        explanationView
}

// toolsSection shows what each tool used.
type toolsSection struct{ *index }

// tools lists the accesses below their tool, those of no tool last.
func (b toolsSection) tools() toolsView {
	var view toolsView
	var order []*toolView
	index := make(map[string]*toolView)
	tool := func(key string, v toolView) *toolView {
		if t := index[key]; t != nil {
			return t
		}
		if len(order) == maxTools {
			view.More++
			return nil
		}
		index[key] = &v
		order = append(order, &v)
		return &v
	}
	for _, t := range b.Report.Session.Tools {
		tool("tool "+t.Name, toolView{Name: b.line(t.Name, maxName), Called: true, Description: b.line(t.Description, maxProse/3)})
	}
	accesses := slices.Clone(b.Report.Accesses)
	slices.SortStableFunc(accesses, func(x, y mcpsf.Access) int {
		return cmp.Or(cmp.Compare(outer(x), outer(y)), cmp.Compare(unexplained(y), unexplained(x)))
	})
	for i, a := range accesses {
		key, v := "tool "+a.Tool, toolView{Name: b.line(a.Tool, maxName), Called: true}
		switch {
		case a.Phase == mcpsf.PhaseInstall:
			key, v = "install", toolView{Name: "The installation"}
		case a.Tool == "":
			key, v = "none", toolView{Name: "Without a call: the start, the handshake, the listings"}
		}
		if i == maxAccesses {
			view.More += len(accesses) - i
			break
		}
		if t := tool(key, v); t != nil {
			b.access(t, a)
		}
	}
	for _, t := range order {
		t.Bare = len(t.Loud)+len(t.Plain) == 0
		view.List = append(view.List, *t)
	}
	return view
}

// outer returns the position of an access: with a tool, with none, in the installation.
func outer(a mcpsf.Access) int {
	switch {
	case a.Phase == mcpsf.PhaseInstall:
		return 2
	case a.Tool == "":
		return 1
	}
	return 0
}

func unexplained(a mcpsf.Access) int {
	if a.Explanation.By == mcpsf.ByNobody {
		return 1
	}
	return 0
}

func (b toolsSection) access(t *toolView, a mcpsf.Access) {
	v := accessView{
		Kind: b.line(string(a.Kind), 40), Name: b.line(a.Name, maxName), Count: thousands(max(a.Count, 1)),
		Event: a.Event, Linked: b.shown[a.Event], Decoy: b.line(a.Planted, 60),
	}
	if why := b.explanation(&a.Explanation); why != nil {
		v.Why = *why
	}
	if !v.Why.Explained {
		t.Unexplained++
	}
	if a.Explanation.By == mcpsf.ByNature && a.Planted == "" {
		t.Plain = append(t.Plain, v)
		return
	}
	t.Loud = append(t.Loud, v)
}
