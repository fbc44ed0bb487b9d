// Package store keeps jobs and keys in a database, which is also the queue: a job,
// its place in the queue, its worker and its result are one row, so that they
// cannot disagree.
//
// In: jobs to add, claims and outcomes of workers, keys, filters of lists.
//
// Out: the next job for a worker, jobs of one project, live events, keys.
//
// Never: return a job of another project; give one job to two workers; use the
// clock of the machine. All times are the database's, so the clocks of machines
// that share it need not agree.
//
// The database is a SQLite file or PostgreSQL. Both get the same statements;
// engine.go has the differences.
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

// ErrNotFound is returned for a job or key that does not exist, or belongs to
// another project.
var ErrNotFound = errors.New("no such job or key")

// ErrLost is returned to a worker that has lost the lease of its job.
var ErrLost = errors.New("the lease of the job was lost, or the job has ended")

// Store is safe for use by many goroutines and, on the same database, by many
// processes.
type Store struct {
	// read and write may be the same. SQLite allows one writer at a time: waiting
	// for the one connection is better than an error that the file is busy.
	read, write *sql.DB
	engine      engine
}

// Open connects to a database and migrates it: postgres://… or the path of a
// SQLite file, which is created if it does not exist.
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
		return nil, &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "cannot migrate the database", Err: err}
	}
	return s, nil
}

// Close closes all connections.
func (s *Store) Close() error { return errors.Join(s.read.Close(), s.write.Close()) }

// Ready tests that the database can be read and written. A full database, or a
// read-only replica, fails.
func (s *Store) Ready(ctx context.Context) (err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	var at int64
	if err := s.read.QueryRowContext(ctx, `SELECT at FROM moments WHERE name = 'written'`).Scan(&at); err != nil {
		return fmt.Errorf("reading the database: %w", err)
	}
	if _, err := s.write.ExecContext(ctx, s.sql(`UPDATE moments SET at = {now} WHERE name = 'written'`)); err != nil {
		return fmt.Errorf("writing to the database: %w", err)
	}
	return nil
}

// migrate runs migrations that the database has not had. Two processes that start
// at once do it one after the other.
func (s *Store) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	release, err := s.engine.lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	var opts []goose.ProviderOption
	if s.engine.goose == goose.DialectPostgres {
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return err
		}
		opts = append(opts, goose.WithSessionLocker(locker))
	}
	p, err := goose.NewProvider(s.engine.goose, s.write, files, append(opts, goose.WithDisableGlobalRegistry(true))...)
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

// sql translates a statement for this database.
func (s *Store) sql(query string) string { return s.engine.words.Replace(query) }

// moment is a time as the database stores it: milliseconds.
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
