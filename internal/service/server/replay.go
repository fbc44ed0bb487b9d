package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// replayChunk is how many bytes of a replay are sent at once.
const replayChunk = 32 << 10

// replay sends the history of a job that has ended: the rest of the live events
// to a client that has seen some of them, the stored events to others.
func (s *subscription) replay(ctx context.Context) error {
	live, err := s.canResume(ctx)
	if err != nil {
		return orEnded(ctx, err)
	}
	if !live {
		line := int64(0)
		if s.seen.Attempt == s.job.Attempt {
			line = s.seen.line
		}
		stored, err := s.replayFile(ctx, line)
		if err != nil {
			return err
		}
		s.seen.Place = store.Place{Attempt: s.job.Attempt}
		live = !stored
	}
	if live {
		if err := s.catchUp(ctx, nil); err != nil {
			return err
		}
	}
	return s.send(ctx, endEvent(s.job))
}

// canResume tells whether the client has seen live events of this attempt, and
// the store still has the last one of them.
func (s *subscription) canResume(ctx context.Context) (bool, error) {
	if s.seen.Attempt != s.job.Attempt || s.seen.Part == 0 {
		return false, nil
	}
	before := s.seen.Place
	before.Part--
	told, _, err := s.store.Told(ctx, s.job, before)
	return len(told) > 0, err
}

// replayFile sends the stored events of a job that come after a line. It returns
// false if there is no file of events.
func (s *subscription) replayFile(ctx context.Context, line int64) (bool, error) {
	f, err := s.artifacts.open(ctx, s.job, report.EventsName)
	if errors.Is(err, blob.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, orEnded(ctx, err)
	}
	defer f.Close()
	var text bytes.Buffer
	err = trace.Read(f, func(e mcpsf.Event) error {
		if e.Seq <= line {
			return nil
		}
		text.Write(eventText("event", compact(e), fmt.Sprintf("%d.e%d", s.job.Attempt, e.Seq)))
		if text.Len() < replayChunk {
			return nil
		}
		defer text.Reset()
		return s.send(ctx, text.Bytes())
	})
	if err != nil {
		return true, err
	}
	return true, s.send(ctx, text.Bytes())
}
