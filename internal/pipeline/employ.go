package pipeline

import (
	"context"
	"encoding/json"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agent"
	"github.com/mcpsf/mcpsf/internal/harness"
)

// employed starts the server for an agent that uses it, with tools of ours
// beside it.
func employed(first *detonation, try *launch) job {
	return func(ctx context.Context, st *stage) error { return st.employ(ctx, first, try) }
}

func (st *stage) employ(ctx context.Context, first *detonation, try *launch) error {
	var out *agent.Outcome
	say := &talk{known: first.session, guest: func(ctx context.Context, t *harness.Table) error {
		w := st.world(t, first.session)
		var err error
		out, err = agent.Try(ctx, &agent.Options{World: w, Mind: agent.Obedient(&w.Offer), Task: w.Errand()})
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
	for i := range out.Deeds {
		events := st.log.Events()
		st.log.Append(mcpsf.Event{
			Seq: int64(len(events)) + 1, T: seconds(nanotime() - st.began), Phase: mcpsf.PhaseDrive, Call: out.Steps[i],
			Cause: requestOf(events, out.Steps[i]), Kind: mcpsf.KindAgentDeed, Agent: &out.Deeds[i],
		})
	}
	return nil
}

// world is what the agent lives in: the server as it is now, arguments that its
// tools took the first time, and the home that was planted.
func (st *stage) world(t *harness.Table, first *mcpsf.Session) *agent.World {
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
type guest struct{ table *harness.Table }

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
