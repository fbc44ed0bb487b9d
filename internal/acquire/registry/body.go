package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

var (
	errStalled = errors.New("the registry stopped sending")
	errTrickle = errors.New("the registry sends too slowly")
	errTooBig  = errors.New("the registry sends too much")
)

// Download writes the body to w, at most limit bytes. progress, which may be
// nil, gets the number of bytes so far and in total, -1 if unknown. A status
// other than 200 and a body that is shorter than announced are errors as of
// [Explain].
func (c *Client) Download(ctx context.Context, r *Request, w io.Writer, limit int64, progress func(done, total int64)) error {
	plain := *r
	plain.Header = r.Header.Clone()
	if plain.Header == nil {
		plain.Header = http.Header{}
	}
	// Request the bytes as published, so that a compressed file is not
	// decompressed and its length is known.
	plain.Header.Set("Accept-Encoding", "identity")
	resp, err := c.get(ctx, &plain)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.ContentLength > limit {
		return r.explain(0, tooBig(limit))
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	progress(0, resp.ContentLength)
	return r.copy(ctx, w, resp, limit, progress)
}

// copy distinguishes errors of the registry from those of the writer.
func (r *Request) copy(ctx context.Context, w io.Writer, resp *http.Response, limit int64, progress func(done, total int64)) error {
	buf := make([]byte, 64<<10)
	var done int64
	for {
		n, err := resp.Body.Read(buf)
		if done += int64(n); done > limit {
			return r.explain(0, tooBig(limit))
		}
		if _, err := w.Write(buf[:n]); err != nil {
			return fmt.Errorf("keeping a download: %w", err)
		}
		progress(done, resp.ContentLength)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return r.explain(0, err)
		}
	}
}

// JSON reads at most limit bytes, after decompression, and decodes them.
func (c *Client) JSON(ctx context.Context, r *Request, limit int64, v any) error {
	resp, err := c.get(ctx, r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body := &limited{r: resp.Body, left: limit, limit: limit}
	d := json.NewDecoder(body)
	err = d.Decode(v)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if body.err == nil || errors.Is(body.err, io.EOF) {
		err = fmt.Errorf("it did not answer with what a registry answers: %w", err)
	}
	return r.explain(0, err)
}

// get is Do for callers that need 200.
func (c *Client) get(ctx context.Context, r *Request) (*http.Response, error) {
	resp, err := c.Do(ctx, r)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, r.explain(0, err)
	}
	if resp.StatusCode != http.StatusOK {
		discard(resp)
		return nil, r.explain(resp.StatusCode, nil)
	}
	return resp, nil
}

func (r *Request) explain(status int, err error) error {
	what := r.What
	if what == "" {
		what = quote(r.URL)
	}
	return Explain(what, r.Registry, status, err)
}

func tooBig(limit int64) error {
	return fmt.Errorf("%w: more than %d MiB", errTooBig, limit>>20)
}

// limited ends with an error, not with EOF, if there is too much.
type limited struct {
	r           io.Reader
	left, limit int64
	err         error // the last error
}

func (l *limited) Read(b []byte) (int, error) {
	if int64(len(b)) > l.left+1 {
		b = b[:l.left+1]
	}
	n, err := l.r.Read(b)
	if l.left -= int64(n); l.left < 0 {
		n, err = 0, tooBig(l.limit)
	}
	l.err = err
	return n, err
}

// pace has the client's timeouts.
type pace struct {
	tries            int
	backoff, longest time.Duration
	// idle is how long a body may pause, and least how many bytes must come in
	// each window of waiting.
	idle, window time.Duration
	least        int64
	// header is how long a registry may take to answer.
	header time.Duration
}

func defaultPace() pace {
	return pace{
		tries: 3, backoff: 300 * time.Millisecond, longest: 5 * time.Second,
		idle: 30 * time.Second, window: time.Minute, least: 16 << 10, header: time.Minute,
	}
}

func (p pace) retryAfter(header string) time.Duration {
	seconds, err := strconv.Atoi(header)
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(min(seconds, 3600))*time.Second, p.longest)
}

// patientBody is a body that fails if it stalls or is too slow. Only the time
// spent waiting for the registry counts, not the reader's own.
type patientBody struct {
	body   io.ReadCloser
	cancel context.CancelCauseFunc
	pace   pace
	spent  time.Duration
	got    int64
}

func newPatientBody(body io.ReadCloser, cancel context.CancelCauseFunc, p pace) *patientBody {
	return &patientBody{body: body, cancel: cancel, pace: p}
}

// Read implements [io.Reader].
func (b *patientBody) Read(p []byte) (int, error) {
	start := time.Now()
	// Cancelling the request ends the read.
	stalled := time.AfterFunc(b.pace.idle, func() { b.cancel(errStalled) })
	n, err := b.body.Read(p)
	if !stalled.Stop() && err != nil && !errors.Is(err, io.EOF) {
		return n, errStalled
	}
	b.got += int64(n)
	if b.spent += time.Since(start); b.spent >= b.pace.window {
		if b.got < b.pace.least && err == nil {
			b.cancel(errTrickle)
			return n, errTrickle
		}
		b.spent, b.got = 0, 0
	}
	return n, err
}

// Close implements [io.Closer].
func (b *patientBody) Close() error {
	err := b.body.Close()
	b.cancel(nil)
	return err
}
