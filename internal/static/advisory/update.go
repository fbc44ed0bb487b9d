package advisory

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/advisory/table"
)

// Doer sends requests; *[http.Client] is one.
type Doer interface {
	Do(r *http.Request) (*http.Response, error)
}

var _ Doer = (*http.Client)(nil)

// UpdateOptions control an update. All fields but Client may be zero; for local
// files Client may be nil, too.
type UpdateOptions struct {
	// Ecosystems are the wanted ones, nil for [Ecosystems].
	Ecosystems []string
	// From is the address of a mirror or a directory with ECOSYSTEM/all.zip in
	// it, or one zip; "" is [DefaultBase].
	From   string
	Client Doer
	// Now is the clock; nil is the real one.
	Now func() time.Time
	// Progress reports the downloaded and the total size; -1 if that is not
	// known.
	Progress func(ecosystem string, done, total int64)
}

// Updated is the result for one ecosystem.
type Updated struct {
	Status

	// Unchanged is set if there was nothing newer.
	Unchanged bool
	// Before is how many records there were, 0 without a database.
	Before int
}

// Update imports exports into the database in dir, which is created if missing.
// A failed ecosystem stays as it was; the others are still updated and returned
// beside the error.
func Update(ctx context.Context, dir string, opts *UpdateOptions) ([]Updated, error) {
	u := &updater{dir: dir, lim: defaultLimits(), now: time.Now}
	if opts != nil {
		u.opts = *opts
	}
	if u.opts.Now != nil {
		u.now = u.opts.Now
	}
	if u.opts.From == "" {
		u.opts.From = DefaultBase
	}
	return u.all(ctx)
}

type updater struct {
	opts UpdateOptions
	dir  string
	lim  limits
	now  func() time.Time
	// silent is set if the host does not answer at all.
	silent bool
}

func (u *updater) all(ctx context.Context) ([]Updated, error) {
	where, err := places(ctx, u.opts.From, u.opts.Ecosystems)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(u.dir, 0o755); err != nil {
		return nil, unwritable(err)
	}
	u.sweep()
	var done []Updated
	var failed []error
	for _, p := range where {
		one, err := u.one(ctx, p)
		if ctx.Err() != nil {
			return done, context.Cause(ctx)
		}
		if err == nil {
			done = append(done, *one)
			continue
		}
		failed = append(failed, err)
		if u.silent {
			break // the others are at the same host
		}
	}
	return done, summary(failed)
}

// summary combines several errors: the first, and the number of the others.
func summary(failed []error) error {
	switch len(failed) {
	case 0:
		return nil
	case 1:
		return failed[0]
	}
	return fmt.Errorf("%w (and %d more like it)", failed[0], len(failed)-1)
}

// one updates an ecosystem.
func (u *updater) one(ctx context.Context, p place) (*Updated, error) {
	old, err := openTable(filepath.Join(u.dir, fileOf(p.ecosystem)))
	before := 0
	if err == nil { // a file that cannot be opened is replaced
		defer old.file.Close()
		before = old.note.Records
	} else {
		old = nil
	}
	n, unchanged, err := u.bring(ctx, p, old)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(u.dir, fileOf(p.ecosystem)))
	if err != nil {
		return nil, unwritable(err)
	}
	return &Updated{Status: n.status(info.Size(), u.now(), DefaultStale), Unchanged: unchanged, Before: before}, nil
}

// bring downloads or opens the export, and replaces the file.
func (u *updater) bring(ctx context.Context, p place, old *ecosystemTable) (n *note, unchanged bool, err error) {
	n = &note{Ecosystem: p.ecosystem, Source: p.name(), Local: p.url == nil, Fetched: u.now().UTC().Truncate(time.Second)}
	if p.url == nil {
		f, size, err := openFile(p.file)
		if err != nil {
			return nil, false, err
		}
		defer f.Close()
		return n, false, u.build(ctx, f, size, n)
	}
	f, err := os.CreateTemp(u.dir, "*"+partial)
	if err != nil {
		return nil, false, unwritable(err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	size, unchanged, err := u.download(ctx, p, old, f, n)
	if err != nil {
		return nil, false, err
	}
	if unchanged {
		again := *old.note
		again.Fetched = n.Fetched
		return &again, true, u.touch(old, &again)
	}
	return n, false, u.build(ctx, f, size, n)
}

// build makes the ecosystem's file from an export.
func (u *updater) build(ctx context.Context, f *os.File, size int64, n *note) error {
	all, err := readExport(ctx, f, size, n.Ecosystem, u.now(), u.lim)
	if err != nil {
		return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "the export " + n.Source + " cannot be used", Err: err}
	}
	n.Records, n.Withdrawn, n.Broken, n.Duplicate = all.records, all.withdrawn, all.broken, all.duplicate
	n.Examples, n.Newest = all.examples, all.newest
	return u.replace(n.Ecosystem, func(w *os.File) error {
		return table.Write(w, func(keys int) ([]byte, error) {
			n.Packages = keys
			return n.encode()
		}, all.builders...)
	})
}

// touch records that the file was found to be up to date.
func (u *updater) touch(old *ecosystemTable, n *note) error {
	data, err := n.encode()
	if err != nil {
		return err
	}
	return u.replace(n.Ecosystem, func(w *os.File) error { return table.Rewrite(w, old.table, data) })
}

// partial ends the names of incomplete files.
const partial = ".partial"

// replace replaces the old file atomically.
func (u *updater) replace(ecosystem string, write func(*os.File) error) (err error) {
	f, err := os.CreateTemp(u.dir, "*"+partial)
	if err != nil {
		return unwritable(err)
	}
	defer func() {
		if err != nil {
			_ = f.Close() // a second Close is harmless
			_ = os.Remove(f.Name())
			err = unwritable(err)
		}
	}()
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(u.dir, fileOf(ecosystem)))
}

// sweep removes the files of killed updates.
func (u *updater) sweep() {
	entries, err := os.ReadDir(u.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasSuffix(e.Name(), partial) && u.now().Sub(info.ModTime()) > 24*time.Hour {
			_ = os.Remove(filepath.Join(u.dir, e.Name()))
		}
	}
}

func unwritable(err error) error {
	return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "the database of advisories cannot be written", Err: innermost(err)}
}
