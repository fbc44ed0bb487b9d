package store

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"golang.org/x/sys/unix"
	_ "modernc.org/sqlite" // database/sql's driver for SQLite

	"github.com/mcpsf/mcpsf"
)

// connections is the size of the pool to PostgreSQL, or for reading a SQLite
// file.
const connections = 8

// connecting is the connect timeout of PostgreSQL.
const connecting = 5 * time.Second

// engine is what differs between the databases.
type engine struct {
	goose goose.Dialect
	words *strings.Replacer
	// lock prevents concurrent migrations if the migration tool does not.
	lock func(context.Context) (func(), error)
}

func connect(database string) (*Store, error) {
	if strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://") {
		return connectPostgres(database)
	}
	if strings.Contains(database, "://") {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "--database must be postgres://… or the path of a file"}
	}
	return connectSQLite(database)
}

func connectPostgres(database string) (*Store, error) {
	config, err := pgx.ParseConfig(database)
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "--database is no address of a PostgreSQL database", Err: err}
	}
	if config.ConnectTimeout == 0 { // unless the URL sets it
		config.ConnectTimeout = connecting
	}
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(func(ctx context.Context, c *pgx.Conn) error {
		// A client that disappears in the middle of a transaction would hold its
		// locks for hours.
		_, err := c.Exec(ctx, fmt.Sprintf("SET idle_in_transaction_session_timeout = %d", 2*queryTimeout.Milliseconds()))
		return err
	}))
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return &Store{read: db, write: db, engine: engine{
		goose: goose.DialectPostgres,
		words: strings.NewReplacer(
			"{now}", "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
			"{lock}", "FOR UPDATE", "{blob}", "BYTEA",
			"{skip}", "FOR UPDATE SKIP LOCKED",
		),
		lock: func(context.Context) (func(), error) { return func() {}, nil }, // goose locks itself
	}}, nil
}

func connectSQLite(path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "cannot make the directory of the database", Err: err}
	}
	write, err := openSQLite(path, "immediate", 1)
	if err != nil {
		return nil, err
	}
	read, err := openSQLite(path, "deferred", connections)
	if err != nil {
		_ = write.Close()
		return nil, err
	}
	return &Store{read: read, write: write, engine: engine{
		goose: goose.DialectSQLite3,
		words: strings.NewReplacer(
			"$", "?",
			"{now}", "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
			"{blob}", "BLOB", "{lock}", "", "{skip}", "", // one transaction writes at a time
		),
		lock: func(context.Context) (func(), error) { return lockFile(path + ".lock") },
	}}, nil
}

func openSQLite(path, begin string, most int) (*sql.DB, error) {
	settings := url.Values{"_txlock": {begin}, "_pragma": {
		"busy_timeout(9000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)",
	}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: settings.Encode()}).String())
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

// lockFile waits for an exclusive lock of the file.
func lockFile(path string) (func(), error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}
