package flows

import (
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Named is a server under the name that its agent uses.
type Named struct {
	// Name is the agent's name for it, "" for the name of its package.
	Name string
	// Report is nil if there is none; Missing then says why.
	Report  *mcpsf.Report
	Missing string
	// Note is a remark about the report.
	Note string
}

// Of returns the graph of servers that one agent uses together. The same reports
// always give the same graph.
func Of(reports ...*mcpsf.Report) *Graph {
	var list []Named
	for _, r := range reports {
		list = append(list, Named{Report: r})
	}
	return OfServers(list...)
}

// OfServers is [Of] for servers of which some may have no report.
func OfServers(list ...Named) *Graph {
	g := &Graph{Servers: []Server{}, Tools: []Tool{}, Edges: []Edge{}, Flows: []Flow{}, Caveats: []string{}}
	list, twice := distinct(list)
	names := namesOf(list)
	for i, n := range list {
		g.add(fmt.Sprintf("s%d", i+1), names[i], n)
	}
	g.connect()
	g.findFlows()
	g.Caveats = append(g.Caveats, caveatsOf(list)...)
	if twice > 0 {
		g.Caveats = append(g.Caveats, fmt.Sprintf("%s given more than once and counted once.", amount(twice, "run was", "runs were")))
	}
	return g
}

// add adds one server.
func (g *Graph) add(id, name string, n Named) {
	s := Server{ID: id, Name: name, Missing: n.Missing, Roles: map[Role]Level{}, Caveats: []string{}}
	if n.Note != "" {
		s.Caveats = append(s.Caveats, n.Note)
	}
	if n.Report == nil {
		if s.Missing == "" {
			s.Missing = "there is no report of it"
		}
		g.Servers = append(g.Servers, s)
		return
	}
	s.Missing = ""
	a := n.Report.Artifact
	s.Kind, s.Package, s.Version, s.Digest = a.Kind, a.Name, a.Version, a.Digest
	s.Run, s.Band = n.Report.Run.ID, n.Report.Verdict.Band
	for _, t := range toolsOf(n.Report) {
		t.ID, t.Server = fmt.Sprintf("t%d", len(g.Tools)+1), id
		if t.Name != "" {
			s.Tools++
			if t.State != StateSeen {
				s.Unseen++
			}
		}
		for _, role := range Roles() {
			if l := t.Level(role); rank(l) > rank(s.Roles[role]) {
				s.Roles[role] = l
			}
		}
		g.Tools = append(g.Tools, *t)
	}
	s.Caveats = append(s.Caveats, serverCaveats(n.Report, &s)...)
	g.Servers = append(g.Servers, s)
}

// connect adds an edge for each role of each tool.
func (g *Graph) connect() {
	for i := range g.Tools {
		t := &g.Tools[i]
		for _, role := range Roles() {
			level := t.Level(role)
			switch {
			case level == "":
			case role == Out:
				g.Edges = append(g.Edges, Edge{From: Agent, To: t.ID, Carries: role, Level: level})
			default:
				g.Edges = append(g.Edges, Edge{From: t.ID, To: Agent, Carries: role, Level: level})
			}
		}
	}
}

// distinct drops duplicate runs, unless the agent has the server under another
// name. It returns how many it dropped.
func distinct(list []Named) (kept []Named, dropped int) {
	type key struct{ name, run, digest string }
	known := map[key]bool{}
	for _, n := range list {
		if n.Report == nil && n.Name == "" && n.Missing == "" {
			continue
		}
		if n.Report != nil && n.Report.Run.ID != "" {
			k := key{n.Name, n.Report.Run.ID, n.Report.Artifact.Digest}
			if known[k] {
				dropped++
				continue
			}
			known[k] = true
		}
		kept = append(kept, n)
	}
	return kept, dropped
}

// namesOf gives each server a unique name: with its version if that makes it
// unique, else with a number.
func namesOf(list []Named) []string {
	names := make([]string, len(list))
	count, full := map[string]int{}, map[string]int{}
	for i, n := range list {
		names[i] = n.Name
		if names[i] == "" && n.Report != nil {
			names[i] = n.Report.Artifact.Name
		}
		if names[i] == "" {
			names[i] = "server"
		}
		count[names[i]]++
		full[names[i]+"\x00"+versionOf(n)]++
	}
	used := map[string]bool{}
	for i, n := range list {
		name := names[i]
		if v := versionOf(n); count[name] > 1 && v != "" && full[name+"\x00"+v] == 1 {
			name += " " + v
		}
		unique := name
		for next := 2; used[unique]; next++ {
			unique = fmt.Sprintf("%s (%d)", name, next)
		}
		used[unique] = true
		names[i] = unique
	}
	return names
}

func versionOf(n Named) string {
	if n.Report == nil {
		return ""
	}
	return n.Report.Artifact.Version
}

// Newest keeps the latest run of each server, preferring runs in which it was
// started. It returns how many runs it left out.
func Newest(reports []*mcpsf.Report) (kept []*mcpsf.Report, aside int) {
	type key struct{ kind, name, source string }
	at := map[key]int{}
	for _, r := range reports {
		k := key{r.Artifact.Kind, r.Artifact.Name, ""}
		if r.Artifact.Name == "" {
			k.source = r.Target.Source
		}
		i, ok := at[k]
		if !ok {
			at[k] = len(kept)
			kept = append(kept, r)
			continue
		}
		aside++
		if tellsMore(r, kept[i]) {
			kept[i] = r
		}
	}
	return slices.Clip(kept), aside
}

// tellsMore prefers a started server to one that was only read, then the later run.
func tellsMore(a, b *mcpsf.Report) bool {
	if a.Coverage.Static != b.Coverage.Static {
		return !a.Coverage.Static
	}
	if c := a.Run.Started.Compare(b.Run.Started); c != 0 {
		return c > 0
	}
	return a.Run.ID > b.Run.ID
}

// amount writes a number with the singular or plural of its noun.
func amount(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
