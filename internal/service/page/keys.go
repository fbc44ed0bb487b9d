package page

import (
	"net/http"
	"strings"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

type keysView struct {
	Rows  []keyView
	Roles []string
	// Made is a new key, shown once; MadeName is its name.
	Made, MadeName string
	// Name and Role are what was filled in if there is a Problem.
	Problem, Name, Role string
}

type keyView struct {
	ID, Name, Role         string
	Created, Used, Revoked *moment
	// Own is the key of this session.
	Own bool
}

func (p *pages) keys(v *visit) error {
	return p.showKeys(v, http.StatusOK, &keysView{Role: string(job.Submitter)})
}

func (p *pages) showKeys(v *visit, status int, view *keysView) error {
	keys, err := p.Store.Keys(v.r.Context(), v.key.Project)
	if err != nil {
		return err
	}
	for i := range keys {
		k := &keys[i]
		view.Rows = append(view.Rows, keyView{
			ID: k.ID, Name: line(k.Name, maxName), Role: line(string(k.Role), 40),
			Created: at(&k.Created), Used: at(k.Used), Revoked: at(k.Revoked), Own: k.ID == v.key.ID,
		})
	}
	for _, r := range job.Roles() {
		view.Roles = append(view.Roles, string(r))
	}
	return p.show(v, status, frame{Title: "Keys", Here: "keys", Body: view}, "keys")
}

// addKey creates a key. The answer is the only page that ever shows it.
func (p *pages) addKey(v *visit) error {
	fields, err := p.api.ReadForm(v.w, v.r)
	if err != nil {
		return err
	}
	view := &keysView{Name: strings.TrimSpace(fields.Get("name")), Role: fields.Get("role")}
	made, text, err := p.api.Keys.Create(v.r.Context(), v.key, view.Name, job.Role(view.Role))
	if err != nil {
		status, detail := p.api.Errors.Describe(v.r, err)
		view.Problem = sentence(detail)
		return p.showKeys(v, status, view)
	}
	return p.showKeys(v, http.StatusCreated, &keysView{Made: text, MadeName: line(made.Name, maxName), Role: string(job.Submitter)})
}

func (p *pages) revokeKey(v *visit) error {
	if err := p.api.Keys.Revoke(v.r.Context(), v.key, v.r.PathValue("id")); err != nil {
		return err
	}
	p.redirect(v, "/keys")
	return nil
}
