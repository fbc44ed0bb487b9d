package server

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// maxFields is how many fields the form of a page may have.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxFields = 1000

// ParseForm makes a request of the fields of a form. force runs the assessment
// even if there is a result to share.
type ParseForm func() (request *job.Request, force bool, err error)

// readForm reads the form of a page, with or without an archive.
func (u *uploads) readForm(w http.ResponseWriter, r *http.Request, k *job.Key, fields url.Values, parse ParseForm) (*submitted, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, refuse(http.StatusUnsupportedMediaType, "content-type", "Content-Type must be multipart/form-data")
	}
	release, err := u.acquire(r.Context(), k)
	if err != nil {
		return nil, err
	}
	defer release()
	body, done := u.open(w, r)
	defer done()
	f := &upload{}
	defer f.close()
	if err := u.readFields(multipart.NewReader(body, params["boundary"]), f, fields); err != nil {
		return nil, incomplete(err)
	}
	request, force, err := parse()
	if err != nil {
		return nil, err
	}
	a := &submitted{Request: *request, Force: force}
	if f.file == nil {
		return a, u.checks.submitted(a)
	}
	a.Archive, a.ArchiveName = f.digest, f.name
	if err := u.checks.request(&a.Request); err != nil {
		return nil, err
	}
	return a, u.keep(r.Context(), f)
}

// readFields reads the fields of a form as browsers send it.
func (u *uploads) readFields(parts *multipart.Reader, f *upload, fields url.Values) error {
	left := u.bodies.maxBody
	for range maxFields {
		part, err := parts.NextRawPart()
		if err == io.EOF { // a wrapped one means that the form is incomplete
			return nil
		}
		if err != nil {
			return formError(err)
		}
		name := part.FormName()
		switch {
		case name == "archive" && part.FileName() == "": // no file was chosen
		case name == "archive" && f.file == nil:
			if err := u.readArchive(f, part); err != nil {
				return err
			}
		default:
			var text bytes.Buffer
			n, err := text.ReadFrom(&limited{part, left, u.bodies.maxBody})
			if err != nil {
				return err
			}
			left -= n
			fields.Add(name, text.String())
		}
	}
	return badRequest("the form has more than %d fields", maxFields)
}
