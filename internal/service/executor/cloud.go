// Package executor has assessments done elsewhere: by a service that is spoken
// to over its API. What comes back is checked like anything that strangers
// send.
package executor

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// maxAnswer is how long an answer may be that is no file.
const maxAnswer = 4 << 20

// Cloud is a service.
type Cloud struct {
	base   *url.URL
	key    string
	client *http.Client
	// pause is how long is waited before something is tried again.
	pause time.Duration
}

// NewCloud returns a client of the service at an address.
func NewCloud(address, key string) (*Cloud, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "MCPSF_API_URL is the address of a service, such as https://mcpsf.example"}
	}
	if key == "" {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "the service at " + u.Host + " wants a key; put one in MCPSF_API_KEY (mcpsf serve keys add makes one)"}
	}
	return &Cloud{base: u, key: key, client: &http.Client{CheckRedirect: stay}, pause: time.Second}, nil
}

// stay follows redirects within the service only: elsewhere the key is nobody's
// business.
func stay(req *http.Request, via []*http.Request) error {
	if len(via) > 3 || req.URL.Host != via[0].URL.Host || req.URL.Scheme != via[0].URL.Scheme {
		return errors.New("the service sends us elsewhere")
	}
	return nil
}

// Submitted is the answer to a request.
type Submitted struct {
	ID     string    `json:"job_id"`
	State  job.State `json:"state"`
	Shared bool      `json:"shared"`
	Links  struct {
		Page string `json:"page"`
	} `json:"links"`
}

// Submit asks for an assessment. With an archive its bytes go along. What
// breaks off on the way is asked again; it is one job all the same.
func (c *Cloud) Submit(ctx context.Context, r *job.Request, force bool, archive *Archive) (*Submitted, error) {
	text, err := json.Marshal(struct {
		*job.Request
		Force bool `json:"force,omitempty"`
	}{r, force})
	if err != nil {
		return nil, err
	}
	name := rand.Text()
	var out Submitted
	err = c.retrying(ctx, func() error {
		body, kind, err := requestBody(text, archive)
		if err != nil {
			return err
		}
		defer body.Close()
		req, err := c.request(ctx, http.MethodPost, "/api/v1/assess", body)
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", kind)
		req.Header.Set("Idempotency-Key", name)
		return c.answer(req, &out)
	})
	return &out, err
}

// Archive is what is assessed elsewhere. It is opened anew for each try.
type Archive struct {
	Name string
	Size int64
	Open func() (io.ReadCloser, error)
}

// requestBody is JSON, or a form with the archive in it.
func requestBody(text []byte, archive *Archive) (io.ReadCloser, string, error) {
	if archive == nil {
		return io.NopCloser(bytes.NewReader(text)), "application/json", nil
	}
	file, err := archive.Open()
	if err != nil {
		return nil, "", err
	}
	r, w := io.Pipe()
	form := multipart.NewWriter(w)
	go func() {
		defer file.Close()
		w.CloseWithError(writeForm(form, text, archive.Name, file))
	}()
	return r, form.FormDataContentType(), nil
}

func writeForm(form *multipart.Writer, text []byte, name string, file io.Reader) error {
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="request"`}, "Content-Type": {"application/json"},
	})
	if err != nil {
		return err
	}
	if _, err := part.Write(text); err != nil {
		return err
	}
	if part, err = form.CreateFormFile("archive", name); err != nil {
		return err
	}
	if _, err := io.Copy(part, file); err != nil {
		return err
	}
	return form.Close()
}

// Job asks what has become of a job.
func (c *Cloud) Job(ctx context.Context, id string) (*job.Job, error) {
	var j job.Job
	err := c.retrying(ctx, func() error {
		req, err := c.request(ctx, http.MethodGet, "/api/v1/jobs/"+url.PathEscape(id), nil)
		if err != nil {
			return err
		}
		return c.answer(req, &j)
	})
	return &j, err
}

// Cancel ends a job.
func (c *Cloud) Cancel(ctx context.Context, id string) error {
	req, err := c.request(ctx, http.MethodDelete, "/api/v1/jobs/"+url.PathEscape(id), nil)
	if err != nil {
		return err
	}
	return c.answer(req, nil)
}

func (c *Cloud) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	u := *c.base
	raw := strings.TrimSuffix(u.EscapedPath(), "/") + path
	decoded, err := url.PathUnescape(raw)
	if err != nil {
		return nil, err
	}
	u.Path, u.RawPath = decoded, raw
	req, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("User-Agent", "mcpsf")
	return req, nil
}

// refusal is an answer that says no.
type refusal struct {
	status int
	after  time.Duration
	err    error
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// answer makes a request and reads JSON.
func (c *Cloud) answer(req *http.Request, into any) error {
	resp, err := c.client.Do(req)
	if err != nil {
		return fmt.Errorf("the service cannot be reached: %w", err)
	}
	defer resp.Body.Close()
	if err := c.refused(resp); err != nil {
		return err
	}
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(into); err != nil {
		return fmt.Errorf("the service answers what makes no sense: %w", err)
	}
	return nil
}

// refused turns an answer that is no success into what it says.
func (c *Cloud) refused(resp *http.Response) error {
	if resp.StatusCode < 300 {
		return nil
	}
	var problem struct {
		Title  string `json:"title"`
		Detail string `json:"detail"`
	}
	_ = json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&problem)
	text := problem.Detail
	if text == "" {
		text = problem.Title
	}
	if text == "" {
		text = resp.Status
	}
	r := &refusal{status: resp.StatusCode}
	if wait, err := time.ParseDuration(resp.Header.Get("Retry-After") + "s"); err == nil && wait > 0 {
		r.after = min(wait, time.Minute)
	}
	code := mcpsf.CodeUnavailable
	if resp.StatusCode < 500 && resp.StatusCode != http.StatusTooManyRequests {
		code = mcpsf.CodeUsage
	}
	r.err = &mcpsf.Error{Code: code, Message: "the service at " + c.base.Host + " says: " + text}
	if resp.StatusCode == http.StatusUnauthorized {
		r.err = &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "the service at " + c.base.Host + " does not know the key in MCPSF_API_KEY"}
	}
	return r
}

// retrying tries again what failed on the way, or because the service is busy.
func (c *Cloud) retrying(ctx context.Context, f func() error) error {
	// A service that says that it is in trouble is there, and worth more.
	const tries, more = 6, 8
	for i := 1; ; i++ {
		err := f()
		r, refused := errors.AsType[*refusal](err)
		if err == nil || ctx.Err() != nil || i >= tries && !refused || i == more {
			return err
		}
		wait := c.pause << (i - 1)
		if refused {
			if r.status < 500 && r.status != http.StatusTooManyRequests {
				return err
			}
			wait = max(wait, r.after)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(min(wait, time.Minute)):
		}
	}
}
