package session

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"github.com/mcpsf/mcpsf"
)

const (
	// taskLife is how long the server is to keep a task.
	taskLife = time.Minute
	// maxPolls is how often a task is asked for, and maxTasks how many tools
	// are tried as tasks.
	maxPolls, maxTasks = 10, 3
	maxTaskID          = 1 << 10
	// The time between two looks at a task, unless the server says another.
	usualPoll, fastestPoll, slowestPoll = 300 * time.Millisecond, 50 * time.Millisecond, 2 * time.Second
)

// taskOffer is what a server says of tasks: calls whose results are fetched
// later.
type taskOffer struct {
	List     json.RawMessage `json:"list"`
	Cancel   json.RawMessage `json:"cancel"`
	Requests struct {
		Tools struct {
			Call json.RawMessage `json:"call"`
		} `json:"tools"`
	} `json:"requests"`
}

// taskSupport is what a tool says of being called as a task: "required",
// "optional", "forbidden", or nothing.
func taskSupport(tool *mcpsf.Tool) string {
	var t struct {
		Execution struct {
			Support json.RawMessage `json:"taskSupport"`
		} `json:"execution"`
	}
	if json.Unmarshal(tool.Raw, &t) != nil {
		return ""
	}
	support, _ := asString(t.Execution.Support)
	return support
}

// onlyAsTask tells whether a tool wants to be called as a task and not
// otherwise.
func (s *session) onlyAsTask(tool *mcpsf.Tool) bool {
	o := s.offered().Tasks
	return o.forCalls() && s.hasSessions() && taskSupport(tool) == "required"
}

func (o *taskOffer) forCalls() bool { return o != nil && isObject(o.Requests.Tools.Call) }

// useTasks calls some tools as tasks that need not be, and calls one off.
func (s *session) useTasks(ctx context.Context, o *taskOffer) error {
	if !o.forCalls() || !s.hasSessions() {
		return nil
	}
	tried := 0
	for i := range s.out.Tools {
		support := taskSupport(&s.out.Tools[i])
		if support != "required" && support != "optional" || tried == maxTasks || !s.callable(&s.out.Tools[i]) {
			continue
		}
		tried++
		r, err := s.toolRequest(i, 0)
		if err == nil && support == "optional" {
			err = s.callAsTask(ctx, r)
		}
		if err == nil && tried == 1 && isObject(o.Cancel) {
			err = s.dropTask(ctx, r)
		}
		if err != nil {
			return err
		}
	}
	if isObject(o.List) {
		return s.use(ctx, "tasks/list", map[string]any{})
	}
	return nil
}

// callAsTask makes a call as a task and follows it to its end.
func (s *session) callAsTask(ctx context.Context, r request) error {
	id, err := s.startTask(ctx, r)
	if err != nil || id == "" {
		return err
	}
	return s.followTask(ctx, id)
}

// startTask makes a call as a task. The id is "" if there is none.
func (s *session) startTask(ctx context.Context, r request) (string, error) {
	params, _ := r.params.(map[string]any)
	params = maps.Clone(params)
	params["task"] = map[string]any{"ttl": taskLife.Milliseconds()}
	r.params, r.note = params, "as a task"
	raw, err := s.ask(ctx, r)
	if err != nil || raw == nil {
		return "", err
	}
	var made struct {
		Task taskState `json:"task"`
	}
	_ = json.Unmarshal(raw, &made) // what makes no sense has no id
	id := made.Task.id()
	if id == "" {
		s.note("answered a call that was to be a task without one")
	}
	return id, nil
}

// taskState is a task as the server tells it.
type taskState struct {
	ID     json.RawMessage `json:"taskId"`
	Status json.RawMessage `json:"status"`
	Poll   json.RawMessage `json:"pollInterval"`
}

func (t *taskState) id() string {
	id, _ := asString(t.ID)
	if len(id) > maxTaskID {
		return ""
	}
	return id
}

// over tells whether there is something to be fetched.
func (t *taskState) over() bool {
	status, _ := asString(t.Status)
	return status != "working" && status != "submitted"
}

func (t *taskState) pause() time.Duration {
	var ms float64
	if json.Unmarshal(t.Poll, &ms) != nil || ms <= 0 {
		return usualPoll
	}
	return min(max(time.Duration(min(ms, 1e6))*time.Millisecond, fastestPoll), slowestPoll)
}

// followTask asks for a task until it is over and fetches what came of it. A
// task that needs to know something asks when it is fetched.
func (s *session) followTask(ctx context.Context, id string) error {
	for range maxPolls {
		state, err := s.task(ctx, "tasks/get", id)
		if err != nil || state == nil {
			return err
		}
		if state.over() {
			break
		}
		if err := s.stay(ctx, state.pause()); err != nil {
			return err
		}
	}
	return s.use(ctx, "tasks/result", map[string]any{"taskId": id})
}

// dropTask starts a task and calls it off at once.
func (s *session) dropTask(ctx context.Context, r request) error {
	id, err := s.startTask(ctx, r)
	if err != nil || id == "" {
		return err
	}
	state, err := s.task(ctx, "tasks/cancel", id)
	if err == nil && state != nil && !state.over() {
		s.note("went on with a task that was cancelled")
	}
	return err
}

// task asks about a task. It is nil if the server would not say.
func (s *session) task(ctx context.Context, method, id string) (*taskState, error) {
	params := map[string]any{"taskId": id}
	shown, err := marshal(params)
	if err != nil {
		return nil, err
	}
	raw, err := s.ask(ctx, request{method: method, params: params, arguments: shown, timeout: s.opts.CallTimeout})
	var state taskState
	if err != nil || raw == nil || json.Unmarshal(raw, &state) != nil {
		return nil, err
	}
	return &state, nil
}
