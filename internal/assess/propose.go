package assess

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/payload"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Attacks that a model proposed may take so long for each call, and so long for
// the starts of the server.
const (
	proposedTime   = 100 * time.Millisecond
	proposedStarts = 20 * time.Second
)

// proposed are the attacks on the tools of a session that a model proposes, none
// if there is no model. What it does not give is told, and holds up nothing.
func (st *stage) proposed(ctx context.Context, sess *mcpsf.Session, world *attack.World, inputs schema.Values, made []attackplan.AttackCall) ([]attackplan.AttackCall, error) {
	model := st.opts.Payloads
	most := st.opts.Profile.proposals()
	if model == nil || most == 0 || len(sess.Tools) == 0 {
		return nil, nil
	}
	st.opts.Progress.Step("payloads", "asking "+model.Name())
	got, err := payload.Propose(ctx, &payload.Options{
		Model: model, World: world, Tools: sess.Tools, Facts: st.reading.source(ctx), Inputs: accepted(sess), Values: inputs,
		Seed: st.opts.Seed, Known: shotsAtTools(made), Most: most,
		Progress: func(asked, of int) { st.opts.Progress.Update(fmt.Sprintf("%d of %d tools", asked, of)) },
	})
	if err != nil {
		return nil, fmt.Errorf("asking for payloads: %w", err)
	}
	run := &got.Run
	st.payloads = run
	if run.Unanswered > 0 {
		st.undone = append(st.undone, fmt.Sprintf("what %s would have tried on %d of %s: no answer of use", run.Model, run.Unanswered, wording.Count(run.Tools, "tool")))
	}
	st.opts.Progress.Done(fmt.Sprintf("%s for %s, %d tokens", wording.Count(run.Calls, "call"), wording.Count(run.Tools, "tool"), run.Usage.TokensIn+run.Usage.TokensOut))
	return proposedShots(got.Calls), nil
}

// proposedShots are calls as the driver makes them.
func proposedShots(list []payload.AttackCall) []attackplan.AttackCall {
	var shots []attackplan.AttackCall
	for _, c := range list {
		shots = append(shots, attackplan.AttackCall{Tool: c.Tool, Arguments: c.Arguments, Attack: c.Attack})
	}
	return shots
}

// shotsAtTools are those that are calls of a tool.
func shotsAtTools(shots []attackplan.AttackCall) []payload.AttackCall {
	var list []payload.AttackCall
	for i := range shots {
		if s := &shots[i]; !mcpsf.IsNoTool(s.Tool) {
			list = append(list, payload.AttackCall{Tool: s.Tool, Arguments: s.Arguments, Attack: s.Attack})
		}
	}
	return list
}

// accepted are arguments that tools took before.
func accepted(sess *mcpsf.Session) map[string]json.RawMessage {
	inputs := map[string]json.RawMessage{}
	for i := range sess.Calls {
		c := &sess.Calls[i]
		if c.Method == "tools/call" && c.Status == mcpsf.CallOK && inputs[c.Tool] == nil {
			inputs[c.Tool] = c.Arguments
		}
	}
	return inputs
}
