package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// maxUploading is how many archives are received at once. One project may use
// half of it, so that its slow clients do not block other projects.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxUploading = 16

// minUploadRate is how many bytes of an archive have to arrive in a second, on
// average.
const minUploadRate = 16 << 10

// uploads receives archives and keeps them for the workers.
type uploads struct {
	files  blob.Store
	bodies *bodyReader
	checks *requestCheck
	// maxArchive is the size of an archive, in bytes.
	maxArchive int64
	// projects bounds the uploads of each project, running those of all.
	projects *projectSlots
	running  chan struct{}
}

func newUploads(files blob.Store, bodies *bodyReader, checks *requestCheck, maxArchive int64) *uploads {
	return &uploads{
		files: files, bodies: bodies, checks: checks, maxArchive: maxArchive,
		projects: newProjectSlots(maxUploading / 2), running: make(chan struct{}, maxUploading),
	}
}

// read reads a request of the API that comes with an archive. Nothing is kept of
// one that is incomplete or refused; the worker looks at the archive itself.
func (u *uploads) read(w http.ResponseWriter, r *http.Request, k *job.Key, boundary string) (*submitted, error) {
	release, err := u.acquire(r.Context(), k)
	if err != nil {
		return nil, err
	}
	defer release()
	ctx, cancel := context.WithTimeout(r.Context(), u.bodies.timeouts.upload)
	defer cancel()
	body, done := u.open(w, r.WithContext(ctx))
	defer done()
	f, err := u.readParts(multipart.NewReader(body, boundary))
	if err != nil {
		return nil, incomplete(err)
	}
	defer f.close()
	if f.file == nil {
		return nil, badRequest("the part archive, the file to assess, is missing")
	}
	f.request.Archive, f.request.ArchiveName = f.digest, f.name
	if err := u.checks.request(&f.request.Request); err != nil {
		return nil, err
	}
	return &f.request, u.keep(ctx, f)
}

// open returns the body of a request with an archive.
func (u *uploads) open(w http.ResponseWriter, r *http.Request) (body io.Reader, done func()) {
	p, done := u.bodies.open(w, r, u.maxArchive+u.bodies.maxBody+64<<10) // and the boundaries and headers of the parts
	p.minRate, p.begun = minUploadRate, time.Now()
	return p, done
}

// acquire waits for a free upload slot, but not long: most archives are small.
func (u *uploads) acquire(ctx context.Context, k *job.Key) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, u.bodies.timeouts.uploadSlot)
	defer cancel()
	busy := retryLater(http.StatusServiceUnavailable, "busy", 10*time.Second, "too many uploads at the same time; try again")
	leave := u.projects.acquire(ctx, k.Project)
	if leave == nil {
		return nil, busy
	}
	select {
	case u.running <- struct{}{}:
		return func() { <-u.running; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, busy
	}
}

// upload is what was read of a form.
type upload struct {
	request submitted
	seen    bool // the part request
	file    *os.File
	// digest is the archive's SHA-256, name what the client calls it.
	digest, name string
}

func (f *upload) close() {
	if f.file != nil {
		_ = f.file.Close()
	}
}

// readParts reads the parts of a form of the API, in any order.
func (u *uploads) readParts(parts *multipart.Reader) (*upload, error) {
	f := &upload{}
	for {
		part, err := parts.NextRawPart() // raw: no transfer encoding is decoded
		if err == io.EOF {               //nolint:errorlint // a wrapped one means that the form is incomplete
			return f, nil
		}
		if err == nil {
			err = u.readPart(f, part)
		} else {
			err = formError(err)
		}
		if err != nil {
			f.close()
			return nil, err
		}
	}
}

// formError reports a malformed form as an error of the client, unless the
// connection or the size is the reason.
func formError(err error) error {
	_, large := errors.AsType[*http.MaxBytesError](err)
	if large || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return badRequest("invalid or incomplete multipart/form-data")
}

func (u *uploads) readPart(f *upload, part *multipart.Part) error {
	switch name := part.FormName(); {
	case name == "request" && !f.seen:
		f.seen = true
		if err := decode(&limited{part, u.bodies.maxBody, u.bodies.maxBody}, &f.request); err != nil {
			return err
		}
		return u.checkEarly(f)
	case name == "archive" && f.file == nil:
		return u.readArchive(f, part)
	}
	return badRequest("the form must have the parts request, which is JSON, and archive, which is a file, once each")
}

// checkEarly checks what can be checked without the archive, before it is read.
func (u *uploads) checkEarly(f *upload) error {
	if f.request.Source != "" {
		return badRequest("give a source or an archive, not both")
	}
	whole := f.request
	whole.Source = "npm:x" // any valid source
	return u.checks.submitted(&whole)
}

// readArchive writes the archive to a file without a name: nothing is left of
// it, however this process ends.
func (u *uploads) readArchive(f *upload, part *multipart.Part) (err error) {
	if f.name, err = archiveName(part.FileName()); err != nil {
		return err
	}
	if f.file, err = createUnnamed(); err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f.file, sum), &limited{part, u.maxArchive, u.maxArchive})
	if err != nil {
		return incomplete(err)
	}
	if n == 0 {
		return badRequest("the archive is empty")
	}
	f.digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// keep stores the archive where the worker finds it, under its digest: the same
// archive again changes nothing. Retention removes archives that no job needs.
func (u *uploads) keep(ctx context.Context, f *upload) error {
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := u.files.Put(ctx, "uploads/"+f.digest, f.file); err != nil {
		return fmt.Errorf("keeping an archive: %w", err)
	}
	return nil
}
