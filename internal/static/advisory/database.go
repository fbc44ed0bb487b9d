package advisory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/advisory/table"
)

// DefaultStale is the age from which a database is called stale: new malicious
// packages are published every day.
const DefaultStale = 7 * 24 * time.Hour

// suffix ends the names of database files.
const suffix = ".advisories"

// Options control how a database is judged. All fields may be zero.
type Options struct {
	// Now is the clock; nil is the real one.
	Now func() time.Time
	// Stale is how old a database may be; 0 is [DefaultStale].
	Stale time.Duration
}

// Database is an open database. It is safe for concurrent use.
type Database struct {
	now    func() time.Time
	stale  time.Duration
	tables map[string]*ecosystemTable
}

// ecosystemTable is one file of the database.
type ecosystemTable struct {
	file  *os.File
	table *table.Table
	note  *note
	size  int64
}

// Open opens the database in dir. A missing database is empty, and says so in
// every answer. A file that is damaged, or of another version, is an
// [mcpsf.Error] that says how to replace it.
func Open(dir string, opts *Options) (*Database, error) {
	db := &Database{now: time.Now, stale: DefaultStale, tables: map[string]*ecosystemTable{}}
	if opts != nil && opts.Now != nil {
		db.now = opts.Now
	}
	if opts != nil && opts.Stale > 0 {
		db.stale = opts.Stale
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unreadable(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		t, err := openTable(filepath.Join(dir, e.Name()))
		if err != nil {
			_ = db.Close()
			return nil, broken(strings.TrimSuffix(e.Name(), suffix), err)
		}
		db.tables[t.note.Ecosystem] = t
	}
	return db, nil
}

// Close closes the files.
func (db *Database) Close() error {
	var err error
	for _, t := range db.tables {
		err = errors.Join(err, t.file.Close())
	}
	return err
}

// Ecosystems returns the ecosystems in the database, sorted.
func (db *Database) Ecosystems() []string {
	names := make([]string, 0, len(db.tables))
	for name := range db.tables {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func openTable(name string) (t *ecosystemTable, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: it is not a file", table.ErrDamaged)
	}
	t = &ecosystemTable{file: f, size: info.Size()}
	if t.table, err = table.Open(f, info.Size()); err != nil {
		return nil, err
	}
	if t.note, err = decodeNote(t.table.Note()); err != nil {
		return nil, err
	}
	if fileOf(t.note.Ecosystem) != filepath.Base(name) {
		return nil, fmt.Errorf("%w: it is about another ecosystem than its name says", table.ErrDamaged)
	}
	return t, nil
}

// fileOf returns the file name of an ecosystem.
func fileOf(ecosystem string) string { return ecosystem + suffix }

// broken returns an error that says how to replace an unusable file.
func broken(ecosystem string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return unreadable(err)
	}
	return &mcpsf.Error{
		Code:    mcpsf.CodeUnavailable,
		Message: fmt.Sprintf("the database of advisories about %s cannot be used; replace it with: mcpsf db update", ecosystem),
		Err:     err,
	}
}

func unreadable(err error) error {
	return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "the database of advisories cannot be read", Err: err}
}
