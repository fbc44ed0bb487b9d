package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// authenticator finds the key that a request belongs to.
type authenticator struct {
	keys     *keyChecker
	sessions *Sessions
}

// authenticate finds the key in the Authorization header, which alone counts if
// there is one, or that of the browser's session.
func (a *authenticator) authenticate(r *http.Request) (*job.Key, error) {
	if text, ok := bearer(r); ok {
		return a.keys.check(r, text)
	}
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		return a.sessions.verify(r.Context(), cookie.Value)
	}
	return nil, refuse(http.StatusUnauthorized, "unauthorized", "API key missing; send the header Authorization: Bearer mcpsf_…")
}

// bearer is the token in the Authorization header. Other schemes are ignored: a
// proxy in front of the service may use basic authentication of its own.
func bearer(r *http.Request) (text string, ok bool) {
	scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(text), strings.EqualFold(scheme, "Bearer")
}

// keyText is how a key is written: its id and its secret.
var keyText = lazyregexp.New(`^mcpsf_([a-z0-9]{12})_([a-z2-7]{52})$`)

func unknownKey() *problem {
	return refuse(http.StatusUnauthorized, "unauthorized", "invalid API key; it may have been revoked")
}

// keyChecker verifies keys that clients send, and slows down guessing.
type keyChecker struct {
	store *store.Store
	// failures counts wrong keys for each client address.
	failures *rateLimits
	// known are keys that were valid before.
	known   *knownKeys
	proxies Proxies
	logger  *slog.Logger
	now     func() time.Time
}

func newKeyChecker(s *store.Store, perMinute int, proxies Proxies, logger *slog.Logger, now func() time.Time) *keyChecker {
	return &keyChecker{store: s, failures: newRateLimits(perMinute), known: newKnownKeys(), proxies: proxies, logger: logger, now: now}
}

// check returns the key for a text. An address that sent too many wrong keys has
// to wait, before the store is asked. Keys that were valid before are excepted:
// otherwise one guessing client could lock out everybody behind the same
// address.
func (c *keyChecker) check(r *http.Request, text string) (*job.Key, error) {
	from := c.proxies.clientName(r)
	if wait := c.failures.wait(from, c.now()); wait > 0 && !c.known.has(text) {
		return nil, retryLater(http.StatusTooManyRequests, "too-many-sign-ins", wait, "too many invalid keys from this address; try again in a minute")
	}
	k, err := c.find(r.Context(), text)
	if errors.Is(err, store.ErrNotFound) {
		c.known.remove(text)
		c.failures.take(from, c.now())
		c.logger.InfoContext(r.Context(), "invalid API key", slog.String("client", from))
		return nil, unknownKey()
	}
	if err != nil {
		return nil, err
	}
	c.known.add(text)
	c.touch(r.Context(), k)
	return k, nil
}

// find returns the key, or [store.ErrNotFound] for whatever is wrong with it.
func (c *keyChecker) find(ctx context.Context, text string) (*job.Key, error) {
	parts := keyText.FindStringSubmatch(text)
	if parts == nil {
		return nil, store.ErrNotFound
	}
	k, hash, err := c.store.Key(ctx, parts[1])
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(parts[2]))
	if subtle.ConstantTimeCompare(sum[:], hash) != 1 {
		return nil, store.ErrNotFound
	}
	return k, nil
}

// byID returns a key that a session belongs to.
func (c *keyChecker) byID(ctx context.Context, id string) (*job.Key, error) {
	k, _, err := c.store.Key(ctx, id)
	if err != nil {
		return nil, err
	}
	c.touch(ctx, k)
	return k, nil
}

// touch records that a key was used, at most once a minute: a write for every
// request would make requests wait for each other.
func (c *keyChecker) touch(ctx context.Context, k *job.Key) {
	if k.Used != nil && c.now().Sub(*k.Used) < time.Minute {
		return
	}
	if err := c.store.UsedKey(ctx, k.ID); err != nil && ctx.Err() == nil {
		c.logger.WarnContext(ctx, "cannot record that a key was used", slog.Any("error", err))
	}
}
