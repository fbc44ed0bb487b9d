package page

import (
	"net/http"
	"net/url"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/server"
)

type historyView struct {
	Text, State, Band, Name string
	States, Bands           []string
	Rows                    []historyRow
	// Next is the URL of the next page, "" on the last; First that of the first
	// page, "" on it.
	Next, First string
	Chosen      bool
}

type historyRow struct {
	card

	Package, PackageHref string
	Findings             int
	Done                 bool
	Took                 string
}

func (p *pages) history(v *visit) error {
	q := url.Values{}
	for name, values := range v.r.URL.Query() {
		switch name {
		case "state", "band", "q", "name", "before":
			if values[0] != "" {
				q.Set(name, values[0])
			}
		}
	}
	f, err := server.FilterOf(q)
	if err != nil {
		return err
	}
	jobs, err := p.Store.Jobs(v.r.Context(), v.key.Project, f)
	if err != nil {
		return err
	}
	view := historyView{Text: f.Text, State: string(f.State), Band: string(f.Band), Name: line(f.Name, maxName), Chosen: len(q) > 0}
	for _, s := range job.States() {
		view.States = append(view.States, string(s))
	}
	for _, b := range mcpsf.Bands() {
		view.Bands = append(view.Bands, string(b))
	}
	for i := range jobs {
		view.Rows = append(view.Rows, historyRowOf(&jobs[i]))
	}
	if q.Has("before") {
		q.Del("before")
		view.First = address("/history", q)
	}
	if len(jobs) == f.Limit {
		q.Set("before", jobs[len(jobs)-1].ID)
		view.Next = address("/history", q)
	}
	return p.show(v, http.StatusOK, frame{Title: "History", Here: "history", Body: view}, "history")
}

func address(path string, q url.Values) string {
	return (&url.URL{Path: path, RawQuery: q.Encode()}).String()
}

func historyRowOf(j *job.Job) historyRow {
	r := historyRow{card: cardOf(j), Done: j.State == job.Done, Took: took(j)}
	if res := j.Result; res != nil {
		r.Package, r.PackageHref, r.Findings = line(res.Name+" "+res.Version, maxName), packageAddress(res.Name), res.Findings
	}
	return r
}
