package advisory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/advisory/osv"
)

// gap: advisories
const (
	// batchSize is how many queries the server accepts at once.
	batchSize = 1000
	// maxPages bounds the pages of one query, maxIDs its records.
	maxPages = 50
	maxIDs   = 20_000
	// maxAnswer and maxOneRecord bound the size of an answer.
	maxAnswer    = 32 << 20
	maxOneRecord = 16 << 20
	// parallel is how many records are fetched at once.
	parallel = 8
	// maxFailures is the number of failed fetches after which we give up,
	// maxTotal the total size of all records.
	maxFailures = 20
	maxTotal    = 512 << 20
)

// wireQuery is one query in the server's format.
type wireQuery struct {
	Package   wirePackage `json:"package"`
	Version   string      `json:"version,omitempty"`
	PageToken string      `json:"page_token,omitempty"`
}

type wirePackage struct {
	Ecosystem string `json:"ecosystem"`
	Name      string `json:"name"`
}

type wireAnswers struct {
	Results []struct {
		Vulns []struct {
			ID string `json:"id"`
		} `json:"vulns"`
		NextPageToken string `json:"next_page_token"`
	} `json:"results"`
}

// usableID matches ids that may be put into a URL.
var usableID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$`)

// open is a query with another page of answers.
type open struct {
	*question

	token string
}

// ask fills in the ids. A query that is not done when it returns was not
// answered.
func (o *Online) ask(ctx context.Context, questions []*question) error {
	next := make([]open, len(questions))
	for i, q := range questions {
		next[i].question = q
	}
	for page := 0; len(next) > 0 && page < maxPages; page++ {
		var more []open
		for batch := range slices.Chunk(next, batchSize) {
			left, err := o.batch(ctx, batch)
			if err != nil {
				return err
			}
			more = append(more, left...)
		}
		next = more
	}
	if len(next) > 0 {
		return fmt.Errorf("it has more than %d pages of answers about %s", maxPages, next[0].pkg.Name)
	}
	return nil
}

// batch sends one batch and returns the queries with another page.
func (o *Online) batch(ctx context.Context, batch []open) (more []open, err error) {
	answers, err := o.send(ctx, batch)
	if err != nil {
		return nil, err
	}
	for i, r := range answers.Results {
		q, broken := batch[i], false
		for _, v := range r.Vulns {
			if !usableID.MatchString(v.ID) || len(q.ids) == maxIDs {
				broken = true
				continue
			}
			q.ids = append(q.ids, v.ID)
		}
		switch {
		case broken: // a completed query is fully answered
		case r.NextPageToken == "":
			q.done = true
		default:
			more = append(more, open{q.question, r.NextPageToken})
		}
	}
	return more, nil
}

// send sends queries to the server and returns as many answers.
func (o *Online) send(ctx context.Context, batch []open) (answers wireAnswers, err error) {
	queries := make([]wireQuery, len(batch))
	for i, q := range batch {
		queries[i] = wireQuery{Package: wirePackage{q.pkg.Ecosystem(), q.pkg.Name}, PageToken: q.token}
		if q.pkg.Sure() {
			queries[i].Version = q.pkg.Version()
		}
	}
	body, err := json.Marshal(map[string]any{"queries": queries})
	if err != nil {
		return answers, fmt.Errorf("writing the questions: %w", err)
	}
	data, err := o.exchange(ctx, http.MethodPost, o.base.JoinPath("v1", "querybatch"), body, maxAnswer)
	if err != nil {
		return answers, err
	}
	if err := json.Unmarshal(data, &answers); err != nil {
		return answers, errors.New("it does not answer with what such a server answers")
	}
	if len(answers.Results) != len(batch) {
		return answers, fmt.Errorf("it has %d answers to %d questions", len(answers.Results), len(batch))
	}
	return answers, nil
}

// fetched collects records.
type fetched struct {
	mu      sync.Mutex
	records map[string]*osv.Record
	bytes   int64
	// first is the first error, failures the number of missing records.
	first    error
	failures int
}

func (f *fetched) add(id string, r *osv.Record, size int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.failures++
		if f.first == nil {
			f.first = err
		}
		return
	}
	f.records[id] = r
	f.bytes += int64(size)
}

// enough reports that the server failed too often or sent too much, so that no
// more is requested.
func (f *fetched) enough() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.failures >= maxFailures:
		return fmt.Errorf("it failed %d times", f.failures)
	case f.bytes > maxTotal:
		return fmt.Errorf("its records have more than %d MiB", maxTotal>>20)
	}
	return nil
}

// records fetches the records of the ids. Those that could not be fetched or
// read are left out; the error is the first reason.
func (o *Online) records(ctx context.Context, questions []*question) (map[string]*osv.Record, error) {
	var ids []string
	for _, q := range questions {
		slices.Sort(q.ids)
		q.ids = slices.Compact(q.ids)
		ids = append(ids, q.ids...)
	}
	slices.Sort(ids)
	all := &fetched{records: map[string]*osv.Record{}}
	var group errgroup.Group
	group.SetLimit(parallel)
	for _, id := range slices.Compact(ids) {
		group.Go(func() error {
			if err := all.enough(); err != nil {
				all.add(id, nil, 0, err)
				return nil
			}
			r, size, err := o.record(ctx, id)
			all.add(id, r, size, err)
			return nil
		})
	}
	_ = group.Wait() // errors are collected, not returned
	return all.records, all.first
}

func (o *Online) record(ctx context.Context, id string) (r *osv.Record, size int, err error) {
	data, err := o.exchange(ctx, http.MethodGet, o.base.JoinPath("v1", "vulns", url.PathEscape(id)), nil, maxOneRecord)
	if err != nil {
		return nil, 0, err
	}
	if r, err = osv.Decode(data); err != nil {
		return nil, 0, fmt.Errorf("its record %s cannot be read: %w", id, err)
	}
	if r.ID != id {
		return nil, 0, fmt.Errorf("it answers with another record than %s", id)
	}
	return r, len(data), nil
}
