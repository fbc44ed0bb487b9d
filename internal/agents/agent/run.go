package agent

import (
	"context"

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
}

// Run gives the agent errands and tasks of the library. The error is that of an
// ended context; what was found before is returned, too.
func (e *Runner) Run(ctx context.Context, w *World) (*Work, error) {
	model := e.Model
	if model == nil {
		model = Obedient(&w.Offer)
	}
	out := &Work{Run: mcpsf.AgentRun{Agent: model.Name()}}
	done := map[actionKey]bool{}
	err := e.each(w, func(w *World, t *Task) error {
		o, err := Try(ctx, &Options{World: w, Model: model, Task: t, Runs: e.Runs})
		if o != nil {
			out.add(o, done)
			out.Run.Tasks++
		}
		return err
	})
	out.Run.Conversations, out.Run.Calls, out.Run.Actions, out.Run.Lost = len(out.Conversations), out.Calls, len(out.Actions), out.Lost
	if e.Model != nil {
		u := &out.Usage
		out.Run.Usage = &mcpsf.ModelUsage{Asks: out.Asks, TokensIn: u.In, TokensOut: u.Out, Dollars: u.Cost, Estimated: u.Estimated}
	}
	return out, err
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
func (w *Work) add(o *Outcome, done map[actionKey]bool) {
	before := len(w.Conversations)
	for i := range o.Actions {
		d := &o.Actions[i]
		key := actionKey{d.Action, d.Tool, d.What, d.To + "\x00" + d.Causes[0].Of + d.Causes[0].Name + d.Causes[0].Field}
		if done[key] {
			continue
		}
		done[key] = true
		d.Conversation += before
		w.Actions, w.Steps = append(w.Actions, *d), append(w.Steps, o.Steps[i])
	}
	w.Conversations = append(w.Conversations, o.Conversations...)
	w.Calls, w.Asks, w.Usage = w.Calls+o.Calls, w.Asks+o.Asks, w.Usage.Add(o.Usage)
	w.Lost = append(w.Lost, o.Lost...)
}
