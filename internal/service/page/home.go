package page

import (
	"net/http"
	"net/url"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/server"
)

type homeView struct {
	Form    *formView
	Submits bool
	Project string
	Queue   *queueView
}

func (p *pages) home(v *visit) error {
	var form *formView
	switch id := v.r.URL.Query().Get("again"); id {
	case "":
		form = filled(url.Values{"source": {v.r.URL.Query().Get("source")}})
	default:
		j, err := p.api.Jobs.Get(v.r.Context(), v.key, id)
		if err != nil {
			return err
		}
		form = again(j)
	}
	return p.showHome(v, http.StatusOK, form)
}

func (p *pages) showHome(v *visit, status int, form *formView) error {
	queue, err := p.queues.of(v.r.Context(), v.key.Project)
	if err != nil {
		return err
	}
	view := homeView{Form: form, Submits: server.May(v.key.Role, job.Submitter), Project: line(v.key.Project, maxName), Queue: queue}
	return p.show(v, status, frame{Title: "Assess", Here: "home", Body: view, Refresh: 10}, "home")
}

// submit queues the request in the form, and shows the run. A refused form is
// shown again as it was filled in.
func (p *pages) submit(v *visit) error {
	fields := url.Values{}
	j, err := p.api.Submissions.SubmitForm(v.w, v.r, v.key, fields, func() (*job.Request, bool, error) {
		form := filled(fields)
		r, err := form.request()
		return r, form.Force, err
	})
	if err != nil {
		status, detail := p.api.Errors.Describe(v.r, err)
		form := filled(fields)
		form.Problem = sentence(detail)
		return p.showHome(v, status, form)
	}
	p.redirect(v, "/runs/"+j.ID)
	return nil
}
