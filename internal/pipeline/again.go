package pipeline

import (
	"context"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/harness"
)

// press goes on with a server that has shown itself: it is started again with
// what it left behind, and asked by somebody else.
func (st *stage) press(ctx context.Context, first *detonation, try *launch) error {
	if st.opts.Profile.rounds() <= 1 || !first.session.Initialized {
		return nil
	}
	again := &talk{known: first.session, since: mcpsf.SinceRestart}
	if first.kept {
		again.kept = st.keptFile()
	}
	other := &talk{known: first.session, since: mcpsf.SinceClient, client: harness.Client{Name: "cursor-vscode", Version: "1.0.0"}}
	for _, say := range []*talk{again, other} {
		d, err := st.detonate(ctx, try, say)
		if err != nil {
			return fmt.Errorf("starting the server again: %w", err)
		}
		st.totals = append(st.totals, observedOf(d))
		if !d.session.Initialized {
			st.undone = append(st.undone, fmt.Sprintf("what it says differently (%s): it did not start again", say.since))
		}
	}
	return st.attack(ctx, first, try)
}
