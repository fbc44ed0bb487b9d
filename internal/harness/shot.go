package harness

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/harness/attack"
)

// Shot is a call that is made to find something out.
type Shot struct {
	Tool      string
	Arguments json.RawMessage
	Attack    mcpsf.AttackDetail
}

// shoot makes the calls of an attack one after another, as long as the server
// is there.
func (s *session) shoot(ctx context.Context) error {
	s.enter(mcpsf.PhaseAttack)
	for i := range s.opts.Shots {
		if !s.opts.Until.IsZero() && time.Now().After(s.opts.Until) {
			break
		}
		shot := &s.opts.Shots[i]
		s.opts.Progress("attack", i, len(s.opts.Shots))
		_, err := s.ask(ctx, request{
			method: "tools/call", tool: shot.Tool, arguments: shot.Arguments, timeout: s.opts.CallTimeout, attack: &shot.Attack,
			params: map[string]any{"name": shot.Tool, "arguments": shot.Arguments},
		})
		if err != nil {
			return err
		}
	}
	s.opts.Progress("attack", len(s.opts.Shots), len(s.opts.Shots))
	return nil
}

// shownIn is the attack as it stands with the answer to it.
func shownIn(a *mcpsf.AttackDetail, answer []byte) *mcpsf.AttackDetail {
	if a == nil {
		return nil
	}
	told := *a
	told.Shown = attack.Shown(a, answer)
	return &told
}
