// Package executor runs assessments elsewhere: by a service over its API, or in a
// container of a Docker engine.
//
// In: a request and, for local files, an archive.
//
// Out: the files of a run in a local directory.
//
// Never: trust what comes back. Names, sizes and types of files are checked before
// anything is written.
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
	"github.com/mcpsf/mcpsf/internal/pause"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// maxAnswer bounds answers of the API, in bytes.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxAnswer = 4 << 20

// Cloud is a client of a service.
type Cloud struct {
	base   *url.URL
	key    string
	client *http.Client
	// retry is the first pause before a request is tried again.
	retry time.Duration
}

// NewCloud returns a client of the service at an address.
func NewCloud(address, key string) (*Cloud, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "MCPSF_API_URL must be the URL of a service, such as https://mcpsf.example"}
	}
	if key == "" {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "the service at " + u.Host + " needs a key; set MCPSF_API_KEY (create one with mcpsf serve keys add)"}
	}
	return &Cloud{base: u, key: key, client: &http.Client{CheckRedirect: sameHost}, retry: time.Second}, nil
}

// sameHost follows redirects within the service only: the key must not be sent
// elsewhere.
func sameHost(req *http.Request, via []*http.Request) error {
	if len(via) > 3 || req.URL.Host != via[0].URL.Host || req.URL.Scheme != via[0].URL.Scheme {
		return errors.New("the service redirects to another host")
	}
	return nil
}

// Submitted is the answer to a submission.
type Submitted struct {
	ID     string    `json:"job_id"`
	State  job.State `json:"state"`
	Shared bool      `json:"shared"`
	Links  struct {
		Page string `json:"page"`
	} `json:"links"`
}

// Submit submits a request, with the archive if there is one. A request that fails
// on the way is sent again; the idempotency key makes it one job all the same.
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

// Archive is a file to upload. It is opened again for each try.
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

// Job returns the state of a job.
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

// Cancel cancels a job.
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

// statusError is an answer with an error status.
type statusError struct {
	status int
	after  time.Duration
	err    error
}

func (r *statusError) Error() string { return r.err.Error() }
func (r *statusError) Unwrap() error { return r.err }

// answer sends a request and reads the JSON answer.
func (c *Cloud) answer(req *http.Request, into any) error {
	resp, err := c.client.Do(req)
	if err != nil {
		return fmt.Errorf("cannot reach the service: %w", err)
	}
	defer resp.Body.Close()
	if err := c.checkStatus(resp); err != nil {
		return err
	}
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(into); err != nil {
		return fmt.Errorf("reading the answer of the service: %w", err)
	}
	return nil
}

// checkStatus turns an error status into an error with the detail of the answer.
func (c *Cloud) checkStatus(resp *http.Response) error {
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
	r := &statusError{status: resp.StatusCode}
	if wait, err := time.ParseDuration(resp.Header.Get("Retry-After") + "s"); err == nil && wait > 0 {
		r.after = min(wait, time.Minute)
	}
	code := mcpsf.CodeUnavailable
	if resp.StatusCode < 500 && resp.StatusCode != http.StatusTooManyRequests {
		code = mcpsf.CodeUsage
	}
	r.err = &mcpsf.Error{Code: code, Message: "the service at " + c.base.Host + " says: " + text}
	if resp.StatusCode == http.StatusUnauthorized {
		r.err = &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "the service at " + c.base.Host + " does not accept the key in MCPSF_API_KEY"}
	}
	return r
}

// retrying repeats f after network errors, and while the service is busy.
func (c *Cloud) retrying(ctx context.Context, f func() error) error {
	// A service that answers with an error is alive, and gets more tries.
	const tries, triesAlive = 6, 8
	for i := 1; ; i++ {
		err := f()
		r, refused := errors.AsType[*statusError](err)
		if err == nil || ctx.Err() != nil || i >= tries && !refused || i == triesAlive {
			return err
		}
		wait := c.retry << (i - 1)
		if refused {
			if r.status < 500 && r.status != http.StatusTooManyRequests {
				return err
			}
			wait = max(wait, r.after)
		}
		if pause.For(ctx, min(wait, time.Minute)) != nil {
			return err
		}
	}
}
