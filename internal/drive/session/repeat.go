package session

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/mcpsf/mcpsf/internal/gap"
)

const (
	// tooSlow is the duration from which a call is not repeated in every round.
	// gap: calls-not-repeated
	tooSlow = time.Second
	// enough is how long the rounds after the first may take in total.
	// gap: calls-not-repeated
	enough = 20 * time.Second
)

// repeat calls the tools again, in another order and with other inputs each
// round, and checks after each round whether the server still describes itself
// the same: a rug pull happens after a while.
func (e *enumeration) repeat(ctx context.Context) error {
	end, made := time.Now().Add(enough), 0
	planned := max(0, e.opts.Inputs.Rounds-1) * len(e.out.Tools)
	defer func() {
		if made < planned {
			e.requests.ledger.gap(gap.CallsNotRepeated, planned, planned-made)
		}
	}()
	for round := 1; round < e.opts.Inputs.Rounds && len(e.out.Tools) > 0; round++ {
		order := rand.New(rand.NewPCG(e.opts.Inputs.Seed, uint64(round))).Perm(len(e.out.Tools))
		for n, i := range order {
			e.opts.Progress("again", (round-1)*len(order)+n, (e.opts.Inputs.Rounds-1)*len(order))
			if e.tools.slow[definition(&e.out.Tools[i])] || time.Now().After(end) {
				continue
			}
			if err := e.tools.call(ctx, i, round); err != nil {
				return err
			}
			made++
		}
		if err := e.changes.lookAgain(ctx); err != nil {
			return err
		}
		if time.Now().After(end) {
			break
		}
	}
	return nil
}
