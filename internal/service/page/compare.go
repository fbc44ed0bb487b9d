package page

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/compare"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

type compareView struct {
	Old, New sideView
	Caveats  []string
	Groups   []changes
	Same     bool
	Swap     string
}

type sideView struct {
	card

	Package string
}

// changes are the differences of one kind.
type changes struct {
	Heading string
	None    string
	List    []change
	More    int
}

// change is one thing that differs. Sign is new, gone or changed.
type change struct{ Sign, Level, Kind, Name, Text string }

// maxChanges bounds each list; the API returns all.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxChanges = 200

func (p *pages) compare(v *visit) error {
	q := v.r.URL.Query()
	if q.Has("run") {
		return p.choose(v, q["run"])
	}
	var jobs [2]*job.Job
	var reports [2]*mcpsf.Report
	for i, name := range []string{"old", "new"} {
		if q.Get(name) == "" {
			return wrong("select two runs in the history to compare them")
		}
		var err error
		if jobs[i], err = p.api.Jobs.Get(v.r.Context(), v.key, q.Get(name)); err != nil {
			return err
		}
		if reports[i], err = p.api.Reports.Load(v.r.Context(), jobs[i]); err != nil {
			return err
		}
	}
	c := compare.Runs(reports[0], reports[1])
	view := compareView{
		Old: sideOf(jobs[0]), New: sideOf(jobs[1]), Same: c.Empty(),
		Swap:   address("/compare", url.Values{"old": {jobs[1].ID}, "new": {jobs[0].ID}}),
		Groups: []changes{findingChanges(c), accessChanges(c), toolChanges(c), packageChanges(c)},
	}
	for _, s := range c.Caveats {
		view.Caveats = append(view.Caveats, line(s, maxProse))
	}
	for i := range view.Groups {
		if g := &view.Groups[i]; len(g.List) > maxChanges {
			g.More, g.List = len(g.List)-maxChanges, g.List[:maxChanges]
		}
	}
	return p.show(v, http.StatusOK, frame{Title: "Compare", Here: "history", Body: view}, "compare")
}

// choose takes two runs in any order. The older one, which has the smaller id,
// comes first.
func (p *pages) choose(v *visit, runs []string) error {
	if len(runs) != 2 {
		return wrong("select two runs to compare, not %d", len(runs))
	}
	a, errA := p.api.Jobs.Get(v.r.Context(), v.key, runs[0])
	b, errB := p.api.Jobs.Get(v.r.Context(), v.key, runs[1])
	if err := errors.Join(errA, errB); err != nil {
		return err
	}
	p.redirect(v, address("/compare", url.Values{"old": {min(a.ID, b.ID)}, "new": {max(a.ID, b.ID)}}))
	return nil
}

func sideOf(j *job.Job) sideView {
	return sideView{card: cardOf(j), Package: line(strings.TrimSpace(j.Result.Name+" "+j.Result.Version), maxName)}
}

func findingChanges(c *compare.Comparison) changes {
	g := changes{Heading: "Findings", None: "No changes."}
	for _, f := range c.Findings {
		text := string(f.Finding.Grade)
		if f.Was != nil {
			text += fmt.Sprintf(", was %s, %s", f.Was.Severity, f.Was.Grade)
		}
		if f.Waived {
			text += ", waived"
		}
		g.List = append(g.List, change{
			Sign: string(f.State), Level: severity(f.Finding.Severity), Kind: line(f.Finding.ID, maxName),
			Name: line(cmp.Or(f.Finding.Message, f.Finding.Title), maxLine), Text: line(text, maxName),
		})
	}
	return g
}

func accessChanges(c *compare.Comparison) changes {
	g := changes{Heading: "Accesses", None: "No changes."}
	for _, a := range c.Accesses {
		var text []string
		switch {
		case a.Install:
			text = append(text, "during installation")
		case a.Tool != "":
			text = append(text, "for "+a.Tool)
		}
		if a.Planted != "" {
			text = append(text, "decoy ("+a.Planted+")")
		}
		if a.State == compare.New && a.Explanation.By == mcpsf.ByNobody {
			text = append(text, "unexplained")
		}
		g.List = append(g.List, change{Sign: string(a.State), Kind: line(string(a.Kind), 40), Name: line(a.Name, maxLine), Text: line(strings.Join(text, ", "), maxLine)})
	}
	return g
}

func toolChanges(c *compare.Comparison) changes {
	g := changes{Heading: "Tools, prompts and resources", None: "No changes."}
	for _, o := range c.Tools {
		one := change{Sign: string(compare.Changed), Kind: line(o.Of, 40), Name: line(o.Tool, maxLine), Text: line(o.What, maxLine)}
		switch o.What {
		case "is new":
			one.Sign, one.Text = string(compare.New), ""
		case "is gone":
			one.Sign, one.Text = string(compare.Gone), ""
		}
		g.List = append(g.List, one)
	}
	return g
}

func packageChanges(c *compare.Comparison) changes {
	g := changes{Heading: "Dependencies", None: "No changes."}
	for _, p := range c.Packages {
		text := cmp.Or(p.New, p.Old)
		if p.State == compare.Changed {
			text = p.New + ", was " + p.Old
		}
		g.List = append(g.List, change{Sign: string(p.State), Kind: "package", Name: line(p.Name, maxLine), Text: line(text, maxLine)})
	}
	return g
}
