package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// Claim is a job that a worker has leased.
type Claim struct {
	Job job.Job
	// EncryptedEnv are the values of environment variables.
	EncryptedEnv []byte
	// Trace is the traceparent of the submission.
	Trace string
	// Crashes is how often its process crashed.
	Crashes int
	// parts counts the parts of live events.
	parts int64
}

// Claim leases the next job to a worker, nil if none is queued. Projects with the
// fewest running jobs go first, then those that have waited longest; within a
// project priority decides, then age.
func (s *Store) Claim(ctx context.Context, worker string, lease time.Duration) (c *Claim, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	err = s.within(ctx, func(tx *sql.Tx) error {
		var project, id string
		// SQLite turns EXISTS into a join over all queued jobs, and without an order
		// it may scan all that have ended.
		err := tx.QueryRowContext(ctx, s.sql(`SELECT p.name FROM projects p
			WHERE (SELECT 1 FROM jobs q WHERE q.project = p.name AND q.state = 'queued' AND q.due <= {now} ORDER BY q.priority DESC, q.created, q.id LIMIT 1) = 1
			ORDER BY (SELECT COUNT(*) FROM jobs r WHERE r.project = p.name AND r.state = 'running'), p.served, p.name LIMIT 1`)).Scan(&project)
		if err != nil {
			return err
		}
		err = tx.QueryRowContext(ctx, s.sql(`SELECT id FROM jobs WHERE project = $1 AND state = 'queued' AND due <= {now}
			ORDER BY priority DESC, created, id LIMIT 1 {skip}`), project).Scan(&id)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, s.sql(`UPDATE projects SET served = {now} WHERE name = $1`), project); err != nil {
			return err
		}
		row := tx.QueryRowContext(ctx, s.sql(`UPDATE jobs SET state = 'running', attempt = attempt + 1, worker = $2, lease = {now} + $3,
			started = {now}, percent = 0, step = '', detail = '' WHERE id = $1 RETURNING `+columns), id, worker, lease.Milliseconds())
		j, err := scanJob(row.Scan)
		if err != nil {
			return err
		}
		c = &Claim{Job: *j}
		return tx.QueryRowContext(ctx, s.sql(`SELECT sealed, crashes, trace FROM jobs WHERE id = $1`), id).Scan(&c.EncryptedEnv, &c.Crashes, &c.Trace)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("claiming a job: %w", err)
	}
	return c, nil
}

// Renew extends the lease and stores the progress. It returns whether the job is
// to be cancelled, and [ErrLost] if the lease was lost.
func (s *Store) Renew(ctx context.Context, c *Claim, p job.Progress, lease time.Duration) (cancel bool, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	err = s.write.QueryRowContext(ctx, s.sql(`UPDATE jobs SET lease = {now} + $3, percent = $4, step = $5, detail = $6
		WHERE id = $1 AND state = 'running' AND attempt = $2 RETURNING cancelling`),
		c.Job.ID, c.Job.Attempt, lease.Milliseconds(), p.Percent, p.Step, p.Text).Scan(&cancel)
	if errors.Is(err, sql.ErrNoRows) {
		return false, ErrLost
	}
	return cancel, err
}

// Outcome is how a job ended.
type Outcome struct {
	// State is a final one, or queued for another attempt.
	State   job.State
	Result  *job.Result
	Problem *job.Problem
	// Crashed says that the process of the job crashed; After is the wait before
	// the next attempt.
	Crashed bool
	After   time.Duration
}

// Finish ends a claim. Only one of all workers that ever had the job succeeds, the
// others get [ErrLost].
func (s *Store) Finish(ctx context.Context, c *Claim, o *Outcome) (err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	var r job.Result
	if o.Result != nil {
		r = *o.Result
	}
	var p job.Problem
	if o.Problem != nil {
		p = *o.Problem
	}
	ended := o.State.Ended()
	words := strings.ToLower(c.Job.Request.Source + " " + c.Job.Request.ArchiveName + " " + r.Name + " " + r.Version)
	done, err := s.write.ExecContext(ctx, s.sql(`UPDATE jobs SET state = $3, lease = 0, due = {now} + $4, crashes = crashes + $5,
		ended = CASE WHEN $6 = 1 THEN {now} ELSE NULL END, sealed = CASE WHEN $6 = 1 THEN NULL ELSE sealed END,
		percent = CASE WHEN $3 = 'done' THEN 100 ELSE percent END,
		name = $7, version = $8, digest = $9, band = $10, score = $11, findings = $12, tool = $13, bytes = $14,
		problem = $15, message = $16, words = $17, confidence = $18
		WHERE id = $1 AND state = 'running' AND attempt = $2`),
		c.Job.ID, c.Job.Attempt, string(o.State), o.After.Milliseconds(), flag(o.Crashed), flag(ended),
		r.Name, r.Version, r.Digest, string(r.Band), r.Score, r.Findings, r.Tool, r.Bytes, string(p.Code), p.Message, words, string(r.Confidence))
	if err != nil {
		return fmt.Errorf("ending a job: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrLost)
	}
	return nil
}

// Reaped counts jobs whose lease expired, by what was done with them.
type Reaped struct{ Requeued, Quarantined, Cancelled int64 }

// Reap takes back jobs whose lease has expired. A job that lost its worker so many
// times is quarantined.
//
// While the database is gone, no worker can renew a lease. All leases then begin
// again, because the workers may still be running their jobs. It is known to have
// been gone if nobody reaped for half a lease: all workers do so more often.
func (s *Store) Reap(ctx context.Context, tries int, lease time.Duration) (r Reaped, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	err = s.within(ctx, func(tx *sql.Tx) error {
		var last, now int64
		if err := tx.QueryRowContext(ctx, s.sql(`SELECT at, {now} FROM moments WHERE name = 'reaped' {lock}`)).Scan(&last, &now); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, s.sql(`UPDATE moments SET at = $1 WHERE name = 'reaped'`), now); err != nil {
			return err
		}
		if now-last > lease.Milliseconds()/2 {
			_, err := tx.ExecContext(ctx, s.sql(`UPDATE jobs SET lease = $1 WHERE state = 'running' AND lease < $1`), now+lease.Milliseconds())
			return err
		}
		return s.reap(ctx, tx, &r, tries, now)
	})
	if err != nil {
		return Reaped{}, fmt.Errorf("reaping expired leases: %w", err)
	}
	return r, nil
}

func (s *Store) reap(ctx context.Context, tx *sql.Tx, r *Reaped, tries int, now int64) error {
	for _, step := range []struct {
		count *int64
		query string
		args  []any
	}{
		{&r.Cancelled, `UPDATE jobs SET state = 'cancelled', ended = {now}, sealed = NULL
			WHERE state = 'running' AND lease < $1 AND cancelling = 1`, []any{now}},
		{&r.Quarantined, `UPDATE jobs SET state = 'quarantined', ended = {now}, sealed = NULL, crashes = crashes + 1,
			problem = 'internal', message = 'it took down what ran it, ' || CAST(crashes + 1 AS TEXT) || ' times'
			WHERE state = 'running' AND lease < $1 AND crashes + 1 >= $2`, []any{now, tries}},
		{&r.Requeued, `UPDATE jobs SET state = 'queued', due = {now}, crashes = crashes + 1, step = '', detail = '', percent = 0
			WHERE state = 'running' AND lease < $1`, []any{now}},
	} {
		done, err := tx.ExecContext(ctx, s.sql(step.query), step.args...)
		if err != nil {
			return err
		}
		if *step.count, err = done.RowsAffected(); err != nil {
			return err
		}
	}
	return nil
}
