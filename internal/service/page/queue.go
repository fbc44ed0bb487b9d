package page

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// How many jobs of each kind are shown, and how often the store is read.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const (
	maxQueued = 30
	maxEnded  = 8
	queuePoll = time.Second
)

// queueView is the running, queued and recent jobs of a project.
type queueView struct {
	Running []card `json:"running"`
	Waiting []card `json:"waiting"`
	Ended   []card `json:"ended"`
	// More is set if more are queued than shown.
	More bool `json:"more"`
}

// card is a job in a list. Its texts are escaped.
type card struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	State   string `json:"state"`
	Percent int    `json:"percent"`
	Step    string `json:"step"`
	Text    string `json:"text"`
	// Level and Verdict are set for a job that is done.
	Level   string `json:"level,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Score   int    `json:"score"`
	Limited bool   `json:"limited,omitempty"`
	// Since is when it was submitted, started or ended.
	Since *moment `json:"since,omitempty"`
}

func cardOf(j *job.Job) card {
	c := card{
		ID: j.ID, Title: titleOf(j), State: string(j.State), Percent: min(max(j.Progress.Percent, 0), 100),
		Step: line(j.Progress.Step, 40), Text: line(j.Progress.Text, maxName), Since: at(&j.Created),
	}
	if j.Cancelling {
		c.Step, c.Text = "cancelling", ""
	}
	switch {
	case j.State == job.Running:
		c.Since = at(j.Started)
	case j.State.Ended():
		c.Since = at(j.Ended)
	}
	if r := j.Result; r != nil {
		c.Level, c.Verdict, c.Score = level(r.Band), line(string(r.Band), maxBand), r.Score
		c.Limited = r.Limited()
	}
	return c
}

// queues caches the queues for a moment: many pages may be open.
type queues struct {
	store *store.Store
	mu    sync.Mutex
	cache map[string]cachedQueue
}

type cachedQueue struct {
	at   time.Time
	view *queueView
}

func newQueues(s *store.Store) *queues { return &queues{store: s, cache: map[string]cachedQueue{}} }

// of is the queue of a project, at most half a poll interval old.
func (q *queues) of(ctx context.Context, project string) (*queueView, error) {
	q.mu.Lock()
	old, ok := q.cache[project]
	q.mu.Unlock()
	if now := time.Now(); ok && now.Sub(old.at) < queuePoll/2 && now.After(old.at) {
		return old.view, nil
	}
	view, err := q.load(ctx, project)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cache[project] = cachedQueue{time.Now(), view}
	return view, nil
}

func (q *queues) load(ctx context.Context, project string) (*queueView, error) {
	view := &queueView{Running: []card{}, Waiting: []card{}, Ended: []card{}}
	for state, list := range map[job.State]*[]card{job.Running: &view.Running, job.Queued: &view.Waiting} {
		jobs, err := q.store.Jobs(ctx, project, &store.Filter{State: state, Limit: maxQueued + 1})
		if err != nil {
			return nil, err
		}
		if len(jobs) > maxQueued {
			jobs, view.More = jobs[:maxQueued], true
		}
		for i := range jobs {
			*list = append(*list, cardOf(&jobs[i]))
		}
	}
	recent, err := q.store.Jobs(ctx, project, &store.Filter{Limit: maxQueued})
	if err != nil {
		return nil, err
	}
	for i := range recent {
		if recent[i].State.Ended() && len(view.Ended) < maxEnded {
			view.Ended = append(view.Ended, cardOf(&recent[i]))
		}
	}
	return view, nil
}

// watchQueue streams changes of the queue to the script.
func (p *pages) watchQueue(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	return p.api.Streams.Poll(w, r, k, "queue", queuePoll, func(ctx context.Context) ([]byte, error) {
		view, err := p.queues.of(ctx, k.Project)
		if err != nil {
			return nil, err
		}
		return json.Marshal(view)
	})
}
