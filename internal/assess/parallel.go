package assess

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/internet"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// parallelRun is a sequence of starts of the server. Several run at the same time.
//
// They share the server and only read it. Each owns everything else.
type parallelRun struct {
	server *sandboxedServer
	ledger *ledger
	// net is the network around its sandboxes: the server's, or one at a later date.
	net      *internet.Internet
	progress progress.Reporter
	// home is the decoy home around its sandboxes: the server's, or one with
	// other secrets.
	home *decoys.Home
	// name tells its sandboxes from those of the others.
	name string
	// began is the clock at the beginning of the run.
	began int64
	// unreported are the facts of the artifact that have no event yet.
	unreported []mcpsf.Fact
}

// task is what a parallel run does.
type task func(context.Context, *parallelRun) error

// inParallel runs tasks that do not depend on each other, as many at a time as
// the options allow. It merges their ledgers in the given order, as if they had
// run one after another. Tasks inside a task count for themselves: while two
// compared starts run side by side, there is one sandbox more than that.
func (p *parallelRun) inParallel(ctx context.Context, tasks ...task) error {
	boxes := p.server.opts.Sandbox.Boxes
	if boxes <= 1 {
		var errs []error
		for _, t := range tasks {
			if ctx.Err() != nil {
				return errors.Join(append(errs, ctx.Err())...)
			}
			errs = append(errs, t(ctx, p))
		}
		return errors.Join(errs...)
	}
	runs, errs := make([]*parallelRun, len(tasks)), make([]error, len(tasks))
	free := make(chan struct{}, boxes)
	var all sync.WaitGroup
	for i, t := range tasks {
		runs[i] = p.fork(i)
		free <- struct{}{} // in order: the longest come first
		all.Go(func() {
			defer func() { <-free }()
			if errs[i] = ctx.Err(); errs[i] == nil {
				errs[i] = t(ctx, runs[i])
			}
		})
	}
	all.Wait()
	for _, r := range runs {
		p.ledger.merge(r.ledger)
	}
	return errors.Join(errs...)
}

// fork returns the run for one of several parallel tasks.
func (p *parallelRun) fork(number int) *parallelRun {
	f := &parallelRun{
		server: p.server, ledger: &ledger{log: trace.NewLog(nil)}, net: p.net, home: p.home, progress: p.progress,
		name: fmt.Sprintf("%s-%d", p.name, number+1), began: p.began,
	}
	if number > 0 { // only one of them reports progress
		f.progress = progress.Silent{}
	}
	return f
}
