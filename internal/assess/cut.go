package assess

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// errTimeUp is the cause of a run that took longer than it may.
var errTimeUp = errors.New("the time limit of the run was up")

// within bounds the whole run: the installation, every start, agents and
// shortening.
func (a *assessment) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if total := a.opts.Sandbox.Total; total > 0 {
		return context.WithTimeoutCause(ctx, total, errTimeUp)
	}
	return context.WithCancel(ctx)
}

// tooEarly is the error of a run that was ended before the target was known.
func (a *assessment) tooEarly(ctx, work context.Context, err error) error {
	if ctx.Err() == nil && errors.Is(context.Cause(work), errTimeUp) {
		return &mcpsf.Error{
			Code: mcpsf.CodeInternal, Err: err,
			Message: fmt.Sprintf("the server was not ready to be started after %s; give it more time with --timeout", a.opts.Sandbox.Total),
		}
	}
	return err
}

// unlessCut returns the error of a run, nil if the run was ended from outside:
// what was seen until then is reported. Many steps end without an error when their
// time is up, so none does not mean that all was done.
func (a *assessment) unlessCut(work context.Context, err error) error {
	if work.Err() == nil {
		return err
	}
	a.cut = "the run was interrupted"
	if errors.Is(context.Cause(work), errTimeUp) {
		a.cut = fmt.Sprintf("%s after %s", errTimeUp, a.opts.Sandbox.Total)
	}
	a.opts.Caller.Progress.Warn(a.cut)
	return nil
}

// tellCut says in the report that the run was ended early. Such a run cannot pass.
func (a *assessment) tellCut(r *mcpsf.Report) {
	if a.cut == "" {
		return
	}
	c := &r.Coverage
	c.Gaps = append(c.Gaps, gap.New(gap.RunCutShort, int64(a.opts.Sandbox.Total.Seconds()), 0))
	c.Monitors = append(c.Monitors, mcpsf.MonitorStatus{Name: "run", Note: a.cut})
	if !r.Session.Initialized && r.Session.Ending == "" {
		r.Session.Ending = a.cut
	}
}
