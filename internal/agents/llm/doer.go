package llm

import (
	"bufio"
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// doer sends one request for an SDK. The SDK gets back a bounded and
// well-formed stream of events; everything else is an [*Error].
type doer struct {
	client      *http.Client
	limits      limits
	first, idle time.Duration
	key         string // removed from messages
	now         func() time.Time
	reading     reading
}

// Do implements the interfaces of both SDKs.
func (d *doer) Do(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	watch := time.AfterFunc(d.first, func() {
		cancel(failf(KindTimeout, "the model did not answer within %s", d.first))
	})
	r = r.Clone(ctx)
	for name := range r.Header {
		// The SDK's headers describe this machine.
		if strings.HasPrefix(name, "X-Stainless-") {
			r.Header.Del(name)
		}
	}
	r.Header.Set("User-Agent", "mcpsf")
	resp, err := d.client.Do(r) //nolint:gosec // the address is the one that the user named
	if err != nil {
		watch.Stop()
		defer cancel(nil)
		return nil, unreachable(ctx, err)
	}
	body := &patient{body: resp.Body, ctx: ctx, cancel: cancel, watch: watch, idle: d.idle}
	if err := d.open(resp, body); err != nil {
		_ = body.Close()
		return nil, err
	}
	return resp, nil
}

// open decides what an answer is by its first bytes, because servers send wrong
// content types.
func (d *doer) open(resp *http.Response, body *patient) error {
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return failf(KindRefused, "it redirects (%d) to %q, and keys are not taken elsewhere; give that address with --llm-url if it is right",
			resp.StatusCode, clean(resp.Header.Get("Location")))
	case resp.StatusCode < 200 || resp.StatusCode >= 300:
		return d.failure(resp, body)
	}
	in := bufio.NewReader(body)
	for blank := 0; ; blank++ {
		c, err := in.Peek(1)
		switch {
		case errors.Is(err, io.EOF):
			return failf(KindConnection, "it answered nothing")
		case err != nil:
			return err
		case bytes.ContainsAny(c, " \t\r\n") && blank < d.limits.event:
			_, _ = in.Discard(1)
			continue
		}
		resp.Body = newEvents(d, in, body, c[0] == '{' && d.reading.whole != nil)
		return d.plausible(c[0], in, resp)
	}
}

// plausible rejects HTML pages of proxies, portals and wrong addresses.
func (d *doer) plausible(c byte, in *bufio.Reader, resp *http.Response) error {
	if c == ':' || c == '{' {
		return nil
	}
	head, _ := in.Peek(min(in.Buffered(), 200))
	for _, field := range []string{"data", "event", "id", "retry", "\ufeff"} {
		n := min(len(head), len(field))
		if string(head[:n]) == field[:n] {
			return nil
		}
	}
	return failf(KindReply, "it answered with %s that is no reply of a model, beginning %q; is the address right?",
		clean(resp.Header.Get("Content-Type")), clean(string(head[:min(len(head), 60)])))
}

// unreachable says why there was no answer.
func unreachable(ctx context.Context, err error) error {
	if e := asError(context.Cause(ctx)); e != nil {
		return e
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	e := failf(KindConnection, "it cannot be reached: %s", clean(innermost(err)))
	name, dns := errors.AsType[*net.DNSError](err)
	_, certificate := errors.AsType[*x509.CertificateInvalidError](err)
	_, authority := errors.AsType[x509.UnknownAuthorityError](err)
	_, other := errors.AsType[x509.HostnameError](err)
	e.final = dns && name.IsNotFound || certificate || authority || other
	if errors.Is(err, syscall.ECONNREFUSED) {
		e.Message += "; is the server running?"
	}
	return e
}

// innermost is an error without the address, which the model's name already
// has.
func innermost(err error) string {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err.Error()
	}
	return err.Error()
}

// patient is a body that fails if its sender pauses for too long.
type patient struct {
	body   io.ReadCloser
	ctx    context.Context //nolint:containedctx // its cause says why reading failed
	cancel context.CancelCauseFunc
	watch  *time.Timer
	idle   time.Duration
}

func (p *patient) Read(b []byte) (int, error) {
	n, err := p.body.Read(b)
	if n > 0 && p.watch.Stop() {
		p.watch = time.AfterFunc(p.idle, func() {
			p.cancel(failf(KindTimeout, "the model fell silent for %s in the middle of its reply", p.idle))
		})
	}
	if err != nil && !errors.Is(err, io.EOF) {
		if cause := context.Cause(p.ctx); cause != nil {
			return n, cause
		}
		return n, failf(KindConnection, "it broke off: %s", clean(err.Error()))
	}
	return n, err
}

func (p *patient) Close() error {
	p.watch.Stop()
	defer p.cancel(nil)
	return p.body.Close()
}
