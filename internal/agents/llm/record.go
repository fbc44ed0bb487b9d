package llm

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// recordVersion is the format version of a [Record].
const recordVersion = 1

// entry is one line of a record.
type entry struct {
	Version int    `json:"v"`
	Digest  string `json:"digest,omitempty"`
	Model   string `json:"model"`
	// At and Milliseconds are omitted without a clock.
	At           *time.Time `json:"at,omitempty"`
	Milliseconds int64      `json:"ms,omitempty"`
	Ask          *Ask       `json:"ask"`
	Reply        *Reply     `json:"reply,omitempty"`
	Error        *Error     `json:"error,omitempty"`
}

// Record writes all asks and replies to w, one line of JSON for each ask, in
// the order in which they end. Put it around [WithBudget], so that the record
// contains what the budget refused, and [Replay] needs no budget. The record
// has no keys: they are part of no ask, and are removed from replies.
//
// now may be nil; then the record has no times. An ask whose line cannot be
// written fails.
func Record(m Model, w io.Writer, now func() time.Time) Model {
	return &recorder{Model: m, w: w, now: now}
}

type recorder struct {
	Model

	now func() time.Time
	mu  sync.Mutex
	w   io.Writer
}

// Price implements [priced].
func (m *recorder) Price() *Price { return priceFor(m.Model) }

// Ask implements [Model].
func (m *recorder) Ask(ctx context.Context, a *Ask) (*Reply, error) {
	if err := check(a); err != nil {
		return nil, err
	}
	e := entry{Version: recordVersion, Digest: digest(a), Model: m.Name(), Ask: a}
	if m.now != nil {
		at := m.now()
		e.At = &at
	}
	reply, err := m.Model.Ask(ctx, a)
	if m.now != nil {
		e.Milliseconds = m.now().Sub(*e.At).Milliseconds()
	}
	e.Reply = reply
	if err != nil {
		if e.Error = asError(err); e.Error == nil {
			e.Error = failf(KindReply, "%s", clean(err.Error()))
		}
	}
	if werr := m.write(&e); werr != nil {
		failed := failf(KindRecord, "writing the record: %s", clean(werr.Error()))
		if reply != nil {
			failed.Usage = reply.Usage
		}
		failed.err = werr
		return nil, failed
	}
	return reply, err
}

func (m *recorder) write(e *entry) error {
	data, err := safetext.JSONLine(e)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err = m.w.Write(data)
	return err
}
