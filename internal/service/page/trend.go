package page

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/server"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

type trendView struct {
	Name string
	Rows []historyRow
	Plot plot
	// All is the history of the package.
	All string
	// Cut is set if there are older runs than shown.
	Cut bool
}

// plot draws scores over runs, oldest on the left. It is stretched to the width of
// the page, so it has no text.
type plot struct {
	Width  int
	Points []dot
	// Line joins the scores.
	Line string
	// Labels is set if there is room for versions below.
	Labels bool
}

type dot struct {
	X, Y         int
	Level, Title string
	Version      string
}

// step is the distance between runs in the plot, maxTrend how many are shown.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const step, maxTrend = 40, 100

func (p *pages) trend(v *visit) error {
	name := v.r.PathValue("name")
	f, err := server.FilterOf(url.Values{"name": {name}, "state": {string(job.Done)}, "limit": {"100"}})
	if err != nil {
		return err
	}
	jobs, err := p.Store.Jobs(v.r.Context(), v.key.Project, f)
	if err != nil {
		return err
	}
	if name == "" || len(jobs) == 0 {
		return store.ErrNotFound
	}
	view := trendView{Name: line(name, maxName), All: address("/history", url.Values{"name": {name}}), Cut: len(jobs) == maxTrend, Plot: draw(jobs)}
	for i := range jobs {
		row := historyRowOf(&jobs[i])
		row.Package = cmp.Or(line(jobs[i].Result.Version, maxName), "no version")
		view.Rows = append(view.Rows, row)
	}
	return p.show(v, http.StatusOK, frame{Title: view.Name, Here: "history", Body: view}, "trend")
}

// draw places runs, which come newest first. An inconclusive one has no score.
func draw(jobs []job.Job) plot {
	d := plot{Width: len(jobs) * step, Labels: len(jobs) <= 10}
	for _, j := range slices.Backward(jobs) {
		r := j.Result
		one := dot{
			X: len(d.Points)*step + step/2, Y: 100 - min(max(r.Score, 0), 100), Level: level(r.Band),
			Title: line(r.Version+": "+string(r.Band), maxName), Version: line(r.Version, 24),
		}
		if r.Band == mcpsf.BandInconclusive {
			one.Y = 100
		} else {
			d.Line += map[bool]string{true: "M", false: "L"}[d.Line == ""] + strconv.Itoa(one.X) + " " + strconv.Itoa(one.Y)
		}
		d.Points = append(d.Points, one)
	}
	return d
}
