package agent

import (
	"context"
	"errors"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// Runner lets an agent use a server for a number of tasks.
type Runner struct {
	// Model is the agent's model; nil means the obedient agent.
	Model llm.Model
	// Runs is how often each conversation is held.
	Runs int
	// PerVector is how many tasks of each vector are run beside the errands.
	PerVector int
}

// Work is the result of all tasks.
type Work struct {
	Outcome

	Run mcpsf.AgentRun

	told map[actionKey]bool
	// broken is the result of the task in which the server ended, nil if it did not.
	broken *Outcome
}

// errEnded says that the server has ended.
var errEnded = errors.New("the server has ended")

// Run gives the agent errands and tasks of the library. If the server ends in one of
// them, it has to be started again: out is the result of the start before, whose
// tasks are not given again, nil for the first. The error is that of an ended context;
// what was found before is returned, too.
func (e *Runner) Run(ctx context.Context, w *World, out *Work) (*Work, error) {
	model := e.Model
	if model == nil {
		model = Obedient(&w.Offer)
	}
	if out == nil {
		out = &Work{Run: mcpsf.AgentRun{Agent: model.Name()}, told: map[actionKey]bool{}}
	}
	if b := out.broken; b != nil { // what it cost was spent
		out.Asks, out.Usage, out.broken = out.Asks+b.Asks, out.Usage.Add(b.Usage), nil
	}
	n := 0
	err := e.each(w, func(w *World, t *Task) error {
		if n++; n <= out.Run.Tasks {
			return nil
		}
		o, err := Try(ctx, &Options{World: w, Model: model, Task: t, Runs: e.Runs})
		if o != nil && w.Gone != nil && w.Gone() && ctx.Err() == nil {
			out.broken = o
			return errEnded
		}
		if o != nil {
			out.add(o)
			out.Run.Tasks++
		}
		return err
	})
	if errors.Is(err, errEnded) {
		err = nil
	}
	out.sum(e.Model != nil)
	return out, err
}

// Broken reports whether the server ended in a task, which is given again with the
// next start.
func (w *Work) Broken() bool { return w.broken != nil }

// GiveUp keeps the task that broke off as it is, because the server is not started
// again.
func (w *Work) GiveUp(e *Runner) {
	if w.broken == nil {
		return
	}
	w.add(w.broken)
	w.Run.Tasks++
	w.Lost = append(w.Lost, "the rest of the tasks for "+w.Run.Agent+": the server is gone")
	w.broken = nil
	w.sum(e.Model != nil)
}

// sum counts what was done.
func (w *Work) sum(model bool) {
	w.Run.Conversations, w.Run.Calls, w.Run.Actions, w.Run.Lost = len(w.Conversations), w.Calls, len(w.Actions), w.Lost
	if u := &w.Usage; model {
		w.Run.Usage = &mcpsf.ModelUsage{Asks: w.Asks, TokensIn: u.In, TokensOut: u.Out, Dollars: u.Cost, Estimated: u.Estimated}
	}
}

// each calls do with each task.
func (e *Runner) each(w *World, do func(*World, *Task) error) error {
	for _, t := range w.Errands() {
		if err := do(w, t); err != nil {
			return err
		}
	}
	if e.PerVector == 0 {
		return nil
	}
	scripts, err := Library()
	if err != nil {
		return err
	}
	taken := map[string]int{}
	for n := range scripts {
		s := &scripts[n]
		if taken[s.Vector] >= e.PerVector {
			continue
		}
		staged, task, ok := w.Staged(s, n)
		if !ok {
			continue
		}
		taken[s.Vector]++
		if err := do(staged, task); err != nil {
			return err
		}
	}
	return nil
}

// add merges the result of one task. The same action with the same cause is
// reported once.
func (w *Work) add(o *Outcome) {
	before := len(w.Conversations)
	for i := range o.Actions {
		d := &o.Actions[i]
		key := actionKey{d.Action, d.Tool, d.What, d.To + "\x00" + d.Causes[0].Of + d.Causes[0].Name + d.Causes[0].Field}
		if w.told[key] {
			continue
		}
		w.told[key] = true
		d.Conversation += before
		w.Actions, w.Steps = append(w.Actions, *d), append(w.Steps, o.Steps[i])
	}
	w.Conversations = append(w.Conversations, o.Conversations...)
	w.Calls, w.Asks, w.Usage = w.Calls+o.Calls, w.Asks+o.Asks, w.Usage.Add(o.Usage)
	w.Lost = append(w.Lost, o.Lost...)
}
