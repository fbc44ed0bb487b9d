package pypi

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// pick is a resolved request, in the form in which it is cached.
type pick struct {
	Version  string `json:"version"`
	File     string `json:"file"`
	URL      string `json:"url"`
	Host     string `json:"host"` // of the index
	Digest   string `json:"digest"`
	Requires string `json:"requires,omitempty"`
	// Published is zero if the index does not state it.
	Published time.Time `json:"published,omitzero"`
	// Notes are the notes on the choice.
	Notes []string `json:"notes,omitempty"`
	// History is what the index states about earlier versions.
	History history `json:"history,omitzero"`

	algorithm string
	index     registry.Registry
	// stale is set if the registry could not be reached to confirm the pick.
	stale bool
}

// run is one resolution.
type run struct {
	req      Requirement
	platform platform
	opts     kind.Options
	// dir is where the package file is put, with its own name.
	dir string
}

// pick finds the file to assess. An exact version never changes, so it is taken
// from the cache; for anything else the index is asked, and the cache is used
// only if the index cannot be reached.
func (r *run) pick(ctx context.Context) (*pick, error) {
	key := r.requestKey(r.req.specs)
	if r.req.specs.exact() != "" {
		if p := r.remembered(key); p != nil {
			return p, nil
		}
	}
	files, err := readIndexes(ctx, r.opts.Registry, r.req.Name)
	if err != nil {
		if mcpsf.ErrorCode(err) == mcpsf.CodeUnavailable && ctx.Err() == nil {
			if p := r.remembered(key); p != nil {
				p.stale = true
				return p, nil
			}
		}
		return nil, err
	}
	f, err := chooseFile(r.req, files, r.platform)
	if err != nil {
		return nil, err
	}
	if f.published.IsZero() {
		f.published = askPublished(ctx, r.opts.Registry, f.index, r.req.Name, f.name)
	}
	return &pick{
		History: r.history(ctx, files, f.distFile),
		Version: f.version.String(), File: f.name, URL: f.url.String(), Host: f.index.URL.Host,
		Digest: f.sum, Requires: f.requires, Published: f.published, Notes: f.notes, algorithm: f.algorithm, index: f.index,
	}, nil
}

// requestKey contains everything that determines the choice.
func (r *run) requestKey(specs specifiers) string {
	what := specs.String()
	if what == "" {
		what = "latest"
	}
	indexes := sha256.New()
	for _, index := range r.opts.Registry.PyPI() {
		fmt.Fprintln(indexes, index.URL)
	}
	return fmt.Sprintf("pypi/%s/%s/request/%s/python%s-%s-%x", r.host(), r.req.Name, what, r.platform.python, r.platform.arch, indexes.Sum(nil)[:6])
}

func (r *run) host() string { return r.opts.Registry.PyPI()[0].URL.Host }

// remembered returns an earlier pick whose file is still cached.
func (r *run) remembered(key string) *pick {
	if r.opts.Cache == nil {
		return nil
	}
	_, note, ok := r.opts.Cache.Get(key)
	var p pick
	if !ok || json.Unmarshal(note, &p) != nil || !plainFile.MatchString(p.File) {
		return nil
	}
	p.algorithm = "sha256"
	// Two indexes of one host can have different files of the same name.
	_, note, ok = r.opts.Cache.Get(r.fileKey(&p))
	var file pick
	if !ok || json.Unmarshal(note, &file) != nil || file.Digest != p.Digest {
		return nil
	}
	return &p
}

func (r *run) fileKey(p *pick) string {
	return "pypi/" + p.Host + "/" + r.req.Name + "/" + p.Version + "/" + p.File
}

// fetch puts the file into r.dir, from the cache or from the index's URL, and
// returns its sha256. offline is set if nothing was downloaded.
func (r *run) fetch(ctx context.Context, p *pick) (file, sum string, offline bool, err error) {
	file = filepath.Join(r.dir, p.File)
	if sum, ok := r.fromCache(ctx, p, file); ok {
		return file, sum, true, nil
	}
	if p.index.URL == nil {
		return "", "", false, usererr.Usage("the cached file %s is damaged; try again", usererr.Quote(p.File))
	}
	sum, err = r.download(ctx, p, file)
	if err != nil {
		return "", "", false, err
	}
	r.keep(p, file, sum)
	return file, sum, false, nil
}

// fromCache verifies a cached file like a downloaded one.
func (r *run) fromCache(ctx context.Context, p *pick, file string) (sum string, ok bool) {
	if r.opts.Cache == nil {
		return "", false
	}
	kept, _, ok := r.opts.Cache.Get(r.fileKey(p))
	if !ok || published.LinkOrCopy(kept, file) != nil {
		return "", false
	}
	f, err := os.Open(file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	d := newDigests(p.algorithm)
	if _, err := io.Copy(d, archive.Stream(ctx, f)); err != nil || d.stated() != p.Digest {
		_ = os.Remove(file)
		return "", false
	}
	return d.sha256(), true
}

func (r *run) download(ctx context.Context, p *pick, file string) (sum string, err error) {
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", fmt.Errorf("keeping a download: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	d := newDigests(p.algorithm)
	err = r.opts.Registry.Download(ctx, &registry.Request{
		Registry: p.index, URL: p.URL, What: "Python package " + usererr.Quote(r.req.Name) + " " + p.Version,
	}, io.MultiWriter(out, d), r.opts.MaxBytes, r.opts.Progress)
	if err != nil {
		return "", err
	}
	if got := d.stated(); got != p.Digest {
		return "", usererr.Usage("what was downloaded as %s is not what %s lists: its %s is %s instead of %s; somebody changed it on the way, do not use it",
			usererr.Quote(p.File), p.Host, p.algorithm, got, p.Digest)
	}
	return d.sha256(), nil
}

// keep puts the file and the pick into the cache. A full or read-only cache is
// no error.
func (r *run) keep(p *pick, file, sum string) {
	if r.opts.Cache == nil {
		return
	}
	kept := *p
	kept.Digest = sum
	note, err := json.Marshal(kept)
	if err != nil {
		return
	}
	// Put moves its file, and pip still needs this one.
	spare := filepath.Join(r.dir, "spare")
	err = published.LinkOrCopy(file, spare)
	if err == nil {
		_, err = r.opts.Cache.Put(r.fileKey(p), spare, note)
	}
	if err != nil {
		_ = os.Remove(spare)
		r.opts.Logger.Warn("the download is not kept", "error", err)
	}
}

// remember caches a pick under its request, and under its exact version, which
// the next request may name.
func (r *run) remember(p *pick, sum string) {
	if r.opts.Cache == nil || p.stale || p.index.URL == nil {
		return
	}
	kept := *p
	kept.Digest = sum
	note, err := json.Marshal(kept)
	if err != nil {
		return
	}
	exact, err := parseSpecifiers("==" + p.Version)
	if err != nil {
		return
	}
	for _, specs := range []specifiers{r.req.specs, exact} {
		spare := filepath.Join(r.dir, "spare")
		err := os.WriteFile(spare, note, 0o644)
		if err == nil {
			_, err = r.opts.Cache.Put(r.requestKey(specs), spare, note)
		}
		if err != nil {
			_ = os.Remove(spare)
			r.opts.Logger.Warn("the resolution is not kept", "error", err)
		}
	}
}

// digests computes the stated digest and the reported one.
type digests struct{ first, second hash.Hash }

func newDigests(algorithm string) *digests {
	d := &digests{first: sha256.New(), second: sha256.New()}
	switch algorithm {
	case "sha384":
		d.first = sha512.New384()
	case "sha512":
		d.first = sha512.New()
	}
	return d
}

// Write implements [io.Writer].
func (d *digests) Write(b []byte) (int, error) {
	d.first.Write(b)
	return d.second.Write(b)
}

func (d *digests) stated() string { return hex.EncodeToString(d.first.Sum(nil)) }
func (d *digests) sha256() string { return hex.EncodeToString(d.second.Sum(nil)) }
