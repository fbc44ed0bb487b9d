package assess

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf/internal/observe/trace"
)

// Starts of the server that do not build on each other are made side by side.
// Each is a lane with a log of its own; at the end the lanes are put together
// in their order, as if one had been after the other.

// job is what is done in a lane.
type job func(context.Context, *stage) error

// sideBySide runs jobs, as many at a time as the options allow, and takes over
// what each of them recorded, in the order given.
func (st *stage) sideBySide(ctx context.Context, jobs ...job) error {
	if st.opts.Boxes <= 1 {
		var errs []error
		for _, job := range jobs {
			errs = append(errs, job(ctx, st))
		}
		return errors.Join(errs...)
	}
	lanes, errs := make([]*stage, len(jobs)), make([]error, len(jobs))
	free := make(chan struct{}, st.opts.Boxes)
	var all sync.WaitGroup
	for i, job := range jobs {
		lanes[i] = st.lane(i)
		free <- struct{}{} // in their order: the first take longest
		all.Go(func() {
			defer func() { <-free }()
			errs[i] = job(ctx, lanes[i])
		})
	}
	all.Wait()
	for _, l := range lanes {
		st.join(l)
	}
	return errors.Join(errs...)
}

// lane is the stage for one of several starts at the same time.
func (st *stage) lane(number int) *stage {
	l, opts := *st, *st.opts
	if number > 0 { // one of them may tell how far it is
		opts.Progress = nothing{}
	}
	l.opts, l.log, l.box = &opts, trace.NewLog(nil), fmt.Sprintf("%s-%d", st.box, number+1)
	l.calls, l.totals, l.undone, l.planned, l.unmade = 0, nil, nil, 0, 0
	l.agents, l.conversations = nil, nil
	return &l
}

// join takes over what a lane recorded. Its events and calls are numbered on.
func (st *stage) join(l *stage) {
	before := int64(len(st.log.Events()))
	for _, e := range l.log.Events() {
		e.Seq += before
		if e.Cause != 0 {
			e.Cause += before
		}
		e.Call = numberedOn(e.Call, st.calls)
		st.log.Append(e)
	}
	st.calls += l.calls
	st.totals = append(st.totals, l.totals...)
	st.undone = append(st.undone, l.undone...)
	st.agents, st.conversations = append(st.agents, l.agents...), append(st.conversations, l.conversations...)
	st.planned, st.unmade = st.planned+l.planned, st.unmade+l.unmade
}

// numberedOn is the name of a call after that many others.
func numberedOn(call string, others int) string {
	digits, ok := strings.CutPrefix(call, "c")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return call
	}
	return "c" + strconv.Itoa(n+others)
}

// nothing is progress that nobody is told of.
type nothing struct{}

var _ Progress = nothing{}

func (nothing) Step(string, string) {}
func (nothing) Update(string)       {}
func (nothing) Done(string)         {}
func (nothing) Warn(string)         {}

// steady is progress within one step: only the way is told, no steps of it.
type steady struct{ Progress }

func (steady) Step(string, string) {}
func (steady) Done(string)         {}
func (steady) Warn(string)         {}
