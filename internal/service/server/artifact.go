package server

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// filePolicy is for files that an enemy wrote, should one ever be shown.
const filePolicy = "sandbox; " + apiPolicy

// Artifact is a file of a job.
type Artifact struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Href string `json:"href"`
	// file is what the store calls it.
	file string
}

// Artifacts are the files of a job that is done. Of others nothing is shown:
// what is there may be half of it.
func (s *Server) Artifacts(ctx context.Context, j *job.Job) ([]Artifact, error) {
	list := []Artifact{}
	if j.State != job.Done {
		return list, nil
	}
	dir := fmt.Sprintf("jobs/%s/%d", j.ID, j.Attempt)
	files, err := s.o.Files.List(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("listing the files of a job: %w", err)
	}
	for _, f := range files {
		if name, ok := strings.CutPrefix(f.Name, dir+"/"); ok {
			list = append(list, Artifact{Name: name, Size: f.Size, Href: linksOf(j.ID).Self + "/artifacts/" + escape(name), file: f.Name})
		}
	}
	return list, nil
}

// open opens a file of a job by its name in the list.
func (s *Server) open(ctx context.Context, j *job.Job, name string) (blob.File, error) {
	list, err := s.Artifacts(ctx, j)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(a Artifact) bool { return a.Name == name })
	if i < 0 {
		return nil, blob.ErrNotFound
	}
	return s.o.Files.Open(ctx, list[i].file)
}

func (s *Server) listArtifacts(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, err := s.job(r, k)
	if err != nil {
		return err
	}
	list, err := s.Artifacts(r.Context(), j)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Artifacts []Artifact `json:"artifacts"`
	}{list})
}

func (s *Server) artifact(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, err := s.job(r, k)
	if err != nil {
		return err
	}
	name := r.PathValue("name")
	f, err := s.open(r.Context(), j, name)
	if err != nil {
		return err
	}
	defer f.Close()
	w.Header().Set("Content-Security-Policy", filePolicy)
	w.Header().Set("Content-Type", contentType(name))
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(name)}))
	return serveFile(w, r, f)
}

// serveFile answers with a file, or a part of it.
func serveFile(w http.ResponseWriter, r *http.Request, f blob.File) error {
	content := &fileAnswer{ResponseWriter: w}
	http.ServeContent(content, r, "", time.Time{}, f)
	return content.err
}

// fileAnswer keeps the refusals of [http.ServeContent] from the client: ours are
// problems.
type fileAnswer struct {
	http.ResponseWriter

	err error
}

// Unwrap is for [http.ResponseController].
func (a *fileAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *fileAnswer) WriteHeader(status int) {
	switch {
	case status == http.StatusRequestedRangeNotSatisfiable:
		a.err = refuse(status, "range", "the file has no such part")
	case status >= http.StatusBadRequest:
		a.err = errors.New("a file cannot be read")
	default:
		a.ResponseWriter.WriteHeader(status)
	}
}

func (a *fileAnswer) Write(p []byte) (int, error) {
	if a.err != nil {
		return len(p), nil //nolint:nilerr // the refusal is told by us
	}
	return a.ResponseWriter.Write(p)
}

// contentType is what a file is, as far as that does no harm.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".json":
		return "application/json"
	case ".jsonl":
		return "application/jsonl"
	case ".zst":
		return "application/zstd"
	}
	return "application/octet-stream"
}

// fileName is what a client should call the file.
func fileName(name string) string {
	return strings.TrimLeft(strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c) {
			return c
		}
		return '_'
	}, path.Base(name)), ".")
}

// escape writes a name as the path of an address.
func escape(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}
