package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/server"
)

//go:embed templates/*.html
var templates embed.FS

// policy lets a page use what is ours and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// drawings are the templates, by the name of their page.
type drawings map[string]*template.Template

func loadDrawings() (drawings, error) {
	base, err := template.ParseFS(templates, "templates/frame.html", "templates/parts.html")
	if err != nil {
		return nil, fmt.Errorf("reading the pages: %w", err)
	}
	files, err := fs.Glob(templates, "templates/*.html")
	if err != nil {
		return nil, err
	}
	all := drawings{}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")
		if name == "frame" || name == "parts" {
			continue
		}
		one, err := base.Clone()
		if err == nil {
			one, err = one.ParseFS(templates, file)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the page %s: %w", name, err)
		}
		all[name] = one
	}
	return all, nil
}

// frame is what stands around every page.
type frame struct {
	Title string
	// Here is the page in the navigation.
	Here string
	Body any
	// Refresh has browsers without a script look again, after so many seconds.
	Refresh int

	// The rest is filled in.
	Style, Script string
	User          *user
}

// user is who has signed in.
type user struct {
	Name, Project, Role string
	Submits, Admin      bool
}

// show writes a page.
func (p *pages) show(v *visit, status int, f frame, name string) error {
	f.Style, f.Script = p.assets.address("style.css"), p.assets.address("script.js")
	if k := v.key; k != nil {
		f.User = &user{
			Name: line(k.Name, maxName), Project: line(k.Project, maxName), Role: line(string(k.Role), maxName),
			Submits: server.May(k.Role, job.Submitter), Admin: server.May(k.Role, job.Admin),
		}
	}
	var text bytes.Buffer
	if err := p.drawn[name].ExecuteTemplate(&text, "frame", f); err != nil {
		return fmt.Errorf("drawing the page %s: %w", name, err)
	}
	h := v.w.Header()
	h.Set("Content-Security-Policy", policy)
	// With no-referrer browsers hide where a form came from, and it would be
	// taken for one of another site.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(text.Len()))
	v.w.WriteHeader(status)
	if v.r.Method == http.MethodHead {
		return nil
	}
	_, _ = v.w.Write(text.Bytes()) // who has gone is no failure
	return nil
}
