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
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// no gap: bounds requests to the service and what its pages show, not what a run sees
const (
	sessionCookie   = "mcpsf_session"
	sessionDuration = 12 * time.Hour
	// sessionPurpose separates signatures of sessions from those of anything
	// else that is signed with the same secret.
	sessionPurpose = "session"
	// maxSession is longer than any cookie of ours, in bytes.
	maxSession = 256
)

// Sessions are those of browsers: a signed cookie that names a key.
type Sessions struct {
	keys    *keyChecker
	secret  *secretbox.Key
	hosts   hostSet
	https   bool
	proxies Proxies
	now     func() time.Time
}

// SignIn begins a session for a valid key: it sets the cookie. Wrong keys are
// counted. The error is one line for the user.
func (s *Sessions) SignIn(w http.ResponseWriter, r *http.Request, text string) (*job.Key, error) {
	k, err := s.keys.check(r, strings.TrimSpace(text))
	if err != nil {
		return nil, problemOf(err)
	}
	s.setCookie(w, r, s.token(k.ID, s.now().Add(sessionDuration)), int(sessionDuration/time.Second))
	return k, nil
}

// SignOut ends the session of a browser.
func (s *Sessions) SignOut(w http.ResponseWriter, r *http.Request) { s.setCookie(w, r, "", -1) }

func (s *Sessions) setCookie(w http.ResponseWriter, r *http.Request, value string, age int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // a service on the machine itself has no TLS
		Name: sessionCookie, Value: value, Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: s.overTLS(r),
	})
}

// overTLS tells whether the browser uses TLS: with us, or with a proxy, which
// shows in the host name or in the proxy's X-Forwarded-Proto.
func (s *Sessions) overTLS(r *http.Request) bool {
	return r.TLS != nil || s.https && s.hosts[hostOf(r.Host)] || s.proxies.https(r)
}

// token is the cookie's value: the id of a key, the time it expires, and our
// signature. The key itself is read from the store for each request, so
// revoking a key ends its sessions.
func (s *Sessions) token(id string, expires time.Time) string {
	text := id + "." + strconv.FormatInt(expires.Unix(), 10)
	return text + "." + base64.RawURLEncoding.EncodeToString(s.secret.Sign(sessionPurpose, []byte(text)))
}

// verify returns the key of a session.
func (s *Sessions) verify(ctx context.Context, token string) (*job.Key, error) {
	expired := refuse(http.StatusUnauthorized, "unauthorized", "session expired; sign in again")
	at := strings.LastIndexByte(token, '.')
	if at < 0 || len(token) > maxSession {
		return nil, expired
	}
	text := token[:at]
	signature, err := base64.RawURLEncoding.DecodeString(token[at+1:])
	if err != nil || !hmac.Equal(signature, s.secret.Sign(sessionPurpose, []byte(text))) {
		return nil, expired
	}
	id, until, _ := strings.Cut(text, ".")
	if seconds, err := strconv.ParseInt(until, 10, 64); err != nil || !s.now().Before(time.Unix(seconds, 0)) {
		return nil, expired
	}
	k, err := s.keys.byID(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, expired
	}
	return k, err
}
