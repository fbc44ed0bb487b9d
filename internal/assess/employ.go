package assess

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/agent"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// employed start the server for agents that use it, with tools of ours beside it.
func (st *stage) employed(first *detonation, try *launch) []job {
	var jobs []job
	for i := range st.opts.Agents {
		jobs = append(jobs, func(ctx context.Context, st *stage) error { return st.employ(ctx, first, try, &st.opts.Agents[i]) })
	}
	return jobs
}

func (st *stage) employ(ctx context.Context, first *detonation, try *launch, e *agent.Runner) error {
	var out *agent.Work
	say := &talk{known: first.session, guest: func(ctx context.Context, t *session.AgentClient) error {
		var err error
		out, err = e.Run(ctx, st.world(t, first.session))
		return err
	}}
	d, err := st.detonate(ctx, try, say)
	if err != nil {
		return err
	}
	st.totals = append(st.totals, observedOf(d))
	if out == nil {
		st.undone = append(st.undone, "what its texts make an agent do: it did not start again")
		return nil
	}
	st.undone = append(st.undone, out.Lost...)
	st.agents, st.conversations = append(st.agents, out.Run), append(st.conversations, out.Conversations...)
	for i := range out.Actions {
		events := st.log.Events()
		st.log.Append(mcpsf.Event{
			Seq: int64(len(events)) + 1, T: seconds(nanotime() - st.began), Phase: mcpsf.PhaseDrive, Call: out.Steps[i],
			Cause: requestOf(events, out.Steps[i]), Kind: mcpsf.KindAgentAction, Agent: &out.Actions[i],
		})
	}
	return nil
}

// world is what the agent lives in: the server as it is now, arguments that its
// tools took the first time, and the home that was planted.
func (st *stage) world(t *session.AgentClient, first *mcpsf.Session) *agent.World {
	w := &agent.World{
		Server: guest{t}, Offer: offerOf(t.Offer()),
		Inputs: map[string]json.RawMessage{}, Files: st.home.Decoys, Domain: st.home.Domain, Seed: st.opts.Seed,
	}
	for i := range first.Calls {
		c := &first.Calls[i]
		if c.Tool == "" || len(c.Arguments) == 0 {
			continue
		}
		if _, known := w.Inputs[c.Tool]; !known || c.Status == mcpsf.CallOK {
			w.Inputs[c.Tool] = c.Arguments
		}
	}
	return w
}

func offerOf(s *mcpsf.Session) agent.Offer {
	return agent.Offer{Instructions: s.Instructions, Tools: s.Tools, Prompts: s.Prompts, Resources: s.Resources}
}

// guest is the server as an agent speaks to it.
type guest struct{ table *session.AgentClient }

var _ agent.Server = guest{}

func (g guest) List(ctx context.Context) (agent.Offer, error) {
	now, err := g.table.List(ctx)
	return offerOf(now), err
}

func (g guest) Sample(f func(ctx context.Context, params json.RawMessage) string) { g.table.Sample(f) }

func (g guest) Call(ctx context.Context, tool string, arguments json.RawMessage) (agent.Answer, error) {
	h, err := g.table.Call(ctx, tool, arguments)
	return agent.Answer(h), err
}

func (g guest) Prompt(ctx context.Context, name string) (agent.Answer, error) {
	h, err := g.table.Prompt(ctx, name)
	return agent.Answer(h), err
}

func (g guest) Read(ctx context.Context, uri string) (agent.Answer, error) {
	h, err := g.table.Read(ctx, uri)
	return agent.Answer(h), err
}

// writeConversations keeps what agents said.
func (st *stage) writeConversations() (err error) {
	if len(st.conversations) == 0 || st.opts.Conversations == nil {
		return nil
	}
	w, err := st.opts.Conversations(st.run.ID)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	out := json.NewEncoder(w)
	for i := range st.conversations {
		if err := out.Encode(&st.conversations[i]); err != nil {
			return fmt.Errorf("writing what agents said: %w", err)
		}
	}
	return nil
}
