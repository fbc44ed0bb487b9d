package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Retention is what is kept of jobs that have ended. 0 keeps everything.
type Retention struct {
	Age   time.Duration
	Bytes int64
}

// listenFor is how long what a job told stays after its end.
const listenFor = 10 * time.Minute

// maxForget is how many jobs are forgotten at once.
const maxForget = 500

// Forget removes jobs that have ended and are older than is kept, or, of the
// oldest, as many as take more room than there is. Their files go first: remove
// is called with the id of each, and one that it fails for is kept. A database
// without room for anything else has some when files have gone, so that is
// tried all the same.
func (s *Store) Forget(ctx context.Context, r Retention, remove func(id string) error) (int, error) {
	silent := s.forgetTold(ctx)
	ids, err := s.forgettable(ctx, r)
	if err != nil {
		return 0, errors.Join(err, silent)
	}
	n := 0
	for _, id := range ids {
		if err := remove(id); err != nil {
			return n, errors.Join(err, silent)
		}
		if err := s.forget(ctx, id); err != nil {
			return n, errors.Join(err, silent)
		}
		n++
	}
	return n, silent
}

// forgetTold removes what jobs told that have ended.
func (s *Store) forgetTold(ctx context.Context) (err error) {
	ctx, end := bound(ctx, 4*patience)
	defer end(&err)
	if _, err := s.write.ExecContext(ctx, s.said(`DELETE FROM live WHERE job IN
		(SELECT id FROM jobs WHERE ended IS NOT NULL AND ended < {now} - $1)`), listenFor.Milliseconds()); err != nil {
		return fmt.Errorf("forgetting: %w", err)
	}
	return nil
}

func (s *Store) forget(ctx context.Context, id string) (err error) {
	ctx, end := bound(ctx, patience)
	defer end(&err)
	if _, err := s.write.ExecContext(ctx, s.said(`DELETE FROM jobs WHERE id = $1 AND ended IS NOT NULL`), id); err != nil {
		return fmt.Errorf("forgetting: %w", err)
	}
	return nil
}

func (s *Store) forgettable(ctx context.Context, r Retention) (ids []string, err error) {
	if r.Age <= 0 && r.Bytes <= 0 {
		return nil, nil
	}
	ctx, end := bound(ctx, 4*patience)
	defer end(&err)
	rows, err := s.read.QueryContext(ctx, s.said(`SELECT id FROM (
			SELECT id, ended, SUM(bytes) OVER (ORDER BY ended DESC, id DESC) AS held FROM jobs WHERE ended IS NOT NULL
		) AS kept WHERE CAST($1 AS BIGINT) > 0 AND ended < {now} - $1 OR CAST($2 AS BIGINT) > 0 AND held > $2 ORDER BY ended LIMIT $3`),
		r.Age.Milliseconds(), r.Bytes, maxForget)
	if err != nil {
		return nil, fmt.Errorf("forgetting: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// Attempt is the number of the last attempt at a job, 0 if it is not there. Files
// of earlier ones, and of jobs that are gone, are nobody's.
func (s *Store) Attempt(ctx context.Context, id string) (n int, err error) {
	ctx, end := bound(ctx, patience)
	defer end(&err)
	err = s.read.QueryRowContext(ctx, s.said(`SELECT attempt FROM jobs WHERE id = $1`), id).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

// Needed tells whether a job is still to be done that something was uploaded for.
// Whoever wants one that has ended to be done again uploads it again.
func (s *Store) Needed(ctx context.Context, archive string) (needed bool, err error) {
	ctx, end := bound(ctx, patience)
	defer end(&err)
	n := 0
	err = s.read.QueryRowContext(ctx, s.said(`SELECT COUNT(*) FROM jobs WHERE archive <> '' AND archive = $1 AND state IN ('queued', 'running')`), archive).Scan(&n)
	return n > 0, err
}
