package page

import (
	"net/http"
	"net/url"
	"path"
	"strings"
)

type signInView struct {
	// Next is the page to show afterwards.
	Next, Problem string
}

func (p *pages) showSignIn(v *visit) error {
	next := local(v.r.URL.Query().Get("next"))
	if v.key != nil {
		p.redirect(v, next)
		return nil
	}
	return p.show(v, http.StatusOK, frame{Title: "Sign in", Body: signInView{Next: next}}, "signin")
}

func (p *pages) signIn(v *visit) error {
	fields, err := p.api.ReadForm(v.w, v.r)
	if err != nil {
		return err
	}
	next := local(fields.Get("next"))
	if _, err := p.api.Sessions.SignIn(v.w, v.r, fields.Get("key")); err != nil {
		status, detail := p.api.Errors.Describe(v.r, err)
		v.key = nil
		return p.show(v, status, frame{Title: "Sign in", Body: signInView{next, sentence(detail)}}, "signin")
	}
	p.redirect(v, next)
	return nil
}

func (p *pages) signOut(v *visit) error {
	p.api.Sessions.SignOut(v.w, v.r)
	p.redirect(v, "/sign-in")
	return nil
}

// local is a path of this service to redirect to. Anything else becomes "/",
// which prevents open redirects.
func local(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || u.Opaque != "" || !strings.HasPrefix(u.Path, "/") ||
		path.Clean(u.EscapedPath()) != u.EscapedPath() || strings.ContainsAny(next, "\\\r\n\t") || u.Path == "/sign-in" {
		return "/"
	}
	return (&url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}).String()
}
