package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

const columns = `id, project, state, priority, request, created, started, ended, attempt, worker, cancelling,
	percent, step, detail, name, version, digest, band, score, findings, tool, bytes, problem, message, confidence`

// Job returns one job of a project.
func (s *Store) Job(ctx context.Context, project, id string) (j *job.Job, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	row := s.read.QueryRowContext(ctx, s.sql(`SELECT `+columns+` FROM jobs WHERE project = $1 AND id = $2`), project, id)
	j, err = scanJob(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	}
	return j, err
}

// Filter selects jobs. Empty fields match all.
type Filter struct {
	State job.State
	Band  mcpsf.Band
	// Text is a part of the source or the name.
	Text string
	// Name is the full name of the package.
	Name string
	// Before is the last id of the previous page.
	Before string
	Limit  int
}

// maxPage is how many jobs a page has at most.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxPage = 200

// Jobs returns jobs of a project, newest first.
func (s *Store) Jobs(ctx context.Context, project string, f *Filter) (jobs []job.Job, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	where, args := []string{"project = $1"}, []any{project}
	add := func(condition string, arg any) {
		args = append(args, arg)
		where = append(where, fmt.Sprintf(condition, len(args)))
	}
	if f.State != "" {
		add("state = $%d", string(f.State))
	}
	if f.Band != "" {
		add("band = $%d", string(f.Band))
	}
	if f.Text != "" {
		add(`words LIKE $%d ESCAPE '\'`, likely(f.Text))
	}
	if f.Name != "" {
		add("name <> '' AND name = $%d", f.Name)
	}
	if f.Before != "" {
		add("id < $%d", f.Before)
	}
	limit := f.Limit
	if limit <= 0 || limit > maxPage {
		limit = maxPage
	}
	args = append(args, limit)
	rows, err := s.read.QueryContext(ctx, s.sql(fmt.Sprintf(`SELECT %s FROM jobs WHERE %s ORDER BY id DESC LIMIT $%d`,
		columns, strings.Join(where, " AND "), len(args))), args...)
	if err != nil {
		return nil, fmt.Errorf("listing jobs: %w", err)
	}
	defer rows.Close()
	jobs = []job.Job{}
	for rows.Next() {
		j, err := scanJob(rows.Scan)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, *j)
	}
	return jobs, rows.Err()
}

func scanJob(scan func(...any) error) (*job.Job, error) {
	var j job.Job
	var request, problem, message string
	var created int64
	var started, ended sql.NullInt64
	var result job.Result
	err := scan(&j.ID, &j.Project, &j.State, &j.Priority, &request, &created, &started, &ended, &j.Attempt, &j.Worker, &j.Cancelling,
		&j.Progress.Percent, &j.Progress.Step, &j.Progress.Text, &result.Name, &result.Version, &result.Digest, &result.Band,
		&result.Score, &result.Findings, &result.Tool, &result.Bytes, &problem, &message, &result.Confidence)
	if err != nil {
		return nil, err
	}
	j.Created, j.Started, j.Ended = time.UnixMilli(created).UTC(), moment(started), moment(ended)
	if j.State.Ended() {
		j.Cancelling = false
	}
	if j.State == job.Done {
		j.Result = &result
	}
	if problem != "" {
		j.Problem = &job.Problem{Code: mcpsf.Code(problem), Message: message}
	}
	return &j, json.Unmarshal([]byte(request), &j.Request)
}

// Counts returns how many jobs all projects have, by state.
func (s *Store) Counts(ctx context.Context) (counts map[job.State]int, err error) {
	ctx, end := bound(ctx, queryTimeout)
	defer end(&err)
	counts = map[job.State]int{}
	rows, err := s.read.QueryContext(ctx, `SELECT state, COUNT(*) FROM jobs GROUP BY state`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var state job.State
		var n int
		if err := rows.Scan(&state, &n); err != nil {
			return nil, err
		}
		counts[state] = n
	}
	return counts, rows.Err()
}
