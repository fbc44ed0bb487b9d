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
var templateFiles embed.FS

// policy is the Content-Security-Policy of pages: our own assets and nothing
// else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// renderer writes pages.
type renderer struct {
	templates pageTemplates
	assets    assets
}

func newRenderer() (*renderer, error) {
	assets, err := loadAssets()
	if err != nil {
		return nil, err
	}
	templates, err := loadTemplates()
	if err != nil {
		return nil, err
	}
	return &renderer{templates: templates, assets: assets}, nil
}

// pageTemplates are the templates, by the name of their page.
type pageTemplates map[string]*template.Template

func loadTemplates() (pageTemplates, error) {
	base, err := template.ParseFS(templateFiles, "templates/frame.html", "templates/parts.html")
	if err != nil {
		return nil, fmt.Errorf("reading the templates: %w", err)
	}
	files, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		return nil, err
	}
	all := pageTemplates{}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")
		if name == "frame" || name == "parts" {
			continue
		}
		one, err := base.Clone()
		if err == nil {
			one, err = one.ParseFS(templateFiles, file)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the template %s: %w", name, err)
		}
		all[name] = one
	}
	return all, nil
}

// frame is the layout of every page.
type frame struct {
	Title string
	// Here is the page in the navigation.
	Here string
	Body any
	// Refresh makes browsers without scripts reload after so many seconds.
	Refresh int

	// show sets the rest.
	Style, Script string
	User          *user
}

// user is the key of the visitor.
type user struct {
	Name, Project, Role string
	Submits, Admin      bool
}

// show writes a page.
func (rd *renderer) show(v *visit, status int, f frame, name string) error {
	f.Style, f.Script = rd.assets.address("style.css"), rd.assets.address("script.js")
	if k := v.key; k != nil {
		f.User = &user{
			Name: line(k.Name, maxName), Project: line(k.Project, maxName), Role: line(string(k.Role), maxName),
			Submits: server.May(k.Role, job.Submitter), Admin: server.May(k.Role, job.Admin),
		}
	}
	var text bytes.Buffer
	if err := rd.templates[name].ExecuteTemplate(&text, "frame", f); err != nil {
		return fmt.Errorf("rendering the page %s: %w", name, err)
	}
	h := v.w.Header()
	h.Set("Content-Security-Policy", policy)
	// With no-referrer browsers send "Origin: null" with a form, and it would be
	// refused as cross-site.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(text.Len()))
	v.w.WriteHeader(status)
	if v.r.Method == http.MethodHead {
		return nil
	}
	_, _ = v.w.Write(text.Bytes()) // a client that went away is no failure
	return nil
}

type problemView struct{ Heading, Detail string }

// problem shows an error page. It does not repeat the request: a link could
// place any text on our page.
func (rd *renderer) problem(v *visit, status int, detail string) error {
	heading := http.StatusText(status)
	if status == http.StatusInternalServerError {
		heading = "Internal error"
	}
	return rd.show(v, status, frame{Title: heading, Body: problemView{heading, detail}}, "problem")
}
