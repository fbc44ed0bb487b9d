package assess

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/payload"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// The time for each attack call that a model proposed, and for the starts of the
// server.
const (
	proposedTime   = 100 * time.Millisecond
	proposedStarts = 20 * time.Second
)

// propose adds the attack calls that a model proposes, none if there is no
// model. If the model fails, that is a gap, and the run continues.
func (p *parallelRun) propose(ctx context.Context, target *attackTarget, all *attacks) error {
	opts := p.server.opts
	model, most := opts.Models.Payloads, opts.Profile.Proposals()
	if model == nil || most == 0 || len(target.session.Tools) == 0 {
		return nil
	}
	p.progress.Step("payloads", "asking "+model.Name())
	got, err := payload.Propose(ctx, &payload.Options{
		Model: model, World: target.world, Tools: target.session.Tools, Facts: p.server.reading.Source(ctx), Inputs: accepted(target.session),
		Values: target.inputs, Seed: opts.Seed, Known: toolCalls(all.planned), Most: most,
		Progress: func(asked, of int) { p.progress.Update(fmt.Sprintf("%d of %d tools", asked, of)) },
	})
	if err != nil {
		return fmt.Errorf("asking for payloads: %w", err)
	}
	run := &got.Run
	all.payloads = run
	if run.Unanswered > 0 {
		p.ledger.gap(gap.Detailed(gap.ModelPayloads, fmt.Sprintf("what %s would have tried on %d of %s: no answer of use", run.Model, run.Unanswered, wording.Count(run.Tools, "tool"))))
	}
	p.progress.Done(fmt.Sprintf("%s for %s, %d tokens", wording.Count(run.Calls, "call"), wording.Count(run.Tools, "tool"), run.Usage.TokensIn+run.Usage.TokensOut))
	for _, c := range got.Calls {
		all.proposed = append(all.proposed, attackplan.AttackCall{Tool: c.Tool, Arguments: c.Arguments, Server: byModel(&c), Attack: c.Attack})
	}
	attackplan.AddSequences(all.proposed, target.session)
	return nil
}

// byModel says that a model chose every value but the attacked one, after it had
// read the server's texts.
func byModel(c *payload.AttackCall) mcpsf.ServerValues {
	var arguments any
	if json.Unmarshal(c.Arguments, &arguments) != nil {
		return nil
	}
	return besides(arguments, "", c.Attack.Place, mcpsf.ServerValues{})
}

// besides adds the values that neither are at a place nor contain it.
func besides(value any, at, place string, chosen mcpsf.ServerValues) mcpsf.ServerValues {
	members, inside := map[string]any{}, at != place && strings.HasPrefix(place+"/", at+"/")
	switch v := value.(type) {
	case map[string]any:
		members = v
	case []any:
		for i, e := range v {
			members[strconv.Itoa(i)] = e
		}
	}
	switch {
	case at == place:
	case !inside:
		chosen = append(chosen, mcpsf.ServerValue{Pointer: at, From: mcpsf.OriginAgent})
	default:
		for _, name := range slices.Sorted(maps.Keys(members)) {
			part := mcpsf.PointerPart(name)
			chosen = besides(members[name], at+"/"+part, place, chosen)
		}
	}
	return chosen
}

// toolCalls returns those that are tool calls.
func toolCalls(calls []attackplan.AttackCall) []payload.AttackCall {
	var list []payload.AttackCall
	for i := range calls {
		if c := &calls[i]; !mcpsf.IsNoTool(c.Tool) {
			list = append(list, payload.AttackCall{Tool: c.Tool, Arguments: c.Arguments, Attack: c.Attack})
		}
	}
	return list
}

// accepted returns arguments that tools accepted before.
func accepted(sess *mcpsf.Session) map[string]json.RawMessage {
	inputs := map[string]json.RawMessage{}
	for tool, c := range attackplan.Worked(sess) {
		inputs[tool] = c.Arguments
	}
	return inputs
}
