package session

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
)

const (
	// tooSlow is how long a call may take to be made again in every round.
	tooSlow = time.Second
	// enough is how long the rounds after the first may take altogether.
	enough = 20 * time.Second
)

// repeat calls the tools again, in another order every time and with other
// inputs, and looks after each round whether the server still says the same of
// itself: who turns does so after a while.
func (s *session) repeat(ctx context.Context) error {
	end := time.Now().Add(enough)
	for round := 1; round < s.opts.Rounds && len(s.out.Tools) > 0; round++ {
		order := rand.New(rand.NewPCG(s.opts.Seed, uint64(round))).Perm(len(s.out.Tools))
		for n, i := range order {
			s.opts.Progress("again", (round-1)*len(order)+n, (s.opts.Rounds-1)*len(order))
			if s.slow[s.out.Tools[i].Name] || time.Now().After(end) {
				continue
			}
			if err := s.callTool(ctx, i, round); err != nil {
				return err
			}
		}
		if err := s.lookAgain(ctx); err != nil {
			return err
		}
		if time.Now().After(end) {
			break
		}
	}
	return nil
}

// lookBack compares, after more calls than anybody makes to get to know a server,
// the tools that are still there with what they said of themselves at first.
// Others may have come or gone by what was asked of them.
func (s *session) lookBack(ctx context.Context) error {
	if s.opts.Known == nil {
		return nil
	}
	var now mcpsf.Session
	if err := s.listInto(ctx, &now); err != nil {
		return err
	}
	before, after := &mcpsf.Session{Calls: s.opts.Known.Calls}, &mcpsf.Session{}
	for _, old := range s.opts.Known.Tools {
		if i := slices.IndexFunc(now.Tools, func(t mcpsf.Tool) bool { return t.Name == old.Name }); i >= 0 {
			before.Tools, after.Tools = append(before.Tools, old), append(after.Tools, now.Tools[i])
		}
	}
	s.compare(before, after, mcpsf.SinceCalls)
	return nil
}

// lookAgain lists everything once more and compares.
func (s *session) lookAgain(ctx context.Context) error {
	now := mcpsf.Session{Instructions: s.out.Instructions}
	if err := s.listInto(ctx, &now); err != nil {
		return err
	}
	s.compare(&s.latest, &now, mcpsf.SinceCalls)
	return nil
}
