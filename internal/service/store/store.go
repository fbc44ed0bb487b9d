// Package store keeps the service's jobs and keys in a database, and is its
// queue: a job, its place in the queue, who works on it and what came of it are
// one row, so that they cannot disagree.
//
// The database is a SQLite file or PostgreSQL. Both are asked with the same
// statements; dialect.go has what differs. Times are the database's own: the
// clocks of the machines that share it need not agree.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/mcpsf/mcpsf"
)

//go:embed migrations/*.sql
var migrations embed.FS

// ErrNotFound is returned for what is not there, or is another project's.
var ErrNotFound = errors.New("there is no such job or key")

// ErrLost is returned to a worker whose job is not its own any more.
var ErrLost = errors.New("the job was given to somebody else, or has ended")

// Store is safe for use by many goroutines and, on the same database, by many
// processes.
type Store struct {
	// read and write may be the same. SQLite has one writer at a time: to wait
	// for a connection is better than to be told that the file is busy.
	read, write *sql.DB
	dialect     dialect
}

// Open connects to a database and brings it up to date: postgres://… or the
// path of a SQLite file, which is made if it is not there.
func Open(ctx context.Context, database string) (*Store, error) {
	s, err := connect(database)
	if err != nil {
		return nil, err
	}
	if err := s.write.PingContext(ctx); err != nil {
		_ = s.Close()
		return nil, &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "cannot open the database; check --database", Err: err}
	}
	if err := s.migrate(ctx); err != nil {
		_ = s.Close()
		return nil, &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "cannot bring the database up to date", Err: err}
	}
	return s, nil
}

// Close ends all connections.
func (s *Store) Close() error { return errors.Join(s.read.Close(), s.write.Close()) }

// Ready tells whether the database can be read and written: one that is full, or
// a copy of another, answers and is of no use.
func (s *Store) Ready(ctx context.Context) (err error) {
	ctx, end := bound(ctx, patience)
	defer end(&err)
	var at int64
	if err := s.read.QueryRowContext(ctx, `SELECT at FROM moments WHERE name = 'written'`).Scan(&at); err != nil {
		return fmt.Errorf("reading the database: %w", err)
	}
	if _, err := s.write.ExecContext(ctx, s.said(`UPDATE moments SET at = {now} WHERE name = 'written'`)); err != nil {
		return fmt.Errorf("writing to the database: %w", err)
	}
	return nil
}

// migrate runs what the database has not seen yet. Two programs that start at
// once do it one after the other.
func (s *Store) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	release, err := s.dialect.lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	var opts []goose.ProviderOption
	if s.dialect.goose == goose.DialectPostgres {
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return err
		}
		opts = append(opts, goose.WithSessionLocker(locker))
	}
	p, err := goose.NewProvider(s.dialect.goose, s.write, files, append(opts, goose.WithDisableGlobalRegistry(true))...)
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}

// within runs f in a transaction.
func (s *Store) within(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("asking the database: %w", err)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// said turns a statement into what this database understands.
func (s *Store) said(query string) string { return s.dialect.words.Replace(query) }

// moment is a time as the database has it: milliseconds.
func moment(ms sql.NullInt64) *time.Time {
	if !ms.Valid {
		return nil
	}
	t := time.UnixMilli(ms.Int64).UTC()
	return &t
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// likely is a text to look for, as LIKE wants it.
func likely(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(strings.ToLower(text)) + "%"
}
