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

// ErrNoRoom is returned if the database cannot grow.
var ErrNoRoom = errors.New("the database has no room left")

// ErrGone is returned if the database does not answer. It may be back at any
// moment.
var ErrGone = errors.New("the database cannot be reached")

// patience is how long the database has for an answer. One that is frozen, or
// behind a network that lost us, would be waited for without end.
const patience = 10 * time.Second

// bound gives a question its time. What it returns is for the end of it: it
// marks an error that is the database's own as [ErrNoRoom] or [ErrGone].
func bound(ctx context.Context, most time.Duration) (context.Context, func(*error)) {
	within, cancel := context.WithTimeout(ctx, most)
	return within, func(err *error) {
		late := within.Err() != nil
		cancel()
		if *err == nil || ctx.Err() != nil { // nobody waits for it any more
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

// trouble tells whether an error is the database's own.
func trouble(err error) error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return troubleOfFile(e.Code())
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return troubleOfServer(e.Code)
	}
	// The driver tells of connections that broke in many ways.
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[net.Error](err)
	if connecting || network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || strings.Contains(err.Error(), "conn closed") {
		return ErrGone
	}
	return nil
}

// troubleOfFile goes by a result code of SQLite, whose low byte says what it is.
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

// troubleOfServer goes by an error code of PostgreSQL, whose first two letters
// say what it is.
func troubleOfServer(code string) error {
	switch {
	case code == "53100": // disk_full
		return ErrNoRoom
	case code == "25006": // read_only_sql_transaction: another server is the first one now
		return ErrGone
	case len(code) == 5 && slices.Contains([]string{"08", "53", "57", "58"}, code[:2]): // connection, resources, operator, system
		return ErrGone
	}
	return nil
}
