package session

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

// no gap: the tools are called without a task as well, and a result is fetched after the last poll
const (
	// taskLife is how long we ask the server to keep a task.
	taskLife = time.Minute
	// maxPolls is how often a task is polled, and maxTasks how many tools are
	// called as tasks.
	maxPolls, maxTasks = 10, 3
	maxTaskID          = 1 << 10
	// The polling interval of a task, unless the server sets another, and its
	// limits.
	usualPoll, fastestPoll, slowestPoll = 300 * time.Millisecond, 50 * time.Millisecond, 2 * time.Second
)

// tasks calls tools as tasks: calls whose results are fetched later.
type tasks struct{ tools *toolCaller }

// taskSupport returns a tool's declared task support: "required", "optional",
// "forbidden", or nothing.
func taskSupport(tool *mcpsf.Tool) string {
	var t struct {
		Execution struct {
			Support json.RawMessage `json:"taskSupport"`
		} `json:"execution"`
	}
	if json.Unmarshal(tool.Raw, &t) != nil {
		return ""
	}
	support, _ := jsonrpc.String(t.Execution.Support)
	return support
}

// onlyAsTask reports whether a tool must be called as a task.
func (t *toolCaller) onlyAsTask(tool *mcpsf.Tool) bool {
	return forCalls(offered(t.out).Tasks) && t.requests.hasSessions() && taskSupport(tool) == "required"
}

func forCalls(o *protocol.TaskCapability) bool {
	return o != nil && jsonrpc.IsObject(o.Requests.Tools.Call)
}

// use calls some tools with optional task support as tasks, and cancels one.
func (k *tasks) use(ctx context.Context, o *protocol.TaskCapability) error {
	if !forCalls(o) || !k.tools.requests.hasSessions() {
		return nil
	}
	tried := 0
	for i := range k.tools.out.Tools {
		support := taskSupport(&k.tools.out.Tools[i])
		if support != "required" && support != "optional" || tried == maxTasks || !k.tools.callable(&k.tools.out.Tools[i]) {
			continue
		}
		tried++
		if !k.tools.requests.opts.Earlier.Resume.begin(fmt.Sprintf("task %d %s", i, definition(&k.tools.out.Tools[i]))) {
			continue
		}
		r, err := k.tools.request(i, 0)
		if err == nil && support == "optional" {
			err = k.call(ctx, r)
		}
		if err == nil && tried == 1 && jsonrpc.IsObject(o.Cancel) {
			err = k.drop(ctx, r)
		}
		if err != nil {
			return err
		}
	}
	if jsonrpc.IsObject(o.List) {
		return k.tools.requests.use(ctx, "tasks/list", map[string]any{}, madeByUs())
	}
	return nil
}

// call makes a call as a task and polls it to its end.
func (k *tasks) call(ctx context.Context, r request) error {
	id, err := k.start(ctx, r)
	if err != nil || id == "" {
		return err
	}
	return k.follow(ctx, id)
}

// start starts a call as a task. The id is "" if the server returned none.
func (k *tasks) start(ctx context.Context, r request) (string, error) {
	params, _ := r.params.(map[string]any)
	params = maps.Clone(params)
	params["task"] = map[string]any{"ttl": taskLife.Milliseconds()}
	r.params, r.note = params, "as a task"
	raw, err := k.tools.requests.ask(ctx, r)
	if err != nil || raw == nil {
		return "", err
	}
	var made struct {
		Task taskState `json:"task"`
	}
	_ = json.Unmarshal(raw, &made) // an invalid answer has no id
	id := made.Task.id()
	if id == "" {
		k.tools.requests.ledger.Note("answered a call that was to be a task without one")
	}
	return id, nil
}

// taskState is the state of a task as the server reports it.
type taskState struct {
	ID     json.RawMessage `json:"taskId"`
	Status json.RawMessage `json:"status"`
	Poll   json.RawMessage `json:"pollInterval"`
}

func (t *taskState) id() string {
	id, _ := jsonrpc.String(t.ID)
	if len(id) > maxTaskID {
		return ""
	}
	return id
}

// over reports whether there is a result to fetch.
func (t *taskState) over() bool {
	status, _ := jsonrpc.String(t.Status)
	return status != "working" && status != "submitted"
}

func (t *taskState) pause() time.Duration {
	var ms float64
	if json.Unmarshal(t.Poll, &ms) != nil || ms <= 0 {
		return usualPoll
	}
	return min(max(time.Duration(min(ms, 1e6))*time.Millisecond, fastestPoll), slowestPoll)
}

// follow polls a task until it is over and fetches its result. A task that
// needs input asks for it when its result is fetched.
func (k *tasks) follow(ctx context.Context, id string) error {
	for range maxPolls {
		state, err := k.ask(ctx, "tasks/get", id)
		if err != nil || state == nil {
			return err
		}
		if state.over() {
			break
		}
		if err := k.tools.waiter.stay(ctx, state.pause()); err != nil {
			return err
		}
	}
	return k.tools.requests.use(ctx, "tasks/result", map[string]any{"taskId": id}, madeByServer("/taskId", mcpsf.OriginResult))
}

// drop starts a task and cancels it at once.
func (k *tasks) drop(ctx context.Context, r request) error {
	id, err := k.start(ctx, r)
	if err != nil || id == "" {
		return err
	}
	state, err := k.ask(ctx, "tasks/cancel", id)
	if err == nil && state != nil && !state.over() {
		k.tools.requests.ledger.Note("went on with a task that was cancelled")
	}
	return err
}

// ask requests the state of a task. It returns nil if the server gave none.
func (k *tasks) ask(ctx context.Context, method, id string) (*taskState, error) {
	raw, err := k.tools.requests.fetch(ctx, method, map[string]any{"taskId": id}, madeByServer("/taskId", mcpsf.OriginResult))
	var state taskState
	if err != nil || raw == nil || json.Unmarshal(raw, &state) != nil {
		return nil, err
	}
	return &state, nil
}
