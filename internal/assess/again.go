package assess

import (
	"context"
	"fmt"
	"os"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// press goes on with a server that has shown itself: it is started again with
// what it left behind, asked by somebody else, and attacked.
func (st *stage) press(ctx context.Context, first *detonation, try *launch) error {
	if st.opts.Profile.rounds() <= 1 {
		if !first.session.Initialized {
			return nil
		}
		return st.sideBySide(ctx, st.employed(first, try)...)
	}
	if !first.session.Initialized {
		return st.sideBySide(ctx, st.visits(first, try)...)
	}
	other := &talk{known: first.session, since: mcpsf.SinceClient, client: session.Client{Name: "cursor-vscode", Version: "1.0.0"}}
	sess, armed, extra, err := st.equipped(ctx, first, try)
	if err != nil {
		return err
	}
	if err := st.aim(ctx, sess, armed); err != nil {
		return err
	}
	starts := len(st.totals)
	st.opts.Progress.Step("stress", "starting it again")
	opts, before, shown := *st.opts, st.opts, st.opts.Progress
	opts.Progress = steady{shown}
	st.opts = &opts
	defer func() { st.opts = before }()
	// The longest comes first.
	jobs := append(st.attacks(sess, armed, extra), st.again(first, try), meet(try, other))
	jobs = append(jobs, func(ctx context.Context, st *stage) error { return st.fuzz(ctx, first, try) })
	jobs = append(jobs, st.employed(first, try)...)
	jobs = append(jobs, st.visits(first, try)...)
	for _, g := range st.opts.Profile.guises() {
		jobs = append(jobs, disguised(first, try, g))
	}
	if err := st.sideBySide(ctx, jobs...); err != nil {
		if ctx.Err() != nil {
			return err
		}
		st.totals = append(st.totals, observed{Trouble: err.Error()}) // without it there is no verdict
	}
	if st.unmade > 0 {
		st.undone = append(st.undone, fmt.Sprintf("%d of %d attacks: the time was up, or the server was gone", st.unmade, st.planned))
	}
	if err := st.shrink(ctx, first, armed, extra); err != nil {
		return err
	}
	shown.Done(fmt.Sprintf("%s, %s", wording.Count(st.planned-st.unmade, "attack"), wording.Count(len(st.totals)-starts, "further start")))
	return nil
}

// restarts is how often a server is started again that keeps something for its
// next start: who counts his starts counts to three.
const restarts = 2

// again starts the server once more, with what it had left behind the last time.
func (st *stage) again(first *detonation, try *launch) job {
	return func(ctx context.Context, st *stage) error {
		last := first
		for n := range restarts {
			say := &talk{known: first.session, since: mcpsf.SinceRestart}
			if last.kept {
				say.kept, say.keep = st.keptFile(n), st.keptFile(n+1)
			}
			d, err := st.meet(ctx, try, say)
			if err != nil || !d.kept || leftNothing(say.keep) {
				return err
			}
			last = d
		}
		return nil
	}
}

// leftNothing tells whether an archive has nothing but its end in it.
func leftNothing(archive string) bool {
	const end = 1024
	info, err := os.Stat(archive)
	return err != nil || info.Size() <= end
}

// meet starts the server again to hear what it says differently.
func meet(try *launch, say *talk) job {
	return func(ctx context.Context, st *stage) error {
		_, err := st.meet(ctx, try, say)
		return err
	}
}

func (st *stage) meet(ctx context.Context, try *launch, say *talk) (*detonation, error) {
	d, err := st.detonate(ctx, try, say)
	if err != nil {
		return nil, fmt.Errorf("starting the server again: %w", err)
	}
	st.totals = append(st.totals, observedOf(d))
	if !d.session.Initialized {
		st.undone = append(st.undone, fmt.Sprintf("what it says differently (%s): it did not start again", say.since))
	}
	return d, nil
}
