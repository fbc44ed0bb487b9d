package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// What pages need beside the routes: the same code, answered otherwise.

// maxFields is how many fields a form may have.
const maxFields = 1000

// Job returns a job of the project of whoever asks. Of those of others nobody
// is told that they are there.
func (s *Server) Job(ctx context.Context, k *job.Key, id string) (*job.Job, error) {
	if !jobID.MatchString(id) {
		return nil, noSuchThing()
	}
	return s.o.Store.Job(ctx, k.Project, id)
}

// Report reads the report of a job that is done, when it is its turn.
func (s *Server) Report(ctx context.Context, j *job.Job) (*mcpsf.Report, error) {
	if j.State != job.Done {
		return nil, notDone(j)
	}
	release, err := s.mayDraw(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return s.load(ctx, j)
}

// Events answers with the event stream of a job, as the API does.
func (s *Server) Events(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	return s.events(w, r, k)
}

// Fail answers with a problem, as the API does.
func (s *Server) Fail(w http.ResponseWriter, r *http.Request, err error) { s.fail(w, r, err) }

// Failed says what an error is to a user: a status, and a line that says what to
// do. What failed in our own house is logged.
func (s *Server) Failed(r *http.Request, err error) (status int, detail string) {
	p := problemOf(err)
	s.log(r, p, err)
	return p.status, p.detail
}

func (s *Server) log(r *http.Request, p *problem, err error) {
	if p.status >= http.StatusInternalServerError && !errors.Is(err, context.Canceled) { // who has gone is no failure
		s.o.Logger.ErrorContext(r.Context(), "a request failed",
			slog.String("method", r.Method), slog.String("route", r.Pattern), slog.String("client", s.clientOf(r)), slog.Any("error", err))
	}
}

// Submit queues what a form of a page asks for, as the API does: the same checks,
// limits and counts. The form is multipart/form-data; a file is in its field
// "archive", the other fields are added to those given, also if an error is
// returned. ask makes the request of them.
func (s *Server) Submit(w http.ResponseWriter, r *http.Request, k *job.Key, fields url.Values, ask func() (*job.Request, bool, error)) (*job.Job, error) {
	ctx, cancel := context.WithTimeout(r.Context(), s.pace.upload)
	defer cancel()
	r = r.WithContext(ctx)
	j, _, err := s.take(r, k, func() (*asked, error) { return s.readPage(w, r, k, fields, ask) })
	return j, err
}

func (s *Server) readPage(w http.ResponseWriter, r *http.Request, k *job.Key, fields url.Values, ask func() (*job.Request, bool, error)) (*asked, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, refuse(http.StatusUnsupportedMediaType, "content-type", "send multipart/form-data")
	}
	leave, err := s.mayUpload(r.Context(), k)
	if err != nil {
		return nil, err
	}
	defer leave()
	body, done := s.archiveBody(w, r)
	defer done()
	f := &form{}
	defer f.close()
	if err := s.readFields(multipart.NewReader(body, params["boundary"]), f, fields); err != nil {
		return nil, cutOff(err)
	}
	request, force, err := ask()
	if err != nil {
		return nil, err
	}
	a := &asked{Request: *request, Force: force}
	if f.file == nil {
		return a, s.checkAsked(a)
	}
	a.Archive, a.ArchiveName = f.digest, f.name
	if err := s.checkRequest(&a.Request); err != nil {
		return nil, err
	}
	return a, s.keep(r.Context(), f)
}

// readFields reads a form as browsers send it.
func (s *Server) readFields(parts *multipart.Reader, f *form, fields url.Values) error {
	left := s.o.Limits.Body
	for range maxFields {
		part, err := parts.NextRawPart()
		if err == io.EOF { // a wrapped one is a form that is cut off
			return nil
		}
		if err != nil {
			return formError(err)
		}
		name := part.FormName()
		switch {
		case name == "archive" && part.FileName() == "": // none was chosen
		case name == "archive" && f.file == nil:
			if err := s.readArchive(f, part); err != nil {
				return err
			}
		default:
			var text bytes.Buffer
			n, err := text.ReadFrom(&limited{part, left, s.o.Limits.Body})
			if err != nil {
				return err
			}
			left -= n
			fields.Add(name, text.String())
		}
	}
	return badRequest("the form has more than %d fields", maxFields)
}

// Stream tells a page what look finds as events of one name: at once, and
// whenever it has changed, until the client or its key is gone or the server
// ends.
func (s *Server) Stream(w http.ResponseWriter, r *http.Request, k *job.Key, name string, every time.Duration, look func(context.Context) ([]byte, error)) error {
	out, leave, err := s.openStream(w, k)
	if err != nil {
		return err
	}
	defer leave()
	if r.Method == http.MethodHead {
		return nil
	}
	again, beat := time.NewTicker(every), time.NewTicker(s.pace.beat)
	defer again.Stop()
	defer beat.Stop()
	var last []byte
	for {
		now, err := look(r.Context())
		if err == nil && !bytes.Equal(now, last) {
			err = out.send(eventText(name, now, ""))
			last = now
		}
		if err != nil && !errors.Is(err, store.ErrGone) { // a database that is gone comes back, too
			return nil // the client is told by the end of the stream, and comes back
		}
		select {
		case <-again.C:
		case <-beat.C:
			if s.beat(r.Context(), out, k) != nil {
				return nil
			}
		case <-r.Context().Done():
			return nil
		case <-s.closed:
			return nil
		}
	}
}

// maxForm is how large a form without a file may be.
const maxForm = 64 << 10

// Form reads a form without a file, in time.
func (s *Server) Form(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	ctx, cancel := context.WithTimeout(r.Context(), s.pace.answer)
	defer cancel()
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, refuse(http.StatusUnsupportedMediaType, "content-type", "send application/x-www-form-urlencoded")
	}
	body, done := s.body(w, r.WithContext(ctx), maxForm)
	defer done()
	var text bytes.Buffer
	if _, err := text.ReadFrom(body); err != nil {
		return nil, cutOff(err)
	}
	fields, err := url.ParseQuery(text.String())
	if err != nil {
		return nil, badRequest("this is no form")
	}
	return fields, nil
}
