package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// Tell adds lines to the live events of a running job. If it fails, the lines may
// have been stored all the same: sending the same lines again is always right.
func (s *Store) Tell(ctx context.Context, c *Claim, lines []byte) (err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	done, err := s.write.ExecContext(ctx, s.sql(`INSERT INTO live (job, attempt, part, lines)
		SELECT id, attempt, CAST($3 AS BIGINT), CAST($4 AS {blob}) FROM jobs WHERE id = $1 AND attempt = $2 AND state = 'running'
		ON CONFLICT (job, attempt, part) DO UPDATE SET lines = excluded.lines`),
		c.Job.ID, c.Job.Attempt, c.parts+1, lines)
	if err != nil {
		return fmt.Errorf("storing live events: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrLost)
	}
	c.parts++
	return nil
}

// Place is a position in the live events of a job.
type Place struct {
	Attempt int
	Part    int64
}

// maxParts is how many parts are returned at once.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxParts = 64

// Told returns the live events of a job after a place, and the place to go on
// from. A new attempt begins at the start.
func (s *Store) Told(ctx context.Context, j *job.Job, since Place) (told [][]byte, place Place, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	if j.Attempt != since.Attempt {
		since = Place{Attempt: j.Attempt}
	}
	rows, err := s.read.QueryContext(ctx, s.sql(`SELECT part, lines FROM live WHERE job = $1 AND attempt = $2 AND part > $3 ORDER BY part LIMIT $4`),
		j.ID, since.Attempt, since.Part, maxParts)
	if err != nil {
		return nil, since, fmt.Errorf("reading live events: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var lines []byte
		if err := rows.Scan(&since.Part, &lines); err != nil {
			return nil, since, err
		}
		told = append(told, lines)
	}
	return told, since, rows.Err()
}
