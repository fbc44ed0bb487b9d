package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// New is a job to be queued.
type New struct {
	// ID is from [job.NewID].
	ID       string
	Project  string
	Request  job.Request // as it is shown
	Priority int
	// EncryptedEnv are the values of environment variables, encrypted by package
	// secretbox. The column of the database is called sealed.
	EncryptedEnv []byte
	// Same is equal for requests that have the same result.
	Same string
	// Force ignores cached results.
	Force bool
	// Fresh is how old a shared result may be if the source is not pinned.
	Fresh time.Duration
	// Idempotency is the client's Idempotency-Key, Asked the digest of the
	// request; "" if there is none.
	Idempotency, Asked string
	// Trace is the traceparent of the request, "" if it has none.
	Trace string
	// Waiting bounds the queue of a project; 0 is no limit.
	Waiting int
}

// ErrConflict is returned if an Idempotency-Key was used for another request.
var ErrConflict = errors.New("the idempotency key was used for another request")

// ErrFull is returned if too many jobs of a project are queued.
var ErrFull = errors.New("the queue of the project is full")

// Add queues a job, unless an earlier one has the result: that is returned then,
// and shared is set.
func (s *Store) Add(ctx context.Context, n *New) (j *job.Job, shared bool, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	request, err := json.Marshal(&n.Request)
	if err != nil {
		return nil, false, err
	}
	found := n.ID
	err = s.within(ctx, func(tx *sql.Tx) error {
		if err := s.enter(ctx, tx, n.Project); err != nil {
			return err
		}
		earlier, err := s.earlier(ctx, tx, n)
		if err != nil || earlier != "" {
			found, shared = earlier, true
			return err
		}
		return s.insert(ctx, tx, n, string(request))
	})
	if err != nil {
		return nil, false, err
	}
	j, err = s.Job(ctx, n.Project, found)
	return j, shared, err
}

// enter creates the project and locks it for this transaction: two equal requests
// at the same time become one job.
func (s *Store) enter(ctx context.Context, tx *sql.Tx, project string) error {
	if _, err := tx.ExecContext(ctx, s.sql(`INSERT INTO projects (name) VALUES ($1) ON CONFLICT (name) DO NOTHING`), project); err != nil {
		return err
	}
	var name string
	return tx.QueryRowContext(ctx, s.sql(`SELECT name FROM projects WHERE name = $1 {lock}`), project).Scan(&name)
}

// earlier finds a job whose result answers the request, "" if there is none.
func (s *Store) earlier(ctx context.Context, tx *sql.Tx, n *New) (string, error) {
	var id, asked string
	if n.Idempotency != "" {
		err := tx.QueryRowContext(ctx, s.sql(`SELECT id, asked FROM jobs WHERE project = $1 AND idempotency = $2`), n.Project, n.Idempotency).Scan(&id, &asked)
		switch {
		case err == nil && asked != n.Asked:
			return "", ErrConflict
		case err == nil, !errors.Is(err, sql.ErrNoRows):
			return id, err
		}
	}
	if n.Force || n.Same == "" {
		return "", nil
	}
	err := tx.QueryRowContext(ctx, s.sql(`SELECT id FROM jobs WHERE project = $1 AND same = $2 AND cancelling = 0
		AND (state IN ('queued', 'running') OR state = 'done' AND band <> 'INCONCLUSIVE' AND (pinned = 1 OR ended > {now} - $3))
		ORDER BY id DESC LIMIT 1`), n.Project, n.Same, n.Fresh.Milliseconds()).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

func (s *Store) insert(ctx context.Context, tx *sql.Tx, n *New, request string) error {
	if n.Waiting > 0 {
		var waiting int
		if err := tx.QueryRowContext(ctx, s.sql(`SELECT COUNT(*) FROM (SELECT 1 FROM jobs WHERE project = $1 AND state = 'queued' LIMIT $2) AS w`), n.Project, n.Waiting).Scan(&waiting); err != nil {
			return err
		}
		if waiting >= n.Waiting {
			return ErrFull
		}
	}
	source := n.Request.Source
	if source == "" {
		source = n.Request.ArchiveName
	}
	var name, asked sql.NullString
	if n.Idempotency != "" {
		name, asked = sql.NullString{String: n.Idempotency, Valid: true}, sql.NullString{String: n.Asked, Valid: true}
	}
	_, err := tx.ExecContext(ctx, s.sql(`INSERT INTO jobs
		(id, project, state, priority, source, request, sealed, same, pinned, idempotency, asked, created, due, words, archive, trace)
		VALUES ($1, $2, 'queued', $3, $4, $5, $6, $7, $8, $9, $10, {now}, {now}, $11, $12, $13)`),
		n.ID, n.Project, n.Priority, source, request, n.EncryptedEnv, n.Same, flag(n.Request.Pinned()), name, asked, strings.ToLower(source), n.Request.Archive, n.Trace)
	return err
}

// Cancel cancels a queued job, and asks the worker of a running one to stop. A job
// that has ended stays as it is.
func (s *Store) Cancel(ctx context.Context, project, id string) (j *job.Job, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	_, err = s.write.ExecContext(ctx, s.sql(`UPDATE jobs SET cancelling = 1,
		state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END,
		ended = CASE WHEN state = 'queued' THEN {now} ELSE ended END,
		sealed = CASE WHEN state = 'queued' THEN NULL ELSE sealed END
		WHERE project = $1 AND id = $2 AND state IN ('queued', 'running')`), project, id)
	if err != nil {
		return nil, fmt.Errorf("cancelling: %w", err)
	}
	return s.Job(ctx, project, id)
}
