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
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// maxUploading is how many archives come in at once, of one project only half
// of that: who is slow holds up nobody else.
const maxUploading = 16

// leastPace is how many bytes of an archive have to come in a second, on the
// average.
const leastPace = 16 << 10

// archiveNames are how names of archives end that are understood.
func archiveNames() []string {
	return []string{".tgz", ".tar.gz", ".zip", ".whl", ".mcpb", ".dxt", ".tar"}
}

// readUpload reads a request that comes with an archive. Nothing is kept of one
// that is cut off or refused; what is in the archive is for the worker to see.
func (s *Server) readUpload(w http.ResponseWriter, r *http.Request, k *job.Key, boundary string) (*asked, error) {
	leave, err := s.mayUpload(r.Context(), k)
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(r.Context(), s.pace.upload)
	defer cancel()
	body, done := s.archiveBody(w, r.WithContext(ctx))
	defer done()
	f, err := s.readForm(multipart.NewReader(body, boundary))
	if err != nil {
		return nil, cutOff(err)
	}
	defer f.close()
	if f.file == nil {
		return nil, badRequest("the part archive is missing, the file to assess")
	}
	f.asked.Archive, f.asked.ArchiveName = f.digest, f.name
	if err := s.checkRequest(&f.asked.Request); err != nil {
		return nil, err
	}
	return &f.asked, s.keep(ctx, f)
}

// archiveBody is what a client sends with an archive in it.
func (s *Server) archiveBody(w http.ResponseWriter, r *http.Request) (body io.Reader, done func()) {
	p, done := s.body(w, r, s.o.Limits.Upload+s.o.Limits.Body+64<<10) // and what stands around the parts
	p.least, p.begun = leastPace, time.Now()
	return p, done
}

// mayUpload lets in as many at once as there is room for. The others wait for a
// moment: most archives are small.
func (s *Server) mayUpload(ctx context.Context, k *job.Key) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, s.pace.turn)
	defer cancel()
	busy := later(http.StatusServiceUnavailable, "busy", 10*time.Second, "too many archives are coming in; try again")
	left := s.uploads.wait(ctx, k.Project)
	if left == nil {
		return nil, busy
	}
	select {
	case s.uploading <- struct{}{}:
		return func() { <-s.uploading; left() }, nil
	case <-ctx.Done():
		left()
		return nil, busy
	}
}

// form is what was read of one.
type form struct {
	asked asked
	seen  bool // the request
	file  *os.File
	// digest is the archive's, name what the client calls it.
	digest, name string
}

func (f *form) close() {
	if f.file != nil {
		_ = f.file.Close()
	}
}

// readForm reads the parts, in whichever order they come.
func (s *Server) readForm(parts *multipart.Reader) (*form, error) {
	f := &form{}
	for {
		part, err := parts.NextRawPart() // as it is: no encoding is undone
		if err == io.EOF {               //nolint:errorlint // a wrapped one is a form that is cut off
			return f, nil
		}
		if err == nil {
			err = s.readPart(f, part)
		} else {
			err = formError(err)
		}
		if err != nil {
			f.close()
			return nil, err
		}
	}
}

// formError makes of what is no form the client's fault, unless the connection
// or the size is to blame.
func formError(err error) error {
	_, large := errors.AsType[*http.MaxBytesError](err)
	if large || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return badRequest("this is no multipart/form-data, or it is cut off")
}

func (s *Server) readPart(f *form, part *multipart.Part) error {
	switch name := part.FormName(); {
	case name == "request" && !f.seen:
		f.seen = true
		if err := decode(&limited{part, s.o.Limits.Body, s.o.Limits.Body}, &f.asked); err != nil {
			return err
		}
		return s.checkPart(f)
	case name == "archive" && f.file == nil:
		return s.readArchive(f, part)
	}
	return badRequest("the form has the parts request, which is JSON, and archive, which is a file, once each")
}

// checkPart checks what can be checked without the archive, before it comes in.
func (s *Server) checkPart(f *form) error {
	if f.asked.Source != "" {
		return badRequest("give a source or an archive, not both")
	}
	whole := f.asked
	whole.Source = "npm:x" // anything that is a source
	return s.checkAsked(&whole)
}

// readArchive writes the archive to a file that has no name: nothing is left of
// it, however this process ends.
func (s *Server) readArchive(f *form, part *multipart.Part) (err error) {
	if f.name, err = archiveName(part.FileName()); err != nil {
		return err
	}
	if f.file, err = receive(); err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f.file, sum), &limited{part, s.o.Limits.Upload, s.o.Limits.Upload})
	if err != nil {
		return cutOff(err)
	}
	if n == 0 {
		return badRequest("the archive is empty")
	}
	f.digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// receive opens a file without a name.
func receive() (*os.File, error) {
	f, err := os.CreateTemp("", "mcpsf-upload-*")
	if err == nil {
		err = os.Remove(f.Name())
	}
	if err != nil {
		return nil, fmt.Errorf("receiving an archive: %w", err)
	}
	return f, nil
}

// keep puts the archive where the worker finds it. The same one again changes
// nothing. Whether a job needs it is only known later: what looks after the
// files removes those that none does.
func (s *Server) keep(ctx context.Context, f *form) error {
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := s.o.Files.Put(ctx, "uploads/"+f.digest, f.file); err != nil {
		return fmt.Errorf("keeping an archive: %w", err)
	}
	return nil
}

// archiveName is a name that can be shown and written anywhere.
func archiveName(name string) (string, error) {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	if len(name) > 128 {
		name = name[len(name)-128:] // its end tells what it is
	}
	name = strings.TrimLeft(strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-+@", c) {
			return c
		}
		return '_'
	}, name), ".-")
	for _, end := range archiveNames() {
		if strings.HasSuffix(strings.ToLower(name), end) && len(name) > len(end) {
			return name, nil
		}
	}
	return "", badRequest("the archive's file name ends in one of: %s", strings.Join(archiveNames(), " "))
}

// limited reads no more than a size, and says so if there is more.
type limited struct {
	r          io.Reader
	left, most int64
}

func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, &http.MaxBytesError{Limit: l.most}
	}
	return n, err
}
