package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// keyText is how a key is written: its id and its secret.
var keyText = regexp.MustCompile(`^mcpsf_([a-z0-9]{12})_([a-z2-7]{52})$`)

func unknownKey() *problem {
	return refuse(http.StatusUnauthorized, "unauthorized", "this key is not known; it may have been revoked")
}

// bearer is the key that a request shows in its header. What else may stand
// there is for others: a proxy before us may want a password of its own.
func bearer(r *http.Request) (text string, ok bool) {
	scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(text), strings.EqualFold(scheme, "Bearer")
}

// who tells whose request it is: by the key in its header, which alone counts if
// there is one, or by the session of a browser.
func (s *Server) who(r *http.Request) (*job.Key, error) {
	if text, ok := bearer(r); ok {
		return s.check(r, text)
	}
	if cookie, err := r.Cookie(sessionName); err == nil {
		return s.session(r.Context(), cookie.Value)
	}
	return nil, refuse(http.StatusUnauthorized, "unauthorized", "send a key: Authorization: Bearer mcpsf_…")
}

// check finds the key that a text is. Whoever shows wrong ones has to wait,
// before anything is looked up; but not those whose key was right before, or
// one who guesses would lock out all behind the same address.
func (s *Server) check(r *http.Request, text string) (*job.Key, error) {
	from := s.clientOf(r)
	if wait := s.failures.left(from, s.o.Now()); wait > 0 && !s.known.has(text) {
		return nil, later(http.StatusTooManyRequests, "too-many-sign-ins", wait, "too many wrong keys came from this address; wait a minute")
	}
	k, err := s.find(r.Context(), text)
	if errors.Is(err, store.ErrNotFound) {
		s.known.remove(text)
		s.failures.take(from, s.o.Now())
		s.o.Logger.InfoContext(r.Context(), "a wrong key was shown", slog.String("client", from))
		return nil, unknownKey()
	}
	if err != nil {
		return nil, err
	}
	s.known.add(text)
	s.used(r.Context(), k)
	return k, nil
}

// find returns the key, or [store.ErrNotFound] for whatever is wrong with it.
func (s *Server) find(ctx context.Context, text string) (*job.Key, error) {
	parts := keyText.FindStringSubmatch(text)
	if parts == nil {
		return nil, store.ErrNotFound
	}
	k, hash, err := s.o.Store.Key(ctx, parts[1])
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(parts[2]))
	if subtle.ConstantTimeCompare(sum[:], hash) != 1 {
		return nil, store.ErrNotFound
	}
	return k, nil
}

// used notes that a key was, each minute: a write for every request would make
// all wait for each other.
func (s *Server) used(ctx context.Context, k *job.Key) {
	if k.Used != nil && s.o.Now().Sub(*k.Used) < time.Minute {
		return
	}
	if err := s.o.Store.UsedKey(ctx, k.ID); err != nil && ctx.Err() == nil {
		s.o.Logger.WarnContext(ctx, "cannot note that a key was used", slog.Any("error", err))
	}
}

// clientOf tells clients apart by their address. In IPv6 a client has a whole
// network of them.
func (s *Server) clientOf(r *http.Request) string {
	addr, ok := s.o.Proxies.client(r)
	if !ok {
		return r.RemoteAddr
	}
	if addr.Is4() {
		return addr.String()
	}
	return netip.PrefixFrom(addr, 64).Masked().String()
}
