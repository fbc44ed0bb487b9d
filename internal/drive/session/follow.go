package session

import (
	"context"
	"encoding/json"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
)

// maxFollowing bounds the calls of a start in which a stored payload may act.
// no gap: bounds which attacks are made; attacks show weaknesses, and the profile bounds them
const maxFollowing = 200

// follow calls the tools that take what an attacked tool returned: a payload that was
// only stored acts there. The call says which attack it belongs to, and that the
// payload is in an argument of the other tool.
func (p *preparer) follow(ctx context.Context, c *attackplan.AttackCall, result json.RawMessage) error {
	if result == nil || jsonrpc.IsErrorResult(result) || saidRefusal(result) != "" || !actsLater(c.Attack.Sign) {
		return nil
	}
	var stored chain.Memory // what this attack made, which no other call may use
	stored.Learn(c.Tool, result)
	for _, steps := range c.Then {
		if p.followed++; p.followed > maxFollowing {
			return nil
		}
		if err := p.followWith(ctx, c, steps, &stored); err != nil {
			return err
		}
	}
	return nil
}

func (p *preparer) followWith(ctx context.Context, c *attackplan.AttackCall, steps []mcpsf.Step, stored *chain.Memory) error {
	last := len(steps) - 1
	var others []mcpsf.Step
	for _, s := range steps[:last] {
		if s.Tool.Name != c.Tool {
			others = append(others, s)
		}
	}
	if err := p.makeAll(ctx, others); err != nil {
		return err
	}
	taker := &steps[last]
	in := sequence.Refill(&p.memory, taker, sequence.InputOf(taker), "")
	in = sequence.Refill(stored, taker, in, "")
	attack := c.Attack
	attack.Place += mcpsf.StoredBy + c.Tool
	r := request{
		method: protocol.MethodCall, tool: taker.Tool.Name, name: taker.Tool.CallName(), timeout: p.requests.opts.Timing.CallTimeout,
		attack: &attack, preparing: true,
	}
	result, err := p.requests.ask(ctx, r.with(in))
	if err == nil && result == nil && p.requests.ledger.last().Status == mcpsf.CallTimeout {
		return p.requests.isDeaf(ctx)
	}
	return err
}

// actsLater reports whether a payload that was stored may show there what a rule takes
// for a proof. That a text comes back as it was stored, proves nothing.
func actsLater(sign mcpsf.AttackSign) bool {
	switch sign {
	case mcpsf.SignExec, mcpsf.SignArgument, mcpsf.SignOpen, mcpsf.SignQuery, mcpsf.SignAnswer, mcpsf.SignRequest:
		return true
	}
	return false
}
