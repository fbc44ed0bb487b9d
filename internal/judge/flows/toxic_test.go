package flows

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// told prints the flows of a graph, one per line: level, parties, the tools of
// each leg, and what else is at stake.
func told(g *Graph) []string {
	server, tool := map[string]string{}, map[string]string{}
	for _, s := range g.Servers {
		server[s.ID] = s.Name
	}
	for _, t := range g.Tools {
		tool[t.ID] = server[t.Server] + "." + t.Name
	}
	named := func(ids []string, names map[string]string) string {
		var list []string
		for _, id := range ids {
			list = append(list, names[id])
		}
		return strings.Join(list, ",")
	}
	lines := []string{}
	for _, f := range g.Flows {
		var parties, legs []string
		for _, p := range f.Parties {
			parties = append(parties, named(p.Servers, server))
		}
		for _, l := range f.Legs {
			legs = append(legs, named(l.Tools, tool))
		}
		line := fmt.Sprintf("%s %s: %s", f.Level, strings.Join(parties, " + "), strings.Join(legs, " > "))
		if len(f.AtStake) > 0 {
			line += " also " + named(f.AtStake, server)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestFlows(t *testing.T) {
	both := server("both",
		used("get", mcpsf.AccessHost, "www.seven.example:443", mcpsf.ByArgument),
		planted(mcpsf.DecoyDocument, used("read", mcpsf.AccessRead, mcpsf.Home+"/Documents/a.txt", mcpsf.ByArgument)))
	shell := server("shell", used("run", mcpsf.AccessProgram, "/usr/bin/dash", mcpsf.ByPurpose))
	says := server("says")
	offer(says, "post", textSchema, mcpsf.CallOK)
	says.Session.Tools[0].Annotations = json.RawMessage(`{"openWorldHint":true}`)
	second := fetch()
	second.Artifact.Name, second.Run.ID = "curl", "other"
	for _, tt := range []struct {
		name    string
		reports []*mcpsf.Report
		want    []string
	}{
		{"none", nil, []string{}},
		{"no private data", []*mcpsf.Report{fetch()}, []string{}},
		{"no way out", []*mcpsf.Report{files()}, []string{}},
		{"one server", []*mcpsf.Report{both}, []string{"open both: both.get,both.read > both.read > both.get"}},
		{"one tool", []*mcpsf.Report{shell}, []string{"open shell: shell.run > shell.run > shell.run"}},
		{"two servers", []*mcpsf.Report{fetch(), files()}, []string{"open files + fetch: fetch.get > files.read > fetch.get"}},
		{"a fixed end", []*mcpsf.Report{mail(), files()}, []string{"seen files + mail: files.read > files.read > mail.send"}},
		{"three servers", []*mcpsf.Report{fetch(), notes(), mail()}, []string{"open notes + fetch: fetch.get > notes.list > fetch.get"}},
		{"a service", []*mcpsf.Report{tracker()}, []string{
			"seen tracker: tracker.list,tracker.comment > tracker.list,tracker.comment > tracker.list,tracker.comment"}},
		{"a service and what makes it worse", []*mcpsf.Report{tracker(), fetch(), files()}, []string{
			"open tracker,files + fetch: fetch.get > tracker.list,tracker.comment,files.read > fetch.get",
			"seen tracker: tracker.list,tracker.comment > tracker.list,tracker.comment > tracker.list,tracker.comment also files",
		}},
		{"what needs nobody else", []*mcpsf.Report{shell, fetch(), files()}, []string{
			"open shell: shell.run > shell.run > shell.run also files",
			"open files + fetch: fetch.get > files.read > fetch.get also shell",
		}},
		{"servers alike are one party", []*mcpsf.Report{fetch(), second, files()}, []string{
			"open files + fetch,curl: fetch.get,curl.get > files.read > fetch.get,curl.get"}},
		{"only said", []*mcpsf.Report{says, notes()}, []string{"declared notes + says: says.post > notes.list > says.post"}},
		{"said where it was seen", []*mcpsf.Report{says, fetch(), notes()}, []string{
			"open notes + fetch: fetch.get > notes.list > fetch.get",
			"declared notes + says: says.post > notes.list > says.post",
		}},
	} {
		if diff := cmp.Diff(tt.want, told(Of(tt.reports...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Runs of the corpus: a browser, a file manager, a tracker, mail, a shell, a
// database, a memory.
func TestRealRuns(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  []string // levels and parties
	}{
		{[]string{"fetch-page"}, nil},
		{[]string{"file-manager"}, nil},
		{[]string{"sqlite"}, nil},
		{[]string{"knowledge-graph"}, nil},
		{[]string{"shell"}, []string{"open shell-mcp"}},
		{[]string{"forge-issues"}, []string{"seen gitforge-mcp"}},
		{[]string{"mail-compose"}, []string{"seen mailpost-mcp"}},
		{[]string{"fetch-page", "file-manager"}, []string{"open folder-manager-mcp + page-fetch-mcp"}},
		{[]string{"fetch-page", "sqlite", "knowledge-graph"}, []string{"open sqlite-bench-mcp,memograph-mcp + page-fetch-mcp"}},
		{[]string{"file-manager", "sqlite", "knowledge-graph"}, nil},
	} {
		var reports []*mcpsf.Report
		for _, name := range tt.names {
			reports = append(reports, corpus(t, name))
		}
		g := Of(reports...)
		var got []string
		for _, line := range told(g) {
			before, _, _ := strings.Cut(line, ":")
			got = append(got, before)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.names, diff)
		}
		if g.Unsure() {
			t.Errorf("%v: unsure of %+v", tt.names, g.Servers)
		}
	}
}

// Ten thousand tools make one flow, and every triple of them is counted.
func TestManyTools(t *testing.T) {
	var list []mcpsf.Access
	for i := range 10_000 {
		a := used(fmt.Sprintf("get%d", i), mcpsf.AccessHost, "a.example:443", mcpsf.ByArgument)
		list = append(list, a)
	}
	g := Of(server("many", list...), files())
	if len(g.Flows) != 1 || g.Flows[0].Triples != 10_000*10_000 || len(g.Tools) != 10_001 || len(g.Edges) != 20_002 {
		t.Errorf("%d flows of %d tools and %d edges", len(g.Flows), len(g.Tools), len(g.Edges))
	}
}

// With the maximum number of servers, of every profile, there are few flows;
// each is minimal and has all roles.
func TestManyServers(t *testing.T) {
	var profiles []profile
	for i := range 4 {
		for p := range 3 {
			for o := range 4 {
				profiles = append(profiles, profile{i, p, o}, profile{i, p, o})
			}
		}
	}
	for n, p := range passes() {
		all := combine(profiles, p.need, passes()[:n])
		if len(all) == 0 || len(all) > maxFlows {
			t.Errorf("%s: %d flows", p.level, len(all))
		}
		for _, c := range all {
			var set []int
			for _, party := range c.parties {
				set = append(set, party[0])
			}
			if !reach(profiles, set, p.need) {
				t.Errorf("%s: %v does not make a flow", p.level, c)
			}
			for i := range set {
				if len(set) > 1 && reach(profiles, slices.Delete(slices.Clone(set), i, i+1), p.need) {
					t.Errorf("%s: %v does without party %d", p.level, c, i)
				}
			}
		}
	}
}

func TestNames(t *testing.T) {
	named := func(name, version string) Named {
		r := fetch()
		r.Artifact.Name, r.Artifact.Version, r.Run.ID = name, version, name+version
		return Named{Report: r}
	}
	again := named("a", "1.0")
	again.Report.Run.ID = "another"
	g := OfServers(named("a", "1.0"), named("a", "2.0"), again, named("b", "1.0"), named("", ""), named("a", "1.0"), Named{}, Named{Name: "gone"})
	var got []string
	for _, s := range g.Servers {
		got = append(got, s.Name)
	}
	want := []string{"a", "a 2.0", "a (2)", "b", "server", "gone"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want := []string{"1 run was given more than once and counted once."}; !slices.Equal(g.Caveats, want) {
		t.Errorf("caveats: %q, want %q", g.Caveats, want)
	}
}

// What was not examined is stated, and does not count as safe.
func TestCaveats(t *testing.T) {
	for _, tt := range []struct {
		name string
		make func(*mcpsf.Report)
		want string
	}{
		{"inconclusive", func(r *mcpsf.Report) {
			r.Verdict = mcpsf.Verdict{Band: mcpsf.BandInconclusive, Reasons: []string{"a monitor did not run."}}
		}, "Its run was inconclusive: a monitor did not run."},
		{"lost", func(r *mcpsf.Report) { r.Coverage.Events.Lost = 3 }, "3 events were lost in its run."},
		{"elsewhere", func(r *mcpsf.Report) { r.Coverage.Remote = true }, "It runs elsewhere: what its tools use was not seen."},
		{"read only", func(r *mcpsf.Report) { r.Coverage.Static, r.Verdict.Band = true, mcpsf.BandInconclusive }, "Nothing of it was run: only its package was read."},
		{"silent", func(r *mcpsf.Report) { r.Session.Initialized = false }, "It never answered, so only its start was seen."},
		{"old", func(r *mcpsf.Report) { r.Accesses = nil }, "Its report does not tell what was used; mcpsf report --rejudge --output makes one that does."},
		{"refused", func(r *mcpsf.Report) { offer(r, "x", textSchema, mcpsf.CallRefused) }, "1 of 2 tools were not seen to work: what they do is not known."},
	} {
		r := files()
		tt.make(r)
		g := Of(r)
		if diff := cmp.Diff([]string{tt.want}, g.Servers[0].Caveats); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if !g.Unsure() {
			t.Errorf("%s: sure", tt.name)
		}
	}
	if g := Of(files(), fetch()); g.Unsure() || len(g.Caveats) > 0 {
		t.Errorf("unsure of %+v", g)
	}
	old := fetch()
	old.Tool.Version = "v0"
	if g := Of(files(), old); len(g.Caveats) != 1 {
		t.Errorf("caveats: %q", g.Caveats)
	}
	if g := OfServers(Named{Name: "x"}); !g.Unsure() || g.Servers[0].Missing == "" {
		t.Errorf("sure of %+v", g)
	}
}

func TestNewest(t *testing.T) {
	run := func(name, id string, static bool) *mcpsf.Report {
		r := server(name)
		r.Run.ID, r.Coverage.Static = id, static
		return r
	}
	kept, aside := Newest([]*mcpsf.Report{run("a", "1", false), run("b", "1", false), run("a", "3", true), run("a", "2", false), run("c", "1", true), run("c", "2", false)})
	var got []string
	for _, r := range kept {
		got = append(got, r.Artifact.Name+r.Run.ID)
	}
	if diff := cmp.Diff([]string{"a2", "b1", "c2"}, got); diff != "" || aside != 3 {
		t.Errorf("%d aside (-want +got):\n%s", aside, diff)
	}
}

// Whatever a report contains, the graph is consistent.
func FuzzOf(f *testing.F) {
	for _, r := range []*mcpsf.Report{fetch(), files(), tracker(), notes(), corpus(f, "shell"), corpus(f, "mail-compose")} {
		data, err := json.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r mcpsf.Report
		if json.Unmarshal(data, &r) != nil {
			return
		}
		g := Of(&r, fetch(), files())
		ids := map[string]bool{Agent: true}
		for _, tool := range g.Tools {
			if ids[tool.ID] {
				t.Errorf("the id %s is there twice", tool.ID)
			}
			ids[tool.ID] = true
			for _, tr := range tool.Traits {
				if len(tr.Evidence) == 0 || rank(tr.Level) == 0 || !slices.Contains(Roles(), tr.Role) {
					t.Errorf("a trait without a reason: %+v", tr)
				}
			}
		}
		for _, e := range g.Edges {
			if !ids[e.From] || !ids[e.To] || (e.From == Agent) != (e.Carries == Out) {
				t.Errorf("an edge from nowhere, or to nowhere: %+v", e)
			}
		}
		if len(g.Flows) == 0 {
			t.Error("two servers that make a flow make none with a third")
		}
		for _, flow := range g.Flows {
			for _, leg := range flow.Legs {
				if len(leg.Tools) == 0 {
					t.Errorf("nothing has the role %s in %+v", leg.Role, flow)
				}
			}
		}
	})
}
