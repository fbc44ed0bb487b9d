package judge

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/judge/verdict"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Apply evaluates the rules on the events and sets findings, accesses and verdict.
func Apply(r *mcpsf.Report, events []mcpsf.Event, set *rules.Set) error {
	judged, err := set.Evaluate(events, r.Facts, scopeOf(r))
	if err != nil {
		return fmt.Errorf("applying the rules: %w", err)
	}
	said := opinions(r)
	r.Findings, r.Accesses = judged.Findings, judged.Accesses
	for i := range r.Findings {
		r.Findings[i].Opinion = said[same(&r.Findings[i])]
	}
	r.Coverage.Gaps = append(slices.DeleteFunc(slices.Clone(r.Coverage.Gaps), rules.IsNote), judged.Notes...)
	waiveAgain(r)
	Conclude(r)
	return nil
}

// opinions returns what a model said about findings. The model is not asked
// again, because the findings are the same.
func opinions(r *mcpsf.Report) map[identity]*mcpsf.Opinion {
	said := make(map[identity]*mcpsf.Opinion)
	for i := range r.Findings {
		said[same(&r.Findings[i])] = r.Findings[i].Opinion
	}
	for i := range r.Waived {
		said[same(&r.Waived[i].Finding)] = r.Waived[i].Finding.Opinion
	}
	return said
}

// identity identifies a finding across judgements.
type identity struct{ id, fingerprint string }

func same(f *mcpsf.Finding) identity { return identity{f.ID, f.Fingerprint} }

// waiveAgain keeps the user's waivers of findings that still exist.
func waiveAgain(r *mcpsf.Report) {
	before := r.Waived
	r.Waived = nil
	for _, w := range before {
		i := slices.IndexFunc(r.Findings, func(f mcpsf.Finding) bool {
			return same(&f) == same(&w.Finding)
		})
		if i < 0 {
			continue
		}
		w.Finding = r.Findings[i]
		r.Waived = append(r.Waived, w)
		r.Findings = slices.Delete(r.Findings, i, i+1)
	}
}

// Conclude sets the verdict from the findings in the report.
func Conclude(r *mcpsf.Report) {
	r.Verdict = verdict.Judge(r.Findings, r.Coverage, r.Session)
	if n := len(r.Waived); n > 0 {
		r.Verdict.Reasons = append(r.Verdict.Reasons, wording.Count(n, "finding")+" left out of the count: waived")
	}
	r.Summary = summary.Of(r)
	r.Recommendations = summary.Recommendations(r)
}

// scopeOf returns what can explain an access.
func scopeOf(r *mcpsf.Report) rules.Scope {
	d := &r.Declared
	scope := rules.Scope{
		Home: mcpsf.Home, WorkDir: mcpsf.WorkDir, Start: r.Artifact.WorkDir,
		Command: d.Command, Env: d.Env, Name: d.Name, Description: r.Artifact.Description, Hosts: d.Hosts, Variables: d.Variables,
		Tools: make(map[string]mcpsf.Tool, len(r.Session.Tools)+len(d.Inputs)),
	}
	if r.Installation != nil {
		scope.Packages = r.Installation.Packages
	}
	for _, list := range [][]mcpsf.Tool{r.Session.Tools, d.Inputs} {
		for _, tool := range list {
			add(scope.Tools, tool)
		}
	}
	return scope
}

// add adds a tool. A second definition of a name gets a name of its own: what the
// user was shown first is what explains an access.
func add(tools map[string]mcpsf.Tool, tool mcpsf.Tool) {
	name := tool.Name
	for n := 2; ; n++ {
		other, taken := tools[name]
		if !taken || bytes.Equal(other.InputSchema, tool.InputSchema) && other.Description == tool.Description {
			break
		}
		name = fmt.Sprintf("%s (%d)", tool.Name, n)
	}
	tools[name] = tool
}

// Trace shows how one rule judges a stored run, with at most that many events
// for each of its conditions.
func Trace(r *mcpsf.Report, events []mcpsf.Event, set *rules.Set, id string, most int) (*rules.Trace, error) {
	t, err := set.Trace(id, events, r.Facts, scopeOf(r), most)
	if err != nil && t != nil {
		return nil, fmt.Errorf("applying the rule: %w", err)
	}
	return t, err
}
