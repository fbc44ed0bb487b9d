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

// filePolicy is the Content-Security-Policy of downloads: an attacker may have
// written them, and a browser may display them.
const filePolicy = "sandbox; " + apiPolicy

// Artifact is a file of a job.
type Artifact struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Href string `json:"href"`
	// file is its name in the file store.
	file string
}

// Artifacts lists and serves the files of jobs.
type Artifacts struct {
	files blob.Store
	jobs  *Jobs
}

// List returns the files of a job that is done. Other jobs show none: their
// files may be incomplete.
func (as *Artifacts) List(ctx context.Context, j *job.Job) ([]Artifact, error) {
	list := []Artifact{}
	if j.State != job.Done {
		return list, nil
	}
	dir := fmt.Sprintf("jobs/%s/%d", j.ID, j.Attempt)
	files, err := as.files.List(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("listing the files of a job: %w", err)
	}
	for _, f := range files {
		if name, ok := strings.CutPrefix(f.Name, dir+"/"); ok {
			list = append(list, Artifact{Name: name, Size: f.Size, Href: linksOf(j.ID).Self + "/artifacts/" + escapePath(name), file: f.Name})
		}
	}
	return list, nil
}

// open opens a file of a job by its name in the list.
func (as *Artifacts) open(ctx context.Context, j *job.Job, name string) (blob.File, error) {
	list, err := as.List(ctx, j)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(a Artifact) bool { return a.Name == name })
	if i < 0 {
		return nil, blob.ErrNotFound
	}
	return as.files.Open(ctx, list[i].file)
}

func (as *Artifacts) list(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, err := as.jobs.named(r, k)
	if err != nil {
		return err
	}
	list, err := as.List(r.Context(), j)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Artifacts []Artifact `json:"artifacts"`
	}{list})
}

func (as *Artifacts) download(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, err := as.jobs.named(r, k)
	if err != nil {
		return err
	}
	name := r.PathValue("name")
	f, err := as.open(r.Context(), j, name)
	if err != nil {
		return err
	}
	defer f.Close()
	w.Header().Set("Content-Security-Policy", filePolicy)
	w.Header().Set("Content-Type", contentType(name))
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": downloadName(name)}))
	return serveFile(w, r, f)
}

// serveFile answers with a file, or a part of it.
func serveFile(w http.ResponseWriter, r *http.Request, f blob.File) error {
	content := &contentWriter{ResponseWriter: w}
	http.ServeContent(content, r, "", time.Time{}, f)
	return content.err
}

// contentWriter drops the error answers of [http.ServeContent], so that ours can
// be sent instead.
type contentWriter struct {
	http.ResponseWriter

	err error
}

// Unwrap is for [http.ResponseController].
func (a *contentWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *contentWriter) WriteHeader(status int) {
	switch {
	case status == http.StatusRequestedRangeNotSatisfiable:
		a.err = refuse(status, "range", "requested range not satisfiable")
	case status >= http.StatusBadRequest:
		a.err = errors.New("reading a file failed")
	default:
		a.ResponseWriter.WriteHeader(status)
	}
}

func (a *contentWriter) Write(p []byte) (int, error) {
	if a.err != nil {
		return len(p), nil //nolint:nilerr // the error is answered by the caller
	}
	return a.ResponseWriter.Write(p)
}

// contentType is the type of a file, never one that browsers run.
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

// downloadName is the name under which a client should save the file.
func downloadName(name string) string {
	return strings.TrimLeft(strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c) {
			return c
		}
		return '_'
	}, path.Base(name)), ".")
}

// escapePath writes a name as the path of a URL.
func escapePath(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}
