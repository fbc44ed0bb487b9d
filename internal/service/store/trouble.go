package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrNoRoom is returned if the disk of the database is full.
var ErrNoRoom = errors.New("the disk of the database is full")

// ErrGone is returned if the database does not answer. Callers may try again.
var ErrGone = errors.New("the database cannot be reached")

// queryTimeout bounds each query: a frozen database, or a broken network, would
// block for ever otherwise.
const queryTimeout = 10 * time.Second

// bound sets the timeout of a query. Call what it returns at the end: it marks
// errors of the database itself as [ErrNoRoom] or [ErrGone].
func bound(ctx context.Context, most time.Duration) (context.Context, func(*error)) {
	within, cancel := context.WithTimeout(ctx, most)
	return within, func(err *error) {
		late := within.Err() != nil
		cancel()
		if *err == nil || ctx.Err() != nil { // the caller does not wait any more
			return
		}
		why := trouble(*err)
		if late && errors.Is(*err, context.DeadlineExceeded) {
			why = ErrGone
		}
		if why != nil {
			*err = fmt.Errorf("%w: %w", why, *err)
		}
	}
}

// trouble tells whether an error is a failure of the database itself.
func trouble(err error) error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return troubleOfFile(e.Code())
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return troubleOfServer(e.Code)
	}
	// The driver reports broken connections in many ways.
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[net.Error](err)
	if connecting || network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || strings.Contains(err.Error(), "conn closed") {
		return ErrGone
	}
	return nil
}

// troubleOfFile classifies a result code of SQLite by its low byte.
func troubleOfFile(code int) error {
	switch code & 0xff {
	case sqlite3.SQLITE_FULL:
		return ErrNoRoom
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL:
		if code == sqlite3.SQLITE_IOERR_SHMSIZE { // the index of the log cannot grow
			return ErrNoRoom
		}
		return ErrGone
	}
	return nil
}

// troubleOfServer classifies an error code of PostgreSQL by its first two
// characters.
func troubleOfServer(code string) error {
	switch {
	case code == "53100": // disk_full
		return ErrNoRoom
	case code == "25006": // the server became a read-only replica
		return ErrGone
	case len(code) == 5 && slices.Contains([]string{"08", "53", "57", "58"}, code[:2]): // connection, resources, operator, system
		return ErrGone
	}
	return nil
}
