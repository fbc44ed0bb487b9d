package server

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

const (
	sessionName = "mcpsf_session"
	sessionTime = 12 * time.Hour
)

// SignIn begins a session of a browser whose user has shown a key: the cookie is
// set. Wrong keys are counted. The error is in one line, for the user.
func (s *Server) SignIn(w http.ResponseWriter, r *http.Request, text string) (*job.Key, error) {
	k, err := s.check(r, strings.TrimSpace(text))
	if err != nil {
		return nil, problemOf(err)
	}
	expires := s.o.Now().Add(sessionTime)
	s.setSession(w, r, s.sessionFor(k.ID, expires), int(sessionTime/time.Second))
	return k, nil
}

// SignOut ends the session of a browser.
func (s *Server) SignOut(w http.ResponseWriter, r *http.Request) { s.setSession(w, r, "", -1) }

func (s *Server) setSession(w http.ResponseWriter, r *http.Request, value string, age int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // a service on the machine itself has no TLS
		Name: sessionName, Value: value, Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: s.isSecure(r),
	})
}

// isSecure tells whether a browser reaches us by TLS: ours, or that of who ends
// it for us, which shows in the name that is asked for or is said by a proxy.
func (s *Server) isSecure(r *http.Request) bool {
	return r.TLS != nil || s.o.HTTPS && s.hosts[hostOf(r.Host)] || s.o.Proxies.https(r)
}

// sessionFor is what the cookie holds: a key's id, until when, and that we said
// so. The key itself is looked up at each request: a revoked one ends its
// sessions.
func (s *Server) sessionFor(id string, expires time.Time) string {
	text := id + "." + strconv.FormatInt(expires.Unix(), 10)
	return text + "." + base64.RawURLEncoding.EncodeToString(s.o.Key.Sign("session", []byte(text)))
}

func (s *Server) session(ctx context.Context, value string) (*job.Key, error) {
	over := refuse(http.StatusUnauthorized, "unauthorized", "the session has ended; sign in again")
	at := strings.LastIndexByte(value, '.')
	if at < 0 || len(value) > 256 {
		return nil, over
	}
	text := value[:at]
	proof, err := base64.RawURLEncoding.DecodeString(value[at+1:])
	if err != nil || !hmac.Equal(proof, s.o.Key.Sign("session", []byte(text))) {
		return nil, over
	}
	id, until, _ := strings.Cut(text, ".")
	if seconds, err := strconv.ParseInt(until, 10, 64); err != nil || !s.o.Now().Before(time.Unix(seconds, 0)) {
		return nil, over
	}
	k, _, err := s.o.Store.Key(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, over
	}
	if err != nil {
		return nil, err
	}
	s.used(ctx, k)
	return k, nil
}
