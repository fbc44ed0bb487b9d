package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Retention bounds which ended jobs are kept. 0 is no limit.
type Retention struct {
	Age   time.Duration
	Bytes int64
}

// liveFor is how long live events are kept after the end of a job.
const liveFor = 10 * time.Minute

// maxForget is how many jobs are deleted at once.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxForget = 500

// Forget deletes ended jobs that are too old, or the oldest ones if all together
// are too large. Their files go first: remove is called with the id of each, and a
// job for which it fails is kept. It also runs when the database is full, because
// deleting files may free space for it.
func (s *Store) Forget(ctx context.Context, r Retention, remove func(id string) error) (int, error) {
	silent := s.forgetLive(ctx)
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

// forgetLive deletes live events of jobs that have ended.
func (s *Store) forgetLive(ctx context.Context) (err error) {
	ctx, end := bound(ctx, 4*queryTimeout)
	defer end(&err)
	if _, err := s.write.ExecContext(ctx, s.sql(`DELETE FROM live WHERE job IN
		(SELECT id FROM jobs WHERE ended IS NOT NULL AND ended < {now} - $1)`), liveFor.Milliseconds()); err != nil {
		return fmt.Errorf("deleting old jobs: %w", err)
	}
	return nil
}

func (s *Store) forget(ctx context.Context, id string) (err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	if _, err := s.write.ExecContext(ctx, s.sql(`DELETE FROM jobs WHERE id = $1 AND ended IS NOT NULL`), id); err != nil {
		return fmt.Errorf("deleting old jobs: %w", err)
	}
	return nil
}

func (s *Store) forgettable(ctx context.Context, r Retention) (ids []string, err error) {
	if r.Age <= 0 && r.Bytes <= 0 {
		return nil, nil
	}
	ctx, end := bound(ctx, 4*queryTimeout)
	defer end(&err)
	rows, err := s.read.QueryContext(ctx, s.sql(`SELECT id FROM (
			SELECT id, ended, SUM(bytes) OVER (ORDER BY ended DESC, id DESC) AS held FROM jobs WHERE ended IS NOT NULL
		) AS kept WHERE CAST($1 AS BIGINT) > 0 AND ended < {now} - $1 OR CAST($2 AS BIGINT) > 0 AND held > $2 ORDER BY ended LIMIT $3`),
		r.Age.Milliseconds(), r.Bytes, maxForget)
	if err != nil {
		return nil, fmt.Errorf("deleting old jobs: %w", err)
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

// Attempt is the number of the last attempt at a job, 0 if there is no such job.
// Files of earlier attempts, and of deleted jobs, can be removed.
func (s *Store) Attempt(ctx context.Context, id string) (n int, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	err = s.read.QueryRowContext(ctx, s.sql(`SELECT attempt FROM jobs WHERE id = $1`), id).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

// Needed tells whether an uploaded archive belongs to a job that has not ended.
// To assess it again later, it has to be uploaded again.
func (s *Store) Needed(ctx context.Context, archive string) (needed bool, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	n := 0
	err = s.read.QueryRowContext(ctx, s.sql(`SELECT COUNT(*) FROM jobs WHERE archive <> '' AND archive = $1 AND state IN ('queued', 'running')`), archive).Scan(&n)
	return n > 0, err
}
